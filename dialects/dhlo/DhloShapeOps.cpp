// Reshape, broadcast and order.

#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"
#include "dialects/dhlo/DhloOpAssembly.h"
#include "dialects/dhlo/DhloTypeAssembly.h"
#include "dialects/dhlo/ElementCount.h"
#include "dialects/dhlo/Quantization.h"

#include <numeric>

using namespace mlir;
using namespace mlir::dhlo;

/// Sizes of a result whose shape is the value of `shape`.
static LogicalResult reifyFromShape(Operation *op, Value shape,
                                    OpBuilder &builder,
                                    ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder s(builder, op->getLoc());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<OpFoldResult> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(type.isDynamicDim(i) ? s.element(shape, {i})
                                         : s.constant(type.getDimSize(i)));
  shapes.push_back(s.conform(type, sizes));
  return success();
}

/// Checks that the tensor `shape` has one number per dimension of `result`.
static LogicalResult verifyShapeOperand(Operation *op, StringRef name,
                                        Value shape, Value result) {
  int64_t length = tensorTypeOf(shape).getDimSize(0);
  if (ShapedType::isDynamic(length) || length == rankOf(result))
    return success();
  return op->emitOpError("`")
         << name << "` of type " << shape.getType() << " gives a rank of "
         << length << ", expected the rank of the result type "
         << result.getType();
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

/// Checks that the operand and the result have as many elements, of one type.
static LogicalResult verifySameElements(Operation *op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  RankedTensorType from = tensorTypeOf(operand), to = tensorTypeOf(result);
  if (failed(verifySameElement(op, result, "operand", operand)))
    return failure();
  if (from.hasStaticShape() && to.hasStaticShape() &&
      productOfSizes(from.getShape()) && productOfSizes(to.getShape()) &&
      from.getNumElements() != to.getNumElements())
    return op->emitOpError("`operand` of type ")
           << from << " has " << from.getNumElements()
           << " elements, but the result of type " << to << " has "
           << to.getNumElements();
  return success();
}

LogicalResult ReshapeOp::verify() { return verifySameElements(*this); }

/// The size of the one dynamic dimension among `to`, when the elements of
/// `from` are as many as those of `to`.
static OpFoldResult quotient(SizeBuilder &s, Value operand,
                             ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                             int64_t firstFrom) {
  int64_t staticFrom = 1, staticTo = 1;
  OpFoldResult product = s.constant(1);
  for (auto [i, size] : llvm::enumerate(from)) {
    if (ShapedType::isDynamic(size))
      product = s.mul(product, s.dim(operand, firstFrom + i));
    else
      staticFrom *= size;
  }
  for (int64_t size : to)
    staticTo *= ShapedType::isDynamic(size) ? 1 : size;
  if (staticTo == 0 || staticFrom == 0)
    return s.constant(0);
  int64_t divisor = std::gcd(staticFrom, staticTo);
  return s.floorDiv(s.mul(product, s.constant(staticFrom / divisor)),
                    s.constant(staticTo / divisor));
}

LogicalResult
ReshapeOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder s(builder, getLoc());
  ArrayRef<int64_t> from = tensorTypeOf(getOperand()).getShape();
  ArrayRef<int64_t> to = tensorTypeOf(getResult()).getShape();
  SmallVector<OpFoldResult> sizes(to.size());
  size_t first = 0, lastFrom = from.size(), lastTo = to.size();
  auto matchDim = [&](size_t i, size_t j) {
    if (ShapedType::isDynamic(to[j]))
      sizes[j] = s.dim(getOperand(), i);
  };
  // With several dynamic dimensions in the result, those that the two shapes
  // have in the same place from either end are the same. Dimensions of size 1
  // would only shift the places.
  size_t firstTo = 0;
  if (llvm::count_if(to, ShapedType::isDynamic) > 1) {
    auto skipUnits = [&] {
      while (first < lastFrom && from[first] == 1)
        ++first;
      while (firstTo < lastTo && to[firstTo] == 1)
        ++firstTo;
    };
    for (skipUnits(); first < lastFrom && firstTo < lastTo &&
                      from[first] == to[firstTo];
         skipUnits())
      matchDim(first++, firstTo++);
    auto skipLastUnits = [&] {
      while (first < lastFrom && from[lastFrom - 1] == 1)
        --lastFrom;
      while (firstTo < lastTo && to[lastTo - 1] == 1)
        --lastTo;
    };
    for (skipLastUnits(); first < lastFrom && firstTo < lastTo &&
                          from[lastFrom - 1] == to[lastTo - 1];
         skipLastUnits())
      matchDim(--lastFrom, --lastTo);
  }
  ArrayRef<int64_t> restFrom = from.slice(first, lastFrom - first);
  ArrayRef<int64_t> restTo = to.slice(firstTo, lastTo - firstTo);
  if (llvm::count_if(restTo, ShapedType::isDynamic) == 1) {
    size_t place = llvm::find_if(restTo, ShapedType::isDynamic) -
                   restTo.begin() + firstTo;
    sizes[place] = quotient(s, getOperand(), restFrom, restTo, first);
  }
  shapes.push_back(s.conform(getType(), sizes));
  return success();
}

//===----------------------------------------------------------------------===//
// DynamicReshapeOp
//===----------------------------------------------------------------------===//

LogicalResult DynamicReshapeOp::verify() {
  if (failed(verifySameElements(*this)))
    return failure();
  return verifyShapeOperand(*this, "output_shape", getOutputShape(),
                            getResult());
}

