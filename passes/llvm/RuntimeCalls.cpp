// Lowers runtime ops of the host function to calls through RAL's table.
#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "passes/cpu/ScalarOps.h"
#include "passes/llvm/Buffers.h"
#include "passes/llvm/HostBuilder.h"
#include "passes/llvm/KernelAbi.h"
#include "passes/llvm/StitchCall.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lmhlo_disc;
using namespace disc;

namespace {

class RuntimeLowering {
public:
  explicit RuntimeLowering(HostBuilder &host) : host(host), b(host.builder) {}

  /// Replaces `op` when it is a runtime op.
  LogicalResult lower(Operation *op) {
    if (isa<StitchOp>(op->getParentOp()))
      return success(); // as a part of the whole
    b.setInsertionPoint(op);
    loc = op->getLoc();
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<RecvInputOp, RecvConstantOp, SendOutputOp, WorkersOp, CheckOp,
              ElementCountOp, LaunchOp, DotGeneralOp, LibraryCallOp, StitchOp,
              memref::AllocOp, memref::DeallocOp, memref::ViewOp,
              memref::LoadOp, memref::StoreOp, func::ReturnOp, arith::FPToSIOp>(
            [&](auto typed) { return lowerOp(typed); })
        .Default(success());
  }

private:
  Type pointer() { return LLVM::LLVMPointerType::get(b.getContext()); }
  Type voidType() { return LLVM::LLVMVoidType::get(b.getContext()); }

  Value toI64(Value index) { return host.toI64(loc, index); }
  SmallVector<Value> toI64s(ValueRange indices) { return host.toI64s(loc, indices); }

  LogicalResult lowerOp(RecvInputOp op) {
    auto type = cast<MemRefType>(op.getResult().getType());
    Value index = host.constantI64(loc, op.getIndex());
    Value data = host.call(loc, RalSlot::input, pointer(), index);
    SmallVector<Value> sizes;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (ShapedType::isDynamic(size))
        sizes.push_back(host.call(loc, RalSlot::inputDim, b.getI64Type(),
                                  {index, host.constantI64(loc, dim)}));
    return replace(op, buildMemRef(b, loc, host.converter, type, data, sizes));
  }

  LogicalResult lowerOp(RecvConstantOp op) {
    auto type = cast<MemRefType>(op.getResult().getType());
    Value data = host.call(loc, RalSlot::constant, pointer(),
                           host.constantI64(loc, op.getIndex()));
    return replace(op, buildMemRef(b, loc, host.converter, type, data, {}));
  }

  LogicalResult lowerOp(SendOutputOp op) {
    Value source = op.getSource();
    int64_t rank = cast<MemRefType>(source.getType()).getRank();
    SmallVector<Value> sizes = getSizes(b, loc, host.converter, source);
    Value status =
        host.call(loc, RalSlot::output, b.getI32Type(),
                  {host.constantI64(loc, op.getIndex()),
                   getDataPointer(b, loc, host.converter, source),
                   host.constantI64(loc, rank), host.storeI64s(loc, sizes)});
    return finishCall(op, status);
  }

  LogicalResult lowerOp(WorkersOp op) {
    Value workers = host.call(loc, RalSlot::workers, b.getI64Type(), {});
    return replace(op, UnrealizedConversionCastOp::create(
                           b, loc, b.getIndexType(), workers)
                           .getResult(0));
  }

  LogicalResult lowerOp(ElementCountOp op) {
    Value count = host.multiply(loc, host.constantI64(loc, 1), toI64s(op.getSizes()));
    return replace(op, UnrealizedConversionCastOp::create(
                           b, loc, b.getIndexType(), count)
                           .getResult(0));
  }

