// Everything of the dhlo dialect: attributes, types, ops and their helpers.
#ifndef DISC_DIALECTS_DHLO_DHLO_H
#define DISC_DIALECTS_DHLO_DHLO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/dhlo/DhloDialect.h"
#include "dialects/dhlo/DhloEnums.h.inc"
#include "dialects/dhlo/DhloTypeAssembly.h"
#include "dialects/dhlo/DhloUtils.h"

#define GET_ATTRDEF_CLASSES
#include "dialects/dhlo/DhloAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/dhlo/DhloTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/dhlo/DhloControlOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/dhlo/DhloElementwiseOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/dhlo/DhloChloOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/dhlo/DhloDistributedOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/dhlo/DhloShapeOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/dhlo/DhloIndexingOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/dhlo/DhloReductionOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/dhlo/DhloContractionOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/dhlo/DhloLinalgOps.h.inc"

#endif // DISC_DIALECTS_DHLO_DHLO_H
