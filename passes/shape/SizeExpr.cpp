// Canonical forms of size expressions: sums of products, and folds that need bounds.
#include "passes/shape/SizeExpr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace disc;

static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

static int64_t floorDiv(int64_t a, int64_t b) {
  int64_t q = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}

static bool byId(Size a, Size b) { return a->id < b->id; }

//===----------------------------------------------------------------------===//
// Uniquing
//===----------------------------------------------------------------------===//

Size SizeContext::follow(Size size) const {
  for (auto it = equal.find(size); it != equal.end(); it = equal.find(size))
    size = it->second;
  return size;
}

Size SizeContext::unique(SizeNode node) {
  std::vector<unsigned> ids;
  for (Size op : node.ops)
    ids.push_back(op->id);
  Key key(static_cast<int>(node.kind), node.value,
          node.sym.getAsOpaquePointer(), node.dim, std::move(ids));
  std::unique_ptr<SizeNode> &slot = nodes[key];
  if (!slot) {
    node.id = nodes.size();
    computeBounds(node);
    slot = std::make_unique<SizeNode>(std::move(node));
  }
  return follow(slot.get());
}

bool SizeContext::equate(Size from, Size to) {
  from = follow(from);
  to = follow(to);
  if (from == to)
    return false;
  equal[from] = to;
  return true;
}

void SizeContext::bound(Size size, int64_t lo, int64_t hi) {
  auto *node = const_cast<SizeNode *>(size);
  node->lo = std::max(node->lo, lo);
  node->hi = std::min(node->hi, hi);
}

Size SizeContext::constant(int64_t value) {
  SizeNode node{SizeKind::Const};
  node.value = value;
  return unique(std::move(node));
}

Size SizeContext::scalar(Value value) {
  SizeNode node{SizeKind::Sym};
  node.sym = value;
  return unique(std::move(node));
}

