// Fourier transforms over the last dimensions: the call "ral.fft".
#include "core/Status.h"
#include "core/Tensor.h"
#include "kernels/Batch.h"
#include "kernels/FftPlan.h"
#include "kernels/Kernels.h"

#include <cstring>

using namespace ral;

namespace {
/// Lines along one dimension of a row-major array.
struct Lines {
  Lines(const int64_t *sizes, int64_t rank, int64_t dim) : length(sizes[dim]) {
    count = elementCount(sizes, dim) * elementCount(sizes + dim + 1, rank - dim - 1);
    stride = elementCount(sizes + dim + 1, rank - dim - 1);
  }
  int64_t start(int64_t line) const {
    return line / stride * stride * length + line % stride;
  }
  int64_t length, count, stride;
};

/// One call. T is the real element type; arithmetic is in double.
template <typename T> class Transform {
public:
  Transform(ral_exec *exec, const ral_tensor &in, const ral_tensor &out,
            bool isInverse, const int64_t *lengths, int64_t numDims)
      : exec(exec), in(in), out(out), isInverse(isInverse), lengths(lengths),
        numDims(numDims) {}
  int32_t run();

private:
  struct Pair {
    T re, im;
  };
  static bool isReal(const ral_tensor &tensor) {
    return tensor.dtype == RAL_F32 || tensor.dtype == RAL_F64;
  }
  /// An inverse transform is a forward one with parts exchanged.
  Complex load(Pair x) const {
    return isInverse ? Complex{double(x.im), double(x.re)}
                     : Complex{double(x.re), double(x.im)};
  }
  Pair store(Complex x, double scale) const {
    T first = T(x.re * scale), second = T(x.im * scale);
    return isInverse ? Pair{second, first} : Pair{first, second};
  }
  double scaleOf(int64_t length) const {
    return isInverse ? 1.0 / static_cast<double>(length) : 1.0;
  }

  template <typename Load, typename Store>
  int32_t forLines(int64_t length, int64_t count, const Load &load,
                   const Store &store);
  int32_t alongOuter(Pair *data, const int64_t *sizes);
  int32_t alongLast(const Pair *from, Pair *to);
  int32_t realToComplex();
  int32_t complexToReal(const Pair *from);

  ral_exec *exec;
  const ral_tensor &in, &out;
  bool isInverse;
  const int64_t *lengths;
  int64_t numDims;
};
} // namespace

template <typename T>
template <typename Load, typename Store>
int32_t Transform<T>::forLines(int64_t length, int64_t count, const Load &load,
                               const Store &store) {
  std::shared_ptr<const FftPlan> plan = FftPlan::get(length);
  int64_t needed = length + plan->scratchLength();
  return forEach(exec, count, 16384 / (length + 1),
                 needed * int64_t(sizeof(Complex)),
                 [&](int64_t line, char *scratch) {
                   auto *data = reinterpret_cast<Complex *>(scratch);
                   load(line, data);
                   store(line, plan->run(data, data + length));
                 });
}

/// In place along the dimensions before the last one.
template <typename T>
int32_t Transform<T>::alongOuter(Pair *data, const int64_t *sizes) {
  for (int64_t dim = in.rank - 2; dim >= in.rank - numDims; --dim) {
    Lines lines(sizes, in.rank, dim);
    double scale = scaleOf(lines.length);
    int32_t status = forLines(
        lines.length, lines.count,
        [&](int64_t line, Complex *x) {
          const Pair *from = data + lines.start(line);
          for (int64_t k = 0; k < lines.length; ++k)
            x[k] = load(from[k * lines.stride]);
        },
        [&](int64_t line, const Complex *x) {
          Pair *to = data + lines.start(line);
          for (int64_t k = 0; k < lines.length; ++k)
            to[k * lines.stride] = store(x[k], scale);
        });
    if (status)
      return status;
  }
  return 0;
}

template <typename T>
int32_t Transform<T>::alongLast(const Pair *from, Pair *to) {
  int64_t length = in.sizes[in.rank - 1];
  double scale = scaleOf(length);
  return forLines(
      length, elementCount(in.sizes, in.rank - 1),
      [&](int64_t line, Complex *x) {
        for (int64_t k = 0; k < length; ++k)
          x[k] = load(from[line * length + k]);
      },
      [&](int64_t line, const Complex *x) {
        for (int64_t k = 0; k < length; ++k)
          to[line * length + k] = store(x[k], scale);
      });
}

template <typename T> int32_t Transform<T>::realToComplex() {
  auto *from = static_cast<const T *>(in.data);
  auto *to = static_cast<Pair *>(out.data);
  int64_t length = in.sizes[in.rank - 1], half = length / 2 + 1;
  return forLines(
      length, elementCount(in.sizes, in.rank - 1),
      [&](int64_t line, Complex *x) {
        for (int64_t k = 0; k < length; ++k)
          x[k] = {double(from[line * length + k]), 0};
      },
      [&](int64_t line, const Complex *x) {
        for (int64_t k = 0; k < half; ++k)
          to[line * half + k] = {T(x[k].re), T(x[k].im)};
      });
}

