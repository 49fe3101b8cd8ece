// Calls of RAL with tensors, and of its function that runs a stitch.
#include "passes/llvm/StitchCall.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::lmhlo_disc;

namespace disc {

SmallVector<Value> getLaunchFields(HostBuilder &host, LaunchOp launch) {
  OpBuilder &b = host.builder;
  Location loc = launch.getLoc();
  SmallVector<Value> fields;
  for (Value argument : launch.getArgs()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type) {
      Type field = getPackedFields(argument.getType()).front();
      fields.push_back(field == argument.getType() ? argument
                                                   : UnrealizedConversionCastOp::create(b, loc, field, argument).getResult(0));
      continue;
    }
    fields.push_back(getDataPointer(b, loc, host.converter, argument));
    for (auto [dim, size] : llvm::enumerate(getSizes(b, loc, host.converter, argument)))
      if (type.isDynamicDim(dim))
        fields.push_back(size);
  }
  return fields;
}

FailureOr<Value> storeTensors(HostBuilder &host, Operation *op, ValueRange operands, int64_t &offset) {
  constexpr int64_t tensorBytes = 32;
  OpBuilder &b = host.builder;
  Location loc = op->getLoc();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type tensorFields[] = {pointer, b.getI32Type(), b.getI32Type(), pointer, pointer};
  auto tensorType = LLVM::LLVMStructType::getLiteral(b.getContext(), tensorFields);
  int64_t begin = offset, sizesAt = begin + static_cast<int64_t>(operands.size()) * tensorBytes;
  Value tensors;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    int32_t dtype = type ? getRalDtype(type.getElementType()) : 0;
    if (dtype == 0)
      return op->emitError() << "operand #" << index << " of type " << operand.getType() << " cannot be passed to a library call";
    SmallVector<Value> sizes = getSizes(b, loc, host.converter, operand);
    Value fields[] = {getDataPointer(b, loc, host.converter, operand), host.constantI32(loc, dtype), host.constantI32(loc, type.getRank()),
                      host.storeI64s(loc, sizes, sizesAt), host.null(loc)};
    sizesAt += 8 * type.getRank();
    Value tensor = host.store(loc, tensorType, fields, begin + static_cast<int64_t>(index) * tensorBytes);
    if (index == 0)
      tensors = tensor;
  }
  offset = sizesAt;
  return tensors;
}

/// The op that made the buffer that `value` is a view of.
static Operation *getRoot(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      value = view.getViewSource();
    else if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
      value = metadata.getSource();
    else if (isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1)
      value = op->getOperand(0);
    else
      return op;
  }
  return nullptr;
}

namespace {
/// Collects the integers of the call.
class StitchCall {
public:
  StitchCall(HostBuilder &host, StitchOp op) : host(host), b(host.builder), loc(op.getLoc()), op(op) {}

  FailureOr<Value> emit();

private:
  void add(int64_t value) { ints.push_back(host.constantI64(loc, value)); }
  void addIndex(Value index) { ints.push_back(UnrealizedConversionCastOp::create(b, loc, b.getI64Type(), index).getResult(0)); }
  void addAddress(Value pointer) { ints.push_back(LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), pointer)); }
  int64_t blockOf(Value buffer) {
    auto found = blocks.find(getRoot(buffer));
    return found == blocks.end() ? -1 : found->second;
  }
  void collectBlocks();
  void addProduct(DotGeneralOp dot);
  void addLaunch(LaunchOp launch, int64_t &offset);

  HostBuilder &host;
  OpBuilder &b;
  Location loc;
  StitchOp op;
  llvm::MapVector<Operation *, int64_t> blocks;
  SmallVector<Value> tensors, ints;
};
} // namespace

