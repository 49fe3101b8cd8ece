// Blocks of as many rows as a vector has lanes, transposed by shuffles.
#include "passes/cpu/VectorTranspose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/cpu/LoopForm.h"
#include "passes/cpu/VectorBody.h"

using namespace mlir;

namespace disc {

/// Of a thinner nest most of a block is empty: elements are copied one by one.
static constexpr int64_t kShortestSide = 4;

/// How `value` changes with `counter`, while other values that `nest` counts stay.
static Lane laneOf(Value value, Value counter, scf::ForOp nest) {
  if (value == counter)
    return Lane::linear;
  if (nest.isDefinedOutsideOfLoop(value) || !value.getDefiningOp())
    return Lane::uniform;
  Operation *op = value.getDefiningOp();
  SmallVector<Lane> lanes = llvm::map_to_vector(op->getOperands(), [&](Value operand) { return laneOf(operand, counter, nest); });
  if (llvm::all_of(lanes, [](Lane lane) { return lane == Lane::uniform; }))
    return Lane::uniform;
  bool isSum = isa<arith::AddIOp>(op) && lanes[0] != lanes[1] && lanes[0] != Lane::varying && lanes[1] != Lane::varying;
  bool isDifference = isa<arith::SubIOp>(op) && lanes[0] == Lane::linear && lanes[1] == Lane::uniform;
  return isSum || isDifference ? Lane::linear : Lane::varying;
}

static bool isCounting(scf::ForOp loop) {
  return loop && loop.getInitArgs().empty() && getConstantIntValue(loop.getLowerBound()) == 0 && getConstantIntValue(loop.getStep()) == 1;
}

TransposeForm::TransposeForm(scf::ForOp inner) : outer(dyn_cast<scf::ForOp>(inner->getParentOp())), inner(inner) {
  memref::LoadOp read;
  memref::StoreOp written;
  if (!isCounting(outer) || !isCounting(inner) || !outer.isDefinedOutsideOfLoop(inner.getUpperBound()))
    return;
  for (Operation &op : outer.getBody()->without_terminator())
    if (&op != inner.getOperation() && !isPure(&op))
      return;
  for (Operation &op : inner.getBody()->without_terminator()) {
    auto isFirst = [&](auto &known, auto found) { return found && !known && (known = found, true); };
    if (!isPure(&op) && !isFirst(read, dyn_cast<memref::LoadOp>(op)) && !isFirst(written, dyn_cast<memref::StoreOp>(op)))
      return;
  }
  if (!read || !written || written.getValue() != read.getResult() || written.getMemref() == read.getMemref() || !outer.isDefinedOutsideOfLoop(read.getMemref()) ||
      !outer.isDefinedOutsideOfLoop(written.getMemref()))
    return;
  Type type = read.getResult().getType();
  if (!type.isIntOrFloat() || !llvm::is_contained({8u, 16u, 32u, 64u}, type.getIntOrFloatBitWidth()))
    return;
  Value far = outer.getInductionVar(), near = inner.getInductionVar();
  auto lies = [&](OperandRange indices, Value along) {
    return !indices.empty() && laneOf(indices.back(), along, outer) == Lane::linear && llvm::all_of(indices.drop_back(), [&](Value index) {
      return laneOf(index, along, outer) == Lane::uniform;
    });
  };
  if (lies(read.getIndices(), far) && lies(written.getIndices(), near))
    load = read, store = written;
}

namespace {

class TransposeVectorizer {
public:
  TransposeVectorizer(const TransposeForm &form, Streams &streams)
      : form(form), streams(streams), b(this->form.outer), loc(this->form.outer.getLoc()), element(this->form.load.getType()),
        lanes(element.getIntOrFloatBitWidth() == 64 ? 8 : 16), vector(VectorType::get({lanes}, element)) {}
  void run();

private:
  using Vectors = SmallVector<Value>;
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value add(Value x, int64_t y) { return b.createOrFold<arith::AddIOp>(loc, x, index(y)); }
  /// Indices of the copy in iteration i, j.
  SmallVector<Value> place(ValueRange indices, Value i, Value j);
  Value emitMask(Value left);
  Value emitCanStream();
  void emitBlock(Value i, Value j, bool isWhole, bool isStreaming);
  void shuffle(Vectors &rows);

