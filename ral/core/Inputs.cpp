// Checks of an execution's inputs against what the compiler assumed.
#include "core/Execution.h"
#include "core/Status.h"
#include "core/Tensor.h"

#include <limits>

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
  waiting.clear();
  inputs.resize(specs.size());
  for (int64_t i = 0; i < count; ++i)
    if (!checkInput(i, given[i]))
      return false;
  return waiting.empty() || checkWaiting();
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

std::string ral_exec::whereDim(int64_t index, int64_t dim) const {
  const ArgSpec &spec = program->signature.args[RAL_INPUT][size_t(index)];
  const std::string &text = spec.texts[size_t(dim)];
  return concat(describe(RAL_INPUT, index, spec), ": dimension ", dim) +
         (text.empty() ? "" : " (`" + text + "`)") + ": ";
}

bool ral_exec::checkDim(int64_t index, int64_t dim, int64_t size) {
  const ArgSpec &spec = program->signature.args[RAL_INPUT][size_t(index)];
  int64_t expected = spec.sizes[size_t(dim)];
  const SizeSum &sum = spec.sums[size_t(dim)];
  if (size < 0)
    return !fail(RAL_INVALID_ARGUMENT,
                 concat(whereDim(index, dim), "negative size ", size));
  if (!sum.terms.empty())
    return checkSum(index, dim, size);
  if (expected == size || expected == kDynamic)
    return true;
  return !fail(RAL_INVALID_ARGUMENT, concat(whereDim(index, dim), "expected ",
                                            expected, ", got ", size));
}

/// The size of dimension `dim` is `size`, so `symbol` is `value`.
bool ral_exec::bind(size_t symbol, int64_t value, int64_t index, int64_t dim) {
  const SymbolSpec &spec = program->signature.symbols[symbol];
  symbols[symbol] = {value, index, dim};
  const std::string &text =
      program->signature.args[RAL_INPUT][size_t(index)].texts[size_t(dim)];
  std::string subject =
      text == spec.name ? "" : concat("`", spec.name, "`: ");
  auto reject = [&](const char *what, int64_t limit) {
    return !fail(RAL_INVALID_ARGUMENT,
                 concat(whereDim(index, dim), subject, "expected ", what, limit,
                        ", got ", value));
  };
  if (value < spec.min)
    return reject("at least ", spec.min);
  if (value > spec.max)
    return reject("at most ", spec.max);
  return value % spec.multiple == 0 || reject("a multiple of ", spec.multiple);
}

bool ral_exec::checkSum(int64_t index, int64_t dim, int64_t size) {
  const ArgSpec &spec = program->signature.args[RAL_INPUT][size_t(index)];
  const SizeSum &sum = spec.sums[size_t(dim)];
  int64_t expected = sum.offset;
  std::string source;
  for (const SizeSum::Term &term : sum.terms) {
    Symbol &known = symbols[term.symbol];
    if (known.input < 0) {
      if (sum.isSymbol())
        return bind(term.symbol, size, index, dim);
      waiting.push_back({size, index, dim});
      return true;
    }
    int64_t product;
    if (__builtin_mul_overflow(term.factor, known.size, &product) ||
        __builtin_add_overflow(expected, product, &expected))
      return !fail(RAL_INVALID_ARGUMENT,
                   concat(whereDim(index, dim), "the expected size overflows, "
                                                "got ",
                          size));
  }
  if (expected == size)
    return true;
  for (const SizeSum::Term &term : sum.terms) {
    const Symbol &known = symbols[term.symbol];
    source += source.empty() ? " (" : ", ";
    if (!sum.isSymbol())
      source += concat("`", program->signature.symbols[term.symbol].name,
                       "` is ", known.size, " ");
    const ArgSpec &other =
        program->signature.args[RAL_INPUT][size_t(known.input)];
    source += concat("from ", describe(RAL_INPUT, known.input, other),
                     " dimension ", known.dim);
  }
  return !fail(RAL_INVALID_ARGUMENT,
               concat(whereDim(index, dim), "expected ", expected, source,
                      "), got ", size));
}

/// Derived sizes: those that have one unknown symbol tell it.
bool ral_exec::checkWaiting() {
  for (bool progress = true; progress;) {
    progress = false;
    std::vector<Symbol> now;
    now.swap(waiting);
    for (const Symbol &size : now) {
      const SizeSum &sum = program->signature.args[RAL_INPUT][size_t(size.input)]
                               .sums[size_t(size.dim)];
      int64_t rest, unknown = 0;
      SizeSum::Term solved{0, 1};
      if (__builtin_sub_overflow(size.size, sum.offset, &rest))
        return !fail(RAL_INVALID_ARGUMENT,
                     concat(whereDim(size.input, size.dim),
                            "the expected size overflows, got ", size.size));
      for (const SizeSum::Term &term : sum.terms) {
        const Symbol &known = symbols[term.symbol];
        int64_t product;
        if (known.input < 0) {
          solved = term;
          ++unknown;
        } else if (__builtin_mul_overflow(term.factor, known.size, &product) ||
                   __builtin_sub_overflow(rest, product, &rest)) {
          return !fail(RAL_INVALID_ARGUMENT,
                       concat(whereDim(size.input, size.dim),
                              "the expected size overflows, got ", size.size));
        }
      }
      if (unknown > 1) {
        waiting.push_back(size);
        continue;
      }
      progress = true;
      if (unknown == 0) {
        if (!checkSum(size.input, size.dim, size.size))
          return false;
        continue;
      }
      const std::string &name = program->signature.symbols[solved.symbol].name;
      bool isLast = rest == std::numeric_limits<int64_t>::min(); // no -rest
      if (solved.factor == 0 || (isLast && solved.factor == -1) ||
          rest % solved.factor != 0)
        return !fail(RAL_INVALID_ARGUMENT,
                     concat(whereDim(size.input, size.dim),
                            "expected this for a whole number `", name,
                            "`, got ", size.size));
      if (!bind(solved.symbol, rest / solved.factor, size.input, size.dim))
        return false;
    }
  }
  return true;
}
