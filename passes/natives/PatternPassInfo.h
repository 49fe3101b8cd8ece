// What a pass made of PDL patterns is: the description that disc_dsl writes.
#ifndef DISC_PASSES_NATIVES_PATTERNPASSINFO_H
#define DISC_PASSES_NATIVES_PATTERNPASSINFO_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <string>
#include <vector>

namespace disc {

enum class Driver { Greedy, Walk, Conversion };

/// An option: its value is text in the spelling of `like`, the default as an
/// attribute of the type that the patterns want.
struct PatternOption {
  std::string name, kind, like, initial, help;
};

/// A pattern of the pass file: its name, the PDL patterns made of it (several
/// with `either_order`), and its Python place.
struct PatternSource {
  std::string name, place;
  std::vector<std::string> variants;
};

/// A pass made of PDL patterns.
struct PatternPassInfo {
  std::string argument, summary, anchor;
  Driver driver = Driver::Greedy;
  std::vector<std::string> legal, illegal; // op or dialect names
  std::vector<std::pair<std::string, std::string>> types; // converted to
  std::vector<PatternOption> options;
  std::vector<PatternSource> patterns;
  std::vector<std::string> legality; // patterns that say "this op is legal"
  std::function<void(mlir::RewritePatternSet &)> populate;

  static PatternPassInfo fromJson(const llvm::json::Object &object);
  const PatternSource &source(llvm::StringRef variant) const;
};

/// A native that this compiler has, and what it takes and gives, as disc_dsl
/// writes it.
struct NativeSignature {
  const char *name, *signature;
};
llvm::ArrayRef<NativeSignature> nativeSignatures(); // generated

/// Refuses a description that calls natives which are not built in, or which
/// it declares in another way.
mlir::LogicalResult checkNatives(const llvm::json::Object &description);

/// The attribute that `text` spells, of the kind of `like`; null where it
/// spells none.
mlir::Attribute parseOption(mlir::Attribute like, llvm::StringRef text);

} // namespace disc

#endif // DISC_PASSES_NATIVES_PATTERNPASSINFO_H
