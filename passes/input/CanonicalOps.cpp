// Pass input-canonical-ops: dot, einsum, top_k, composite and set_dimension_size in
// terms of other ops; linear algebra on narrow floats in f32.
#include "Passes.h.inc"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/input/Einsum.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace disc;

/// dot(x, y) -> dot_general over the last dimension of x and the first of y.
static void expandDot(dhlo::DotOp dot) {
  OpBuilder b(dot);
  int64_t last =
      cast<RankedTensorType>(dot.getLhs().getType()).getRank() - 1;
  auto numbers = dhlo::DotDimensionNumbersAttr::get(dot.getContext(), {}, {},
                                                    {last}, {0});
  auto general = dhlo::DotGeneralOp::create(
      b, dot.getLoc(), dot.getType(), dot.getLhs(), dot.getRhs(), numbers,
      dot.getPrecisionConfigAttr(), /*algorithm=*/nullptr);
  dot.replaceAllUsesWith(general.getResult());
  dot.erase();
}

/// composite "name" -> a call of the function that says what it means.
static LogicalResult expandComposite(dhlo::CompositeOp composite) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      composite, composite.getDecompositionAttr());
  if (!callee)
    return composite.emitOpError("needs the function `@")
           << composite.getDecomposition()
           << "`, its decomposition, which the module does not have";
  OpBuilder b(composite);
  auto call = func::CallOp::create(b, composite.getLoc(), callee,
                                   composite.getInputs());
  composite.replaceAllUsesWith(call);
  composite.erase();
  return success();
}

/// The sizes of `tensor` as a tensor of indices, with `last` for the last one if
/// it is not negative.
static Value sizesOf(OpBuilder &b, Location loc, Value tensor, int64_t last) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (i == type.getRank() - 1 && last >= 0)
      sizes.push_back(arith::ConstantIndexOp::create(b, loc, last));
    else
      sizes.push_back(tensor::DimOp::create(b, loc, tensor, i));
  }
  return tensor::FromElementsOp::create(
      b, loc, RankedTensorType::get({type.getRank()}, b.getIndexType()), sizes);
}

/// top_k(x) -> the first k of sort(x, positions), largest first.
static void expandTopK(dhlo::TopKOp topK) {
  OpBuilder b(topK);
  Location loc = topK.getLoc();
  Value x = topK.getOperand();
  auto type = cast<RankedTensorType>(x.getType());
  int64_t rank = type.getRank();
  Type element = type.getElementType();
  Type position = getElementTypeOrSelf(topK.getIndices().getType());
  Value positions = dhlo::DynamicIotaOp::create(
      b, loc, type.clone(position), sizesOf(b, loc, x, -1),
      b.getI64IntegerAttr(rank - 1));
  auto sort = dhlo::SortOp::create(
      b, loc, TypeRange{type, type.clone(position)}, ValueRange{x, positions},
      b.getI64IntegerAttr(rank - 1), b.getBoolAttr(true));
  {
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&sort.getComparator());
    auto scalar = RankedTensorType::get({}, element);
    auto index = RankedTensorType::get({}, position);
    body->addArguments({scalar, scalar, index, index}, {loc, loc, loc, loc});
    auto order = isa<FloatType>(element)      ? dhlo::ComparisonType::TOTALORDER
                 : element.isUnsignedInteger() ? dhlo::ComparisonType::UNSIGNED
                                               : dhlo::ComparisonType::SIGNED;
    Value before = dhlo::CompareOp::create(b, loc, body->getArgument(0),
                                           body->getArgument(1),
                                           dhlo::ComparisonDirection::GT, order);
    dhlo::ReturnOp::create(b, loc, before);
  }
  auto all = [&](int64_t value) -> Value {
    SmallVector<Value> same(rank, arith::ConstantIndexOp::create(b, loc, value));
    return tensor::FromElementsOp::create(
        b, loc, RankedTensorType::get({rank}, b.getIndexType()), same);
  };
  Value starts = all(0), strides = all(1),
        limits = sizesOf(b, loc, x, topK.getK());
  for (auto [result, sorted] : llvm::zip(topK.getResults(), sort.getResults()))
    result.replaceAllUsesWith(dhlo::RealDynamicSliceOp::create(
        b, loc, result.getType(), sorted, starts, limits, strides));
  topK.erase();
}

