// Classes and costs of ops for the fusion planner.
#include "passes/fusion/OpClass.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "passes/graph/ConvForm.h"
#include "passes/graph/DotForm.h"

using namespace mlir;
using namespace disc;

/// Constants of at most this many elements are written into kernels.
static constexpr int64_t kInlineElements = 8;

Value disc::tiedValue(Value result) {
  for (Operation *user : result.getUsers())
    if (isa<dhlo::TieShapeOp>(user))
      return user->getResult(0);
  return result;
}

Value disc::untied(Value value) {
  while (auto tie = value.getDefiningOp<dhlo::TieShapeOp>())
    value = tie.getValue();
  return value;
}

static bool isReshape(Operation *op) {
  return isa<dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(op);
}

ArrayRef<Size> OpClasses::dims(Value value) {
  value = tiedValue(value);
  auto it = sizes.find(value);
  if (it == sizes.end()) {
    storage.emplace_back(analysis.dims(value));
    it = sizes.try_emplace(value, storage.back()).first;
  }
  return it->second;
}

bool OpClasses::isUnitReshape(Operation *op) {
  if (!isReshape(op))
    return false;
  auto sizes = [&](Value value) {
    SmallVector<Size> result(dims(value));
    llvm::erase_if(result, [](Size size) { return size->isConst(1); });
    return result;
  };
  return sizes(op->getOperand(0)) == sizes(op->getResult(0));
}

/// Whether an element's position in the operand needs no division: every group
/// of the operand's dimensions is a single one that the result splits.
bool OpClasses::isSplit(Operation *op) {
  SmallVector<Size> in(dims(op->getOperand(0))), out(dims(op->getResult(0)));
  for (const ReshapeGroup &group :
       reshapeGroups(analysis.sizes(), in, out))
    if (group.inEnd - group.inBegin > 1)
      return false;
  return true;
}

static bool isTensor(Type type) { return isa<RankedTensorType>(type); }

OpClass OpClasses::of(Operation *op) {
  auto it = classes.find(op);
  if (it != classes.end())
    return it->second;
  OpClass result = compute(op);
  classes[op] = result;
  return result;
}

OpClass OpClasses::compute(Operation *op) {
  if (op->getNumResults() == 0 || !llvm::all_of(op->getResultTypes(), isTensor))
    return OpClass::Barrier;
  if (isa<tensor::FromElementsOp>(op))
    return cast<RankedTensorType>(op->getResult(0).getType())
                       .getNumElements() <= kInlineElements
               ? OpClass::Source
               : OpClass::Barrier;
  if (op->hasTrait<OpTrait::ConstantLike>()) {
    DenseElementsAttr dense;
    bool inlined = matchPattern(op, m_Constant(&dense)) &&
                   (dense.isSplat() ||
                    dense.getNumElements() <= kInlineElements);
    return inlined ? OpClass::Source : OpClass::Barrier;
  }
  if (isa<tensor::CastOp>(op) && isTensor(op->getOperand(0).getType()))
    return OpClass::IndexMap;
  if (!isa<dhlo::DhloDialect>(op->getDialect()))
    return OpClass::Barrier;
  if (isa<dhlo::IotaOp, dhlo::DynamicIotaOp>(op))
    return OpClass::Source;
  if (op->hasTrait<OpTrait::dhlo::Elementwise>() ||
      isa<dhlo::ReducePrecisionOp>(op))
    return OpClass::Elementwise;
  if (isa<dhlo::BroadcastOp, dhlo::BroadcastInDimOp,
          dhlo::DynamicBroadcastInDimOp>(op))
    return OpClass::Broadcast;
  if (isReshape(op))
    return isUnitReshape(op) || isSplit(op)
               ? OpClass::IndexMap
               : OpClass::View;
  if (isa<dhlo::TransposeOp, dhlo::ReverseOp, dhlo::SliceOp,
          dhlo::RealDynamicSliceOp, dhlo::DynamicSliceOp, dhlo::PadOp,
          dhlo::DynamicPadOp, dhlo::ConcatenateOp, dhlo::DynamicUpdateSliceOp,
          dhlo::BitcastConvertOp>(op))
    return OpClass::IndexMap;
  if (isa<dhlo::GatherOp, dhlo::DynamicGatherOp, dhlo::TorchIndexSelectOp>(op))
    return OpClass::Gather;
  if (isa<dhlo::ScatterOp, dhlo::SelectAndScatterOp, dhlo::SortOp>(op))
    return OpClass::Alone;
  if (isa<dhlo::ReduceOp>(op))
    return OpClass::Reduce;
  if (auto dot = dyn_cast<dhlo::DotGeneralOp>(op))
    if (isLibraryDot(dot))
      return OpClass::Barrier;
  if (isLibraryConvolution(op))
    return OpClass::Barrier;
  if (isa<dhlo::ReduceWindowOp, dhlo::ConvolutionOp, dhlo::DynamicConvOp,
          dhlo::DotGeneralOp, dhlo::MapOp>(op))
    return OpClass::Heavy;
  return OpClass::Barrier;
}

