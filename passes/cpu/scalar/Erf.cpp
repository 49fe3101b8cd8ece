// erf, erfc and erf_inv.
#include "passes/cpu/scalar/Elementary.h"
#include "passes/cpu/scalar/Families.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

// -log(erfc(a)) / a - 1 for a in [0, 3.95]
static const double kErf[] = {0x1.06eba8p-3,  0x1.45f300p-1,   0x1.a4f8c2p-4,
                              -0x1.39b790p-6, -0x1.63c1a4p-13, 0x1.b74f1ap-10,
                              -0x1.4e35a2p-11, 0x1.f2a63cp-14, -0x1.3b1a6cp-17};

/// 1 - e^log(erfc |x|), which keeps the small values.
static Expr emitErf(Context &cx, Args a) {
  Expr x = a[0];
  if (x.isF64())
    return x.emit<math::ErfOp>(x.value());
  Expr m = abs(x);
  m = select(lt(m.c(3.95), m), 3.95, m); // 1 to rounding from there on
  return copysign(expm1Negative(-fma(poly(m, kErf), m, m)), x);
}

// e^(a^2) erfc(a) in t for a = 3.75 (1+t)/(1-t) in [0, 10.2]
static const double kErfcx[] = {
    0x1.2a2af19c0788ap-3,   -0x1.17fbeb39ec466p-2,  0x1.cedd515314dcep-3,
    -0x1.4efec6c4af83dp-3,  0x1.a4446664327abp-4,   -0x1.c0f13ba7c0703p-5,
    0x1.8b9093a78b8c0p-6,   -0x1.0d515336f81b2p-7,  0x1.d8bb1988d30eep-10,
    -0x1.0c2d8f8620938p-15, -0x1.4c5a8baab3b5ap-13, 0x1.d1d49687614c0p-15,
    0x1.2e1e49e0c8293p-16};

static Expr emitErfc(Context &cx, Args args) {
  if (args[0].isF64())
    return args[0].emit<math::ErfcOp>(args[0].value());
  return viaDouble(args[0], [](Expr x) {
    Expr a = abs(x);
    a = select(lt(a.c(10.2), a), 10.2, a); // below half of the smallest f32
    Expr tail = expBounded(-(a * a)) * poly((a - 3.75) / (a + 3.75), kErfcx);
    return select(lt(x, 0.0), 2.0 - tail, tail);
  });
}

// With w = -log(1 - x^2), erf_inv(x) / x in w - 2.5 for w < 5, ...
static const double kInverseSmall[] = {
    0x1.805c5d07173d8p+0,   0x1.f91e8b0f0ebcbp-3,  -0x1.11c41eb10bb89p-8,
    -0x1.48664ac3e695bp-10, 0x1.c9c559013640cp-13, -0x1.4cf9dab449ba0p-18,
    -0x1.ccf4e48889e22p-19, 0x1.f4349b44d611ap-22, 0x1.352b3e31dab1dp-26,
    -0x1.2d55b817900e1p-27, 0x1.73e8fb84c5ce2p-32};
// ... in sqrt(w) - 3 up to the w of the f32 next to 1, ...
static const double kInverseF32[] = {
    0x1.6a9efbdb653afp+1,  0x1.006dc54336fd9p+0,   0x1.3580e4a56066ep-7,
    -0x1.f4842b8d46dadp-8, 0x1.74b20294b114bp-8,   -0x1.d785e356aab98p-9,
    0x1.8560a7f445cdep-10, -0x1.dcd5b8deec8bbp-15, -0x1.44dac6303f064p-12,
    0x1.e5d9ab5168729p-14};
// ... and in sqrt(w) - 4 up to that of the f64 next to 1, to 2^-21.
static const double kInverseF64[] = {
    0x1.eb7e0bbffb768p+1,   0x1.026ec499e46d7p+0,   0x1.49654a65075d4p-10,
    -0x1.e19a679bda051p-11, 0x1.5b012fb117b98p-12,  -0x1.7eb524ae07b75p-15,
    0x1.45b40c3ee55c0p-15,  -0x1.355f38ed9c46ep-14, 0x1.0cf45561283a2p-15,
    -0x1.185fed420aaafp-21, -0x1.676ece492e887p-20};

/// One step of Halley's method on erf(y) = x, through erfc where erf is near 1.
static Expr refineInverse(Expr y, Expr x) {
  Expr a = abs(x), m = abs(y);
  Expr near1 = (1.0 - a) - m.emit<math::ErfcOp>(m.value());
  Expr difference =
      select(lt(a, 0.5), m.emit<math::ErfOp>(m.value()) - a, near1);
  Expr step = difference * 0x1.c5bf891b4ef6bp-1 * exp(m * m); // sqrt(pi) / 2
  return copysign(m - step / fma(step, m, 1.0), x);
}

static Expr emitErfInv(Context &cx, Args args) {
  bool isDouble = args[0].isF64();
  return viaDouble(args[0], [&](Expr x) {
    Expr w = -log((1.0 - x) * (x + 1.0));
    Expr small = poly(w - 2.5, kInverseSmall);
    Expr large = isDouble ? poly(sqrt(w) - 4.0, kInverseF64)
                          : poly(sqrt(w) - 3.0, kInverseF32);
    Expr y = select(lt(w, 5.0), small, large) * x;
    if (isDouble)
      y = select(lt(abs(x), 1e-8), x * 0x1.c5bf891b4ef6bp-1,
                 refineInverse(y, x));
    return select(eq(abs(x), 1.0), copysign(x.inf(), x), y);
  });
}

Rule erfRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("erf", {emitErf})
      .Case("erfc", {emitErfc})
      .Case("erf_inv", {emitErfInv})
      .Default({});
}

} // namespace disc::scalar
