// The exponentially scaled modified Bessel function of the first kind and
// order 1.
#include "passes/cpu/scalar/Elementary.h"
#include "passes/cpu/scalar/Families.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

// e^-x I1(x) / x in x/4 - 1 for x <= 8
static const double kSmall[] = {
    0x1.6e14eb8e5d319p-5,   -0x1.f4bb071a7752cp-5,  0x1.16c390ddb08d8p-4,
    -0x1.1881379ffb4dep-4,  0x1.0530f817ffae4p-4,   -0x1.c4daa51347820p-5,
    0x1.6df95e8be6d9cp-5,   -0x1.13d5f35831511p-5,  0x1.84125b0bb129cp-6,
    -0x1.fe3d9c14d0e66p-7,  0x1.3a0c1a22d3bc2p-7,   -0x1.6ab6a293c5d24p-8,
    0x1.89f8a30407747p-9,   -0x1.936836176e2a6p-10, 0x1.8656fdf163419p-11,
    -0x1.65bebdb4f0c04p-12, 0x1.37405a5a1afadp-13,  -0x1.01a8fb5060a50p-14,
    0x1.96bd57670b0a2p-16,  -0x1.323ca1af57945p-17, 0x1.b8533b69df1f2p-19,
    -0x1.3285202580adbp-20, 0x1.a09a6246ac8d2p-22,  -0x1.fe3c994fb6b95p-24,
    0x1.099e21d56fdc9p-25,  -0x1.759a69e973491p-27, 0x1.5af237b98fa50p-28,
    -0x1.35c4ac4168367p-30};
// sqrt(x) e^-x I1(x) in 16/x - 1 for x >= 8
static const double kLarge[] = {
    0x1.8ebe783a8402fp-2,   -0x1.3f796198ee5e1p-7,  -0x1.cbc54df17973fp-13,
    -0x1.f89c230c54759p-17, -0x1.ec8e198fd68f4p-20, -0x1.76136c59b1328p-22,
    -0x1.ad83f5530410bp-24, -0x1.7280ea0286d0cp-25, -0x1.92cc9a19b76a0p-26,
    -0x1.20e2bedb2e690p-27, 0x1.e76714710dcacp-28,  0x1.df77fcdc2921fp-27,
    0x1.4d6c8322a38bbp-28,  -0x1.ff12b707effd9p-28, -0x1.8002d24ce46c7p-28,
    0x1.a72068411e51fp-29,  0x1.ad7ba553919cap-29,  -0x1.21a7827b307c9p-30,
    -0x1.1c42c92beafd9p-30, 0x1.1f2e0746e8337p-32,  0x1.5a51f294ae604p-33,
    -0x1.24c0c84e884e5p-35};

static Expr emitBesselI1e(Context &cx, Args a) {
  return viaDouble(a[0], [](Expr x) {
    Expr m = abs(x);
    Expr small = m * poly(m * 0.25 - 1.0, kSmall);
    Expr large = poly(16.0 / m - 1.0, kLarge) / sqrt(m);
    return copysign(select(lt(m, 8.0), small, large), x);
  });
}

Rule besselRule(StringRef name) {
  return name == "bessel_i1e" ? Rule{emitBesselI1e} : Rule{};
}

} // namespace disc::scalar
