// Control flow, tuples, calls, sizes of dimensions, and the ops of our own.

#ifndef DISC_DIALECTS_DHLO_CONTROL_OPS_TD
#define DISC_DIALECTS_DHLO_CONTROL_OPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "dialects/dhlo/DhloBase.td"

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

def Dhlo_ReturnOp : Dhlo_Op<"return", [Pure, Terminator]> {
  let summary = "Results of a region";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
  let builders = [OpBuilder<(ins), [{}]>];
}

class Dhlo_ControlOp<string mnemonic, list<Trait> traits = []>
    : Dhlo_Op<mnemonic, traits # [RecursiveMemoryEffects,
        SingleBlockImplicitTerminator<"::mlir::dhlo::ReturnOp">]>;

def Dhlo_IfOp : Dhlo_ControlOp<"if"> {
  let summary = "One of two regions, by a predicate";
  let arguments = (ins Dhlo_ScalarPredTensor:$pred);
  let regions = (region SizedRegion<1>:$true_branch,
                        SizedRegion<1>:$false_branch);
  let results = (outs Variadic<Dhlo_TensorOrToken>);
  let hasVerifier = 1;
}

def Dhlo_CaseOp : Dhlo_ControlOp<"case"> {
  let summary = "One of several regions; the last when `index` is out of range";
  let arguments = (ins Dhlo_ScalarIntTensor:$index);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let results = (outs Variadic<Dhlo_TensorOrToken>);
  let hasVerifier = 1;
}

