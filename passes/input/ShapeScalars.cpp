// Pass input-shape-scalars: shape computations become index scalars.
//
// Regions of shape.assuming are inlined behind a run-time check of what they
// assume; every operand that tells sizes becomes a tensor.from_elements of
// index scalars; nothing of the shape dialect is left.
#include "passes/input/ScalarElements.h"
#include "passes/input/ShapeOperands.h"

#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/shape/Demands.h"

using namespace mlir;
using namespace disc;
using arith::CmpIPredicate;

namespace {
class ShapeScalars {
public:
  explicit ShapeScalars(func::FuncOp func)
      : func(func), scalars(func.getContext()) {}

  LogicalResult run();

private:
  LogicalResult inlineAssuming(shape::AssumingOp assuming);
  LogicalResult checkWitness(Value witness, Location loc);
  void checkEqual(Operation *cstr, Value a, Value b, bool orOne);
  LogicalResult rewriteUses();
  LogicalResult replaceSizeOperand(OpOperand &operand);
  LogicalResult replaceShapeValue(OpResult result);
  LogicalResult eraseDead();

  OpBuilder &builder() { return scalars.builder; }

  func::FuncOp func;
  ScalarElements scalars;
};
} // namespace

/// The operands of `op` that are tensors of sizes, positions or strides.
static MutableArrayRef<OpOperand> sizeOperands(Operation *op) {
  MutableArrayRef<OpOperand> all = op->getOpOperands();
  if (isa<dhlo::DynamicReshapeOp, dhlo::DynamicBroadcastInDimOp>(op))
    return all.slice(1, 1);
  if (isa<dhlo::DynamicIotaOp>(op))
    return all.slice(0, 1);
  if (isa<dhlo::RealDynamicSliceOp>(op))
    return all.slice(1, 3);
  if (isa<dhlo::DynamicPadOp>(op))
    return all.slice(2, 3);
  if (isa<dhlo::DynamicGatherOp, dhlo::DynamicConvOp>(op))
    return all.slice(2, 1);
  return {};
}

//===----------------------------------------------------------------------===//
// Assumptions
//===----------------------------------------------------------------------===//

void ShapeScalars::checkEqual(Operation *cstr, Value a, Value b, bool orOne) {
  OpBuilder &b_ = builder();
  Location loc = cstr->getLoc();
  a = scalars.toIndex(loc, a);
  b = scalars.toIndex(loc, b);
  std::optional<int64_t> ca = constantOf(a), cb = constantOf(b);
  if (a == b || (ca && cb && *ca == *cb) || (orOne && (ca == 1 || cb == 1)))
    return;
  Value holds = arith::CmpIOp::create(b_, loc, CmpIPredicate::eq, a, b);
  if (orOne) {
    Value one = scalars.constant(loc, 1);
    for (Value size : {a, b}) {
      if (constantOf(size))
        continue;
      Value isOne =
          arith::CmpIOp::create(b_, loc, CmpIPredicate::eq, size, one);
      holds = arith::OrIOp::create(b_, loc, holds, isOne);
    }
  }
  std::string message =
      ("`" + cstr->getName().stripDialect() + "` at ").str() +
      shortLocation(loc) + ": expected equal sizes" +
      (orOne ? ", or one of them 1," : "") + " got {0} and {1}";
  lmhlo_disc::CheckOp::create(b_, loc, holds, message, ValueRange{a, b});
}

