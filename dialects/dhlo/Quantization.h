// Quantized element types, and what StableHLO asks of ops with them.
#ifndef DISC_DIALECTS_DHLO_QUANTIZATION_H
#define DISC_DIALECTS_DHLO_QUANTIZATION_H

#include "dialects/dhlo/Dhlo.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

namespace mlir::dhlo {

/// The integers that hold the elements of a quantized type: signless for signed
/// storage, unsigned for unsigned storage.
IntegerType storageTypeOf(quant::QuantizedType type);

/// The dimension whose slices have scales of their own; none for other types.
std::optional<int64_t> quantizedAxisOf(Type element);

/// `element` with that dimension moved to `axis`; other types unchanged.
Type withQuantizedAxis(Type element, int64_t axis);

/// The dimension of the result of `op` that has the scales of the quantized
/// dimension of `rhs`.
std::optional<int64_t> quantizedAxisOfProduct(DotGeneralOp op);

/// Checks the quantized types of operands and results of `op`: their parameters,
/// that ops which keep elements as they are keep the parameters, and the
/// dimensions with several scales. Not part of the op's verifier: only the
/// phase `input` knows quantized types, and it asks once.
LogicalResult verifyQuantization(Operation *op);

} // namespace mlir::dhlo

#endif // DISC_DIALECTS_DHLO_QUANTIZATION_H
