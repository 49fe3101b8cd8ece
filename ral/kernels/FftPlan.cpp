// Discrete Fourier transforms of one length.
#include "kernels/FftPlan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

using namespace ral;

/// exp(-2 pi i k / n), rounded once.
static Complex root(int64_t k, int64_t n) {
  constexpr long double twoPi = 6.283185307179586476925286766559005768L;
  long double angle = -twoPi * k / n;
  return {static_cast<double>(std::cos(angle)),
          static_cast<double>(std::sin(angle))};
}

static Complex conjugate(Complex x) { return {x.re, -x.im}; }

std::shared_ptr<const FftPlan> FftPlan::get(int64_t length) {
  constexpr size_t maxPlans = 32;
  constexpr int64_t maxLength = 1 << 16;
  static std::mutex mutex;
  static auto &plans =
      *new std::map<int64_t, std::shared_ptr<const FftPlan>>();
  if (length > maxLength)
    return std::make_shared<const FftPlan>(length);
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = plans.find(length);
    if (it != plans.end())
      return it->second;
  }
  auto plan = std::make_shared<const FftPlan>(length);
  std::lock_guard<std::mutex> lock(mutex);
  if (plans.size() >= maxPlans)
    plans.clear();
  plans[length] = plan;
  return plan;
}

FftPlan::FftPlan(int64_t length) : length(length) {
  int64_t rest = length;
  for (int64_t radix : {4, 2, 3, 5, 7, 11, 13})
    for (; rest % radix == 0 && rest > 0; rest /= radix)
      factors.push_back(radix);
  if (rest <= 1) {
    roots.resize(length);
    for (int64_t k = 0; k < length; ++k)
      roots[k] = root(k, length);
    return;
  }
  int64_t padded = 1;
  while (padded < 2 * length - 1)
    padded *= 2;
  convolution = get(padded);
  chirp.resize(length);
  kernel.assign(padded, {0, 0});
  // k^2 modulo 2 n, step by step: (k + 1)^2 = k^2 + 2 k + 1.
  for (int64_t k = 0, square = 0; k < length;
       square = (square + 2 * k + 1) % (2 * length), ++k) {
    chirp[k] = root(square, 2 * length);
    kernel[k] = kernel[k == 0 ? 0 : padded - k] = conjugate(chirp[k]);
  }
  std::vector<Complex> scratch(convolution->scratchLength());
  Complex *result = convolution->run(kernel.data(), scratch.data());
  if (result != kernel.data())
    std::copy_n(result, padded, kernel.data());
}

int64_t FftPlan::scratchLength() const {
  return convolution ? 2 * convolution->length : length;
}

Complex *FftPlan::run(Complex *data, Complex *scratch) const {
  return convolution ? runBluestein(data, scratch)
                     : runMixedRadix(data, scratch);
}

/// One step: `stride` transforms of `length` become as many of length / radix.
void FftPlan::pass(const Complex *x, Complex *y, int64_t radix, int64_t length,
                   int64_t stride) const {
  int64_t rows = length / radix, block = stride * rows;
  int64_t corner = this->length / radix; // the radix-th root of unity
  for (int64_t p = 0; p < rows; ++p) {
    const Complex *from = x + stride * p;
    Complex *to = y + stride * radix * p;
    const int64_t turn = p * stride;
    if (radix == 2) {
      Complex w = roots[turn];
      for (int64_t q = 0; q < stride; ++q) {
        Complex a = from[q], b = from[q + block];
        to[q] = a + b;
        to[q + stride] = (a - b) * w;
      }
    } else if (radix == 4) {
      Complex w1 = roots[turn], w2 = roots[2 * turn], w3 = roots[3 * turn];
      for (int64_t q = 0; q < stride; ++q) {
        Complex a = from[q], b = from[q + block], c = from[q + 2 * block],
                d = from[q + 3 * block];
        Complex even = a + c, odd = a - c, sum = b + d, difference = b - d;
        Complex turned = {difference.im, -difference.re}; // times -i
        to[q] = even + sum;
        to[q + stride] = (odd + turned) * w1;
        to[q + 2 * stride] = (even - sum) * w2;
        to[q + 3 * stride] = (odd - turned) * w3;
      }
    } else {
      for (int64_t q = 0; q < stride; ++q)
        for (int64_t j = 0; j < radix; ++j) {
          Complex sum = from[q];
          for (int64_t k = 1; k < radix; ++k)
            sum = sum + from[q + k * block] * roots[j * k % radix * corner];
          to[q + j * stride] = sum * roots[j * turn];
        }
    }
  }
}

Complex *FftPlan::runMixedRadix(Complex *data, Complex *scratch) const {
  int64_t rest = length, stride = 1;
  for (int64_t radix : factors) {
    pass(data, scratch, radix, rest, stride);
    std::swap(data, scratch);
    rest /= radix;
    stride *= radix;
  }
  return data;
}

/// -j k = ((j - k)^2 - j^2 - k^2) / 2 makes the transform a convolution.
Complex *FftPlan::runBluestein(Complex *data, Complex *scratch) const {
  int64_t padded = convolution->length;
  Complex *a = scratch, *rest = scratch + padded;
  for (int64_t k = 0; k < length; ++k)
    a[k] = data[k] * chirp[k];
  std::fill(a + length, a + padded, Complex{0, 0});
  Complex *spectrum = convolution->run(a, rest);
  Complex *other = spectrum == a ? rest : a;
  // The inverse transform is the conjugate of that of the conjugate.
  for (int64_t k = 0; k < padded; ++k)
    spectrum[k] = conjugate(spectrum[k] * kernel[k]);
  Complex *product = convolution->run(spectrum, other);
  double scale = 1.0 / static_cast<double>(padded);
  for (int64_t k = 0; k < length; ++k) {
    Complex value = conjugate(product[k]);
    data[k] = Complex{value.re * scale, value.im * scale} * chirp[k];
  }
  return data;
}
