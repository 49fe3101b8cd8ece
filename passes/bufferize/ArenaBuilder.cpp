// Writes an arena: its allocation, and a view for each buffer in it.
#include "passes/bufferize/ArenaBuilder.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace disc;

static constexpr int64_t kAlignment = 64;

static int64_t bytesAt(const ArenaBuffer &buffer, SampleSizes &sample) {
  int64_t bytes = buffer.factor;
  for (Value size : buffer.sizes)
    if (llvm::MulOverflow(bytes, std::max<int64_t>(sample.of(size), 0), bytes) || bytes > kTooManyBytes)
      return kTooManyBytes;
  return std::max<int64_t>(llvm::alignTo(bytes, kAlignment), kAlignment);
}

ArenaBuilder::ArenaBuilder(Operation *anchor, ArrayRef<ArenaBuffer> buffers, ArrayRef<DeclaredSymbol> symbols)
    : buffers(buffers), b(anchor), loc(anchor->getLoc()) {
  SmallVector<SampleSizes> samples;
  for (int64_t sample = 0; sample < SampleSizes::kSamples; ++sample)
    samples.emplace_back(sample, symbols);
  SmallVector<ArenaTenant> tenants;
  for (const ArenaBuffer &buffer : buffers) {
    ArenaTenant &tenant = tenants.emplace_back();
    tenant.begin = buffer.begin;
    tenant.end = buffer.end;
    for (SampleSizes &sample : samples)
      tenant.bytes.push_back(bytesAt(buffer, sample));
  }
  plan = planArena(tenants);
  for (SampleSizes &sample : samples)
    texts.push_back(sample.text());
  largest = std::max_element(tenants.begin(), tenants.end(), [](auto &x, auto &y) { return x.bytes[0] < y.bytes[0]; }) - tenants.begin();
}

bool ArenaBuilder::isSmallerThan(const ArenaBuilder &other) const {
  double sum = 0;
  for (auto [own, others] : llvm::zip(plan.bytes, other.plan.bytes))
    sum += double(own) / double(others);
  return sum < double(plan.bytes.size());
}

void ArenaBuilder::emit(bool onStack) {
  SmallVector<Value> offsets(buffers.size()), ends(buffers.size());
  auto endsOf = [&](ArrayRef<unsigned> tenants) { return llvm::map_to_vector(tenants, [&](unsigned t) { return ends[t]; }); };
  for (unsigned tenant : plan.order) {
    offsets[tenant] = highest(endsOf(plan.below[tenant]));
    ends[tenant] = add(offsets[tenant], bytesOf(buffers[tenant]));
  }
  Value arena = onStack ? createStack() : createAlloc(highest(endsOf(plan.tops)));
  Operation *last = memref::DeallocOp(buffers.front().dealloc);
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    memref::AllocOp alloc = buffer.alloc;
    b.setInsertionPoint(alloc);
    auto view = memref::ViewOp::create(b, alloc.getLoc(), alloc.getType(), arena, offsets[index], alloc.getDynamicSizes());
    if (index == largest && !onStack)
      view->setAttr("disc.largest", b.getUnitAttr());
    alloc.getResult().replaceAllUsesWith(view);
    memref::DeallocOp dealloc = buffer.dealloc;
    if (last->isBeforeInBlock(dealloc))
      last = dealloc;
  }
  if (!onStack) {
    b.setInsertionPoint(last);
    memref::DeallocOp::create(b, last->getLoc(), arena);
  }
  for (const ArenaBuffer &buffer : buffers) {
    Operation *alloc = memref::AllocOp(buffer.alloc), *dealloc = memref::DeallocOp(buffer.dealloc);
    dealloc->erase();
    alloc->erase();
  }
}

Value ArenaBuilder::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

/// The bytes of a buffer, a multiple of the alignment. Equal ones are one value.
Value ArenaBuilder::bytesOf(const ArenaBuffer &buffer) {
  std::vector<void *> key{reinterpret_cast<void *>(buffer.factor)};
  for (Value size : buffer.sizes)
    key.push_back(size.getAsOpaquePointer());
  Value &bytes = sizes[key];
  if (bytes)
    return bytes;
  if (buffer.sizes.empty())
    return bytes = index(llvm::alignTo(buffer.factor, kAlignment));
  SmallVector<Value> factors{index(buffer.factor)};
  llvm::append_range(factors, buffer.sizes);
  // -1 where the product overflows is the largest of unsigned numbers.
  bytes = lmhlo_disc::ElementCountOp::create(b, loc, factors);
  bytes = arith::MinUIOp::create(b, loc, bytes, index(kTooManyBytes));
  if (buffer.factor % kAlignment != 0) {
    bytes = arith::AddIOp::create(b, loc, bytes, index(kAlignment - 1));
    bytes = arith::AndIOp::create(b, loc, bytes, index(-kAlignment));
  }
  return bytes;
}

Value ArenaBuilder::add(Value offset, Value bytes) {
  Value &sum = sums[{offset.getAsOpaquePointer(), bytes.getAsOpaquePointer()}];
  if (!sum)
    sum = b.createOrFold<arith::AddIOp>(loc, offset, bytes);
  return sum;
}

Value ArenaBuilder::highest(ArrayRef<Value> ends) {
  llvm::SetVector<Value> different(ends.begin(), ends.end());
  std::vector<void *> key;
  for (Value end : different)
    key.push_back(end.getAsOpaquePointer());
  llvm::sort(key);
  Value &result = maxima[key];
  if (result)
    return result;
  for (Value end : different)
    result = result ? b.createOrFold<arith::MaxUIOp>(loc, result, end) : end;
  return result ? result : result = index(0);
}

Value ArenaBuilder::createStack() {
  auto type = MemRefType::get({constantBytes()}, b.getI8Type());
  return memref::AllocaOp::create(b, loc, type, b.getI64IntegerAttr(kAlignment));
}

Value ArenaBuilder::createAlloc(Value bytes) {
  auto type = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
  auto alloc = memref::AllocOp::create(b, loc, type, ValueRange(bytes));
  alloc->setAttr("disc.arena", b.getDictionaryAttr({
                                   b.getNamedAttr("bound", b.getDenseI64ArrayAttr(plan.bound)),
                                   b.getNamedAttr("buffers", b.getI64IntegerAttr(buffers.size())),
                                   b.getNamedAttr("bytes", b.getDenseI64ArrayAttr(plan.bytes)),
                                   b.getNamedAttr("sizes", b.getStrArrayAttr(llvm::to_vector_of<StringRef>(texts))),
                               }));
  return alloc;
}
