// Types that compiled artifacts, libraries and hosts of the runtime share.
#ifndef DISC_RAL_TYPES_H
#define DISC_RAL_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One call of an artifact: its inputs, outputs, buffers and status. */
typedef struct ral_exec ral_exec;

/* Element types. Storage is the natural size; types narrower than a byte take
 * one byte per element, and i1 holds 0 or 1. */
enum ral_dtype {
  RAL_I1 = 1,
  RAL_I2 = 2,
  RAL_I4 = 3,
  RAL_I8 = 4,
  RAL_I16 = 5,
  RAL_I32 = 6,
  RAL_I64 = 7,
  RAL_U2 = 8,
  RAL_U4 = 9,
  RAL_U8 = 10,
  RAL_U16 = 11,
  RAL_U32 = 12,
  RAL_U64 = 13,
  RAL_F16 = 14,
  RAL_BF16 = 15,
  RAL_F32 = 16,
  RAL_F64 = 17,
  RAL_C64 = 18,
  RAL_C128 = 19,
  RAL_INDEX = 20,
  RAL_F8E4M3FN = 21,
  RAL_F8E5M2 = 22,
  RAL_F8E4M3FNUZ = 23,
  RAL_F8E5M2FNUZ = 24,
  RAL_F8E4M3B11FNUZ = 25,
  RAL_F8E4M3 = 26,
  RAL_F8E3M4 = 27,
  RAL_F8E8M0FNU = 28,
  RAL_F4E2M1FN = 29,
  RAL_F6E2M3FN = 30,
  RAL_F6E3M2FN = 31
};

/* A dense array. Strides are in elements; NULL means row-major contiguous. */
typedef struct ral_tensor {
  void *data;
  int32_t dtype;
  int32_t rank;
  const int64_t *sizes;
  const int64_t *strides;
} ral_tensor;

/* Status codes; 0 is success. */
enum ral_code {
  RAL_OK = 0,
  RAL_INVALID_ARGUMENT = 1, /* a caller's mistake: count, dtype, rank, size */
  RAL_OUT_OF_MEMORY = 2,
  RAL_NOT_FOUND = 3,        /* a file, symbol, constant or call name */
  RAL_CHECK_FAILED = 4,     /* a check in compiled code failed */
  RAL_UNSUPPORTED = 5,
  RAL_INTERNAL = 6          /* an artifact or library broke its contract */
};

/* A library call: `args` holds the inputs, then the outputs (allocated by the
 * caller). Returns 0, or nonzero after reporting through `fail`. */
typedef int32_t (*ral_library_fn)(ral_exec *exec, const ral_tensor *args,
                                  int64_t nargs, const int64_t *ints,
                                  int64_t nints);

#ifdef __cplusplus
}
#endif
#endif
