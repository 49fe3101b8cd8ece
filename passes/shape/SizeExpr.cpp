// Canonical forms of size expressions: uniquing and sums of products.
#include "passes/shape/SizeExpr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace disc;

// Coefficients wrap as the index arithmetic of the program does.
static int64_t wrapAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}

static int64_t wrapMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

static int64_t floorDiv(int64_t a, int64_t b) {
  if (b == -1)
    return wrapMul(a, -1);
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
    computeMultiple(node);
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

void SizeContext::divide(Size size, int64_t factor) {
  auto *node = const_cast<SizeNode *>(size);
  int64_t whole = node->multiple / std::gcd(node->multiple, factor), both;
  if (!llvm::MulOverflow(whole, factor, both))
    node->multiple = both;
}

bool SizeNode::isOfSizes() const {
  // Expressions share their parts: each is looked at once.
  llvm::SetVector<Size> parts;
  parts.insert(this);
  for (unsigned i = 0; i < parts.size(); ++i) {
    Size part = parts[i];
    if (part->kind == SizeKind::Sym && part->dim < 0 && !part->sym.getType().isIndex())
      return false;
    parts.insert(part->ops.begin(), part->ops.end());
  }
  return true;
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
      constantPart = wrapAdd(constantPart, term.coefficient);
    else if (same != merged.end())
      same->coefficient = wrapAdd(same->coefficient, term.coefficient);
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
  a = follow(a);
  b = follow(b);
  // c * (x / d) is c / d * x where d divides both.
  for (auto [quotient, factor] : {std::pair(a, b), std::pair(b, a)})
    if (quotient->kind == SizeKind::Div && factor->isConst() &&
        quotient->ops[1]->isConst() && quotient->ops[1]->value > 0 &&
        factor->value % quotient->ops[1]->value == 0 &&
        quotient->ops[0]->multiple % quotient->ops[1]->value == 0)
      return mul(quotient->ops[0],
                 constant(factor->value / quotient->ops[1]->value));
  Terms terms, lhs = termsOf(a), rhs = termsOf(b);
  for (const Term &l : lhs)
    for (const Term &r : rhs) {
      Term term{l.atoms, wrapMul(l.coefficient, r.coefficient)};
      term.atoms.append(r.atoms.begin(), r.atoms.end());
      terms.push_back(std::move(term));
    }
  return fromTerms(std::move(terms));
}

Size SizeContext::product(ArrayRef<Size> sizes) {
  int64_t count = 1;
  bool overflows = false;
  for (Size size : sizes) {
    if (size->isConst(0))
      return constant(0);
    if (size->isConst())
      overflows |= llvm::MulOverflow(count, size->value, count);
  }
  if (overflows)
    return constant(-1);
  Size result = constant(1);
  for (Size size : sizes)
    result = mul(result, size);
  return result;
}

bool SizeContext::divideTerm(const Term &term, const Term &divisor,
                             Term &quotient) {
  if (divisor.coefficient == 0 ||
      (divisor.coefficient != -1 &&
       term.coefficient % divisor.coefficient != 0))
    return false;
  quotient.coefficient = ::floorDiv(term.coefficient, divisor.coefficient);
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
    return constant(::floorDiv(a->value, b->value));
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
      constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
      int64_t common = num.coefficient == lowest || den.coefficient == lowest
                           ? 1
                           : std::gcd(num.coefficient, den.coefficient);
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
                 constant(::floorDiv(q->value, d->value)));
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
  if (b->isConst() && b->value > 0 && follow(a)->multiple % b->value == 0)
    return constant(0);
  Size quotient = div(a, b);
  if (quotient->kind != SizeKind::Div || quotient->ops[0] != follow(a))
    return sub(a, mul(b, quotient));
  SizeNode node{SizeKind::Mod};
  node.ops = {follow(a), follow(b)};
  return unique(std::move(node));
}
