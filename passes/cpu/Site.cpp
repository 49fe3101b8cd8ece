// Inputs, captured sizes and constants of a fusion's body, for its kernel and for the host.
#include "passes/cpu/Site.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/ScalarOps.h"

using namespace mlir;

namespace disc {

//===----------------------------------------------------------------------===//
// Site
//===----------------------------------------------------------------------===//

Value Site::constant(int64_t value) {
  Value &cached = constantCache[value];
  if (!cached) {
    OpBuilder b = constants();
    cached = arith::ConstantIndexOp::create(b, loc(), value);
  }
  return cached;
}

Value Site::scalar(Value host) {
  if (host.getType().isIndex())
    if (std::optional<int64_t> value = getConstantIntValue(host))
      return constant(*value);
  if (Operation *op = host.getDefiningOp(); op && matchPattern(op, m_Constant())) {
    Value &cached = clonedConstants[host];
    if (!cached)
      cached = constants().clone(*op)->getResult(0);
    return cached;
  }
  if (auto dim = host.getDefiningOp<memref::DimOp>())
    if (std::optional<int64_t> d = dim.getConstantIndex(); d && buffer(dim.getSource()))
      return dimOf(dim.getSource(), *d);
  return capture(host);
}

Value Site::dimOf(Value hostMemref, int64_t d) {
  auto type = cast<MemRefType>(hostMemref.getType());
  if (!type.isDynamicDim(d))
    return constant(type.getDimSize(d));
  if (auto alloc = hostMemref.getDefiningOp<memref::AllocOp>())
    return scalar(alloc.getDynamicSizes()[type.getDynamicDimIndex(d)]);
  if (auto block = hostMemref.getDefiningOp<lmhlo_disc::BlockBufferOp>())
    return scalar(block.getSizes()[type.getDynamicDimIndex(d)]);
  if (auto view = hostMemref.getDefiningOp<memref::ReinterpretCastOp>())
    if (auto size = dyn_cast<Value>(view.getMixedSizes()[d]))
      return scalar(size);
  Value &cached = dimCache[{hostMemref, d}];
  if (!cached)
    cached = memref::DimOp::create(prologue(), loc(), buffer(hostMemref), constant(d));
  return cached;
}

Value emitView(OpBuilder &b, Location loc, Value buffer, MemRefType type, ValueRange sizes) {
  SmallVector<OpFoldResult> allSizes(type.getRank()), strides(type.getRank());
  Value stride = arith::ConstantIndexOp::create(b, loc, 1);
  int64_t known = 1; // strides of static sizes are static, as the identity layout has them
  for (int64_t d = type.getRank() - 1; d >= 0; --d) {
    allSizes[d] = type.isDynamicDim(d) ? OpFoldResult(sizes[d]) : b.getIndexAttr(type.getDimSize(d));
    strides[d] = ShapedType::isDynamic(known) ? OpFoldResult(stride) : b.getIndexAttr(known);
    stride = b.createOrFold<arith::MulIOp>(loc, stride, sizes[d]);
    known = type.isDynamicDim(d) || ShapedType::isDynamic(known) ? ShapedType::kDynamic : known * type.getDimSize(d);
  }
  return memref::ReinterpretCastOp::create(b, loc, type, buffer, b.getIndexAttr(0), allSizes, strides);
}

//===----------------------------------------------------------------------===//
// HostSite
//===----------------------------------------------------------------------===//

HostSite::HostSite(lmhlo_disc::FusionOp fusion) : Site(fusion), builder(fusion) {}

Value HostSite::input(unsigned i, std::optional<Fold>) { return fusion.getIns()[i]; }

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

Kernel::Kernel(lmhlo_disc::FusionOp fusion, StringRef name) : Site(fusion), host(fusion), builder(fusion.getContext()) {
  auto module = fusion->getParentOfType<ModuleOp>();
  builder.setInsertionPointToEnd(module.getBody());
  func = func::FuncOp::create(builder, loc(), name, builder.getFunctionType({}, {}));
  func.setPrivate();
  Block *entry = func.addEntryBlock();
  Type index = builder.getIndexType();
  loArg = entry->addArgument(index, loc());
  hiArg = entry->addArgument(index, loc());
  workerArg = entry->addArgument(index, loc());
  builder.setInsertionPointToEnd(entry);
  builder.setInsertionPoint(func::ReturnOp::create(builder, loc()));
}

Value Kernel::argument(Value hostValue) {
  launchArgs.push_back(hostValue);
  return func.front().insertArgument(launchArgs.size() - 1, hostValue.getType(), loc());
}

Value Kernel::capture(Value hostValue) {
  Value &cached = captured[hostValue];
  if (!cached)
    cached = argument(hostValue);
  return cached;
}

Value Kernel::bufferArgument(Value hostMemref, std::optional<Fold> fold) {
  auto type = cast<MemRefType>(hostMemref.getType());
  if (fold && !fold->isMatrix && fold->kept + 1 == type.getRank())
    fold.reset();
  Value &cached = buffers[hostMemref][fold];
  if (cached)
    return cached;
  OpBuilder &b = host.prologue();
  Value value = hostMemref;
  if (Type storage = storageType(type.getElementType()); storage != type.getElementType()) {
    type = MemRefType::Builder(type).setElementType(storage);
    value = UnrealizedConversionCastOp::create(b, loc(), type, value).getResult(0);
  }
  if (fold) {
    SmallVector<int64_t> shape;
    SmallVector<Value> sizes;
    auto append = [&](unsigned from, unsigned to) {
      Value count = host.constant(1);
      int64_t known = 1;
      for (unsigned d = from; d < to; ++d) {
        count = b.createOrFold<arith::MulIOp>(loc(), count, host.dimOf(hostMemref, d));
        known = type.isDynamicDim(d) || ShapedType::isDynamic(known) ? ShapedType::kDynamic : known * type.getDimSize(d);
      }
      shape.push_back(known);
      sizes.push_back(count);
    };
    if (fold->isMatrix)
      append(0, fold->kept);
    for (unsigned d = 0; d < fold->kept && !fold->isMatrix; ++d)
      append(d, d + 1);
    append(fold->kept, type.getRank());
    auto folded = MemRefType::get(shape, type.getElementType(), AffineMap(), type.getMemorySpace());
    value = emitView(b, loc(), value, folded, sizes);
  }
  return cached = argument(value);
}

Value Kernel::input(unsigned i, std::optional<Fold> fold) { return bufferArgument(fusion.getIns()[i], fold); }
Value Kernel::output(unsigned i, std::optional<Fold> fold) { return bufferArgument(fusion.getOuts()[i], fold); }

/// Two pages of 4-byte elements: no processor reads ahead so far.
static constexpr int64_t kElementsBetweenWorkers = 2048;

/// From where one worker's elements begin in a scratch buffer to where the next one's do. Without room between them a processor that reads
/// ahead takes away what its neighbour writes.
static Value emitScratchStride(IndexMath math, Value length) { return math.add(length, math.constant(kElementsBetweenWorkers)); }

Value Kernel::scratch(Value hostLength, Type storage, bool isPadded) {
  IndexMath math(host.prologue(), loc(), host);
  Value workers = lmhlo_disc::WorkersOp::create(host.prologue(), loc());
  Value size = math.mul(workers, emitScratchStride(math, hostLength));
  auto type = MemRefType::get({ShapedType::kDynamic}, storage);
  scratchBuffers.push_back(memref::AllocOp::create(host.prologue(), loc(), type, ValueRange{size}));
  if (isPadded)
    paddedBuffers.push_back(scratchBuffers.back());
  return argument(scratchBuffers.back());
}

Value Kernel::scratchStart(Value length) {
  IndexMath math(prologue(), loc(), *this);
  return math.mul(worker(), emitScratchStride(math, length));
}

Value Kernel::buffer(Value hostMemref) {
  bool known = llvm::is_contained(fusion->getOperands(), hostMemref);
  return known ? bufferArgument(hostMemref, {}) : Value();
}

OpBuilder Kernel::constants() { return OpBuilder::atBlockBegin(&func.front()); }

void Kernel::finish() {
  func.setFunctionType(builder.getFunctionType(func.front().getArgumentTypes(), {}));
  for (auto [i, argument] : llvm::enumerate(launchArgs))
    if (llvm::is_contained(paddedBuffers, argument))
      func.setArgAttr(i, "disc.scratch", builder.getUnitAttr());
}

void Kernel::launch(StringRef symbol, Value range, Value grain) {
  OpBuilder b(fusion);
  lmhlo_disc::LaunchOp::create(b, loc(), symbol, launchArgs, range, grain);
  for (Value buffer : scratchBuffers)
    memref::DeallocOp::create(b, loc(), buffer);
}

} // namespace disc
