// What an artifact says of its inputs, constants and outputs.
#ifndef RAL_CORE_SIGNATURE_H
#define RAL_CORE_SIGNATURE_H

#include "disc/ral.h"

#include <string>
#include <vector>

namespace ral {

constexpr int64_t kDynamic = -1;

struct ArgSpec {
  std::string name; // may be empty
  int32_t dtype = 0;
  std::vector<int64_t> sizes;       // kDynamic where not static
  std::vector<int32_t> symbols;     // index of the symbol, or -1
  std::vector<const char *> symbolNames;

  int32_t rank() const { return static_cast<int32_t>(sizes.size()); }
};

struct Signature {
  std::vector<ArgSpec> args[3]; // by ral_arg_kind
  std::vector<std::string> symbols;

  /// Fills this from the text; `path` names the artifact in messages.
  ral_status parse(const char *text, const std::string &path);
};

/// ``input 1 `mask` ``; without a name, `input 1`.
std::string describe(int32_t kind, int64_t index, const ArgSpec &spec);

} // namespace ral
#endif
