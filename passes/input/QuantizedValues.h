// Quantized values as arithmetic on plain tensors.
#ifndef DISC_PASSES_INPUT_QUANTIZEDVALUES_H
#define DISC_PASSES_INPUT_QUANTIZEDVALUES_H

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace disc {

/// The parameters of a quantized element type: real = (stored - zero) * scale.
struct Quantization {
  mlir::IntegerType storage;
  mlir::FloatType expressed;
  int64_t min, max;
  /// One entry, or one for each slice of dimension `axis`.
  llvm::SmallVector<double> scales;
  llvm::SmallVector<int64_t> zeroPoints;
  int64_t axis = 0;

  explicit Quantization(mlir::quant::QuantizedType type);

  bool hasZeroPoints() const;
};

/// The quantized element type of a value of type `type`; null if it has none.
mlir::quant::QuantizedType quantizedElementOf(mlir::Type type);

/// One number, or one for each slice of dimension `axis`, in the shape of
/// `like` and of the element type `element`.
mlir::Value spread(mlir::OpBuilder &b, mlir::Location loc,
                   llvm::ArrayRef<double> numbers, int64_t axis,
                   mlir::Value like, mlir::Type element);

/// stored - zero point, in a wider integer type.
mlir::Value subtractZeroPoint(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::Value stored, const Quantization &from);

/// The real numbers, in the expressed type.
mlir::Value dequantize(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value stored, const Quantization &from);

/// The stored integers of the nearest quantized numbers, ties to even.
mlir::Value quantize(mlir::OpBuilder &b, mlir::Location loc, mlir::Value real,
                     const Quantization &to);

/// The second half of it: adds the zero point to real / scale, clamps, rounds.
mlir::Value store(mlir::OpBuilder &b, mlir::Location loc, mlir::Value scaled,
                  const Quantization &to);

/// dot_general or convolution of two quantized operands, to a quantized result:
/// sums of products of integers, scaled and rounded once.
void expandQuantizedProduct(mlir::Operation *op);

} // namespace disc

#endif // DISC_PASSES_INPUT_QUANTIZEDVALUES_H
