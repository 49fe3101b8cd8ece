// Concatenate, pad and slices.

#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::dhlo;

/// The type of `operand` with the sizes `sizes`; encodings are not kept.
static RankedTensorType withSizes(Value operand, ArrayRef<int64_t> sizes) {
  return RankedTensorType::get(sizes, elementTypeOf(operand));
}

//===----------------------------------------------------------------------===//
// ConcatenateOp
//===----------------------------------------------------------------------===//

template <typename S>
static SmallVector<typename S::Size> sizesOf(ConcatenateOp::Adaptor op, S &s) {
  int64_t dimension = op.getDimension();
  auto sizes = dimsOf(op.getInputs().front(), s);
  for (Value input : op.getInputs().drop_front())
    sizes[dimension] = s.add(sizes[dimension], s.dim(input, dimension));
  return sizes;
}

LogicalResult ConcatenateOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> loc,
                                              Adaptor op,
                                              SmallVectorImpl<Type> &types) {
  if (op.getInputs().empty())
    return opError<ConcatenateOp>(loc, "`inputs` is empty");
  Value first = op.getInputs().front();
  int64_t dimension = op.getDimension(), rank = rankOf(first);
  if (dimension < 0 || dimension >= rank)
    return opError<ConcatenateOp>(loc, "`dimension` is ", dimension,
                                  ", which is not a dimension of `inputs[0]` "
                                  "of type ",
                                  first.getType());
  StaticSizes s;
  SmallVector<int64_t> sizes = sizesOf(op, s);
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    auto mismatch = [&]() {
      return opError<ConcatenateOp>(
          loc, "`inputs[", i, "]` of type ", input.getType(),
          " does not fit `inputs[0]` of type ", first.getType(),
          " outside of dimension ", dimension);
    };
    if (rankOf(input) != rank ||
        !sameElementTypeUpToQuantization(elementTypeOf(input), elementTypeOf(first)))
      return mismatch();
    for (int64_t dim = 0; dim < rank; ++dim) {
      int64_t size = s.dim(input, dim);
      if (dim == dimension || ShapedType::isDynamic(size))
        continue;
      // The first static size counts for all inputs.
      if (ShapedType::isDynamic(sizes[dim]))
        sizes[dim] = size;
      else if (sizes[dim] != size)
        return mismatch();
    }
  }
  types.push_back(withSizes(first, sizes));
  return success();
}

DHLO_REIFY(ConcatenateOp)

//===----------------------------------------------------------------------===//
// PadOp, DynamicPadOp
//===----------------------------------------------------------------------===//

/// size + low + high + max(size - 1, 0) * interior
template <typename S, typename Size = typename S::Size>
static Size paddedSize(S &s, Size size, Size low, Size high, Size interior) {
  Size edges = s.add(low, high);
  if constexpr (std::is_same_v<Size, OpFoldResult>) {
    if (interior && isConstantIntValue(interior, 0))
      return s.add(size, edges);
  }
  Size gaps = s.max(s.sub(size, s.constant(1)), s.constant(0));
  return s.add(s.add(size, edges), s.mul(gaps, interior));
}

