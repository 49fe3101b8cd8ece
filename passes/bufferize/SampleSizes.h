// Sizes that calls may have, to compare plans with.
#ifndef DISC_PASSES_BUFFERIZE_SAMPLESIZES_H
#define DISC_PASSES_BUFFERIZE_SAMPLESIZES_H

#include "passes/shape/DeclaredSizes.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace disc {

/// Values of index arithmetic at one of a few sample points: dimensions of inputs are
/// likely sizes where some are declared, else round numbers that the declaration allows,
/// different in each sample.
class SampleSizes {
public:
  static constexpr int64_t kSamples = 4;

  SampleSizes(int64_t sample, llvm::ArrayRef<DeclaredSymbol> symbols) : sample(sample), symbols(symbols) {}

  int64_t of(mlir::Value value);
  /// The sizes that were asked for, like `B = 64, S = 64`.
  std::string text() const;

private:
  int64_t compute(mlir::Value value);
  int64_t inputSize(mlir::Operation *input, int64_t dim);
  int64_t free(llvm::StringRef name);

  int64_t sample;
  llvm::ArrayRef<DeclaredSymbol> symbols;
  llvm::DenseMap<mlir::Value, int64_t> known;
  llvm::SmallVector<std::pair<std::string, int64_t>> named;
};

} // namespace disc

#endif // DISC_PASSES_BUFFERIZE_SAMPLESIZES_H
