// A hand-written artifact: what generated code looks like to the runtime.
//   out0 = x + w (w broadcast along rows), out1 = x * 2 with x [s, 4]
// Input 1 steers it: mode[0] = 0 as above; 1 fails a check; 2 allocates an
// absurd size; 3 leaks and fails without a message; 4 sends one buffer twice;
// 5 sends a constant and an input; 6 calls an unknown function; 7 forgets an
// output; 8 sends more than it allocated; 9 frees an output again.
#include "disc/ral_codegen.h"

#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT const char disc_signature[] = "disc 1\n"
                                     "input 0 f32 x s,4\n"
                                     "input 1 i64 mode 1\n"
                                     "input 2 f32 y s\n"
                                     "constant 0 f32 w 4\n"
                                     "output 0 f32 s,4\n"
                                     "output 1 f32 s,4\n";

typedef struct {
  const float *x, *w;
  float *sum, *twice;
} Args;

static void kernel(void *data, int64_t lo, int64_t hi, int64_t worker) {
  Args *a = (Args *)data;
  (void)worker;
  for (int64_t i = lo; i < hi; ++i)
    for (int64_t j = 0; j < 4; ++j) {
      a->sum[i * 4 + j] = a->x[i * 4 + j] + a->w[j];
      a->twice[i * 4 + j] = a->x[i * 4 + j] * 2;
    }
}

static int32_t misbehave(const ral_codegen_api *api, ral_exec *exec,
                         int64_t mode, Args *a, const int64_t *sizes) {
  static void *slot;
  if (mode == 1)
    return api->fail(exec, RAL_CHECK_FAILED, "size {0} is not {1}, {{}", sizes,
                     2);
  if (mode == 2)
    return api->alloc(exec, INT64_MAX / 2) ? 0 : RAL_OUT_OF_MEMORY;
  if (mode == 3) {
    api->alloc(exec, 1 << 20);
    return 77;
  }
  if (mode == 4)
    return api->output(exec, 0, a->sum, 2, sizes) ||
           api->output(exec, 1, a->sum, 2, sizes);
  if (mode == 5) {
    int64_t one[2] = {1, 4};
    return api->output(exec, 0, (void *)a->w, 2, one) ||
           api->output(exec, 1, (void *)a->x, 2, sizes);
  }
  if (mode == 6)
    return api->call(exec, &slot, "test.unknown", 0, 0, 0, 0);
  if (mode == 7)
    return api->output(exec, 0, a->sum, 2, sizes);
  if (mode == 8) {
    int64_t huge[2] = {1 << 20, 4};
    return api->output(exec, 0, a->sum, 2, huge);
  }
  int32_t status = api->output(exec, 0, a->sum, 2, sizes) ||
                   api->output(exec, 1, a->twice, 2, sizes);
  api->dealloc(exec, a->sum);
  api->dealloc(exec, 0);
  return status;
}

EXPORT int32_t disc_main(const ral_codegen_api *api, ral_exec *exec) {
  int64_t sizes[2] = {api->input_dim(exec, 0, 0), 4};
  int64_t bytes = sizes[0] * 4 * (int64_t)sizeof(float);
  Args a;
  a.x = (const float *)api->input(exec, 0);
  a.w = (const float *)api->constant(exec, 0);
  void *scratch = api->alloc(exec, api->workers(exec) * 1000);
  a.sum = (float *)api->alloc(exec, bytes);
  a.twice = (float *)api->alloc(exec, bytes);
  if (!scratch || !a.sum || !a.twice)
    return RAL_OUT_OF_MEMORY;
  api->dealloc(exec, scratch);
  int32_t status = api->parallel(exec, kernel, &a, sizes[0], 16);
  if (status)
    return status;
  int64_t mode = *(const int64_t *)api->input(exec, 1);
  if (mode)
    return misbehave(api, exec, mode, &a, sizes);
  status = api->output(exec, 0, a.sum, 2, sizes);
  return status ? status : api->output(exec, 1, a.twice, 2, sizes);
}
