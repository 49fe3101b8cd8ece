// Pass shape-resolve: equal sizes become one SSA value, known sizes become static.
#include "dialects/dhlo/Broadcasts.h"
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "dialects/dhlo/ElementCount.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/shape/ShapeResolver.h"
#include "passes/shape/StaticForms.h"

using namespace mlir;
using namespace disc;

namespace {
class Resolve {
public:
  explicit Resolve(func::FuncOp func)
      : func(func), resolver(func, ShapeResolver::Source::Checks) {}

  LogicalResult run();

private:
  void visitBlock(Block &block);
  void visitOp(Operation *op);
  void visitScalar(Operation *op);
  bool dropIdentity(Operation *op);
  bool bypassCast(Operation *op);
  void refineType(OpResult result);

  func::FuncOp func;
  ShapeResolver resolver;
  SmallVector<Operation *> trivial; // checks that hold for sure
  bool refused = false;
};
} // namespace

LogicalResult Resolve::run() {
  resolver.analyze();
  visitBlock(func.getBody().front());
  for (Operation *check : trivial)
    check->erase();
  eraseDeadOps(func);
  return failure(refused);
}

void Resolve::visitBlock(Block &block) {
  // What is emitted on the way is canonical: it is not visited.
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  bool isEntry = &block == &func.getBody().front();
  if (isEntry)
    resolver.emitReadyChecks(nullptr);
  for (Operation *op : ops) {
    visitOp(op);
    if (isEntry)
      resolver.emitReadyChecks(op);
  }
}

void Resolve::visitScalar(Operation *op) {
  SizeMaterializer &materializer = resolver.materializer;
  Value result = op->getResult(0);
  Type type = result.getType();
  if (op->hasTrait<OpTrait::ConstantLike>() && !type.isIndex())
    return;
  Size size = resolver.analysis.of(result);
  if (size->kind == SizeKind::Sym && size->sym == result && size->dim < 0) {
    if (type.isIndex())
      materializer.seed(size, result);
    return;
  }
  if (result.use_empty() || (!type.isIndex() && !size->isOfSizes()))
    return;
  materializer.builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  Value value;
  if (type.isInteger(1)) {
    if (!size->isConst())
      return; // its operands are canonical already
    value = materializer.condition(size, loc);
  } else {
    value = materializer.index(size, loc);
    if (size->isConst() && !type.isIndex())
      value = arith::ConstantOp::create(
          materializer.builder, loc,
          materializer.builder.getIntegerAttr(type, size->value));
    else if (!type.isIndex())
      value = arith::IndexCastOp::create(materializer.builder, loc, type, value);
  }
  if (value != result)
    result.replaceAllUsesWith(value);
}

/// Whether `op` takes operands of any type compatible with the one it had.
static bool acceptsRefined(Operation *op) {
  return isa<tensor::DimOp, tensor::CastOp>(op) ||
         (isa<dhlo::DhloDialect>(op->getDialect()) &&
          !op->hasTrait<OpTrait::IsTerminator>() &&
          !isa<dhlo::WhileOp, dhlo::CustomCallOp, dhlo::TieShapeOp,
               dhlo::OptimizationBarrierOp>(op));
}

/// Whether an op gives back its operand: same sizes in the same order.
bool Resolve::dropIdentity(Operation *op) {
  ShapeConstraintAnalysis &analysis = resolver.analysis;
  if (std::optional<ArrayRef<int64_t>> dims = broadcastDimensionsOf(op)) {
    for (auto [i, dim] : llvm::enumerate(*dims))
      if (dim != static_cast<int64_t>(i))
        return false;
  } else if (!isa<dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(op) &&
             !isWholeSlice(op, analysis)) {
    return false;
  }
  Value operand = op->getOperand(0), result = op->getResult(0);
  if (cast<RankedTensorType>(operand.getType()).getRank() !=
          cast<RankedTensorType>(result.getType()).getRank() ||
      !analysis.sameShape(operand, result))
    return false;
  if (operand.getType() != result.getType()) {
    if (tensor::preservesStaticInformation(result.getType(),
                                           operand.getType()))
      result.replaceUsesWithIf(operand, [](OpOperand &use) {
        return acceptsRefined(use.getOwner());
      });
    // The operand may be an argument, whose type stays.
    resolver.materializer.builder.setInsertionPoint(op);
    auto cast = tensor::CastOp::create(resolver.materializer.builder,
                                       op->getLoc(), result.getType(), operand);
    analysis.setDims(cast, analysis.dims(operand));
    operand = cast;
  }
  result.replaceAllUsesWith(operand);
  return true;
}

