// Discrete Fourier transforms of one length.
#ifndef RAL_KERNELS_FFTPLAN_H
#define RAL_KERNELS_FFTPLAN_H

#include <cstdint>
#include <memory>
#include <vector>

namespace ral {

/// Without the special cases for infinities of std::complex.
struct Complex {
  double re, im;
};

inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// The factors and roots of unity for a length. Lengths of small prime factors
/// are transformed by Stockham's method in mixed radix, others by Bluestein's.
class FftPlan {
public:
  /// A plan from a small cache of the process, or a new one. Throws bad_alloc.
  static std::shared_ptr<const FftPlan> get(int64_t length);

  explicit FftPlan(int64_t length);

  /// Complex numbers that `run` needs beside the data.
  int64_t scratchLength() const;

  /// X[k] = sum over j of x[j] exp(-2 pi i j k / length). Overwrites `data`;
  /// returns where the result is, in `data` or in `scratch`.
  Complex *run(Complex *data, Complex *scratch) const;

private:
  Complex *runMixedRadix(Complex *data, Complex *scratch) const;
  Complex *runBluestein(Complex *data, Complex *scratch) const;
  void pass(const Complex *x, Complex *y, int64_t radix, int64_t length,
            int64_t stride) const;

  int64_t length;
  std::vector<int64_t> factors;
  std::vector<Complex> roots; // exp(-2 pi i k / length)

  // Bluestein: a convolution with a chirp, of a power of 2.
  std::shared_ptr<const FftPlan> convolution;
  std::vector<Complex> chirp, kernel;
};

} // namespace ral
#endif
