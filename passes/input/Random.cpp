// Pass input-random: rng_bit_generator and rng become elementwise ops on counters.
//
// rng_bit_generator gives the bits that XLA gives for the same algorithm, state
// and type. DEFAULT is PHILOX. rng takes a fresh state from the runtime
// (`ral.random_state`) each time it runs and uses Threefry.
#include "Passes.h.inc"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/input/Words.h"

using namespace mlir;
using namespace disc;
using dhlo::ComparisonDirection;

//===----------------------------------------------------------------------===//
// rng_bit_generator
//===----------------------------------------------------------------------===//

/// Element `i` of the vector `state`, of rank 0.
static Value stateWord(Words &w, Value state, int64_t i) {
  Type element = getElementTypeOrSelf(state.getType());
  Value one = dhlo::SliceOp::create(
      w.b, w.loc, RankedTensorType::get({1}, element), state,
      ArrayRef<int64_t>{i}, ArrayRef<int64_t>{i + 1}, ArrayRef<int64_t>{1});
  return dhlo::ReshapeOp::create(w.b, w.loc, RankedTensorType::get({}, element),
                                 one);
}

static Value joinState(Words &w, ArrayRef<Value> words) {
  Type element = getElementTypeOrSelf(words[0].getType());
  SmallVector<Value> ones;
  for (Value word : words)
    ones.push_back(dhlo::ReshapeOp::create(
        w.b, w.loc, RankedTensorType::get({1}, element), word));
  return dhlo::ConcatenateOp::create(
      w.b, w.loc,
      RankedTensorType::get({static_cast<int64_t>(words.size())}, element),
      ones, w.b.getI64IntegerAttr(0));
}

namespace {
/// The bits of every element, and the state after them.
struct Generated {
  Value bits, state;
};

/// Where XLA's Threefry places the two words of a counter: it halves the first
/// even dimension, or the largest one, and the words are neighbours there.
struct Halved {
  explicit Halved(ArrayRef<int64_t> shape) {
    if (shape.empty())
      return;
    const int64_t *dim =
        llvm::find_if(shape, [](int64_t size) { return size % 2 == 0; });
    if (dim == shape.end())
      dim = std::max_element(shape.begin(), shape.end());
    size = *dim;
    for (const int64_t *d = dim + 1; d != shape.end(); ++d)
      inner *= *d;
    blocks = (size + 1) / 2;
    for (const int64_t *d = shape.begin(); d != shape.end(); ++d)
      blocks *= d == dim ? 1 : *d;
  }
  int64_t size = 1, inner = 1, blocks = 1;
};
} // namespace

static Generated threefryBits(Words &w, Value state, ArrayRef<int64_t> shape,
                              unsigned width) {
  Value key = stateWord(w, state, 0), counter = stateWord(w, state, 1);
  Value at = w.positions();
  // Without elements nothing is divided by 0.
  auto constant = [&](int64_t value) {
    return w.word(64, std::max<int64_t>(value, 1));
  };
  if (width == 64) {
    auto [low, high] = threefry(w, key, w.add(counter, at));
    int64_t count = ShapedType::getNumElements(shape);
    return {w.join(low, high),
            joinState(w, {key, w.add(counter, w.word(64, count))})};
  }
  Halved halved(shape);
  Value inner = constant(halved.inner);
  Value outer = constant(halved.inner * halved.size);
  Value row = w.binary<dhlo::RemOp>(w.binary<dhlo::DivOp>(at, inner),
                                    constant(halved.size));
  Value block = w.add(
      w.add(w.multiply(w.binary<dhlo::DivOp>(at, outer),
                       constant((halved.size + 1) / 2 * halved.inner)),
            w.multiply(w.shiftRight(row, 1), inner)),
      w.binary<dhlo::RemOp>(at, inner));
  auto [even, odd] = threefry(w, key, w.add(counter, block));
  return {w.select(w.bit(row, 1), odd, even),
          joinState(w, {key, w.add(counter, w.word(64, halved.blocks))})};
}

static Generated philoxBits(Words &w, Value state, ArrayRef<int64_t> shape,
                            unsigned width) {
  int64_t count = ShapedType::getNumElements(shape);
  bool wide = width == 64;
  int64_t blocks = wide ? (count + 1) / 2 : (count + 3) / 4;
  bool hasHigh = cast<RankedTensorType>(state.getType()).getDimSize(0) == 3;
  Value key = stateWord(w, state, 0), low = stateWord(w, state, 1);
  // As in XLA, where the counter has no high half in the state.
  Value high = hasHigh ? stateWord(w, state, 2) : key;
  // The counter is one number of 128 bits.
  auto advance = [&](Value by) {
    Value sum = w.add(low, by);
    Value carry = w.compare(ComparisonDirection::LT, sum, low);
    return std::pair(sum, w.add(high, w.convert(carry, 64)));
  };
  Value at = w.positions();
  auto [blockLow, blockHigh] = advance(w.shiftRight(at, wide ? 1 : 2));
  auto words = philox(w, key, blockLow, blockHigh);
  Value bits;
  if (wide) {
    bits = w.select(w.bit(at, 1), w.join(words[2], words[3]),
                    w.join(words[0], words[1]));
  } else {
    Value odd = w.bit(at, 1);
    bits = w.select(w.bit(at, 2), w.select(odd, words[3], words[2]),
                    w.select(odd, words[1], words[0]));
  }
  auto [nextLow, nextHigh] = advance(w.word(64, blocks));
  SmallVector<Value> next = {key, nextLow};
  if (hasHigh)
    next.push_back(nextHigh);
  return {bits, joinState(w, next)};
}

