// Dots.
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"
#include "dialects/dhlo/DhloOpAssembly.h"

using namespace mlir;
using namespace mlir::dhlo;

//===----------------------------------------------------------------------===//
// DotOp
//===----------------------------------------------------------------------===//

template <typename S>
static SmallVector<typename S::Size> sizesOf(DotOp::Adaptor op, S &s) {
  SmallVector<typename S::Size> sizes;
  for (int64_t i = 0, last = rankOf(op.getLhs()) - 1; i < last; ++i)
    sizes.push_back(s.dim(op.getLhs(), i));
  for (int64_t i = 1, rank = rankOf(op.getRhs()); i < rank; ++i)
    sizes.push_back(s.dim(op.getRhs(), i));
  return sizes;
}

LogicalResult DotOp::verify() {
  RankedTensorType lhs = tensorTypeOf(getLhs()), rhs = tensorTypeOf(getRhs());
  for (auto [name, type] : {std::pair("lhs", lhs), std::pair("rhs", rhs)})
    if (type.getRank() < 1 || type.getRank() > 2)
      return emitOpError("`") << name << "` of type " << type
                              << " is neither a vector nor a matrix";
  if (!mayBeEqual(lhs.getShape().back(), rhs.getShape().front()))
    return emitOpError("the last dimension of `lhs` of type ")
           << lhs << " does not have the size of the first of `rhs` of type "
           << rhs;
  StaticSizes s;
  return verifyResultShape(*this, getResult(), sizesOf(Adaptor(*this), s));
}

DHLO_REIFY(DotOp)

//===----------------------------------------------------------------------===//
// DotGeneralOp
//===----------------------------------------------------------------------===//

template <typename S>
static SmallVector<typename S::Size> sizesOf(DotGeneralOp::Adaptor op, S &s) {
  DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
  SmallVector<typename S::Size> sizes;
  for (auto [l, r] : llvm::zip(numbers.getLhsBatchingDimensions(),
                               numbers.getRhsBatchingDimensions())) {
    bool lhsKnown = !tensorTypeOf(op.getLhs()).isDynamicDim(l);
    bool rhsKnown = !tensorTypeOf(op.getRhs()).isDynamicDim(r);
    sizes.push_back(rhsKnown && !lhsKnown ? s.dim(op.getRhs(), r)
                                          : s.dim(op.getLhs(), l));
  }
  auto appendFree = [&](Value operand, ArrayRef<int64_t> batching,
                        ArrayRef<int64_t> contracting) {
    for (int64_t i = 0, rank = rankOf(operand); i < rank; ++i)
      if (!llvm::is_contained(batching, i) &&
          !llvm::is_contained(contracting, i))
        sizes.push_back(s.dim(operand, i));
  };
  appendFree(op.getLhs(), numbers.getLhsBatchingDimensions(),
             numbers.getLhsContractingDimensions());
  appendFree(op.getRhs(), numbers.getRhsBatchingDimensions(),
             numbers.getRhsContractingDimensions());
  return sizes;
}

/// Checks that the `kind` dimensions pair dimensions of the same sizes.
static LogicalResult verifyPairs(DotGeneralOp op, StringRef kind,
                                 ArrayRef<int64_t> lhsDims,
                                 ArrayRef<int64_t> rhsDims) {
  if (lhsDims.size() != rhsDims.size())
    return op.emitOpError("pairs ")
           << lhsDims.size() << " " << kind << " dimensions of `lhs` with "
           << rhsDims.size() << " of `rhs`";
  RankedTensorType lhs = tensorTypeOf(op.getLhs());
  RankedTensorType rhs = tensorTypeOf(op.getRhs());
  for (auto [l, r] : llvm::zip(lhsDims, rhsDims))
    if (!mayBeEqual(lhs.getDimSize(l), rhs.getDimSize(r)))
      return op.emitOpError(kind)
             << " dimension " << l << " of `lhs` of type " << lhs
             << " does not have the size of dimension " << r
             << " of `rhs` of type " << rhs;
  return success();
}

LogicalResult DotGeneralOp::verify() {
  DotDimensionNumbersAttr numbers = getDotDimensionNumbers();
  auto checkSide = [&](StringRef name, ArrayRef<int64_t> batching,
                       ArrayRef<int64_t> contracting, Value operand) {
    SmallVector<int64_t> dims(batching);
    llvm::append_range(dims, contracting);
    return checkDims<DotGeneralOp>(getLoc(), name, dims, rankOf(operand));
  };
  if (failed(checkSide("lhs dimensions", numbers.getLhsBatchingDimensions(),
                       numbers.getLhsContractingDimensions(), getLhs())) ||
      failed(checkSide("rhs dimensions", numbers.getRhsBatchingDimensions(),
                       numbers.getRhsContractingDimensions(), getRhs())) ||
      failed(verifyPairs(*this, "batching", numbers.getLhsBatchingDimensions(),
                         numbers.getRhsBatchingDimensions())) ||
      failed(verifyPairs(*this, "contracting",
                         numbers.getLhsContractingDimensions(),
                         numbers.getRhsContractingDimensions())))
    return failure();
  if (std::optional<ArrayAttr> precision = getPrecisionConfig();
      precision && !precision->empty() && precision->size() != 2)
    return emitOpError("`precision_config` has ")
           << precision->size() << " entries, expected 0 or 2";
  StaticSizes s;
  return verifyResultShape(*this, getResult(), sizesOf(Adaptor(*this), s));
}

DHLO_REIFY(DotGeneralOp)

#define GET_OP_CLASSES
#include "dialects/dhlo/DhloContractionOps.cpp.inc"
