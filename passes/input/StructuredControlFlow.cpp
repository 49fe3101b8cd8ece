// Pass input-structured-control-flow: cf.cond_br and the like -> scf.if, scf.while.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/input/TensorBuilders.h"

using namespace mlir;

namespace {
/// Upstream's rewrite, in which a tensor that nobody reads is one without elements.
class Structure : public ControlFlowToSCFTransformation {
  Value getUndefValue(Location loc, OpBuilder &builder, Type type) override {
    auto tensorType = dyn_cast<RankedTensorType>(type);
    Attribute zero = tensorType
                         ? disc::zeroOf(builder, tensorType.getElementType())
                         : Attribute();
    if (!zero)
      return ControlFlowToSCFTransformation::getUndefValue(loc, builder, type);
    SmallVector<int64_t> shape(tensorType.getShape());
    for (int64_t &size : shape)
      size = ShapedType::isDynamic(size) ? 0 : size;
    auto known = RankedTensorType::get(shape, tensorType.getElementType());
    Value none = dhlo::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(known, zero));
    return known == type
               ? none
               : tensor::CastOp::create(builder, loc, type, none).getResult();
  }
};
} // namespace

LogicalResult disc::runInputStructuredControlFlow(func::FuncOp func) {
  if (func.isExternal() || func.getBody().hasOneBlock())
    return success();
  IRRewriter rewriter(func.getContext());
  (void)eraseUnreachableBlocks(rewriter, func->getRegions()); // success: it found some
  if (func.getBody().hasOneBlock())
    return success();
  Structure structure;
  DominanceInfo dominance(func);
  if (failed(transformCFGToSCF(func.getBody(), structure, dominance)) ||
      !func.getBody().hasOneBlock())
    return func.emitError()
           << "`" << func.getName()
           << "`: its branches between blocks are no loops and alternatives with one "
              "end; write them with stablehlo.if, stablehlo.case and stablehlo.while";
  return success();
}