template <typename S>
static SmallVector<typename S::Size> sizesOf(PadOp::Adaptor op, S &s) {
  auto sizes = dimsOf(op.getOperand(), s);
  for (size_t i = 0; i < sizes.size(); ++i)
    sizes[i] = paddedSize(s, sizes[i], s.constant(op.getEdgePaddingLow()[i]),
                          s.constant(op.getEdgePaddingHigh()[i]),
                          s.constant(op.getInteriorPadding()[i]));
  return sizes;
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc, Adaptor op,
                                      SmallVectorImpl<Type> &types) {
  Value operand = op.getOperand();
  if (failed(checkOnePerDim<PadOp>(loc, "edge_padding_low",
                                   op.getEdgePaddingLow().size(), operand)) ||
      failed(checkOnePerDim<PadOp>(loc, "edge_padding_high",
                                   op.getEdgePaddingHigh().size(), operand)) ||
      failed(checkOnePerDim<PadOp>(loc, "interior_padding",
                                   op.getInteriorPadding().size(), operand)))
    return failure();
  if (!sameElementTypeUpToQuantization(elementTypeOf(op.getPaddingValue()),
                                 elementTypeOf(operand)))
    return opError<PadOp>(loc, "`padding_value` of type ",
                          op.getPaddingValue().getType(),
                          " does not have the element type of `operand` of "
                          "type ",
                          operand.getType());
  StaticSizes s;
  SmallVector<int64_t> sizes = sizesOf(op, s);
  for (auto [i, interior] : llvm::enumerate(op.getInteriorPadding())) {
    if (interior < 0)
      return opError<PadOp>(loc, "`interior_padding` has ", interior,
                            " in dimension ", i, ", expected 0 or more");
    if (!ShapedType::isDynamic(sizes[i]) && sizes[i] < 0)
      return opError<PadOp>(loc, "padding takes more elements than `operand` "
                                 "of type ",
                            operand.getType(), " has in dimension ", i);
  }
  types.push_back(withSizes(operand, sizes));
  return success();
}

DHLO_REIFY(PadOp)

template <typename S>
static SmallVector<typename S::Size> sizesOf(DynamicPadOp::Adaptor op, S &s) {
  auto sizes = dimsOf(op.getOperand(), s);
  for (int64_t i = 0, e = sizes.size(); i < e; ++i)
    sizes[i] = paddedSize(s, sizes[i], s.element(op.getEdgePaddingLow(), {i}),
                          s.element(op.getEdgePaddingHigh(), {i}),
                          s.element(op.getInteriorPadding(), {i}));
  return sizes;
}

/// Checks that the result has the rank and element type of the operand and the
/// tensors `lists` have one number per dimension.
template <typename OpT>
static LogicalResult
verifyDynamicLists(OpT op, ArrayRef<std::pair<StringRef, Value>> lists) {
  Value operand = op.getOperand();
  if (rankOf(op.getResult()) != rankOf(operand) ||
      !sameElementTypeUpToQuantization(elementTypeOf(op.getResult()),
                                 elementTypeOf(operand)))
    return op.emitOpError("result of type ")
           << op.getType() << " does not have the rank and element type of "
           << "`operand` of type " << operand.getType();
  for (auto [name, list] : lists) {
    int64_t count = tensorTypeOf(list).getDimSize(0);
    if (!ShapedType::isDynamic(count) &&
        failed(checkOnePerDim<OpT>(op.getLoc(), name, count, operand)))
      return failure();
  }
  return success();
}

LogicalResult DynamicPadOp::verify() {
  return verifyDynamicLists(*this,
                            {{"edge_padding_low", getEdgePaddingLow()},
                             {"edge_padding_high", getEdgePaddingHigh()},
                             {"interior_padding", getInteriorPadding()}});
}

DHLO_REIFY(DynamicPadOp)

//===----------------------------------------------------------------------===//
// SliceOp, RealDynamicSliceOp
//===----------------------------------------------------------------------===//

template <typename S>
static SmallVector<typename S::Size> sizesOf(SliceOp::Adaptor op, S &s) {
  SmallVector<typename S::Size> sizes;
  for (auto [start, limit, stride] : llvm::zip(
           op.getStartIndices(), op.getLimitIndices(), op.getStrides()))
    sizes.push_back(
        s.constant(llvm::divideCeilSigned(limit - start, stride)));
  return sizes;
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        Adaptor op,
                                        SmallVectorImpl<Type> &types) {
  Value operand = op.getOperand();
  if (failed(checkOnePerDim<SliceOp>(loc, "start_indices",
                                     op.getStartIndices().size(), operand)) ||
      failed(checkOnePerDim<SliceOp>(loc, "limit_indices",
                                     op.getLimitIndices().size(), operand)) ||
      failed(checkOnePerDim<SliceOp>(loc, "strides", op.getStrides().size(),
                                     operand)))
    return failure();
  StaticSizes s;
  for (int64_t i = 0, rank = rankOf(operand); i < rank; ++i) {
    int64_t start = op.getStartIndices()[i], limit = op.getLimitIndices()[i];
    int64_t stride = op.getStrides()[i], size = s.dim(operand, i);
    if (stride <= 0)
      return opError<SliceOp>(loc, "`strides` has ", stride, " in dimension ",
                              i, ", expected 1 or more");
    if (start < 0 || start > limit ||
        (!ShapedType::isDynamic(size) && limit > size))
      return opError<SliceOp>(loc, "[", start, ", ", limit,
                              ") is not a range in dimension ", i,
                              " of `operand` of type ", operand.getType());
  }
  types.push_back(withSizes(operand, sizesOf(op, s)));
  return success();
}

