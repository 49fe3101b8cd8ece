// Size expressions that are not sums of products: extrema, broadcasts, conditions.
#include "passes/shape/SizeExpr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace disc;
using arith::CmpIPredicate;

/// Flattens, sorts and uniques the operands of an associative, commutative,
/// idempotent kind.
Size SizeContext::nary(SizeKind kind, Size a, Size b) {
  SizeNode node{kind};
  for (Size op : {follow(a), follow(b)}) {
    if (op->kind == kind)
      node.ops.append(op->ops.begin(), op->ops.end());
    else
      node.ops.push_back(op);
  }
  llvm::sort(node.ops, [](Size x, Size y) { return x->id < y->id; });
  node.ops.erase(llvm::unique(node.ops), node.ops.end());
  if (node.ops.size() == 1)
    return node.ops[0];
  return unique(std::move(node));
}

Size SizeContext::max(Size a, Size b) {
  Size difference = sub(a, b);
  if (difference->lo >= 0)
    return follow(a);
  if (difference->hi <= 0)
    return follow(b);
  return nary(SizeKind::Max, a, b);
}

Size SizeContext::min(Size a, Size b) {
  Size difference = sub(a, b);
  if (difference->lo >= 0)
    return follow(b);
  if (difference->hi <= 0)
    return follow(a);
  return nary(SizeKind::Min, a, b);
}

/// Whether `clamped` is `size` limited from above by something of at least
/// `least`, perhaps with a special case for 0: min(d, c), or d == 0 ? c : min(d, c).
/// If the two are broadcast-compatible, their common size is then `size`.
static bool isClampOf(Size clamped, Size size, int64_t least = 1) {
  if (clamped->kind == SizeKind::Select) {
    Size cond = clamped->ops[0], other = clamped->ops[1];
    bool zeroCase =
        cond->kind == SizeKind::Cmp &&
        cond->value == static_cast<int64_t>(CmpIPredicate::eq) &&
        (cond->ops[0]->isConst(0) || cond->ops[1]->isConst(0)) &&
        (cond->ops[0] == clamped->ops[2] || cond->ops[1] == clamped->ops[2]);
    return zeroCase && other->isConst() && other->value >= least &&
           isClampOf(clamped->ops[2], size, least);
  }
  return clamped->kind == SizeKind::Min && clamped->ops.size() == 2 &&
         ((clamped->ops[0] == size && clamped->ops[1]->lo >= least) ||
          (clamped->ops[1] == size && clamped->ops[0]->lo >= least));
}

bool disc::equalWhereCompatible(Size x, Size y) {
  return isClampOf(x, y, 2) || isClampOf(y, x, 2);
}

Size SizeContext::bcast(Size a, Size b) {
  a = follow(a);
  b = follow(b);
  if (a->isConst(1))
    return b;
  if (b->isConst(1) || a == b)
    return a;
  // A constant other than 1 wins: the other one is 1 or the same. A size that
  // is never 1 wins in the same way.
  if (a->isConst() || a->lo > 1)
    return a;
  if (b->isConst() || b->lo > 1)
    return b;
  if (isClampOf(b, a))
    return a;
  if (isClampOf(a, b))
    return b;
  return nary(SizeKind::Bcast, a, b);
}

Size SizeContext::withoutLast(Size bcast) {
  if (bcast->ops.size() == 2)
    return follow(bcast->ops[0]);
  SizeNode node{bcast->kind};
  node.ops.assign(bcast->ops.begin(), bcast->ops.end() - 1);
  return unique(std::move(node));
}

/// The sizes whose common size this is: the operands of a broadcast, or itself.
static ArrayRef<Size> partsOf(const Size &size) {
  return size->kind == SizeKind::Bcast ? ArrayRef<Size>(size->ops)
                                       : ArrayRef<Size>(size);
}

