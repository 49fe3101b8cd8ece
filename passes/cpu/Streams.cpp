// Which stores go past the caches, and where their first aligned place is.
#include "passes/cpu/Streams.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace disc {

static constexpr int64_t kCacheLine = 64;
/// Bytes of a row from which on it may have parts of lines at its ends: softmax of 1000 elements gains a sixth by going past the caches, of
/// 700 it loses one.
static constexpr int64_t kLongRow = 4000;

/// Whether the program gives the buffer to its caller.
static bool isSent(Value buffer) {
  while (true) {
    if (llvm::any_of(buffer.getUsers(), llvm::IsaPred<lmhlo_disc::SendOutputOp>))
      return true;
    Operation *view = buffer.getDefiningOp();
    if (!isa_and_nonnull<ViewLikeOpInterface, UnrealizedConversionCastOp>(view))
      return false;
    buffer = view->getOperand(0);
  }
}

/// Whether `value` follows from the number of the iteration and from what was there before the loop, without memory.
static bool isComputed(scf::ForOp loop, Value value) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && isMemoryEffectFree(op) && llvm::all_of(op->getOperands(), [&](Value operand) { return isComputed(loop, operand); });
}

/// A computed value as it is in the iteration that `known` gives.
static Value emitComputed(OpBuilder &b, scf::ForOp loop, Value value, IRMapping &known) {
  if (known.contains(value) || loop.isDefinedOutsideOfLoop(value))
    return known.lookupOrDefault(value);
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    emitComputed(b, loop, operand, known);
  b.clone(*op, known);
  return known.lookup(value);
}

Streams::Streams(func::FuncOp kernel, Launches launches) : kernel(kernel), launches(launches) {
  kernel.walk([&](memref::PrefetchOp) { fetchesRows = true; });
}

bool Streams::isResult(unsigned argument) {
  return !launches.empty() && llvm::all_of(launches, [&](lmhlo_disc::LaunchOp launch) {
    return !launch->getParentOfType<lmhlo_disc::StitchOp>() && isSent(launch.getArgs()[argument]);
  });
}

SmallVector<memref::StoreOp> Streams::storesOf(scf::ForOp loop) {
  auto stores = llvm::to_vector(loop.getBody()->getOps<memref::StoreOp>());
  if (stores.empty())
    return {};
  Value memref = stores.front().getMemref();
  auto argument = dyn_cast<BlockArgument>(memref);
  if (!argument || argument.getOwner() != &kernel.front() || !isResult(argument.getArgNumber()))
    return {};
  for (memref::StoreOp store : stores)
    if (store.getMemref() != memref || !llvm::all_of(store.getIndices(), [&](Value index) { return isComputed(loop, index); }))
      return {};
  int64_t bytes = cast<MemRefType>(memref.getType()).getElementTypeBitWidth() / 8;
  bool isNeverRead = llvm::all_of(memref.getUsers(), [&](Operation *user) {
    if (auto store = dyn_cast<memref::StoreOp>(user))
      return store.getValue() != memref;
    return isa<memref::DimOp, memref::PrefetchOp, memref::ExtractAlignedPointerAsIndexOp, vector::StoreOp, vector::MaskedStoreOp>(user);
  });
  // A vector of narrower elements is less than a cache line.
  return isNeverRead && (bytes == 4 || bytes == 8) ? stores : SmallVector<memref::StoreOp>();
}

Value Streams::arePast(ArrayRef<memref::StoreOp> stores) {
  memref::StoreOp first = stores.front();
  Value memref = first.getMemref();
  Value &known = (stores.size() > 1 ? largeOfLines : large)[memref];
  if (known)
    return known;
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.front());
  Location loc = first.getLoc();
  auto type = cast<MemRefType>(memref.getType());
  Value element = arith::ConstantIndexOp::create(b, loc, type.getElementTypeBitWidth() / 8), bytes = element, size;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    size = memref::DimOp::create(b, loc, memref, d);
    bytes = arith::MulIOp::create(b, loc, bytes, size);
  }
  auto compare = [&](arith::CmpIPredicate predicate, Value x, int64_t y) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, x, arith::ConstantIndexOp::create(b, loc, y));
  };
  known = compare(arith::CmpIPredicate::sge, bytes, kStreamBytes);
  if (type.getRank() < 2 && stores.size() == 1)
    return known;
  Value row = arith::MulIOp::create(b, loc, element, size);
  Value rest = arith::AndIOp::create(b, loc, row, arith::ConstantIndexOp::create(b, loc, kCacheLine - 1));
  Value isWhole = compare(arith::CmpIPredicate::eq, rest, 0);
  if (stores.size() == 1)
    isWhole = arith::OrIOp::create(b, loc, isWhole, compare(arith::CmpIPredicate::sge, row, kLongRow));
  known = arith::AndIOp::create(b, loc, known, isWhole);
  return known;
}

Value Streams::requestsPast(scf::ForOp loop) {
  for (auto prefetch : loop.getBody()->getOps<memref::PrefetchOp>())
    if (Value arePast = prefetch.getIsWrite() ? largeOfLines.lookup(prefetch.getMemref()) : Value())
      return arePast;
  return {};
}

void Streams::finish() {
  if (large.empty() && largeOfLines.empty())
    return;
  OpBuilder b(kernel.front().getTerminator());
  LLVM::FenceOp::create(b, kernel.getLoc(), LLVM::AtomicOrdering::seq_cst, StringRef());
}

Value emitAddress(OpBuilder &b, Location loc, Value memref, ValueRange index) {
  Value place = arith::ConstantIndexOp::create(b, loc, 0);
  auto type = cast<MemRefType>(memref.getType());
  for (auto [d, at] : llvm::enumerate(index)) {
    place = b.createOrFold<arith::MulIOp>(loc, place, b.createOrFold<memref::DimOp>(loc, memref, d));
    place = b.createOrFold<arith::AddIOp>(loc, place, at);
  }
  Value bytes = arith::ConstantIndexOp::create(b, loc, type.getElementTypeBitWidth() / 8);
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  return arith::AddIOp::create(b, loc, address, arith::MulIOp::create(b, loc, place, bytes));
}

Value emitAlignedBegin(OpBuilder &b, scf::ForOp loop, memref::StoreOp store) {
  Location loc = store.getLoc();
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
  Value memref = store.getMemref(), lower = loop.getLowerBound();
  auto type = cast<MemRefType>(memref.getType());
  IRMapping first;
  first.map(loop.getInductionVar(), lower);
  SmallVector<Value> at;
  for (Value each : store.getIndices())
    at.push_back(emitComputed(b, loop, each, first));
  Value address = emitAddress(b, loc, memref, at);
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  Value skip = arith::AndIOp::create(b, loc, arith::SubIOp::create(b, loc, index(0), address), index(kCacheLine - 1));
  skip = arith::DivUIOp::create(b, loc, skip, index(bytes));
  return arith::MinSIOp::create(b, loc, b.createOrFold<arith::AddIOp>(loc, lower, skip), loop.getUpperBound());
}

} // namespace disc
