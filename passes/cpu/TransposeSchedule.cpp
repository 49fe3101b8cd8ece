// Kernels of kind "loop" that read a transposed tensor: tiles of the two dimensions that change places. In a tile, what is transposed comes
// to lie in the order of the result; the rest is as in other kernels.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/ScalarOps.h"
#include "passes/cpu/Schedule.h"

using namespace mlir;

namespace disc {
namespace {

/// Elements of a tile in each of its dimensions: two tiles of floats stay in the first cache.
constexpr int64_t kTile = 64;
/// A dimension that is known to be shorter is no side of a tile.
constexpr int64_t kShortestSide = 4;

class TransposeEmitter {
public:
  explicit TransposeEmitter(const KernelEmission &k)
      : k(k), loc(k.fusion().getLoc()), dims(k.e.dims(k.results().front())) {}

  /// Finds the transposes. Returns whether the schedule is for this body.
  bool plan();
  Launch emit();

private:
  /// A tile, in the result's dimensions: where it starts and how long its sides are.
  struct Tile {
    SmallVector<Value> start;
    Value far, near;
  };
  void visit(Value tensor);
  int64_t innermost(ArrayRef<Value> sizes) const {
    for (int64_t d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d)
      if (getConstantIntValue(sizes[d]) != 1)
        return d;
    return -1;
  }
  SmallVector<Value> items(IndexMath &math, ValueRange sizes) const;
  SmallVector<Value> at(OpBuilder &b, const Tile &tile, Value i, Value j) const;
  static SmallVector<Value> operandIndex(dhlo::TransposeOp op, ValueRange index) {
    SmallVector<Value> result(index.size());
    for (auto [to, from] : llvm::enumerate(op.getPermutation()))
      result[from] = index[to];
    return result;
  }
  /// Loops over a tile; `outer` counts along one side, `inner` along the other.
  void nest(OpBuilder &b, Value outer, Value inner, llvm::function_ref<void(OpBuilder &, Value, Value)> body) {
    emitLoopNest(k.e, b, loc, {outer, inner}, {}, [&](OpBuilder &b, ValueRange at, ValueRange) -> SmallVector<Value> {
      body(b, at[0], at[1]);
      return {};
    });
  }
  Value slot(OpBuilder &b, Value row, Value column) const {
    IndexMath math(b, loc, k.kernel);
    return math.add(math.add(base, math.mul(row, math.constant(kTile))), column);
  }
  Value makeScratch(Type storage);
  void emitTile(OpBuilder &b, const Tile &tile);

