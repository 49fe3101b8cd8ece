// Passes that a user loads from Python files, with no C++ build.
#ifndef DISC_TOOLS_DISC_OPT_LOADPASS_H
#define DISC_TOOLS_DISC_OPT_LOADPASS_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class PassManager;
} // namespace mlir

namespace disc {

/// `--load-pass`, `--explain` and `--python` as found on the command line.
struct LoadRequest {
  std::vector<std::string> files;
  std::string explain; // FILE.py:pattern
  std::string python;
  std::string tool; // argv[0]
};

/// Takes the request out of the arguments: the passes must be registered
/// before MLIR's command line is parsed.
LoadRequest takeLoadRequest(std::vector<char *> &args);

/// Runs disc_dsl.describe in a child Python on a file (`what`: "pass") or a
/// pattern ("pattern") and returns the JSON object that it writes. Errors are
/// printed as they came, with the Python place.
mlir::FailureOr<llvm::json::Object> runDsl(const LoadRequest &request,
                                           llvm::StringRef what,
                                           llvm::StringRef argument);

/// Registers the pass of each file to load.
mlir::LogicalResult loadPasses(const LoadRequest &request);

/// Prints how far the pattern of `--explain` came on the ops of a file, after
/// the passes that `setup` adds.
mlir::LogicalResult
explain(const LoadRequest &request, llvm::StringRef file,
        const mlir::DialectRegistry &registry,
        llvm::function_ref<mlir::LogicalResult(mlir::PassManager &)> setup);

} // namespace disc

#endif // DISC_TOOLS_DISC_OPT_LOADPASS_H