Size SizeContext::dimOf(Value tensor, int dim) {
  SizeNode node{SizeKind::Sym};
  node.sym = tensor;
  node.dim = dim;
  return unique(std::move(node));
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

SizeContext::Terms SizeContext::termsOf(Size size) {
  Terms terms;
  auto one = [&](Size s) {
    if (s->kind == SizeKind::Mul)
      terms.push_back({s->ops, s->value});
    else
      terms.push_back({{s}, 1});
  };
  if (size->isConst()) {
    if (size->value != 0)
      terms.push_back({{}, size->value});
  } else if (size->kind == SizeKind::Add) {
    if (size->value != 0)
      terms.push_back({{}, size->value});
    for (Size op : size->ops)
      one(op);
  } else {
    one(size);
  }
  return terms;
}

Size SizeContext::fromTerms(Terms terms) {
  int64_t constantPart = 0;
  Terms merged;
  for (Term &term : terms) {
    llvm::sort(term.atoms, byId);
    auto *same = llvm::find_if(
        merged, [&](const Term &t) { return t.atoms == term.atoms; });
    if (term.atoms.empty())
      constantPart += term.coefficient;
    else if (same != merged.end())
      same->coefficient += term.coefficient;
    else
      merged.push_back(term);
  }
  SizeNode sum{SizeKind::Add};
  sum.value = constantPart;
  for (const Term &term : merged) {
    if (term.coefficient == 0)
      continue;
    if (term.coefficient == 1 && term.atoms.size() == 1) {
      sum.ops.push_back(term.atoms[0]);
      continue;
    }
    SizeNode mul{SizeKind::Mul};
    mul.value = term.coefficient;
    mul.ops = term.atoms;
    sum.ops.push_back(unique(std::move(mul)));
  }
  if (sum.ops.empty())
    return constant(constantPart);
  if (sum.ops.size() == 1 && constantPart == 0)
    return sum.ops[0];
  llvm::sort(sum.ops, byId);
  return unique(std::move(sum));
}

Size SizeContext::add(Size a, Size b) {
  Terms terms = termsOf(follow(a));
  terms.append(termsOf(follow(b)));
  return fromTerms(std::move(terms));
}

Size SizeContext::mul(Size a, Size b) {
  Terms terms, lhs = termsOf(follow(a)), rhs = termsOf(follow(b));
  for (const Term &l : lhs)
    for (const Term &r : rhs) {
      Term term{l.atoms, l.coefficient * r.coefficient};
      term.atoms.append(r.atoms.begin(), r.atoms.end());
      terms.push_back(std::move(term));
    }
  return fromTerms(std::move(terms));
}

Size SizeContext::product(ArrayRef<Size> sizes) {
  Size result = constant(1);
  for (Size size : sizes)
    result = mul(result, size);
  return result;
}

bool SizeContext::divideTerm(const Term &term, const Term &divisor,
                             Term &quotient) {
  if (divisor.coefficient == 0 || term.coefficient % divisor.coefficient != 0)
    return false;
  quotient.coefficient = term.coefficient / divisor.coefficient;
  quotient.atoms = term.atoms;
  for (Size atom : divisor.atoms) {
    auto *it = llvm::find(quotient.atoms, atom);
    if (it == quotient.atoms.end())
      return false;
    quotient.atoms.erase(it);
  }
  return true;
}

Size SizeContext::div(Size a, Size b) {
  a = follow(a);
  b = follow(b);
  if (a == b || a->isConst(0))
    return a == b ? constant(1) : a;
  if (a->isConst() && b->isConst() && b->value != 0)
    return constant(floorDiv(a->value, b->value));
  // Move the terms that b divides out of the division; cancel what the rest
  // has in common with b. All of it is exact for floor division.
  Terms divisor = termsOf(b);
  if (divisor.size() == 1) {
    Terms whole, rest;
    for (const Term &term : termsOf(a)) {
      Term quotient;
      if (divideTerm(term, divisor[0], quotient))
        whole.push_back(quotient);
      else
        rest.push_back(term);
    }
    if (rest.empty())
      return fromTerms(std::move(whole));
    if (rest.size() == 1) {
      Term &num = rest[0], &den = divisor[0];
      SmallVector<Size, 2> atoms = den.atoms;
      for (Size atom : atoms) {
        auto *it = llvm::find(num.atoms, atom);
        if (it == num.atoms.end())
          continue;
        num.atoms.erase(it);
        den.atoms.erase(llvm::find(den.atoms, atom));
      }
      int64_t common = std::gcd(num.coefficient, den.coefficient);
      if (common > 1 && den.coefficient > 0) {
        num.coefficient /= common;
        den.coefficient /= common;
      }
    }
    Size q = fromTerms(std::move(rest)), d = fromTerms(std::move(divisor));
    if (d->isConst(1)) {
      return add(fromTerms(std::move(whole)), q);
    }
    if (q->isConst() && d->isConst())
      return add(fromTerms(std::move(whole)),
                 constant(floorDiv(q->value, d->value)));
    if (q->lo >= 0 && d->lo > q->hi) // floor of a proper fraction
      return fromTerms(std::move(whole));
    SizeNode node{SizeKind::Div};
    node.ops = {q, d};
    return add(fromTerms(std::move(whole)), unique(std::move(node)));
  }
  SizeNode node{SizeKind::Div};
  node.ops = {a, b};
  return unique(std::move(node));
}

Size SizeContext::ceilDiv(Size a, Size b) {
  return div(sub(add(a, b), constant(1)), b);
}

Size SizeContext::mod(Size a, Size b) {
  Size quotient = div(a, b);
  if (quotient->kind != SizeKind::Div || quotient->ops[0] != follow(a))
    return sub(a, mul(b, quotient));
  SizeNode node{SizeKind::Mod};
  node.ops = {follow(a), follow(b)};
  return unique(std::move(node));
}
