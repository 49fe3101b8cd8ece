// Whether a set of ops can be one kernel: loop and row kinds.
#include "dialects/dhlo/Broadcasts.h"
#include "passes/fusion/FusionPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace disc;

SmallVector<Value> disc::outputsOf(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
  SmallVector<Value> outputs;
  for (Operation *op : ops)
    for (Value result : op->getResults()) {
      Value value = tiedValue(result);
      bool used =
          isa<dhlo::ScatterOp, dhlo::SelectAndScatterOp, dhlo::SortOp>(op);
      for (Value v : {result, value})
        for (Operation *user : v.getUsers()) {
          if (isa<dhlo::TieShapeOp>(user))
            continue;
          Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
          used |= !ancestor || !inside.contains(ancestor);
        }
      if (used)
        outputs.push_back(value);
    }
  return outputs;
}

namespace {
/// One attempt to see a set of ops as a kernel.
class KindFinder {
public:
  KindFinder(ArrayRef<Operation *> ops, OpClasses &classes)
      : ops(ops), classes(classes), inside(ops.begin(), ops.end()) {}

  FusionKind run();

private:
  FusionKind none(std::string why) {
    FusionKind kind;
    kind.why = std::move(why);
    return kind;
  }
  ArrayRef<Size> dims(Value value) { return classes.dims(value); }
  bool isSum(Operation *op) {
    OpClass c = classes.of(op);
    return c == OpClass::Reduce || c == OpClass::Heavy;
  }
  FusionKind alone(Operation *op);
  bool findDependent();
  bool outputsAlike();
  FusionKind row();
  FusionKind loop();
  bool isFull(Value value) { return dims(value) == ArrayRef<Size>(full); }
  bool isReduced(Value value);
  bool rowStep(Operation *op, std::string &why);

  ArrayRef<Operation *> ops;
  OpClasses &classes;
  llvm::SmallPtrSet<Operation *, 16> inside;
  /// Ops that depend on a reduction of the set.
  llvm::SmallPtrSet<Operation *, 16> dependent;
  SmallVector<Size> full;
  int64_t rowDims = 0;
};
} // namespace

/// Fills `dependent`; false if a reduction depends on another one.
bool KindFinder::findDependent() {
  bool flat = true;
  for (Operation *op : ops) {
    bool depends = llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *def = untied(operand).getDefiningOp();
      return def && dependent.contains(def);
    });
    flat &= !(depends && isSum(op));
    if (depends || isSum(op))
      dependent.insert(op);
  }
  return flat;
}

bool KindFinder::outputsAlike() {
  SmallVector<Value> outputs = outputsOf(ops);
  return llvm::all_of(outputs, [&](Value output) {
    return dims(outputs.front()) == dims(output);
  });
}

/// A scatter or sort with what costs nothing to compute in it.
FusionKind KindFinder::alone(Operation *op) {
  for (Operation *other : ops)
    if (other != op && (isSum(other) ||
                        llvm::is_contained(outputsOf(ops), tiedValue(other->getResult(0)))))
      return none("`" + op->getName().getStringRef().str() +
                  "` is a kernel of its own");
  if (op != ops.back())
    return none("`" + op->getName().getStringRef().str() +
                "` is a kernel of its own");
  FusionKind kind;
  kind.type =
      isa<dhlo::SortOp>(op) ? FusionKind::Sort : FusionKind::Scatter;
  return kind;
}

FusionKind KindFinder::run() {
  for (Operation *op : ops)
    if (classes.of(op) == OpClass::Alone)
      return alone(op);
  bool flat = findDependent();
  FusionKind kind;
  if (dependent.empty()) {
    if (!outputsAlike())
      return none("results have different shapes");
    kind.type = FusionKind::Loop;
    return kind;
  }
  kind = row();
  if (kind || !flat)
    return kind;
  FusionKind other = loop();
  return other ? other : kind;
}

/// [P...] or [P..., 1...].
bool KindFinder::isReduced(Value value) {
  ArrayRef<Size> sizes = dims(value);
  size_t lead = full.size() - rowDims;
  if (sizes.size() != lead && sizes.size() != full.size())
    return false;
  for (auto [i, size] : llvm::enumerate(sizes))
    if (i < lead ? size != full[i] : !size->isConst(1))
      return false;
  return true;
}

