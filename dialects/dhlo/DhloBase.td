// Type constraints and op classes of dhlo.

#ifndef DISC_DIALECTS_DHLO_BASE_TD
#define DISC_DIALECTS_DHLO_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/dhlo/DhloAttrs.td"

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

class Dhlo_Element<string predicate, string summary>
    : Type<CPred<"::mlir::dhlo::" # predicate # "($_self)">, summary>;

def Dhlo_Pred : Dhlo_Element<"isPredType", "i1">;
// Signless (signed by meaning), unsigned and index.
def Dhlo_SInt : Dhlo_Element<"isSIntType", "signed integer">;
def Dhlo_Int : Dhlo_Element<"isIntType", "integer or index">;
def Dhlo_PredOrInt : Dhlo_Element<"isPredOrIntType", "i1, integer or index">;
def Dhlo_Float : Dhlo_Element<"isFloatType", "floating point">;
def Dhlo_Complex : Dhlo_Element<"isComplexType", "complex<f32> or complex<f64>">;
def Dhlo_Quantized : Dhlo_Element<"isQuantizedType", "quantized">;
def Dhlo_AnyElement : Dhlo_Element<"isElementType",
    "i1, integer, index, floating point, complex or quantized">;

//===----------------------------------------------------------------------===//
// Tensors; always ranked
//===----------------------------------------------------------------------===//

class Dhlo_TensorOf<list<Type> elements> : RankedTensorOf<elements>;

def Dhlo_Tensor : Dhlo_TensorOf<[Dhlo_AnyElement]>;
def Dhlo_PredTensor : Dhlo_TensorOf<[Dhlo_Pred]>;
def Dhlo_IntTensor : Dhlo_TensorOf<[Dhlo_Int]>;
def Dhlo_PredOrIntTensor : Dhlo_TensorOf<[Dhlo_PredOrInt]>;
def Dhlo_FpTensor : Dhlo_TensorOf<[Dhlo_Float]>;
def Dhlo_ComplexTensor : Dhlo_TensorOf<[Dhlo_Complex]>;
def Dhlo_QuantizedTensor : Dhlo_TensorOf<[Dhlo_Quantized]>;
def Dhlo_FpOrQuantizedTensor : Dhlo_TensorOf<[Dhlo_Float, Dhlo_Quantized]>;
def Dhlo_FpOrComplexTensor : Dhlo_TensorOf<[Dhlo_Float, Dhlo_Complex]>;
def Dhlo_FpComplexOrQuantizedTensor
    : Dhlo_TensorOf<[Dhlo_Float, Dhlo_Complex, Dhlo_Quantized]>;
def Dhlo_IntFpOrComplexTensor
    : Dhlo_TensorOf<[Dhlo_Int, Dhlo_Float, Dhlo_Complex]>;
def Dhlo_IntFpComplexOrQuantizedTensor
    : Dhlo_TensorOf<[Dhlo_Int, Dhlo_Float, Dhlo_Complex, Dhlo_Quantized]>;
def Dhlo_SIntFpComplexOrQuantizedTensor
    : Dhlo_TensorOf<[Dhlo_SInt, Dhlo_Float, Dhlo_Complex, Dhlo_Quantized]>;
// A 1-D tensor of sizes or positions.
def Dhlo_DimensionTensor : 1DTensorOf<[Dhlo_Int]>;
def Dhlo_ScalarIntTensor : 0DTensorOf<[Dhlo_Int]>;
def Dhlo_ScalarPredTensor : 0DTensorOf<[Dhlo_Pred]>;
def Dhlo_ScalarTensor : 0DTensorOf<[Dhlo_AnyElement]>;

def Dhlo_StaticTensor : Type<
    And<[Dhlo_Tensor.predicate, HasStaticShapePred]>,
    "statically shaped tensor", "::mlir::RankedTensorType">;

def Dhlo_Token : Type<CPred<"::llvm::isa<::mlir::dhlo::TokenType>($_self)">,
    "token">;
