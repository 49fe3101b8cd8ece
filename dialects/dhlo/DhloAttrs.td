// Attributes and types with StableHLO's spelling.

#ifndef DISC_DIALECTS_DHLO_ATTRS_TD
#define DISC_DIALECTS_DHLO_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "dialects/dhlo/DhloEnums.td"

class Dhlo_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Dhlo_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Dhlo_Dims : ArrayRefParameter<"int64_t", "dimensions">;

def Dhlo_DotDimensionNumbersAttr : Dhlo_Attr<"DotDimensionNumbers", "dot"> {
  let summary = "Which dimensions of a dot are batch and contracting ones.";
  let parameters = (ins
    Dhlo_Dims:$lhsBatchingDimensions,
    Dhlo_Dims:$rhsBatchingDimensions,
    Dhlo_Dims:$lhsContractingDimensions,
    Dhlo_Dims:$rhsContractingDimensions);
  let hasCustomAssemblyFormat = 1;
}

def Dhlo_DotAlgorithmAttr : Dhlo_Attr<"DotAlgorithm", "dot_algorithm"> {
  let summary = "The algorithm a dot must be computed with.";
  let parameters = (ins
    "Type":$lhsPrecisionType,
    "Type":$rhsPrecisionType,
    "Type":$accumulationType,
    "int64_t":$lhsComponentCount,
    "int64_t":$rhsComponentCount,
    "int64_t":$numPrimitiveOperations,
    "bool":$allowImpreciseAccumulation);
  // Written out by hand: StableHLO's field names are snake case.
  let hasCustomAssemblyFormat = 1;
}

def Dhlo_GatherDimensionNumbersAttr
    : Dhlo_Attr<"GatherDimensionNumbers", "gather"> {
  let summary = "How gather maps result dimensions to operand dimensions.";
  let parameters = (ins
    Dhlo_Dims:$offsetDims,
    Dhlo_Dims:$collapsedSliceDims,
    Dhlo_Dims:$operandBatchingDims,
    Dhlo_Dims:$startIndicesBatchingDims,
    Dhlo_Dims:$startIndexMap,
    "int64_t":$indexVectorDim);
  let hasCustomAssemblyFormat = 1;
}

def Dhlo_ScatterDimensionNumbersAttr
    : Dhlo_Attr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "How scatter maps update dimensions to input dimensions.";
  let parameters = (ins
    Dhlo_Dims:$updateWindowDims,
    Dhlo_Dims:$insertedWindowDims,
    Dhlo_Dims:$inputBatchingDims,
    Dhlo_Dims:$scatterIndicesBatchingDims,
    Dhlo_Dims:$scatterDimsToOperandDims,
    "int64_t":$indexVectorDim);
  let hasCustomAssemblyFormat = 1;
}

def Dhlo_ConvDimensionNumbersAttr : Dhlo_Attr<"ConvDimensionNumbers", "conv"> {
  let summary = "The layout of a convolution: `[b, 0, f]x[0, i, o]->[b, 0, f]`.";
  let parameters = (ins
    "int64_t":$inputBatchDimension,
    "int64_t":$inputFeatureDimension,
    Dhlo_Dims:$inputSpatialDimensions,
    "int64_t":$kernelInputFeatureDimension,
    "int64_t":$kernelOutputFeatureDimension,
    Dhlo_Dims:$kernelSpatialDimensions,
    "int64_t":$outputBatchDimension,
    "int64_t":$outputFeatureDimension,
    Dhlo_Dims:$outputSpatialDimensions);
  let hasCustomAssemblyFormat = 1;
}

def Dhlo_ChannelHandleAttr : Dhlo_Attr<"ChannelHandle", "channel_handle"> {
  let summary = "A communication channel between distributed computations.";
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Dhlo_OutputOperandAliasAttr
    : Dhlo_Attr<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "A result of a custom call that aliases one of its operands.";
  let parameters = (ins
    Dhlo_Dims:$outputTupleIndices,
    "int64_t":$operandIndex,
    Dhlo_Dims:$operandTupleIndices);
  let hasCustomAssemblyFormat = 1;
}

def Dhlo_ResultAccuracyAttr : Dhlo_Attr<"ResultAccuracy", "result_accuracy"> {
  let summary = "The accuracy asked of a transcendental function.";
  let parameters = (ins
    "::llvm::APFloat":$atol,
    "::llvm::APFloat":$rtol,
    "int64_t":$ulps,
    "::mlir::dhlo::ResultAccuracyModeAttr":$mode);
  let hasCustomAssemblyFormat = 1;
}

def Dhlo_TypeExtensionsAttr : Dhlo_Attr<"TypeExtensions", "bounds",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "Upper bounds of a tensor's dynamic dimensions.";
  let parameters = (ins Dhlo_Dims:$bounds);
  let hasCustomAssemblyFormat = 1;
}

def Dhlo_TokenType : TypeDef<Dhlo_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "Orders side-effecting ops.";
}

#endif // DISC_DIALECTS_DHLO_ATTRS_TD