void StitchCall::collectBlocks() {
  for (Operation &part : op.getBody().front())
    for (Value operand : part.getOperands())
      if (isa<MemRefType>(operand.getType()))
        if (auto block = dyn_cast_or_null<BlockBufferOp>(getRoot(operand)))
          blocks.insert({block, static_cast<int64_t>(blocks.size())});
  add(blocks.size());
  for (auto &[block, number] : blocks) {
    Value buffer = block->getResult(0);
    Value bytes = host.constantI64(loc, getElementBytes(cast<MemRefType>(buffer.getType()).getElementType()));
    for (Value size : getSizes(b, loc, host.converter, buffer))
      bytes = LLVM::MulOp::create(b, loc, bytes, size);
    ints.push_back(bytes);
  }
}

void StitchCall::addProduct(DotGeneralOp dot) {
  llvm::append_range(tensors, dot->getOperands());
  add(0);
  add(blockOf(dot.getLhs()));
  add(blockOf(dot.getDst()));
  add(dot.getTransposeRhs());
}

void StitchCall::addLaunch(LaunchOp launch, int64_t &offset) {
  auto type = getPackedStruct(b.getContext(), launch.getArgs().getTypes());
  DataLayout layout(op->getParentOfType<ModuleOp>());
  SmallVector<std::pair<int64_t, int64_t>> patches; // where in the struct, which block
  int64_t at = 0;
  for (Value argument : launch.getArgs()) {
    bool isFirst = true;
    for (Type field : getPackedFields(argument.getType())) {
      at = llvm::alignTo(at, layout.getTypeABIAlignment(field));
      if (isFirst && isa<MemRefType>(argument.getType()))
        if (int64_t block = blockOf(argument); block >= 0)
          patches.emplace_back(at, block);
      isFirst = false;
      at += layout.getTypeSize(field).getFixedValue();
    }
  }
  int64_t bytes = layout.getTypeSize(type).getFixedValue();
  Value arguments = host.store(loc, type, getLaunchFields(host, launch), offset);
  offset = llvm::alignTo(offset + bytes, 8);
  auto callee = cast<func::FuncOp>(host.lookup(getKernelEntryName(launch.getKernel())));
  Value function = func::ConstantOp::create(b, loc, callee.getFunctionType(), callee.getName());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  add(1);
  addAddress(UnrealizedConversionCastOp::create(b, loc, pointer, function).getResult(0));
  addAddress(arguments);
  add(bytes);
  addIndex(launch.getRange());
  addIndex(launch.getGrain());
  add(patches.size());
  for (auto [place, block] : patches) {
    add(place);
    add(block);
  }
}

FailureOr<Value> StitchCall::emit() {
  collectBlocks();
  add(op.getBody().front().getOperations().size());
  int64_t offset = 0;
  // Kernel arguments first: tensors are known when all products were seen.
  for (Operation &part : op.getBody().front()) {
    if (auto launch = dyn_cast<LaunchOp>(part))
      addLaunch(launch, offset);
    else
      addProduct(cast<DotGeneralOp>(part));
  }
  FailureOr<Value> stored = storeTensors(host, op, tensors, offset);
  if (failed(stored))
    return stored;
  Value numbers = host.storeI64s(loc, ints, offset);
  return host.call(loc, RalSlot::call, b.getI32Type(),
                   {host.callSite(loc), host.string(loc, "ral.stitch"), *stored, host.constantI64(loc, tensors.size()), numbers,
                    host.constantI64(loc, ints.size())});
}

FailureOr<Value> callStitch(HostBuilder &host, StitchOp op) { return StitchCall(host, op).emit(); }

void replaceBlockBuffers(HostBuilder &host, func::FuncOp function) {
  SmallVector<BlockBufferOp> blocks;
  function.walk([&](BlockBufferOp block) { blocks.push_back(block); });
  for (BlockBufferOp block : blocks) {
    host.builder.setInsertionPoint(block);
    Location loc = block.getLoc();
    SmallVector<Value> sizes;
    for (Value size : block.getSizes())
      sizes.push_back(UnrealizedConversionCastOp::create(host.builder, loc, host.builder.getI64Type(), size).getResult(0));
    auto type = cast<MemRefType>(block.getResult().getType());
    block.replaceAllUsesWith(buildMemRef(host.builder, loc, host.converter, type, host.null(loc), sizes));
    block.erase();
  }
}

} // namespace disc
