// Folding index arithmetic, loop nests and conditionals.
#include "passes/cpu/IndexMath.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace disc {

/// Constants that folding made are replaced by the site's one, so that equal indices stay the same SSA value.
Value IndexMath::canonical(Value value) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    if (value.getType().isIndex())
      return site.constant(*number);
  return value;
}

static bool isConstant(Value value, int64_t number) { return getConstantIntValue(value) == number; }

Value IndexMath::add(Value x, Value y) {
  if (getConstantIntValue(x))
    std::swap(x, y);
  return canonical(b.createOrFold<arith::AddIOp>(loc, x, y));
}

Value IndexMath::sub(Value x, Value y) { return canonical(b.createOrFold<arith::SubIOp>(loc, x, y)); }

Value IndexMath::mul(Value x, Value y) {
  if (getConstantIntValue(x))
    std::swap(x, y);
  return canonical(b.createOrFold<arith::MulIOp>(loc, x, y));
}

Value IndexMath::min(Value x, Value y) { return canonical(b.createOrFold<arith::MinSIOp>(loc, x, y)); }
Value IndexMath::max(Value x, Value y) { return canonical(b.createOrFold<arith::MaxSIOp>(loc, x, y)); }

Value IndexMath::div(Value x, Value y) {
  return isConstant(y, 1) ? x : canonical(b.createOrFold<arith::DivUIOp>(loc, x, y));
}

Value IndexMath::rem(Value x, Value y) {
  return isConstant(y, 1) ? constant(0) : canonical(b.createOrFold<arith::RemUIOp>(loc, x, y));
}

Value IndexMath::ceilDiv(Value x, Value y) { return div(add(x, sub(y, constant(1))), y); }

Value IndexMath::product(ValueRange values) {
  Value result = constant(1);
  for (Value value : values)
    result = mul(result, value);
  return result;
}

Value IndexMath::less(Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, x, y);
}

Value IndexMath::equal(Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, x, y);
}

Value IndexMath::both(Value x, Value y) { return b.createOrFold<arith::AndIOp>(loc, x, y); }

Value IndexMath::select(Value condition, Value x, Value y) {
  return x == y ? x : canonical(b.createOrFold<arith::SelectOp>(loc, condition, x, y));
}

Value IndexMath::linearise(ValueRange index, ValueRange dims) {
  Value position = constant(0);
  for (auto [i, dim] : llvm::zip_equal(index, dims))
    position = add(mul(position, dim), i);
  return position;
}

SmallVector<Value> IndexMath::delinearise(Value position, ValueRange dims) {
  SmallVector<Value> index(dims.size(), constant(0));
  int64_t outermost = 0;
  while (outermost < static_cast<int64_t>(dims.size()) && isConstant(dims[outermost], 1))
    ++outermost;
  for (int64_t i = static_cast<int64_t>(dims.size()) - 1; i >= outermost; --i) {
    index[i] = i == outermost ? position : rem(position, dims[i]);
    if (i != outermost)
      position = div(position, dims[i]);
  }
  return index;
}

/// The length of the shortest trailing parts of `from` and `to`, without unit dimensions, whose products are known to be equal; all when
/// nothing shorter is known.
static std::pair<size_t, size_t> matchTail(ArrayRef<Value> from, ArrayRef<Value> to) {
  if (!from.empty() && !to.empty() && from.back() == to.back())
    return {1, 1};
  int64_t left = 1, right = 1;
  size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    bool takeLeft = left <= right;
    ArrayRef<Value> side = takeLeft ? from.drop_back(i) : to.drop_back(j);
    std::optional<int64_t> size = getConstantIntValue(side.back());
    if (!size || *size == 0)
      break;
    if (int64_t &product = takeLeft ? left : right; llvm::MulOverflow(product, *size, product))
      break;
    ++(takeLeft ? i : j);
    if (i && j && left == right)
      return {i, j};
  }
  return {from.size(), to.size()};
}

SmallVector<Value> IndexMath::reshape(ValueRange index, ValueRange from, ValueRange to) {
  SmallVector<Value> result(to.size(), constant(0));
  SmallVector<Value> fromDims, fromIndex, toDims;
  SmallVector<size_t> toPlace;
  for (auto [i, dim] : llvm::zip_equal(index, from))
    if (!isConstant(dim, 1)) {
      fromDims.push_back(dim);
      fromIndex.push_back(i);
    }
  for (auto [place, dim] : llvm::enumerate(to))
    if (!isConstant(dim, 1)) {
      toDims.push_back(dim);
      toPlace.push_back(place);
    }
  ArrayRef<Value> left = fromDims, at = fromIndex, right = toDims;
  ArrayRef<size_t> place = toPlace;
  // Equal leading dimensions stay as they are.
  while (!left.empty() && !right.empty() && left.front() == right.front()) {
    result[place.front()] = at.front();
    left = left.drop_front(), at = at.drop_front(), right = right.drop_front(), place = place.drop_front();
  }
  while (!right.empty()) {
    auto [n, m] = matchTail(left, right);
    Value position = linearise(at.take_back(n), left.take_back(n));
    for (auto [where, i] : llvm::zip_equal(place.take_back(m), delinearise(position, right.take_back(m))))
      result[where] = i;
    left = left.drop_back(n), at = at.drop_back(n), right = right.drop_back(m), place = place.drop_back(m);
  }
  return result;
}

SmallVector<Value> emitLoopNest(ElementEmitter &e, OpBuilder &b, Location loc, ValueRange bounds, ValueRange init, LoopBody body) {
  SmallVector<Value> indices;
  auto nest = [&](auto &self, OpBuilder &b, ValueRange carried) -> SmallVector<Value> {
    if (indices.size() == bounds.size())
      return body(b, indices, carried);
    Value bound = bounds[indices.size()];
    if (isConstant(bound, 1)) {
      indices.push_back(e.constant(0));
      return self(self, b, carried);
    }
    auto loop = scf::ForOp::create(b, loc, e.constant(0), bound, e.constant(1), carried);
    OpBuilder inner = OpBuilder::atBlockBegin(loop.getBody());
    if (carried.empty())
      inner.setInsertionPoint(loop.getBody()->getTerminator());
    ElementEmitter::Scope scope(e);
    indices.push_back(loop.getInductionVar());
    SmallVector<Value> next = self(self, inner, loop.getRegionIterArgs());
    if (!carried.empty())
      scf::YieldOp::create(inner, loc, next);
    return llvm::to_vector(ValueRange(loop.getResults()));
  };
  return nest(nest, b, init);
}

Value emitIf(ElementEmitter &e, OpBuilder &b, Location loc, Value condition, Branch then, Branch otherwise) {
  if (std::optional<int64_t> known = getConstantIntValue(condition))
    return *known ? then(b) : otherwise(b);
  auto emitSide = [&](Branch side) {
    return [&e, side](OpBuilder &inner, Location at) {
      ElementEmitter::Scope scope(e);
      scf::YieldOp::create(inner, at, side(inner));
    };
  };
  return scf::IfOp::create(b, loc, condition, emitSide(then), emitSide(otherwise)).getResult(0);
}

} // namespace disc
