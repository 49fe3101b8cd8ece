// Pass input-canonical-ops: dot, einsum, top_k and composite in terms of other ops.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

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

/// einsum "ij,jk->ik" -> dot_general, transposed to the order of the result.
static LogicalResult expandEinsum(dhlo::EinsumOp einsum) {
  StringRef config = einsum.getEinsumConfig();
  auto [inputs, out] = config.split("->");
  auto [left, right] = inputs.split(',');
  auto refuse = [&](const Twine &why) {
    return einsum.emitOpError("with config `")
           << config << "` " << why
           << "; write it with `dot_general`, `reduce` and `transpose`";
  };
  auto isPlain = [](StringRef text) {
    for (size_t i = 0; i < text.size(); ++i)
      if (!llvm::isAlpha(text[i]) || text.drop_front(i + 1).contains(text[i]))
        return false;
    return true;
  };
  if (!config.contains("->") || !isPlain(left) || !isPlain(right) ||
      !isPlain(out))
    return refuse("has an ellipsis, a repeated letter or no result");
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  std::string order; // the letters of the product: batch, lhs free, rhs free
  std::string lhsFree, rhsFree;
  for (auto [i, letter] : llvm::enumerate(left)) {
    size_t j = right.find(letter);
    bool kept = out.contains(letter);
    if (j == StringRef::npos) {
      if (!kept)
        return refuse("sums over a letter of one operand alone");
      lhsFree += letter;
    } else if (kept) {
      lhsBatch.push_back(i);
      rhsBatch.push_back(j);
      order += letter;
    } else {
      lhsContract.push_back(i);
      rhsContract.push_back(j);
    }
  }
  for (char letter : right)
    if (!left.contains(letter)) {
      if (!out.contains(letter))
        return refuse("sums over a letter of one operand alone");
      rhsFree += letter;
    }
  order += lhsFree + rhsFree;
  if (order.size() != out.size())
    return refuse("has letters in its result that no operand has");

  OpBuilder b(einsum);
  auto type = cast<RankedTensorType>(einsum.getType());
  SmallVector<int64_t> shape, permutation;
  for (char letter : order)
    shape.push_back(type.getDimSize(out.find(letter)));
  for (char letter : out)
    permutation.push_back(order.find(letter));
  auto numbers = dhlo::DotDimensionNumbersAttr::get(
      einsum.getContext(), lhsBatch, rhsBatch, lhsContract, rhsContract);
  Value result = dhlo::DotGeneralOp::create(
      b, einsum.getLoc(), RankedTensorType::get(shape, type.getElementType()),
      einsum.getLhs(), einsum.getRhs(), numbers);
  if (order != out)
    result = dhlo::TransposeOp::create(b, einsum.getLoc(), type, result,
                                       b.getDenseI64ArrayAttr(permutation));
  einsum.replaceAllUsesWith(result);
  einsum.erase();
  return success();
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

LogicalResult disc::runInputCanonicalOps(func::FuncOp func) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<dhlo::DotOp, dhlo::EinsumOp, dhlo::CompositeOp, dhlo::TopKOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto dot = dyn_cast<dhlo::DotOp>(op))
      expandDot(dot);
    if (auto topK = dyn_cast<dhlo::TopKOp>(op))
      expandTopK(topK);
    LogicalResult expanded = success();
    if (auto einsum = dyn_cast<dhlo::EinsumOp>(op))
      expanded = expandEinsum(einsum);
    if (auto composite = dyn_cast<dhlo::CompositeOp>(op))
      expanded = expandComposite(composite);
    if (failed(expanded))
      return expanded;
  }
  return success();
}
