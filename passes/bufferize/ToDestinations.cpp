// Gives every op that computes a tensor a destination.
#include "passes/bufferize/Destinations.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace disc;

namespace {

class ToDestinations {
public:
  explicit ToDestinations(func::FuncOp function)
      : function(function), rewriter(function.getContext()) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      ops.push_back(op);
      bool hasBody = isa<lmhlo_disc::FusionOp>(op) ||
                     isa_and_nonnull<dhlo::DhloDialect>(op->getDialect());
      return hasBody ? WalkResult::skip() : WalkResult::advance();
    });
    bool ok = true;
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      ok &= succeeded(convert(op));
    }
    dropTies();
    return success(ok);
  }

private:
  LogicalResult convert(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](dhlo::FusionOp fusion) { return convertFusion(fusion); })
        .Case([&](dhlo::DotGeneralOp dot) { return convertDot(rewriter, dot); })
        .Case<dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(
            [&](auto) { return convertReshape(op); })
        .Case([&](dhlo::ConstantOp constant) {
          rewriter.replaceOpWithNewOp<arith::ConstantOp>(
              constant, cast<TypedAttr>(constant.getValue()));
          return success();
        })
        .Case([&](dhlo::CustomCallOp call) { return convertCall(call); })
        .Case([](dhlo::TieShapeOp) { return success(); })
        .Default([](Operation *other) -> LogicalResult {
          if (!isa_and_nonnull<dhlo::DhloDialect>(other->getDialect()))
            return success();
          return other->emitError()
                 << "`" << other->getName()
                 << "` is in no fusion and has no form with a destination";
        });
  }

  /// The body moves as it is; its results become destinations.
  LogicalResult convertFusion(dhlo::FusionOp op) {
    SmallVector<Value> destinations;
    ReifiedRankedShapedTypeDims shapes;
    if (failed(op.reifyResultShapes(rewriter, shapes)))
      return op.emitError("the sizes of its results are not known; run "
                          "`fusion-tie-shapes` before");
    for (auto [result, sizes] : llvm::zip(op.getResults(), shapes)) {
      auto type = cast<RankedTensorType>(result.getType());
      Value destination =
          createDestination(rewriter, op.getLoc(), sizes, type.getElementType());
      if (destination.getType() != type)
        destination = tensor::CastOp::create(rewriter, op.getLoc(), type,
                                             destination);
      destinations.push_back(destination);
    }
    auto fusion = lmhlo_disc::FusionOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), op.getInputs(),
        destinations, op.getKind(), op->getAttrOfType<IntegerAttr>("row_dims"));
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (attribute.getName() != fusion.getRowDimsAttrName())
        fusion->setAttr(attribute.getName(), attribute.getValue());
    fusion.getBody().takeBody(op.getBody());
    Operation *terminator = fusion.getBody().front().getTerminator();
    rewriter.setInsertionPoint(terminator);
    rewriter.replaceOpWithNewOp<lmhlo_disc::YieldOp>(terminator,
                                                     terminator->getOperands());
    rewriter.replaceOp(op, fusion.getResults());
    return success();
  }

  /// A custom call that says `disc.library` is a call of a function registered
  /// with RAL under the target's name; others are unknown.
  LogicalResult convertCall(dhlo::CustomCallOp op) {
    if (!op->hasAttr("disc.library"))
      return op.emitError()
             << "custom call `" << op.getCallTargetName()
             << "` is unknown; replace it by ops, or set the attribute "
                "`disc.library` where RAL has a function of this name";
    if (!llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
        !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
      return op.emitError("a library call takes and returns tensors only");
    SmallVector<Value> destinations;
    for (OpResult result : op->getResults()) {
      auto sizes = getResultSizes(rewriter, result);
      if (failed(sizes))
        return sizes;
      destinations.push_back(
          createDestination(rewriter, op.getLoc(), *sizes,
                            getElementTypeOrSelf(result.getType())));
    }
    auto ints = op->getAttrOfType<DenseI64ArrayAttr>("disc.ints");
    rewriter.replaceOpWithNewOp<lmhlo_disc::LibraryCallOp>(
        op, op.getResultTypes(), op.getInputs(), destinations,
        op.getCallTargetNameAttr(),
        ints ? ints : rewriter.getDenseI64ArrayAttr({}));
    return success();
  }

  LogicalResult convertReshape(Operation *op) {
    Location loc = op->getLoc();
    Value source = op->getOperand(0);
    auto sizes = getResultSizes(rewriter, op->getResult(0));
    if (failed(sizes))
      return sizes;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    rewriter.replaceOp(op, createView(rewriter, loc, source, *sizes, type));
    return success();
  }

  /// Sizes that tensor.dim asks a tie_shape for become the values it ties.
  void dropTies() {
    SmallVector<dhlo::TieShapeOp> ties;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<lmhlo_disc::FusionOp>(op))
        return WalkResult::skip();
      if (auto tie = dyn_cast<dhlo::TieShapeOp>(op))
        ties.push_back(tie);
      return WalkResult::advance();
    });
    for (dhlo::TieShapeOp tie : ties) {
      for (Operation *user : llvm::make_early_inc_range(tie->getUsers())) {
        auto dim = dyn_cast<tensor::DimOp>(user);
        auto index = dim ? dim.getConstantIndex() : std::nullopt;
        if (!index)
          continue;
        rewriter.setInsertionPoint(dim);
        rewriter.replaceOp(dim, getValueOrCreateConstantIndexOp(
                                    rewriter, dim.getLoc(),
                                    tie.getMixedSize(*index)));
      }
      rewriter.replaceOp(tie, tie.getValue());
    }
  }

  func::FuncOp function;
  IRRewriter rewriter;
};

} // namespace

namespace disc {

LogicalResult runBufferizeToDestinations(func::FuncOp function) {
  if (function.isExternal())
    return success();
  return ToDestinations(function).run();
}

} // namespace disc