/// Lets users that take any compatible type read the source of a cast to a
/// less static type. Tells whether `op` was such a cast.
bool Resolve::bypassCast(Operation *op) {
  auto cast = dyn_cast<tensor::CastOp>(op);
  if (!cast || !isa<RankedTensorType>(cast.getSource().getType()) ||
      !tensor::preservesStaticInformation(cast.getType(),
                                          cast.getSource().getType()))
    return false;
  cast.getResult().replaceUsesWithIf(cast.getSource(), [](OpOperand &use) {
    return acceptsRefined(use.getOwner());
  });
  return true;
}

void Resolve::refineType(OpResult result) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || type.hasStaticShape() ||
      !isa<dhlo::DhloDialect>(result.getOwner()->getDialect()) ||
      isa<dhlo::WhileOp, dhlo::IfOp, dhlo::CaseOp, dhlo::FusionOp,
          dhlo::CustomCallOp, dhlo::OptimizationBarrierOp>(result.getOwner()))
    return;
  SmallVector<Size> sizes = resolver.analysis.dims(result);
  SmallVector<int64_t> shape(type.getShape());
  for (auto [known, size] : llvm::zip(shape, sizes))
    if (ShapedType::isDynamic(known) && size->isConst() && size->value >= 0)
      known = size->value;
  if (ArrayRef<int64_t>(shape) == type.getShape())
    return;
  if (!dhlo::productOfSizes(shape)) {
    result.getOwner()->emitOpError("has a result of ")
        << type << " whose known sizes, "
        << RankedTensorType::get(shape, type.getElementType())
        << ", multiply past the 64 bits in which elements are counted";
    refused = true;
    return;
  }
  auto refined = RankedTensorType::get(shape, type.getElementType(),
                                       type.getEncoding());
  result.setType(refined);
  SmallVector<OpOperand *> keep;
  for (OpOperand &use : result.getUses())
    if (!acceptsRefined(use.getOwner()))
      keep.push_back(&use);
  if (keep.empty())
    return;
  OpBuilder &builder = resolver.materializer.builder;
  builder.setInsertionPointAfter(result.getOwner());
  auto cast = tensor::CastOp::create(builder, result.getLoc(), type, result);
  resolver.analysis.setDims(cast, sizes);
  for (OpOperand *use : keep)
    use->set(cast);
}

void Resolve::visitOp(Operation *op) {
  SizeMaterializer &materializer = resolver.materializer;
  if (auto check = dyn_cast<lmhlo_disc::CheckOp>(op)) {
    if (resolver.analysis.of(check.getCond())->isConst(1))
      trivial.push_back(check);
    return;
  }
  if (op->getNumResults() == 1 && op->getNumRegions() == 0 &&
      op->getResult(0).getType().isIntOrIndex())
    return visitScalar(op);
  if (dropIdentity(op) || bypassCast(op))
    return;
  for (OpResult result : op->getResults())
    refineType(result);
  materializer.builder.setInsertionPoint(op);
  makeStatic(op, resolver.analysis, materializer);
  for (Region &region : op->getRegions()) {
    materializer.enter();
    for (Block &block : region)
      visitBlock(block);
    materializer.leave();
  }
}

LogicalResult disc::runShapeResolve(func::FuncOp func) {
  return func.isExternal() ? success() : Resolve(func).run();
}
