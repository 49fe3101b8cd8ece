// Writes an arena: its allocation, and a view for each buffer in it.
#ifndef DISC_PASSES_BUFFERIZE_ARENABUILDER_H
#define DISC_PASSES_BUFFERIZE_ARENABUILDER_H

#include "passes/bufferize/ArenaPlan.h"
#include "passes/bufferize/SampleSizes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <map>
#include <string>
#include <vector>

namespace disc {

/// A size that overflows counts as this much, which no machine has, so that sums do not overflow.
inline constexpr int64_t kTooManyBytes = int64_t(1) << 50;

/// A buffer that the entry block allocates and frees. Its bytes are factor * sizes.
struct ArenaBuffer {
  mlir::memref::AllocOp alloc;
  mlir::memref::DeallocOp dealloc;
  int64_t begin, end;
  int64_t factor;
  llvm::SmallVector<mlir::Value> sizes;
};

/// One arena. `anchor` is where all sizes of its buffers are known.
class ArenaBuilder {
public:
  /// Plans it; it is made before `anchor`.
  ArenaBuilder(mlir::Operation *anchor, llvm::ArrayRef<ArenaBuffer> buffers, llvm::ArrayRef<DeclaredSymbol> symbols);

  /// Bytes of an arena whose buffers have constant sizes.
  int64_t constantBytes() const { return plan.bytes.front(); }
  /// Whether it is smaller than `other`, on average over the samples.
  bool isSmallerThan(const ArenaBuilder &other) const;

  /// Replaces the buffers. An arena on the stack has buffers of constant sizes.
  void emit(bool onStack);

private:
  mlir::Value index(int64_t value);
  mlir::Value bytesOf(const ArenaBuffer &buffer);
  mlir::Value add(mlir::Value offset, mlir::Value bytes);
  mlir::Value highest(llvm::ArrayRef<mlir::Value> ends);
  mlir::Value createStack();
  mlir::Value createAlloc(mlir::Value bytes);

  llvm::ArrayRef<ArenaBuffer> buffers;
  mlir::OpBuilder b;
  mlir::Location loc;
  ArenaPlan plan;
  llvm::SmallVector<std::string> texts;
  size_t largest = 0;
  std::map<std::vector<void *>, mlir::Value> sizes, maxima;
  std::map<std::pair<void *, void *>, mlir::Value> sums;
};

} // namespace disc

#endif // DISC_PASSES_BUFFERIZE_ARENABUILDER_H
