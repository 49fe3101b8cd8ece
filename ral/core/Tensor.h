// Arithmetic on the sizes and strides of ral_tensor.
#ifndef RAL_CORE_TENSOR_H
#define RAL_CORE_TENSOR_H

#include "disc/ral.h"

namespace ral {

/// Elements, or -1 on overflow or a negative size.
inline int64_t elementCount(const int64_t *sizes, int64_t rank) {
  int64_t count = 1;
  bool overflow = false;
  for (int64_t i = 0; i < rank; ++i) {
    if (sizes[i] < 0)
      return -1;
    if (sizes[i] == 0)
      return 0;
    overflow |= __builtin_mul_overflow(count, sizes[i], &count);
  }
  return overflow ? -1 : count;
}

/// Bytes, or -1 on overflow or a negative size.
inline int64_t byteCount(const int64_t *sizes, int64_t rank, int32_t dtype) {
  int64_t bytes;
  int64_t count = elementCount(sizes, rank);
  if (count < 0 ||
      __builtin_mul_overflow(count, ral_dtype_bytes(dtype), &bytes))
    return -1;
  return bytes;
}

inline bool isContiguous(const ral_tensor &tensor) {
  if (!tensor.strides || elementCount(tensor.sizes, tensor.rank) == 0)
    return true;
  int64_t expected = 1;
  for (int32_t i = tensor.rank - 1; i >= 0; --i) {
    if (tensor.sizes[i] != 1 && tensor.strides[i] != expected)
      return false;
    expected *= tensor.sizes[i];
  }
  return true;
}

/// Copies a strided tensor to contiguous memory.
void pack(const ral_tensor &tensor, void *out);

} // namespace ral
#endif
