// Passes that a user loads from Python files, with no C++ build.
#ifndef DISC_TOOLS_DISC_OPT_LOADPASS_H
#define DISC_TOOLS_DISC_OPT_LOADPASS_H

#include "mlir/Support/LLVM.h"
#include <string>
#include <vector>

namespace disc {

/// `--load-pass` and `--python` as found on the command line.
struct LoadRequest {
  std::vector<std::string> files;
  std::string python;
};

/// Takes the request out of the arguments: the passes must be registered
/// before MLIR's command line is parsed.
LoadRequest takeLoadRequest(std::vector<char *> &args);

/// Runs disc_dsl on each file in a child Python and registers its pass.
/// Errors are printed as they came, with the Python place.
mlir::LogicalResult loadPasses(const LoadRequest &request,
                               llvm::StringRef tool);

} // namespace disc

#endif // DISC_TOOLS_DISC_OPT_LOADPASS_H
