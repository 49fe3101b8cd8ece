// sqrt, rsqrt and cbrt.
#include "passes/cpu/scalar/Elementary.h"
#include "passes/cpu/scalar/Families.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

static Expr emitSqrt(Context &cx, Args a) { return sqrt(a[0]); }
static Expr emitRsqrt(Context &cx, Args a) { return rsqrtFast(a[0]); }

static Expr emitCbrt(Context &cx, Args a) {
  if (a[0].isF64())
    return a[0].emit<math::CbrtOp>(a[0].value());
  return viaDouble(
      a[0], [](Expr x) { return copysign(exp(log(abs(x)) * (1.0 / 3)), x); });
}

Rule rootRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("sqrt", {emitSqrt})
      .Case("rsqrt", {emitRsqrt})
      .Case("cbrt", {emitCbrt})
      .Default({});
}

} // namespace disc::scalar
