// Implementation of the size arithmetic and of the helpers around it.
#include "dialects/dhlo/Sizes.h"
#include "dialects/dhlo/Dhlo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::dhlo;

//===----------------------------------------------------------------------===//
// StaticSizes
//===----------------------------------------------------------------------===//

static bool bothKnown(int64_t lhs, int64_t rhs) {
  return StaticSizes::isKnown(lhs) && StaticSizes::isKnown(rhs);
}

// None past the ends of i64: such a size is not known here, and wraps where it is
// computed.
static std::optional<int64_t> sum(int64_t lhs, int64_t rhs) {
  int64_t result;
  return llvm::AddOverflow(lhs, rhs, result) ? std::nullopt
                                             : std::optional(result);
}

static std::optional<int64_t> difference(int64_t lhs, int64_t rhs) {
  int64_t result;
  return llvm::SubOverflow(lhs, rhs, result) ? std::nullopt
                                             : std::optional(result);
}

static std::optional<int64_t> product(int64_t lhs, int64_t rhs) {
  int64_t result;
  return llvm::MulOverflow(lhs, rhs, result) ? std::nullopt
                                             : std::optional(result);
}

int64_t StaticSizes::dim(Value tensor, int64_t index) const {
  return tensorTypeOf(tensor).getDimSize(index);
}

int64_t StaticSizes::element(Value, ArrayRef<int64_t>) const {
  return ShapedType::kDynamic;
}

int64_t StaticSizes::add(int64_t lhs, int64_t rhs) const {
  return bothKnown(lhs, rhs) ? sum(lhs, rhs).value_or(ShapedType::kDynamic)
                             : ShapedType::kDynamic;
}

int64_t StaticSizes::sub(int64_t lhs, int64_t rhs) const {
  return bothKnown(lhs, rhs) ? difference(lhs, rhs).value_or(ShapedType::kDynamic)
                             : ShapedType::kDynamic;
}

int64_t StaticSizes::mul(int64_t lhs, int64_t rhs) const {
  return bothKnown(lhs, rhs) ? product(lhs, rhs).value_or(ShapedType::kDynamic)
                             : ShapedType::kDynamic;
}

int64_t StaticSizes::floorDiv(int64_t lhs, int64_t rhs) const {
  return bothKnown(lhs, rhs) ? llvm::divideFloorSigned(lhs, rhs)
                             : ShapedType::kDynamic;
}

int64_t StaticSizes::ceilDiv(int64_t lhs, int64_t rhs) const {
  return bothKnown(lhs, rhs) ? llvm::divideCeilSigned(lhs, rhs)
                             : ShapedType::kDynamic;
}

int64_t StaticSizes::max(int64_t lhs, int64_t rhs) const {
  return bothKnown(lhs, rhs) ? std::max(lhs, rhs) : ShapedType::kDynamic;
}

//===----------------------------------------------------------------------===//
// SizeBuilder
//===----------------------------------------------------------------------===//

Value SizeBuilder::materialize(OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(builder, loc, size);
}

OpFoldResult SizeBuilder::dim(Value tensor, int64_t index) {
  int64_t size = tensorTypeOf(tensor).getDimSize(index);
  if (!ShapedType::isDynamic(size))
    return constant(size);
  OpFoldResult value;
  if (auto tie = tensor.getDefiningOp<TieShapeOp>())
    value = tie.getMixedSize(index);
  else
    value = builder.createOrFold<tensor::DimOp>(loc, tensor, index);
  if (auto ssa = dyn_cast<Value>(value))
    dims.insert(ssa);
  return value;
}

OpFoldResult SizeBuilder::element(Value tensor, ArrayRef<int64_t> position) {
  DenseIntElementsAttr known;
  if (matchPattern(tensor, m_Constant(&known))) {
    SmallVector<uint64_t> index(position.begin(), position.end());
    return constant(known.getValues<APInt>()[index].getSExtValue());
  }
  Type type = elementTypeOf(tensor);
  if (!type.isIndex() && !type.isSignlessInteger())
    return OpFoldResult();
  SmallVector<Value> index;
  for (int64_t i : position)
    index.push_back(arith::ConstantIndexOp::create(builder, loc, i));
  Value value = builder.createOrFold<tensor::ExtractOp>(loc, tensor, index);
  if (!type.isIndex())
    value = builder.createOrFold<arith::IndexCastOp>(
        loc, builder.getIndexType(), value);
  return value;
}

template <typename ArithOp>
OpFoldResult SizeBuilder::emit(OpFoldResult lhs, OpFoldResult rhs) {
  if (!lhs || !rhs)
    return OpFoldResult();
  return builder.createOrFold<ArithOp>(loc, materialize(lhs),
                                       materialize(rhs));
}

