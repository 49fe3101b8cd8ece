// Pass input-scan: scan(inputs) inits(carries) -> while over the scanned dimension.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/input/TensorBuilders.h"

using namespace mlir;

namespace {
/// The loop carries the number of the step, the outputs and the carries.
class ScanToLoop {
public:
  explicit ScanToLoop(dhlo::ScanOp scan)
      : scan(scan), b(scan), loc(scan.getLoc()), dim(scan.getDimension()),
        position(RankedTensorType::get({}, b.getI64Type())) {}
  LogicalResult run();

private:
  RankedTensorType typeOf(Value value) {
    return mlir::cast<RankedTensorType>(value.getType());
  }
  Value constant(int64_t value) {
    return dhlo::ConstantOp::create(
        b, loc, DenseElementsAttr::get(position, ArrayRef<int64_t>(value)));
  }
  Value cast(Value value, Type type) {
    return value.getType() == type
               ? value
               : tensor::CastOp::create(b, loc, type, value).getResult();
  }
  /// Where a slice starts: at `at` in the scanned dimension.
  SmallVector<Value> starts(int64_t rank, Value at) {
    SmallVector<Value> result(rank, constant(0));
    result[dim] = at;
    return result;
  }
  Value reshape(Value value, RankedTensorType type, Value sizesOf, bool drop);
  Value zeros(RankedTensorType type, ArrayRef<OpFoldResult> sizes);
  Value slice(Value input, Value at, Type type);
  Value write(Value output, Value element, Value at);
  void buildBody(Block *block, Value last);
  void checkInputs();

  dhlo::ScanOp scan;
  OpBuilder b;
  Location loc;
  int64_t dim;
  RankedTensorType position;
};
} // namespace

/// `value` with the sizes of `sizesOf`, but 1 or nothing for the scanned one.
Value ScanToLoop::reshape(Value value, RankedTensorType type, Value sizesOf,
                          bool drop) {
  if (type.hasStaticShape() && typeOf(value).hasStaticShape())
    return dhlo::ReshapeOp::create(b, loc, type, value);
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < typeOf(sizesOf).getRank(); ++i) {
    if (i != dim)
      sizes.push_back(tensor::DimOp::create(b, loc, sizesOf, i));
    else if (!drop)
      sizes.push_back(arith::ConstantIndexOp::create(b, loc, 1));
  }
  return dhlo::DynamicReshapeOp::create(b, loc, type, value,
                                        disc::listOf(b, loc, sizes));
}

Value ScanToLoop::zeros(RankedTensorType type, ArrayRef<OpFoldResult> sizes) {
  Type element = type.getElementType();
  Value zero = disc::scalarConstant(b, loc, element, disc::zeroOf(b, element));
  SmallVector<Value> values = getValueOrCreateConstantIndexOp(b, loc, sizes);
  return disc::broadcastTo(b, loc, zero, type, disc::listOf(b, loc, values));
}

/// Step `at` of an input, without the scanned dimension.
Value ScanToLoop::slice(Value input, Value at, Type type) {
  RankedTensorType from = typeOf(input);
  SmallVector<int64_t> shape(from.getShape());
  shape[dim] = 1;
  int64_t rank = from.getRank();
  if (from.hasStaticShape()) {
    Value part = dhlo::DynamicSliceOp::create(
        b, loc, from.clone(shape), input, starts(rank, at),
        b.getDenseI64ArrayAttr(shape));
    return cast(reshape(part, mlir::cast<RankedTensorType>(type), input, true),
                type);
  }
  SmallVector<Value> begin, end, step;
  Value index = arith::IndexCastOp::create(
      b, loc, b.getIndexType(), tensor::ExtractOp::create(b, loc, at, ValueRange()));
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  for (int64_t i = 0; i < rank; ++i) {
    begin.push_back(i == dim ? index : zero);
    end.push_back(i == dim ? arith::AddIOp::create(b, loc, index, one).getResult()
                           : tensor::DimOp::create(b, loc, input, i).getResult());
    step.push_back(one);
  }
  auto list = [&](ArrayRef<Value> values) {
    return disc::listOf(b, loc, values);
  };
  Value part = dhlo::RealDynamicSliceOp::create(
      b, loc, from.clone(shape), input, list(begin), list(end), list(step));
  return reshape(part, mlir::cast<RankedTensorType>(type), input, true);
}

/// `output` with step `at` replaced by `element`.
Value ScanToLoop::write(Value output, Value element, Value at) {
  RankedTensorType type = typeOf(output);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = 1;
  Value part = reshape(element, type.clone(shape), output, false);
  return dhlo::DynamicUpdateSliceOp::create(b, loc, type, output, part,
                                            starts(type.getRank(), at));
}