static LogicalResult expandBitGenerator(dhlo::RngBitGeneratorOp op) {
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  auto state = cast<RankedTensorType>(op.getInitialState().getType());
  bool isThreefry = op.getRngAlgorithm() == dhlo::RngAlgorithm::THREE_FRY;
  bool known = state.hasStaticShape() && state.getRank() == 1 &&
               state.getElementType().isUnsignedInteger(64) &&
               (state.getDimSize(0) == 2 ||
                (state.getDimSize(0) == 3 && !isThreefry));
  if (!known)
    return op.emitOpError("expected an initial state of type tensor<2xui64>")
           << (isThreefry ? "" : " or tensor<3xui64>") << ", got " << state;
  Type element = type.getElementType();
  if (!element.isIntOrFloat())
    return op.emitOpError("expected a result of integers or floats, got ")
           << type;
  OpBuilder b(op);
  Words w(b, op.getLoc(), type.getNumElements(), Value());
  unsigned width = element.getIntOrFloatBitWidth();
  Generated generated =
      isThreefry ? threefryBits(w, op.getInitialState(), type.getShape(), width)
                 : philoxBits(w, op.getInitialState(), type.getShape(), width);
  Value bits = generated.bits;
  if (isa<FloatType>(element)) {
    bits = w.convert(bits, width);
    bits = dhlo::BitcastConvertOp::create(
        b, op.getLoc(), cast<RankedTensorType>(bits.getType()).clone(element),
        bits);
  } else if (element.isInteger(1)) {
    bits = w.bit(bits, 1);
  } else {
    bits = w.convert(bits, element);
  }
  bits = dhlo::ReshapeOp::create(b, op.getLoc(), type, bits);
  if (generated.state.getType() != op.getOutputState().getType())
    generated.state = tensor::CastOp::create(
        b, op.getLoc(), op.getOutputState().getType(), generated.state);
  op.replaceAllUsesWith(ValueRange{generated.state, bits});
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// rng
//===----------------------------------------------------------------------===//

/// A state that no other rng of the context has.
static Value freshState(OpBuilder &b, Location loc) {
  auto type = RankedTensorType::get({2}, b.getIntegerType(64, false));
  OperationState state(loc, dhlo::CustomCallOp::getOperationName());
  state.addTypes(type);
  state.addAttribute("call_target_name", b.getStringAttr("ral.random_state"));
  state.addAttribute("has_side_effect", b.getBoolAttr(true));
  state.addAttribute("disc.library", b.getUnitAttr());
  return b.create(state)->getResult(0);
}

/// Fails the execution unless the predicate of rank 0 holds.
static void check(Words &w, Value holds, StringRef message) {
  Value byte = tensor::ExtractOp::create(
      w.b, w.loc, w.convert(holds, w.b.getI8Type()), ValueRange());
  Value zero = arith::ConstantIntOp::create(w.b, w.loc, 0, 8);
  cf::AssertOp::create(w.b, w.loc,
                       arith::CmpIOp::create(w.b, w.loc, arith::CmpIPredicate::ne,
                                             byte, zero),
                       message);
}

static Value number(Words &w, Type element, double value) {
  return w.constant(element, w.b.getFloatAttr(element, value));
}

/// A float in [0, 1), or in (-1, 1) without 0 if `centred`, of 24 or 53 bits.
static Value unitFloat(Words &w, Value bits, FloatType type, bool centred) {
  unsigned width = type.getWidth();
  unsigned digits = type.getFPMantissaWidth() - (centred ? 1 : 0);
  Value whole = w.convert(w.shiftRight(bits, width - digits), type);
  if (!centred)
    return w.multiply(whole, number(w, type, std::ldexp(1.0, -int(digits))));
  Value middle = w.add(whole, number(w, type, 0.5));
  return w.binary<dhlo::SubtractOp>(
      w.multiply(middle, number(w, type, std::ldexp(2.0, -int(digits)))),
      number(w, type, 1.0));
}

/// a + (b - a) * u without overflow, rounded to `element` and kept in [a, b).
static Value uniformFloat(Words &w, Value bits, Value a, Value b,
                          FloatType type, Type element) {
  Value u = unitFloat(w, bits, type, /*centred=*/false);
  Value rest = w.binary<dhlo::SubtractOp>(number(w, type, 1.0), u);
  Value x = w.add(w.multiply(w.convert(a, type), rest),
                  w.multiply(w.convert(b, type), u));
  x = w.binary<dhlo::MaxOp>(w.convert(x, element), a);
  return w.select(w.compare(ComparisonDirection::LT, x, b), x, a);
}

/// a + floor((b - a) * bits / 2^width), in the arithmetic of that width.
static Value uniformInt(Words &w, Value bits, Value a, Value b, unsigned width,
                        Type element) {
  Value low = w.convert(a, width);
  Value range = w.binary<dhlo::SubtractOp>(w.convert(b, width), low);
  return w.convert(w.add(low, w.binary<dhlo::MulhiOp>(bits, range)), element);
}

static Value normal(Words &w, Value bits, Value mean, Value deviation,
                    FloatType type, Type element) {
  Value unit = w.unary<dhlo::ErfInvOp>(unitFloat(w, bits, type, true));
  Value scale = w.multiply(w.convert(deviation, type),
                           number(w, type, std::sqrt(2.0)));
  return w.convert(w.add(w.convert(mean, type), w.multiply(unit, scale)),
                   element);
}

/// The number of elements of rng's result as a tensor<1xindex>, if it is dynamic.
static Value countElements(OpBuilder &b, dhlo::RngOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  if (type.hasStaticShape())
    return {};
  Location loc = op.getLoc();
  Value product = arith::ConstantIndexOp::create(b, loc, 1);
  for (int64_t i = 0; i < type.getRank(); ++i) {
    Value at = arith::ConstantIndexOp::create(b, loc, i);
    Value size = tensor::ExtractOp::create(b, loc, op.getShape(), at);
    if (!size.getType().isIndex())
      size = arith::IndexCastOp::create(b, loc, b.getIndexType(), size);
    product = arith::MulIOp::create(b, loc, product, size);
  }
  return tensor::FromElementsOp::create(
      b, loc, RankedTensorType::get({1}, b.getIndexType()), product);
}

static LogicalResult expandRng(dhlo::RngOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  Type element = type.getElementType();
  bool isNormal = op.getRngDistribution() == dhlo::RngDistribution::NORMAL;
  auto floatType = dyn_cast<FloatType>(element);
  if (!floatType && (isNormal || !element.isIntOrIndex()))
    return op.emitOpError("of ")
           << dhlo::stringifyRngDistribution(op.getRngDistribution())
           << " distribution expected elements of type "
           << (isNormal ? "float" : "integer, boolean or float") << ", got "
           << element;
  OpBuilder b(op);
  bool isStatic = type.hasStaticShape();
  Words w(b, op.getLoc(),
          isStatic ? type.getNumElements() : ShapedType::kDynamic,
          countElements(b, op));
  bool wide = element.isIndex() || element.getIntOrFloatBitWidth() == 64;
  Value state = freshState(b, op.getLoc());
  Value key = stateWord(w, state, 0), counter = stateWord(w, state, 1);
  Value at = w.positions();
  auto [low, high] = threefry(
      w, key, w.add(counter, wide ? at : w.shiftRight(at, 1)));
  Value bits = wide ? w.join(low, high) : w.select(w.bit(at, 1), high, low);
  Type compute = floatType && wide ? b.getF64Type() : Type(b.getF32Type());
  Value x;
  if (isNormal) {
    check(w, w.compare(ComparisonDirection::GE, op.getB(),
                       number(w, element, 0.0)),
          "rng: expected a standard deviation `b` that is not negative");
    x = normal(w, bits, op.getA(), op.getB(), cast<FloatType>(compute), element);
  } else if (floatType) {
    check(w, w.compare(ComparisonDirection::LE, op.getA(), op.getB()),
          "rng: expected bounds `a` <= `b`");
    x = uniformFloat(w, bits, op.getA(), op.getB(), cast<FloatType>(compute),
                     element);
  } else {
    check(w, w.compare(ComparisonDirection::LT, op.getA(), op.getB()),
          "rng: expected bounds `a` < `b`");
    x = uniformInt(w, bits, op.getA(), op.getB(), wide ? 64 : 32, element);
  }
  x = isStatic ? Value(dhlo::ReshapeOp::create(b, op.getLoc(), type, x))
               : Value(dhlo::DynamicReshapeOp::create(b, op.getLoc(), type, x,
                                                      op.getShape()));
  op.replaceAllUsesWith(x);
  op.erase();
  return success();
}

LogicalResult disc::runInputRandom(func::FuncOp func) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<dhlo::RngBitGeneratorOp, dhlo::RngOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    auto bits = dyn_cast<dhlo::RngBitGeneratorOp>(op);
    LogicalResult expanded =
        bits ? expandBitGenerator(bits) : expandRng(cast<dhlo::RngOp>(op));
    if (failed(expanded))
      return expanded;
  }
  return success();
}
