// The dhlo dialect definition.

#ifndef DISC_DIALECTS_DHLO_DIALECT_TD
#define DISC_DIALECTS_DHLO_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Dhlo_Dialect : Dialect {
  let name = "dhlo";
  let cppNamespace = "::mlir::dhlo";
  let summary = "HLO with full dynamic-shape semantics";
  let description = [{
    The StableHLO op set with static ranks and SSA sizes, the CHLO ops that
    frontends emit, and `dhlo.fusion` and `dhlo.tie_shape`. Operand names,
    attributes and assembly are StableHLO's; `stablehlo.`, `mhlo.` and `chlo.`
    spellings parse straight into this dialect.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::quant::QuantDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerOperations();
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

#endif // DISC_DIALECTS_DHLO_DIALECT_TD