def Dhlo_Tuple : NestedTupleOf<[Dhlo_Tensor, Dhlo_Token]>;
def Dhlo_TensorOrToken : AnyTypeOf<[Dhlo_Tensor, Dhlo_Token]>;
def Dhlo_TensorOrTuple : AnyTypeOf<[Dhlo_Tensor, Dhlo_Tuple]>;
def Dhlo_TensorTokenOrTuple : AnyTypeOf<[Dhlo_Tensor, Dhlo_Token, Dhlo_Tuple]>;

//===----------------------------------------------------------------------===//
// Op classes
//===----------------------------------------------------------------------===//

// Marks ops that compute every result element from the operand elements of the
// same position: `op->hasTrait<OpTrait::dhlo::Elementwise>()`.
def Dhlo_ElementwiseTrait : NativeOpTrait<"dhlo::Elementwise">;

// The results' element types equal the operands' ones, up to quantization.
def Dhlo_SameElementType : NativeOpTrait<"dhlo::SameElementType">;

def Dhlo_Reify : DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
    ["reifyResultShapes"]>;
def Dhlo_Infer : DeclareOpInterfaceMethods<InferTypeOpInterface>;

// Member that lets a result be less, or more, static than the inferred type.
// An op of the classes below that declares more writes
// `let extraClassDeclaration = !strconcat(Dhlo_CompatibleTypes, [{...}]);`.
defvar Dhlo_CompatibleTypes = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange lhs,
                                        ::mlir::TypeRange rhs) {
      return ::mlir::dhlo::areCompatible(lhs, rhs);
    }
}];

class Dhlo_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dhlo_Dialect, mnemonic, traits>;

// Sizes reified by the op's own `reifyResultShapes`.
class Dhlo_ReifyOp<string mnemonic, list<Trait> traits = []>
    : Dhlo_Op<mnemonic, traits # [Dhlo_Reify]>;

// Types inferred by the op's own `inferReturnTypes`, sizes reified by its own
// `reifyResultShapes`.
class Dhlo_InferOp<string mnemonic, list<Trait> traits = []>
    : Dhlo_Op<mnemonic, traits # [Dhlo_Infer, Dhlo_Reify]> {
  let extraClassDeclaration = Dhlo_CompatibleTypes;
}

// Reifies from the first operand of the result's rank (DhloUtils.h).
defvar Dhlo_ReifyElementwise = [{
    ::llvm::LogicalResult
    reifyResultShapes(::mlir::OpBuilder &builder,
                      ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::mlir::dhlo::reifyElementwise(getOperation(), builder, shapes);
    }
}];

// Infers by one of the rules of `ElementRule` (DhloUtils.h).
class Dhlo_InferElementwise<string rule> {
  code decl = !strconcat([{
    static ::llvm::LogicalResult
    inferReturnTypes(::mlir::MLIRContext *,
                     std::optional<::mlir::Location> location,
                     ::mlir::ValueRange operands, ::mlir::DictionaryAttr,
                     ::mlir::OpaqueProperties, ::mlir::RegionRange,
                     ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::mlir::dhlo::inferElementwise(
          location, getOperationName(), operands,
          ::mlir::dhlo::ElementRule::}], rule, [{, types);
    }
}], Dhlo_CompatibleTypes);
}

// An elementwise op whose result types are not inferable.
class Dhlo_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Dhlo_Op<mnemonic, traits # [
        Pure, Dhlo_ElementwiseTrait, ReifyRankedShapedTypeOpInterface]> {
  let extraClassDeclaration = Dhlo_ReifyElementwise;
}

// An elementwise op whose result type follows from its operands by `rule`.
class Dhlo_InferredElementwiseOp<string mnemonic, string rule,
                                 list<Trait> traits = []>
    : Dhlo_ElementwiseOp<mnemonic, traits # [InferTypeOpInterface]> {
  let extraClassDeclaration =
      Dhlo_ReifyElementwise # Dhlo_InferElementwise<rule>.decl;
}

#endif // DISC_DIALECTS_DHLO_BASE_TD
