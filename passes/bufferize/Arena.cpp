// Puts intermediate buffers into one arena a call.
#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "passes/bufferize/ArenaBuilder.h"
#include "passes/llvm/Abi.h"
#include "passes/llvm/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using disc::ArenaBuilder;
using disc::kTooManyBytes;
using Buffer = disc::ArenaBuffer;

namespace {

/// Buffers of constant size up to this go to the stack, as many as fit.
constexpr int64_t kSmallBytes = 1 << 10, kStackBytes = 4 << 10;

/// Moves ops that compute sizes to where the arena is made.
class Hoister {
public:
  explicit Hoister(Operation *anchor) : anchor(anchor) {}

  /// False, and nothing moves, where one of the values is not known there.
  bool hoist(ValueRange values) {
    llvm::SetVector<Operation *> moving;
    if (!llvm::all_of(values, [&](Value value) { return collect(value, moving); }))
      return false;
    for (Operation *op : moving)
      op->moveBefore(anchor);
    return true;
  }

private:
  bool collect(Value value, llvm::SetVector<Operation *> &moving) {
    Operation *op = value.getDefiningOp();
    if (!op || moving.contains(op) || op->isBeforeInBlock(anchor))
      return true;
    bool mayMove = isPure(op) || isa<lmhlo_disc::WorkersOp>(op);
    if (!mayMove || op->getNumRegions() != 0 || fixed.contains(op))
      return false;
    for (Value operand : op->getOperands())
      if (!collect(operand, moving)) {
        fixed.insert(op);
        return false;
      }
    moving.insert(op);
    return true;
  }

  Operation *anchor;
  llvm::DenseSet<Operation *> fixed;
};

class Arenas {
public:
  Arenas(Block &block, ArrayRef<disc::DeclaredSymbol> symbols) : block(block), symbols(symbols) {}

  void run() {
    int64_t position = 0;
    for (Operation &op : block)
      positions[&op] = position++;
    SmallVector<Buffer> buffers = collect();
    if (buffers.empty())
      return;
    OpBuilder b(buffers.front().alloc);
    Operation *anchor = arith::ConstantIndexOp::create(b, block.getParentOp()->getLoc(), 0);
    Hoister hoister(anchor);
    SmallVector<Buffer> known = keepKnown(buffers, anchor, hoister);

    auto isSmall = [](const Buffer &buffer) { return buffer.sizes.empty() && buffer.factor <= kSmallBytes; };
    auto small = llvm::filter_to_vector(known, isSmall);
    if (!small.empty()) {
      // The alloca stands where the frame is set up, before any branch.
      ArenaBuilder stack(&block.front(), small, symbols);
      if (stack.constantBytes() <= kStackBytes) {
        stack.emit(/*onStack=*/true);
        llvm::erase_if(known, isSmall);
      }
    }
    for (memref::AllocOp result : llvm::to_vector(block.getOps<memref::AllocOp>()))
      if (known.size() > 1 && positions.contains(result) && disc::isSent(result))
        lend(result, known, anchor, hoister);
    if (known.size() > 1)
      ArenaBuilder(anchor, known, symbols).emit(/*onStack=*/false);
    anchor->erase();
  }

private:
  SmallVector<Buffer> collect() {
    SmallVector<Buffer> buffers;
    for (auto alloc : block.getOps<memref::AllocOp>()) {
      memref::DeallocOp dealloc;
      for (Operation *user : alloc->getUsers())
        if (auto found = dyn_cast<memref::DeallocOp>(user))
          dealloc = found;
      int64_t factor = disc::getElementBytes(alloc.getType().getElementType());
      if (!dealloc || dealloc->getBlock() != &block || !alloc.getType().getLayout().isIdentity() || factor == 0)
        continue;
      Buffer buffer{alloc, dealloc, positions[alloc], positions[dealloc], factor, {}};
      bool fits = llvm::all_of(alloc.getType().getShape(), [&](int64_t size) {
        return ShapedType::isDynamic(size) || multiply(buffer, size);
      }) && llvm::all_of(alloc.getDynamicSizes(), [&](Value size) { return multiply(buffer, size); });
      if (!fits)
        continue;
      llvm::sort(buffer.sizes, [&](Value x, Value y) { return numberOf(x) < numberOf(y); });
      buffers.push_back(buffer);
    }
    return buffers;
  }

