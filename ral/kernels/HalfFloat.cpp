// Conversion between f32 and the 16-bit floating-point types.
#include "kernels/HalfFloat.h"

#include <cstring>

using namespace ral;

static constexpr int64_t kGrain = 16384;

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

static float widenF16(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16;
  uint32_t rest = uint32_t(half & 0x7fff) << 13;
  // The exponent's bias differs by 112: scaling by 2^112 is exact, also for
  // subnormals.
  float scaled = floatOf(rest) * floatOf(uint32_t(127 + 112) << 23);
  bool special = rest >= 0x0f800000; // infinity or NaN
  uint32_t bits = special ? rest | 0x7f800000 : bitsOf(scaled);
  return floatOf(bits | sign);
}

static uint16_t narrowF16(float value) {
  uint32_t bits = bitsOf(value), sign = bits & 0x80000000;
  bits ^= sign;
  uint32_t out;
  if (bits >= 0x47800000) // 2^16 and above, infinity, NaN
    out = bits > 0x7f800000 ? 0x7e00 : 0x7c00;
  else if (bits < 0x38800000) // subnormal: the addition rounds
    out = bitsOf(floatOf(bits) + 0.5f) - 0x3f000000;
  else
    out = (bits - 0x38000000 + 0xfff + ((bits >> 13) & 1)) >> 13;
  return uint16_t(out | sign >> 16);
}

static uint16_t narrowBF16(float value) {
  uint32_t bits = bitsOf(value);
  bool isNaN = (bits & 0x7fffffff) > 0x7f800000;
  uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  return uint16_t(isNaN ? (bits >> 16) | 0x40 : rounded);
}

namespace {
struct Conversion {
  const void *from;
  void *to;
};
} // namespace

template <typename From, typename To, To (*convert)(From)>
static void convertPiece(void *data, int64_t lo, int64_t hi, int64_t) {
  auto *conversion = static_cast<Conversion *>(data);
  auto *from = static_cast<const From *>(conversion->from);
  auto *to = static_cast<To *>(conversion->to);
  for (int64_t i = lo; i < hi; ++i)
    to[i] = convert(from[i]);
}

static float widenBF16(uint16_t half) { return floatOf(uint32_t(half) << 16); }

void ral::widenHalf(const Parallel &parallel, int32_t dtype,
                    const uint16_t *from, float *to, int64_t count) {
  Conversion conversion{from, to};
  parallel.run(dtype == RAL_F16 ? convertPiece<uint16_t, float, widenF16>
                                : convertPiece<uint16_t, float, widenBF16>,
               &conversion, count, kGrain);
}

void ral::narrowHalf(const Parallel &parallel, int32_t dtype,
                     const float *from, uint16_t *to, int64_t count) {
  Conversion conversion{from, to};
  parallel.run(dtype == RAL_F16 ? convertPiece<float, uint16_t, narrowF16>
                                : convertPiece<float, uint16_t, narrowBF16>,
               &conversion, count, kGrain);
}
