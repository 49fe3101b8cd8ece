// Convolutions.
#include "dialects/dhlo/Dhlo.h"
#include "dialects/dhlo/Windows.h"


using namespace mlir;
using namespace mlir::dhlo;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The window of a convolution; `padding` is none where a tensor holds it.
template <typename Adaptor>
static WindowAttributes
attributesOf(Adaptor op, std::optional<DenseIntElementsAttr> padding) {
  return {op.getWindowStrides(), padding,        op.getLhsDilation(),
          op.getRhsDilation(),   "lhs_dilation", "rhs_dilation"};
}

/// The sizes of a convolution with the paddings `low[i]` and `high[i]`.
template <typename Adaptor, typename S>
static SmallVector<typename S::Size>
convolutionSizes(Adaptor op, S &s, const WindowAttributes &attrs,
                 ArrayRef<typename S::Size> low,
                 ArrayRef<typename S::Size> high) {
  ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  ArrayRef<int64_t> spatial = numbers.getInputSpatialDimensions();
  SmallVector<typename S::Size> sizes(rankOf(op.getLhs()));
  sizes[numbers.getOutputBatchDimension()] =
      s.floorDiv(s.dim(op.getLhs(), numbers.getInputBatchDimension()),
                 s.constant(op.getBatchGroupCount()));
  sizes[numbers.getOutputFeatureDimension()] =
      s.dim(op.getRhs(), numbers.getKernelOutputFeatureDimension());
  for (auto [i, dim] : llvm::enumerate(windowOf(attrs, spatial.size())))
    sizes[numbers.getOutputSpatialDimensions()[i]] = windowPositions(
        s, s.dim(op.getLhs(), spatial[i]),
        s.dim(op.getRhs(), numbers.getKernelSpatialDimensions()[i]), low[i],
        high[i], dim);
  return sizes;
}

template <typename S>
static SmallVector<typename S::Size> sizesOf(ConvolutionOp::Adaptor op, S &s) {
  WindowAttributes attrs = attributesOf(op, op.getPadding());
  SmallVector<typename S::Size> low, high;
  int64_t rank = op.getDimensionNumbers().getInputSpatialDimensions().size();
  for (const WindowDimension &dim : windowOf(attrs, rank)) {
    low.push_back(s.constant(dim.low));
    high.push_back(s.constant(dim.high));
  }
  return convolutionSizes(op, s, attrs, low, high);
}

