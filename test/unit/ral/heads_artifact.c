// Attention's products without transposes: a and b are stored [B, S, H, D],
// multiplied as [B, H, S, D] x [B, H, T, D]^T, and the result is stored
// [B, S, H, T].
#include "disc/ral_codegen.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT const char disc_signature[] = "disc 1\n"
                                     "input 0 f32 a b,s,h,d\n"
                                     "input 1 f32 b b,t,h,d\n"
                                     "output 0 f32 b,s,h,t\n";

static ral_tensor swapMiddle(void *data, const int64_t *stored, int64_t *sizes,
                             int64_t *strides) {
  ral_tensor out = {data, RAL_F32, 4, sizes, strides};
  sizes[0] = stored[0], sizes[1] = stored[2];
  sizes[2] = stored[1], sizes[3] = stored[3];
  strides[0] = stored[1] * stored[2] * stored[3];
  strides[1] = stored[3];
  strides[2] = stored[2] * stored[3];
  strides[3] = 1;
  return out;
}

EXPORT int32_t disc_main(const ral_codegen_api *api, ral_exec *exec) {
  static void *slot;
  const int64_t ints[2] = {0, 1};
  int64_t stored[3][4], sizes[3][4], strides[3][4], bytes = 4;
  for (int i = 0; i < 4; ++i) {
    stored[0][i] = api->input_dim(exec, 0, i);
    stored[1][i] = api->input_dim(exec, 1, i);
    stored[2][i] = i == 3 ? stored[1][1] : stored[0][i];
    bytes *= stored[2][i];
  }
  void *out = api->alloc(exec, bytes);
  if (!out)
    return RAL_OUT_OF_MEMORY;
  void *data[3] = {api->input(exec, 0), api->input(exec, 1), out};
  ral_tensor args[3];
  for (int i = 0; i < 3; ++i)
    args[i] = swapMiddle(data[i], stored[i], sizes[i], strides[i]);
  int32_t status = api->call(exec, &slot, "ral.gemm", args, 3, ints, 2);
  return status ? status : api->output(exec, 0, out, 4, stored[2]);
}