void ScanToLoop::buildBody(Block *block, Value last) {
  b.setInsertionPointToStart(block);
  Value step = block->getArgument(0), at = step;
  if (scan.getIsReverse())
    at = dhlo::SubtractOp::create(b, loc, last, step);
  Block &body = scan.getBody().front();
  auto numOutputs = scan.getOutputs().size();
  ValueRange outputs = block->getArguments().slice(1, numOutputs);
  ValueRange carries = block->getArguments().drop_front(1 + numOutputs);
  IRMapping mapping;
  for (auto [i, input] : llvm::enumerate(scan.getInputs())) {
    BlockArgument argument = body.getArgument(i);
    mapping.map(argument, slice(input, at, argument.getType()));
  }
  for (auto [i, carry] : llvm::enumerate(carries)) {
    BlockArgument argument = body.getArgument(scan.getInputs().size() + i);
    mapping.map(argument, cast(carry, argument.getType()));
  }
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping);
  SmallVector<Value> next = {dhlo::AddOp::create(b, loc, step, constant(1))};
  ValueRange yielded = body.getTerminator()->getOperands();
  for (auto [output, value] : llvm::zip(outputs, yielded.take_front(numOutputs)))
    next.push_back(write(output, mapping.lookupOrDefault(value), at));
  for (auto [carry, value] : llvm::zip(carries, yielded.drop_front(numOutputs)))
    next.push_back(cast(mapping.lookupOrDefault(value), carry.getType()));
  dhlo::ReturnOp::create(b, loc, next);
}

/// Checks at run time that all inputs are scanned in as many steps.
void ScanToLoop::checkInputs() {
  Value first = scan.getInputs().front();
  for (Value input : scan.getInputs().drop_front()) {
    if (!typeOf(input).isDynamicDim(dim) && !typeOf(first).isDynamicDim(dim))
      continue; // the op's verifier did
    Value size = tensor::DimOp::create(b, loc, input, dim);
    Value expected = tensor::DimOp::create(b, loc, first, dim);
    Value equal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, size,
                                        expected);
    cf::AssertOp::create(b, loc, equal,
                         "scan: expected inputs of one size in the scanned "
                         "dimension");
  }
}

LogicalResult ScanToLoop::run() {
  if (scan.getInputs().empty())
    return scan.emitOpError("expected an input, whose size tells the number of "
                            "steps");
  Value first = scan.getInputs().front();
  for (Value output : scan.getOutputs())
    if (!typeOf(output).hasStaticShape() &&
        typeOf(output).getRank() != typeOf(first).getRank())
      return scan.emitOpError("has an output of type ")
             << output.getType() << " whose sizes are not those of its first "
             << "input of type " << first.getType();
  ReifiedRankedShapedTypeDims sizes;
  if (failed(scan.reifyResultShapes(b, sizes)))
    return scan.emitOpError("does not tell the sizes of its outputs");
  checkInputs();
  Value steps = dhlo::GetDimensionSizeOp::create(
      b, loc, RankedTensorType::get({}, b.getI32Type()), first, dim);
  steps = dhlo::ConvertOp::create(b, loc, position, steps);
  Value last = dhlo::SubtractOp::create(b, loc, steps, constant(1));
  SmallVector<Value> init = {constant(0)};
  for (auto [output, shape] : llvm::zip(scan.getOutputs(), sizes))
    init.push_back(zeros(typeOf(output), shape));
  for (auto [carry, value] : llvm::zip(scan.getCarries(), scan.getInits()))
    init.push_back(cast(value, carry.getType()));
  if (typeOf(first).getDimSize(dim) == 0) { // no step, and no slice of size 1
    scan.replaceAllUsesWith(ArrayRef(init).drop_front());
    scan.erase();
    return success();
  }
  SmallVector<Type> types = llvm::to_vector(ValueRange(init).getTypes());
  SmallVector<Location> locations(types.size(), loc);
  auto loop = dhlo::WhileOp::create(b, loc, types, init);
  Block *condition = b.createBlock(&loop.getCond(), {}, types, locations);
  Value more = dhlo::CompareOp::create(b, loc, condition->getArgument(0), steps,
                                       dhlo::ComparisonDirection::LT,
                                       dhlo::ComparisonType::SIGNED);
  dhlo::ReturnOp::create(b, loc, more);
  buildBody(b.createBlock(&loop.getBody(), {}, types, locations), last);
  scan.replaceAllUsesWith(loop.getResults().drop_front());
  scan.erase();
  return success();
}

LogicalResult disc::runInputScan(func::FuncOp func) {
  SmallVector<dhlo::ScanOp> scans;
  // Inner ones first: the body of an outer one is copied.
  func.walk([&](dhlo::ScanOp scan) { scans.push_back(scan); });
  for (dhlo::ScanOp scan : scans)
    if (LogicalResult written = ScanToLoop(scan).run(); failed(written))
      return written;
  return success();
}
