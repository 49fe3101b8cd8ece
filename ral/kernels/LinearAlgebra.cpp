// Dense linear algebra on batches of matrices: the calls "ral.cholesky" and
// "ral.triangular_solve". Arithmetic is in double.
#include "core/Status.h"
#include "core/Tensor.h"
#include "kernels/Batch.h"
#include "kernels/Kernels.h"

#include <cmath>
#include <complex>
#include <limits>

using namespace ral;

namespace {
template <typename T> struct WorkOf {
  using type = double;
};
template <typename T> struct WorkOf<std::complex<T>> {
  using type = std::complex<double>;
};
template <typename T> using Work = typename WorkOf<T>::type;
} // namespace

static double conjugate(double x) { return x; }
static std::complex<double> conjugate(std::complex<double> x) {
  return std::conj(x);
}
static double realPart(double x) { return x; }
static double realPart(std::complex<double> x) { return x.real(); }
// Without std::complex's special cases for infinities.
static double times(double a, double b) { return a * b; }
static std::complex<double> times(std::complex<double> a,
                                  std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

/// Runs `body` with a value of the element type; fails for other types.
template <typename Body>
static int32_t forElementType(ral_exec *exec, int32_t dtype, const char *name,
                              const Body &body) {
  switch (dtype) {
  case RAL_F32:
    return body(float());
  case RAL_F64:
    return body(double());
  case RAL_C64:
    return body(std::complex<float>());
  case RAL_C128:
    return body(std::complex<double>());
  default:
    return exec->fail(RAL_UNSUPPORTED, concat(name, ": element type ",
                                              ral_dtype_name(dtype)));
  }
}

/// Fails unless the last two sizes of `a` agree.
static int32_t checkSquare(ral_exec *exec, const ral_tensor &a,
                           const char *name) {
  int64_t rows = a.sizes[a.rank - 2], columns = a.sizes[a.rank - 1];
  if (rows == columns)
    return 0;
  return exec->fail(RAL_CHECK_FAILED,
                    concat(name, ": `a`: expected square matrices, got ", rows,
                           " x ", columns));
}

/// Sum of x[k] conj(y[k]), in an order that vectorises.
template <typename W> static W innerProduct(const W *x, const W *y, int64_t n) {
  W sums[4] = {};
  int64_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (int64_t u = 0; u < 4; ++u)
      sums[u] += times(x[k + u], conjugate(y[k + u]));
  for (; k < n; ++k)
    sums[0] += times(x[k], conjugate(y[k]));
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// L of a = L L^H in the place of the lower triangle; false where `a` is not
/// positive definite.
template <typename W> static bool decompose(W *a, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    W *row = a + i * n;
    for (int64_t j = 0; j < i; ++j)
      row[j] = (row[j] - innerProduct(row, a + j * n, j)) /
               realPart(a[j * n + j]);
    double pivot = realPart(row[i]) - realPart(innerProduct(row, row, i));
    if (!(pivot > 0)) // also for NaN
      return false;
    row[i] = std::sqrt(pivot);
  }
  return true;
}

template <typename T>
static int32_t runCholesky(ral_exec *exec, const ral_tensor *args, bool lower) {
  using W = Work<T>;
  const ral_tensor &in = args[0];
  int64_t n = in.sizes[in.rank - 1];
  // An upper factor is the conjugate transpose of the lower one.
  auto place = [=](int64_t i, int64_t j) { return lower ? i * n + j : j * n + i; };
  auto body = [&](int64_t batch, char *scratch) {
    W *work = reinterpret_cast<W *>(scratch);
    const T *from = static_cast<const T *>(in.data) + batch * n * n;
    T *to = static_cast<T *>(args[1].data) + batch * n * n;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j <= i; ++j) {
        W value = W(from[place(i, j)]);
        work[i * n + j] = lower ? value : conjugate(value);
      }
    bool ok = decompose(work, n);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        W value = j > i ? W(0) : work[i * n + j];
        if (!ok)
          value = std::numeric_limits<double>::quiet_NaN();
        to[place(i, j)] = T(lower ? value : conjugate(value));
      }
  };
  return forEach(exec, elementCount(in.sizes, in.rank - 2),
                 32768 / (n * n * n + 1), n * n * int64_t(sizeof(W)), body);
}

int32_t ral::cholesky(ral_exec *exec, const ral_tensor *args, int64_t nargs,
                      const int64_t *ints, int64_t nints) {
  if (nargs != 2 || nints != 1 || args[0].rank < 2)
    return exec->fail(RAL_INTERNAL,
                      "ral.cholesky: expected `a`, a result and one integer");
  if (int32_t status = checkSquare(exec, args[0], "cholesky"))
    return status;
  if (elementCount(args[0].sizes, args[0].rank) == 0)
    return 0;
  return forElementType(exec, args[0].dtype, "ral.cholesky", [&](auto element) {
    return runCholesky<decltype(element)>(exec, args, ints[0] != 0);
  });
}

