// Assembly of dhlo's attributes, with StableHLO's spelling.
#include "dialects/dhlo/Dhlo.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallSet.h"

#include <functional>

using namespace mlir;
using namespace mlir::dhlo;

//===----------------------------------------------------------------------===//
// `<name = value, ...>` with every field optional
//===----------------------------------------------------------------------===//

namespace {
struct Field {
  StringRef name;
  std::function<ParseResult(AsmParser &)> parse;

  Field(StringRef name, std::function<ParseResult(AsmParser &)> parse)
      : name(name), parse(std::move(parse)) {}
  Field(StringRef name, SmallVector<int64_t> &dims)
      : Field(name, [&dims](AsmParser &parser) -> ParseResult {
          return parser.parseCommaSeparatedList(
              AsmParser::Delimiter::Square,
              [&] { return parser.parseInteger(dims.emplace_back()); });
        }) {}
  Field(StringRef name, int64_t &number)
      : Field(name, [&number](AsmParser &parser) -> ParseResult {
          return parser.parseInteger(number);
        }) {}
  Field(StringRef name, Type &type)
      : Field(name, [&type](AsmParser &parser) -> ParseResult {
          return parser.parseType(type);
        }) {}
  Field(StringRef name, bool &flag)
      : Field(name, [&flag](AsmParser &parser) -> ParseResult {
          StringRef word;
          SMLoc loc = parser.getCurrentLocation();
          if (parser.parseKeyword(&word))
            return failure();
          if (word != "true" && word != "false")
            return parser.emitError(loc, "expected `true` or `false`, got `")
                   << word << "`";
          flag = word == "true";
          return success();
        }) {}
};
} // namespace

static ParseResult parseFields(AsmParser &parser, ArrayRef<Field> fields) {
  llvm::SmallSet<StringRef, 8> seen;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    const Field *field =
        llvm::find_if(fields, [&](const Field &f) { return f.name == name; });
    if (field == fields.end()) {
      InFlightDiagnostic diag = parser.emitError(loc, "unknown field `")
                                << name << "`, expected one of ";
      llvm::interleaveComma(fields, diag,
                            [&](const Field &f) { diag << "`" << f.name << "`"; });
      return diag;
    }
    if (!seen.insert(field->name).second)
      return parser.emitError(loc, "field `") << name << "` is given twice";
    return failure(parser.parseEqual() || field->parse(parser));
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                        parseOne);
}

namespace {
/// Prints the fields that differ from what their absence means.
class FieldPrinter {
public:
  explicit FieldPrinter(AsmPrinter &p) : p(p) { p << '<'; }
  ~FieldPrinter() { p << '>'; }

  void print(StringRef name, ArrayRef<int64_t> dims) {
    if (!dims.empty())
      start(name) << '[' << dims << ']';
  }
  void print(StringRef name, int64_t number) {
    if (number != 0)
      start(name) << number;
  }
  AsmPrinter &start(StringRef name) {
    p << separator << name << " = ";
    separator = ", ";
    return p;
  }

private:
  AsmPrinter &p;
  StringRef separator = "";
};
} // namespace

//===----------------------------------------------------------------------===//
// Dot
//===----------------------------------------------------------------------===//

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  if (parseFields(parser, {{"lhs_batching_dimensions", lhsBatch},
                           {"rhs_batching_dimensions", rhsBatch},
                           {"lhs_contracting_dimensions", lhsContract},
                           {"rhs_contracting_dimensions", rhsContract}}))
    return {};
  return get(parser.getContext(), lhsBatch, rhsBatch, lhsContract, rhsContract);
}

void DotDimensionNumbersAttr::print(AsmPrinter &p) const {
  FieldPrinter fields(p);
  fields.print("lhs_batching_dimensions", getLhsBatchingDimensions());
  fields.print("rhs_batching_dimensions", getRhsBatchingDimensions());
  fields.print("lhs_contracting_dimensions", getLhsContractingDimensions());
  fields.print("rhs_contracting_dimensions", getRhsContractingDimensions());
}

Attribute DotAlgorithmAttr::parse(AsmParser &parser, Type) {
  Type lhs, rhs, accumulation;
  int64_t lhsCount = 1, rhsCount = 1, operations = 1;
  bool imprecise = false;
  SMLoc loc = parser.getCurrentLocation();
  if (parseFields(parser, {{"lhs_precision_type", lhs},
                           {"rhs_precision_type", rhs},
                           {"accumulation_type", accumulation},
                           {"lhs_component_count", lhsCount},
                           {"rhs_component_count", rhsCount},
                           {"num_primitive_operations", operations},
                           {"allow_imprecise_accumulation", imprecise}}))
    return {};
  if (!lhs || !rhs || !accumulation) {
    parser.emitError(loc, "expected `lhs_precision_type`, `rhs_precision_type` "
                          "and `accumulation_type`");
    return {};
  }
  return get(parser.getContext(), lhs, rhs, accumulation, lhsCount, rhsCount,
             operations, imprecise);
}

void DotAlgorithmAttr::print(AsmPrinter &p) const {
  FieldPrinter fields(p);
  fields.start("lhs_precision_type") << getLhsPrecisionType();
  fields.start("rhs_precision_type") << getRhsPrecisionType();
  fields.start("accumulation_type") << getAccumulationType();
  fields.start("lhs_component_count") << getLhsComponentCount();
  fields.start("rhs_component_count") << getRhsComponentCount();
  fields.start("num_primitive_operations") << getNumPrimitiveOperations();
  fields.start("allow_imprecise_accumulation")
      << (getAllowImpreciseAccumulation() ? "true" : "false");
}

