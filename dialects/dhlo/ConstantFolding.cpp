// Elementwise functions applied to constants.
#include "dialects/dhlo/ConstantFolding.h"

#include "dialects/dhlo/DhloUtils.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace mlir::dhlo;

/// Whether the constants may be folded into a value of type `result`.
static bool mayFold(ArrayRef<DenseElementsAttr> operands, Type result) {
  auto type = dyn_cast<RankedTensorType>(result);
  if (!type || !type.hasStaticShape())
    return false;
  bool splats = true;
  for (DenseElementsAttr operand : operands) {
    if (!operand || cast<ShapedType>(operand.getType()).getShape() !=
                        type.getShape())
      return false;
    splats &= operand.isSplat();
  }
  return splats || type.getNumElements() <= kMaxFoldedElements;
}

/// `fn` of every pair of elements, one where both constants are splats; false
/// when `fn` does not know one.
template <typename In, typename Out, typename Fn>
static bool mapPairs(DenseElementsAttr lhs, DenseElementsAttr rhs,
                     SmallVectorImpl<Out> &results, Fn fn) {
  auto lhsValues = lhs.getValues<In>(), rhsValues = rhs.getValues<In>();
  auto left = lhsValues.begin(), right = rhsValues.begin();
  int64_t count = lhs.isSplat() && rhs.isSplat() ? 1 : lhs.getNumElements();
  for (int64_t i = 0; i < count; ++i, ++left, ++right) {
    std::optional<Out> result = fn(*left, *right);
    if (!result)
      return false;
    results.push_back(*result);
  }
  return count > 0;
}

Attribute mlir::dhlo::foldBinary(Attribute lhs, Attribute rhs, Type result,
                                 FoldInts ints, FoldFloats floats) {
  auto left = dyn_cast_if_present<DenseElementsAttr>(lhs);
  auto right = dyn_cast_if_present<DenseElementsAttr>(rhs);
  if (!mayFold({left, right}, result))
    return {};
  auto type = cast<RankedTensorType>(result);
  if (left.getElementType() != type.getElementType() ||
      right.getElementType() != type.getElementType())
    return {};
  if (isPredOrIntType(type.getElementType()) && ints) {
    SmallVector<APInt> values;
    if (mapPairs<APInt>(left, right, values, ints))
      return DenseElementsAttr::get(type, values);
  }
  if (isFloatType(type.getElementType()) && floats) {
    SmallVector<APFloat> values;
    if (mapPairs<APFloat>(left, right, values, floats))
      return DenseElementsAttr::get(type, values);
  }
  return {};
}

Attribute mlir::dhlo::foldPredicate(
    Attribute lhs, Attribute rhs, Type result,
    llvm::function_ref<bool(const APInt &, const APInt &)> ints,
    llvm::function_ref<bool(const APFloat &, const APFloat &)> floats) {
  auto left = dyn_cast_if_present<DenseElementsAttr>(lhs);
  auto right = dyn_cast_if_present<DenseElementsAttr>(rhs);
  if (!mayFold({left, right}, result) ||
      left.getElementType() != right.getElementType())
    return {};
  auto type = cast<RankedTensorType>(result);
  SmallVector<bool> values;
  bool known = false;
  if (isPredOrIntType(left.getElementType()))
    known = mapPairs<APInt>(left, right, values,
                            [&](const APInt &l, const APInt &r) {
                              return std::optional<bool>(ints(l, r));
                            });
  else if (isFloatType(left.getElementType()))
    known = mapPairs<APFloat>(left, right, values,
                              [&](const APFloat &l, const APFloat &r) {
                                return std::optional<bool>(floats(l, r));
                              });
  return known ? DenseElementsAttr::get(type, values) : Attribute();
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

static unsigned storageWidth(Type element) {
  return element.isIndex() ? IndexType::kInternalStorageBitWidth
                           : element.getIntOrFloatBitWidth();
}

/// An integer as an integer of the type `to`: wraps, i1 is `!= 0`.
static APInt convertInt(const APInt &value, bool isUnsigned, Type to) {
  if (isPredType(to))
    return APInt(1, !value.isZero());
  unsigned width = storageWidth(to);
  return isUnsigned ? value.zextOrTrunc(width) : value.sextOrTrunc(width);
}

/// A float as an integer of the type `to`: towards zero, saturating, NaN is 0.
static APInt convertFloat(const APFloat &value, Type to) {
  if (isPredType(to))
    return APInt(1, !value.isZero());
  APSInt result(storageWidth(to), to.isUnsignedInteger());
  bool exact = false;
  if (value.isNaN())
    return APInt(storageWidth(to), 0);
  // Out of range, the result is the nearest integer of the type.
  value.convertToInteger(result, APFloat::rmTowardZero, &exact);
  return result;
}

static APFloat roundTo(APFloat value, FloatType to) {
  bool inexact = false;
  value.convert(to.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
  return value;
}

Attribute mlir::dhlo::foldConvert(Attribute value, Type result) {
  auto dense = dyn_cast_if_present<DenseElementsAttr>(value);
  if (!mayFold({dense}, result))
    return {};
  Type from = dense.getElementType();
  Type to = cast<RankedTensorType>(result).getElementType();
  bool fromInt = isPredOrIntType(from), toInt = isPredOrIntType(to);
  if ((!fromInt && !isFloatType(from)) || (!toInt && !isFloatType(to)))
    return {};

  bool isUnsigned = isUnsignedElement(from);
  if (fromInt && toInt)
    return dense.mapValues(to, [&](const APInt &number) {
      return convertInt(number, isUnsigned, to);
    });
  if (toInt)
    return dense.mapValues(
        to, [&](const APFloat &number) { return convertFloat(number, to); });
  auto toFloat = cast<FloatType>(to);
  if (!fromInt)
    return dense.mapValues(to, [&](const APFloat &number) {
      return roundTo(number, toFloat).bitcastToAPInt();
    });
  return dense.mapValues(to, [&](const APInt &number) {
    APFloat converted(toFloat.getFloatSemantics());
    converted.convertFromAPInt(number, !isUnsigned,
                               APFloat::rmNearestTiesToEven);
    return converted.bitcastToAPInt();
  });
}

bool mlir::dhlo::isSplatOf(Attribute value, int64_t number) {
  auto dense = dyn_cast_if_present<DenseElementsAttr>(value);
  if (!dense || !dense.isSplat())
    return false;
  Type element = dense.getElementType();
  if (isPredOrIntType(element)) {
    APInt splat = dense.getSplatValue<APInt>();
    // All ones is -1 whatever the signedness.
    return number == -1 ? splat.isAllOnes()
                        : splat == APInt(splat.getBitWidth(), number, false,
                                         /*implicitTrunc=*/true);
  }
  if (!isFloatType(element))
    return false;
  APFloat splat = dense.getSplatValue<APFloat>();
  APFloat wanted(splat.getSemantics());
  wanted.convertFromAPInt(APInt(64, number, true), true,
                          APFloat::rmNearestTiesToEven);
  return splat.bitwiseIsEqual(wanted);
}
