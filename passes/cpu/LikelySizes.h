// What sizes are, given the values of declared symbols.
#ifndef DISC_PASSES_CPU_LIKELYSIZES_H
#define DISC_PASSES_CPU_LIKELYSIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace disc {

/// A symbol of the program with the values that calls often have.
struct LikelySymbol {
  llvm::StringRef name;
  llvm::ArrayRef<int64_t> values;
};

/// The symbols with likely values, which the entry keeps (`disc.symbols`).
mlir::FailureOr<llvm::SmallVector<LikelySymbol>> likelySymbols(mlir::ModuleOp module);

/// Folds what is computed from known numbers, in host code and in kernels.
class KnownSizes {
public:
  /// `symbols` gives the sizes of inputs whose dimensions are declared (`disc.dims`).
  explicit KnownSizes(llvm::StringMap<int64_t> symbols = {}) : symbols(std::move(symbols)) {}

  void set(mlir::Value value, int64_t number);
  /// The number that an integer is; nothing where it is not known.
  std::optional<int64_t> get(mlir::Value value);
  /// Size `d` of a buffer of the host code.
  std::optional<int64_t> dim(mlir::Value memref, int64_t d);

private:
  mlir::Attribute fold(mlir::Value value);
  std::optional<int64_t> ofInput(mlir::Operation *input, int64_t d) const;

  llvm::StringMap<int64_t> symbols;
  llvm::DenseMap<mlir::Value, mlir::Attribute> known;
};

} // namespace disc

#endif // DISC_PASSES_CPU_LIKELYSIZES_H
