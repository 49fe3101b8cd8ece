// The dhlo dialect and its registration together with the alias dialects.
#ifndef DISC_DIALECTS_DHLO_DHLODIALECT_H
#define DISC_DIALECTS_DHLO_DHLODIALECT_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"

#include "dialects/dhlo/DhloDialect.h.inc"

namespace mlir::dhlo {

/// Registers dhlo, the dialects `stablehlo`, `mhlo` and `chlo` whose text
/// parses straight into dhlo, and the attribute-only dialects that frontends
/// leave on modules and arguments.
void registerDhloDialects(DialectRegistry &registry);

/// The dhlo name of an op written in an alias dialect: `stablehlo.add`,
/// `mhlo.add` and `dhlo.add` give `dhlo.add`. Other names are unchanged.
std::string canonicalOpName(StringRef name);

/// Whether `dialectName` is one of `stablehlo`, `mhlo` and `chlo`.
bool isAliasNamespace(StringRef dialectName);

} // namespace mlir::dhlo

#endif // DISC_DIALECTS_DHLO_DHLODIALECT_H
