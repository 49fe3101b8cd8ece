// Levels of reductions, and the values worth keeping between the loops of a row.
#include "passes/cpu/RowPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/FlatBody.h"
#include "passes/cpu/ScalarOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace disc {

/// A value is kept when computing it again costs at least this much: about a store and two loads.
static constexpr int64_t kKeepCost = 3;

static bool sameDims(ArrayRef<Value> a, ArrayRef<Value> b) {
  auto isOne = [](Value dim) { return getConstantIntValue(dim) == 1; };
  SmallVector<Value> left(a), right(b);
  llvm::erase_if(left, isOne);
  llvm::erase_if(right, isOne);
  return left == right;
}

RowPlan::RowPlan(ElementEmitter &e) : e(e), body(e.site.fusion.getBody().front()) {
  if (!collectLoops() || !collectResults())
    return;
  collectKept();
  isFlat = canBeFlat();
}

/// Whether the dimensions of a row are one to all that is read and written at its elements.
bool RowPlan::canBeFlat() {
  if (llvm::count_if(rowDims, [](Value dim) { return getConstantIntValue(dim) != 1; }) < 2)
    return false;
  FlatBody flat(e, fullDims, rowsDims.size());
  auto isFlatReduction = [&](dhlo::ReduceOp op) { return llvm::all_of(op.getInputs(), [&](Value v) { return flat.accepts(v); }); };
  if (!llvm::all_of(loops, [&](const RowLoop &loop) { return llvm::all_of(loop.reductions, isFlatReduction); }))
    return false;
  return llvm::all_of(llvm::zip_equal(results, body.getTerminator()->getOperands()), [&](auto pair) {
    auto [result, yielded] = pair;
    return result.isPerRow || (isFull(result.value) && isFull(yielded) && flat.accepts(result.value));
  });
}

/// Whether elements that lie side by side in the result do so in the op's operands.
static bool keepsSideBySide(Operation *op, ElementEmitter &e) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<dhlo::TieShapeOp, dhlo::SetDimensionSizeOp, tensor::CastOp, dhlo::BroadcastInDimOp, dhlo::DynamicBroadcastInDimOp,
            dhlo::BroadcastOp, dhlo::DynamicSliceOp>([](auto) { return true; })
      .Case([](dhlo::SliceOp op) { return op.getStrides().empty() || op.getStrides().back() == 1; })
      .Case([](dhlo::TransposeOp op) {
        ArrayRef<int64_t> order = op.getPermutation();
        return order.empty() || order.back() == static_cast<int64_t>(order.size()) - 1;
      })
      .Case<dhlo::ReshapeOp, dhlo::DynamicReshapeOp>([&](auto op) {
        SmallVector<Value> from = e.dims(op.getOperand()), to = e.dims(op.getResult());
        return from.empty() || to.empty() || from.back() == to.back();
      })
      .Default([](Operation *op) { return isScalarOp(op) || op->getNumOperands() == 0; });
}

bool RowPlan::readsSideBySide() {
  DenseSet<Value> seen;
  auto visit = [&](auto &self, Value tensor) -> bool {
    Operation *op = tensor.getDefiningOp();
    if (!op || !isa<RankedTensorType>(tensor.getType()) || !seen.insert(tensor).second)
      return true;
    if (isa<dhlo::DynamicIotaOp>(op) || sameDims(e.dims(tensor), rowsDims)) // or one of a row
      return true;
    if (!keepsSideBySide(op, e))
      return false;
    // Of an op that is no scalar one the others are sizes or places.
    ValueRange elements = isScalarOp(op) ? ValueRange(op->getOperands()) : ValueRange(op->getOperands()).take_front(1);
    return llvm::all_of(elements, [&](Value operand) { return self(self, operand); });
  };
  return llvm::all_of(loops, [&](const RowLoop &loop) {
    return llvm::all_of(loop.reductions, [&](dhlo::ReduceOp op) {
      return llvm::all_of(op.getInputs(), [&](Value input) { return visit(visit, input); });
    });
  });
}

bool RowPlan::isFull(Value tensor) { return e.dims(tensor) == fullDims; }

/// Whether `op` reduces exactly the last `count` dimensions.
static bool reducesRow(dhlo::ReduceOp op, int64_t count) {
  int64_t rank = cast<RankedTensorType>(op.getInputs().front().getType()).getRank();
  SmallVector<int64_t> dims = llvm::to_vector(op.getDimensions());
  llvm::sort(dims);
  return static_cast<int64_t>(dims.size()) == count && count <= rank && llvm::equal(dims, llvm::seq(rank - count, rank));
}

/// One more than the number of row reductions on the longest way to `tensor`.
unsigned RowPlan::getLevel(Value tensor, DenseMap<Value, unsigned> &levels) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return 0;
  if (auto known = levels.find(tensor); known != levels.end())
    return known->second;
  unsigned level = 0;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      level = std::max(level, getLevel(operand, levels));
  return levels[tensor] = level + rowReductions.contains(op);
}

