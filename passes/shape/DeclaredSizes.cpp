// Reads the attributes that declare sizes.
#include "passes/shape/DeclaredSizes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include "llvm/Support/MathExtras.h"

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
    StringRef term = text.take_front(end);
    bool isProduct = term.contains('*');
    auto [left, right] = term.split('*');
    text = text.drop_front(end);
    left = left.trim();
    right = right.trim();
    int64_t factor = 1;
    StringRef name = isProduct ? right : left;
    if (isName(name)) {
      if (isProduct && left.getAsInteger(10, factor))
        return std::nullopt;
      size.terms.push_back({name, negative ? -factor : factor});
    } else if (!isProduct && !left.getAsInteger(10, factor)) {
      if (llvm::AddOverflow(size.offset, negative ? -factor : factor,
                            size.offset))
        return std::nullopt;
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

namespace {
/// A dimension of an argument of which `disc.dims` says something.
struct DeclaredDim {
  unsigned argument;
  size_t dim;
  StringAttr text;
  DeclaredSize size;
};
} // namespace

static InFlightDiagnostic dimsError(func::FuncOp func, unsigned argument) {
  return func.emitError() << "`" << kDimsAttr << "` of argument #" << argument
                          << ": ";
}

/// An error where a text is no sum.
static FailureOr<SmallVector<DeclaredDim>> declaredDims(func::FuncOp func) {
  SmallVector<DeclaredDim> result;
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    Attribute attr = func.getArgAttr(i, kDimsAttr);
    if (!attr)
      continue;
    auto texts = dyn_cast<ArrayAttr>(attr);
    if (!texts || !llvm::all_of(texts, llvm::IsaPred<StringAttr>))
      return dimsError(func, i) << "expected an array of strings, got " << attr;
    for (auto [dim, text] : llvm::enumerate(texts.getAsRange<StringAttr>())) {
      if (text.getValue().trim().empty())
        continue;
      std::optional<DeclaredSize> size = parseDeclaredSize(text.getValue());
      if (!size)
        return dimsError(func, i)
               << "dimension " << dim << " is " << text
               << "; expected a name (letters, digits, `_`, `.`, `$`), a "
                  "number, or a sum like `2*s+1`";
      result.push_back({i, dim, text, *size});
    }
  }
  return result;
}

LogicalResult disc::verifyDeclaredDims(func::FuncOp func) {
  FailureOr<SmallVector<DeclaredDim>> dims = declaredDims(func);
  if (failed(dims))
    return dims;
  llvm::StringSet<> told; // symbols that a dimension tells
  for (const DeclaredDim &dim : *dims)
    if (dim.size.terms.size() == 1)
      told.insert(dim.size.terms[0].symbol);
  auto isTold = [&](const DeclaredSize::Term &term) {
    return told.contains(term.symbol);
  };
  auto isNegative = [](const DeclaredSize::Term &term) {
    return term.factor < 0;
  };
  for (const DeclaredDim &dim : *dims)
    if (llvm::any_of(dim.size.terms, isNegative) &&
        llvm::none_of(dim.size.terms, isTold))
      return dimsError(func, dim.argument)
             << "dimension " << dim.dim << " is " << dim.text
             << ", a difference of symbols that no dimension tells; a name has "
                "letters, digits, `_`, `.` and `$`";
  return success();
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
