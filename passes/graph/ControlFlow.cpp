// Pass graph-control-flow: dhlo.while -> scf.while, dhlo.if -> scf.if, dhlo.case -> scf.index_switch.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

/// The element of a rank-0 tensor.
static Value scalar(OpBuilder &b, Location loc, Value tensor) {
  return tensor::ExtractOp::create(b, loc, tensor, ValueRange());
}

/// The same of a predicate, read as a byte: memory is addressed in bytes.
static Value predicate(OpBuilder &b, Location loc, Value tensor) {
  Value byte = scalar(
      b, loc, dhlo::ConvertOp::create(b, loc, tensor, b.getIntegerType(8)));
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 8);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, byte, zero);
}

/// Casts `values` to `types`, where they differ in what is static.
static SmallVector<Value> conform(OpBuilder &b, Location loc, ValueRange values,
                                  TypeRange types) {
  SmallVector<Value> result;
  for (auto [value, type] : llvm::zip_equal(values, types))
    result.push_back(value.getType() == type
                         ? value
                         : tensor::CastOp::create(b, loc, type, value));
  return result;
}

/// Moves the body of a branch and ends it with scf.yield.
static void takeBranch(Region &from, Region &to, TypeRange types) {
  to.takeBody(from);
  Operation *end = to.front().getTerminator();
  OpBuilder b(end);
  scf::YieldOp::create(b, end->getLoc(),
                       conform(b, end->getLoc(), end->getOperands(), types));
  end->erase();
}

static void convertIf(dhlo::IfOp op) {
  OpBuilder b(op);
  Value pred = predicate(b, op.getLoc(), op.getPred());
  auto branch = scf::IfOp::create(b, op.getLoc(), op.getResultTypes(), pred,
                                  /*addThenBlock=*/false,
                                  /*addElseBlock=*/false);
  takeBranch(op.getTrueBranch(), branch.getThenRegion(), op.getResultTypes());
  takeBranch(op.getFalseBranch(), branch.getElseRegion(), op.getResultTypes());
  op.replaceAllUsesWith(branch);
  op.erase();
}

/// The last branch is also taken for an index out of range.
static void convertCase(dhlo::CaseOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value index = arith::IndexCastOp::create(
      b, loc, b.getIndexType(), scalar(b, loc, op.getIndex()));
  SmallVector<int64_t> cases;
  int64_t last = static_cast<int64_t>(op.getBranches().size()) - 1;
  for (int64_t i = 0; i < last; ++i)
    cases.push_back(i);
  auto branch = scf::IndexSwitchOp::create(b, loc, op.getResultTypes(), index,
                                           cases, cases.size());
  for (int64_t i = 0; i < last; ++i)
    takeBranch(op.getBranches()[i], branch.getCaseRegions()[i],
               op.getResultTypes());
  takeBranch(op.getBranches()[last], branch.getDefaultRegion(),
             op.getResultTypes());
  op.replaceAllUsesWith(branch);
  op.erase();
}

static void convertWhile(dhlo::WhileOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  // What the loop carries has the types of the results.
  SmallVector<Value> init =
      conform(b, loc, op.getOperands(), op.getResultTypes());
  auto loop = scf::WhileOp::create(b, loc, op.getResultTypes(), init);
  loop.getBefore().takeBody(op.getCond());
  loop.getAfter().takeBody(op.getBody());
  for (Region *region : {&loop.getBefore(), &loop.getAfter()})
    for (auto [arg, type] :
         llvm::zip_equal(region->getArguments(), op.getResultTypes()))
      arg.setType(type);
  Operation *end = loop.getBefore().front().getTerminator();
  b.setInsertionPoint(end);
  scf::ConditionOp::create(b, end->getLoc(),
                           predicate(b, end->getLoc(), end->getOperand(0)),
                           loop.getBefore().getArguments());
  end->erase();
  end = loop.getAfter().front().getTerminator();
  b.setInsertionPoint(end);
  scf::YieldOp::create(
      b, end->getLoc(),
      conform(b, end->getLoc(), end->getOperands(), op.getResultTypes()));
  end->erase();
  op.replaceAllUsesWith(loop);
  op.erase();
}

LogicalResult disc::runGraphControlFlow(func::FuncOp func) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<dhlo::WhileOp, dhlo::IfOp, dhlo::CaseOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    for (Type type : op->getResultTypes())
      if (!isa<RankedTensorType>(type))
        return op->emitOpError("carries a value of type ")
               << type << "; only tensors are supported";
    if (auto loop = dyn_cast<dhlo::WhileOp>(op))
      convertWhile(loop);
    else if (auto branch = dyn_cast<dhlo::IfOp>(op))
      convertIf(branch);
    else
      convertCase(cast<dhlo::CaseOp>(op));
  }
  return success();
}
