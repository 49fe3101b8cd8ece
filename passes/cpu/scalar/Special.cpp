// erf and erfc.
#include "passes/cpu/scalar/Elementary.h"
#include "passes/cpu/scalar/Families.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

// erf(x) / x - 1 in x^2 for |x| <= 0.85
static const double kErfSmall[] = {0x1.06eba8p-3, -0x1.812724p-2, 0x1.ce2510p-4, -0x1.b730aep-6, 0x1.4b5668p-8, -0x1.4c5086p-11};
// -log(erfc(a)) / a for a in [0.85, 3.95]
static const double kErfLarge[] = {0x1.20ec84p+0,  0x1.454820p-1,  0x1.b2015ap-4, -0x1.814cc2p-6,
                                   0x1.cde9bcp-9,  -0x1.33607ap-12, 0x1.13a044p-17};

static Expr emitErf(Context &cx, Args a) {
  Expr x = a[0];
  if (x.isF64())
    return x.emit<math::ErfOp>(x.value());
  Expr m = abs(x);
  Expr small = fma(x, poly(x * x, kErfSmall), x);
  m = select(lt(m.c(3.95), m), 3.95, m); // 1 to rounding from there on
  Expr large = 1.0 - expBounded(-(m * poly(m, kErfLarge)));
  return select(lt(m, 0.85), small, copysign(large, x));
}

Rule specialRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("erf", {emitErf})
      .Default({});
}

} // namespace disc::scalar
