// What an artifact says of its inputs, constants and outputs.
#ifndef RAL_CORE_SIGNATURE_H
#define RAL_CORE_SIGNATURE_H

#include "disc/ral.h"

#include <limits>
#include <string>
#include <vector>

namespace ral {

constexpr int64_t kDynamic = -1;

/// A size that calls choose, within what was assumed of it.
struct SymbolSpec {
  std::string name;
  int64_t min = 0, max = std::numeric_limits<int64_t>::max(), multiple = 1;
};

/// A dynamic size as a sum: offset + factor * symbol + ...; without terms it
/// may be anything.
struct SizeSum {
  struct Term {
    size_t symbol;
    int64_t factor;
  };
  std::vector<Term> terms;
  int64_t offset = 0;

  bool isSymbol() const {
    return terms.size() == 1 && terms[0].factor == 1 && offset == 0;
  }
};

struct ArgSpec {
  std::string name; // may be empty
  int32_t dtype = 0;
  std::vector<int64_t> sizes; // kDynamic where not static
  std::vector<SizeSum> sums;
  std::vector<std::string> texts; // of the sums, "" where there is none
  std::vector<const char *> symbolNames; // the same

  int32_t rank() const { return static_cast<int32_t>(sizes.size()); }
};

struct Signature {
  std::vector<ArgSpec> args[3]; // by ral_arg_kind
  std::vector<SymbolSpec> symbols;
  bool bf16Products = false; // may round operands of f32 products to bf16

  size_t symbol(const std::string &name);

  /// Fills this from the text; `path` names the artifact in messages.
  ral_status parse(const char *text, const std::string &path);
};

/// ``input 1 `mask` ``; without a name, `input 1`.
std::string describe(int32_t kind, int64_t index, const ArgSpec &spec);

} // namespace ral
#endif