  /// False where the bytes are surely too many; the allocation says so at run time.
  static bool multiply(Buffer &buffer, int64_t size) {
    return size >= 0 && !llvm::MulOverflow(buffer.factor, size, buffer.factor) && buffer.factor <= kTooManyBytes;
  }

  /// [a * b, c] and [a, b, c] have the same bytes.
  static bool multiply(Buffer &buffer, Value size) {
    if (std::optional<int64_t> constant = getConstantIntValue(size))
      return multiply(buffer, *constant);
    if (auto product = size.getDefiningOp<arith::MulIOp>())
      return multiply(buffer, product.getLhs()) && multiply(buffer, product.getRhs());
    buffer.sizes.push_back(size);
    return true;
  }

  unsigned numberOf(Value size) { return numbers.try_emplace(size, numbers.size()).first->second; }

  /// Those whose sizes are known at `anchor`, or can be. Checks of such sizes move there
  /// too: what they refuse is not to be allocated.
  static SmallVector<Buffer> keepKnown(ArrayRef<Buffer> buffers, Operation *anchor, Hoister &hoister) {
    SmallVector<lmhlo_disc::CheckOp> checks(anchor->getBlock()->getOps<lmhlo_disc::CheckOp>());
    for (lmhlo_disc::CheckOp check : checks)
      if (anchor->isBeforeInBlock(check) && hoister.hoist(check->getOperands()))
        check->moveBefore(anchor);
    SmallVector<Buffer> known;
    for (const Buffer &buffer : buffers)
      if (memref::AllocOp alloc = buffer.alloc; hoister.hoist(alloc.getDynamicSizes()))
        known.push_back(buffer);
    return known;
  }

  /// A result is there from the beginning where buffers of its type and sizes, dead before
  /// it is computed, can have its memory, and the arena is smaller without them.
  void lend(memref::AllocOp result, SmallVector<Buffer> &known, Operation *anchor, Hoister &hoister) {
    auto byEnd = known;
    llvm::stable_sort(byEnd, [](const Buffer &x, const Buffer &y) { return x.end < y.end; });
    SmallVector<Buffer> guests, others;
    for (const Buffer &buffer : byEnd) {
      memref::AllocOp alloc = buffer.alloc;
      bool fits = alloc.getType() == result.getType() && alloc.getDynamicSizes() == result.getDynamicSizes() &&
                  buffer.end < positions[result] && (guests.empty() || guests.back().end < buffer.begin);
      (fits ? guests : others).push_back(buffer);
    }
    if (guests.empty() || !hoister.hoist(result.getDynamicSizes()))
      return;
    if (!others.empty() && !ArenaBuilder(anchor, others, symbols).isSmallerThan(ArenaBuilder(anchor, known, symbols)))
      return;
    result->moveBefore(anchor);
    for (Buffer &guest : guests) {
      guest.alloc.getResult().replaceAllUsesWith(result.getResult());
      guest.dealloc->erase();
      guest.alloc->erase();
    }
    known = others;
  }

  Block &block;
  ArrayRef<disc::DeclaredSymbol> symbols;
  llvm::DenseMap<Operation *, int64_t> positions;
  llvm::DenseMap<Value, unsigned> numbers;
};

} // namespace

namespace disc {

LogicalResult runBufferizeArena(ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>("disc_main");
  if (!function || function.isExternal())
    return module.emitError("expected a function `disc_main`; run `disc-runtime-entry` before");
  FailureOr<SmallVector<DeclaredSymbol>> symbols = declaredSymbols(function);
  if (failed(symbols))
    return symbols;
  // With unstructured control flow RAL frees at the end of the execution.
  if (!module->removeAttr("disc.no_arena") && function.getBody().hasOneBlock())
    Arenas(function.front(), *symbols).run();
  // Nothing below asks for declared sizes.
  function->removeAttr(kSymbolsAttr);
  function.walk([](lmhlo_disc::RecvInputOp input) { input->removeAttr(kDimsAttr); });
  return success();
}

} // namespace disc