/// The result of `fold` where both sizes are constants.
template <typename Fn>
static std::optional<int64_t> foldConstants(OpFoldResult lhs, OpFoldResult rhs,
                                            Fn fold) {
  if (!lhs || !rhs)
    return std::nullopt;
  std::optional<int64_t> l = getConstantIntValue(lhs);
  std::optional<int64_t> r = getConstantIntValue(rhs);
  if (!l || !r)
    return std::nullopt;
  return fold(*l, *r);
}

static bool isNumber(OpFoldResult size, int64_t number) {
  return size && isConstantIntValue(size, number);
}

OpFoldResult SizeBuilder::add(OpFoldResult lhs, OpFoldResult rhs) {
  if (auto folded = foldConstants(lhs, rhs, sum))
    return constant(*folded);
  if (isNumber(rhs, 0))
    return lhs;
  if (isNumber(lhs, 0))
    return rhs;
  return emit<arith::AddIOp>(lhs, rhs);
}

OpFoldResult SizeBuilder::sub(OpFoldResult lhs, OpFoldResult rhs) {
  if (auto folded = foldConstants(lhs, rhs, difference))
    return constant(*folded);
  if (isNumber(rhs, 0))
    return lhs;
  return emit<arith::SubIOp>(lhs, rhs);
}

OpFoldResult SizeBuilder::mul(OpFoldResult lhs, OpFoldResult rhs) {
  if (auto folded = foldConstants(lhs, rhs, product))
    return constant(*folded);
  if (isNumber(rhs, 1) || isNumber(lhs, 0))
    return lhs;
  if (isNumber(lhs, 1) || isNumber(rhs, 0))
    return rhs;
  return emit<arith::MulIOp>(lhs, rhs);
}

OpFoldResult SizeBuilder::floorDiv(OpFoldResult lhs, OpFoldResult rhs) {
  if (auto quotient = foldConstants(lhs, rhs, [](int64_t l, int64_t r) {
        return llvm::divideFloorSigned(l, r);
      }))
    return constant(*quotient);
  return isNumber(rhs, 1) ? lhs : emit<arith::FloorDivSIOp>(lhs, rhs);
}

OpFoldResult SizeBuilder::ceilDiv(OpFoldResult lhs, OpFoldResult rhs) {
  if (auto quotient = foldConstants(lhs, rhs, [](int64_t l, int64_t r) {
        return llvm::divideCeilSigned(l, r);
      }))
    return constant(*quotient);
  return isNumber(rhs, 1) ? lhs : emit<arith::CeilDivSIOp>(lhs, rhs);
}

OpFoldResult SizeBuilder::max(OpFoldResult lhs, OpFoldResult rhs) {
  if (auto larger = foldConstants(
          lhs, rhs, [](int64_t l, int64_t r) { return std::max(l, r); }))
    return constant(*larger);
  auto value = dyn_cast_if_present<Value>(lhs);
  if (value && isNumber(rhs, 0) && dims.contains(value))
    return lhs;
  return emit<arith::MaxSIOp>(lhs, rhs);
}

SmallVector<OpFoldResult> SizeBuilder::conform(Type type,
                                               ArrayRef<OpFoldResult> sizes) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<OpFoldResult> result;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (!tensor.isDynamicDim(i))
      result.push_back(constant(tensor.getDimSize(i)));
    else
      result.push_back(size ? OpFoldResult(materialize(size)) : size);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type mlir::dhlo::elementTypeOf(Value tensor) {
  return getElementTypeOrSelf(tensor.getType());
}

RankedTensorType mlir::dhlo::tensorTypeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

int64_t mlir::dhlo::rankOf(Value tensor) {
  return tensorTypeOf(tensor).getRank();
}

bool mlir::dhlo::areCompatible(Type lhs, Type rhs) {
  auto l = dyn_cast<RankedTensorType>(lhs), r = dyn_cast<RankedTensorType>(rhs);
  if (!l || !r)
    return lhs == rhs;
  Type lElement = l.getElementType(), rElement = r.getElementType();
  // The parameters of a quantized type are not a matter of shape.
  bool quantized = isa<quant::QuantizedType>(lElement) &&
                   isa<quant::QuantizedType>(rElement);
  return (quantized || lElement == rElement) &&
         succeeded(verifyCompatibleShape(l, r));
}

bool mlir::dhlo::areCompatible(TypeRange lhs, TypeRange rhs) {
  return lhs.size() == rhs.size() &&
         llvm::all_of(llvm::zip(lhs, rhs), [](auto pair) {
           return areCompatible(std::get<0>(pair), std::get<1>(pair));
         });
}