  LogicalResult lowerOp(memref::AllocOp op) {
    MemRefType type = op.getType();
    int64_t bytes = getElementBytes(type.getElementType());
    if (!type.getLayout().isIdentity() || bytes == 0)
      return op.emitError() << "cannot allocate a buffer of type " << type;
    SmallVector<Value> sizes = toI64s(op.getDynamicSizes());
    for (int64_t size : type.getShape())
      if (!ShapedType::isDynamic(size) && llvm::MulOverflow(bytes, size, bytes) &&
          !llvm::is_contained(type.getShape(), 0))
        return op.emitError() << "a buffer of type " << type
                              << " has more bytes than an address can tell";
    Value total = host.multiply(loc, host.constantI64(loc, bytes), sizes);
    RalSlot slot = isSent(op.getMemref()) ? RalSlot::allocOutput : RalSlot::alloc;
    Value data = host.call(loc, slot, pointer(), total);
    Value isThere = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, data,
                                         host.null(loc));
    auto [text, values] = describeBuffer(op);
    host.exitUnless(loc, isThere, RalCode::outOfMemory, text, values);
    return replace(op, buildMemRef(b, loc, host.converter, type, data, sizes));
  }

  LogicalResult lowerOp(memref::DeallocOp op) {
    host.call(loc, RalSlot::dealloc, voidType(),
              getDataPointer(b, loc, host.converter, op.getMemref()));
    op.erase();
    return success();
  }

  /// A buffer in an arena.
  LogicalResult lowerOp(memref::ViewOp op) {
    Value data = LLVM::GEPOp::create(
        b, loc, pointer(), b.getI8Type(),
        getDataPointer(b, loc, host.converter, op.getSource()),
        LLVM::GEPArg(toI64(op.getByteShift())));
    return replace(op, buildMemRef(b, loc, host.converter, op.getType(), data,
                                   toI64s(op.getSizes())));
  }

  /// Elements narrower than a byte take a byte each.
  static bool isNarrow(MemRefType type) {
    return type.getElementType().isIntOrFloat() &&
           type.getElementTypeBitWidth() < 8;
  }

  LogicalResult lowerOp(memref::LoadOp op) {
    if (!isNarrow(op.getMemRefType()))
      return success();
    return replace(op, emitLoad(b, loc, op.getMemref(), op.getIndices()));
  }

  LogicalResult lowerOp(memref::StoreOp op) {
    if (!isNarrow(op.getMemRefType()))
      return success();
    emitStore(b, loc, op.getValue(), op.getMemref(), op.getIndices());
    op.erase();
    return success();
  }

  LogicalResult lowerOp(func::ReturnOp op) {
    if (op.getNumOperands() == 0) {
      func::ReturnOp::create(b, loc, host.constantI32(loc, 0));
      op.erase();
    }
    return success();
  }

  /// A size that a float tells: out of range it is the nearest integer, and
  /// NaN is 0, as in kernels; then it is refused as any other wrong size.
  LogicalResult lowerOp(arith::FPToSIOp op) {
    Type from = op.getIn().getType(), to = op.getType();
    if (!from.isFloat() || !to.isInteger())
      return success();
    std::string name = "llvm.fptosi.sat.i" + std::to_string(to.getIntOrFloatBitWidth()) +
                       ".f" + std::to_string(from.getIntOrFloatBitWidth());
    return replace(op, LLVM::CallIntrinsicOp::create(
                           b, loc, to, b.getStringAttr(name), ValueRange{op.getIn()})
                           .getResult(0));
  }

  LogicalResult lowerOp(CheckOp op) {
    host.exitUnless(loc, op.getCond(), RalCode::checkFailed, op.getMessage(),
                    op.getValues());
    op.erase();
    return success();
  }

  LogicalResult lowerOp(LaunchOp op);
  LogicalResult lowerOp(DotGeneralOp op);
  LogicalResult lowerOp(StitchOp op);
  LogicalResult lowerOp(LibraryCallOp op) {
    return lowerCall(op, op.getTarget(), op.getInts());
  }
  LogicalResult lowerCall(Operation *op, StringRef target,
                          ArrayRef<int64_t> ints);

  LogicalResult replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return success();
  }

  LogicalResult finishCall(Operation *op, Value status) {
    b.setInsertionPoint(op);
    host.exitOnError(loc, status);
    op->erase();
    return success();
  }

  HostBuilder &host;
  OpBuilder &b;
  Location loc = UnknownLoc::get(host.builder.getContext());
};

