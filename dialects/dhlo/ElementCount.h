// Numbers of elements that an i64 may not hold.
#ifndef DISC_DIALECTS_DHLO_ELEMENTCOUNT_H
#define DISC_DIALECTS_DHLO_ELEMENTCOUNT_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

namespace mlir::dhlo {

/// The product of the known sizes other than 0; none where it is past the end
/// of i64. MLIR multiplies such sizes without looking.
inline std::optional<int64_t> productOfSizes(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    if (size > 0 && llvm::MulOverflow(product, size, product))
      return std::nullopt;
  return product;
}

} // namespace mlir::dhlo

#endif // DISC_DIALECTS_DHLO_ELEMENTCOUNT_H