bool RowPlan::collectLoops() {
  int64_t count = e.site.fusion.getRowDims().value_or(1);
  SmallVector<dhlo::ReduceOp> reductions;
  for (auto op : body.getOps<dhlo::ReduceOp>())
    if (reducesRow(op, count))
      reductions.push_back(op);
  if (reductions.empty()) {
    whyNot = "has no reduction over its last " + std::to_string(count) + " dimensions";
    return false;
  }
  fullDims = e.dims(reductions.front().getInputs().front());
  rowsDims.assign(fullDims.begin(), fullDims.end() - count);
  rowDims.assign(fullDims.end() - count, fullDims.end());

  DenseMap<Value, unsigned> levels;
  // A reduction of another shape, of constants say, is computed where it is needed.
  for (dhlo::ReduceOp op : reductions)
    if (llvm::all_of(op.getInputs(), [&](Value input) { return isFull(input); }))
      rowReductions.insert(op);
  for (dhlo::ReduceOp op : reductions) {
    if (!rowReductions.contains(op))
      continue;
    unsigned level = getLevel(op->getResult(0), levels);
    if (loops.size() < level)
      loops.resize(level);
    loops[level - 1].reductions.push_back(op);
  }
  return true;
}

bool RowPlan::collectResults() {
  ValueRange yielded = body.getTerminator()->getOperands();
  for (Value result : yielded) {
    Value value = result;
    while (isa_and_nonnull<dhlo::ReshapeOp, dhlo::DynamicReshapeOp, dhlo::TieShapeOp>(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    // A reshape of a leaf may have had the right shape all along.
    for (Value candidate : {value, result}) {
      SmallVector<Value> dims = e.dims(candidate);
      if (sameDims(dims, fullDims))
        results.push_back({candidate, false});
      else if (sameDims(dims, rowsDims))
        results.push_back({candidate, true});
      else
        continue;
      break;
    }
  }
  if (results.size() != yielded.size()) {
    whyNot = "yields a value that has neither the full shape nor one element a row";
    return false;
  }
  if (llvm::any_of(results, [](const RowResult &result) { return !result.isPerRow; }))
    loops.emplace_back();
  return true;
}

SmallVector<Value> RowPlan::sources(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op || !(isScalarOp(op) || isa<dhlo::TieShapeOp>(op)))
    return {};
  SmallVector<Value> result;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) && isFull(operand))
      result.push_back(operand);
  return result;
}

int64_t RowPlan::getCost(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return 1;
  if (auto known = costs.find(tensor); known != costs.end())
    return known->second;
  int64_t cost = getElementCost(op);
  for (Value source : sources(tensor))
    cost += getCost(source);
  // Chains may share operands many times over; beyond this it no longer matters.
  return costs[tensor] = std::min<int64_t>(cost, 1000);
}

/// What is cheap to compute from other kept values is not kept itself.
void RowPlan::dropCheapKept(DenseMap<Value, unsigned> &keptAt) {
  for (Operation &op : llvm::reverse(body))
    for (Value value : op.getResults()) {
      auto found = keptAt.find(value);
      if (found == keptAt.end())
        continue;
      SmallVector<Value> from;
      int64_t cost = getElementCost(&op);
      for (Value source : sources(value)) {
        bool isKept = keptAt.contains(source), isLeaf = sources(source).empty();
        cost += isKept ? 1 : isLeaf ? getCost(source) : kKeepCost;
        if (isKept)
          from.push_back(source);
      }
      if (from.empty() || cost >= kKeepCost)
        continue;
      for (RowLoop &loop : loops)
        if (loop.reads.remove(value))
          loop.reads.insert(from.begin(), from.end());
      keptAt.erase(value);
    }
}

void RowPlan::collectKept() {
  DenseMap<Value, unsigned> computedIn;
  DenseMap<Value, unsigned> keptAt;
  for (auto [number, loop] : llvm::enumerate(loops)) {
    SetVector<Value> visited;
    auto visit = [&, number = static_cast<unsigned>(number)](auto &self, Value tensor, RowLoop &loop) -> void {
      auto earlier = computedIn.find(tensor);
      if (earlier != computedIn.end() && tensor.getDefiningOp() && !isa<dhlo::TieShapeOp>(tensor.getDefiningOp()) &&
          getCost(tensor) >= kKeepCost) {
        loop.reads.insert(tensor);
        keptAt.try_emplace(tensor, earlier->second);
        return;
      }
      if (!visited.insert(tensor))
        return;
      for (Value source : sources(tensor))
        self(self, source, loop);
    };
    for (dhlo::ReduceOp op : loop.reductions)
      for (Value input : op.getInputs())
        visit(visit, input, loop);
    if (loop.reductions.empty())
      for (const RowResult &result : results)
        if (!result.isPerRow && isFull(result.value))
          visit(visit, result.value, loop);
    for (Value tensor : visited)
      computedIn.try_emplace(tensor, number);
  }
  dropCheapKept(keptAt);
  // In the order of the body, so that equal fusions give equal kernels.
  for (Operation &op : body)
    for (Value result : op.getResults())
      if (auto found = keptAt.find(result); found != keptAt.end())
        kept.push_back({result, found->second});
}

} // namespace disc
