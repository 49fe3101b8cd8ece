// The lmhlo_disc dialect: destination-passing HLO and runtime ops.
#ifndef DISC_DIALECTS_LMHLO_DISC_LMHLODISC_H
#define DISC_DIALECTS_LMHLO_DISC_LMHLODISC_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/lmhlo_disc/LmhloDiscDialect.h.inc"

#define GET_OP_CLASSES
#include "dialects/lmhlo_disc/LmhloDiscOps.h.inc"

namespace mlir::lmhlo_disc {

/// Registers the dialect, its bufferization models and upstream's.
void registerLmhloDiscDialect(DialectRegistry &registry);

/// Registers the bufferization models of this dialect's ops alone.
void registerBufferizationModels(DialectRegistry &registry);

} // namespace mlir::lmhlo_disc

#endif // DISC_DIALECTS_LMHLO_DISC_LMHLODISC_H
