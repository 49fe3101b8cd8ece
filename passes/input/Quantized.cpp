// Pass input-quantized: !quant.uniform<i8:f32, s:z> -> i8, with dequantize, op, quantize around what computes.
#include "Passes.h.inc"
#include "dialects/dhlo/Quantization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/input/QuantizedValues.h"

using namespace mlir;
using namespace disc;

static bool touchesQuantized(Operation *op) {
  auto quantized = [](Type type) { return !!quantizedElementOf(type); };
  return llvm::any_of(op->getOperandTypes(), quantized) ||
         llvm::any_of(op->getResultTypes(), quantized);
}

//===----------------------------------------------------------------------===//
// 1. Conversions around the ops that compute
//===----------------------------------------------------------------------===//

/// Whether `op` passes on elements, or sizes of tensors, without computing with
/// elements: its operands and results have the same quantization parameters.
static bool isTransparent(Operation *op) {
  if (!isa<dhlo::DhloDialect>(op->getDialect()))
    return true;
  if (isa<dhlo::SelectOp, dhlo::BroadcastSelectOp>(op))
    return llvm::all_equal({getElementTypeOrSelf(op->getOperand(1).getType()),
                            getElementTypeOrSelf(op->getOperand(2).getType()),
                            getElementTypeOrSelf(op->getResult(0).getType())});
  return isa<
      dhlo::ReshapeOp, dhlo::DynamicReshapeOp, dhlo::BroadcastOp,
      dhlo::BroadcastInDimOp, dhlo::DynamicBroadcastInDimOp, dhlo::TransposeOp,
      dhlo::ReverseOp, dhlo::ConcatenateOp, dhlo::PadOp, dhlo::DynamicPadOp,
      dhlo::SliceOp, dhlo::RealDynamicSliceOp, dhlo::DynamicSliceOp,
      dhlo::DynamicUpdateSliceOp, dhlo::GatherOp, dhlo::DynamicGatherOp,
      dhlo::TorchIndexSelectOp, dhlo::SortOp, dhlo::TopKOp, dhlo::ConstantOp,
      dhlo::BitcastConvertOp, dhlo::UniformQuantizeOp,
      dhlo::UniformDequantizeOp, dhlo::ReturnOp, dhlo::IfOp, dhlo::CaseOp,
      dhlo::WhileOp, dhlo::TupleOp, dhlo::GetTupleElementOp,
      dhlo::OptimizationBarrierOp, dhlo::CompositeOp,
      dhlo::GetDimensionSizeOp, dhlo::SetDimensionSizeOp>(op);
}

/// `value` with elements of type `element`, quantized or not.
static Value convertElements(OpBuilder &b, Location loc, Value value,
                             Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  if (isa<quant::QuantizedType>(element))
    return dhlo::UniformQuantizeOp::create(b, loc, type.clone(element), value);
  return dhlo::UniformDequantizeOp::create(b, loc, type.clone(element), value);
}

/// Lets `result` have elements of type `element` and converts it for its users.
static void convertResult(OpResult result, Type element) {
  auto type = cast<RankedTensorType>(result.getType());
  if (type.getElementType() == element)
    return;
  OpBuilder b(result.getContext());
  b.setInsertionPointAfter(result.getOwner());
  result.setType(type.clone(element));
  Value converted =
      convertElements(b, result.getLoc(), result, type.getElementType());
  result.replaceAllUsesExcept(converted, converted.getDefiningOp());
}

static void convertOperand(Operation *op, unsigned number, Type element) {
  OpBuilder b(op);
  op->setOperand(
      number, convertElements(b, op->getLoc(), op->getOperand(number), element));
}

/// op(quantized) : quantized -> quantize(op(dequantize(quantized)))
static void computeExpressed(Operation *op) {
  for (unsigned i = 0, e = op->getNumOperands(); i < e; ++i)
    if (auto element = quantizedElementOf(op->getOperand(i).getType()))
      convertOperand(op, i, element.getExpressedType());
  for (OpResult result : op->getResults())
    if (auto element = quantizedElementOf(result.getType()))
      convertResult(result, element.getExpressedType());
  if (isa<dhlo::CompareOp, dhlo::BroadcastCompareOp>(op))
    op->setAttr("compare_type",
                dhlo::ComparisonTypeAttr::get(op->getContext(),
                                              dhlo::ComparisonType::FLOAT));
}

/// Gives operand `i` the element type of the argument `arguments[i]` of the
/// region that combines elements.
static void conformOperands(Operation *op, OperandRange operands,
                            ArrayRef<BlockArgument> arguments) {
  unsigned first = operands.getBeginOperandIndex();
  for (auto [i, argument] : llvm::enumerate(arguments))
    convertOperand(op, first + i, getElementTypeOrSelf(argument.getType()));
}

