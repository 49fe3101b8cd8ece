// Checks of an execution's inputs against what the compiler assumed.
#include "core/Execution.h"
#include "core/Status.h"
#include "core/Tensor.h"

using namespace ral;

/// What empty inputs point at: compiled code never sees a null input.
alignas(64) static char emptyData[64];

bool ral_exec::checkConstants() {
  if (program->missingConstants.load(std::memory_order_relaxed) == 0)
    return true;
  for (size_t i = 0; i < program->constants.size(); ++i)
    if (!program->constants[i].data)
      return !fail(RAL_INVALID_ARGUMENT,
                   describe(RAL_CONSTANT, int64_t(i),
                            program->signature.args[RAL_CONSTANT][i]) +
                       " has not been set");
  return true;
}

bool ral_exec::checkInputs(const ral_tensor *given, int64_t count) {
  const std::vector<ArgSpec> &specs = program->signature.args[RAL_INPUT];
  if (count != int64_t(specs.size()))
    return !fail(RAL_INVALID_ARGUMENT, concat("expected ", specs.size(),
                                              " inputs, got ", count));
  symbols.assign(program->signature.symbols.size(), Symbol{0, -1, 0});
  inputs.resize(specs.size());
  for (int64_t i = 0; i < count; ++i)
    if (!checkInput(i, given[i]))
      return false;
  return true;
}

bool ral_exec::checkInput(int64_t index, const ral_tensor &tensor) {
  const ArgSpec &spec = program->signature.args[RAL_INPUT][size_t(index)];
  auto reject = [&](const std::string &why) {
    return !fail(RAL_INVALID_ARGUMENT,
                 describe(RAL_INPUT, index, spec) + ": " + why);
  };
  if (tensor.dtype != spec.dtype)
    return reject(concat("expected element type ", ral_dtype_name(spec.dtype),
                         ", got ", ral_dtype_name(tensor.dtype)));
  if (tensor.rank != spec.rank())
    return reject(
        concat("expected rank ", spec.rank(), ", got rank ", tensor.rank));
  for (int32_t dim = 0; dim < tensor.rank; ++dim)
    if (!checkDim(index, dim, tensor.sizes[dim]))
      return false;
  int64_t bytes = byteCount(tensor.sizes, tensor.rank, tensor.dtype);
  if (bytes < 0)
    return reject("its size overflows");
  if (!tensor.data && bytes)
    return reject("its data pointer is null");
  void *data = tensor.data ? tensor.data : emptyData;
  if (!isContiguous(tensor)) {
    data = alloc(bytes);
    if (!data)
      return false;
    pack(tensor, data);
  }
  inputs[size_t(index)] = {data, tensor.sizes};
  return true;
}

bool ral_exec::checkDim(int64_t index, int64_t dim, int64_t size) {
  const ArgSpec &spec = program->signature.args[RAL_INPUT][size_t(index)];
  int32_t symbol = spec.symbols[size_t(dim)];
  int64_t expected = spec.sizes[size_t(dim)];
  std::string source;
  if (symbol >= 0) {
    Symbol &bound = symbols[size_t(symbol)];
    if (bound.input < 0)
      bound = {size, index, dim};
    expected = bound.size;
    if (expected != size)
      source = concat(" (from ",
                      describe(RAL_INPUT, bound.input,
                               program->signature
                                   .args[RAL_INPUT][size_t(bound.input)]),
                      " dimension ", bound.dim, ")");
  }
  if (size >= 0 && (expected == size || expected == kDynamic))
    return true;
  std::string where =
      concat(describe(RAL_INPUT, index, spec), ": dimension ", dim);
  if (symbol >= 0)
    where += concat(" (`", spec.symbolNames[size_t(dim)], "`)");
  return !fail(RAL_INVALID_ARGUMENT,
               size < 0 ? concat(where, ": negative size ", size)
                        : concat(where, ": expected ", expected, source,
                                 ", got ", size));
}
