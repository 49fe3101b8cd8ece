// Where a fusion's body is evaluated: in its kernel, or in the host code around the launch.
#ifndef DISC_PASSES_CPU_SITE_H
#define DISC_PASSES_CPU_SITE_H

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace disc {

/// How a buffer is seen: all dimensions after the first `kept` as one; as a matrix, those before as one as well.
struct Fold {
  Fold(unsigned kept, bool isMatrix = false) : kept(kept), isMatrix(isMatrix && kept > 1) {}
  bool operator<(const Fold &other) const { return std::pair(kept, isMatrix) < std::pair(other.kept, other.isMatrix); }
  unsigned kept;
  bool isMatrix;
};

/// Gives a body's inputs and captured sizes as values of one place. Equal sizes are equal values: what comes from the same host value, or
/// the same constant, is one SSA value.
class Site {
public:
  virtual ~Site() = default;

  /// The buffer of input `i` of the fusion, folded where the site folds.
  virtual mlir::Value input(unsigned i, std::optional<Fold> fold = {}) = 0;
  virtual bool folds() const { return false; }
  /// Where values that are computed once go.
  virtual mlir::OpBuilder &prologue() = 0;
  mlir::Location loc() { return fusion.getLoc(); }

  mlir::Value constant(int64_t value);
  /// A host scalar (index, integer, float).
  mlir::Value scalar(mlir::Value host);
  /// Size `d` of a host buffer; looks through allocations to the sizes they were made with.
  mlir::Value dimOf(mlir::Value hostMemref, int64_t d);

  mlir::lmhlo_disc::FusionOp fusion;

protected:
  explicit Site(mlir::lmhlo_disc::FusionOp fusion) : fusion(fusion) {}
  virtual mlir::Value capture(mlir::Value host) = 0;
  /// The site's value for a host buffer, or null when it has none.
  virtual mlir::Value buffer(mlir::Value hostMemref) = 0;
  virtual mlir::OpBuilder constants() = 0;

private:
  std::map<int64_t, mlir::Value> constantCache; // every number may be a key, so no DenseMap
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> dimCache;
  llvm::DenseMap<mlir::Value, mlir::Value> clonedConstants;
};

/// `buffer` under the shape of `type`, whose dynamic sizes are among `sizes`; equally many elements, row-major.
mlir::Value emitView(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer, mlir::MemRefType type, mlir::ValueRange sizes);

/// The host code just before the fusion.
class HostSite : public Site {
public:
  explicit HostSite(mlir::lmhlo_disc::FusionOp fusion);
  mlir::Value input(unsigned i, std::optional<Fold> fold = {}) override;
  mlir::OpBuilder &prologue() override { return builder; }

protected:
  mlir::Value capture(mlir::Value host) override { return host; }
  mlir::Value buffer(mlir::Value hostMemref) override { return hostMemref; }
  mlir::OpBuilder constants() override { return builder; }

private:
  mlir::OpBuilder builder;
};

/// A kernel function under construction. Arguments appear as they are asked for; `lo`, `hi` and `worker` are the last three.
class Kernel : public Site {
public:
  /// Creates `name` at the end of the module. Erase `function()` to give up.
  Kernel(mlir::lmhlo_disc::FusionOp fusion, llvm::StringRef name);

  mlir::Value input(unsigned i, std::optional<Fold> fold = {}) override;
  bool folds() const override { return true; }
  mlir::Value output(unsigned i, std::optional<Fold> fold = {});
  /// A buffer of the host that is neither input nor output.
  mlir::Value other(mlir::Value hostMemref) { return bufferArgument(hostMemref, {}); }
  /// A buffer that the host allocates for this launch alone, with room for `hostLength` elements of each worker. `isPadded`: a loop's last
  /// store may reach a vector past its last element.
  mlir::Value scratch(mlir::Value hostLength, mlir::Type storage, bool isPadded = true);
  /// Where the worker's own elements begin in such a buffer; `length` is what `hostLength` is on the host.
  mlir::Value scratchStart(mlir::Value length);

  mlir::OpBuilder &prologue() override { return builder; }
  mlir::Value lo() { return loArg; }
  mlir::Value hi() { return hiArg; }
  mlir::Value worker() { return workerArg; }
  mlir::func::FuncOp function() { return func; }

  /// Sets the function's type. Then: a launch of `symbol` before the fusion, over `range` items in parts of about `grain`.
  void finish();
  void launch(llvm::StringRef symbol, mlir::Value range, mlir::Value grain);

  HostSite host;

protected:
  mlir::Value capture(mlir::Value host) override;
  mlir::Value buffer(mlir::Value hostMemref) override;
  mlir::OpBuilder constants() override;

private:
  mlir::Value argument(mlir::Value host);
  mlir::Value bufferArgument(mlir::Value hostMemref, std::optional<Fold> fold);

  mlir::func::FuncOp func;
  mlir::OpBuilder builder;
  mlir::Value loArg, hiArg, workerArg;
  llvm::SmallVector<mlir::Value> launchArgs, scratchBuffers, paddedBuffers;
  llvm::DenseMap<mlir::Value, mlir::Value> captured;
  llvm::DenseMap<mlir::Value, std::map<std::optional<Fold>, mlir::Value>> buffers;
};

} // namespace disc

#endif // DISC_PASSES_CPU_SITE_H
