// One call of a program: memory, outputs, library calls, failure.
#include "core/Execution.h"
#include "core/Status.h"
#include "core/Tensor.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

using namespace ral;

namespace {
/// What a handed-out tensor needs after its execution.
struct OutputRecord {
  Pool *pool;
  Block *block;
  int64_t dims[1]; // its sizes, then its strides
};
} // namespace

int32_t ral_exec::fail(int32_t failure, std::string text) {
  if (code == RAL_OK) {
    code = failure == RAL_OK ? static_cast<int32_t>(RAL_INTERNAL) : failure;
    message = std::move(text);
  }
  return code;
}

int32_t ral_exec::failAt(int32_t failure, std::string text) {
  if (code == RAL_OK)
    return fail(failure, std::move(text));
  message += ", for " + text;
  return code;
}

void *ral_exec::alloc(int64_t bytes, Block::Kind kind) {
  const char *error;
  Block *block = cache.allocate(bytes, &error, kind);
  if (!block) {
    fail(RAL_OUT_OF_MEMORY,
         concat("cannot allocate ", bytes, " bytes: ", error, " (live ",
                context.pool->live(), ", limit ", context.pool->memoryLimit(),
                ")"));
    return nullptr;
  }
  block->state = Block::kOwned;
  owned.push(block);
  return block->data();
}

void ral_exec::dealloc(void *data) {
  if (!data)
    return;
  Block *block = Block::of(data);
  if (block->state != Block::kOwned)
    return; // became an output
  owned.remove(block);
  cache.release(block);
}

int32_t ral_exec::output(int64_t index, void *data, int64_t rank,
                         const int64_t *sizes) {
  const std::vector<ArgSpec> &specs = program->signature.args[RAL_OUTPUT];
  if (index < 0 || index >= int64_t(specs.size()))
    return fail(RAL_INTERNAL, concat("artifact sent output ", index, " of ",
                                     specs.size()));
  const ArgSpec &spec = specs[size_t(index)];
  OutputSlot &slot = outputs[size_t(index)];
  int64_t bytes = byteCount(sizes, rank, spec.dtype);
  if (rank != spec.rank() || bytes < 0 || slot.block)
    return fail(RAL_INTERNAL,
                concat("artifact sent output ", index,
                       slot.block         ? " twice"
                       : bytes < 0        ? " with sizes that overflow"
                                          : " with another rank"));
  Block *block = owned.head;
  while (block && block->data() != data)
    block = block->next;
  if (block && block->bytes < bytes)
    return fail(RAL_INTERNAL, concat("artifact sent output ", index, " of ",
                                     bytes, " bytes in memory of ",
                                     block->bytes));
  if (!block) {
    void *copy = alloc(bytes, Block::kLasting);
    if (!copy)
      return code;
    if (bytes)
      std::memcpy(copy, data, size_t(bytes));
    block = Block::of(copy);
  }
  owned.remove(block);
  block->state = Block::kHandedOut;
  slot.block = block;
  slot.sizes.assign(sizes, sizes + rank);
  return 0;
}

int32_t ral_exec::call(void **slot, const char *name, const ral_tensor *args,
                       int64_t nargs, const int64_t *ints, int64_t nints) {
  auto *interned = static_cast<const CallName *>(
      __atomic_load_n(slot, __ATOMIC_ACQUIRE));
  if (!interned) {
    interned = internCallName(name);
    if (!interned)
      return fail(RAL_UNSUPPORTED,
                  concat("cannot call `", name, "`: too many call names"));
    __atomic_store_n(slot, const_cast<CallName *>(interned), __ATOMIC_RELEASE);
  }
  ral_library_fn fn = context.calls.get(*interned);
  if (!fn)
    return fail(RAL_NOT_FOUND,
                concat("no library function `", name,
                       "` is registered in this context"));
  context.libraryCalls.fetch_add(1, std::memory_order_relaxed);
  int32_t result = fn(this, args, nargs, ints, nints);
  if (result && code == RAL_OK)
    return fail(RAL_INTERNAL,
                concat("library function `", name, "` returned ", result));
  return result ? code : 0;
}

