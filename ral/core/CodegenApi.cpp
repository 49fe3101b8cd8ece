// The table of runtime functions for compiled code.
#include "core/Execution.h"
#include "core/Status.h"

#include <cctype>

using namespace ral;

/// Puts values[i] for {i}; `{{` is a brace.
static std::string substitute(const char *text, const int64_t *values,
                              int64_t count) {
  std::string out;
  while (*text) {
    char *end = nullptr;
    if (text[0] == '{' && text[1] == '{') {
      out += '{';
      text += 2;
      continue;
    }
    if (text[0] == '{' && std::isdigit(static_cast<unsigned char>(text[1]))) {
      int64_t index = std::strtoll(text + 1, &end, 10);
      if (*end == '}' && index < count) {
        out += std::to_string(values[index]);
        text = end + 1;
        continue;
      }
    }
    out += *text++;
  }
  return out;
}

static void *apiInput(ral_exec *exec, int64_t index) {
  return exec->inputs[size_t(index)].data;
}

static int64_t apiInputDim(ral_exec *exec, int64_t index, int64_t dim) {
  return exec->inputs[size_t(index)].sizes[dim];
}

static void *apiConstant(ral_exec *exec, int64_t index) {
  return exec->program->constants[size_t(index)].data;
}

/// Nothing may be thrown into compiled code.
template <typename Body> static int32_t contained(ral_exec *exec, Body body) {
  try {
    return body();
  } catch (...) {
    return exec->fail(RAL_OUT_OF_MEMORY, {});
  }
}

static void *allocate(ral_exec *exec, int64_t bytes, Block::Kind kind) {
  void *data = nullptr;
  contained(exec, [&] {
    data = exec->alloc(bytes, kind);
    return 0;
  });
  return data;
}

static void *apiAlloc(ral_exec *exec, int64_t bytes) {
  return allocate(exec, bytes, Block::kTemporary);
}

static void *apiAllocOutput(ral_exec *exec, int64_t bytes) {
  return allocate(exec, bytes, Block::kLasting);
}

static void apiDealloc(ral_exec *exec, void *data) { exec->dealloc(data); }

static int32_t apiOutput(ral_exec *exec, int64_t index, void *data,
                         int64_t rank, const int64_t *sizes) {
  return contained(exec,
                   [&] { return exec->output(index, data, rank, sizes); });
}

static int32_t apiParallel(ral_exec *exec, ral_loop_fn fn, void *args,
                           int64_t n, int64_t grain) {
  exec->context.parallel.run(fn, args, n, grain);
  return 0;
}

static int64_t apiWorkers(ral_exec *exec) {
  return exec->context.parallel.workers();
}

static int32_t apiCall(ral_exec *exec, void **slot, const char *name,
                       const ral_tensor *args, int64_t nargs,
                       const int64_t *ints, int64_t nints) {
  return contained(exec, [&] {
    return exec->call(slot, name, args, nargs, ints, nints);
  });
}

static int32_t apiFail(ral_exec *exec, int32_t code, const char *message,
                       const int64_t *values, int64_t nvalues) {
  return contained(exec, [&] {
    return exec->failAt(code, substitute(message, values, nvalues));
  });
}

const ral_codegen_api *ral_exec_api(void) {
  static const ral_codegen_api api = {
      sizeof(ral_codegen_api), apiInput,   apiInputDim, apiConstant,
      apiAlloc,                apiDealloc, apiOutput,   apiParallel,
      apiWorkers,              apiCall,    apiFail,     apiAllocOutput};
  return &api;
}
