// Pass graph-canonical-dot: matrix products in library form.
//
// Broadcasts of a matrix over the batch and transposes are taken into the
// product's dimension numbers; what a library still cannot take is transposed,
// and the dimensions of each role are merged by reshapes, which cost nothing.
#include "Passes.h.inc"
#include "dialects/dhlo/Broadcasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/graph/ConvForm.h"
#include "passes/graph/DotForm.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace disc;

namespace {
/// One operand with the roles of its dimensions.
struct Operand {
  Value value;
  SmallVector<int64_t> batch, contract, free;

  SmallVector<int64_t> order(bool contractLast) const {
    SmallVector<int64_t> result(batch);
    result.append(contractLast ? free : contract);
    result.append(contractLast ? contract : free);
    return result;
  }
  /// Whether roles lie in memory as [batch, free, contract], or with the last
  /// two the other way round.
  bool isOrdered(bool contractLast) const {
    for (auto [i, d] : llvm::enumerate(order(contractLast)))
      if (d != static_cast<int64_t>(i))
        return false;
    return true;
  }
  bool fits() const { return isOrdered(true) || isOrdered(false); }
};

class CanonicalDot {
public:
  explicit CanonicalDot(dhlo::DotGeneralOp dot)
      : dot(dot), builder(dot), loc(dot.getLoc()) {}

  void run();

private:
  Operand roles(Value value, ArrayRef<int64_t> batch,
                ArrayRef<int64_t> contract);
  void dropBatchBroadcast(Operand &lhs, Operand &rhs);
  void throughTransposes(Operand &operand);
  void transposeIfNeeded(Operand &operand);
  void keepInnermost(Operand &operand);
  /// The operand as [B?, X, Y]; tells whether the contraction is last.
  Value flatten(const Operand &operand, bool &contractLast);
  Value reshape(Value value, ArrayRef<OpFoldResult> sizes);
  OpFoldResult size(Value value, int64_t dim);
  OpFoldResult product(Value value, ArrayRef<int64_t> dims);

  dhlo::DotGeneralOp dot;
  OpBuilder builder;
  Location loc;
};
} // namespace

Operand CanonicalDot::roles(Value value, ArrayRef<int64_t> batch,
                            ArrayRef<int64_t> contract) {
  Operand operand{value, SmallVector<int64_t>(batch),
                  SmallVector<int64_t>(contract), {}};
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(batch, d) && !llvm::is_contained(contract, d))
      operand.free.push_back(d);
  return operand;
}

/// lhs [B, M, K] x broadcast(w [K, N]) -> [B, M] of lhs are free, rhs is w.
void CanonicalDot::dropBatchBroadcast(Operand &lhs, Operand &rhs) {
  Operation *op = rhs.value.getDefiningOp();
  if (!op || rhs.batch.empty())
    return;
  std::optional<ArrayRef<int64_t>> map = broadcastDimensionsOf(op);
  if (!map)
    return;
  Value matrix = op->getOperand(0);
  auto from = cast<RankedTensorType>(matrix.getType());
  auto to = cast<RankedTensorType>(rhs.value.getType());
  // No dimension of the matrix may be a batch dimension, nor be repeated.
  SmallVector<int64_t> back(to.getRank(), -1);
  for (auto [i, d] : llvm::enumerate(*map)) {
    if (llvm::is_contained(rhs.batch, d) || from.isDynamicDim(i) ||
        from.getDimSize(i) != to.getDimSize(d))
      return;
    back[d] = i;
  }
  for (ArrayRef<int64_t> dims : {ArrayRef(rhs.contract), ArrayRef(rhs.free)})
    for (int64_t d : dims)
      if (back[d] < 0)
        return;
  // The result's order is batch, lhs free: the same when the batch dimensions
  // come first in lhs.
  for (auto [i, d] : llvm::enumerate(lhs.batch))
    if (d != static_cast<int64_t>(i))
      return;
  auto move = [&](SmallVector<int64_t> &dims) {
    for (int64_t &d : dims)
      d = back[d];
  };
  move(rhs.contract);
  move(rhs.free);
  if (!llvm::is_sorted(rhs.free))
    return; // cannot happen: broadcasts keep the order
  rhs.value = matrix;
  rhs.batch.clear();
  lhs.free.insert(lhs.free.begin(), lhs.batch.begin(), lhs.batch.end());
  lhs.batch.clear();
}

