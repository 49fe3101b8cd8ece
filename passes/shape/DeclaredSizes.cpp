// Reads the attributes that declare sizes.
#include "passes/shape/DeclaredSizes.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace disc;

static bool isName(StringRef text) {
  return !text.empty() && !llvm::isDigit(text[0]) &&
         llvm::all_of(text, [](char c) {
           return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
         });
}

std::optional<DeclaredSize> disc::parseDeclaredSize(StringRef text) {
  DeclaredSize size;
  text = text.trim();
  if (text.empty())
    return std::nullopt;
  while (!text.empty()) {
    bool negative = text.consume_front("-");
    if (!negative)
      text.consume_front("+");
    size_t end = std::min(text.find_first_of("+-"), text.size());
    auto [left, right] = text.take_front(end).split('*');
    text = text.drop_front(end);
    left = left.trim();
    right = right.trim();
    int64_t factor = 1;
    StringRef name = right.empty() ? left : right;
    if (isName(name)) {
      if (!right.empty() && left.getAsInteger(10, factor))
        return std::nullopt;
      size.terms.push_back({name, negative ? -factor : factor});
    } else if (right.empty() && !left.getAsInteger(10, factor)) {
      size.offset += negative ? -factor : factor;
    } else {
      return std::nullopt;
    }
  }
  return size;
}

std::string DeclaredSize::text() const {
  std::string result;
  auto add = [&](int64_t factor, StringRef name) {
    result += factor < 0 ? "-" : result.empty() ? "" : "+";
    uint64_t number = factor < 0 ? -static_cast<uint64_t>(factor) : factor;
    if (name.empty() || number != 1)
      result += llvm::utostr(number) + (name.empty() ? "" : "*");
    result += name;
  };
  for (const Term &term : terms)
    add(term.factor, term.symbol);
  if (offset != 0 || terms.empty())
    add(offset, "");
  return result;
}

FailureOr<SmallVector<DeclaredSymbol>> disc::declaredSymbols(func::FuncOp func) {
  SmallVector<DeclaredSymbol> symbols;
  Attribute attr = func->getAttr(kSymbolsAttr);
  if (!attr)
    return symbols;
  auto malformed = [&](const Twine &what) {
    return func.emitError() << "`" << kSymbolsAttr << "`: expected " << what;
  };
  auto all = dyn_cast<DictionaryAttr>(attr);
  if (!all)
    return malformed("a dictionary of names");
  for (NamedAttribute entry : all) {
    StringRef name = entry.getName();
    auto facts = dyn_cast<DictionaryAttr>(entry.getValue());
    if (!facts || !isName(name))
      return malformed("for `" + name + "` a name with a dictionary of facts");
    DeclaredSymbol symbol{name};
    for (NamedAttribute fact : facts) {
      StringRef kind = fact.getName();
      auto number = dyn_cast<IntegerAttr>(fact.getValue());
      auto list = dyn_cast<DenseI64ArrayAttr>(fact.getValue());
      int64_t *slot = kind == "min"           ? &symbol.min
                      : kind == "max"         ? &symbol.max
                      : kind == "multiple_of" ? &symbol.multiple
                                              : nullptr;
      if (slot && number && number.getValue().isSignedIntN(64))
        *slot = number.getValue().getSExtValue();
      else if (kind == "likely" && list)
        symbol.likely = list.asArrayRef();
      else
        return malformed("of `" + name +
                         "` the facts `min`, `max`, `multiple_of` (integers) "
                         "and `likely` (array<i64: ...>), got `" +
                         kind + "`");
    }
    if (symbol.min < 0 || symbol.max < symbol.min || symbol.multiple < 1)
      return malformed("0 <= min <= max and multiple_of >= 1 of `" + name + "`");
    symbols.push_back(symbol);
  }
  return symbols;
}
