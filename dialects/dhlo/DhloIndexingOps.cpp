// Gathers.
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

//===----------------------------------------------------------------------===//
// Sizes of gathers
//===----------------------------------------------------------------------===//

/// The sizes of a gather whose slices have the sizes `slices`: `offset_dims`
/// of the result walk a slice, the others the positions in `startIndices`.
template <typename S>
static SmallVector<typename S::Size>
gatherSizes(GatherDimensionNumbersAttr numbers, Value startIndices, S &s,
            ArrayRef<typename S::Size> slices) {
  SmallVector<typename S::Size> batch, offset;
  for (int64_t i = 0, rank = rankOf(startIndices); i < rank; ++i)
    if (i != numbers.getIndexVectorDim())
      batch.push_back(s.dim(startIndices, i));
  for (auto [i, size] : llvm::enumerate(slices)) {
    int64_t dim = i;
    if (!llvm::is_contained(numbers.getCollapsedSliceDims(), dim) &&
        !llvm::is_contained(numbers.getOperandBatchingDims(), dim))
      offset.push_back(size);
  }
  SmallVector<typename S::Size> sizes;
  size_t nextBatch = 0, nextOffset = 0;
  for (int64_t i = 0, rank = batch.size() + offset.size(); i < rank; ++i)
    sizes.push_back(llvm::is_contained(numbers.getOffsetDims(), i)
                        ? offset[nextOffset++]
                        : batch[nextBatch++]);
  return sizes;
}

template <typename S>
static SmallVector<typename S::Size> sizesOf(GatherOp::Adaptor op, S &s) {
  SmallVector<typename S::Size> slices;
  for (int64_t size : op.getSliceSizes())
    slices.push_back(s.constant(size));
  return gatherSizes(op.getDimensionNumbers(), op.getStartIndices(), s, slices);
}

template <typename S>
static SmallVector<typename S::Size> sizesOf(DynamicGatherOp::Adaptor op,
                                             S &s) {
  GatherDimensionNumbersAttr numbers = op.getDimensionNumbers();
  SmallVector<typename S::Size> slices;
  for (int64_t i = 0, rank = rankOf(op.getOperand()); i < rank; ++i) {
    bool dropped = llvm::is_contained(numbers.getCollapsedSliceDims(), i) ||
                   llvm::is_contained(numbers.getOperandBatchingDims(), i);
    slices.push_back(dropped ? s.constant(1)
                             : s.element(op.getSliceSizes(), {i}));
  }
  return gatherSizes(numbers, op.getStartIndices(), s, slices);
}

//===----------------------------------------------------------------------===//
// Checks of gathers
//===----------------------------------------------------------------------===//

/// Checks that `dims` are sorted, besides what `checkDims` checks.
template <typename OpT>
static LogicalResult checkSortedDims(std::optional<Location> loc,
                                     StringRef attr, ArrayRef<int64_t> dims,
                                     int64_t rank) {
  if (failed(checkDims<OpT>(loc, attr, dims, rank)))
    return failure();
  if (llvm::is_sorted(dims))
    return success();
  return opError<OpT>(loc, "`", attr, "` ", formatList(dims),
                      " is not sorted");
}