  TransposeForm form;
  Streams &streams;
  OpBuilder b;
  Location loc;
  Type element;
  int64_t lanes;
  VectorType vector;
};

SmallVector<Value> TransposeVectorizer::place(ValueRange indices, Value i, Value j) {
  IRMapping known;
  known.map(form.outer.getInductionVar(), i);
  known.map(form.inner.getInductionVar(), j);
  auto emit = [&](auto &self, Value value) -> Value {
    if (known.contains(value) || form.outer.isDefinedOutsideOfLoop(value))
      return known.lookupOrDefault(value);
    for (Value operand : value.getDefiningOp()->getOperands())
      self(self, operand);
    b.clone(*value.getDefiningOp(), known);
    return known.lookup(value);
  };
  return llvm::map_to_vector(indices, [&](Value value) { return emit(emit, value); });
}

/// Lanes before `left`.
Value TransposeVectorizer::emitMask(Value left) {
  Type i32 = b.getI32Type();
  Value count = arith::IndexCastOp::create(b, loc, i32, left);
  count = vector::BroadcastOp::create(b, loc, VectorType::get({lanes}, i32), count);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, emitSteps(b, loc, lanes, i32), count);
}

/// Blocks of two rows each, then of four, and so on change places across the diagonal.
void TransposeVectorizer::shuffle(Vectors &rows) {
  for (int64_t step = 1; step < lanes; step *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      low.push_back(lane & step ? lanes + lane - step : lane);
      high.push_back(lane & step ? lanes + lane : lane + step);
    }
    for (int64_t row = 0; row < lanes; ++row) {
      if (row & step)
        continue;
      Value x = rows[row], y = rows[row + step];
      rows[row] = vector::ShuffleOp::create(b, loc, x, y, low);
      rows[row + step] = vector::ShuffleOp::create(b, loc, x, y, high);
    }
  }
}

void TransposeVectorizer::emitBlock(Value i, Value j, bool isWhole, bool isStreaming) {
  memref::LoadOp load = form.load;
  memref::StoreOp store = form.store;
  Value far = arith::SubIOp::create(b, loc, form.outer.getUpperBound(), i);
  Value near = arith::SubIOp::create(b, loc, form.inner.getUpperBound(), j);
  // Lanes of one side, none in rows past the other.
  auto masks = [&](Value lanesLeft, Value rowsLeft) {
    Value some = emitMask(lanesLeft), none = arith::ConstantOp::create(b, loc, b.getZeroAttr(some.getType()));
    return llvm::map_to_vector(llvm::seq<int64_t>(0, lanes), [&](int64_t row) -> Value {
      Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index(row), rowsLeft);
      return arith::SelectOp::create(b, loc, exists, some, none);
    });
  };
  Vectors rows, readMasks, writeMasks;
  if (!isWhole)
    readMasks = masks(far, near), writeMasks = masks(near, far);
  Type integer = b.getIntegerType(element.getIntOrFloatBitWidth());
  bool isNarrowFloat = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32; // shuffled as bits
  for (int64_t row = 0; row < lanes; ++row) {
    SmallVector<Value> at = place(load.getIndices(), i, add(j, row));
    Value zeros = isWhole ? Value() : arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
    Value read = isWhole ? vector::LoadOp::create(b, loc, vector, load.getMemref(), at).getResult()
                         : vector::MaskedLoadOp::create(b, loc, vector, load.getMemref(), at, readMasks[row], zeros).getResult();
    rows.push_back(isNarrowFloat ? vector::BitCastOp::create(b, loc, VectorType::get({lanes}, integer), read).getResult() : read);
  }
  shuffle(rows);
  for (int64_t row = 0; row < lanes; ++row) {
    SmallVector<Value> at = place(store.getIndices(), add(i, row), j);
    Value written = isNarrowFloat ? vector::BitCastOp::create(b, loc, vector, rows[row]).getResult() : rows[row];
    int64_t bytes = lanes * element.getIntOrFloatBitWidth() / 8;
    if (isWhole)
      vector::StoreOp::create(b, loc, written, store.getMemref(), at, isStreaming, isStreaming ? llvm::MaybeAlign(bytes) : llvm::MaybeAlign());
    else
      vector::MaskedStoreOp::create(b, loc, store.getMemref(), at, writeMasks[row], written);
  }
}

