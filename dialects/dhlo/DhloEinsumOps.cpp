// Einstein's notation.
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

/// The labels of the operands and of the result in `ij,jk->ik`.
static FailureOr<std::pair<SmallVector<StringRef>, StringRef>>
parseConfig(Operation *op, StringRef config) {
  auto [inputs, output] = config.split("->");
  if (!config.contains("->"))
    return op->emitOpError("`einsum_config` \"")
           << config << "\" has no `->`";
  SmallVector<StringRef> labels;
  inputs.split(labels, ',');
  if (config.contains("..."))
    return op->emitOpError("`einsum_config` \"")
           << config << "\" has `...`, which is not supported; write one "
           << "letter for each dimension";
  if (labels.size() != op->getNumOperands())
    return op->emitOpError("`einsum_config` \"")
           << config << "\" has " << labels.size() << " terms, expected "
           << op->getNumOperands();
  return std::pair(labels, output);
}

/// The size of each label of the result: that of the first dimension with the
/// label, a static one if there is one. Reports labels that do not fit.
template <typename S>
static LogicalResult einsumSizes(Operation *op, StringRef config, S &s,
                                 SmallVector<typename S::Size> &sizes) {
  auto parsed = parseConfig(op, config);
  if (failed(parsed))
    return failure();
  auto [labels, output] = *parsed;
  llvm::SmallMapVector<char, std::pair<unsigned, int64_t>, 8> places;
  for (auto [i, term] : llvm::enumerate(labels)) {
    RankedTensorType type = tensorTypeOf(op->getOperand(i));
    if (static_cast<int64_t>(term.size()) != type.getRank())
      return op->emitOpError("term \"")
             << term << "\" of `einsum_config` does not fit operand " << i
             << " of type " << type;
    for (auto [dim, label] : llvm::enumerate(term)) {
      auto [place, isNew] = places.insert({label, {i, dim}});
      if (isNew)
        continue;
      auto [firstOperand, firstDim] = place->second;
      int64_t size = type.getDimSize(dim);
      int64_t firstSize =
          tensorTypeOf(op->getOperand(firstOperand)).getDimSize(firstDim);
      if (ShapedType::isDynamic(firstSize))
        place->second = {i, dim};
      else if (!ShapedType::isDynamic(size) && size != firstSize)
        return op->emitOpError("label `")
               << StringRef(&label, 1) << "` stands for the sizes "
               << firstSize << " and " << size << " in operands of types "
               << op->getOperand(firstOperand).getType() << " and " << type;
    }
  }
  for (auto [i, label] : llvm::enumerate(output)) {
    if (output.find(label) != i)
      return op->emitOpError("label `")
             << StringRef(&label, 1)
             << "` is in the result twice; expected each label once";
    auto place = places.find(label);
    if (place == places.end())
      return op->emitOpError("label `")
             << StringRef(&label, 1) << "` of the result is in no operand";
    auto [operand, dim] = place->second;
    sizes.push_back(s.dim(op->getOperand(operand), dim));
  }
  return success();
}

static LogicalResult verifyEinsum(Operation *op, StringRef config) {
  StaticSizes s;
  SmallVector<int64_t> sizes;
  if (failed(einsumSizes(op, config, s, sizes)))
    return failure();
  return verifyResultShape(op, op->getResult(0), sizes);
}

static LogicalResult reifyEinsum(Operation *op, StringRef config,
                                 OpBuilder &builder,
                                 ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder s(builder, op->getLoc());
  SmallVector<OpFoldResult> sizes;
  if (failed(einsumSizes(op, config, s, sizes)))
    return failure();
  shapes.push_back(s.conform(op->getResult(0).getType(), sizes));
  return success();
}

LogicalResult EinsumOp::verify() {
  return verifyEinsum(*this, getEinsumConfig());
}

LogicalResult EinsumOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  return reifyEinsum(*this, getEinsumConfig(), builder, shapes);
}

LogicalResult UnaryEinsumOp::verify() {
  return verifyEinsum(*this, getEinsumConfig());
}

LogicalResult
UnaryEinsumOp::reifyResultShapes(OpBuilder &builder,
                                 ReifiedRankedShapedTypeDims &shapes) {
  return reifyEinsum(*this, getEinsumConfig(), builder, shapes);
}
