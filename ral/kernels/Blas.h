// A BLAS library, loaded at run time.
#ifndef RAL_KERNELS_BLAS_H
#define RAL_KERNELS_BLAS_H

#include <cstdint>
#include <string>

namespace ral {

/// The entry points that matrix products need (32-bit integers).
struct Blas {
  enum { kRowMajor = 101, kNoTrans = 111, kTrans = 112 };
  template <typename T>
  using GemmFn = void (*)(int order, int transA, int transB, int m, int n,
                          int k, T alpha, const T *a, int lda, const T *b,
                          int ldb, T beta, T *c, int ldc);
  template <typename T>
  using GemvFn = void (*)(int order, int trans, int m, int n, T alpha,
                          const T *a, int lda, const T *x, int incx, T beta,
                          T *y, int incy);
  GemmFn<float> sgemm;
  GemmFn<double> dgemm;
  GemvFn<float> sgemv;
  GemvFn<double> dgemv;
};

/// Loads the library at `path`, once for the process, to run on the calling
/// thread only. `description` says what is in use; null: the built-in product.
const Blas *loadBlas(const char *path, std::string &description);

} // namespace ral
#endif
