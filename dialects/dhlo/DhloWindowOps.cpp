// Reductions over sliding windows.
#include "dialects/dhlo/Dhlo.h"
#include "dialects/dhlo/Windows.h"


using namespace mlir;
using namespace mlir::dhlo;

//===----------------------------------------------------------------------===//
// ReduceWindowOp
//===----------------------------------------------------------------------===//

static WindowAttributes attributesOf(ReduceWindowOp::Adaptor op) {
  return {op.getWindowStrides(), op.getPadding(), op.getBaseDilations(),
          op.getWindowDilations()};
}

template <typename S>
static SmallVector<typename S::Size> sizesOf(ReduceWindowOp::Adaptor op, S &s) {
  auto sizes = dimsOf(op.getInputs().front(), s);
  auto dims = windowOf(attributesOf(op), sizes.size());
  for (auto [i, dim] : llvm::enumerate(dims))
    sizes[i] = windowPositions(s, sizes[i],
                               s.constant(op.getWindowDimensions()[i]),
                               s.constant(dim.low), s.constant(dim.high), dim);
  return sizes;
}

LogicalResult ReduceWindowOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor op,
                                               SmallVectorImpl<Type> &types) {
  if (op.getInputs().empty())
    return opError<ReduceWindowOp>(loc, "`inputs` is empty");
  Value first = op.getInputs().front();
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    if (failed(verifyCompatibleShape(input.getType(), first.getType())))
      return opError<ReduceWindowOp>(loc, "`inputs[", i, "]` of type ",
                                     input.getType(),
                                     " does not have the shape of `inputs[0]` "
                                     "of type ",
                                     first.getType());
  if (failed(checkOnePerDim<ReduceWindowOp>(loc, "window_dimensions",
                                            op.getWindowDimensions().size(),
                                            first, "inputs[0]")) ||
      failed(checkWindow(loc, getOperationName(), attributesOf(op),
                         rankOf(first))))
    return failure();
  if (llvm::any_of(op.getWindowDimensions(), [](int64_t n) { return n <= 0; }))
    return opError<ReduceWindowOp>(loc, "`window_dimensions` ",
                                   formatList(op.getWindowDimensions()),
                                   " has a number below 1");
  StaticSizes s;
  SmallVector<int64_t> sizes = sizesOf(op, s);
  for (auto [i, init] : llvm::enumerate(op.getInitValues()))
    types.push_back(RankedTensorType::get(
        sizes, combinedElementType(op.getBody(), i, elementTypeOf(init))));
  return success();
}

LogicalResult ReduceWindowOp::verify() {
  return verifyCombiner(*this, "body", getBody(), getInputs().size());
}

LogicalResult
ReduceWindowOp::reifyResultShapes(OpBuilder &builder,
                                  ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder s(builder, getLoc());
  SmallVector<OpFoldResult> sizes = sizesOf(Adaptor(*this), s);
  for (Value result : getResults())
    shapes.push_back(s.conform(result.getType(), sizes));
  return success();
}

//===----------------------------------------------------------------------===//
// SelectAndScatterOp
//===----------------------------------------------------------------------===//

LogicalResult
SelectAndScatterOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                     Adaptor op,
                                     SmallVectorImpl<Type> &types) {
  Value operand = op.getOperand(), source = op.getSource();
  int64_t rank = rankOf(operand);
  WindowAttributes attrs{op.getWindowStrides(), op.getPadding(), std::nullopt,
                         std::nullopt};
  if (failed(checkWindow(loc, getOperationName(), attrs, rank)))
    return failure();
  if (op.getWindowDimensions() &&
      failed(checkOnePerDim<SelectAndScatterOp>(
          loc, "window_dimensions", op.getWindowDimensions()->size(), operand)))
    return failure();
  StaticSizes s;
  SmallVector<int64_t> expected = dimsOf(operand, s);
  SmallVector<WindowDimension> dims = windowOf(attrs, rank);
  for (int64_t i = 0; i < rank; ++i) {
    int64_t window =
        op.getWindowDimensions() ? (*op.getWindowDimensions())[i] : 1;
    expected[i] = windowPositions(s, expected[i], window, dims[i].low,
                                  dims[i].high, dims[i]);
  }
  if (failed(verifyCompatibleShape(tensorTypeOf(source).getShape(), expected)))
    return opError<SelectAndScatterOp>(
        loc, "`source` of type ", source.getType(), " does not have the shape ",
        formatList(expected), " of the windows of `operand` of type ",
        operand.getType());
  types.push_back(RankedTensorType::get(
      tensorTypeOf(operand).getShape(),
      combinedElementType(op.getScatter(), 0, elementTypeOf(operand))));
  return success();
}

LogicalResult SelectAndScatterOp::verify() {
  if (failed(verifyComparator(*this, "select", getSelect(), {getOperand()})))
    return failure();
  return verifyCombiner(*this, "scatter", getScatter(), 1);
}

DHLO_REIFY_LIKE_FIRST_OPERAND(SelectAndScatterOp)