/// All in one piece on this thread when the range is no larger than the grain,
/// else by RAL's parallel loop, which does nothing for an empty range: a kernel
/// divides by the sizes of its range before its loop.
LogicalResult RuntimeLowering::lowerOp(LaunchOp op) {
  SmallVector<Value> fields = getLaunchFields(host, op);
  Value arguments = host.store(
      loc, getPackedStruct(b.getContext(), op.getArgs().getTypes()), fields);
  Value range = toI64(op.getRange()), grain = toI64(op.getGrain());
  std::string entry = getKernelEntryName(op.getKernel());
  Value last = LLVM::SubOp::create(b, loc, range, host.constantI64(loc, 1));
  Value small =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ult, last, grain);

  Block *block = b.getInsertionBlock();
  Block *rest = block->splitBlock(op);
  Block *here = b.createBlock(rest);
  Block *spread = b.createBlock(rest);
  b.setInsertionPointToEnd(block);
  cf::CondBranchOp::create(b, loc, small, here, ValueRange(), spread,
                           ValueRange());
  b.setInsertionPointToStart(here);
  Value zero = host.constantI64(loc, 0);
  auto callee = cast<func::FuncOp>(host.lookup(entry));
  func::CallOp::create(b, loc, callee,
                       ValueRange{arguments, zero, range, zero});
  cf::BranchOp::create(b, loc, rest);
  b.setInsertionPointToStart(spread);
  Value function = func::ConstantOp::create(b, loc, callee.getFunctionType(),
                                            callee.getName());
  Value address =
      UnrealizedConversionCastOp::create(b, loc, pointer(), function)
          .getResult(0);
  Value status = host.call(loc, RalSlot::parallel, b.getI32Type(),
                           {address, arguments, range, grain});
  auto join = cf::BranchOp::create(b, loc, rest);
  b.setInsertionPoint(join);
  host.exitOnError(loc, status);
  op.erase();
  return success();
}

LogicalResult RuntimeLowering::lowerOp(DotGeneralOp op) {
  int64_t ints[] = {op.getTransposeLhs(), op.getTransposeRhs()};
  return lowerCall(op, "ral.gemm", ints);
}

LogicalResult RuntimeLowering::lowerCall(Operation *op, StringRef target,
                                         ArrayRef<int64_t> ints) {
  int64_t offset = 0;
  FailureOr<Value> tensors = storeTensors(host, op, op->getOperands(), offset);
  if (failed(tensors))
    return tensors;
  Value status = host.call(
      loc, RalSlot::call, b.getI32Type(),
      {host.callSite(loc), host.string(loc, target), *tensors,
       host.constantI64(loc, op->getNumOperands()), host.i64Array(loc, ints),
       host.constantI64(loc, ints.size())});
  return finishCall(op, status);
}

LogicalResult RuntimeLowering::lowerOp(StitchOp op) {
  FailureOr<Value> status = callStitch(host, op);
  if (failed(status))
    return status;
  return finishCall(op, *status);
}

} // namespace

namespace disc {

LogicalResult runLlvmRuntimeCalls(ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>("disc_main");
  if (!function || function.isExternal())
    return module.emitError("expected a function `disc_main`; run "
                            "`disc-runtime-entry` before");
  if (function.getNumArguments() != 0 || function.getNumResults() != 0)
    return function.emitError("expected `disc_main` without arguments and "
                              "results; run `disc-runtime-entry` before");
  LowerToLLVMOptions options(module.getContext());
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter converter(module.getContext(), options);

  SmallVector<Operation *> ops;
  function.getBody().walk([&](Operation *op) { ops.push_back(op); });
  if (LogicalResult lowered = lowerKernels(module, converter); failed(lowered))
    return lowered;
  HostBuilder host(function, converter);
  RuntimeLowering lowering(host);
  for (Operation *op : ops)
    if (LogicalResult lowered = lowering.lower(op); failed(lowered))
      return lowered;
  replaceBlockBuffers(host, function);
  host.finish();
  return success();
}

} // namespace disc