/// `compute(op)`, once for each op: chains of ops ask about their first again.
template <typename Compute>
static bool once(llvm::DenseMap<Operation *, bool> &known, Operation *op,
                 Compute compute) {
  auto it = known.find(op);
  if (it != known.end())
    return it->second;
  bool result = compute(op);
  known[op] = result;
  return result;
}

bool OpClasses::isUniform(Operation *op) {
  return once(uniform, op, [&](Operation *o) { return computeUniform(o); });
}

bool OpClasses::isFree(Operation *op) {
  return once(free, op, [&](Operation *o) { return computeFree(o); });
}

bool OpClasses::computeUniform(Operation *op) {
  auto operandsAre = [&] {
    return op->getNumOperands() > 0 &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             Operation *def = untied(operand).getDefiningOp();
             return def && isUniform(def);
           });
  };
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  DenseElementsAttr dense;
  if (matchPattern(op, m_Constant(&dense)))
    return dense.isSplat();
  switch (of(op)) {
  case OpClass::Elementwise:
    return operandsAre();
  case OpClass::Broadcast: {
    Operation *def = untied(op->getOperand(0)).getDefiningOp();
    return def && isUniform(def);
  }
  case OpClass::IndexMap:
    return isUnitReshape(op) && type.hasStaticShape() && operandsAre();
  default:
    return false;
  }
}

/// Whether `op` and the elementwise ops that feed it are at most `budget`. Free ops
/// are cloned for each use, so a cascade of them must be short.
static bool isShortCascade(OpClasses &classes, Operation *op, int64_t &budget) {
  if (--budget < 0)
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *def = untied(operand).getDefiningOp();
    return !def || classes.of(def) != OpClass::Elementwise ||
           isShortCascade(classes, def, budget);
  });
}

bool OpClasses::computeFree(Operation *op) {
  switch (of(op)) {
  case OpClass::Source:
  case OpClass::Broadcast:
    return true;
  case OpClass::IndexMap:
    if (isa<dhlo::SliceOp, dhlo::RealDynamicSliceOp>(op)) // of an input, where it lies
      return isa<BlockArgument>(untied(op->getOperand(0)));
    return isa<tensor::CastOp>(op) || isUnitReshape(op);
  case OpClass::Elementwise: {
    if (int64_t budget = 8; !isShortCascade(*this, op, budget))
      return false;
    if (isUniform(op))
      return true; // computed once, before the loops
    // Scalars: computed once, before the loops.
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    return type.hasStaticShape() && type.getNumElements() == 1 &&
           elementCost(op) <= 1 &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             Operation *def = operand.getDefiningOp();
             return def && (isa<dhlo::ConstantOp, tensor::FromElementsOp>(def) ||
                            isFree(def));
           });
  }
  default:
    return false;
  }
}

int64_t disc::elementCost(Operation *op) {
  if (isa<dhlo::GatherOp, dhlo::DynamicGatherOp, dhlo::DynamicUpdateSliceOp,
          dhlo::ConcatenateOp, dhlo::PadOp, dhlo::DynamicPadOp>(op))
    return 6;
  if (isa<dhlo::ReduceOp, dhlo::ReduceWindowOp, dhlo::ConvolutionOp,
          dhlo::DynamicConvOp, dhlo::DotGeneralOp, dhlo::MapOp, dhlo::ScatterOp, dhlo::SelectAndScatterOp,
          dhlo::SortOp>(op))
    return 1000;
  if (!op->hasTrait<OpTrait::dhlo::Elementwise>())
    return 0;
  if (isa<dhlo::AddOp, dhlo::SubtractOp, dhlo::MulOp, dhlo::MaxOp, dhlo::MinOp,
          dhlo::AndOp, dhlo::OrOp, dhlo::XorOp, dhlo::NotOp, dhlo::NegOp,
          dhlo::AbsOp, dhlo::CompareOp, dhlo::SelectOp, dhlo::ConvertOp,
          dhlo::ClampOp, dhlo::FloorOp, dhlo::CeilOp, dhlo::RealOp,
          dhlo::ImagOp, dhlo::ComplexOp, dhlo::ShiftLeftOp,
          dhlo::ShiftRightLogicalOp, dhlo::ShiftRightArithmeticOp>(op))
    return 1;
  if (isa<dhlo::DivOp, dhlo::SqrtOp, dhlo::RsqrtOp, dhlo::RemOp>(op))
    return 4;
  return 15;
}