/// The half that is not given is the conjugate of the other. Imaginary parts
/// that would have to be 0 are not read.
template <typename T> int32_t Transform<T>::complexToReal(const Pair *from) {
  auto *to = static_cast<T *>(out.data);
  int64_t length = out.sizes[out.rank - 1], half = length / 2 + 1;
  double scale = scaleOf(length);
  return forLines(
      length, elementCount(out.sizes, out.rank - 1),
      [&](int64_t line, Complex *x) {
        for (int64_t k = 0; k < half; ++k) {
          Pair value = from[line * half + k];
          if (2 * k % length == 0)
            value.im = 0;
          x[k] = load(value);
          if (k > 0)
            x[length - k] = load({value.re, -value.im});
        }
      },
      [&](int64_t line, const Complex *x) {
        for (int64_t k = 0; k < length; ++k)
          to[line * length + k] = store(x[k], scale).re;
      });
}

template <typename T> int32_t Transform<T>::run() {
  // Complex numbers need not be aligned to more than their parts.
  if (isReal(in)) {
    if (int32_t status = realToComplex())
      return status;
    return alongOuter(static_cast<Pair *>(out.data), out.sizes);
  }
  auto *from = static_cast<const Pair *>(in.data);
  if (!isReal(out)) {
    auto *to = static_cast<Pair *>(out.data);
    if (int32_t status = alongLast(from, to))
      return status;
    return alongOuter(to, out.sizes);
  }
  if (numDims == 1)
    return complexToReal(from);
  int64_t bytes = byteCount(in.sizes, in.rank, in.dtype);
  auto *copy = static_cast<Pair *>(exec->alloc(bytes));
  if (!copy)
    return RAL_OUT_OF_MEMORY;
  std::memcpy(copy, from, bytes);
  int32_t status = alongOuter(copy, in.sizes);
  if (!status)
    status = complexToReal(copy);
  exec->dealloc(copy);
  return status;
}

/// The sizes that the transformed dimensions must have.
static int32_t checkSizes(ral_exec *exec, const ral_tensor &tensor,
                          const int64_t *lengths, int64_t numDims,
                          bool isHalved, const char *what) {
  for (int64_t i = 0; i < numDims; ++i) {
    int64_t dim = tensor.rank - numDims + i;
    bool isLast = i == numDims - 1;
    int64_t expected = isHalved && isLast && lengths[i] > 0
                           ? lengths[i] / 2 + 1
                           : lengths[i];
    if (tensor.sizes[dim] != expected)
      return exec->fail(RAL_CHECK_FAILED,
                        concat("fft: ", what, " dimension ", dim, ": expected ",
                               expected, ", got ", tensor.sizes[dim]));
  }
  return 0;
}

int32_t ral::fft(ral_exec *exec, const ral_tensor *args, int64_t nargs,
                 const int64_t *ints, int64_t nints) {
  if (nargs != 2 || nints < 2 || args[0].rank < nints - 1 ||
      args[0].rank != args[1].rank)
    return exec->fail(RAL_INTERNAL, "ral.fft: expected an input and an output "
                                    "of one rank, and 1 to 3 lengths");
  const ral_tensor &in = args[0], &out = args[1];
  bool single = in.dtype == RAL_F32 || in.dtype == RAL_C64;
  int32_t real = single ? RAL_F32 : RAL_F64, complex = single ? RAL_C64 : RAL_C128;
  bool known = (in.dtype == complex && (out.dtype == complex || out.dtype == real)) ||
               (in.dtype == real && out.dtype == complex);
  if (!known)
    return exec->fail(RAL_UNSUPPORTED,
                      concat("ral.fft: from ", ral_dtype_name(in.dtype), " to ",
                             ral_dtype_name(out.dtype)));
  const int64_t *lengths = ints + 1;
  int64_t numDims = nints - 1;
  if (checkSizes(exec, in, lengths, numDims, out.dtype == real, "operand") ||
      checkSizes(exec, out, lengths, numDims, in.dtype == real, "result"))
    return RAL_CHECK_FAILED;
  if (elementCount(out.sizes, out.rank) == 0)
    return 0;
  try {
    if (single)
      return Transform<float>(exec, in, out, ints[0] != 0, lengths, numDims).run();
    return Transform<double>(exec, in, out, ints[0] != 0, lengths, numDims).run();
  } catch (const std::bad_alloc &) {
    return exec->fail(RAL_OUT_OF_MEMORY, "ral.fft: no memory for the roots of unity");
  }
}
