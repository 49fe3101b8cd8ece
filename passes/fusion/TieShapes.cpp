// Pass fusion-tie-shapes: a dhlo.tie_shape behind every value of dynamic shape.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/shape/ShapeResolver.h"

using namespace mlir;
using namespace disc;

namespace {
class TieShapes {
public:
  explicit TieShapes(func::FuncOp func)
      : func(func), resolver(func, ShapeResolver::Source::Checks) {}

  void run() {
    resolver.analyze();
    Block &entry = func.getBody().front();
    SmallVector<Operation *> ops;
    for (Operation &op : entry)
      ops.push_back(&op);
    for (BlockArgument arg : entry.getArguments()) {
      resolver.materializer.setInsertionPointToPrologue();
      tie(arg);
    }
    for (Operation *op : ops)
      visit(op);
    eraseDeadOps(func);
  }

private:
  void visit(Operation *op) {
    SizeMaterializer &materializer = resolver.materializer;
    // Bodies of reductions and the like compute on scalars.
    if (!isa<dhlo::FusionOp>(op))
      for (Region &region : op->getRegions())
        for (Block &block : region) {
          materializer.enter();
          SmallVector<Operation *> ops;
          for (Operation &inner : block)
            ops.push_back(&inner);
          for (BlockArgument arg : block.getArguments()) {
            materializer.builder.setInsertionPointToStart(&block);
            tie(arg);
          }
          for (Operation *inner : ops)
            visit(inner);
          materializer.leave();
        }
    if (!isa<dhlo::TieShapeOp>(op))
      for (OpResult result : op->getResults()) {
        materializer.builder.setInsertionPointAfter(op);
        tie(result);
      }
  }

  void tie(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.hasStaticShape() || isTied(value))
      return;
    OpBuilder &builder = resolver.materializer.builder;
    Location loc = value.getLoc();
    SmallVector<Value> sizes;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (!type.isDynamicDim(i))
        continue;
      Size size = resolver.analysis.dim(value, i);
      sizes.push_back(resolver.materializer.index(size, loc));
      // Stay behind a size that is read from the value itself.
      Operation *def = sizes.back().getDefiningOp();
      if (def && def->getBlock() == builder.getInsertionBlock() &&
          builder.getInsertionPoint() != def->getBlock()->end() &&
          !def->isBeforeInBlock(&*builder.getInsertionPoint()))
        builder.setInsertionPointAfter(def);
    }
    auto tied = dhlo::TieShapeOp::create(builder, loc, value, sizes);
    resolver.analysis.setDims(tied, resolver.analysis.dims(value));
    value.replaceUsesWithIf(tied, [&](OpOperand &use) {
      return use.getOwner() != tied && !isa<tensor::DimOp>(use.getOwner());
    });
  }

  static bool isTied(Value value) {
    return value.hasOneUse() && isa<dhlo::TieShapeOp>(*value.user_begin());
  }

  func::FuncOp func;
  ShapeResolver resolver;
};
} // namespace

LogicalResult disc::runFusionTieShapes(func::FuncOp func) {
  if (!func.isExternal())
    TieShapes(func).run();
  return success();
}
