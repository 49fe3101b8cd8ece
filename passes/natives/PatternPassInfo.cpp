// Reading the description of a pattern pass, and values of its options.
#include "passes/natives/PatternPassInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static std::string text(const llvm::json::Object &object, StringRef key) {
  return object.getString(key).value_or("").str();
}

static std::vector<std::string> texts(const llvm::json::Object &object,
                                      StringRef key) {
  std::vector<std::string> found;
  if (const llvm::json::Array *array = object.getArray(key))
    for (const llvm::json::Value &value : *array)
      found.push_back(value.getAsString().value_or("").str());
  return found;
}

/// Calls `read` with each object of an array.
static void
eachObject(const llvm::json::Object &object, StringRef key,
           function_ref<void(const llvm::json::Object &)> read) {
  if (const llvm::json::Array *array = object.getArray(key))
    for (const llvm::json::Value &value : *array)
      read(*value.getAsObject());
}

disc::PatternPassInfo
disc::PatternPassInfo::fromJson(const llvm::json::Object &object) {
  PatternPassInfo info;
  info.argument = text(object, "flag");
  info.summary = text(object, "summary");
  info.anchor = text(object, "on");
  info.driver = llvm::StringSwitch<Driver>(text(object, "driver"))
                    .Case("walk", Driver::Walk)
                    .Case("conversion", Driver::Conversion)
                    .Default(Driver::Greedy);
  info.legal = texts(object, "legal");
  info.illegal = texts(object, "illegal");
  info.legality = texts(object, "legality");
  eachObject(object, "types", [&](const llvm::json::Object &rule) {
    info.types.emplace_back(text(rule, "from"), text(rule, "to"));
  });
  eachObject(object, "options", [&](const llvm::json::Object &option) {
    info.options.push_back({text(option, "name"), text(option, "kind"),
                            text(option, "like"), text(option, "initial"),
                            text(option, "help")});
  });
  eachObject(object, "patterns", [&](const llvm::json::Object &pattern) {
    info.patterns.push_back({text(pattern, "name"), text(pattern, "place"),
                             texts(pattern, "variants")});
  });
  std::string pdl = text(object, "pdl");
  info.populate = [pdl](RewritePatternSet &set) {
    if (auto module = parseSourceString<ModuleOp>(pdl, set.getContext()))
      set.getPDLPatterns().mergeIn(PDLPatternModule(std::move(module)));
  };
  return info;
}

const disc::PatternSource &
disc::PatternPassInfo::source(StringRef variant) const {
  return *llvm::find_if(patterns, [&](const PatternSource &source) {
    return llvm::is_contained(source.variants, variant);
  });
}

LogicalResult disc::checkNatives(const llvm::json::Object &description) {
  bool known = true;
  eachObject(description, "natives", [&](const llvm::json::Object &native) {
    std::string name = text(native, "name");
    auto found = llvm::find_if(nativeSignatures(), [&](const auto &other) {
      return name == other.name;
    });
    bool missing = found == nativeSignatures().end();
    if (!missing && found->signature == text(native, "signature"))
      return;
    known = false;
    llvm::errs() << text(native, "place") << ": error: ";
    if (missing)
      llvm::errs() << "this compiler has no native `" << name
                   << "`; its C++ function is built with the pass tree (in "
                      "Python, `disc_dsl.apply` runs its body)\n";
    else
      llvm::errs() << "native `" << name << "` is declared as "
                   << text(native, "signature") << ", this compiler has "
                   << found->signature << "\n";
  });
  return success(known);
}

Attribute disc::parseOption(Attribute like, StringRef text) {
  Builder b(like.getContext());
  if (isa<StringAttr>(like))
    return b.getStringAttr(text);
  if (isa<BoolAttr>(like)) {
    if (text != "true" && text != "false")
      return {};
    return b.getBoolAttr(text == "true");
  }
  if (auto number = dyn_cast<IntegerAttr>(like)) {
    int64_t value;
    unsigned width = number.getType().getIntOrFloatBitWidth();
    if (text.getAsInteger(10, value) || !llvm::isIntN(width, value))
      return {};
    return b.getIntegerAttr(number.getType(), value);
  }
  if (auto number = dyn_cast<FloatAttr>(like)) {
    double value;
    if (!llvm::to_float(text, value))
      return {};
    return b.getFloatAttr(number.getType(), value);
  }
  if (isa<DenseI64ArrayAttr>(like)) {
    SmallVector<int64_t> values;
    SmallVector<StringRef> parts;
    text.split(parts, ',', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      if (part.getAsInteger(10, values.emplace_back()))
        return {};
    return b.getDenseI64ArrayAttr(values);
  }
  return {};
}
