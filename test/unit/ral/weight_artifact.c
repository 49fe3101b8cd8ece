// A matrix product with a constant right operand. Defined by the build: K, N,
// RHS (transposed or not), DTYPE (of ral_dtype), NAME (MLIR's), BYTES.
#include "disc/ral_codegen.h"

#define EXPORT __attribute__((visibility("default")))
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define ANY TEXT(NAME) " "

EXPORT const char disc_signature[] =
    "disc 1\ninput 0 " ANY "a ?," TEXT(K) "\nconstant 0 " ANY "w "
#if RHS
    TEXT(N) "," TEXT(K)
#else
    TEXT(K) "," TEXT(N)
#endif
    "\noutput 0 " ANY "?," TEXT(N) "\n";

EXPORT int32_t disc_main(const ral_codegen_api *api, ral_exec *exec) {
  static void *slot;
  const int64_t ints[2] = {0, RHS};
  int64_t a[2] = {api->input_dim(exec, 0, 0), K};
  int64_t b[2] = {RHS ? N : K, RHS ? K : N};
  int64_t c[2] = {a[0], N};
  void *out = api->alloc(exec, a[0] * N * BYTES);
  if (!out)
    return RAL_OUT_OF_MEMORY;
  ral_tensor args[3] = {{api->input(exec, 0), DTYPE, 2, a, 0},
                        {api->constant(exec, 0), DTYPE, 2, b, 0},
                        {out, DTYPE, 2, c, 0}};
  int32_t status = api->call(exec, &slot, "ral.gemm", args, 3, ints, 2);
  return status ? status : api->output(exec, 0, out, 2, c);
}
