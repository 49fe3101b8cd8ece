// Sizes that the frontend or the user declares: `disc.dims` and `disc.symbols`.
#ifndef DISC_PASSES_SHAPE_DECLAREDSIZES_H
#define DISC_PASSES_SHAPE_DECLAREDSIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <limits>
#include <optional>

namespace disc {

/// Argument attribute: for each dimension a name, a sum like `2*s+1`, or "".
inline constexpr llvm::StringLiteral kDimsAttr = "disc.dims";
/// Function attribute: what is known of a name, for example
/// {s = {min = 1, max = 512, multiple_of = 8, likely = array<i64: 128, 384>}}.
inline constexpr llvm::StringLiteral kSymbolsAttr = "disc.symbols";

/// A size: offset + factor * symbol + ...
struct DeclaredSize {
  struct Term {
    llvm::StringRef symbol;
    int64_t factor;
  };
  llvm::SmallVector<Term, 2> terms;
  int64_t offset = 0;

  bool isSymbol() const {
    return terms.size() == 1 && terms[0].factor == 1 && offset == 0;
  }
  /// Without spaces, as RAL reads it.
  std::string text() const;
};

/// Nothing where `text` is no such sum.
std::optional<DeclaredSize> parseDeclaredSize(llvm::StringRef text);

/// An error where `disc.dims` of an argument is no list of such texts.
llvm::LogicalResult verifyDeclaredDims(mlir::func::FuncOp func);

struct DeclaredSymbol {
  llvm::StringRef name;
  int64_t min = 0, max = std::numeric_limits<int64_t>::max(), multiple = 1;
  llvm::ArrayRef<int64_t> likely;
};

/// The symbols of `func`; an error on it where the attribute is malformed.
mlir::FailureOr<llvm::SmallVector<DeclaredSymbol>>
declaredSymbols(mlir::func::FuncOp func);

} // namespace disc

#endif // DISC_PASSES_SHAPE_DECLAREDSIZES_H
