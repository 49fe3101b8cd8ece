// Einstein's notation as products, sums and transposes. The ops' verifiers have
// checked that there is a letter for each dimension and that sizes agree.
#include "passes/input/Einsum.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/input/TensorBuilders.h"

using namespace mlir;
using namespace disc;

namespace {
/// A tensor and the letters of its dimensions.
struct Term {
  Value value;
  std::string letters;

  RankedTensorType type() const {
    return cast<RankedTensorType>(value.getType());
  }
};
} // namespace

/// Sums over a dimension.
static void sum(OpBuilder &b, Location loc, Term &term, int64_t dim) {
  term.value = reduceFromZero(b, loc, term.value, dim, [&](Value l, Value r) {
    return dhlo::AddOp::create(b, loc, l, r);
  });
  term.letters.erase(dim, 1);
}

/// Zeros where the positions in two dimensions differ.
static void keepDiagonal(OpBuilder &b, Location loc, Term &term, int64_t first,
                         int64_t second) {
  RankedTensorType type = term.type();
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(tensor::DimOp::create(b, loc, term.value, i));
  if (type.isDynamicDim(first) || type.isDynamicDim(second)) {
    Value equal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        sizes[first], sizes[second]);
    cf::AssertOp::create(b, loc, equal,
                         std::string("einsum: expected equal sizes of the "
                                     "dimensions that the letter `") +
                             term.letters[first] + "` names");
  }
  Value shape = listOf(b, loc, sizes);
  auto positions = [&](int64_t dim) -> Value {
    return dhlo::DynamicIotaOp::create(b, loc, type.clone(b.getI64Type()), shape,
                                       b.getI64IntegerAttr(dim));
  };
  Value same = dhlo::CompareOp::create(b, loc, positions(first),
                                       positions(second),
                                       dhlo::ComparisonDirection::EQ);
  Type element = type.getElementType();
  Value zero = scalarConstant(b, loc, element, zeroOf(b, element));
  Value zeros = broadcastTo(b, loc, zero, type, shape);
  term.value = dhlo::SelectOp::create(b, loc, same, term.value, zeros);
}

/// Leaves each letter once, and none that is neither in `kept` nor in `other`.
static void simplify(OpBuilder &b, Location loc, Term &term, StringRef kept,
                     StringRef other) {
  for (size_t i = 0; i < term.letters.size(); ++i)
    for (size_t j; (j = term.letters.find(term.letters[i], i + 1)) !=
                   std::string::npos;) {
      keepDiagonal(b, loc, term, i, j);
      sum(b, loc, term, j);
    }
  for (int64_t i = term.letters.size() - 1; i >= 0; --i)
    if (!kept.contains(term.letters[i]) && !other.contains(term.letters[i]))
      sum(b, loc, term, i);
}

/// The term with its letters in the order of the result.
static Value arrange(OpBuilder &b, Location loc, const Term &term,
                     StringRef order, RankedTensorType type) {
  Value value = term.value;
  if (term.letters != order) {
    SmallVector<int64_t> permutation, shape;
    for (char letter : order) {
      permutation.push_back(term.letters.find(letter));
      shape.push_back(term.type().getDimSize(permutation.back()));
    }
    value = dhlo::TransposeOp::create(b, loc, type.clone(shape), value,
                                      b.getDenseI64ArrayAttr(permutation));
  }
  if (value.getType() != type)
    value = tensor::CastOp::create(b, loc, type, value);
  return value;
}

void disc::expandUnaryEinsum(dhlo::UnaryEinsumOp einsum) {
  OpBuilder b(einsum);
  auto [input, out] = einsum.getEinsumConfig().split("->");
  Term term{einsum.getOperand(), input.str()};
  simplify(b, einsum.getLoc(), term, out, "");
  einsum.replaceAllUsesWith(arrange(b, einsum.getLoc(), term, out,
                                    cast<RankedTensorType>(einsum.getType())));
  einsum.erase();
}

void disc::expandEinsum(dhlo::EinsumOp einsum) {
  OpBuilder b(einsum);
  Location loc = einsum.getLoc();
  auto [inputs, out] = einsum.getEinsumConfig().split("->");
  auto [left, right] = inputs.split(',');
  Term lhs{einsum.getLhs(), left.str()}, rhs{einsum.getRhs(), right.str()};
  simplify(b, loc, lhs, out, right);
  simplify(b, loc, rhs, out, left);

  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract, shape;
  // The letters of the product: batch, lhs free, rhs free.
  std::string batch, lhsFree, rhsFree;
  SmallVector<int64_t> lhsSizes, rhsSizes;
  for (auto [i, letter] : llvm::enumerate(lhs.letters)) {
    size_t j = rhs.letters.find(letter);
    if (j == std::string::npos) {
      lhsFree += letter;
      lhsSizes.push_back(lhs.type().getDimSize(i));
    } else if (out.contains(letter)) {
      lhsBatch.push_back(i);
      rhsBatch.push_back(j);
      batch += letter;
      shape.push_back(lhs.type().getDimSize(i));
    } else {
      lhsContract.push_back(i);
      rhsContract.push_back(j);
    }
  }
  for (auto [j, letter] : llvm::enumerate(rhs.letters))
    if (lhs.letters.find(letter) == std::string::npos) {
      rhsFree += letter;
      rhsSizes.push_back(rhs.type().getDimSize(j));
    }
  llvm::append_range(shape, lhsSizes);
  llvm::append_range(shape, rhsSizes);

  auto type = cast<RankedTensorType>(einsum.getType());
  auto numbers = dhlo::DotDimensionNumbersAttr::get(
      einsum.getContext(), lhsBatch, rhsBatch, lhsContract, rhsContract);
  Value product = dhlo::DotGeneralOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), lhs.value,
      rhs.value, numbers);
  einsum.replaceAllUsesWith(
      arrange(b, loc, {product, batch + lhsFree + rhsFree}, out, type));
  einsum.erase();
}