def Dhlo_WhileOp : Dhlo_ControlOp<"while", [
    DeclareOpInterfaceMethods<OpAsmOpInterface,
                              ["getAsmBlockArgumentNames"]>]> {
  let summary = "`body` while `cond` holds";
  let arguments = (ins Variadic<Dhlo_TensorTokenOrTuple>:$operand);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let results = (outs Variadic<Dhlo_TensorTokenOrTuple>);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Dhlo_MapOp : Dhlo_Op<"map", [RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"::mlir::dhlo::ReturnOp">,
    ReifyRankedShapedTypeOpInterface]> {
  let summary = "A region applied to every element";
  let arguments = (ins Variadic<Dhlo_Tensor>:$inputs,
                       DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Dhlo_Tensor:$result);
  let extraClassDeclaration = Dhlo_ReifyElementwise;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tuples, barriers, calls
//===----------------------------------------------------------------------===//

def Dhlo_TupleOp : Dhlo_Op<"tuple", [Pure]> {
  let summary = "A tuple of its operands";
  let arguments = (ins Variadic<Dhlo_TensorTokenOrTuple>:$val);
  let results = (outs Dhlo_Tuple:$result);
  let assemblyFormat =
      "$val attr-dict `:` custom<TupleOpType>(type($val), type($result))";
}

def Dhlo_GetTupleElementOp : Dhlo_Op<"get_tuple_element", [Pure]> {
  let summary = "One element of a tuple";
  let arguments = (ins Dhlo_Tuple:$operand, I32Attr:$index);
  let results = (outs Dhlo_TensorTokenOrTuple:$result);
  let assemblyFormat = [{
    $operand `[` $index `]` attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Dhlo_OptimizationBarrierOp : Dhlo_ReifyOp<"optimization_barrier", [Pure]> {
  let summary = "Nothing moves across it";
  let arguments = (ins Variadic<Dhlo_TensorOrToken>:$operand);
  let results = (outs Variadic<Dhlo_TensorOrToken>:$result);
  let assemblyFormat = [{
    attr-dict ($operand^ `:` custom<PairwiseOpType>(type($operand),
    type($result))):(`(` `)`)?
  }];
  let hasVerifier = 1;
}

def Dhlo_CustomCallOp : Dhlo_Op<"custom_call",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "An implementation-defined op, by name";
  let arguments = (ins
    Variadic<Dhlo_TensorTokenOrTuple>:$inputs,
    StrAttr:$call_target_name,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
    OptionalAttr<AnyAttrOf<[StrAttr, DictionaryAttr]>>:$backend_config,
    DefaultValuedOptionalAttr<Dhlo_CustomCallApiVersionAttr,
        "::mlir::dhlo::CustomCallApiVersion::API_VERSION_ORIGINAL">
        :$api_version,
    OptionalAttr<FlatSymbolRefArrayAttr>:$called_computations,
    OptionalAttr<ArrayAttr>:$operand_layouts,
    OptionalAttr<ArrayAttr>:$result_layouts,
    OptionalAttr<TypedArrayAttrBase<Dhlo_OutputOperandAliasAttr, "aliases">>
        :$output_operand_aliases);
  let results = (outs Variadic<Dhlo_TensorTokenOrTuple>);
  let assemblyFormat = [{
    custom<CustomCallTarget>($call_target_name) `(` $inputs `)` attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Dhlo_CompositeOp : Dhlo_Op<"composite"> {
  let summary = "A named op that a function decomposes";
  let arguments = (ins
    Variadic<Dhlo_TensorTokenOrTuple>:$inputs,
    StrAttr:$name,
    OptionalAttr<DictionaryAttr>:$composite_attributes,
    FlatSymbolRefAttr:$decomposition,
    DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let results = (outs Variadic<Dhlo_TensorTokenOrTuple>);
  let assemblyFormat =
      "$name $inputs attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Sizes of dimensions
//===----------------------------------------------------------------------===//

def Dhlo_GetDimensionSizeOp : Dhlo_InferOp<"get_dimension_size", [Pure]> {
  let summary = "The size of a dimension";
  let arguments = (ins Dhlo_Tensor:$operand, I64Attr:$dimension);
  let results = (outs Dhlo_ScalarIntTensor:$result);
  let assemblyFormat = [{
    $operand `,` `dim` `=` $dimension attr-dict
    `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Dhlo_SetDimensionSizeOp : Dhlo_ReifyOp<"set_dimension_size", [Pure]> {
  let summary = "The leading `size` elements of a dimension";
  let arguments = (ins Dhlo_Tensor:$operand, Dhlo_ScalarIntTensor:$size,
                       I64Attr:$dimension);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $size `,` `dim` `=` $dimension attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Ops of dhlo alone
//===----------------------------------------------------------------------===//

def Dhlo_TieShapeOp : Dhlo_ReifyOp<"tie_shape", [Pure,
    AllTypesMatch<["value", "result"]>]> {
  let summary = "A tensor whose dynamic sizes are the given values";
  let description = [{
    One operand for every dynamic dimension, in order:
    `%r = dhlo.tie_shape %t, %d0, %d1 : tensor<?x4x?xf32>`.
  }];
  let arguments = (ins Dhlo_Tensor:$value, Variadic<Index>:$sizes);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = "$value (`,` $sizes^)? attr-dict `:` type($value)";
  let extraClassDeclaration = [{
    /// The size of dimension `dim`: an attribute where it is static.
    ::mlir::OpFoldResult getMixedSize(int64_t dim);
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Dhlo_FusionOp : Dhlo_ControlOp<"fusion", [
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "Ops that become one kernel";
  let description = [{
    Every tensor operand enters through a block argument; index and scalar
    values may be captured. In one of kind "stitch" the body holds matrix products
    and fusions that hand on rows to each other.

    ```mlir
    %r = dhlo.fusion "loop" (%a = %x : tensor<?xf32>) -> tensor<?xf32> {
      %0 = dhlo.exponential %a : tensor<?xf32>
      dhlo.return %0 : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Dhlo_Tensor>:$inputs, StrAttr:$kind);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Dhlo_Tensor>:$outputs);
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// The values that the body returns.
    ::mlir::OperandRange getYielded() {
      return getBlock().getTerminator()->getOperands();
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // DISC_DIALECTS_DHLO_CONTROL_OPS_TD