template <typename OpT>
static LogicalResult checkGather(std::optional<Location> loc,
                                 typename OpT::Adaptor op) {
  GatherDimensionNumbersAttr numbers = op.getDimensionNumbers();
  Value operand = op.getOperand(), indices = op.getStartIndices();
  int64_t rank = rankOf(operand), indicesRank = rankOf(indices);
  int64_t vectorDim = numbers.getIndexVectorDim();
  if (vectorDim < 0 || vectorDim > indicesRank)
    return opError<OpT>(loc, "`index_vector_dim` is ", vectorDim,
                        ", expected 0 to ", indicesRank,
                        " for `start_indices` of type ", indices.getType());
  int64_t coordinates = vectorDim == indicesRank
                            ? 1
                            : tensorTypeOf(indices).getDimSize(vectorDim);
  int64_t mapped = numbers.getStartIndexMap().size();
  if (!ShapedType::isDynamic(coordinates) && coordinates != mapped)
    return opError<OpT>(loc, "`start_index_map` has ", mapped,
                        " entries, but `start_indices` of type ",
                        indices.getType(), " holds positions of ", coordinates,
                        " coordinates");
  size_t named = numbers.getOffsetDims().size() +
                 numbers.getCollapsedSliceDims().size() +
                 numbers.getOperandBatchingDims().size();
  if (static_cast<int64_t>(named) != rank)
    return opError<OpT>(loc, "`offset_dims`, `collapsed_slice_dims` and "
                             "`operand_batching_dims` have ",
                        named, " entries, but `operand` of type ",
                        operand.getType(), " has rank ", rank);
  for (auto [i, j] : llvm::zip(numbers.getOperandBatchingDims(), numbers.getStartIndicesBatchingDims()))
    if (i >= 0 && i < rank && j >= 0 && j < indicesRank &&
        failed(verifyCompatibleShape({tensorTypeOf(operand).getDimSize(i)}, {tensorTypeOf(indices).getDimSize(j)})))
      return opError<OpT>(loc, "batching dimension ", i, " of `operand` of type ", operand.getType(),
                          " and dimension ", j, " of `start_indices` of type ", indices.getType(),
                          " have different sizes");
  int64_t batchRank = indicesRank - (vectorDim < indicesRank);
  int64_t resultRank = batchRank + numbers.getOffsetDims().size();
  return success(
      succeeded(checkSortedDims<OpT>(loc, "offset_dims",
                                     numbers.getOffsetDims(), resultRank)) &&
      succeeded(checkSortedDims<OpT>(loc, "collapsed_slice_dims",
                                     numbers.getCollapsedSliceDims(), rank)) &&
      succeeded(checkSortedDims<OpT>(loc, "operand_batching_dims",
                                     numbers.getOperandBatchingDims(), rank)) &&
      succeeded(checkDims<OpT>(loc, "start_indices_batching_dims",
                               numbers.getStartIndicesBatchingDims(),
                               indicesRank)) &&
      succeeded(checkDims<OpT>(loc, "start_index_map",
                               numbers.getStartIndexMap(), rank)));
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor op,
                                         SmallVectorImpl<Type> &types) {
  Value operand = op.getOperand();
  if (failed(checkOnePerDim<GatherOp>(loc, "slice_sizes",
                                      op.getSliceSizes().size(), operand)) ||
      failed(checkGather<GatherOp>(loc, op)))
    return failure();
  GatherDimensionNumbersAttr numbers = op.getDimensionNumbers();
  for (auto [i, slice] : llvm::enumerate(op.getSliceSizes())) {
    int64_t size = tensorTypeOf(operand).getDimSize(i), dim = i;
    if (slice < 0 || (!ShapedType::isDynamic(size) && slice > size))
      return opError<GatherOp>(loc, "`slice_sizes` has ", slice,
                               " in dimension ", i,
                               ", which does not fit `operand` of type ",
                               operand.getType());
    bool dropped =
        llvm::is_contained(numbers.getCollapsedSliceDims(), dim) ||
        llvm::is_contained(numbers.getOperandBatchingDims(), dim);
    if (dropped && slice > 1)
      return opError<GatherOp>(loc, "`slice_sizes` has ", slice,
                               " in dimension ", i,
                               ", expected 1 for a dimension that is dropped");
  }
  StaticSizes s;
  types.push_back(RankedTensorType::get(sizesOf(op, s), elementTypeOf(operand)));
  return success();
}

DHLO_REIFY(GatherOp)

LogicalResult DynamicGatherOp::inferReturnTypes(MLIRContext *,
                                                std::optional<Location> loc,
                                                Adaptor op,
                                                SmallVectorImpl<Type> &types) {
  Value operand = op.getOperand();
  int64_t slices = tensorTypeOf(op.getSliceSizes()).getDimSize(0);
  if (!ShapedType::isDynamic(slices) &&
      failed(checkOnePerDim<DynamicGatherOp>(loc, "slice_sizes", slices,
                                             operand)))
    return failure();
  if (failed(checkGather<DynamicGatherOp>(loc, op)))
    return failure();
  StaticSizes s;
  types.push_back(RankedTensorType::get(sizesOf(op, s), elementTypeOf(operand)));
  return success();
}

DHLO_REIFY(DynamicGatherOp)

//===----------------------------------------------------------------------===//
// TorchIndexSelectOp
//===----------------------------------------------------------------------===//

template <typename S>
static SmallVector<typename S::Size> sizesOf(TorchIndexSelectOp::Adaptor op,
                                             S &s) {
  int64_t dim = op.getDim(), rank = rankOf(op.getOperand());
  SmallVector<typename S::Size> sizes;
  for (int64_t i = 0; i < dim; ++i)
    sizes.push_back(s.dim(op.getOperand(), i));
  for (int64_t i = op.getBatchDims(); i < rankOf(op.getIndex()); ++i)
    sizes.push_back(s.dim(op.getIndex(), i));
  for (int64_t i = dim + 1; i < rank; ++i)
    sizes.push_back(s.dim(op.getOperand(), i));
  return sizes;
}

LogicalResult
TorchIndexSelectOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                     Adaptor op,
                                     SmallVectorImpl<Type> &types) {
  Value operand = op.getOperand(), index = op.getIndex();
  int64_t dim = op.getDim(), batchDims = op.getBatchDims();
  if (dim < 0 || dim >= rankOf(operand))
    return opError<TorchIndexSelectOp>(
        loc, "`dim` is ", dim,
        ", which is not a dimension of `operand` of type ", operand.getType());
  if (batchDims < 0 || batchDims > rankOf(index) || batchDims > dim)
    return opError<TorchIndexSelectOp>(
        loc, "`batch_dims` is ", batchDims, ", expected 0 to `dim` (", dim,
        ") and not more than the rank of `index` of type ", index.getType());
  StaticSizes s;
  types.push_back(RankedTensorType::get(sizesOf(op, s), elementTypeOf(operand)));
  return success();
}

DHLO_REIFY(TorchIndexSelectOp)

#define GET_OP_CLASSES
#include "dialects/dhlo/DhloIndexingOps.cpp.inc"