/// Whether an op that depends on a reduction keeps to its row.
bool KindFinder::rowStep(Operation *op, std::string &why) {
  Value result = op->getResult(0);
  OpClass opClass = classes.of(op);
  auto isDependent = [&](Value operand) {
    Operation *def = untied(operand).getDefiningOp();
    return def && dependent.contains(def);
  };
  if (opClass == OpClass::Reduce)
    return true; // checked by `row`
  if (!isFull(result) && !isReduced(result)) {
    why = "a value behind the reduction is neither of the rows' nor of the "
          "reduced shape";
    return false;
  }
  if (opClass == OpClass::Elementwise)
    return true;
  if (opClass == OpClass::Broadcast) {
    // The leading dimensions stay where they are.
    Value operand = op->getOperand(0);
    std::optional<ArrayRef<int64_t>> map = broadcastDimensionsOf(op);
    int64_t lead = full.size() - rowDims;
    bool ok = map && isReduced(operand);
    for (auto [i, to] : llvm::enumerate(map.value_or(ArrayRef<int64_t>())))
      ok &= static_cast<int64_t>(i) >= lead || to == static_cast<int64_t>(i);
    if (!ok)
      why = "a broadcast moves reduced values to other rows";
    return ok;
  }
  if (opClass == OpClass::IndexMap && isDependent(op->getOperand(0)) &&
      op->getNumOperands() <= 2 &&
      (isa<tensor::CastOp>(op) || classes.isUnitReshape(op)) &&
      (isFull(op->getOperand(0)) == isFull(result)))
    return true;
  why = "`" + op->getName().getStringRef().str() +
        "` moves elements of values behind the reduction";
  return false;
}

FusionKind KindFinder::row() {
  for (Operation *op : ops) {
    OpClass opClass = classes.of(op);
    if (opClass == OpClass::Heavy)
      return none("`" + op->getName().getStringRef().str() +
                  "` is not a reduction of rows");
    if (opClass != OpClass::Reduce)
      continue;
    auto reduce = cast<dhlo::ReduceOp>(op);
    Value input = reduce.getInputs().front();
    SmallVector<Size> sizes(dims(input));
    int64_t rank = sizes.size(), count = reduce.getDimensions().size();
    for (int64_t i = 0; i < count; ++i)
      if (!llvm::is_contained(reduce.getDimensions(), rank - 1 - i))
        return none("a reduction is not over trailing dimensions");
    if (count == 0)
      return none("a reduction reduces nothing");
    for (Value other : reduce.getInputs())
      if (dims(other) != ArrayRef<Size>(sizes))
        return none("inputs of a reduction are not known to be of one shape");
    if (full.empty()) {
      full = sizes;
      rowDims = count;
    } else if (full != sizes || rowDims != count) {
      return none("reductions are over rows of different shapes");
    }
  }
  std::string why;
  for (Operation *op : ops)
    if (dependent.contains(op) && !rowStep(op, why))
      return none(why);
  for (Value output : outputsOf(ops))
    if (!isFull(output) && !isReduced(output))
      return none("a result is neither of the rows' nor of the reduced shape");
  FusionKind kind;
  kind.type = FusionKind::Row;
  kind.rowDims = rowDims;
  return kind;
}

/// Reductions as inner loops of the elements of the results.
FusionKind KindFinder::loop() {
  if (!outputsAlike())
    return none("results have different shapes");
  SmallVector<Value> outputs = outputsOf(ops);
  if (outputs.empty())
    return none("no results");
  SmallVector<Size> shape(dims(outputs.front()));
  auto withoutOnes = [](ArrayRef<Size> all) {
    SmallVector<Size> sizes(all);
    llvm::erase_if(sizes, [](Size size) { return size->isConst(1); });
    return sizes;
  };
  for (Operation *op : ops) {
    if (!dependent.contains(op))
      continue;
    for (Value result : op->getResults())
      if (!result.use_empty() &&
          withoutOnes(dims(result)) != withoutOnes(shape))
        return none("a reduction would be repeated for elements of the result");
    OpClass opClass = classes.of(op);
    bool fine = isSum(op) || opClass == OpClass::Elementwise ||
                isa<tensor::CastOp>(op) || classes.isUnitReshape(op);
    if (!fine)
      return none("`" + op->getName().getStringRef().str() +
                  "` moves elements of values behind the reduction");
  }
  FusionKind kind;
  kind.type = FusionKind::Loop;
  return kind;
}

StringRef FusionKind::name() const {
  switch (type) {
  case Row:
    return "row";
  case Scatter:
    return "scatter";
  case Sort:
    return "sort";
  case Stitch:
    return "stitch";
  default:
    return "loop";
  }
}

FusionKind disc::kindOf(ArrayRef<Operation *> ops,
                        OpClasses &classes) {
  return KindFinder(ops, classes).run();
}
