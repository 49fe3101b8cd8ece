// Element type predicates, and inference and reification of elementwise ops.
#ifndef DISC_DIALECTS_DHLO_DHLOUTILS_H
#define DISC_DIALECTS_DHLO_DHLOUTILS_H

#include "dialects/dhlo/Sizes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace mlir::dhlo {

bool isPredType(Type type);
bool isSIntType(Type type);
/// Integers wider than i1 of any signedness, and index.
bool isIntType(Type type);
bool isPredOrIntType(Type type);
bool isFloatType(Type type);
bool isComplexType(Type type);
bool isQuantizedType(Type type);
bool isElementType(Type type);

/// Whether elements of the two types are the same up to quantization
/// parameters: a quantized type goes with quantized types of the same expressed
/// type, and with the expressed type itself.
bool sameElementTypeUpToQuantization(Type lhs, Type rhs);

/// How the result of an elementwise op follows from its operands.
enum class ElementRule {
  Same,          ///< the element type of the first operand
  Pred,          ///< i1
  RealOfComplex, ///< T of complex<T>, others unchanged
  ComplexOfReal, ///< complex<T> of T
  Select,        ///< pred (scalar or not), on_true, on_false
  Clamp,         ///< min, operand, max: the outer two may be scalars
};

/// Infers the one result of the elementwise op `name`: the most specific shape
/// that all operands allow. Names the operands that disagree.
LogicalResult inferElementwise(std::optional<Location> loc, StringRef name,
                               ValueRange operands, ElementRule rule,
                               SmallVectorImpl<Type> &types);

/// Sizes of results that have the shape of the operands of their rank: numbers
/// where the result or such an operand is static, otherwise the size of the
/// first such operand.
LogicalResult reifyElementwise(Operation *op, OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes);

/// The sizes of all dimensions of `tensor`: numbers where static, the operands
/// of the `dhlo.tie_shape` that defines it, otherwise `tensor.dim`.
SmallVector<OpFoldResult> getMixedSizes(OpBuilder &builder, Location loc,
                                        Value tensor);

/// Whether the types written may stand for those inferred.
inline bool areCompatibleTypes(TypeRange inferred, TypeRange actual) {
  return areCompatible(inferred, actual);
}

} // namespace mlir::dhlo

namespace mlir::OpTrait::dhlo {

/// Marks ops that compute every result element from the operand elements of
/// the same position (scalars stand for all positions).
template <typename ConcreteType>
class Elementwise : public TraitBase<ConcreteType, Elementwise> {};

namespace impl {
LogicalResult verifySameElementType(Operation *op);
} // namespace impl

/// All operands and results have the same element type, up to quantization.
template <typename ConcreteType>
class SameElementType : public TraitBase<ConcreteType, SameElementType> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return impl::verifySameElementType(op);
  }
};

} // namespace mlir::OpTrait::dhlo

#endif // DISC_DIALECTS_DHLO_DHLOUTILS_H
