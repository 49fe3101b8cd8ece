// Products of quantized tensors: sums of products of integers, rescaled once.
#include "dialects/dhlo/Quantization.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/input/QuantizedValues.h"

using namespace mlir;
using namespace disc;

/// The dimension of the result along which `rhs` has scales of its own.
static int64_t scaledAxis(Operation *op) {
  if (auto dot = dyn_cast<dhlo::DotGeneralOp>(op))
    return dhlo::quantizedAxisOfProduct(dot).value_or(0);
  if (auto convolution = dyn_cast<dhlo::ConvolutionOp>(op))
    return convolution.getDimensionNumbers().getOutputFeatureDimension();
  return cast<dhlo::DynamicConvOp>(op)
      .getDimensionNumbers()
      .getOutputFeatureDimension();
}

/// dot(x, y) -> store(dot(x - zero, y - zero) * (scale of x * scale of y / scale)).
/// The sums are f64: as integers they are exact up to 2^53, which needs more than
/// 2^37 products of bytes, and a large product is a library call.
void disc::expandQuantizedProduct(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Type f64 = b.getF64Type();
  Quantization lhs(quantizedElementOf(op->getOperand(0).getType()));
  Quantization rhs(quantizedElementOf(op->getOperand(1).getType()));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Quantization to(quantizedElementOf(type));
  int64_t axis = scaledAxis(op);
  for (auto [i, from] : {std::pair(0u, &lhs), std::pair(1u, &rhs)}) {
    Value operand = op->getOperand(i);
    Value stored = dhlo::BitcastConvertOp::create(
        b, loc,
        cast<RankedTensorType>(operand.getType()).clone(from->storage),
        operand);
    op->setOperand(i, dhlo::ConvertOp::create(
                          b, loc, subtractZeroPoint(b, loc, stored, *from),
                          f64));
  }
  op->removeAttr("algorithm"); // it names types that the operands no longer have
  Value sum = op->getResult(0);
  SmallVector<OpOperand *> uses =
      llvm::map_to_vector(sum.getUses(), [](OpOperand &use) { return &use; });
  sum.setType(type.clone(f64));
  b.setInsertionPointAfter(op);
  SmallVector<double> factors;
  for (size_t i = 0, e = std::max(rhs.scales.size(), to.scales.size()); i < e;
       ++i) {
    auto at = [&](ArrayRef<double> scales) {
      return scales[scales.size() == 1 ? 0 : i];
    };
    factors.push_back(lhs.scales[0] * at(rhs.scales) / at(to.scales));
  }
  Value scaled =
      dhlo::MulOp::create(b, loc, sum, spread(b, loc, factors, axis, sum, f64));
  Value result = dhlo::BitcastConvertOp::create(b, loc, type,
                                                store(b, loc, scaled, to));
  for (OpOperand *use : uses)
    use->set(result);
}
