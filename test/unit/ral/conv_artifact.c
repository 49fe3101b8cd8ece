// One convolution: inputs are lhs, rhs, the integers of the call, the sizes of
// the result and the padding. Defined by the build: RANK (3 to 5), DTYPE (of
// ral_dtype), NAME (MLIR's), BYTES, and PADDING for the padding as an argument.
#include "disc/ral_codegen.h"

#define EXPORT __attribute__((visibility("default")))
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define ANY TEXT(NAME) " "
#if RANK == 3
#define DIMS "?,?,?"
#elif RANK == 4
#define DIMS "?,?,?,?"
#else
#define DIMS "?,?,?,?,?"
#endif

EXPORT const char disc_signature[] =
    "disc 1\ninput 0 " ANY "lhs " DIMS "\ninput 1 " ANY "rhs " DIMS
    "\ninput 2 i64 ints ?\ninput 3 i64 sizes ?\ninput 4 i64 padding ?,2\n"
    "output 0 " ANY DIMS "\n";

EXPORT int32_t disc_main(const ral_codegen_api *api, ral_exec *exec) {
  static void *slot;
  int64_t lhs[RANK], rhs[RANK], padding[2], bytes = BYTES;
  const int64_t *out = api->input(exec, 3), *ints = api->input(exec, 2);
  for (int i = 0; i < RANK; ++i) {
    lhs[i] = api->input_dim(exec, 0, i);
    rhs[i] = api->input_dim(exec, 1, i);
    bytes *= out[i];
  }
  for (int i = 0; i < 2; ++i)
    padding[i] = api->input_dim(exec, 4, i);
  void *data = api->alloc(exec, bytes);
  if (!data)
    return RAL_OUT_OF_MEMORY;
  ral_tensor args[] = {{api->input(exec, 0), DTYPE, RANK, lhs, 0},
                       {api->input(exec, 1), DTYPE, RANK, rhs, 0},
#ifdef PADDING
                       {api->input(exec, 4), RAL_I64, 2, padding, 0},
#endif
                       {data, DTYPE, RANK, out, 0}};
  int32_t status = api->call(exec, &slot, "ral.conv", args, sizeof(args) / sizeof(args[0]), ints,
                             api->input_dim(exec, 2, 0));
  return status ? status : api->output(exec, 0, data, RANK, out);
}
