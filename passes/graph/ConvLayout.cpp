// Pass graph-conv-layout: convolutions read and write [batch, spatial..., features].
//
// A convolution in another order gets transposes before and after it. Those
// after it are moved behind the ops that read them, in the order of the
// program, until they meet the transpose before the next convolution and both
// go. What is no longer needed is left to canonicalization.
#include "Passes.h.inc"
#include "passes/graph/ConvForm.h"
#include "passes/graph/LayoutMoves.h"

using namespace mlir;
using namespace disc;

/// [batch, spatial..., feature] as a permutation of the given dimensions.
static SmallVector<int64_t> channelsLast(int64_t batch,
                                         ArrayRef<int64_t> spatial,
                                         int64_t feature) {
  SmallVector<int64_t> order = {batch};
  llvm::append_range(order, spatial);
  order.push_back(feature);
  return order;
}

template <typename Op> static Value convert(LayoutMoves &moves, Op op) {
  dhlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  SmallVector<int64_t> in = channelsLast(numbers.getInputBatchDimension(),
                                         numbers.getInputSpatialDimensions(),
                                         numbers.getInputFeatureDimension());
  SmallVector<int64_t> out = channelsLast(numbers.getOutputBatchDimension(),
                                          numbers.getOutputSpatialDimensions(),
                                          numbers.getOutputFeatureDimension());
  OpBuilder builder(op);
  int64_t rank = in.size();
  auto spatial = llvm::to_vector(llvm::seq<int64_t>(1, rank - 1));
  Value input = moves.transpose(builder, op.getLoc(), op.getLhs(), in);
  auto moved = cast<Op>(builder.clone(*op));
  moved.getLhsMutable().assign(input);
  moved.setDimensionNumbersAttr(dhlo::ConvDimensionNumbersAttr::get(
      op.getContext(), 0, rank - 1, spatial,
      numbers.getKernelInputFeatureDimension(),
      numbers.getKernelOutputFeatureDimension(),
      numbers.getKernelSpatialDimensions(), 0, rank - 1, spatial));
  auto type = cast<RankedTensorType>(op.getType());
  moved.getResult().setType(permuted(type, out));
  return moves.transposeBack(builder, moved.getResult(), type,
                             invertPermutationVector(out));
}

LogicalResult disc::runGraphConvLayout(func::FuncOp func) {
  SmallVector<Operation *> ops;
  bool any = false;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    any |= static_cast<bool>(asLibraryConvolution(op));
    return isa_and_nonnull<dhlo::DhloDialect>(op->getDialect())
               ? WalkResult::skip()
               : WalkResult::advance();
  });
  if (!any)
    return success();
  LayoutMoves moves;
  for (Operation *op : ops) {
    if (Convolution convolution = asLibraryConvolution(op)) {
      if (convolution.isChannelsLast())
        continue;
      Value result = isa<dhlo::ConvolutionOp>(op)
                         ? convert(moves, cast<dhlo::ConvolutionOp>(op))
                         : convert(moves, cast<dhlo::DynamicConvOp>(op));
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
      continue;
    }
    moves.moveBehind(op);
  }
  return success();
}