/// Emits the checks of a witness at the builder's place.
LogicalResult ShapeScalars::checkWitness(Value witness, Location loc) {
  Operation *op = witness.getDefiningOp();
  if (!op)
    return emitError(loc) << "`shape.assuming` needs a witness that is "
                             "computed in the function";
  if (auto constant = dyn_cast<shape::ConstWitnessOp>(op)) {
    if (!constant.getPassing()) {
      Value no = arith::ConstantIntOp::create(builder(), loc, 0, 1);
      cf::AssertOp::create(builder(), loc, no, "an assumption does not hold");
    }
    return success();
  }
  if (auto all = dyn_cast<shape::AssumingAllOp>(op)) {
    for (Value input : all.getInputs())
      if (LogicalResult checked = checkWitness(input, loc); failed(checked))
        return checked;
    return success();
  }
  if (auto require = dyn_cast<shape::CstrRequireOp>(op)) {
    cf::AssertOp::create(builder(), loc, require.getPred(), require.getMsg());
    return success();
  }
  bool broadcast = isa<shape::CstrBroadcastableOp>(op);
  if (!broadcast && !isa<shape::CstrEqOp>(op))
    return op->emitOpError("is not understood as a witness of `shape.assuming`");
  SmallVector<ScalarElements::Scalars> shapes;
  for (Value operand : op->getOperands()) {
    std::optional<ScalarElements::Scalars> sizes = scalars.of(operand);
    if (!sizes)
      return op->emitOpError("has a shape of unknown rank; use ranked tensors");
    shapes.push_back(*sizes);
  }
  for (size_t i = 1; i < shapes.size(); ++i) {
    if (!broadcast) {
      if (shapes[i].size() != shapes[0].size())
        return op->emitOpError("compares shapes of different ranks");
      for (auto [a, b] : llvm::zip(shapes[0], shapes[i]))
        checkEqual(op, a, b, false);
      continue;
    }
    size_t rank = std::min(shapes[0].size(), shapes[i].size());
    for (size_t d = 0; d < rank; ++d)
      checkEqual(op, shapes[0][shapes[0].size() - rank + d],
                 shapes[i][shapes[i].size() - rank + d], true);
    // Compare further shapes with what the first ones broadcast to.
    if (i + 1 < shapes.size())
      shapes[0] = scalars.broadcast(op->getLoc(), shapes[0], shapes[i]);
  }
  return success();
}

LogicalResult ShapeScalars::inlineAssuming(shape::AssumingOp assuming) {
  builder().setInsertionPoint(assuming);
  if (LogicalResult checked =
          checkWitness(assuming.getWitness(), assuming.getLoc());
      failed(checked))
    return checked;
  Block *body = &assuming.getDoRegion().front();
  Operation *yield = body->getTerminator();
  Block *parent = assuming->getBlock();
  parent->getOperations().splice(assuming->getIterator(), body->getOperations(),
                                 body->begin(), yield->getIterator());
  assuming.replaceAllUsesWith(yield->getOperands());
  assuming.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

LogicalResult ShapeScalars::replaceSizeOperand(OpOperand &operand) {
  Value value = operand.get();
  auto from = value.getDefiningOp<tensor::FromElementsOp>();
  if (from && getElementTypeOrSelf(from.getType()).isIndex())
    return success();
  Operation *user = operand.getOwner();
  std::optional<ScalarElements::Scalars> sizes = scalars.of(value);
  if (!sizes) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && type.hasStaticShape() &&
        !type.getElementType().isSignlessIntOrIndex())
      return success(); // unsigned sizes stay a tensor
    return user->emitOpError("operand #")
           << operand.getOperandNumber()
           << " tells sizes but has no known length; expected a tensor of "
              "static shape, since ranks are static";
  }
  builder().setInsertionPoint(user);
  SmallVector<Value> indices;
  for (Value size : *sizes)
    indices.push_back(scalars.toIndex(user->getLoc(), size));
  SmallVector<int64_t> shape = {static_cast<int64_t>(indices.size())};
  if (auto old = dyn_cast<RankedTensorType>(value.getType());
      old && old.hasStaticShape())
    shape = SmallVector<int64_t>(old.getShape());
  auto type = RankedTensorType::get(shape, builder().getIndexType());
  operand.set(tensor::FromElementsOp::create(builder(), user->getLoc(), type,
                                             indices));
  return success();
}

/// Gives the users of a shape value outside the shape dialect its scalars.
LogicalResult ShapeScalars::replaceShapeValue(OpResult result) {
  Operation *op = result.getOwner();
  auto isShapeOp = [](OpOperand &use) {
    return isa<shape::ShapeDialect>(use.getOwner()->getDialect());
  };
  SmallVector<OpOperand *> outside;
  for (OpOperand &use : result.getUses())
    if (!isShapeOp(use))
      outside.push_back(&use);
  if (outside.empty())
    return success();
  std::optional<ScalarElements::Scalars> sizes = scalars.of(result);
  Type type = result.getType();
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (!sizes || (!tensorType && !type.isIndex()))
    return op->emitOpError("cannot be computed from ranked tensors; its result "
                           "of type ")
           << type << " is used by `" << outside[0]->getOwner()->getName()
           << "`";
  OpBuilder::InsertionGuard guard(builder());
  builder().setInsertionPointAfter(op);
  // The scalars were placed right after the op: stay behind them.
  for (Value size : *sizes)
    if (Operation *def = size.getDefiningOp();
        def && def->getBlock() == op->getBlock() && op->isBeforeInBlock(def))
      if (builder().getInsertionPoint() == op->getBlock()->end() ||
          !def->isBeforeInBlock(&*builder().getInsertionPoint()))
        builder().setInsertionPointAfter(def);
  Value replacement = (*sizes)[0];
  if (tensorType) {
    SmallVector<Value> indices;
    for (Value size : *sizes)
      indices.push_back(scalars.toIndex(op->getLoc(), size));
    auto full = RankedTensorType::get({static_cast<int64_t>(indices.size())},
                                      builder().getIndexType());
    replacement = tensor::FromElementsOp::create(builder(), op->getLoc(), full,
                                                 indices);
    if (full != type)
      replacement =
          tensor::CastOp::create(builder(), op->getLoc(), type, replacement);
  }
  for (OpOperand *use : outside)
    use->set(replacement);
  return success();
}

