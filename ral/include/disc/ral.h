// The public C interface of RAL, the runtime of compiled artifacts.
#ifndef DISC_RAL_H
#define DISC_RAL_H

#include "disc/ral_codegen.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(RAL_BUILDING) && defined(__GNUC__)
#define RAL_EXPORT __attribute__((visibility("default")))
#else
#define RAL_EXPORT
#endif

/* ---- Status: NULL is success; anything else is freed by who receives it. */
typedef struct ral_status_object *ral_status;

RAL_EXPORT int32_t ral_status_code(ral_status status);
RAL_EXPORT const char *ral_status_message(ral_status status);
/* The failing call of the layer below (`dlopen`, a vendor's function), or "". */
RAL_EXPORT const char *ral_status_call(ral_status status);
RAL_EXPORT void ral_status_free(ral_status status);

/* ---- Context: memory pool, threads, call registry. Any number of threads may
 * use one context. Programs and outputs keep what they need of it alive. */
typedef struct ral_context ral_context;

enum ral_parallel_kind {
  RAL_PARALLEL_AUTO = 0,   /* OpenMP where one is found, else own threads */
  RAL_PARALLEL_OPENMP = 1, /* an error where none is found */
  RAL_PARALLEL_THREADS = 2,
  RAL_PARALLEL_SERIAL = 3
};

typedef struct ral_context_options {
  size_t size;              /* sizeof(ral_context_options) */
  int32_t threads;          /* workers of a parallel loop; 0: the runtime's own choice */
  int32_t parallel;         /* enum ral_parallel_kind */
  int64_t memory_limit;     /* bytes live at once; 0: the machine's memory */
  int64_t idle_limit;       /* bytes the pool may keep above the recent peak; 0: 64 MiB */
  const char *blas_library; /* path of OpenBLAS (scipy-openblas32), or NULL */
  void *user;               /* handed to the callbacks below; all may be NULL */
  void *(*alloc)(void *user, size_t bytes, size_t alignment);
  void (*free)(void *user, void *data, size_t bytes);
  /* Runs task(arg, i) once for each i in [0, tasks), returns after the last;
   * tasks of one call may run at the same time. Replaces `parallel`. */
  void (*parallel_for)(void *user, int64_t tasks,
                       void (*task)(void *arg, int64_t index), void *arg);
  const char *kernels; /* of products and convolutions: "amx", "avx512bf16", "avx512",
                        * "avx2" or "base"; NULL: the best of this CPU */
} ral_context_options;

/* `options` may be NULL. */
RAL_EXPORT ral_status ral_context_create(const ral_context_options *options,
                                         ral_context **out);
RAL_EXPORT void ral_context_destroy(ral_context *context);

/* Facts about a context, as text that lives as long as it does. Keys: "gemm"
 * (which library multiplies f64 matrices), "kernels" (those of f32 products and
 * convolutions), "parallel", "threads", "version". */
RAL_EXPORT ral_status ral_context_query(ral_context *context, const char *key,
                                        const char **out);

typedef struct ral_statistics {
  size_t size;            /* sizeof(ral_statistics), set by the caller */
  int64_t live_bytes;     /* held by executions, outputs, copied constants */
  int64_t peak_bytes;     /* highest live_bytes so far */
  int64_t allocations;    /* requests so far */
  int64_t system_allocations; /* those that had to ask the system */
  int64_t pool_bytes;     /* idle, kept for reuse */
  int64_t constant_bytes; /* constants, copied or borrowed */
  int64_t executions;     /* finished, failed ones included */
  int64_t failures;
  int64_t library_calls;
} ral_statistics;

RAL_EXPORT void ral_context_statistics(ral_context *context,
                                       ral_statistics *out);
/* Gives all idle memory back to the system. */
RAL_EXPORT void ral_context_trim(ral_context *context);

/* Makes `call` sites of that name reach `fn`; a later one replaces it. */
RAL_EXPORT ral_status ral_register_call(ral_context *context, const char *name,
                                        ral_library_fn fn);
/* The table, for library functions that allocate, loop or fail. */
RAL_EXPORT const ral_codegen_api *ral_exec_api(void);

/* ---- Program: an artifact opened in a context, with its constants. */
typedef struct ral_program ral_program;

RAL_EXPORT ral_status ral_program_open(ral_context *context, const char *path,
                                       ral_program **out);
RAL_EXPORT void ral_program_close(ral_program *program);

enum ral_arg_kind { RAL_INPUT = 0, RAL_CONSTANT = 1, RAL_OUTPUT = 2 };

typedef struct ral_arg_info {
  size_t size;               /* sizeof(ral_arg_info), set by the caller */
  const char *name;          /* "" where it has none */
  int32_t dtype;
  int32_t rank;
  const int64_t *sizes;      /* -1: dynamic */
  const char *const *symbols; /* "" where a dimension has none */
} ral_arg_info;

RAL_EXPORT int64_t ral_program_count(ral_program *program, int32_t kind);
RAL_EXPORT ral_status ral_program_arg(ral_program *program, int32_t kind,
                                      int64_t index, ral_arg_info *out);

/* Sets a constant by name; not while executions run. With `release`, RAL
 * borrows contiguous data until it calls release(user) (on failure it never
 * does); else it copies. */
RAL_EXPORT ral_status ral_program_set_constant(ral_program *program,
                                               const char *name,
                                               const ral_tensor *value,
                                               void (*release)(void *user),
                                               void *user);

/* ---- Execution. Any number of threads may run one program at once. */
typedef struct ral_output {
  ral_tensor tensor; /* row-major contiguous, strides filled in */
  void *owner;
} ral_output;

/* Checks the inputs, runs, fills `outputs`; on failure no output is filled.
 * Inputs may be strided (packed then) and are only read. */
RAL_EXPORT ral_status ral_execute(ral_program *program,
                                  const ral_tensor *inputs, int64_t ninputs,
                                  ral_output *outputs, int64_t noutputs);
/* From any thread, also after its program and context were let go. */
RAL_EXPORT void ral_output_release(ral_output *output);

/* ---- Element types. */
RAL_EXPORT const char *ral_dtype_name(int32_t dtype); /* MLIR's, or "?" */
RAL_EXPORT int32_t ral_dtype_parse(const char *name); /* 0: unknown */
RAL_EXPORT int64_t ral_dtype_bytes(int32_t dtype);    /* 0: unknown */

#ifdef __cplusplus
}
#endif
#endif