/// Reads through transposes down to the deepest operand that fits.
void CanonicalDot::throughTransposes(Operand &operand) {
  Operand current = operand;
  while (auto transpose = current.value.getDefiningOp<dhlo::TransposeOp>()) {
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    for (auto *dims : {&current.batch, &current.contract, &current.free})
      for (int64_t &d : *dims)
        d = permutation[d];
    current.value = transpose.getOperand();
    // Free dimensions keep their order in the result.
    if (current.fits())
      operand = current;
  }
}

/// A transpose that had better keep the innermost dimension innermost: where the
/// operand fits with its last two dimensions either way, take that way.
void CanonicalDot::keepInnermost(Operand &operand) {
  auto transpose = operand.value.getDefiningOp<dhlo::TransposeOp>();
  if (!transpose || llvm::any_of(transpose->getUsers(), [&](Operation *user) {
        return user != dot && !isa<tensor::DimOp>(user);
      }))
    return;
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  int64_t last = static_cast<int64_t>(permutation.size()) - 1;
  if (permutation.back() == last)
    return;
  SmallVector<int64_t> order =
      operand.order(/*contractLast=*/!operand.isOrdered(true));
  if (order.empty() || permutation[order.back()] != last)
    return;
  SmallVector<int64_t> fromBase;
  for (int64_t d : order)
    fromBase.push_back(permutation[d]);
  operand.value =
      dhlo::TransposeOp::create(builder, loc, transpose.getOperand(),
                                builder.getDenseI64ArrayAttr(fromBase));
  for (auto *dims : {&operand.batch, &operand.contract, &operand.free})
    for (int64_t &d : *dims)
      d = std::distance(order.begin(), llvm::find(order, d));
}

void CanonicalDot::transposeIfNeeded(Operand &operand) {
  if (operand.fits())
    return;
  SmallVector<int64_t> order = operand.order(/*contractLast=*/true);
  operand.value = dhlo::TransposeOp::create(builder, loc, operand.value,
                                            builder.getDenseI64ArrayAttr(order));
  int64_t next = 0;
  for (auto *dims : {&operand.batch, &operand.free, &operand.contract})
    for (int64_t &d : *dims)
      d = next++;
}

OpFoldResult CanonicalDot::size(Value value, int64_t dim) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  return tensor::DimOp::create(builder, loc, value, dim).getResult();
}

static Value asValue(OpBuilder &builder, Location loc, OpFoldResult size) {
  if (auto value = dyn_cast<Value>(size))
    return value;
  return arith::ConstantIndexOp::create(
      builder, loc, cast<IntegerAttr>(cast<Attribute>(size)).getInt());
}

OpFoldResult CanonicalDot::product(Value value, ArrayRef<int64_t> dims) {
  int64_t known = 1;
  Value result;
  for (int64_t d : dims) {
    OpFoldResult next = size(value, d);
    if (auto attr = dyn_cast<Attribute>(next)) {
      // Past the end of i64 it wraps, as the index arithmetic does.
      (void)llvm::MulOverflow(known, cast<IntegerAttr>(attr).getInt(), known);
      continue;
    }
    Value factor = cast<Value>(next);
    result = result ? Value(arith::MulIOp::create(builder, loc, result, factor))
                    : factor;
  }
  if (!result)
    return builder.getIndexAttr(known);
  if (known == 1)
    return result;
  return arith::MulIOp::create(
             builder, loc, result,
             asValue(builder, loc, builder.getIndexAttr(known)))
      .getResult();
}

Value CanonicalDot::reshape(Value value, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  SmallVector<Value> values;
  for (OpFoldResult size : sizes) {
    auto attr = dyn_cast<Attribute>(size);
    shape.push_back(attr ? cast<IntegerAttr>(attr).getInt()
                         : ShapedType::kDynamic);
    values.push_back(asValue(builder, loc, size));
  }
  auto from = cast<RankedTensorType>(value.getType());
  auto to = RankedTensorType::get(shape, from.getElementType());
  if (to.hasStaticShape() && from.hasStaticShape())
    return from == to ? value
                      : dhlo::ReshapeOp::create(builder, loc, to, value)
                            .getResult();
  Value sizesTensor = tensor::FromElementsOp::create(
      builder, loc,
      RankedTensorType::get({static_cast<int64_t>(values.size())},
                            builder.getIndexType()),
      values);
  return dhlo::DynamicReshapeOp::create(builder, loc, to, value, sizesTensor);
}

Value CanonicalDot::flatten(const Operand &operand, bool &contractLast) {
  contractLast = operand.isOrdered(true);
  bool isMatrix =
      operand.batch.size() <= 1 && operand.free.size() == 1 &&
      operand.contract.size() == 1;
  if (isMatrix)
    return operand.value;
  SmallVector<OpFoldResult> sizes;
  if (!operand.batch.empty())
    sizes.push_back(product(operand.value, operand.batch));
  OpFoldResult free = product(operand.value, operand.free);
  OpFoldResult contract = product(operand.value, operand.contract);
  sizes.push_back(contractLast ? free : contract);
  sizes.push_back(contractLast ? contract : free);
  return reshape(operand.value, sizes);
}

