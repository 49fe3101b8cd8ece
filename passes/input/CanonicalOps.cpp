// Pass input-canonical-ops: dot, einsum and composite in terms of other ops.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

LogicalResult disc::runInputCanonicalOps(func::FuncOp func) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<dhlo::DotOp, dhlo::EinsumOp, dhlo::CompositeOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto dot = dyn_cast<dhlo::DotOp>(op))
      expandDot(dot);
    if (auto einsum = dyn_cast<dhlo::EinsumOp>(op);
        einsum && failed(expandEinsum(einsum)))
      return failure();
    if (auto composite = dyn_cast<dhlo::CompositeOp>(op);
        composite && failed(expandComposite(composite)))
      return failure();
  }
  return success();
}
