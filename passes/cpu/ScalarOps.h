// Scalar code for every elementwise dhlo op: one straight-line value per
// element.
//
// The element emitter asks for the value of an op at one index; what it gets is
// arith/math code without control flow and, for types up to 32 bits, without
// calls, so that a loop around it vectorises. The semantics are those of the
// numeric contract; docs/numerics.md states the error bound of each function.
#ifndef DISC_PASSES_CPU_SCALAROPS_H
#define DISC_PASSES_CPU_SCALAROPS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"

namespace disc {

/// The type of an element in a register: signless integers (ui8 -> i8), floats
/// of 16 bits and more, index and complex as they are; narrower floats as the
/// integer of their bits, quantized types as their storage type.
mlir::Type scalarType(mlir::Type elementType);

/// The type of an element in memory: as `scalarType`, but whatever is narrower
/// than a byte takes a byte.
mlir::Type storageType(mlir::Type elementType);

/// Emits the value of the elementwise dhlo op `op` for operands of scalar type.
/// Signedness and attributes are read off `op`, whose operand and result types
/// may be tensors of any rank. Returns a value of
/// `scalarType(resultElementType)`, or null when `op` is not elementwise.
mlir::Value emitScalarOp(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Operation *op, mlir::ValueRange operands,
                         mlir::Type resultElementType);

/// Whether `emitScalarOp` knows `op`.
bool isScalarOp(mlir::Operation *op);

/// Emits the constant `value` (an IntegerAttr, FloatAttr, or an ArrayAttr of
/// two floats for complex) as `scalarType(elementType)`.
mlir::Value emitConstantScalar(mlir::OpBuilder &b, mlir::Location loc,
                               mlir::Attribute value, mlir::Type elementType);

/// Emits a load of one element as its scalar type. The memref has a tensor's
/// element type (ui8, i1, ...) or its storage type, in which case `elementType`
/// tells what it stands for.
mlir::Value emitLoad(mlir::OpBuilder &b, mlir::Location loc, mlir::Value memref,
                     mlir::ValueRange indices, mlir::Type elementType = {});

/// Emits a store of one element of scalar type; the counterpart of `emitLoad`.
void emitStore(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
               mlir::Value memref, mlir::ValueRange indices,
               mlir::Type elementType = {});

/// Emits the conversion of a scalar that stands for an element of type `from`
/// to one of type `to`, as `dhlo.convert` does it.
mlir::Value emitConvert(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value value, mlir::Type from, mlir::Type to);

} // namespace disc

#endif // DISC_PASSES_CPU_SCALAROPS_H