//===----------------------------------------------------------------------===//
// Gather, scatter
//===----------------------------------------------------------------------===//

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> offset, collapsed, batching, indicesBatching, indexMap;
  int64_t indexVectorDim = 0;
  if (parseFields(parser, {{"offset_dims", offset},
                           {"collapsed_slice_dims", collapsed},
                           {"operand_batching_dims", batching},
                           {"start_indices_batching_dims", indicesBatching},
                           {"start_index_map", indexMap},
                           {"index_vector_dim", indexVectorDim}}))
    return {};
  return get(parser.getContext(), offset, collapsed, batching, indicesBatching,
             indexMap, indexVectorDim);
}

void GatherDimensionNumbersAttr::print(AsmPrinter &p) const {
  FieldPrinter fields(p);
  fields.print("offset_dims", getOffsetDims());
  fields.print("collapsed_slice_dims", getCollapsedSliceDims());
  fields.print("operand_batching_dims", getOperandBatchingDims());
  fields.print("start_indices_batching_dims", getStartIndicesBatchingDims());
  fields.print("start_index_map", getStartIndexMap());
  fields.print("index_vector_dim", getIndexVectorDim());
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> window, inserted, batching, indicesBatching, dimsMap;
  int64_t indexVectorDim = 0;
  if (parseFields(parser, {{"update_window_dims", window},
                           {"inserted_window_dims", inserted},
                           {"input_batching_dims", batching},
                           {"scatter_indices_batching_dims", indicesBatching},
                           {"scatter_dims_to_operand_dims", dimsMap},
                           {"index_vector_dim", indexVectorDim}}))
    return {};
  return get(parser.getContext(), window, inserted, batching, indicesBatching,
             dimsMap, indexVectorDim);
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &p) const {
  FieldPrinter fields(p);
  fields.print("update_window_dims", getUpdateWindowDims());
  fields.print("inserted_window_dims", getInsertedWindowDims());
  fields.print("input_batching_dims", getInputBatchingDims());
  fields.print("scatter_indices_batching_dims",
               getScatterIndicesBatchingDims());
  fields.print("scatter_dims_to_operand_dims", getScatterDimsToOperandDims());
  fields.print("index_vector_dim", getIndexVectorDim());
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

Attribute OutputOperandAliasAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> output, operand;
  int64_t index = 0;
  if (parseFields(parser, {{"output_tuple_indices", output},
                           {"operand_index", index},
                           {"operand_tuple_indices", operand}}))
    return {};
  return get(parser.getContext(), output, index, operand);
}

void OutputOperandAliasAttr::print(AsmPrinter &p) const {
  FieldPrinter fields(p);
  fields.start("output_tuple_indices") << '[' << getOutputTupleIndices() << ']';
  fields.start("operand_index") << getOperandIndex();
  fields.start("operand_tuple_indices")
      << '[' << getOperandTupleIndices() << ']';
}

Attribute ResultAccuracyAttr::parse(AsmParser &parser, Type) {
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  ResultAccuracyModeAttr mode;
  auto parseDouble = [](double &number) {
    return [&number](AsmParser &parser) { return parser.parseFloat(number); };
  };
  auto parseMode = [&mode](AsmParser &parser) {
    return parser.parseAttribute(mode);
  };
  if (parseFields(parser, {{"atol", parseDouble(atol)},
                           {"rtol", parseDouble(rtol)},
                           {"ulps", ulps},
                           {"mode", parseMode}}))
    return {};
  if (!mode)
    mode = ResultAccuracyModeAttr::get(parser.getContext(),
                                       ResultAccuracyMode::DEFAULT);
  return get(parser.getContext(), APFloat(atol), APFloat(rtol), ulps, mode);
}

void ResultAccuracyAttr::print(AsmPrinter &p) const {
  FieldPrinter fields(p);
  fields.start("atol").printFloat(getAtol());
  fields.start("rtol").printFloat(getRtol());
  fields.start("ulps") << getUlps();
  fields.start("mode") << getMode();
}

Attribute TypeExtensionsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> bounds;
  auto parseBound = [&]() -> ParseResult {
    bounds.push_back(ShapedType::kDynamic);
    if (succeeded(parser.parseOptionalQuestion()))
      return success();
    return parser.parseInteger(bounds.back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseBound))
    return {};
  return get(parser.getContext(), bounds);
}

void TypeExtensionsAttr::print(AsmPrinter &p) const {
  p << '<';
  llvm::interleaveComma(getBounds(), p.getStream(), [&](int64_t bound) {
    if (ShapedType::isDynamic(bound))
      p << '?';
    else
      p << bound;
  });
  p << '>';
}

LogicalResult TypeExtensionsAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type,
    function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getBounds().size())
    return emitError() << "expected " << shape.size()
                       << " bounds, one for each dimension, got "
                       << getBounds().size();
  for (auto [dim, sizeAndBound] :
       llvm::enumerate(llvm::zip(shape, getBounds()))) {
    auto [size, bound] = sizeAndBound;
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(bound))
      return emitError() << "static dimension " << dim
                         << " cannot have a bound, use `?`";
  }
  return success();
}