namespace {
/// ints of "ral.triangular_solve".
struct Options {
  bool left, lower, unit, transpose, conjugate;
};
} // namespace

/// op(a) as a full matrix, of which one triangle is filled in.
template <typename W, typename T>
static void loadTriangle(const T *a, W *work, int64_t n, Options options) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = options.lower ? 0 : i; j <= (options.lower ? i : n - 1); ++j) {
      W value = i == j && options.unit ? W(1) : W(a[i * n + j]);
      work[options.transpose ? j * n + i : i * n + j] =
          options.conjugate ? conjugate(value) : value;
    }
}

/// x with a x = b in the place of b [n, columns], row by row.
template <typename W>
static void solveLeft(const W *a, W *b, int64_t n, int64_t columns, bool lower,
                      bool unit) {
  for (int64_t step = 0; step < n; ++step) {
    int64_t i = lower ? step : n - 1 - step;
    W *row = b + i * columns;
    for (int64_t j = lower ? 0 : i + 1; j < (lower ? i : n); ++j) {
      W factor = a[i * n + j];
      const W *known = b + j * columns;
      for (int64_t c = 0; c < columns; ++c)
        row[c] -= times(factor, known[c]);
    }
    for (int64_t c = 0; c < columns && !unit; ++c)
      row[c] /= a[i * n + i];
  }
}

/// x with x a = b in the place of b [rows, n]; each row on its own.
template <typename W>
static void solveRight(const W *a, W *b, int64_t n, int64_t rows, bool lower,
                       bool unit) {
  for (int64_t r = 0; r < rows; ++r) {
    W *x = b + r * n;
    for (int64_t step = 0; step < n; ++step) {
      int64_t j = lower ? n - 1 - step : step;
      if (!unit)
        x[j] /= a[j * n + j];
      for (int64_t c = lower ? 0 : j + 1; c < (lower ? j : n); ++c)
        x[c] -= times(x[j], a[j * n + c]);
    }
  }
}

template <typename T>
static int32_t runSolve(ral_exec *exec, const ral_tensor *args,
                        Options options) {
  using W = Work<T>;
  const ral_tensor &a = args[0], &b = args[1];
  int64_t n = a.sizes[a.rank - 1];
  int64_t size = b.sizes[b.rank - 2] * b.sizes[b.rank - 1];
  int64_t others = size / n;
  bool lower = options.lower != options.transpose; // of op(a)
  auto body = [&](int64_t batch, char *scratch) {
    W *triangle = reinterpret_cast<W *>(scratch), *x = triangle + n * n;
    loadTriangle(static_cast<const T *>(a.data) + batch * n * n, triangle, n,
                 options);
    const T *from = static_cast<const T *>(b.data) + batch * size;
    T *to = static_cast<T *>(args[2].data) + batch * size;
    for (int64_t i = 0; i < size; ++i)
      x[i] = W(from[i]);
    if (options.left)
      solveLeft(triangle, x, n, others, lower, options.unit);
    else
      solveRight(triangle, x, n, others, lower, options.unit);
    for (int64_t i = 0; i < size; ++i)
      to[i] = T(x[i]);
  };
  return forEach(exec, elementCount(a.sizes, a.rank - 2),
                 32768 / (n * size + 1), (n * n + size) * int64_t(sizeof(W)),
                 body);
}

int32_t ral::triangularSolve(ral_exec *exec, const ral_tensor *args,
                             int64_t nargs, const int64_t *ints,
                             int64_t nints) {
  if (nargs != 3 || nints != 5 || args[0].rank < 2 ||
      args[0].rank != args[1].rank)
    return exec->fail(RAL_INTERNAL,
                      "ral.triangular_solve: expected `a` and `b` of one rank, "
                      "a result and five integers");
  if (int32_t status = checkSquare(exec, args[0], "triangular_solve"))
    return status;
  const ral_tensor &a = args[0], &b = args[1];
  int32_t side = ints[0] ? b.rank - 2 : b.rank - 1;
  for (int32_t dim = 0; dim < b.rank; ++dim) {
    bool shared = dim < b.rank - 2 || dim == side;
    if (shared && a.sizes[dim] != b.sizes[dim])
      return exec->fail(RAL_CHECK_FAILED,
                        concat("triangular_solve: `b` dimension ", dim,
                               ": expected ", a.sizes[dim],
                               ", the size of `a`, got ", b.sizes[dim]));
  }
  if (elementCount(b.sizes, b.rank) == 0)
    return 0;
  Options options{ints[0] != 0, ints[1] != 0, ints[2] != 0, ints[3] != 0,
                  ints[4] != 0};
  return forElementType(exec, a.dtype, "ral.triangular_solve",
                        [&](auto element) {
                          return runSolve<decltype(element)>(exec, args, options);
                        });
}
