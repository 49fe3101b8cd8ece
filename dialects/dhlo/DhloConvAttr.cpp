// Assembly of convolution layouts: `[b, 0, f]x[0, i, o]->[b, 0, f]`.
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

namespace {
/// The dimensions of one operand of a convolution, by what they are.
struct Layout {
  int64_t first = -1;  ///< `b`, or `i` of a kernel
  int64_t second = -1; ///< `f`, or `o` of a kernel
  SmallVector<int64_t> spatial;
};
} // namespace

/// `[b, 0, 1, f]`; the letters are `first` and `second`.
static ParseResult parseLayout(AsmParser &parser, StringRef first,
                               StringRef second, Layout &layout) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<std::pair<int64_t, int64_t>> spatial;
  int64_t position = 0;
  auto parseOne = [&]() -> ParseResult {
    int64_t here = position++;
    StringRef letter;
    // `?` stands for a dimension that nothing uses.
    if (succeeded(parser.parseOptionalQuestion()))
      return success();
    if (succeeded(parser.parseOptionalKeyword(&letter, {first, second}))) {
      (letter == first ? layout.first : layout.second) = here;
      return success();
    }
    int64_t number = 0;
    if (parser.parseInteger(number))
      return failure();
    spatial.push_back({number, here});
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  if (layout.first < 0 || layout.second < 0)
    return parser.emitError(loc, "expected dimensions `")
           << first << "` and `" << second << "`";
  llvm::sort(spatial);
  for (auto [index, numberAndPosition] : llvm::enumerate(spatial)) {
    if (numberAndPosition.first != static_cast<int64_t>(index))
      return parser.emitError(loc, "expected spatial dimensions 0 to ")
             << spatial.size() - 1 << ", each once";
    layout.spatial.push_back(numberAndPosition.second);
  }
  return success();
}

ParseResult mlir::dhlo::parseConvDimensions(AsmParser &parser,
                                            ConvDimensionNumbersAttr &numbers) {
  SMLoc loc = parser.getCurrentLocation();
  Layout input, kernel, output;
  if (parseLayout(parser, "b", "f", input) || parser.parseKeyword("x") ||
      parseLayout(parser, "i", "o", kernel) || parser.parseArrow() ||
      parseLayout(parser, "b", "f", output))
    return failure();
  if (input.spatial.size() != kernel.spatial.size() ||
      input.spatial.size() != output.spatial.size())
    return parser.emitError(loc, "expected the same number of spatial "
                                 "dimensions in all three layouts");
  numbers = ConvDimensionNumbersAttr::get(
      parser.getContext(), input.first, input.second, input.spatial,
      kernel.first, kernel.second, kernel.spatial, output.first, output.second,
      output.spatial);
  return success();
}

static void printLayout(AsmPrinter &p, StringRef firstName, int64_t first,
                        StringRef secondName, int64_t second,
                        ArrayRef<int64_t> spatial) {
  // Positions without a meaning are printed as `?`.
  int64_t rank = std::max(first, second) + 1;
  for (int64_t position : spatial)
    rank = std::max(rank, position + 1);
  SmallVector<std::string> names(rank, "?");
  names[first] = firstName.str();
  names[second] = secondName.str();
  for (auto [number, position] : llvm::enumerate(spatial))
    names[position] = std::to_string(number);
  p << '[';
  llvm::interleaveComma(names, p.getStream());
  p << ']';
}

void mlir::dhlo::printConvDimensions(AsmPrinter &p,
                                     ConvDimensionNumbersAttr n) {
  printLayout(p, "b", n.getInputBatchDimension(), "f",
              n.getInputFeatureDimension(), n.getInputSpatialDimensions());
  p << 'x';
  printLayout(p, "i", n.getKernelInputFeatureDimension(), "o",
              n.getKernelOutputFeatureDimension(),
              n.getKernelSpatialDimensions());
  p << "->";
  printLayout(p, "b", n.getOutputBatchDimension(), "f",
              n.getOutputFeatureDimension(), n.getOutputSpatialDimensions());
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  ConvDimensionNumbersAttr numbers;
  if (parser.parseLess() || parseConvDimensions(parser, numbers) ||
      parser.parseGreater())
    return {};
  return numbers;
}

void ConvDimensionNumbersAttr::print(AsmPrinter &p) const {
  p << '<';
  printConvDimensions(p, *this);
  p << '>';
}
