// dhlo.dot_general -> lmhlo_disc.dot_general by collapsing dimensions.
#include "passes/bufferize/Destinations.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace {

/// The dimensions of an operand as [batch..., rows..., columns...], each group
/// contiguous and in order: free and contracting ones, or the other way round.
struct OperandGroups {
  int64_t numBatch = 0;
  SmallVector<int64_t> free, contracting;
  bool contractingFirst = false;
};

} // namespace

static bool isRange(ArrayRef<int64_t> dims, int64_t begin) {
  for (auto [offset, dim] : llvm::enumerate(dims))
    if (dim != begin + static_cast<int64_t>(offset))
      return false;
  return true;
}

/// How the operand reads as a batch of matrices without moving data.
static std::optional<OperandGroups> groupDims(int64_t rank,
                                              ArrayRef<int64_t> batch,
                                              ArrayRef<int64_t> contracting) {
  OperandGroups groups;
  groups.numBatch = batch.size();
  groups.contracting.assign(contracting.begin(), contracting.end());
  if (!isRange(batch, 0))
    return std::nullopt;
  for (int64_t dim = groups.numBatch; dim < rank; ++dim)
    if (!llvm::is_contained(contracting, dim))
      groups.free.push_back(dim);
  int64_t numFree = groups.free.size(), numContracting = contracting.size();
  if (isRange(groups.free, groups.numBatch) &&
      isRange(contracting, groups.numBatch + numFree))
    return groups;
  groups.contractingFirst = true;
  if (isRange(contracting, groups.numBatch) &&
      isRange(groups.free, groups.numBatch + numContracting))
    return groups;
  return std::nullopt;
}

/// Contracting dimensions may come in any order, if the same on both sides.
static void sortPairs(SmallVector<int64_t> &lhs, SmallVector<int64_t> &rhs) {
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (auto [left, right] : llvm::zip(lhs, rhs))
    pairs.emplace_back(left, right);
  llvm::sort(pairs);
  for (auto [index, pair] : llvm::enumerate(pairs))
    std::tie(lhs[index], rhs[index]) = pair;
}

static SmallVector<OpFoldResult> pick(ArrayRef<OpFoldResult> sizes,
                                      ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return sizes[dim]; });
}

/// The operand with its groups collapsed to one dimension each.
static Value collapse(OpBuilder &builder, Location loc, Value operand,
                      ArrayRef<OpFoldResult> sizes,
                      const OperandGroups &groups) {
  OpFoldResult free = disc::multiply(builder, loc, pick(sizes, groups.free));
  OpFoldResult contracting =
      disc::multiply(builder, loc, pick(sizes, groups.contracting));
  SmallVector<OpFoldResult> collapsed;
  if (groups.numBatch)
    collapsed.push_back(
        disc::multiply(builder, loc, sizes.take_front(groups.numBatch)));
  collapsed.push_back(groups.contractingFirst ? contracting : free);
  collapsed.push_back(groups.contractingFirst ? free : contracting);
  if (sizes.size() == collapsed.size())
    return operand;
  return disc::createView(builder, loc, operand, collapsed);
}

LogicalResult disc::convertDot(RewriterBase &rewriter,
                               dhlo::DotGeneralOp op) {
  Location loc = op.getLoc();
  auto lhsType = cast<RankedTensorType>(op.getLhs().getType());
  auto rhsType = cast<RankedTensorType>(op.getRhs().getType());
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Type element = type.getElementType();
  if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element) ||
      lhsType.getElementType() != element ||
      rhsType.getElementType() != element)
    return op.emitError() << "a library product needs operands and result of "
                             "one type, f16, bf16, f32 or f64; got "
                          << lhsType << ", " << rhsType << ", " << type;
  auto numbers = op.getDotDimensionNumbers();
  auto lhsContracting = llvm::to_vector(numbers.getLhsContractingDimensions());
  auto rhsContracting = llvm::to_vector(numbers.getRhsContractingDimensions());
  sortPairs(lhsContracting, rhsContracting);
  auto lhsGroups = groupDims(lhsType.getRank(),
                             numbers.getLhsBatchingDimensions(), lhsContracting);
  auto rhsGroups = groupDims(rhsType.getRank(),
                             numbers.getRhsBatchingDimensions(), rhsContracting);
  if (!lhsGroups || !rhsGroups)
    return op.emitError("operands would have to be transposed for a library "
                        "product; expected batch dimensions first, then the "
                        "contracting and the free ones in two groups");
  FailureOr<SmallVector<OpFoldResult>> sizes =
      getResultSizes(rewriter, op->getResult(0));
  if (failed(sizes))
    return sizes;

  Value lhs = collapse(rewriter, loc, op.getLhs(),
                       tensor::getMixedSizes(rewriter, loc, op.getLhs()),
                       *lhsGroups);
  Value rhs = collapse(rewriter, loc, op.getRhs(),
                       tensor::getMixedSizes(rewriter, loc, op.getRhs()),
                       *rhsGroups);
  int64_t numBatch = lhsGroups->numBatch, numRows = lhsGroups->free.size();
  ArrayRef<OpFoldResult> all(*sizes);
  SmallVector<OpFoldResult> collapsed;
  if (numBatch)
    collapsed.push_back(multiply(rewriter, loc, all.take_front(numBatch)));
  collapsed.push_back(multiply(rewriter, loc, all.slice(numBatch, numRows)));
  collapsed.push_back(multiply(rewriter, loc, all.drop_front(numBatch + numRows)));
  Value destination = createDestination(rewriter, loc, collapsed, element);
  auto product = lmhlo_disc::DotGeneralOp::create(
      rewriter, loc, destination.getType(), lhs, rhs, destination,
      lhsGroups->contractingFirst, !rhsGroups->contractingFirst);
  Value result = product.getResult();
  if (result.getType() != type)
    result = createView(rewriter, loc, result, all, type);
  rewriter.replaceOp(op, result);
  return success();
}