LogicalResult
DynamicReshapeOp::reifyResultShapes(OpBuilder &builder,
                                    ReifiedRankedShapedTypeDims &shapes) {
  return reifyFromShape(*this, getOutputShape(), builder, shapes);
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

template <typename S>
static SmallVector<typename S::Size> sizesOf(BroadcastOp::Adaptor op, S &s) {
  SmallVector<typename S::Size> sizes;
  for (int64_t size : op.getBroadcastSizes())
    sizes.push_back(s.constant(size));
  llvm::append_range(sizes, dimsOf(op.getOperand(), s));
  return sizes;
}

LogicalResult BroadcastOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor op,
                                            SmallVectorImpl<Type> &types) {
  if (llvm::any_of(op.getBroadcastSizes(), [](int64_t n) { return n < 0; }))
    return opError<BroadcastOp>(loc, "`broadcast_sizes` ",
                                formatList(op.getBroadcastSizes()),
                                " has a negative size");
  StaticSizes s;
  Type element = elementTypeOf(op.getOperand());
  int64_t added = op.getBroadcastSizes().size();
  types.push_back(RankedTensorType::get(
      sizesOf(op, s),
      withQuantizedAxis(element, quantizedAxisOf(element).value_or(0) + added)));
  return success();
}

DHLO_REIFY(BroadcastOp)

//===----------------------------------------------------------------------===//
// BroadcastInDimOp, DynamicBroadcastInDimOp
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult verifyBroadcast(OpT op) {
  RankedTensorType from = tensorTypeOf(op.getOperand());
  RankedTensorType to = tensorTypeOf(op.getResult());
  ArrayRef<int64_t> dims = op.getBroadcastDimensions();
  if (failed(verifySameElement(op, op.getResult(), "operand", op.getOperand())))
    return failure();
  if (static_cast<int64_t>(dims.size()) != from.getRank())
    return op.emitOpError("`broadcast_dimensions` ")
           << formatList(dims) << " has " << dims.size()
           << " entries, but `operand` of type " << from << " has rank "
           << from.getRank();
  if (failed(checkDims<OpT>(op.getLoc(), "broadcast_dimensions", dims,
                            to.getRank())))
    return failure();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    int64_t size = from.getDimSize(i), wanted = to.getDimSize(dim);
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(wanted) ||
        size == 1 || size == wanted)
      continue;
    return op.emitOpError("`operand` of type ")
           << from << " has size " << size << " in dimension " << i
           << ", which is neither 1 nor the size " << wanted
           << " of dimension " << dim << " of the result of type " << to;
  }
  return success();
}

LogicalResult BroadcastInDimOp::verify() { return verifyBroadcast(*this); }

LogicalResult
BroadcastInDimOp::reifyResultShapes(OpBuilder &builder,
                                    ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder s(builder, getLoc());
  // Only the dimensions that come from the operand can be computed.
  SmallVector<OpFoldResult> sizes(rankOf(getResult()));
  for (auto [i, dim] : llvm::enumerate(getBroadcastDimensions()))
    if (tensorTypeOf(getResult()).isDynamicDim(dim))
      sizes[dim] = s.dim(getOperand(), i);
  shapes.push_back(s.conform(getType(), sizes));
  return success();
}

LogicalResult DynamicBroadcastInDimOp::verify() {
  if (failed(verifyBroadcast(*this)))
    return failure();
  int64_t rank = rankOf(getOperand());
  for (auto [name, dims] :
       {std::pair("known_expanding_dimensions", getKnownExpandingDimensions()),
        std::pair("known_nonexpanding_dimensions",
                  getKnownNonexpandingDimensions())})
    if (dims && failed(checkDims<DynamicBroadcastInDimOp>(getLoc(), name,
                                                          *dims, rank)))
      return failure();
  return verifyShapeOperand(*this, "output_dimensions", getOutputDimensions(),
                            getResult());
}

LogicalResult DynamicBroadcastInDimOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyFromShape(*this, getOutputDimensions(), builder, shapes);
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

template <typename S>
static SmallVector<typename S::Size> sizesOf(TransposeOp::Adaptor op, S &s) {
  SmallVector<typename S::Size> sizes;
  for (int64_t dim : op.getPermutation())
    sizes.push_back(s.dim(op.getOperand(), dim));
  return sizes;
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor op,
                                            SmallVectorImpl<Type> &types) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  int64_t rank = rankOf(op.getOperand());
  if (static_cast<int64_t>(permutation.size()) != rank)
    return opError<TransposeOp>(loc, "`permutation` ", formatList(permutation),
                                " has ", permutation.size(),
                                " entries, but `operand` of type ",
                                op.getOperand().getType(), " has rank ", rank);
  if (failed(checkDims<TransposeOp>(loc, "permutation", permutation, rank)))
    return failure();
  StaticSizes s;
  Type element = elementTypeOf(op.getOperand());
  if (std::optional<int64_t> axis = quantizedAxisOf(element))
    element = withQuantizedAxis(
        element, llvm::find(permutation, *axis) - permutation.begin());
  types.push_back(RankedTensorType::get(sizesOf(op, s), element));
  return success();
}

DHLO_REIFY(TransposeOp)

//===----------------------------------------------------------------------===//
// ReverseOp
//===----------------------------------------------------------------------===//

LogicalResult ReverseOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor op,
                                          SmallVectorImpl<Type> &types) {
  if (failed(checkDims<ReverseOp>(loc, "dimensions", op.getDimensions(),
                                  rankOf(op.getOperand()))))
    return failure();
  types.push_back(op.getOperand().getType());
  return success();
}

DHLO_REIFY_LIKE_FIRST_OPERAND(ReverseOp)

#define GET_OP_CLASSES
#include "dialects/dhlo/DhloShapeOps.cpp.inc"
