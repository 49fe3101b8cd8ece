// Outlines a planned group into a dhlo.fusion op.
#include "passes/fusion/FusionPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace disc;

bool disc::needsNoKernel(const FusionGroup &group) {
  return llvm::all_of(group.ops, [](Operation *op) {
    // Scalars that become data are written by a kernel: an op beside one of a
    // body that is equal to it would be taken for it by CSE.
    if (isa<tensor::FromElementsOp>(op))
      return getElementTypeOrSelf(op->getResult(0).getType()).isIndex();
    return isa<dhlo::ReshapeOp, dhlo::DynamicReshapeOp, tensor::CastOp>(op) ||
           op->hasTrait<OpTrait::ConstantLike>();
  });
}

static Operation *tieOf(Value result) {
  Operation *tie = tiedValue(result).getDefiningOp();
  return isa_and_nonnull<dhlo::TieShapeOp>(tie) ? tie : nullptr;
}

/// The consumers of `op` in its block, each once, in no particular order.
static llvm::SetVector<Operation *> consumersOf(Operation *op) {
  llvm::SetVector<Operation *> consumers;
  for (Value result : op->getResults())
    for (Value value : {result, tiedValue(result)})
      for (Operation *user : value.getUsers())
        if (!isa<dhlo::TieShapeOp>(user))
          if (Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user))
            consumers.insert(ancestor);
  return consumers;
}

/// Whether a cheap op is only read in pieces, as the sum of a product and a bias
/// that is then split: each piece computes its own elements.
static bool isReadInPieces(Operation *op, OpClasses &classes) {
  return classes.of(op) == OpClass::Elementwise &&
         elementCost(op) <= 1 && llvm::all_of(consumersOf(op), [](Operation *c) {
           return isa<dhlo::SliceOp, dhlo::RealDynamicSliceOp>(c);
         });
}

void disc::duplicateFreeOps(Block &block, OpClasses &classes) {
  for (Operation &op : llvm::make_early_inc_range(block))
    for (OpOperand &operand : op.getOpOperands())
      if (Operation *source = operand.get().getDefiningOp();
          source && source->getBlock() != &block &&
          (source->hasTrait<OpTrait::ConstantLike>() ||
           isa<tensor::FromElementsOp>(source)) &&
          classes.of(source) == OpClass::Source) {
        OpBuilder builder(&op);
        operand.set(builder.clone(*source)->getResult(0));
        if (source->use_empty())
          source->erase();
      }
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  // Last ones first: a clone of a consumer is a consumer more of its producer.
  for (Operation *op : llvm::reverse(ops)) {
    if (op->getNumResults() != 1 ||
        !(classes.isFree(op) || isReadInPieces(op, classes)))
      continue;
    llvm::SetVector<Operation *> consumers = consumersOf(op);
    for (Operation *consumer : consumers) {
      // Beside the consumer, so that groups span few ops; the last one keeps
      // the original.
      OpBuilder builder(consumer);
      Value result = op->getResult(0), tied = tiedValue(result);
      Operation *tie = tieOf(result);
      if (consumer == consumers.back()) {
        op->moveBefore(consumer);
        if (tie)
          tie->moveBefore(consumer);
        break;
      }
      Value copy = builder.clone(*op)->getResult(0);
      if (tie)
        copy = dhlo::TieShapeOp::create(builder, op->getLoc(), copy,
                                        cast<dhlo::TieShapeOp>(tie).getSizes());
      consumer->walk([&](Operation *inner) {
        inner->replaceUsesOfWith(result, copy);
        inner->replaceUsesOfWith(tied, copy);
      });
    }
  }
}

/// The tensors that the group reads from outside, in order of first use.
static llvm::SetVector<Value> inputsOf(const FusionGroup &group) {
  llvm::SetVector<Value> inputs;
  auto add = [&](Value value) {
    Operation *def = untied(value).getDefiningOp();
    if (isa<RankedTensorType>(value.getType()) &&
        !(def && group.contains(def)))
      inputs.insert(value);
  };
  for (Operation *op : group.ops) {
    for (Value operand : op->getOperands())
      add(operand);
    llvm::SetVector<Value> above;
    getUsedValuesDefinedAbove(op->getRegions(), above);
    for (Value value : above)
      add(value);
  }
  return inputs;
}

/// A list of sizes is made where it is used: it needs no buffer.
static tensor::FromElementsOp sizesOf(Value input) {
  auto list = input.getDefiningOp<tensor::FromElementsOp>();
  return list && list.getType().getElementType().isIndex() ? list : nullptr;
}

void disc::buildFusion(const FusionGroup &group, const FusionKind &kind) {
  Operation *last = group.ops.back();
  if (Operation *tie = tieOf(last->getResult(0)))
    last = tie;
  OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  SmallVector<Location> locs;
  for (Operation *op : group.ops)
    locs.push_back(op->getLoc());
  Location loc = builder.getFusedLoc(locs);

  llvm::SetVector<Value> inputs = inputsOf(group), lists;
  for (Value input : inputs)
    if (sizesOf(input))
      lists.insert(input);
  inputs.remove_if([](Value input) { return sizesOf(input) != nullptr; });
  SmallVector<Value> outputs = outputsOf(group.ops);
  SmallVector<Type> types;
  for (Value output : outputs)
    types.push_back(output.getType());
  auto fusion = dhlo::FusionOp::create(
      builder, loc, types, inputs.getArrayRef(),
      builder.getStringAttr(kind.name()));
  if (kind.type == FusionKind::Row)
    fusion->setAttr("row_dims", builder.getI64IntegerAttr(kind.rowDims));

  Block *body = builder.createBlock(&fusion.getBody());
  IRMapping mapping;
  for (Value input : inputs) {
    Value arg = body->addArgument(input.getType(), input.getLoc());
    // Say the sizes again inside, where they are equal to those of others.
    if (auto tie = input.getDefiningOp<dhlo::TieShapeOp>())
      arg = dhlo::TieShapeOp::create(builder, input.getLoc(), arg,
                                     tie.getSizes());
    mapping.map(input, arg);
  }
  for (Value list : lists)
    mapping.map(list, builder.clone(*sizesOf(list))->getResult(0));
  for (Operation *op : group.ops) {
    builder.clone(*op, mapping);
    for (Value result : op->getResults())
      if (Operation *tie = tieOf(result))
        builder.clone(*tie, mapping);
  }
  SmallVector<Value> yielded;
  for (Value output : outputs)
    yielded.push_back(mapping.lookup(output));
  dhlo::ReturnOp::create(builder, loc, yielded);

  builder.setInsertionPointAfter(fusion);
  for (auto [output, result] : llvm::zip(outputs, fusion.getResults())) {
    Value replacement = result;
    if (auto tie = output.getDefiningOp<dhlo::TieShapeOp>())
      replacement = dhlo::TieShapeOp::create(builder, output.getLoc(), result,
                                             tie.getSizes());
    output.replaceAllUsesWith(replacement);
    untied(output).replaceUsesWithIf(replacement, [&](OpOperand &use) {
      return !isa<dhlo::TieShapeOp>(use.getOwner());
    });
  }
  for (Operation *op : llvm::reverse(group.ops)) {
    for (Value result : op->getResults())
      if (Operation *tie = tieOf(result)) {
        tie->dropAllUses();
        tie->erase();
      }
    op->dropAllUses();
    op->erase();
  }
}
