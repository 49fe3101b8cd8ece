// Patterns of a pass, each compiled alone: counted, and named where they go
// round in a circle.
#ifndef DISC_PASSES_NATIVES_PATTERNALONE_H
#define DISC_PASSES_NATIVES_PATTERNALONE_H

#include "mlir/Dialect/PDL/IR/PDLOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/DialectConversion.h"
#include "passes/natives/PatternPassInfo.h"
#include <atomic>

namespace disc {

/// What happened to one pattern of a pass.
struct PatternCount {
  std::string pass, pattern, place;
  std::atomic<int64_t> tried{0}, matched{0}, nanoseconds{0};
};

/// True once `collectPatternStats` was called.
bool collectsPatternStats();

/// The count of a pattern in the process's table.
PatternCount &patternCount(const PatternPassInfo &info, llvm::StringRef variant);

/// One rewrite: by which pattern, and where.
struct Fired {
  PatternCount *count;
  mlir::Location loc;
};

/// One PDL pattern, compiled.
struct PatternAlone {
  std::string root;
  unsigned benefit;
  mlir::FrozenRewritePatternSet compiled;
  PatternCount *count;
};

/// Adds PDL patterns with the tree's natives and, for a dialect conversion,
/// its types.
void addPdl(mlir::RewritePatternSet &set, mlir::OwningOpRef<mlir::ModuleOp> pdl,
            const mlir::TypeConverter *types);

/// Compiles a pattern alone.
PatternAlone compileAlone(mlir::pdl::PatternOp pattern,
                          const PatternPassInfo &info,
                          const mlir::TypeConverter *types);

/// Adds each pattern as one that counts what it does and, where `trail` is
/// given, records its rewrites.
void addCounted(mlir::RewritePatternSet &set,
                llvm::ArrayRef<PatternAlone> patterns,
                std::vector<Fired> *trail = nullptr);

/// Which patterns the end of `trail` goes round.
std::string describeCircle(llvm::ArrayRef<Fired> trail);

} // namespace disc

#endif // DISC_PASSES_NATIVES_PATTERNALONE_H