/// Reductions and scatters combine elements in the types of their region, whose
/// ops are rewritten by themselves.
static bool conformToRegion(Operation *op) {
  Block *body = nullptr;
  if (auto reduce = dyn_cast<dhlo::ReduceOp>(op)) {
    body = &reduce.getBody().front();
    ArrayRef<BlockArgument> arguments = body->getArguments();
    conformOperands(op, reduce.getInputs(),
                    arguments.take_front(reduce.getInputs().size()));
    conformOperands(op, reduce.getInitValues(),
                    arguments.take_front(reduce.getInputs().size()));
  } else if (auto window = dyn_cast<dhlo::ReduceWindowOp>(op)) {
    body = &window.getBody().front();
    ArrayRef<BlockArgument> arguments = body->getArguments();
    conformOperands(op, window.getInputs(),
                    arguments.take_front(window.getInputs().size()));
    conformOperands(op, window.getInitValues(),
                    arguments.take_front(window.getInputs().size()));
  } else if (auto scatter = dyn_cast<dhlo::ScatterOp>(op)) {
    body = &scatter.getUpdateComputation().front();
    ArrayRef<BlockArgument> arguments = body->getArguments();
    conformOperands(op, scatter.getInputs(),
                    arguments.take_front(scatter.getInputs().size()));
    conformOperands(op, scatter.getUpdates(),
                    arguments.drop_front(scatter.getInputs().size()));
  } else if (auto select = dyn_cast<dhlo::SelectAndScatterOp>(op)) {
    body = &select.getScatter().front();
    Type selected = select.getSelect().front().getArgument(0).getType();
    Type scattered = body->getArgument(0).getType();
    convertOperand(op, 0, getElementTypeOrSelf(selected));
    convertOperand(op, 1, getElementTypeOrSelf(scattered));
    convertOperand(op, 2, getElementTypeOrSelf(scattered));
  } else if (auto map = dyn_cast<dhlo::MapOp>(op)) {
    body = &map.getComputation().front();
    conformOperands(op, map.getInputs(), body->getArguments());
  } else {
    return false;
  }
  for (auto [result, returned] :
       llvm::zip(op->getResults(), body->getTerminator()->getOperandTypes()))
    convertResult(result, getElementTypeOrSelf(returned));
  return true;
}

static bool isQuantizedProduct(Operation *op) {
  return isa<dhlo::DotGeneralOp, dhlo::ConvolutionOp, dhlo::DynamicConvOp>(op) &&
         quantizedElementOf(op->getOperand(0).getType()) &&
         quantizedElementOf(op->getOperand(1).getType()) &&
         quantizedElementOf(op->getResult(0).getType());
}

static LogicalResult addConversions(Operation *op) {
  if (isa<dhlo::CustomCallOp>(op))
    return op->emitOpError("with quantized operands or results has no meaning "
                           "here; pass it the stored integers, which "
                           "`bitcast_convert` gives");
  if (isTransparent(op) || conformToRegion(op))
    return success();
  if (isQuantizedProduct(op))
    expandQuantizedProduct(op);
  else
    computeExpressed(op);
  return success();
}

//===----------------------------------------------------------------------===//
// 2. Conversions as arithmetic
//===----------------------------------------------------------------------===//

static Value bitcast(OpBuilder &b, Location loc, Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  return dhlo::BitcastConvertOp::create(b, loc, type.clone(element), value);
}

static Value real(OpBuilder &b, Location loc, Value value) {
  auto element = quantizedElementOf(value.getType());
  if (!element)
    return value;
  Quantization from(element);
  return dequantize(b, loc, bitcast(b, loc, value, from.storage), from);
}

static void expandDequantize(dhlo::UniformDequantizeOp op) {
  OpBuilder b(op);
  Value result = real(b, op.getLoc(), op.getOperand());
  // The shape that was written may say more, or less.
  if (result.getType() != op.getType())
    result = tensor::CastOp::create(b, op.getLoc(), op.getType(), result);
  op.replaceAllUsesWith(result);
  op.erase();
}

static void expandQuantize(dhlo::UniformQuantizeOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Type element = getElementTypeOrSelf(op.getType());
  Value result = op.getOperand();
  if (getElementTypeOrSelf(result.getType()) != element) {
    Quantization to(cast<quant::QuantizedType>(element));
    Value x = real(b, loc, result);
    if (getElementTypeOrSelf(x.getType()) != to.expressed)
      x = dhlo::ConvertOp::create(b, loc, x, to.expressed);
    result = quantize(b, loc, x, to);
  }
  if (result.getType() != op.getType())
    result = dhlo::BitcastConvertOp::create(b, loc, op.getType(), result);
  op.replaceAllUsesWith(result);
  op.erase();
}

//===----------------------------------------------------------------------===//
// 3. Storage types
//===----------------------------------------------------------------------===//

/// Gives a quantized constant the type of its storage.
static void storeConstant(dhlo::ConstantOp op) {
  auto quantized = quantizedElementOf(op.getType());
  auto value = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!quantized || !value)
    return;
  IntegerType storage = dhlo::storageTypeOf(quantized);
  if (value.getElementType() != storage)
    op.setValueAttr(value.mapValues(storage, [](const APInt &x) { return x; }));
}

LogicalResult disc::runInputQuantized(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (touchesQuantized(op))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    if (LogicalResult fits = dhlo::verifyQuantization(op); failed(fits))
      return fits;
  for (Operation *op : ops)
    if (LogicalResult added = addConversions(op); failed(added))
      return added;
  module.walk([](dhlo::UniformDequantizeOp op) { expandDequantize(op); });
  module.walk([](dhlo::UniformQuantizeOp op) { expandQuantize(op); });
  module.walk([](dhlo::ConstantOp op) { storeConstant(op); });

  AttrTypeReplacer replacer;
  replacer.addReplacement([](quant::QuantizedType type) -> std::optional<Type> {
    return dhlo::storageTypeOf(type);
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](dhlo::BitcastConvertOp op) {
    if (op.getOperand().getType() == op.getType()) {
      op.replaceAllUsesWith(op.getOperand());
      op.erase();
    }
  });
  return success();
}
