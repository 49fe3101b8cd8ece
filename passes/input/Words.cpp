// Elementwise arithmetic on words, and the counter-based generators of Salmon et al.,
// "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
#include "passes/input/Words.h"

#include "mlir/IR/TypeUtilities.h"
#include "passes/input/TensorBuilders.h"

using namespace mlir;
using namespace disc;

static int64_t rankOf(Value x) {
  return cast<RankedTensorType>(x.getType()).getRank();
}

static Type unsignedType(OpBuilder &b, unsigned width) {
  return b.getIntegerType(width, /*isSigned=*/false);
}

static unsigned widthOf(Value x) {
  return getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
}

RankedTensorType Words::typeOf(Type element) {
  return RankedTensorType::get({length}, element);
}

Value Words::spread(Value x) {
  if (rankOf(x) != 0)
    return x;
  return broadcastTo(b, loc, x, typeOf(getElementTypeOrSelf(x.getType())),
                     count);
}

void Words::alike(std::initializer_list<Value *> operands) {
  if (llvm::all_of(operands, [](Value *x) { return rankOf(*x) == 0; }))
    return;
  for (Value *operand : operands)
    *operand = spread(*operand);
}

Value Words::constant(Type element, Attribute value) {
  return scalarConstant(b, loc, element, value);
}

Value Words::word(unsigned width, uint64_t value) {
  Type element = unsignedType(b, width);
  return constant(element, IntegerAttr::get(element, APInt(width, value)));
}

Value Words::positions() {
  RankedTensorType type = typeOf(unsignedType(b, 64));
  if (type.hasStaticShape())
    return dhlo::IotaOp::create(b, loc, type, 0);
  return dhlo::DynamicIotaOp::create(b, loc, type, count,
                                     b.getI64IntegerAttr(0));
}

Value Words::convert(Value x, Type element) {
  auto type = cast<RankedTensorType>(x.getType());
  if (type.getElementType() == element)
    return x;
  return dhlo::ConvertOp::create(b, loc, type.clone(element), x);
}

Value Words::convert(Value x, unsigned width) {
  return convert(x, unsignedType(b, width));
}

Value Words::select(Value pred, Value onTrue, Value onFalse) {
  alike({&pred, &onTrue, &onFalse});
  return dhlo::SelectOp::create(b, loc, pred, onTrue, onFalse);
}

Value Words::compare(dhlo::ComparisonDirection direction, Value x, Value y) {
  alike({&x, &y});
  Type element = getElementTypeOrSelf(x.getType());
  auto type = isa<FloatType>(element) ? dhlo::ComparisonType::FLOAT
              : element.isUnsignedInteger() || element.isInteger(1)
                  ? dhlo::ComparisonType::UNSIGNED
                  : dhlo::ComparisonType::SIGNED;
  return dhlo::CompareOp::create(b, loc, x, y, direction, type);
}

Value Words::bit(Value x, uint64_t mask) {
  unsigned width = widthOf(x);
  return compare(dhlo::ComparisonDirection::NE,
                 binary<dhlo::AndOp>(x, word(width, mask)), word(width, 0));
}

Value Words::shiftLeft(Value x, unsigned by) {
  return binary<dhlo::ShiftLeftOp>(x, word(widthOf(x), by));
}

Value Words::shiftRight(Value x, unsigned by) {
  return binary<dhlo::ShiftRightLogicalOp>(x, word(widthOf(x), by));
}

Value Words::join(Value low, Value high) {
  return binary<dhlo::OrOp>(convert(low, 64), shiftLeft(convert(high, 64), 32));
}

std::pair<Value, Value> Words::split(Value x) {
  return {convert(x, 32), convert(shiftRight(x, 32), 32)};
}

std::pair<Value, Value> disc::threefry(Words &w, Value key, Value counter) {
  constexpr unsigned rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  auto [key0, key1] = w.split(key);
  auto [x, y] = w.split(counter);
  Value parity = w.exclusiveOr(w.word(32, 0x1BD11BDA),
                               w.exclusiveOr(key0, key1));
  Value keys[3] = {key0, key1, parity};
  x = w.add(x, key0);
  y = w.add(y, key1);
  for (unsigned group = 0; group < 5; ++group) {
    for (unsigned by : rotations[group % 2]) {
      x = w.add(x, y);
      Value turned = w.binary<dhlo::OrOp>(w.shiftLeft(y, by),
                                          w.shiftRight(y, 32 - by));
      y = w.exclusiveOr(turned, x);
    }
    x = w.add(x, keys[(group + 1) % 3]);
    y = w.add(y, w.add(keys[(group + 2) % 3], w.word(32, group + 1)));
  }
  return {x, y};
}

std::array<Value, 4> disc::philox(Words &w, Value key, Value low, Value high) {
  constexpr uint32_t factors[2] = {0xD2511F53, 0xCD9E8D57};
  constexpr uint32_t steps[2] = {0x9E3779B9, 0xBB67AE85};
  auto [key0, key1] = w.split(key);
  auto [x0, x1] = w.split(low);
  auto [x2, x3] = w.split(high);
  for (uint32_t round = 0; round < 10; ++round) {
    auto product = [&](Value x, uint32_t factor) {
      return w.split(w.multiply(w.convert(x, 64), w.word(64, factor)));
    };
    auto [low0, high0] = product(x0, factors[0]);
    auto [low1, high1] = product(x2, factors[1]);
    Value round0 = w.add(key0, w.word(32, round * steps[0]));
    Value round1 = w.add(key1, w.word(32, round * steps[1]));
    x0 = w.exclusiveOr(high1, w.exclusiveOr(x1, round0));
    x1 = low1;
    x2 = w.exclusiveOr(high0, w.exclusiveOr(x3, round1));
    x3 = low0;
  }
  return {x0, x1, x2, x3};
}
