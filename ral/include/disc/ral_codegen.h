// The table of runtime functions that is handed to a compiled artifact's entry.
#ifndef DISC_RAL_CODEGEN_H
#define DISC_RAL_CODEGEN_H

#include "disc/ral_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A piece [lo, hi) of a parallel loop, run as worker `worker` < workers(). */
typedef void (*ral_loop_fn)(void *args, int64_t lo, int64_t hi,
                            int64_t worker);

/* Field k is the k-th 8-byte slot; new fields are added at the end only.
 * Except for `workers`, these may be called only from the thread that runs the
 * execution, never from inside a parallel loop. */
typedef struct ral_codegen_api {
  /* 0: bytes in this struct, which tells versions apart */
  size_t size;
  /* 1: data of an input, row-major contiguous, aligned to its element only;
   * rank, dtype, static and symbolic sizes were checked before entry. Inputs
   * and constants are never written. */
  void *(*input)(ral_exec *, int64_t index);
  /* 2: size of one dimension of an input */
  int64_t (*input_dim)(ral_exec *, int64_t index, int64_t dim);
  /* 3: data of a constant argument, row-major contiguous */
  void *(*constant)(ral_exec *, int64_t index);
  /* 4: 64-byte aligned memory, not zeroed; `bytes` may be 0. NULL: failed, the
   * status is set. */
  void *(*alloc)(ral_exec *, int64_t bytes);
  /* 5: gives memory back; NULL, and memory that became an output, are left
   * alone */
  void (*dealloc)(ral_exec *, void *);
  /* 6: hands out an output. Takes `data` over when it is the start of memory
   * of this execution that was not handed out yet; copies it otherwise. */
  int32_t (*output)(ral_exec *, int64_t index, void *data, int64_t rank,
                    const int64_t *sizes);
  /* 7: runs fn over [0, n) in contiguous pieces of at least `grain` (but the
   * last) that begin at multiples of 4 where `grain` is one, each worker at most
   * one at a time. */
  int32_t (*parallel)(ral_exec *, ral_loop_fn fn, void *args, int64_t n,
                      int64_t grain);
  /* 8: upper bound of the workers of a parallel loop */
  int64_t (*workers)(ral_exec *);
  /* 9: calls the library function `name`. `slot` is a zero-initialised word of
   * the call site, where RAL keeps the resolved name. */
  int32_t (*call)(ral_exec *, void **slot, const char *name,
                  const ral_tensor *args, int64_t nargs, const int64_t *ints,
                  int64_t nints);
  /* 10: fails the execution; {i} in `message` is values[i]; {{ is a brace.
   * Returns nonzero. The first failure is the one reported. */
  int32_t (*fail)(ral_exec *, int32_t code, const char *message,
                  const int64_t *values, int64_t nvalues);
  /* 11: as 4, for memory that becomes an output: it may live long */
  void *(*alloc_output)(ral_exec *, int64_t bytes);
} ral_codegen_api;

/* What an artifact exports:
 *
 *   int32_t disc_main(const ral_codegen_api *, ral_exec *);   0 = ok
 *   const char disc_signature[];                              NUL-terminated
 *
 * The signature is lines:
 *   disc 1
 *   input <i> <dtype> <name> <dims>
 *   constant <i> <dtype> <name> <dims>
 *   output <i> <dtype> <dims>
 *   symbol <name> <min> <max> <multiple>
 *   precision bf16             (f32 products may round their operands to it)
 * with dtypes in MLIR's spelling and dims comma separated: a number, `?`, or a
 * symbol (equal symbols are equal sizes) or a sum like 2*s+1 of multiples of
 * symbols and a number; `-` stands for rank 0. A symbol without a line of its
 * own is any size. A name holds no whitespace; `-` stands for no name. */
typedef int32_t (*disc_main_fn)(const ral_codegen_api *api, ral_exec *exec);

#ifdef __cplusplus
}
#endif
#endif
