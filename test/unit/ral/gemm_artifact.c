// One matrix product. Defined by the build: RANK (2 or 3), LHS and RHS
// (transposed or not), DTYPE (of ral_dtype), NAME (MLIR's), BYTES.
#include "disc/ral_codegen.h"

#define EXPORT __attribute__((visibility("default")))
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define ANY TEXT(NAME) " "

EXPORT const char disc_signature[] =
#if RANK == 3
    "disc 1\ninput 0 " ANY "a ?,?,?\ninput 1 " ANY "b ?,?,?\noutput 0 " ANY
    "?,?,?\n";
#else
    "disc 1\ninput 0 " ANY "a ?,?\ninput 1 " ANY "b ?,?\noutput 0 " ANY
    "?,?\n";
#endif

EXPORT int32_t disc_main(const ral_codegen_api *api, ral_exec *exec) {
  static void *slot;
  const int64_t ints[2] = {LHS, RHS};
  int64_t a[RANK], b[RANK], c[RANK], bytes = BYTES;
  for (int i = 0; i < RANK; ++i) {
    a[i] = api->input_dim(exec, 0, i);
    b[i] = api->input_dim(exec, 1, i);
  }
  c[0] = a[0];
  c[RANK - 2] = a[RANK - 2 + LHS];
  c[RANK - 1] = b[RANK - 1 - RHS];
  for (int i = 0; i < RANK; ++i)
    bytes *= c[i];
  void *out = api->alloc(exec, bytes);
  if (!out)
    return RAL_OUT_OF_MEMORY;
  ral_tensor args[3] = {{api->input(exec, 0), DTYPE, RANK, a, 0},
                        {api->input(exec, 1), DTYPE, RANK, b, 0},
                        {out, DTYPE, RANK, c, 0}};
  int32_t status = api->call(exec, &slot, "ral.gemm", args, 3, ints, 2);
  return status ? status : api->output(exec, 0, out, RANK, c);
}
