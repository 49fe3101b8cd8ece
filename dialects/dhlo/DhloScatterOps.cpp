// Scatter.
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

/// Checks the dimension numbers against the ranks of the operands.
static LogicalResult checkNumbers(std::optional<Location> loc,
                                  ScatterOp::Adaptor op) {
  ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  Value input = op.getInputs().front(), update = op.getUpdates().front();
  Value indices = op.getScatterIndices();
  int64_t rank = rankOf(input), indicesRank = rankOf(indices);
  int64_t vectorDim = numbers.getIndexVectorDim();
  if (vectorDim < 0 || vectorDim > indicesRank)
    return opError<ScatterOp>(loc, "`index_vector_dim` is ", vectorDim,
                              ", expected 0 to ", indicesRank,
                              " for `scatter_indices` of type ",
                              indices.getType());
  int64_t coordinates = vectorDim == indicesRank
                            ? 1
                            : tensorTypeOf(indices).getDimSize(vectorDim);
  int64_t mapped = numbers.getScatterDimsToOperandDims().size();
  if (!ShapedType::isDynamic(coordinates) && coordinates != mapped)
    return opError<ScatterOp>(loc, "`scatter_dims_to_operand_dims` has ",
                              mapped, " entries, but `scatter_indices` of type ",
                              indices.getType(), " holds positions of ",
                              coordinates, " coordinates");
  size_t named = numbers.getUpdateWindowDims().size() +
                 numbers.getInsertedWindowDims().size() +
                 numbers.getInputBatchingDims().size();
  if (static_cast<int64_t>(named) != rank)
    return opError<ScatterOp>(loc, "`update_window_dims`, "
                                   "`inserted_window_dims` and "
                                   "`input_batching_dims` have ",
                              named, " entries, but `inputs[0]` of type ",
                              input.getType(), " has rank ", rank);
  for (auto [i, j] : llvm::zip(numbers.getInputBatchingDims(), numbers.getScatterIndicesBatchingDims()))
    if (i >= 0 && i < rank && j >= 0 && j < indicesRank &&
        failed(verifyCompatibleShape({tensorTypeOf(input).getDimSize(i)}, {tensorTypeOf(indices).getDimSize(j)})))
      return opError<ScatterOp>(loc, "batching dimension ", i, " of `inputs[0]` of type ", input.getType(),
                                " and dimension ", j, " of `scatter_indices` of type ", indices.getType(),
                                " have different sizes");
  int64_t batchRank = indicesRank - (vectorDim < indicesRank);
  int64_t updateRank = batchRank + numbers.getUpdateWindowDims().size();
  if (rankOf(update) != updateRank)
    return opError<ScatterOp>(loc, "`updates[0]` of type ", update.getType(),
                              " does not have the rank ", updateRank,
                              " that `scatter_indices` of type ",
                              indices.getType(),
                              " and `update_window_dims` give");
  return success(
      succeeded(checkDims<ScatterOp>(loc, "update_window_dims",
                                     numbers.getUpdateWindowDims(),
                                     updateRank)) &&
      succeeded(checkDims<ScatterOp>(loc, "inserted_window_dims",
                                     numbers.getInsertedWindowDims(), rank)) &&
      succeeded(checkDims<ScatterOp>(loc, "input_batching_dims",
                                     numbers.getInputBatchingDims(), rank)) &&
      succeeded(checkDims<ScatterOp>(loc, "scatter_indices_batching_dims",
                                     numbers.getScatterIndicesBatchingDims(),
                                     indicesRank)) &&
      succeeded(checkDims<ScatterOp>(loc, "scatter_dims_to_operand_dims",
                                     numbers.getScatterDimsToOperandDims(),
                                     rank)));
}

/// Checks that the update has the sizes of `scatter_indices` outside of its
/// window, and a window that fits the input.
static LogicalResult checkUpdate(std::optional<Location> loc,
                                 ScatterOp::Adaptor op) {
  ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  Value input = op.getInputs().front(), indices = op.getScatterIndices();
  RankedTensorType update = tensorTypeOf(op.getUpdates().front());
  StaticSizes s;
  SmallVector<int64_t> batch, window;
  for (int64_t i = 0, rank = rankOf(indices); i < rank; ++i)
    if (i != numbers.getIndexVectorDim())
      batch.push_back(s.dim(indices, i));
  for (int64_t i = 0, rank = rankOf(input); i < rank; ++i)
    if (!llvm::is_contained(numbers.getInsertedWindowDims(), i) &&
        !llvm::is_contained(numbers.getInputBatchingDims(), i))
      window.push_back(s.dim(input, i));
  size_t nextBatch = 0, nextWindow = 0;
  for (auto [i, size] : llvm::enumerate(update.getShape())) {
    bool inWindow = llvm::is_contained(numbers.getUpdateWindowDims(),
                                       static_cast<int64_t>(i));
    int64_t other = inWindow ? window[nextWindow++] : batch[nextBatch++];
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(other))
      continue;
    if (inWindow && size > other)
      return opError<ScatterOp>(loc, "`updates[0]` of type ", update,
                                " has a window of ", size, " in dimension ", i,
                                ", which does not fit `inputs[0]` of type ",
                                input.getType());
    if (!inWindow && size != other)
      return opError<ScatterOp>(loc, "`updates[0]` of type ", update,
                                " has size ", size, " in dimension ", i,
                                ", but `scatter_indices` of type ",
                                indices.getType(), " has ", other);
  }
  return success();
}

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor op,
                                          SmallVectorImpl<Type> &types) {
  if (op.getInputs().empty())
    return opError<ScatterOp>(loc, "`inputs` is empty");
  auto checkSameShape = [&](StringRef name, ValueRange values) {
    for (auto [i, value] : llvm::enumerate(values))
      if (failed(verifyCompatibleShape(value.getType(),
                                       values.front().getType())))
        return opError<ScatterOp>(loc, "`", name, "[", i, "]` of type ",
                                  value.getType(),
                                  " does not have the shape of `", name,
                                  "[0]` of type ", values.front().getType());
    return success();
  };
  if (failed(checkSameShape("inputs", op.getInputs())) ||
      failed(checkSameShape("updates", op.getUpdates())) ||
      failed(checkNumbers(loc, op)) || failed(checkUpdate(loc, op)))
    return failure();
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    types.push_back(RankedTensorType::get(
        tensorTypeOf(input).getShape(),
        combinedElementType(op.getUpdateComputation(), i,
                            elementTypeOf(input))));
  return success();
}

LogicalResult ScatterOp::verify() {
  return verifyCombiner(*this, "update_computation", getUpdateComputation(),
                        getInputs().size());
}

DHLO_REIFY_LIKE_FIRST_OPERAND(ScatterOp)
