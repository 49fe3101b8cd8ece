// One element of dot, dot_general and convolution: a sum of products. Large ones are library calls and do not come here.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/ScalarOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace disc {
namespace {

using Request = const ElementRequest &;

/// The type in which products are summed: the result's one; narrow floats are summed in f32 and rounded once.
Type sumType(Type element) {
  auto type = dyn_cast<FloatType>(element);
  return type && type.getWidth() < 32 ? Float32Type::get(element.getContext()) : element;
}

/// sum + x * y, with x and y elements of the types `left` and `right`.
Value multiplyAdd(OpBuilder &b, Location loc, Value sum, Value x, Value y, Type left, Type right, Type type) {
  if (left != type)
    x = emitConvert(b, loc, x, left, type);
  if (right != type)
    y = emitConvert(b, loc, y, right, type);
  if (isa<ComplexType>(type))
    return complex::AddOp::create(b, loc, sum, complex::MulOp::create(b, loc, x, y));
  if (isa<FloatType>(type))
    return arith::AddFOp::create(b, loc, sum, arith::MulFOp::create(b, loc, x, y), arith::FastMathFlags::reassoc);
  if (type.isInteger(1))
    return arith::OrIOp::create(b, loc, sum, arith::AndIOp::create(b, loc, x, y));
  return arith::AddIOp::create(b, loc, sum, arith::MulIOp::create(b, loc, x, y));
}

Value zero(OpBuilder &b, Location loc, Type element) {
  if (auto type = dyn_cast<ComplexType>(element)) {
    Attribute part = b.getFloatAttr(type.getElementType(), 0.0);
    return emitConstantScalar(b, loc, b.getArrayAttr({part, part}), element);
  }
  return emitConstantScalar(b, loc, b.getZeroAttr(scalarType(element)), element);
}

/// Where the two factors of one product are; null `inside` when they always exist.
struct Factors {
  SmallVector<Value> left, right;
  Value inside;
};

Value emitSum(Request r, Value lhs, Value rhs, ValueRange bounds, llvm::function_ref<Factors(OpBuilder &, ValueRange)> locate) {
  Type left = getElementTypeOrSelf(lhs.getType()), right = getElementTypeOrSelf(rhs.getType());
  Type type = sumType(r.elementType());
  auto body = [&](OpBuilder &b, ValueRange at, ValueRange carried) -> SmallVector<Value> {
    Factors factors = locate(b, at);
    auto add = [&](OpBuilder &b) {
      Value x = r.e.emit(b, r.loc, lhs, factors.left), y = r.e.emit(b, r.loc, rhs, factors.right);
      return multiplyAdd(b, r.loc, carried.front(), x, y, left, right, type);
    };
    if (!factors.inside)
      return {add(b)};
    return {emitIf(r.e, b, r.loc, factors.inside, add, [&](OpBuilder &) { return carried.front(); })};
  };
  Value sum = emitLoopNest(r.e, r.b, r.loc, bounds, zero(r.b, r.loc, type), body).front();
  return type == r.elementType() ? sum : emitConvert(r.b, r.loc, sum, type, r.elementType());
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

/// The index into one operand: batching dimensions from the front of the result, contracting ones from the loop, others from `others`.
SmallVector<Value> dotIndex(Value operand, ValueRange batch, ArrayRef<int64_t> batchDims, ValueRange contracting,
                            ArrayRef<int64_t> contractingDims, ValueRange others) {
  SmallVector<Value> index(cast<RankedTensorType>(operand.getType()).getRank());
  for (auto [d, i] : llvm::zip_equal(batchDims, batch))
    index[d] = i;
  for (auto [d, i] : llvm::zip_equal(contractingDims, contracting))
    index[d] = i;
  size_t next = 0;
  for (Value &i : index)
    if (!i)
      i = others[next++];
  return index;
}

Value emitDotGeneral(Request r, Value lhs, Value rhs, dhlo::DotDimensionNumbersAttr numbers) {
  ArrayRef<int64_t> contracting = numbers.getLhsContractingDimensions();
  SmallVector<Value> bounds = llvm::map_to_vector(contracting, [&](int64_t d) { return r.e.dim(lhs, d); });
  size_t batches = numbers.getLhsBatchingDimensions().size();
  size_t lhsOthers = cast<RankedTensorType>(lhs.getType()).getRank() - batches - contracting.size();
  ValueRange batch = r.index.take_front(batches), others = r.index.drop_front(batches);
  return emitSum(r, lhs, rhs, bounds, [&](OpBuilder &, ValueRange at) -> Factors {
    return {dotIndex(lhs, batch, numbers.getLhsBatchingDimensions(), at, contracting, others.take_front(lhsOthers)),
            dotIndex(rhs, batch, numbers.getRhsBatchingDimensions(), at, numbers.getRhsContractingDimensions(),
                     others.drop_front(lhsOthers)),
            Value()};
  });
}

Value emitDot(Request r, dhlo::DotOp op) {
  int64_t last = cast<RankedTensorType>(op.getLhs().getType()).getRank() - 1;
  auto numbers = dhlo::DotDimensionNumbersAttr::get(op.getContext(), {}, {}, {last}, {0});
  return emitDotGeneral(r, op.getLhs(), op.getRhs(), numbers);
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// One spatial dimension of a convolution.
struct Window {
  int64_t stride = 1, lhsDilation = 1, rhsDilation = 1;
  bool reversed = false;
  Value low;
  bool isPadded = true;
};

template <typename Op>
Window windowAt(Op op, size_t d) {
  Window window;
  if (op.getWindowStrides())
    window.stride = (*op.getWindowStrides())[d];
  if (op.getLhsDilation())
    window.lhsDilation = (*op.getLhsDilation())[d];
  if (op.getRhsDilation())
    window.rhsDilation = (*op.getRhsDilation())[d];
  if (op.getWindowReversal())
    window.reversed = (*op.getWindowReversal())[d];
  return window;
}

/// The position in the input under element `k` of the window at output position `o`, and the condition that it exists.
std::pair<Value, Value> locateInput(Request r, OpBuilder &b, const Window &window, Value o, Value k, Value inputSize) {
  IndexMath math(b, r.loc, r.e.site);
  Value position = math.add(math.mul(o, math.constant(window.stride)), math.mul(k, math.constant(window.rhsDilation)));
  position = math.sub(position, window.low);
  if (!window.isPadded && window.lhsDilation == 1)
    return {position, Value()};
  Value inside = math.less(math.constant(-1), position);
  if (window.lhsDilation != 1) {
    Value step = math.constant(window.lhsDilation);
    inside = math.both(inside, math.equal(math.rem(position, step), math.constant(0)));
    position = math.div(position, step);
  }
  return {position, math.both(inside, math.less(position, inputSize))};
}

template <typename Op>
Value emitConvolution(Request r, Op op, ArrayRef<Window> windows) {
  dhlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  IndexMath math(r.b, r.loc, r.e.site);
  Value lhs = op.getLhs(), rhs = op.getRhs();
  Value channels = r.e.dim(rhs, numbers.getKernelInputFeatureDimension());
  Value outputs = r.e.dim(rhs, numbers.getKernelOutputFeatureDimension());
  Value feature = r.index[numbers.getOutputFeatureDimension()], batch = r.index[numbers.getOutputBatchDimension()];
  Value firstChannel = math.constant(0);
  if (op.getFeatureGroupCount() > 1) {
    Value group = math.div(feature, math.div(outputs, math.constant(op.getFeatureGroupCount())));
    firstChannel = math.mul(group, channels);
  }
  if (op.getBatchGroupCount() > 1) {
    Value group = math.div(feature, math.div(outputs, math.constant(op.getBatchGroupCount())));
    batch = math.add(math.mul(group, r.e.dim(r.result, numbers.getOutputBatchDimension())), batch);
  }
  // The loop over what lies closest in the input comes last.
  bool channelsLast = numbers.getInputFeatureDimension() == static_cast<int64_t>(r.index.size()) - 1;
  SmallVector<Value> bounds = llvm::map_to_vector(numbers.getKernelSpatialDimensions(), [&](int64_t d) { return r.e.dim(rhs, d); });
  bounds.insert(channelsLast ? bounds.end() : bounds.begin(), channels);

  return emitSum(r, lhs, rhs, bounds, [&](OpBuilder &b, ValueRange at) -> Factors {
    IndexMath inner(b, r.loc, r.e.site);
    Factors factors{SmallVector<Value>(r.index.size()), SmallVector<Value>(r.index.size()), Value()};
    Value channel = channelsLast ? at.back() : at.front();
    ValueRange spatial = channelsLast ? at.drop_back() : at.drop_front();
    factors.left[numbers.getInputBatchDimension()] = batch;
    factors.left[numbers.getInputFeatureDimension()] = inner.add(firstChannel, channel);
    factors.right[numbers.getKernelInputFeatureDimension()] = channel;
    factors.right[numbers.getKernelOutputFeatureDimension()] = feature;
    for (auto [d, k] : llvm::enumerate(spatial)) {
      int64_t inputDim = numbers.getInputSpatialDimensions()[d], kernelDim = numbers.getKernelSpatialDimensions()[d];
      Value o = r.index[numbers.getOutputSpatialDimensions()[d]];
      auto [position, inside] = locateInput(r, b, windows[d], o, k, r.e.dim(lhs, inputDim));
      factors.left[inputDim] = position;
      factors.right[kernelDim] =
          windows[d].reversed ? inner.sub(inner.sub(r.e.dim(rhs, kernelDim), inner.constant(1)), k) : k;
      if (inside)
        factors.inside = factors.inside ? inner.both(factors.inside, inside) : inside;
    }
    return factors;
  });
}

Value emitStaticConvolution(Request r, dhlo::ConvolutionOp op) {
  SmallVector<Window> windows;
  for (size_t d = 0; d + 2 < r.index.size(); ++d) {
    Window &window = windows.emplace_back(windowAt(op, d));
    DenseIntElementsAttr padding = op.getPaddingAttr();
    uint64_t at = d;
    int64_t low = padding ? padding.getValues<int64_t>()[{at, 0}] : 0;
    int64_t high = padding ? padding.getValues<int64_t>()[{at, 1}] : 0;
    window.low = r.e.constant(low);
    window.isPadded = low > 0 || high > 0;
  }
  return emitConvolution(r, op, windows);
}

Value emitDynamicConvolution(Request r, dhlo::DynamicConvOp op) {
  SmallVector<Window> windows;
  for (size_t d = 0; d + 2 < r.index.size(); ++d) {
    windows.push_back(windowAt(op, d));
    windows.back().low = r.e.emitIndex(r.b, r.loc, op.getPadding(), {r.e.constant(d), r.e.constant(0)});
  }
  return emitConvolution(r, op, windows);
}

} // namespace

Value emitContractionOp(const ElementRequest &r) {
  return llvm::TypeSwitch<Operation *, Value>(r.result.getOwner())
      .Case([&](dhlo::DotOp op) { return emitDot(r, op); })
      .Case([&](dhlo::DotGeneralOp op) { return emitDotGeneral(r, op.getLhs(), op.getRhs(), op.getDotDimensionNumbers()); })
      .Case([&](dhlo::ConvolutionOp op) { return emitStaticConvolution(r, op); })
      .Case([&](dhlo::DynamicConvOp op) { return emitDynamicConvolution(r, op); })
      .Default([](Operation *) { return Value(); });
}

} // namespace disc
