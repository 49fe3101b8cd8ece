// Builds calls through RAL's table inside the host function.
#include "passes/llvm/HostBuilder.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace disc;

HostBuilder::HostBuilder(func::FuncOp function,
                         const LLVMTypeConverter &converter)
    : builder(function.getContext()), converter(converter), function(function),
      module(function->getParentOfType<ModuleOp>()), symbols(module) {
  Location loc = function.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Block &entry = function.front();
  api = entry.addArgument(pointer, loc);
  exec = entry.addArgument(pointer, loc);
  function.setFunctionType(
      builder.getFunctionType({pointer, pointer}, builder.getI32Type()));

  builder.setInsertionPointToStart(&entry);
  Value size = constantI64(loc, areaBytes);
  area = LLVM::AllocaOp::create(builder, loc, pointer, builder.getI8Type(),
                                size, /*alignment=*/8);
  table.resize(static_cast<size_t>(RalSlot::count));
  for (size_t slot = 1; slot < table.size(); ++slot) {
    Value field = LLVM::GEPOp::create(builder, loc, pointer, pointer, api,
                                      LLVM::GEPArg(static_cast<int32_t>(slot)));
    auto load = LLVM::LoadOp::create(builder, loc, pointer, field);
    load.setInvariant(true);
    table[slot] = load;
  }
  exit = new Block;
  function.getBody().push_back(exit);
  Value status = exit->addArgument(builder.getI32Type(), loc);
  builder.setInsertionPointToStart(exit);
  func::ReturnOp::create(builder, loc, status);
}

Value HostBuilder::constantI64(Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

Value HostBuilder::constantI32(Location loc, int32_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

Value HostBuilder::null(Location loc) {
  return LLVM::ZeroOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()));
}

Value HostBuilder::call(Location loc, RalSlot slot, Type result,
                        ValueRange arguments) {
  SmallVector<Value> operands{table[static_cast<size_t>(slot)], exec};
  llvm::append_range(operands, arguments);
  SmallVector<Type> types =
      llvm::to_vector(ValueRange(operands).drop_front().getTypes());
  bool isVoid = isa<LLVM::LLVMVoidType>(result);
  auto call = LLVM::CallOp::create(
      builder, loc, LLVM::LLVMFunctionType::get(result, types), operands);
  return isVoid ? Value() : call.getResult();
}

void HostBuilder::exitIf(Location loc, Value failed, Value status) {
  Block *block = builder.getInsertionBlock();
  Block *rest = block->splitBlock(builder.getInsertionPoint());
  builder.setInsertionPointToEnd(block);
  cf::CondBranchOp::create(builder, loc, failed, exit, ValueRange(status), rest,
                           ValueRange());
  builder.setInsertionPointToStart(rest);
}

void HostBuilder::exitOnError(Location loc, Value status) {
  Value failed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                      status, constantI32(loc, 0));
  exitIf(loc, failed, status);
}

void HostBuilder::exitUnless(Location loc, Value holds, RalCode code, StringRef message, ValueRange values) {
  // The failing side is a block of its own, off the straight path.
  Block *block = builder.getInsertionBlock();
  Block *rest = block->splitBlock(builder.getInsertionPoint());
  Block *failure = builder.createBlock(rest);
  builder.setInsertionPointToEnd(block);
  cf::CondBranchOp::create(builder, loc, holds, rest, ValueRange(), failure,
                           ValueRange());
  builder.setInsertionPointToStart(failure);
  Value status = call(
      loc, RalSlot::fail, builder.getI32Type(),
      {constantI32(loc, static_cast<int32_t>(code)),
       string(loc, message), storeI64s(loc, toI64s(loc, values)),
       constantI64(loc, values.size())});
  func::ReturnOp::create(builder, loc, status);
  builder.setInsertionPointToStart(rest);
}

Value HostBuilder::toI64(Location loc, Value index) {
  return UnrealizedConversionCastOp::create(builder, loc, builder.getI64Type(), index).getResult(0);
}