/// set_dimension_size(x, n) -> the first n elements of the dimension, 0 <= n <= size.
static LogicalResult expandSetDimensionSize(dhlo::SetDimensionSizeOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  int64_t dim = op.getDimension();
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  auto result = cast<RankedTensorType>(op.getType());
  if (!result.isDynamicDim(dim))
    return op.emitOpError("has a result of type ")
           << result << " with a static size in dimension " << dim
           << "; expected a dynamic size there";
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value size = tensor::ExtractOp::create(b, loc, op.getSize(), ValueRange());
  if (!size.getType().isIndex())
    size = arith::IndexCastOp::create(b, loc, b.getIndexType(), size);
  Value full = tensor::DimOp::create(b, loc, op.getOperand(), dim);
  // As unsigned numbers negative sizes are too large.
  Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, size, full);
  cf::AssertOp::create(b, loc, fits,
                       "set_dimension_size: expected a size from 0 to that of "
                       "the dimension");
  SmallVector<Value> starts, limits, strides;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    starts.push_back(index(0));
    strides.push_back(index(1));
    limits.push_back(i == dim
                         ? size
                         : tensor::DimOp::create(b, loc, op.getOperand(), i));
  }
  auto shape = RankedTensorType::get({type.getRank()}, b.getIndexType());
  auto list = [&](ArrayRef<Value> values) -> Value {
    return tensor::FromElementsOp::create(b, loc, shape, values);
  };
  // A bound of the size tells nothing that is needed.
  auto plain = RankedTensorType::get(result.getShape(), result.getElementType());
  Value slice = dhlo::RealDynamicSliceOp::create(
      b, loc, plain, op.getOperand(), list(starts), list(limits), list(strides));
  if (plain != result)
    slice = tensor::CastOp::create(b, loc, result, slice);
  op.replaceAllUsesWith(slice);
  op.erase();
  return success();
}

/// Linear algebra on f16, bf16 and f8: in f32, rounded once.
static void widen(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!element || element.getWidth() >= 32)
    return;
  OpBuilder b(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto narrow = cast<RankedTensorType>(operand.get().getType());
    operand.set(dhlo::ConvertOp::create(
        b, op->getLoc(), narrow.clone(b.getF32Type()), operand.get()));
  }
  OpResult result = op->getResult(0);
  result.setType(type.clone(b.getF32Type()));
  b.setInsertionPointAfter(op);
  auto narrowed = dhlo::ConvertOp::create(b, op->getLoc(), type, result);
  result.replaceAllUsesExcept(narrowed, narrowed);
}

LogicalResult disc::runInputCanonicalOps(func::FuncOp func) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<dhlo::DotOp, dhlo::EinsumOp, dhlo::UnaryEinsumOp, dhlo::CompositeOp,
            dhlo::TopKOp, dhlo::SetDimensionSizeOp, dhlo::CholeskyOp,
            dhlo::TriangularSolveOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case([](dhlo::DotOp dot) { return expandDot(dot), success(); })
            .Case([](dhlo::TopKOp topK) { return expandTopK(topK), success(); })
            .Case([](dhlo::EinsumOp einsum) {
              return expandEinsum(einsum), success();
            })
            .Case([](dhlo::UnaryEinsumOp einsum) {
              return expandUnaryEinsum(einsum), success();
            })
            .Case([](dhlo::CompositeOp op) { return expandComposite(op); })
            .Case([](dhlo::SetDimensionSizeOp op) {
              return expandSetDimensionSize(op);
            })
            .Default([](Operation *op) { return widen(op), success(); });
    if (failed(result))
      return result;
  }
  return success();
}
