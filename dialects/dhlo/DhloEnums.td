// Enumerations with StableHLO's spelling.

#ifndef DISC_DIALECTS_DHLO_ENUMS_TD
#define DISC_DIALECTS_DHLO_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "dialects/dhlo/DhloDialect.td"

// An enumeration and its attribute `#dhlo<mnemonic VALUE>`; inside an op's
// assembly only VALUE is written.
class Dhlo_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::dhlo";
  let genSpecializedAttr = 0;
}
class Dhlo_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Dhlo_Dialect, info, mnemonic>;

class Dhlo_Case<string name, int value> : I32EnumAttrCase<name, value>;

def Dhlo_ComparisonDirection : Dhlo_Enum<"ComparisonDirection",
    "which comparison operation to perform",
    [Dhlo_Case<"EQ", 0>, Dhlo_Case<"NE", 1>, Dhlo_Case<"GE", 2>,
     Dhlo_Case<"GT", 3>, Dhlo_Case<"LE", 4>, Dhlo_Case<"LT", 5>]>;
def Dhlo_ComparisonDirectionAttr
    : Dhlo_EnumAttr<Dhlo_ComparisonDirection, "comparison_direction">;

def Dhlo_ComparisonType : Dhlo_Enum<"ComparisonType",
    "which comparison type to use",
    [Dhlo_Case<"NOTYPE", 0>, Dhlo_Case<"FLOAT", 1>, Dhlo_Case<"TOTALORDER", 2>,
     Dhlo_Case<"SIGNED", 3>, Dhlo_Case<"UNSIGNED", 4>]>;
def Dhlo_ComparisonTypeAttr
    : Dhlo_EnumAttr<Dhlo_ComparisonType, "comparison_type">;

def Dhlo_Precision : Dhlo_Enum<"Precision",
    "XLA precision for an operand; has backend specific meaning",
    [Dhlo_Case<"DEFAULT", 0>, Dhlo_Case<"HIGH", 1>, Dhlo_Case<"HIGHEST", 2>]>;
def Dhlo_PrecisionAttr : Dhlo_EnumAttr<Dhlo_Precision, "precision">;
def Dhlo_PrecisionConfigAttr
    : TypedArrayAttrBase<Dhlo_PrecisionAttr, "precision config attribute">;

def Dhlo_FftType : Dhlo_Enum<"FftType",
    "which fast fourier transform to perform",
    [Dhlo_Case<"FFT", 0>, Dhlo_Case<"IFFT", 1>, Dhlo_Case<"RFFT", 2>,
     Dhlo_Case<"IRFFT", 3>]>;
def Dhlo_FftTypeAttr : Dhlo_EnumAttr<Dhlo_FftType, "fft_type">;

def Dhlo_Transpose : Dhlo_Enum<"Transpose", "how the matrix is transposed",
    [Dhlo_Case<"TRANSPOSE_INVALID", 0>, Dhlo_Case<"NO_TRANSPOSE", 1>,
     Dhlo_Case<"TRANSPOSE", 2>, Dhlo_Case<"ADJOINT", 3>]>;
def Dhlo_TransposeAttr : Dhlo_EnumAttr<Dhlo_Transpose, "transpose">;

def Dhlo_RngDistribution : Dhlo_Enum<"RngDistribution",
    "XLA PRNG distribution to be used",
    [Dhlo_Case<"UNIFORM", 1>, Dhlo_Case<"NORMAL", 2>]>;
def Dhlo_RngDistributionAttr
    : Dhlo_EnumAttr<Dhlo_RngDistribution, "rng_distribution">;

def Dhlo_RngAlgorithm : Dhlo_Enum<"RngAlgorithm",
    "XLA PRNG algorithm to be used",
    [Dhlo_Case<"DEFAULT", 0>, Dhlo_Case<"THREE_FRY", 1>,
     Dhlo_Case<"PHILOX", 2>]>;
def Dhlo_RngAlgorithmAttr : Dhlo_EnumAttr<Dhlo_RngAlgorithm, "rng_algorithm">;

def Dhlo_ResultAccuracyMode : Dhlo_Enum<"ResultAccuracyMode",
    "how the wanted accuracy of a result is given",
    [Dhlo_Case<"DEFAULT", 0>, Dhlo_Case<"HIGHEST", 1>,
     Dhlo_Case<"TOLERANCE", 2>]>;
def Dhlo_ResultAccuracyModeAttr
    : Dhlo_EnumAttr<Dhlo_ResultAccuracyMode, "result_accuracy_mode"> {
  // StableHLO writes this one as `#stablehlo.result_accuracy_mode<DEFAULT>`.
  let assemblyFormat = "`<` $value `>`";
}

// Kept as a plain i32 attribute, as StableHLO does.
def Dhlo_CustomCallApiVersionAttr : I32EnumAttr<"CustomCallApiVersion",
    "Custom call API version",
    [Dhlo_Case<"API_VERSION_UNSPECIFIED", 0>,
     Dhlo_Case<"API_VERSION_ORIGINAL", 1>,
     Dhlo_Case<"API_VERSION_STATUS_RETURNING", 2>,
     Dhlo_Case<"API_VERSION_STATUS_RETURNING_UNIFIED", 3>,
     Dhlo_Case<"API_VERSION_TYPED_FFI", 4>]> {
  let cppNamespace = "::mlir::dhlo";
}

#endif // DISC_DIALECTS_DHLO_ENUMS_TD