SmallVector<Value> HostBuilder::toI64s(Location loc, ValueRange indices) {
  return llvm::map_to_vector(indices, [&](Value index) { return toI64(loc, index); });
}

Value HostBuilder::multiply(Location loc, Value bytes, ValueRange sizes) {
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), {builder.getI64Type(), builder.getI1Type()});
  Value zero = constantI64(loc, 0), overflow, isEmpty;
  for (Value size : sizes) {
    Value none =
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, size, zero);
    isEmpty = isEmpty ? LLVM::OrOp::create(builder, loc, isEmpty, none) : none;
    Value pair =
        LLVM::SMulWithOverflowOp::create(builder, loc, type, bytes, size);
    bytes = LLVM::ExtractValueOp::create(builder, loc, pair, 0);
    Value now = LLVM::ExtractValueOp::create(builder, loc, pair, 1);
    overflow = overflow ? LLVM::OrOp::create(builder, loc, overflow, now) : now;
  }
  if (!overflow)
    return bytes;
  bytes = LLVM::SelectOp::create(builder, loc, overflow, constantI64(loc, -1),
                                 bytes);
  return LLVM::SelectOp::create(builder, loc, isEmpty, zero, bytes);
}

Value HostBuilder::store(Location loc, LLVM::LLVMStructType type,
                         ValueRange values, int64_t offset) {
  Type pointer = area.getType();
  DataLayout layout(module);
  int64_t bytes = layout.getTypeSize(type);
  areaBytes = std::max<int64_t>(areaBytes, offset + bytes);
  Value base = area;
  if (offset)
    base = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), area,
                               LLVM::GEPArg(static_cast<int32_t>(offset)));
  for (auto [index, value] : llvm::enumerate(values)) {
    Value field = LLVM::GEPOp::create(
        builder, loc, pointer, type, base,
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    LLVM::StoreOp::create(builder, loc, value, field);
  }
  return base;
}

Value HostBuilder::storeI64s(Location loc, ValueRange values, int64_t offset) {
  if (values.empty())
    return null(loc);
  SmallVector<Type> fields(values.size(), builder.getI64Type());
  return store(loc,
               LLVM::LLVMStructType::getLiteral(builder.getContext(), fields),
               values, offset);
}

Value HostBuilder::addressOf(Location loc, StringRef global) {
  return LLVM::AddressOfOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), global);
}

/// Makes a module-level variable that only this module sees.
static void createGlobal(ModuleOp module, Location loc, Type type,
                         bool isConstant, StringRef name, Attribute value) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(builder, loc, type, isConstant,
                         LLVM::Linkage::Internal, name, value);
}

Value HostBuilder::string(Location loc, StringRef text) {
  std::string &name = strings[text];
  if (name.empty()) {
    name = "disc.string." + std::to_string(numGlobals++);
    std::string bytes = text.str();
    bytes.push_back('\0');
    createGlobal(module, loc,
                 LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
                 /*isConstant=*/true, name, builder.getStringAttr(bytes));
  }
  return addressOf(loc, name);
}

Value HostBuilder::i64Array(Location loc, ArrayRef<int64_t> values) {
  if (values.empty())
    return null(loc);
  std::string name = "disc.ints." + std::to_string(numGlobals++);
  createGlobal(module, loc,
               LLVM::LLVMArrayType::get(builder.getI64Type(), values.size()),
               /*isConstant=*/true, name, builder.getI64TensorAttr(values));
  return addressOf(loc, name);
}

Value HostBuilder::callSite(Location loc) {
  std::string name = "disc.site." + std::to_string(numGlobals++);
  createGlobal(module, loc, builder.getI64Type(), /*isConstant=*/false, name,
               builder.getI64IntegerAttr(0));
  return addressOf(loc, name);
}

void HostBuilder::finish() {
  if (exit->hasNoPredecessors()) // nothing that can fail
    exit->erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(area);
  area.getArraySizeMutable().assign(constantI64(area.getLoc(), areaBytes));
  for (Value entry : table)
    if (entry && entry.use_empty())
      entry.getDefiningOp()->erase();
}
