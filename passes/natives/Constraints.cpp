// The constraints and small rewrites of disc_dsl/constraints.py.
#include "Passes.h.inc"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;

bool disc::oneUse(Operation *op) {
  return llvm::hasSingleElement(op->getUses());
}

bool disc::hasRank(Value value, int64_t n) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == n;
}

/// The number as a value of `type`; none where it cannot be one exactly.
static std::optional<APFloat> asFloat(Attribute number, FloatType type) {
  APFloat value(0.0);
  if (auto f = dyn_cast<FloatAttr>(number))
    value = f.getValue();
  else if (auto i = dyn_cast<IntegerAttr>(number))
    value = APFloat(static_cast<double>(i.getInt()));
  else
    return std::nullopt;
  bool inexact = false;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &inexact);
  return value;
}

static std::optional<APInt> asInt(Attribute number, IntegerType type) {
  auto i = dyn_cast<IntegerAttr>(number);
  if (!i)
    return std::nullopt;
  int64_t n = i.getInt();
  unsigned width = type.getWidth();
  bool natural = type.isUnsigned() || width == 1;
  if (width < 64 && !(natural ? n >= 0 && llvm::isUIntN(width, n)
                              : llvm::isIntN(width, n)))
    return std::nullopt;
  return APInt(width, n, /*isSigned=*/true, /*implicitTrunc=*/true);
}

/// What `value` repeats: with dynamic sizes a splat is a broadcast constant.
static Value repeatedValue(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<dhlo::BroadcastInDimOp, dhlo::DynamicBroadcastInDimOp,
             dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool disc::isSplat(Value value, Attribute number) {
  DenseElementsAttr elements;
  if (!matchPattern(repeatedValue(value), m_Constant(&elements)))
    return false;
  if (!elements.isSplat())
    return false;
  Type type = elements.getElementType();
  if (auto f = dyn_cast<FloatType>(type)) {
    std::optional<APFloat> n = asFloat(number, f);
    return n && elements.getSplatValue<APFloat>().bitwiseIsEqual(*n);
  }
  if (auto i = dyn_cast<IntegerType>(type)) {
    std::optional<APInt> n = asInt(number, i);
    return n && elements.getSplatValue<APInt>() == *n;
  }
  if (type.isIndex()) {
    auto i = dyn_cast<IntegerAttr>(number);
    return i && elements.getSplatValue<APInt>().getSExtValue() == i.getInt();
  }
  return false;
}

bool disc::isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

bool disc::isStaticShape(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasStaticShape();
}

bool disc::sameType(Value a, Value b) { return a.getType() == b.getType(); }

bool disc::hasType(Value value, Type type) { return value.getType() == type; }

/// The sizes that `dhlo.tie_shape` gives a value, one a dimension; empty where
/// it has none.
static SmallVector<OpFoldResult> tiedSizes(Value value) {
  auto tie = value.getDefiningOp<dhlo::TieShapeOp>();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!tie || !type)
    return {};
  SmallVector<OpFoldResult> sizes;
  unsigned next = 1;
  for (int64_t size : type.getShape()) {
    if (ShapedType::isDynamic(size))
      sizes.push_back(tie->getOperand(next++));
    else
      sizes.push_back(IntegerAttr::get(
          IndexType::get(value.getContext()), size));
  }
  return sizes;
}

bool disc::sameShape(Value a, Value b) {
  auto ta = dyn_cast<RankedTensorType>(a.getType());
  auto tb = dyn_cast<RankedTensorType>(b.getType());
  if (!ta || !tb || ta.getRank() != tb.getRank())
    return false;
  if (a == b || (ta.hasStaticShape() && ta.getShape() == tb.getShape()))
    return true;
  SmallVector<OpFoldResult> sa = tiedSizes(a), sb = tiedSizes(b);
  return !sa.empty() && sa.size() == sb.size() &&
         llvm::all_of(llvm::zip(sa, sb), [](auto pair) {
           return isEqualConstantIntOrValue(std::get<0>(pair),
                                            std::get<1>(pair));
         });
}

bool disc::sameElementType(Value a, Value b) {
  return getElementTypeOrSelf(a) == getElementTypeOrSelf(b);
}

bool disc::hasDimOne(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && llvm::is_contained(type.getShape(), 1);
}

bool disc::isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

bool disc::isInt(Value value) {
  return isa<IntegerType, IndexType>(getElementTypeOrSelf(value));
}

bool disc::isElementType(Value value, StringRef name) {
  std::string text;
  llvm::raw_string_ostream(text) << getElementTypeOrSelf(value);
  return text == name;
}

bool disc::isIdentityList(Attribute values) {
  auto list = dyn_cast<DenseI64ArrayAttr>(values);
  if (!list)
    return false;
  for (auto [index, value] : llvm::enumerate(list.asArrayRef()))
    if (static_cast<int64_t>(index) != value)
      return false;
  return true;
}

bool disc::sameAttr(Attribute a, Attribute b) { return a == b; }

bool disc::hasOneElement(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 1;
}

bool disc::attrAbsent(Operation *op, StringRef name) {
  return !op->getAttr(name);
}

bool disc::noValues(ValueRange values) { return values.empty(); }

bool disc::isSet(bool option) { return option; }

bool disc::independent(Operation *root, Operation *other) {
  if (root == other || root->getBlock() != other->getBlock())
    return false;
  auto before = [&](Operation *def) {
    return !def || def->getBlock() != root->getBlock() ||
           def->isBeforeInBlock(root);
  };
  auto after = [&](Operation *user) {
    Operation *here = root->getBlock()->findAncestorOpInBlock(*user);
    return here && here != root && root->isBeforeInBlock(here);
  };
  return llvm::all_of(other->getOperands(),
                      [&](Value v) { return before(v.getDefiningOp()); }) &&
         llvm::all_of(other->getUsers(), after);
}

Attribute disc::attrOr(PatternRewriter &, Operation *op, StringRef name,
                       Attribute otherwise) {
  Attribute found = op->getAttr(name);
  return found ? found : otherwise;
}

bool disc::isAttr(Attribute attr, StringRef text) {
  return attr == parseAttribute(text, attr.getContext());
}

Attribute disc::parseAttr(PatternRewriter &rewriter, StringRef text) {
  return parseAttribute(text, rewriter.getContext());
}