/// Whether the results of whole blocks go past the caches: they are large and their rows are cache lines. Null where they never do.
Value TransposeVectorizer::emitCanStream() {
  SmallVector<memref::StoreOp> stores = streams.storesOf(form.inner);
  memref::StoreOp store = form.store;
  bool isRegular = !stores.empty() && llvm::all_of(store.getIndices(), [&](Value at) {
    return laneOf(at, form.outer.getInductionVar(), form.outer) != Lane::varying;
  });
  if (!isRegular)
    return {};
  Value zero = index(0);
  Value first = emitAddress(b, loc, store.getMemref(), place(store.getIndices(), zero, zero));
  Value second = emitAddress(b, loc, store.getMemref(), place(store.getIndices(), index(1), zero));
  Value odd = arith::AndIOp::create(b, loc, arith::OrIOp::create(b, loc, first, second), index(63));
  Value aligned = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, odd, zero);
  return arith::AndIOp::create(b, loc, streams.arePast(stores), aligned);
}

void TransposeVectorizer::run() {
  scf::ForOp outer = form.outer, inner = form.inner;
  auto isShort = [&](Value bound) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, bound, index(kShortestSide));
  };
  Value isThin = arith::OrIOp::create(b, loc, isShort(outer.getUpperBound()), isShort(inner.getUpperBound()));
  auto thin = scf::IfOp::create(b, loc, isThin, /*withElseRegion=*/true);
  outer->moveBefore(&thin.thenBlock()->back());
  outer->setAttr("disc.scalar", b.getStringAttr("it is thin"));
  b.setInsertionPointToStart(thin.elseBlock());
  Value canStream = emitCanStream(), zero = index(0), step = index(lanes);
  auto rows = scf::ForOp::create(b, loc, zero, outer.getUpperBound(), step);
  b.setInsertionPointToStart(rows.getBody());
  auto columns = scf::ForOp::create(b, loc, zero, inner.getUpperBound(), step);
  b.setInsertionPointToStart(columns.getBody());
  Value i = rows.getInductionVar(), j = columns.getInductionVar();
  auto isInside = [&](Value at, Value bound) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, add(at, lanes), bound);
  };
  Value isWhole = arith::AndIOp::create(b, loc, isInside(i, outer.getUpperBound()), isInside(j, inner.getUpperBound()));
  auto choice = scf::IfOp::create(b, loc, isWhole, /*withElseRegion=*/true);
  b.setInsertionPointToStart(choice.elseBlock());
  emitBlock(i, j, /*isWhole=*/false, /*isStreaming=*/false);
  b.setInsertionPointToStart(choice.thenBlock());
  if (canStream) {
    auto streamed = scf::IfOp::create(b, loc, canStream, /*withElseRegion=*/true);
    b.setInsertionPointToStart(streamed.thenBlock());
    emitBlock(i, j, /*isWhole=*/true, /*isStreaming=*/true);
    b.setInsertionPointToStart(streamed.elseBlock());
  }
  emitBlock(i, j, /*isWhole=*/true, /*isStreaming=*/false);
}

} // namespace

void vectorizeTranspose(const TransposeForm &form, Streams &streams) { TransposeVectorizer(form, streams).run(); }

} // namespace disc