std::pair<Size, Size> disc::broadcastOperands(Size select) {
  if (select->kind != SizeKind::Select)
    return {nullptr, nullptr};
  Size cond = select->ops[0], otherwise = select->ops[2];
  bool isOne = cond->kind == SizeKind::Cmp &&
               cond->value == static_cast<int64_t>(CmpIPredicate::eq) &&
               ((cond->ops[0] == otherwise && cond->ops[1]->isConst(1)) ||
                (cond->ops[1] == otherwise && cond->ops[0]->isConst(1)));
  return isOne ? std::make_pair(otherwise, select->ops[1])
               : std::pair<Size, Size>(nullptr, nullptr);
}

bool disc::isBroadcastOf(Size size, Size part) {
  // Expressions share their parts: each is looked at once.
  llvm::SetVector<Size> seen;
  seen.insert(size);
  for (unsigned i = 0; i < seen.size(); ++i) {
    Size next = seen[i];
    if (next == part ||
        (next->kind == SizeKind::Bcast &&
         llvm::all_of(partsOf(part),
                      [&](Size p) { return llvm::is_contained(next->ops, p); })))
      return true;
    auto [otherwise, whenOne] = broadcastOperands(next);
    if (otherwise) {
      seen.insert(otherwise);
      seen.insert(whenOne);
    }
  }
  return false;
}

Size SizeContext::select(Size cond, Size a, Size b) {
  cond = follow(cond);
  a = follow(a);
  b = follow(b);
  if (cond->isConst())
    return cond->value ? a : b;
  if (a == b)
    return a;
  if (cond->kind == SizeKind::Cmp) {
    Size l = cond->ops[0], r = cond->ops[1];
    bool eq = cond->value == static_cast<int64_t>(CmpIPredicate::eq);
    bool ne = cond->value == static_cast<int64_t>(CmpIPredicate::ne);
    if (ne)
      return select(cmp(CmpIPredicate::eq, l, r), b, a);
    // x == 1 ? y : x is how a broadcast of x and y is spelt; it may also be
    // what it says.
    if (eq && ((r->isConst(1) && l == b) || (l->isConst(1) && r == b)) &&
        compatible(a, b))
      return bcast(a, b);
    // x == y ? y : x is x.
    if (eq && ((a == l && b == r) || (a == r && b == l)))
      return b;
    // x < y ? x : y and the like are extrema (slt, sle are 2, 3; sgt, sge 4, 5).
    if (cond->value >= 2 && cond->value <= 5) {
      bool less = cond->value <= 3;
      if (a == l && b == r)
        return less ? min(a, b) : max(a, b);
      if (a == r && b == l)
        return less ? max(a, b) : min(a, b);
    }
  }
  SizeNode node{SizeKind::Select};
  node.ops = {cond, a, b};
  return unique(std::move(node));
}

Size SizeContext::cmp(CmpIPredicate predicate, Size a, Size b) {
  a = follow(a);
  b = follow(b);
  // Unsigned predicates mean the same as signed ones on known naturals.
  if (a->lo >= 0 && b->lo >= 0) {
    switch (predicate) {
    case CmpIPredicate::ult:
      predicate = CmpIPredicate::slt;
      break;
    case CmpIPredicate::ule:
      predicate = CmpIPredicate::sle;
      break;
    case CmpIPredicate::ugt:
      predicate = CmpIPredicate::sgt;
      break;
    case CmpIPredicate::uge:
      predicate = CmpIPredicate::sge;
      break;
    default:
      break;
    }
  }
  Size difference = sub(a, b);
  int64_t lo = difference->lo, hi = difference->hi;
  auto decide = [&](bool yes, bool no) -> Size {
    return yes ? constant(1) : no ? constant(0) : nullptr;
  };
  Size known = nullptr;
  switch (predicate) {
  case CmpIPredicate::eq:
    known = decide(lo == 0 && hi == 0, lo > 0 || hi < 0);
    break;
  case CmpIPredicate::ne:
    known = decide(lo > 0 || hi < 0, lo == 0 && hi == 0);
    break;
  case CmpIPredicate::slt:
    known = decide(hi < 0, lo >= 0);
    break;
  case CmpIPredicate::sle:
    known = decide(hi <= 0, lo > 0);
    break;
  case CmpIPredicate::sgt:
    known = decide(lo > 0, hi <= 0);
    break;
  case CmpIPredicate::sge:
    known = decide(lo >= 0, hi < 0);
    break;
  default:
    break;
  }
  if (known)
    return known;
  bool symmetric =
      predicate == CmpIPredicate::eq || predicate == CmpIPredicate::ne;
  if (symmetric && a->id > b->id)
    std::swap(a, b);
  SizeNode node{SizeKind::Cmp};
  node.value = static_cast<int64_t>(predicate);
  node.ops = {a, b};
  return unique(std::move(node));
}

