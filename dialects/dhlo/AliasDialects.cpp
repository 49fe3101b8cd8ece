// The front door: text of `stablehlo`, `mhlo` and `chlo` parsed as dhlo.
//
// An alias dialect holds no ops. In custom form an op is parsed by the dhlo op
// of the same name; in generic form it stays an unknown op that the first pass
// of the pipeline renames. Attributes and types are dhlo's.
#include "dialects/dhlo/Dhlo.h"

#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::dhlo;

static constexpr StringRef kAliases[] = {"stablehlo", "mhlo", "chlo"};

bool mlir::dhlo::isAliasNamespace(StringRef dialectName) {
  return llvm::is_contained(kAliases, dialectName);
}

std::string mlir::dhlo::canonicalOpName(StringRef name) {
  auto [dialect, op] = name.split('.');
  if (!isAliasNamespace(dialect))
    return name.str();
  return ("dhlo." + op).str();
}

/// Parses the op `result.name` of an alias dialect as the dhlo op.
static ParseResult parseAsDhlo(OpAsmParser &parser, OperationState &result) {
  std::string name = canonicalOpName(result.name.getStringRef());
  auto info = RegisteredOperationName::lookup(name, parser.getContext());
  if (!info)
    return parser.emitError(parser.getNameLoc(), "op `")
           << result.name.getStringRef() << "` is not known to dhlo";
  result.name = *info;
  return info->getParseAssemblyFn()(parser, result);
}

namespace {
template <typename ConcreteDialect>
class AliasDialect : public Dialect {
public:
  explicit AliasDialect(MLIRContext *context)
      : Dialect(ConcreteDialect::getDialectNamespace(), context,
                TypeID::get<ConcreteDialect>()),
        dhlo(context->getOrLoadDialect<DhloDialect>()) {
    allowUnknownOperations();
  }

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    // A function_ref to the function itself: to a pointer it would dangle.
    return ParseOpHook(parseAsDhlo);
  }
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return dhlo->parseAttribute(parser, type);
  }
  Type parseType(DialectAsmParser &parser) const override {
    return dhlo->parseType(parser);
  }

private:
  DhloDialect *dhlo;
};

/// A dialect whose attributes are kept as they are written.
template <typename ConcreteDialect>
class OpaqueDialect : public Dialect {
public:
  explicit OpaqueDialect(MLIRContext *context)
      : Dialect(ConcreteDialect::getDialectNamespace(), context,
                TypeID::get<ConcreteDialect>()) {
    allowUnknownTypes();
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return OpaqueAttr::get(
        StringAttr::get(getContext(), getNamespace()),
        parser.getFullSymbolSpec(),
        type ? type : NoneType::get(getContext()));
  }
};

#define DISC_NAMED_DIALECT(ClassName, Base, name)                              \
  class ClassName : public Base<ClassName> {                                   \
  public:                                                                      \
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ClassName)                    \
    using Base::Base;                                                          \
    static constexpr StringLiteral getDialectNamespace() {                     \
      return StringLiteral(name);                                              \
    }                                                                          \
  };
DISC_NAMED_DIALECT(StablehloAlias, AliasDialect, "stablehlo")
DISC_NAMED_DIALECT(MhloAlias, AliasDialect, "mhlo")
DISC_NAMED_DIALECT(ChloAlias, AliasDialect, "chlo")
DISC_NAMED_DIALECT(JaxAttributes, OpaqueDialect, "jax")
DISC_NAMED_DIALECT(TfAttributes, OpaqueDialect, "tf")
DISC_NAMED_DIALECT(SdyAttributes, OpaqueDialect, "sdy")
#undef DISC_NAMED_DIALECT
} // namespace

void mlir::dhlo::registerDhloDialects(DialectRegistry &registry) {
  registry.insert<DhloDialect, StablehloAlias, MhloAlias, ChloAlias,
                  JaxAttributes, TfAttributes, SdyAttributes,
                  quant::QuantDialect>();
}
