// Gives kernels the form that RAL's parallel loop calls.
#include "passes/llvm/KernelAbi.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "passes/llvm/Abi.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace disc;

static Value castTo(OpBuilder &builder, Location loc, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, type, value)
      .getResult(0);
}

/// Replaces each argument by its packed fields.
static void flattenArguments(func::FuncOp kernel,
                             const LLVMTypeConverter &converter) {
  Block &entry = kernel.front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  Location loc = kernel.getLoc();
  StringRef noAlias = LLVM::LLVMDialect::getNoAliasAttrName();
  SmallVector<bool> isNoAlias;
  unsigned count = entry.getNumArguments();
  for (unsigned index = 0; index < count; ++index) {
    BlockArgument argument = entry.getArgument(index);
    SmallVector<Value> fields;
    for (Type type : getPackedFields(argument.getType())) {
      fields.push_back(entry.addArgument(type, argument.getLoc()));
      isNoAlias.push_back(fields.size() == 1 &&
                          kernel.getArgAttr(index, noAlias) != Attribute());
    }
    auto memref = dyn_cast<MemRefType>(argument.getType());
    Value whole =
        memref ? buildMemRef(builder, loc, converter, memref, fields.front(),
                             ArrayRef(fields).drop_front())
               : castTo(builder, loc, argument.getType(), fields.front());
    argument.replaceAllUsesWith(whole);
  }
  entry.eraseArguments(0, count);
  kernel.setFunctionType(builder.getFunctionType(entry.getArgumentTypes(), {}));
  SmallVector<DictionaryAttr> attributes;
  for (bool flag : isNoAlias) {
    NamedAttribute attribute(noAlias, builder.getUnitAttr());
    attributes.push_back(flag ? builder.getDictionaryAttr(attribute)
                              : builder.getDictionaryAttr({}));
  }
  kernel.setAllArgAttrs(attributes);
}

/// void <kernel>.entry(void *args, int64_t lo, int64_t hi, int64_t worker)
static void createEntry(func::FuncOp kernel, LLVM::LLVMStructType packed) {
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  auto entry = func::FuncOp::create(
      builder, loc, getKernelEntryName(kernel.getName()),
      builder.getFunctionType({pointer, i64, i64, i64}, {}));
  entry.setPrivate();
  entry->setAttr("llvm.linkage", kernel->getAttr("llvm.linkage"));
  Block *block = entry.addEntryBlock();
  builder.setInsertionPointToStart(block);
  SmallVector<Value> operands;
  for (auto [index, type] : llvm::enumerate(packed.getBody())) {
    Value field = LLVM::GEPOp::create(
        builder, loc, pointer, packed, block->getArgument(0),
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    operands.push_back(LLVM::LoadOp::create(builder, loc, type, field));
  }
  llvm::append_range(operands, block->getArguments().drop_front());
  func::CallOp::create(builder, loc, kernel, operands);
  func::ReturnOp::create(builder, loc);
}

LogicalResult disc::lowerKernels(ModuleOp module,
                                 const LLVMTypeConverter &converter) {
  llvm::SetVector<Operation *> kernels;
  module.walk([&](lmhlo_disc::LaunchOp launch) {
    kernels.insert(module.lookupSymbol(launch.getKernel()));
  });
  OpBuilder builder(module.getContext());
  for (Operation *op : kernels) {
    auto kernel = dyn_cast_or_null<func::FuncOp>(op);
    if (!kernel || kernel.isExternal() || kernel.getNumResults() != 0)
      return module.emitError("expected every launched kernel to be a function "
                              "with a body and without results");
    for (Type type : kernel.getArgumentTypes()) {
      auto memref = dyn_cast<MemRefType>(type);
      if (!memref && !type.isIntOrIndexOrFloat())
        return kernel.emitError() << "kernel argument of type " << type
                                  << " is neither a memref nor a scalar";
      if (memref && !memref.getLayout().isIdentity())
        return kernel.emitError() << "kernel argument of type " << type
                                  << " is not contiguous row-major";
    }
    auto packed = getPackedStruct(builder.getContext(),
                                  kernel.getArgumentTypes().drop_back(3));
    flattenArguments(kernel, converter);
    kernel.setPrivate();
    kernel->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(builder.getContext(),
                                           LLVM::Linkage::Internal));
    // Not inlined, so that what is said of its arguments is kept.
    kernel->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
    createEntry(kernel, packed);
  }
  return success();
}