template <typename S>
static SmallVector<typename S::Size> sizesOf(DynamicConvOp::Adaptor op, S &s) {
  SmallVector<typename S::Size> low, high;
  int64_t rank = op.getDimensionNumbers().getInputSpatialDimensions().size();
  for (int64_t i = 0; i < rank; ++i) {
    low.push_back(s.element(op.getPadding(), {i, 0}));
    high.push_back(s.element(op.getPadding(), {i, 1}));
  }
  return convolutionSizes(op, s, attributesOf(op, std::nullopt), low, high);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks that the dimension numbers use every dimension once.
template <typename OpT>
static LogicalResult verifyNumbers(OpT op) {
  ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  int64_t rank = rankOf(op.getLhs());
  if (rankOf(op.getRhs()) != rank || rankOf(op.getResult()) != rank)
    return op.emitOpError("`lhs` of type ")
           << op.getLhs().getType() << ", `rhs` of type "
           << op.getRhs().getType() << " and the result of type "
           << op.getType() << " do not have the same rank";
  auto check = [&](StringRef name, int64_t first, int64_t second,
                   ArrayRef<int64_t> spatial) -> LogicalResult {
    SmallVector<int64_t> dims(spatial);
    dims.append({first, second});
    if (static_cast<int64_t>(dims.size()) != rank)
      return op.emitOpError("`dimension_numbers` name ")
             << dims.size() << " dimensions of the " << name
             << ", which has rank " << rank;
    return checkDims<OpT>(op.getLoc(), "dimension_numbers", dims, rank);
  };
  if (failed(check("input", numbers.getInputBatchDimension(),
                   numbers.getInputFeatureDimension(),
                   numbers.getInputSpatialDimensions())) ||
      failed(check("kernel", numbers.getKernelInputFeatureDimension(),
                   numbers.getKernelOutputFeatureDimension(),
                   numbers.getKernelSpatialDimensions())))
    return failure();
  return check("output", numbers.getOutputBatchDimension(),
               numbers.getOutputFeatureDimension(),
               numbers.getOutputSpatialDimensions());
}

/// Checks features and groups: each group of the input's features meets the
/// kernel's input features.
template <typename OpT>
static LogicalResult verifyGroups(OpT op) {
  ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  RankedTensorType lhs = tensorTypeOf(op.getLhs());
  RankedTensorType rhs = tensorTypeOf(op.getRhs());
  int64_t featureGroups = op.getFeatureGroupCount();
  int64_t batchGroups = op.getBatchGroupCount();
  if (featureGroups > 1 && batchGroups > 1)
    return op.emitOpError("`feature_group_count` is ")
           << featureGroups << " and `batch_group_count` is " << batchGroups
           << ", expected one of them to be 1";
  int64_t batch = lhs.getDimSize(numbers.getInputBatchDimension());
  int64_t features = lhs.getDimSize(numbers.getInputFeatureDimension());
  int64_t kernelIn = rhs.getDimSize(numbers.getKernelInputFeatureDimension());
  int64_t kernelOut = rhs.getDimSize(numbers.getKernelOutputFeatureDimension());
  auto known = [](int64_t size) { return !ShapedType::isDynamic(size); };
  if (known(batch) && batch % batchGroups != 0)
    return op.emitOpError("`lhs` of type ")
           << lhs << " has a batch of " << batch
           << ", which `batch_group_count` " << batchGroups
           << " does not divide";
  if (known(features) && known(kernelIn) &&
      features != kernelIn * featureGroups)
    return op.emitOpError("`lhs` of type ")
           << lhs << " has " << features << " features, but `rhs` of type "
           << rhs << " takes " << kernelIn << " in each of " << featureGroups
           << " groups";
  for (auto [name, groups] : {std::pair("feature_group_count", featureGroups),
                              std::pair("batch_group_count", batchGroups)})
    if (known(kernelOut) && kernelOut % groups != 0)
      return op.emitOpError("`rhs` of type ")
             << rhs << " gives " << kernelOut << " features, which `" << name
             << "` " << groups << " does not divide";
  return success();
}

template <typename OpT>
static LogicalResult
verifyConvolution(OpT op, std::optional<DenseIntElementsAttr> padding) {
  if (failed(verifyNumbers(op)) || failed(verifyGroups(op)))
    return failure();
  int64_t rank = op.getDimensionNumbers().getInputSpatialDimensions().size();
  typename OpT::Adaptor adaptor(op);
  if (failed(checkWindow(op.getLoc(), OpT::getOperationName(),
                         attributesOf(adaptor, padding), rank)))
    return failure();
  if (auto reversal = op.getWindowReversal();
      reversal && static_cast<int64_t>(reversal->size()) != rank)
    return op.emitOpError("`window_reversal` has ")
           << reversal->size() << " entries, expected one for each of the "
           << rank << " spatial dimensions";
  StaticSizes s;
  return verifyResultShape(op, op.getResult(), sizesOf(adaptor, s));
}

LogicalResult ConvolutionOp::verify() {
  return verifyConvolution(*this, getPadding());
}

DHLO_REIFY(ConvolutionOp)

LogicalResult DynamicConvOp::verify() {
  RankedTensorType padding = tensorTypeOf(getPadding());
  int64_t rank = getDimensionNumbers().getInputSpatialDimensions().size();
  if (failed(verifyCompatibleShape(padding.getShape(), {rank, 2})))
    return emitOpError("`padding` of type ")
           << padding << " does not have the shape " << formatList({rank, 2});
  return verifyConvolution(*this, std::nullopt);
}

DHLO_REIFY(DynamicConvOp)
