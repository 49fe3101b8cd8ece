// Checks and messages that verifiers and type inference share.
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::dhlo;

std::string mlir::dhlo::formatList(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(numbers, os, [&](int64_t number) {
    if (ShapedType::isDynamic(number))
      os << '?';
    else
      os << number;
  });
  os << ']';
  return text;
}

LogicalResult mlir::dhlo::verifyResultShape(Operation *op, Value result,
                                            ArrayRef<int64_t> expected) {
  RankedTensorType type = tensorTypeOf(result);
  if (succeeded(verifyCompatibleShape(type.getShape(), expected)))
    return success();
  return op->emitOpError("result of type ")
         << type << " does not have the shape " << formatList(expected)
         << " that the operands give";
}

LogicalResult mlir::dhlo::verifySameElement(Operation *op, Value result,
                                            StringRef name, Value operand) {
  if (sameElementTypeUpToQuantization(elementTypeOf(result),
                                      elementTypeOf(operand)))
    return success();
  return op->emitOpError("result of type ")
         << result.getType() << " does not have the element type of `" << name
         << "` of type " << operand.getType();
}

LogicalResult mlir::dhlo::impl::checkDims(std::optional<Location> loc,
                                          StringRef opName, StringRef attr,
                                          ArrayRef<int64_t> dims,
                                          int64_t rank) {
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank)
      return emitOptionalError(loc, "'", opName, "' op `", attr, "` has ", dim,
                               ", which is not a dimension of a tensor of rank ",
                               rank);
    if (seen.test(dim))
      return emitOptionalError(loc, "'", opName, "' op `", attr, "` has ", dim,
                               " more than once");
    seen.set(dim);
  }
  return success();
}

LogicalResult mlir::dhlo::impl::checkOnePerDim(std::optional<Location> loc,
                                               StringRef opName, StringRef attr,
                                               int64_t count, StringRef name,
                                               Value operand) {
  if (count == rankOf(operand))
    return success();
  return emitOptionalError(loc, "'", opName, "' op `", attr, "` has ", count,
                           " entries, but `", name, "` of type ",
                           operand.getType(), " has rank ", rankOf(operand));
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static bool isScalarTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

FailureOr<OperandRange> mlir::dhlo::returnedValues(Operation *op,
                                                   const Twine &name,
                                                   Region &region) {
  Block &block = region.front();
  auto terminator = dyn_cast_if_present<ReturnOp>(
      block.mightHaveTerminator() ? block.getTerminator() : nullptr);
  if (!terminator)
    return op->emitOpError() << name << " does not end in `dhlo.return`";
  return terminator->getOperands();
}

/// Checks that the block of `region` has `arguments` arguments, all of rank 0,
/// and returns `results` values.
static LogicalResult verifyScalarBlock(Operation *op, StringRef name,
                                       Region &region, unsigned arguments,
                                       unsigned results) {
  Block &block = region.front();
  if (block.getNumArguments() != arguments)
    return op->emitOpError("`")
           << name << "` takes " << block.getNumArguments()
           << " arguments, expected " << arguments;
  for (BlockArgument argument : block.getArguments())
    if (!isScalarTensor(argument.getType()))
      return op->emitOpError("`")
             << name << "` takes an argument of type " << argument.getType()
             << ", expected tensors of rank 0";
  FailureOr<OperandRange> returned =
      returnedValues(op, "`" + name + "`", region);
  if (failed(returned))
    return failure();
  if (returned->size() != results)
    return op->emitOpError("`") << name << "` returns " << returned->size()
                                << " values, expected " << results;
  return success();
}

LogicalResult mlir::dhlo::verifyCombiner(Operation *op, StringRef name,
                                         Region &region, unsigned pairs) {
  if (failed(verifyScalarBlock(op, name, region, 2 * pairs, pairs)))
    return failure();
  Block &block = region.front();
  for (unsigned i = 0; i < pairs; ++i) {
    Type first = block.getArgument(i).getType();
    Type second = block.getArgument(pairs + i).getType();
    Type returned = block.getTerminator()->getOperand(i).getType();
    if (first != second || first != returned)
      return op->emitOpError("`")
             << name << "` combines " << first << " and " << second << " to "
             << returned << ", expected the same type three times";
  }
  return success();
}

LogicalResult mlir::dhlo::verifyComparator(Operation *op, StringRef name,
                                           Region &region,
                                           ValueRange operands) {
  if (failed(verifyScalarBlock(op, name, region, 2 * operands.size(), 1)))
    return failure();
  Block &block = region.front();
  for (BlockArgument argument : block.getArguments()) {
    Value operand = operands[argument.getArgNumber() / 2];
    if (!sameElementTypeUpToQuantization(elementTypeOf(argument),
                                         elementTypeOf(operand)))
      return op->emitOpError("`")
             << name << "` takes an argument of type " << argument.getType()
             << " for elements of an operand of type " << operand.getType();
  }
  Type returned = block.getTerminator()->getOperand(0).getType();
  if (!isScalarTensor(returned) || !isPredType(getElementTypeOrSelf(returned)))
    return op->emitOpError("`")
           << name << "` returns " << returned << ", expected tensor<i1>";
  return success();
}

Type mlir::dhlo::combinedElementType(Region &region, unsigned index,
                                     Type otherwise) {
  if (region.empty() || region.front().getNumArguments() <= index)
    return otherwise;
  return getElementTypeOrSelf(region.front().getArgument(index).getType());
}
