// dynamic_reshape -> reshape and the like, when the sizes are constants.
#include "passes/shape/StaticForms.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace disc;

std::optional<SmallVector<int64_t>>
disc::constantElements(Value tensor, ShapeConstraintAnalysis &analysis) {
  DenseIntElementsAttr dense;
  if (matchPattern(tensor, m_Constant(&dense))) {
    SmallVector<int64_t> result;
    for (APInt number : dense.getValues<APInt>())
      result.push_back(number.getSExtValue());
    return result;
  }
  auto from = tensor.getDefiningOp<tensor::FromElementsOp>();
  if (!from)
    return std::nullopt;
  SmallVector<int64_t> result;
  for (Value element : from.getElements()) {
    Size size = analysis.of(element);
    if (!size->isConst())
      return std::nullopt;
    result.push_back(size->value);
  }
  return result;
}

/// The expressions of the elements of a 1-D tensor of sizes; empty if unknown.
static SmallVector<Size> elementSizes(Value tensor,
                                      ShapeConstraintAnalysis &analysis) {
  SmallVector<Size> result;
  if (auto numbers = constantElements(tensor, analysis)) {
    for (int64_t number : *numbers)
      result.push_back(analysis.sizes().constant(number));
  } else if (auto from = tensor.getDefiningOp<tensor::FromElementsOp>()) {
    for (Value element : from.getElements())
      result.push_back(analysis.of(element));
  }
  return result;
}

bool disc::isWholeSlice(Operation *op, ShapeConstraintAnalysis &analysis) {
  auto slice = dyn_cast<dhlo::RealDynamicSliceOp>(op);
  if (!slice)
    return false;
  SmallVector<Size> starts = elementSizes(slice.getStartIndices(), analysis),
                    limits = elementSizes(slice.getLimitIndices(), analysis),
                    strides = elementSizes(slice.getStrides(), analysis);
  size_t rank = cast<RankedTensorType>(slice.getType()).getRank();
  if (starts.size() != rank || limits.size() != rank || strides.size() != rank)
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (!starts[i]->isConst(0) || !strides[i]->isConst(1) ||
        limits[i] != analysis.dim(slice.getOperand(), i))
      return false;
  return true;
}

static bool isStatic(Value value) {
  return cast<RankedTensorType>(value.getType()).hasStaticShape();
}

/// The static form of `op`, or null.
static Operation *staticForm(Operation *op, ShapeConstraintAnalysis &analysis,
                             OpBuilder &b) {
  Location loc = op->getLoc();
  Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
  auto array = [&](ArrayRef<int64_t> numbers) {
    return b.getDenseI64ArrayAttr(numbers);
  };
  if (auto reshape = dyn_cast<dhlo::DynamicReshapeOp>(op))
    return isStatic(reshape) && isStatic(reshape.getOperand())
               ? dhlo::ReshapeOp::create(b, loc, type, reshape.getOperand())
               : nullptr;
  if (auto broadcast = dyn_cast<dhlo::DynamicBroadcastInDimOp>(op))
    return isStatic(broadcast) && isStatic(broadcast.getOperand())
               ? dhlo::BroadcastInDimOp::create(
                     b, loc, type, broadcast.getOperand(),
                     broadcast.getBroadcastDimensionsAttr())
               : nullptr;
  if (auto iota = dyn_cast<dhlo::DynamicIotaOp>(op))
    return isStatic(iota) ? dhlo::IotaOp::create(b, loc, type,
                                                 iota.getIotaDimensionAttr())
                          : nullptr;
  if (auto slice = dyn_cast<dhlo::RealDynamicSliceOp>(op)) {
    auto starts = constantElements(slice.getStartIndices(), analysis),
         limits = constantElements(slice.getLimitIndices(), analysis),
         strides = constantElements(slice.getStrides(), analysis);
    if (!starts || !limits || !strides || !isStatic(slice))
      return nullptr;
    // A slice that does not lie inside is caught when the program runs.
    auto from = cast<RankedTensorType>(slice.getOperand().getType());
    for (int64_t i = 0; i < from.getRank(); ++i)
      if ((*starts)[i] < 0 || (*limits)[i] < (*starts)[i] ||
          (*strides)[i] < 1 ||
          (!from.isDynamicDim(i) && (*limits)[i] > from.getDimSize(i)))
        return nullptr;
    return dhlo::SliceOp::create(b, loc, type, slice.getOperand(),
                                 array(*starts), array(*limits),
                                 array(*strides));
  }
  if (auto pad = dyn_cast<dhlo::DynamicPadOp>(op)) {
    auto low = constantElements(pad.getEdgePaddingLow(), analysis),
         high = constantElements(pad.getEdgePaddingHigh(), analysis),
         interior = constantElements(pad.getInteriorPadding(), analysis);
    if (!low || !high || !interior)
      return nullptr;
    return dhlo::PadOp::create(b, loc, type, pad.getOperand(),
                               pad.getPaddingValue(), array(*low), array(*high),
                               array(*interior));
  }
  if (auto gather = dyn_cast<dhlo::DynamicGatherOp>(op)) {
    auto sizes = constantElements(gather.getSliceSizes(), analysis);
    if (!sizes)
      return nullptr;
    return dhlo::GatherOp::create(
        b, loc, type, gather.getOperand(), gather.getStartIndices(),
        gather.getDimensionNumbersAttr(), array(*sizes),
        gather.getIndicesAreSortedAttr());
  }
  if (auto conv = dyn_cast<dhlo::DynamicConvOp>(op)) {
    auto padding = constantElements(conv.getPadding(), analysis);
    if (!padding || padding->size() % 2 != 0)
      return nullptr;
    auto padType = RankedTensorType::get(
        {static_cast<int64_t>(padding->size() / 2), 2}, b.getI64Type());
    return dhlo::ConvolutionOp::create(
        b, loc, type, conv.getLhs(), conv.getRhs(),
        conv.getWindowStridesAttr(),
        DenseIntElementsAttr::get(padType, ArrayRef<int64_t>(*padding)),
        conv.getLhsDilationAttr(), conv.getRhsDilationAttr(),
        conv.getWindowReversalAttr(), conv.getDimensionNumbersAttr(),
        conv.getFeatureGroupCountAttr(), conv.getBatchGroupCountAttr(),
        conv.getPrecisionConfigAttr());
  }
  return nullptr;
}

void disc::makeStatic(Operation *op, ShapeConstraintAnalysis &analysis,
                      SizeMaterializer &materializer) {
  materializer.builder.setInsertionPoint(op);
  Operation *form = staticForm(op, analysis, materializer.builder);
  if (!form)
    return;
  SmallVector<Size> sizes = analysis.dims(op->getResult(0));
  analysis.setDims(form->getResult(0), sizes);
  op->getResult(0).replaceAllUsesWith(form->getResult(0));
}
