// Recognises convolutions that a library call computes.
#include "passes/graph/ConvForm.h"

using namespace mlir;
using namespace disc;

static constexpr int64_t kMaxSpatialRank = 3; // of ral.conv

template <typename Op> static bool isSupported(Op op) {
  auto elementOf = [](Value value) { return getElementTypeOrSelf(value.getType()); };
  Type element = elementOf(op.getResult());
  int64_t rank = op.getDimensionNumbers().getInputSpatialDimensions().size();
  return (element.isF32() || element.isF16() || element.isBF16()) &&
         elementOf(op.getLhs()) == element && elementOf(op.getRhs()) == element &&
         op.getBatchGroupCount() == 1 && rank >= 1 && rank <= kMaxSpatialRank;
}

Convolution disc::asLibraryConvolution(Operation *op) {
  if (auto conv = dyn_cast<dhlo::ConvolutionOp>(op))
    if (isSupported(conv))
      return {op, conv.getDimensionNumbers()};
  if (auto conv = dyn_cast<dhlo::DynamicConvOp>(op)) {
    Type padding = getElementTypeOrSelf(conv.getPadding().getType());
    if (isSupported(conv) &&
        (padding.isIndex() || padding.isInteger(32) || padding.isInteger(64)))
      return {op, conv.getDimensionNumbers()};
  }
  return {};
}

static bool isLast(int64_t batch, int64_t feature, ArrayRef<int64_t> spatial) {
  for (auto [i, dim] : llvm::enumerate(spatial))
    if (dim != static_cast<int64_t>(i) + 1)
      return false;
  return batch == 0 && feature == static_cast<int64_t>(spatial.size()) + 1;
}

bool Convolution::isChannelsLast() const {
  return isLast(numbers.getInputBatchDimension(),
                numbers.getInputFeatureDimension(),
                numbers.getInputSpatialDimensions()) &&
         isLast(numbers.getOutputBatchDimension(),
                numbers.getOutputFeatureDimension(),
                numbers.getOutputSpatialDimensions());
}

bool disc::isLibraryConvolution(Operation *op) {
  Convolution convolution = asLibraryConvolution(op);
  return convolution && convolution.isChannelsLast();
}

/// The window of either op; `low` is 0 where a tensor holds the padding.
template <typename Op>
static void appendWindows(Op op, ArrayRef<int64_t> low,
                          SmallVectorImpl<int64_t> &ints) {
  auto at = [](std::optional<ArrayRef<int64_t>> values, size_t d) {
    return values ? (*values)[d] : 1;
  };
  for (size_t d = 0; d < low.size(); ++d) {
    auto reversal = op.getWindowReversal();
    ints.append({at(op.getWindowStrides(), d), at(op.getLhsDilation(), d),
                 at(op.getRhsDilation(), d), reversal && (*reversal)[d], low[d]});
  }
}

SmallVector<int64_t> disc::convolutionInts(const Convolution &convolution) {
  dhlo::ConvDimensionNumbersAttr numbers = convolution.numbers;
  SmallVector<int64_t> low(convolution.spatialRank(), 0);
  SmallVector<int64_t> ints = {
      convolution.spatialRank(), 0,
      numbers.getKernelInputFeatureDimension(),
      numbers.getKernelOutputFeatureDimension()};
  llvm::append_range(ints, numbers.getKernelSpatialDimensions());
  if (auto op = dyn_cast<dhlo::ConvolutionOp>(convolution.op)) {
    ints[1] = op.getFeatureGroupCount();
    if (DenseIntElementsAttr padding = op.getPaddingAttr())
      for (auto [d, amount] : llvm::enumerate(low))
        amount = padding.getValues<int64_t>()[{static_cast<uint64_t>(d), 0}];
    appendWindows(op, low, ints);
    return ints;
  }
  auto op = cast<dhlo::DynamicConvOp>(convolution.op);
  ints[1] = op.getFeatureGroupCount();
  appendWindows(op, low, ints);
  return ints;
}