bool ral_exec::handOut(ral_output *results, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    OutputSlot &slot = outputs[size_t(i)];
    if (!slot.block)
      return !fail(RAL_INTERNAL, concat("artifact produced no output ", i));
  }
  for (int64_t i = 0; i < count; ++i) {
    OutputSlot &slot = outputs[size_t(i)];
    size_t rank = slot.sizes.size();
    auto *record = static_cast<OutputRecord *>(
        std::malloc(sizeof(OutputRecord) + 2 * rank * sizeof(int64_t)));
    if (!record) {
      for (int64_t k = 0; k < i; ++k)
        ral_output_release(&results[k]);
      return !fail(RAL_OUT_OF_MEMORY, "out of memory");
    }
    record->pool = context.pool;
    record->block = slot.block;
    int64_t *sizes = record->dims, *strides = sizes + rank, stride = 1;
    for (size_t dim = rank; dim-- > 0;) {
      sizes[dim] = slot.sizes[dim];
      strides[dim] = stride;
      if (__builtin_mul_overflow(stride, std::max<int64_t>(sizes[dim], 1),
                                 &stride))
        stride = 0; // of an output without elements
    }
    context.pool->retain();
    slot.block = nullptr;
    results[i].tensor = {record->block->data(),
                         program->signature.args[RAL_OUTPUT][size_t(i)].dtype,
                         int32_t(rank), sizes, strides};
    results[i].owner = record;
  }
  return true;
}

void ral_output_release(ral_output *output) {
  auto *record = static_cast<OutputRecord *>(output->owner);
  if (!record)
    return;
  record->pool->release(record->block);
  record->pool->drop();
  std::free(record);
  *output = {};
}

void ral_exec::reset() {
  while (Block *block = owned.head) {
    owned.remove(block);
    cache.release(block);
  }
  for (OutputSlot &slot : outputs)
    if (slot.block) {
      cache.release(slot.block);
      slot.block = nullptr;
    }
  code = RAL_OK;
  message.clear();
  program = nullptr;
}

ral_status ral_exec::run(ral_program &target, const ral_tensor *given,
                         int64_t count, ral_output *results, int64_t nresults) {
  program = &target;
  size_t expected = target.signature.args[RAL_OUTPUT].size();
  if (outputs.size() < expected)
    outputs.resize(expected);
  if (nresults != int64_t(expected))
    fail(RAL_INVALID_ARGUMENT,
         concat("expected room for ", expected, " outputs, got ", nresults));
  if (code == RAL_OK && checkConstants() && checkInputs(given, count)) {
    int32_t result = target.main(ral_exec_api(), this);
    if (result && code == RAL_OK)
      fail(RAL_INTERNAL,
           concat("artifact returned ", result, " without a message"));
    if (code == RAL_OK)
      handOut(results, nresults);
  }
  ral_status status = code == RAL_OK ? nullptr : makeStatus(code, message);
  reset();
  return status;
}

ral_status ral_execute(ral_program *program, const ral_tensor *inputs,
                       int64_t ninputs, ral_output *outputs, int64_t noutputs) {
  return guarded([&]() -> ral_status {
    ral_context &context = program->context;
    for (int64_t i = 0; i < noutputs; ++i)
      outputs[i] = {};
    std::unique_ptr<ral_exec> slot = context.takeSlot();
    ral_status status =
        slot->run(*program, inputs, ninputs, outputs, noutputs);
    context.giveSlot(std::move(slot));
    context.executions.fetch_add(1, std::memory_order_relaxed);
    if (status)
      context.failures.fetch_add(1, std::memory_order_relaxed);
    context.pool->tick();
    return status;
  });
}
