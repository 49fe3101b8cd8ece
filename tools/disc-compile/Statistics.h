// What a compilation did, as JSON.
#ifndef DISC_TOOLS_DISC_COMPILE_STATISTICS_H
#define DISC_TOOLS_DISC_COMPILE_STATISTICS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <chrono>

namespace disc {

/// Times of phases in order, and counts of fusions, kernels and library calls.
class Statistics {
public:
  /// Runs `work` and books its time under `phase`.
  template <typename Work> auto time(llvm::StringRef phase, Work &&work) {
    struct Booking {
      Statistics &statistics;
      llvm::StringRef phase;
      std::chrono::steady_clock::time_point start;
      ~Booking() {
        std::chrono::duration<double> elapsed =
            std::chrono::steady_clock::now() - start;
        statistics.phases.emplace_back(phase.str(), elapsed.count());
      }
    } booking{*this, phase, std::chrono::steady_clock::now()};
    return work();
  }

  void book(llvm::StringRef phase, double seconds) { phases.emplace_back(phase.str(), seconds); }

  /// Counts what `module` shows between two phases.
  void observe(mlir::ModuleOp module);

  /// Sizes of the kernels' code in an object file.
  void observeObject(llvm::MemoryBufferRef object);

  /// {"peak_rss_mib": x, "phases": {name: seconds}, "fusions": [...], "stitches": [{"kernels": n, "products": n}],
  ///  "kernels": {name: sites}, "library": {name: sites}, "versions": {kernel: [for what, ...]},
  ///  "kernel_bytes": {name: bytes}}
  void write(llvm::raw_ostream &os) const;

private:
  std::vector<std::pair<std::string, double>> phases;
  llvm::json::Array fusions, stitches, arenas;
  std::map<std::string, int64_t> kernels, library, kernelBytes;
  std::map<std::string, llvm::json::Array> versions;
};

} // namespace disc

#endif // DISC_TOOLS_DISC_COMPILE_STATISTICS_H
