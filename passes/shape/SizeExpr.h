// Symbolic integer expressions over tensor sizes, uniqued and kept in a canonical form.
#ifndef DISC_PASSES_SHAPE_SIZEEXPR_H
#define DISC_PASSES_SHAPE_SIZEEXPR_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace disc {

enum class SizeKind {
  Const,  // value
  Sym,    // an SSA scalar (dim < 0), or size `dim` of an SSA tensor
  Mul,    // value (the coefficient) * operands (atoms, sorted)
  Add,    // value (a constant) + operands (atoms or Mul, sorted)
  Max,    // of two or more operands
  Min,    // of two or more operands
  Bcast,  // the size two or more broadcast-compatible sizes have in common
  Div,    // floor(operand 0 / operand 1)
  Mod,    // operand 0 - operand 1 * floor(operand 0 / operand 1)
  Select, // operand 0 (0 or 1) ? operand 1 : operand 2
  Cmp,    // value (an arith::CmpIPredicate) on operands 0 and 1; 0 or 1
  And,    // of two 0/1 operands
  Or,     // of two 0/1 operands
};

/// One uniqued expression: two expressions are equal when their addresses are.
struct SizeNode {
  SizeKind kind;
  int64_t value = 0;
  mlir::Value sym;
  int dim = -1;
  llvm::SmallVector<const SizeNode *, 2> ops;
  unsigned id = 0; // creation order, which sorts operands
  int64_t lo = 0;  // inclusive bounds; the extremes of int64_t mean unknown
  int64_t hi = 0;
  int64_t multiple = 1; // divides every value; 0 where that is 0 alone

  bool isConst() const { return kind == SizeKind::Const; }
  bool isConst(int64_t v) const { return isConst() && value == v; }
  /// Whether it is made of sizes and indices alone, so that it does not wrap in a narrow type on purpose.
  bool isOfSizes() const;
};
using Size = const SizeNode *;

/// Makes and owns expressions. Arithmetic is that of unbounded integers: sizes
/// are assumed not to overflow the types of 32 bits and more that frontends compute
/// them in.
class SizeContext {
public:
  using Size = disc::Size; // for the shape functions of dialects/dhlo

  Size constant(int64_t value);
  Size scalar(mlir::Value value);
  Size dimOf(mlir::Value tensor, int dim);

  Size add(Size a, Size b);
  Size sub(Size a, Size b) { return add(a, scale(b, -1)); }
  Size mul(Size a, Size b);
  Size scale(Size a, int64_t factor) { return mul(a, constant(factor)); }
  /// Floor division. A zero divisor is undefined, so common factors cancel.
  Size div(Size a, Size b);
  Size floorDiv(Size a, Size b) { return div(a, b); }
  Size ceilDiv(Size a, Size b);
  Size mod(Size a, Size b);
  Size max(Size a, Size b);
  Size min(Size a, Size b);
  /// The common size of two compatible sizes.
  Size bcast(Size a, Size b);
  Size select(Size cond, Size a, Size b);
  Size cmp(mlir::arith::CmpIPredicate predicate, Size a, Size b);
  Size logicalAnd(Size a, Size b);
  Size logicalOr(Size a, Size b);
  /// The number of elements; -1, as of `lmhlo_disc.element_count`, where known
  /// sizes have more than an i64 holds.
  Size product(llvm::ArrayRef<Size> sizes);

  /// From now on `from` is rewritten to `to` wherever it is made. Expressions
  /// already made keep `from`. Returns false when nothing changed.
  bool equate(Size from, Size to);
  /// What `size` is rewritten to.
  Size latest(Size size) const { return follow(size); }

  /// From now on the condition `cond` holds. An equality does not replace sizes
  /// (see `equate`); a bound of a symbol narrows it; `x == y or x == 1 or
  /// y == 1` makes x and y broadcast-compatible, and `x == 1 ? y : x` their
  /// common size. Returns false when it is known.
  bool assume(Size cond);
  /// Whether x and y are known to be equal or one of them to be 1. A common size
  /// is compatible with what all its operands are compatible with.
  bool compatible(Size x, Size y) const;
  /// A common size without the last of its operands.
  Size withoutLast(Size bcast);

  /// Narrows what is known of `size` (a symbol) for expressions made later.
  void bound(Size size, int64_t lo, int64_t hi);
  /// Tells that `factor` divides `size` (a symbol), for expressions made later.
  void divide(Size size, int64_t factor);

private:
  struct Term {
    llvm::SmallVector<Size, 2> atoms;
    int64_t coefficient;
  };
  using Terms = llvm::SmallVector<Term, 4>;

  Size unique(SizeNode node);
  Size follow(Size size) const;
  Size nary(SizeKind kind, Size a, Size b);
  void assumeCompatible(Size x, Size y);
  Size fromTerms(Terms terms);
  static Terms termsOf(Size size);
  static bool divideTerm(const Term &term, const Term &divisor, Term &quotient);
  static void computeBounds(SizeNode &node);
  static void computeMultiple(SizeNode &node);

  using Key = std::tuple<int, int64_t, void *, int, std::vector<unsigned>>;
  std::map<Key, std::unique_ptr<SizeNode>> nodes;
  llvm::DenseMap<Size, Size> equal;
  llvm::DenseSet<std::pair<Size, Size>> compatiblePairs;
};

/// x and y of a condition `x == y [or x == 1] [or y == 1]`, else null.
std::pair<Size, Size> comparedForBroadcast(Size cond);

/// Whether x and y are equal where they are broadcast-compatible: one is the
/// other, limited to a constant above 1.
bool equalWhereCompatible(Size x, Size y);

/// w and y of `w == 1 ? y : w`, else null: the size of a broadcast of the two,
/// where nothing is known of them.
std::pair<Size, Size> broadcastOperands(Size select);

/// Whether `size` is what broadcasts make of `part` and others, so that `part`
/// is 1 where `size` is 1.
bool isBroadcastOf(Size size, Size part);

} // namespace disc

#endif // DISC_PASSES_SHAPE_SIZEEXPR_H
