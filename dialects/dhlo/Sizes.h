// Size arithmetic shared by type inference and reification.
//
// The shape function of an op is written once, as a template over the kind of
// arithmetic: `StaticSizes` computes on numbers and serves type inference and
// the verifiers, `SizeBuilder` emits `arith` and `tensor.dim` ops and serves
// ReifyRankedShapedTypeOpInterface.
#ifndef DISC_DIALECTS_DHLO_SIZES_H
#define DISC_DIALECTS_DHLO_SIZES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::dhlo {

/// Arithmetic on sizes as numbers; `ShapedType::kDynamic` absorbs.
class StaticSizes {
public:
  using Size = int64_t;

  Size constant(int64_t number) const { return number; }
  Size dim(Value tensor, int64_t index) const;
  /// An element of a tensor that holds sizes; never known here.
  Size element(Value tensor, ArrayRef<int64_t> position) const;
  Size add(Size lhs, Size rhs) const;
  Size sub(Size lhs, Size rhs) const;
  Size mul(Size lhs, Size rhs) const;
  /// Both round towards minus, respectively plus infinity; `rhs` is positive.
  Size floorDiv(Size lhs, Size rhs) const;
  Size ceilDiv(Size lhs, Size rhs) const;
  Size max(Size lhs, Size rhs) const;
  static bool isKnown(Size size) { return !ShapedType::isDynamic(size); }
};

/// Arithmetic on sizes as SSA values of type `index`; constants stay attributes.
class SizeBuilder {
public:
  using Size = OpFoldResult;

  SizeBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Size constant(int64_t number) const { return builder.getIndexAttr(number); }
  /// A number where the type is static, the size that `dhlo.tie_shape` gives
  /// where it defines `tensor`, otherwise `tensor.dim`.
  Size dim(Value tensor, int64_t index);
  Size element(Value tensor, ArrayRef<int64_t> position);
  Size add(Size lhs, Size rhs);
  Size sub(Size lhs, Size rhs);
  Size mul(Size lhs, Size rhs);
  Size floorDiv(Size lhs, Size rhs);
  Size ceilDiv(Size lhs, Size rhs);
  Size max(Size lhs, Size rhs);

  /// `sizes` as the reification of a value of type `type`: an attribute where
  /// the type is static, an SSA value elsewhere.
  SmallVector<OpFoldResult> conform(Type type, ArrayRef<OpFoldResult> sizes);
  Value materialize(Size size);

private:
  template <typename ArithOp>
  Size emit(Size lhs, Size rhs);

  OpBuilder &builder;
  Location loc;
  /// What `dim` gave; such values are not negative.
  llvm::SmallDenseSet<Value, 4> dims;
};

/// The sizes of all dimensions of `tensor`.
template <typename S>
SmallVector<typename S::Size> dimsOf(Value tensor, S &s) {
  SmallVector<typename S::Size> sizes;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t i = 0; i < rank; ++i)
    sizes.push_back(s.dim(tensor, i));
  return sizes;
}

/// Whether values of the types `lhs` and `rhs` may be the same at run time:
/// equal element types and ranks, and no two different static sizes.
bool areCompatible(Type lhs, Type rhs);
bool areCompatible(TypeRange lhs, TypeRange rhs);

/// Element types of `tensor`, whatever its shape.
Type elementTypeOf(Value tensor);
/// The ranked tensor type and the rank of `tensor`.
RankedTensorType tensorTypeOf(Value tensor);
int64_t rankOf(Value tensor);

} // namespace mlir::dhlo

/// Defines `reifyResultShapes` of an op with one result from its shape
/// function `sizesOf(OpType::Adaptor, S &)`.
#define DHLO_REIFY(OpType)                                                     \
  LogicalResult OpType::reifyResultShapes(                                     \
      OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {               \
    SizeBuilder s(builder, getLoc());                                          \
    Type type = (*this)->getResult(0).getType();                               \
    shapes.push_back(s.conform(type, sizesOf(OpType::Adaptor(*this), s)));     \
    return success();                                                          \
  }

/// The same for an op whose results all have the sizes of the first operand.
#define DHLO_REIFY_LIKE_FIRST_OPERAND(OpType)                                  \
  LogicalResult OpType::reifyResultShapes(                                     \
      OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {               \
    SizeBuilder s(builder, getLoc());                                          \
    for (Value result : (*this)->getResults())                                 \
      shapes.push_back(                                                        \
          s.conform(result.getType(), dimsOf((*this)->getOperand(0), s)));     \
    return success();                                                          \
  }

#endif // DISC_DIALECTS_DHLO_SIZES_H
