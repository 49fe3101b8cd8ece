// Arithmetic on the sizes and strides of ral_tensor.
#include "core/Tensor.h"

#include <cstring>

using namespace ral;

template <int64_t Bytes>
static char *packRow(const char *from, int64_t n, int64_t stride, char *to) {
  for (int64_t i = 0; i < n; ++i, to += Bytes)
    std::memcpy(to, from + i * stride * Bytes, Bytes);
  return to;
}

static char *packDim(const ral_tensor &tensor, int32_t dim, const char *from,
                     int64_t bytes, char *to) {
  if (dim == tensor.rank) {
    std::memcpy(to, from, bytes);
    return to + bytes;
  }
  int64_t n = tensor.sizes[dim], stride = tensor.strides[dim];
  if (dim == tensor.rank - 1) {
    if (stride == 1) {
      std::memcpy(to, from, n * bytes);
      return to + n * bytes;
    }
    switch (bytes) {
    case 1:
      return packRow<1>(from, n, stride, to);
    case 2:
      return packRow<2>(from, n, stride, to);
    case 4:
      return packRow<4>(from, n, stride, to);
    case 8:
      return packRow<8>(from, n, stride, to);
    default:
      return packRow<16>(from, n, stride, to);
    }
  }
  for (int64_t i = 0; i < n; ++i)
    to = packDim(tensor, dim + 1, from + i * stride * bytes, bytes, to);
  return to;
}

void ral::pack(const ral_tensor &tensor, void *out) {
  if (elementCount(tensor.sizes, tensor.rank) > 0)
    packDim(tensor, 0, static_cast<const char *>(tensor.data),
            ral_dtype_bytes(tensor.dtype), static_cast<char *>(out));
}