Size SizeContext::logicalAnd(Size a, Size b) {
  a = follow(a);
  b = follow(b);
  if (a->isConst())
    return a->value ? b : a;
  if (b->isConst())
    return b->value ? a : b;
  return nary(SizeKind::And, a, b);
}

Size SizeContext::logicalOr(Size a, Size b) {
  a = follow(a);
  b = follow(b);
  if (a->isConst())
    return a->value ? a : b;
  if (b->isConst())
    return b->value ? b : a;
  return nary(SizeKind::Or, a, b);
}

//===----------------------------------------------------------------------===//
// Assumptions
//===----------------------------------------------------------------------===//

std::pair<Size, Size> disc::comparedForBroadcast(Size cond) {
  auto isEq = [](Size size) {
    return size->kind == SizeKind::Cmp &&
           size->value == static_cast<int64_t>(CmpIPredicate::eq);
  };
  if (isEq(cond))
    return {cond->ops[0], cond->ops[1]};
  if (cond->kind != SizeKind::Or)
    return {nullptr, nullptr};
  std::pair<Size, Size> compared = {nullptr, nullptr};
  SmallVector<Size> ones;
  for (Size part : cond->ops) {
    if (!isEq(part))
      return {nullptr, nullptr};
    if (part->ops[0]->isConst(1) || part->ops[1]->isConst(1))
      ones.push_back(part->ops[part->ops[0]->isConst(1) ? 1 : 0]);
    else if (compared.first)
      return {nullptr, nullptr};
    else
      compared = {part->ops[0], part->ops[1]};
  }
  for (Size one : ones)
    if (one != compared.first && one != compared.second)
      return {nullptr, nullptr};
  return compared;
}

static std::pair<Size, Size> ordered(Size x, Size y) {
  return x->id < y->id ? std::make_pair(x, y) : std::make_pair(y, x);
}

bool SizeContext::compatible(Size x, Size y) const {
  x = follow(x);
  y = follow(y);
  return llvm::all_of(partsOf(x), [&](Size p) {
    return llvm::all_of(partsOf(y), [&](Size q) {
      return p == q || p->isConst(1) || q->isConst(1) ||
             compatiblePairs.contains(ordered(p, q));
    });
  });
}

void SizeContext::assumeCompatible(Size x, Size y) {
  for (Size p : partsOf(x))
    for (Size q : partsOf(y))
      compatiblePairs.insert(ordered(p, q));
  Size common = bcast(x, y);
  for (auto [otherwise, whenOne] : {std::pair(x, y), std::pair(y, x)}) {
    Size isOne = cmp(CmpIPredicate::eq, otherwise, constant(1));
    if (isOne->isConst())
      continue;
    SizeNode node{SizeKind::Select};
    node.ops = {isOne, whenOne, otherwise};
    equate(unique(std::move(node)), common);
  }
}

bool SizeContext::assume(Size cond) {
  if (!equate(cond, constant(1)))
    return false;
  if (cond->kind == SizeKind::And)
    for (Size part : cond->ops)
      assume(part);
  if (auto [x, y] = comparedForBroadcast(cond); x)
    assumeCompatible(follow(x), follow(y));
  if (cond->kind != SizeKind::Cmp || cond->ops[0]->kind != SizeKind::Sym ||
      !cond->ops[1]->isConst())
    return true;
  if (cond->value == static_cast<int64_t>(CmpIPredicate::sge))
    bound(cond->ops[0], cond->ops[1]->value, INT64_MAX);
  if (cond->value == static_cast<int64_t>(CmpIPredicate::sle))
    bound(cond->ops[0], INT64_MIN, cond->ops[1]->value);
  return true;
}