/// Contracting dimensions are summed in any order: the one of lhs.
static void sortPairs(SmallVector<int64_t> &lhs, SmallVector<int64_t> &rhs) {
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (auto [l, r] : llvm::zip_equal(lhs, rhs))
    pairs.push_back({l, r});
  llvm::sort(pairs);
  for (auto [i, pair] : llvm::enumerate(pairs))
    std::tie(lhs[i], rhs[i]) = pair;
}

void CanonicalDot::run() {
  auto numbers = dot.getDotDimensionNumbers();
  Operand lhs = roles(dot.getLhs(), numbers.getLhsBatchingDimensions(),
                      numbers.getLhsContractingDimensions());
  Operand rhs = roles(dot.getRhs(), numbers.getRhsBatchingDimensions(),
                      numbers.getRhsContractingDimensions());
  sortPairs(lhs.contract, rhs.contract);
  auto type = cast<RankedTensorType>(dot.getType());
  Type element = type.getElementType();
  auto elementOf = [](const Operand &operand) {
    return cast<RankedTensorType>(operand.value.getType()).getElementType();
  };
  for (const Operand *operand : {&lhs, &rhs})
    if (!isLibraryElement(elementOf(*operand)))
      return;
  if (!isLibraryElement(element) || isTinyDot(dot))
    return;

  dropBatchBroadcast(lhs, rhs);
  SmallVector<OpFoldResult> sizes;
  for (int64_t d : lhs.batch)
    sizes.push_back(size(lhs.value, d));
  for (int64_t d : lhs.free)
    sizes.push_back(size(lhs.value, d));
  for (int64_t d : rhs.free)
    sizes.push_back(size(rhs.value, d));
  // A size that the result's type knows is better than a computed one.
  for (auto [i, size] : llvm::enumerate(sizes))
    if (!type.isDynamicDim(i))
      size = builder.getIndexAttr(type.getDimSize(i));
  for (Operand *operand : {&lhs, &rhs}) {
    throughTransposes(*operand);
    transposeIfNeeded(*operand);
    keepInnermost(*operand);
    if (elementOf(*operand) != element)
      operand->value =
          dhlo::ConvertOp::create(builder, loc, operand->value, element);
  }
  bool lhsLast, rhsLast;
  Value left = flatten(lhs, lhsLast), right = flatten(rhs, rhsLast);
  int64_t batch = lhs.batch.empty() ? 0 : 1;
  SmallVector<int64_t> batchDims;
  if (batch)
    batchDims.push_back(0);
  auto leftType = cast<RankedTensorType>(left.getType());
  auto rightType = cast<RankedTensorType>(right.getType());
  SmallVector<int64_t> shape;
  if (batch)
    shape.push_back(leftType.isDynamicDim(0) ? rightType.getDimSize(0)
                                             : leftType.getDimSize(0));
  shape.push_back(leftType.getDimSize(batch + (lhsLast ? 0 : 1)));
  shape.push_back(rightType.getDimSize(batch + (rhsLast ? 0 : 1)));
  auto dimensionNumbers = dhlo::DotDimensionNumbersAttr::get(
      dot.getContext(), batchDims, batchDims,
      {batch + (lhsLast ? 1 : 0)}, {batch + (rhsLast ? 1 : 0)});
  Value result = dhlo::DotGeneralOp::create(
      builder, loc, RankedTensorType::get(shape, element), left, right,
      dimensionNumbers, dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
  if (type.getRank() != static_cast<int64_t>(shape.size()) || lhs.free.size() != 1 ||
      rhs.free.size() != 1)
    result = reshape(result, sizes);
  if (result.getType() != type)
    result = tensor::CastOp::create(builder, loc, type, result);
  dot.replaceAllUsesWith(result);
  dot.erase();
}

LogicalResult disc::runGraphCanonicalDot(func::FuncOp func) {
  SmallVector<dhlo::DotGeneralOp> dots;
  func.walk([&](dhlo::DotGeneralOp dot) {
    if (!isLibraryDot(dot) || dot.getLhs().getDefiningOp() ||
        dot.getRhs().getDefiningOp())
      dots.push_back(dot);
  });
  for (dhlo::DotGeneralOp dot : dots)
    CanonicalDot(dot).run();
  return success();
}
