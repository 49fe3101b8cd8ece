// A context: everything that lives longer than one execution.
#include "core/Context.h"
#include "core/Execution.h"
#include "core/Status.h"
#include "kernels/Blas.h"
#include "kernels/KernelSet.h"
#include "kernels/Kernels.h"

#include <cstring>

using namespace ral;

ral_context::ral_context(const Pool::Options &options)
    : pool(Pool::create(options)) {}

ral_context::~ral_context() {
  slots.clear();
  pool->drop();
}

void ral_context::drop() {
  if (references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete this;
}

std::unique_ptr<ral_exec> ral_context::takeSlot() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!slots.empty()) {
      std::unique_ptr<ral_exec> slot = std::move(slots.back());
      slots.pop_back();
      return slot;
    }
  }
  return std::make_unique<ral_exec>(*this);
}

void ral_context::giveSlot(std::unique_ptr<ral_exec> slot) {
  std::lock_guard<std::mutex> lock(mutex);
  slots.push_back(std::move(slot));
}

void ral_context::dropSlots() {
  std::vector<std::unique_ptr<ral_exec>> idle;
  std::lock_guard<std::mutex> lock(mutex);
  idle.swap(slots);
}

static ral_status checkOptions(const ral_context_options &options) {
  if (!options.alloc != !options.free)
    return makeStatus(RAL_INVALID_ARGUMENT,
                      "options `alloc` and `free`: expected both or neither");
  if (options.parallel < RAL_PARALLEL_AUTO ||
      options.parallel > RAL_PARALLEL_SERIAL)
    return makeStatus(RAL_INVALID_ARGUMENT,
                      concat("option `parallel`: unknown kind ",
                             options.parallel));
  return nullptr;
}

static ral_status unknownKernels(const char *name) {
  std::string known;
  for (const KernelSet &set : kernelSets())
    known += (known.empty() ? "`" : ", `") + set.name + "`";
  return makeStatus(RAL_INVALID_ARGUMENT,
                    concat("option `kernels`: this CPU has ", known, ", not `", name,
                           "`"));
}

ral_status ral_context_create(const ral_context_options *given,
                              ral_context **out) {
  *out = nullptr;
  ral_context_options options{};
  if (given) // a caller's older, shorter struct leaves the rest zero
    std::memcpy(&options, given, std::min(given->size, sizeof(options)));
  return guarded([&]() -> ral_status {
    if (ral_status status = checkOptions(options))
      return status;
    Pool::Options pool;
    pool.memoryLimit = options.memory_limit;
    pool.idleLimit = options.idle_limit;
    pool.user = options.user;
    pool.alloc = options.alloc;
    pool.free = options.free;
    auto context = std::make_unique<ral_context>(pool);
    if (ral_status status = context->parallel.configure(options))
      return status;
    context->kernels = kernelSet(options.kernels);
    if (!context->kernels)
      return unknownKernels(options.kernels);
    std::string gemm;
    context->blas = loadBlas(options.blas_library, gemm);
    context->facts = {{"gemm", gemm},
                      {"kernels", context->kernels->name},
                      {"parallel", context->parallel.describe()},
                      {"threads", concat(context->parallel.workers())},
                      {"version", RAL_VERSION_STRING}};
    registerKernels(*context);
    *out = context.release();
    return nullptr;
  });
}

void ral_context_destroy(ral_context *context) {
  if (context)
    context->drop();
}

ral_status ral_context_query(ral_context *context, const char *key,
                             const char **out) {
  auto it = context->facts.find(key);
  if (it == context->facts.end())
    return makeStatus(RAL_NOT_FOUND, concat("context has no fact `", key, "`"));
  *out = it->second.c_str();
  return nullptr;
}

void ral_context_statistics(ral_context *context, ral_statistics *out) {
  ral_statistics full{};
  context->pool->fill(full);
  full.size = std::min(out->size, sizeof(full));
  full.constant_bytes = context->constantBytes.load();
  full.executions = context->executions.load();
  full.failures = context->failures.load();
  full.library_calls = context->libraryCalls.load();
  std::memcpy(out, &full, full.size);
}

void ral_context_trim(ral_context *context) {
  context->dropSlots();
  context->pool->trim(0);
}

ral_status ral_register_call(ral_context *context, const char *name,
                             ral_library_fn fn) {
  return guarded([&]() -> ral_status {
    const CallName *interned = internCallName(name);
    if (!interned)
      return makeStatus(RAL_UNSUPPORTED, concat("cannot register `", name,
                                                "`: more than ", kMaxCallNames,
                                                " call names"));
    context->calls.set(*interned, fn);
    return nullptr;
  });
}