LogicalResult ShapeScalars::rewriteUses() {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    auto call = dyn_cast<dhlo::CustomCallOp>(op);
    if (call && call.getCallTargetName() == "shape_assertion") {
      if (LogicalResult checked = checkShapeAssertion(call, scalars);
          failed(checked))
        return checked;
      continue;
    }
    if (call)
      if (LogicalResult tied = tieShapeOperands(call, scalars);
          failed(tied))
        return tied;
    for (OpOperand &operand : sizeOperands(op))
      if (LogicalResult replaced = replaceSizeOperand(operand);
          failed(replaced))
        return replaced;
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      auto type = dyn_cast<RankedTensorType>(extract.getTensor().getType());
      Operation *def = extract.getTensor().getDefiningOp();
      if (!type || !type.hasStaticShape() || !def ||
          type.getNumElements() > kMaxScalarElements)
        continue;
      int64_t linear = 0;
      bool known = true;
      for (auto [index, size] : llvm::zip(extract.getIndices(), type.getShape())) {
        std::optional<int64_t> at = constantOf(index);
        known &= at && *at >= 0 && *at < size;
        linear = linear * size + (known ? *at : 0);
      }
      std::optional<ScalarElements::Scalars> elements;
      if (known)
        elements = scalars.of(extract.getTensor());
      if (elements && (*elements)[linear] != extract.getResult())
        extract.replaceAllUsesWith((*elements)[linear]);
    }
    bool isSize = isa<dhlo::GetDimensionSizeOp>(op);
    if (isSize) {
      std::optional<ScalarElements::Scalars> size =
          scalars.of(op->getResult(0));
      if (!size || (*size)[0].getDefiningOp<tensor::ExtractOp>())
        continue;
      builder().setInsertionPointAfterValue((*size)[0]);
      op->getResult(0).replaceAllUsesWith(tensor::FromElementsOp::create(
          builder(), op->getLoc(), op->getResult(0).getType(), *size));
    }
    if (!isa_and_nonnull<shape::ShapeDialect>(op->getDialect()))
      continue;
    for (OpResult result : op->getResults()) {
      if (isa<shape::WitnessType>(result.getType()))
        continue;
      if (LogicalResult replaced = replaceShapeValue(result); failed(replaced))
        return replaced;
    }
  }
  return success();
}

/// Erases what computed shapes; the shape dialect must be gone after.
LogicalResult ShapeScalars::eraseDead() {
  SmallVector<Operation *> ops;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops)) {
    bool ofShape = isa_and_nonnull<shape::ShapeDialect>(op->getDialect());
    if (op->use_empty() && !op->hasTrait<OpTrait::IsTerminator>() &&
        (isOpTriviallyDead(op) || ofShape)) {
      op->erase();
      continue;
    }
    if (ofShape)
      return op->emitOpError("is not supported; sizes must be computed with "
                             "`tensor.dim`, `arith` or the usual shape ops");
  }
  return success();
}

LogicalResult ShapeScalars::run() {
  SmallVector<shape::AssumingOp> assumings;
  // Outer ones first: a check may only use what comes before it.
  func.walk<WalkOrder::PreOrder>(
      [&](shape::AssumingOp op) { assumings.push_back(op); });
  for (shape::AssumingOp assuming : assumings)
    if (LogicalResult inlined = inlineAssuming(assuming); failed(inlined))
      return inlined;
  if (LogicalResult rewritten = rewriteUses(); failed(rewritten))
    return rewritten;
  return eraseDead();
}

LogicalResult disc::runInputShapeScalars(func::FuncOp func) {
  if (func.isExternal())
    return success();
  return ShapeScalars(func).run();
}