DHLO_REIFY(SliceOp)

template <typename S>
static SmallVector<typename S::Size> sizesOf(RealDynamicSliceOp::Adaptor op,
                                             S &s) {
  SmallVector<typename S::Size> sizes;
  for (int64_t i = 0, rank = rankOf(op.getOperand()); i < rank; ++i)
    sizes.push_back(s.ceilDiv(s.sub(s.element(op.getLimitIndices(), {i}),
                                    s.element(op.getStartIndices(), {i})),
                              s.element(op.getStrides(), {i})));
  return sizes;
}

LogicalResult RealDynamicSliceOp::verify() {
  return verifyDynamicLists(*this, {{"start_indices", getStartIndices()},
                                    {"limit_indices", getLimitIndices()},
                                    {"strides", getStrides()}});
}

DHLO_REIFY(RealDynamicSliceOp)

//===----------------------------------------------------------------------===//
// DynamicSliceOp, DynamicUpdateSliceOp
//===----------------------------------------------------------------------===//

template <typename S>
static SmallVector<typename S::Size> sizesOf(DynamicSliceOp::Adaptor op, S &s) {
  return llvm::map_to_vector(op.getSliceSizes(),
                             [&](int64_t size) { return s.constant(size); });
}

LogicalResult DynamicSliceOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor op,
                                               SmallVectorImpl<Type> &types) {
  Value operand = op.getOperand();
  if (failed(checkOnePerDim<DynamicSliceOp>(
          loc, "start_indices", op.getStartIndices().size(), operand)) ||
      failed(checkOnePerDim<DynamicSliceOp>(
          loc, "slice_sizes", op.getSliceSizes().size(), operand)))
    return failure();
  StaticSizes s;
  for (auto [i, wanted] : llvm::enumerate(op.getSliceSizes())) {
    int64_t size = s.dim(operand, i);
    if (wanted < 0 || (!ShapedType::isDynamic(size) && wanted > size))
      return opError<DynamicSliceOp>(loc, "`slice_sizes` has ", wanted,
                                     " in dimension ", i,
                                     ", which does not fit `operand` of type ",
                                     operand.getType());
  }
  types.push_back(withSizes(operand, sizesOf(op, s)));
  return success();
}

DHLO_REIFY(DynamicSliceOp)

LogicalResult
DynamicUpdateSliceOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc, Adaptor op,
                                       SmallVectorImpl<Type> &types) {
  Value operand = op.getOperand(), update = op.getUpdate();
  if (failed(checkOnePerDim<DynamicUpdateSliceOp>(
          loc, "start_indices", op.getStartIndices().size(), operand)))
    return failure();
  StaticSizes s;
  bool fits = rankOf(update) == rankOf(operand) &&
              sameElementTypeUpToQuantization(elementTypeOf(update),
                                        elementTypeOf(operand));
  for (int64_t i = 0, rank = rankOf(operand); fits && i < rank; ++i) {
    int64_t size = s.dim(operand, i), part = s.dim(update, i);
    fits = ShapedType::isDynamic(size) || ShapedType::isDynamic(part) ||
           part <= size;
  }
  if (!fits)
    return opError<DynamicUpdateSliceOp>(loc, "`update` of type ",
                                         update.getType(),
                                         " does not fit `operand` of type ",
                                         operand.getType());
  types.push_back(operand.getType());
  return success();
}

DHLO_REIFY_LIKE_FIRST_OPERAND(DynamicUpdateSliceOp)
