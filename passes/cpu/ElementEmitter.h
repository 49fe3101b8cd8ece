// The value of any tensor of a fusion's body at one index, as scalar code.
#ifndef DISC_PASSES_CPU_ELEMENTEMITTER_H
#define DISC_PASSES_CPU_ELEMENTEMITTER_H

#include "mlir/IR/Builders.h"
#include "passes/cpu/Site.h"
#include "passes/cpu/SizeClasses.h"

namespace disc {

class ElementEmitter;

/// One question put to a family of ops: the value of `result` at `index`, by code at `b`.
struct ElementRequest {
  ElementEmitter &e;
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::OpResult result;
  mlir::ValueRange index;

  mlir::RankedTensorType type() const { return mlir::cast<mlir::RankedTensorType>(result.getType()); }
  mlir::Type elementType() const { return type().getElementType(); }
};

/// Computes elements recursively, from the asked one down to loads of the inputs. Within a scope the element of a tensor at an index is
/// computed once; indices are the same when they are the same SSA values.
/// Whether `tensor` is known to have a single element.
inline bool isOneElement(mlir::Value tensor) {
  auto type = llvm::cast<mlir::RankedTensorType>(tensor.getType());
  return type.hasStaticShape() && type.getNumElements() == 1;
}

class ElementEmitter {
public:
  explicit ElementEmitter(Site &site);

  /// The element of `tensor` at `index`, in its scalar type. On an op that cannot be emitted, reports an error and returns some value.
  mlir::Value emit(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tensor, mlir::ValueRange index);
  /// The element at `index` of `tensor`, as an index; for index computations.
  mlir::Value emitIndex(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tensor, mlir::ValueRange index);
  /// The results of a region on rank-0 tensors (the body of a reduction) for scalar arguments.
  mlir::SmallVector<mlir::Value> emitRegion(mlir::OpBuilder &b, mlir::Location loc, mlir::Region &region, mlir::ValueRange arguments);

  /// The already computed element, or null; and what makes it known in the current scope.
  mlir::Value lookup(mlir::Value tensor, mlir::ValueRange index) const;
  void bind(mlir::Value tensor, mlir::ValueRange index, mlir::Value element);

  /// Sizes, computed in the site's prologue.
  mlir::Value dim(mlir::Value tensor, int64_t i);
  mlir::SmallVector<mlir::Value> dims(mlir::Value tensor);
  mlir::Value constant(int64_t value) { return site.constant(value); }
  /// A scalar that the body computes or captures, or of a reified shape; computed in the prologue.
  mlir::Value scalar(mlir::Value value);

  /// The index at `position`, row-major, in `dims`, which are to be the last dimensions of tensors. Where an access goes to such an index,
  /// `fold` makes it one to the position.
  mlir::SmallVector<mlir::Value> unfold(mlir::OpBuilder &b, mlir::Location loc, mlir::Value position, mlir::ValueRange dims);
  /// Says that the element at `index`, in tensors of sizes `dims`, is the one at `position` of row `row`; the first `count` dimensions
  /// number rows.
  void nameRow(mlir::ValueRange dims, mlir::ValueRange index, unsigned count, mlir::Value row, mlir::Value position);
  /// An index of which the last part is one position, and the part before it perhaps the number of a row.
  struct Folded {
    Fold fold;
    mlir::SmallVector<mlir::Value> index;
  };
  std::optional<Folded> fold(mlir::Value tensor, mlir::ValueRange index);

  /// Reports that `op` cannot be emitted and gives a stand-in element.
  mlir::Value fail(mlir::OpBuilder &b, mlir::Operation *op, mlir::Type elementType, const llvm::Twine &why);
  bool failed() const { return hasFailed; }

  /// What is emitted while this lives is known only until its end: the code goes into a block of its own.
  class Scope {
  public:
    explicit Scope(ElementEmitter &e) : e(e) { e.scopes.emplace_back(); }
    ~Scope() { e.scopes.pop_back(); }
    Scope(const Scope &) = delete;

  private:
    ElementEmitter &e;
  };

  Site &site;

private:
  mlir::Value emitLeaf(mlir::OpBuilder &b, mlir::BlockArgument arg, mlir::ValueRange index);
  mlir::Value emitOp(const ElementRequest &request);
  mlir::SmallVector<mlir::Value> normalise(mlir::Value tensor, mlir::ValueRange index);
  mlir::Value scalarUncached(mlir::Value scalar);
  mlir::Value dimOfClass(llvm::ArrayRef<BodyDim> equal);
  mlir::Value reifiedDim(BodyDim dim);

  struct Unfolded {
    mlir::SmallVector<mlir::Value> dims, index;
    mlir::Value position, row;
    unsigned rowDims = 0;
  };
  llvm::SmallVector<Unfolded> unfolded;

  using Known = llvm::SmallVector<std::pair<llvm::SmallVector<mlir::Value, 4>, mlir::Value>, 1>;
  using Memo = llvm::DenseMap<mlir::Value, Known>;
  SizeClasses sizes;
  llvm::SmallVector<Memo> scopes;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> dimCache;
  llvm::DenseMap<mlir::Value, mlir::Value> scalarCache;
  bool hasFailed = false;
};

/// Each family returns null for the ops that are not its own.
mlir::Value emitIndexMapOp(const ElementRequest &request);    // broadcasts, reshapes, transpose, slices, reverse
mlir::Value emitSourceOp(const ElementRequest &request);      // constants, iota, tensors made of scalars
mlir::Value emitPieceOp(const ElementRequest &request);       // concatenate, pad, dynamic_update_slice
mlir::Value emitReduceOp(const ElementRequest &request);      // reduce, reduce_window, map
mlir::Value emitGatherOp(const ElementRequest &request);      // gather and its relatives
mlir::Value emitContractionOp(const ElementRequest &request); // dot, dot_general, convolution

} // namespace disc

#endif // DISC_PASSES_CPU_ELEMENTEMITTER_H
