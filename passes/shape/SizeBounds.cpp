// What is known of the range of a size expression, and what divides it.
#include "passes/shape/SizeExpr.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace disc;

static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

static int64_t satAdd(int64_t a, int64_t b) {
  if (a == kMin || b == kMin)
    return kMin;
  if (a == kMax || b == kMax)
    return kMax;
  int64_t r;
  if (llvm::AddOverflow(a, b, r))
    return a < 0 ? kMin : kMax;
  return r;
}

static int64_t satMul(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  bool negative = (a < 0) != (b < 0);
  int64_t r;
  if (a == kMin || b == kMin || a == kMax || b == kMax ||
      llvm::MulOverflow(a, b, r))
    return negative ? kMin : kMax;
  return r;
}

static void mulBounds(int64_t &lo, int64_t &hi, int64_t lo2, int64_t hi2) {
  int64_t c[] = {satMul(lo, lo2), satMul(lo, hi2), satMul(hi, lo2),
                 satMul(hi, hi2)};
  lo = *std::min_element(c, c + 4);
  hi = *std::max_element(c, c + 4);
}

void SizeContext::computeBounds(SizeNode &node) {
  auto &lo = node.lo, &hi = node.hi;
  lo = kMin;
  hi = kMax;
  ArrayRef<Size> ops = node.ops;
  switch (node.kind) {
  case SizeKind::Const:
    lo = hi = node.value;
    return;
  case SizeKind::Sym:
    if (node.dim >= 0)
      lo = 0;
    return;
  case SizeKind::Mul:
    lo = hi = node.value;
    for (Size op : ops)
      mulBounds(lo, hi, op->lo, op->hi);
    return;
  case SizeKind::Add:
    lo = hi = node.value;
    for (Size op : ops) {
      lo = satAdd(lo, op->lo);
      hi = satAdd(hi, op->hi);
    }
    return;
  case SizeKind::Max:
    lo = ops[0]->lo, hi = ops[0]->hi;
    for (Size op : ops)
      lo = std::max(lo, op->lo), hi = std::max(hi, op->hi);
    return;
  case SizeKind::Min:
    lo = ops[0]->lo, hi = ops[0]->hi;
    for (Size op : ops)
      lo = std::min(lo, op->lo), hi = std::min(hi, op->hi);
    return;
  case SizeKind::Bcast: // one of its operands
  case SizeKind::Select: {
    ops = node.kind == SizeKind::Select ? ops.drop_front() : ops;
    lo = ops[0]->lo, hi = ops[0]->hi;
    for (Size op : ops)
      lo = std::min(lo, op->lo), hi = std::max(hi, op->hi);
    return;
  }
  case SizeKind::Div:
    if (ops[0]->lo >= 0 && ops[1]->lo >= 0) {
      lo = 0;
      if (ops[1]->isConst() && ops[1]->value > 0) {
        lo = ops[0]->lo / ops[1]->value;
        hi = ops[0]->hi == kMax ? kMax : ops[0]->hi / ops[1]->value;
      } else {
        hi = ops[0]->hi;
      }
    }
    return;
  case SizeKind::Mod:
    if (ops[1]->lo >= 0) {
      lo = 0;
      hi = ops[1]->hi == kMax ? kMax : ops[1]->hi - 1;
    }
    return;
  case SizeKind::Cmp:
  case SizeKind::And:
  case SizeKind::Or:
    lo = 0;
    hi = 1;
    return;
  }
}

void SizeContext::computeMultiple(SizeNode &node) {
  ArrayRef<Size> ops = node.ops;
  switch (node.kind) {
  case SizeKind::Const:
    node.multiple = node.value == kMin ? 1 : std::abs(node.value);
    return;
  case SizeKind::Mul:
  case SizeKind::Add: {
    bool isSum = node.kind == SizeKind::Add;
    if (node.value == kMin)
      return;
    int64_t multiple = std::abs(node.value);
    for (Size op : ops)
      if (isSum)
        multiple = std::gcd(multiple, op->multiple);
      else if (llvm::MulOverflow(multiple, op->multiple, multiple))
        return;
    node.multiple = multiple;
    return;
  }
  case SizeKind::Select:
    ops = ops.drop_front();
    [[fallthrough]];
  case SizeKind::Max:
  case SizeKind::Min:
  case SizeKind::Bcast:
    node.multiple = ops[0]->multiple;
    for (Size op : ops)
      node.multiple = std::gcd(node.multiple, op->multiple);
    return;
  case SizeKind::Div:
    if (ops[1]->isConst() && ops[1]->value > 0 &&
        ops[0]->multiple % ops[1]->value == 0)
      node.multiple = ops[0]->multiple / ops[1]->value;
    return;
  case SizeKind::Sym:
  case SizeKind::Mod:
  case SizeKind::Cmp:
  case SizeKind::And:
  case SizeKind::Or:
    return;
  }
}