  const KernelEmission &k;
  Location loc;
  SmallVector<Value> dims;
  /// The result's innermost dimension, and the one that is innermost in the operands of transposes.
  int64_t near = -1, far = -1;
  SmallVector<dhlo::TransposeOp> transposes;
  DenseSet<Value> visited;
  Value base;
  DenseMap<Operation *, Value> computed, turned;
};

Value untied(Value tensor) {
  while (auto tie = tensor.getDefiningOp<dhlo::TieShapeOp>())
    tensor = tie.getValue();
  return tensor;
}

bool TransposeEmitter::plan() {
  near = innermost(dims);
  if (near < 1 || !llvm::all_of(k.results(), [&](Value result) { return llvm::equal(k.e.dims(result), dims); }))
    return false;
  for (Operation &op : k.fusion().getBody().front())
    if (op.getNumRegions() != 0 || isa<dhlo::DotGeneralOp, dhlo::DotOp, dhlo::ConvolutionOp, dhlo::DynamicConvOp>(op))
      return false;
  for (Value result : k.results())
    visit(result);
  auto isShort = [&](int64_t d) { return getConstantIntValue(dims[d]).value_or(kTile) < kShortestSide; };
  return !transposes.empty() && !isShort(near) && !isShort(far);
}

void TransposeEmitter::visit(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op || !visited.insert(tensor).second)
    return;
  if (auto transpose = dyn_cast<dhlo::TransposeOp>(op)) {
    int64_t from = innermost(k.e.dims(transpose.getOperand()));
    int64_t to = llvm::find(transpose.getPermutation(), from) - transpose.getPermutation().begin();
    Type storage = storageType(getElementTypeOrSelf(transpose.getType()));
    if (from < 0 || to == near || (far >= 0 && to != far) || !storage.isIntOrFloat())
      return;
    far = to;
    transposes.push_back(transpose);
  } else if (isa<dhlo::TieShapeOp>(op) || isScalarOp(op)) {
    for (Value operand : op->getOperands())
      if (auto type = dyn_cast<RankedTensorType>(operand.getType()); type && type.getRank() == static_cast<int64_t>(dims.size()))
        visit(operand);
  }
}

/// Dimensions that are no side of a tile, then the numbers of tiles.
SmallVector<Value> TransposeEmitter::items(IndexMath &math, ValueRange sizes) const {
  SmallVector<Value> result;
  for (auto [d, size] : llvm::enumerate(sizes))
    if (static_cast<int64_t>(d) != near && static_cast<int64_t>(d) != far)
      result.push_back(size);
  for (int64_t d : {far, near})
    result.push_back(math.ceilDiv(sizes[d], math.constant(kTile)));
  return result;
}

/// The index of the element that is `i` along the far side and `j` along the near one.
SmallVector<Value> TransposeEmitter::at(OpBuilder &b, const Tile &tile, Value i, Value j) const {
  IndexMath math(b, loc, k.kernel);
  SmallVector<Value> index = tile.start;
  index[far] = math.add(index[far], i);
  index[near] = math.add(index[near], j);
  return index;
}

Value TransposeEmitter::makeScratch(Type storage) {
  return k.kernel.scratch(k.kernel.host.constant(kTile * kTile), storage);
}

void TransposeEmitter::emitTile(OpBuilder &b, const Tile &tile) {
  for (dhlo::TransposeOp op : transposes) {
    Value source = untied(op.getOperand()), sourceMemref = computed.lookup(op), target = turned.lookup(op);
    Type type = getElementTypeOrSelf(op.getType());
    if (sourceMemref)
      nest(b, tile.near, tile.far, [&](OpBuilder &b, Value j, Value i) {
        Value element = k.e.emit(b, loc, op.getOperand(), operandIndex(op, at(b, tile, i, j)));
        emitStore(b, loc, element, sourceMemref, slot(b, j, i), type);
      });
    nest(b, tile.far, tile.near, [&](OpBuilder &b, Value i, Value j) {
      SmallVector<Value> index = at(b, tile, i, j);
      Value stored = sourceMemref ? memref::LoadOp::create(b, loc, sourceMemref, slot(b, j, i))
                                  : memref::LoadOp::create(b, loc, k.kernel.input(cast<BlockArgument>(source).getArgNumber()),
                                                           operandIndex(op, index));
      if (target)
        memref::StoreOp::create(b, loc, stored, target, slot(b, i, j));
      else
        memref::StoreOp::create(b, loc, stored, k.kernel.output(0), index);
    });
  }
  if (turned.empty())
    return;
  nest(b, tile.far, tile.near, [&](OpBuilder &b, Value i, Value j) {
    SmallVector<Value> index = at(b, tile, i, j);
    for (dhlo::TransposeOp op : transposes) {
      Type type = getElementTypeOrSelf(op.getType());
      k.e.bind(op.getResult(), index, emitLoad(b, loc, turned.lookup(op), slot(b, i, j), type));
    }
    emitResults(k, b, index);
  });
}

Launch TransposeEmitter::emit() {
  base = k.kernel.scratchStart(k.e.constant(kTile * kTile));
  SmallVector<Value> results = k.results();
  for (dhlo::TransposeOp op : transposes) {
    Type storage = storageType(getElementTypeOrSelf(op.getType()));
    if (!isa<BlockArgument>(untied(op.getOperand())))
      computed[op] = makeScratch(storage);
    if (results.size() != 1 || untied(results.front()) != op.getResult())
      turned[op] = makeScratch(storage);
  }
  IndexMath once(k.kernel.prologue(), loc, k.kernel);
  emitRangeLoop(k, items(once, dims), [&](OpBuilder &b, ValueRange item) {
    IndexMath math(b, loc, k.kernel);
    Tile tile{SmallVector<Value>(dims.size(), math.constant(0)), Value(), Value()};
    for (int64_t d = 0, next = 0; d < static_cast<int64_t>(dims.size()); ++d)
      if (d != near && d != far)
        tile.start[d] = item[next++];
    Value side = math.constant(kTile);
    tile.start[far] = math.mul(item[item.size() - 2], side);
    tile.start[near] = math.mul(item.back(), side);
    tile.far = math.min(side, math.sub(dims[far], tile.start[far]));
    tile.near = math.min(side, math.sub(dims[near], tile.start[near]));
    emitTile(b, tile);
  });
  IndexMath math(k.host.site.prologue(), loc, k.host.site);
  Value work = math.mul(emitElementWork(k, /*countLengths=*/false), math.constant(kTile * kTile));
  return {math.product(items(math, k.hostDims(0))), work};
}

} // namespace

Launch emitTransposeSchedule(const KernelEmission &k) {
  TransposeEmitter transposed(k);
  return transposed.plan() ? transposed.emit() : Launch();
}

} // namespace disc
