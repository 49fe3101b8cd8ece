// The binary interface between generated host code, kernels and RAL.
#include "passes/llvm/Abi.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

static int32_t integerDtype(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return 1;
  case 2:
    return isUnsigned ? 8 : 2;
  case 4:
    return isUnsigned ? 9 : 3;
  case 8:
    return isUnsigned ? 10 : 4;
  case 16:
    return isUnsigned ? 11 : 5;
  case 32:
    return isUnsigned ? 12 : 6;
  case 64:
    return isUnsigned ? 13 : 7;
  default:
    return 0;
  }
}

int32_t disc::getRalDtype(Type elementType) {
  return llvm::TypeSwitch<Type, int32_t>(elementType)
      .Case([](IntegerType type) { return integerDtype(type); })
      .Case([](Float16Type) { return 14; })
      .Case([](BFloat16Type) { return 15; })
      .Case([](Float32Type) { return 16; })
      .Case([](Float64Type) { return 17; })
      .Case([](ComplexType type) {
        return type.getElementType().isF32()   ? 18
               : type.getElementType().isF64() ? 19
                                               : 0;
      })
      .Case([](IndexType) { return 20; })
      .Case([](Float8E4M3FNType) { return 21; })
      .Case([](Float8E5M2Type) { return 22; })
      .Case([](Float8E4M3FNUZType) { return 23; })
      .Case([](Float8E5M2FNUZType) { return 24; })
      .Case([](Float8E4M3B11FNUZType) { return 25; })
      .Case([](Float8E4M3Type) { return 26; })
      .Case([](Float8E3M4Type) { return 27; })
      .Case([](Float8E8M0FNUType) { return 28; })
      .Case([](Float4E2M1FNType) { return 29; })
      .Case([](Float6E2M3FNType) { return 30; })
      .Case([](Float6E3M2FNType) { return 31; })
      .Default([](Type) { return 0; });
}

int64_t disc::getElementBytes(Type elementType) {
  if (isa<IndexType>(elementType))
    return 8;
  if (auto complex = dyn_cast<ComplexType>(elementType))
    return 2 * getElementBytes(complex.getElementType());
  if (!elementType.isIntOrFloat())
    return 0;
  return llvm::PowerOf2Ceil(
      llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8));
}

SmallVector<Type> disc::getPackedFields(Type argument) {
  Type i64 = IntegerType::get(argument.getContext(), 64);
  if (auto memref = dyn_cast<MemRefType>(argument)) {
    SmallVector<Type> fields(1 + memref.getNumDynamicDims(), i64);
    fields[0] = LLVM::LLVMPointerType::get(argument.getContext());
    return fields;
  }
  if (auto integer = dyn_cast<IntegerType>(argument))
    return {IntegerType::get(argument.getContext(), integer.getWidth())};
  return {argument.isIndex() ? i64 : argument};
}

LLVM::LLVMStructType disc::getPackedStruct(MLIRContext *context,
                                           TypeRange arguments) {
  SmallVector<Type> fields;
  for (Type argument : arguments)
    llvm::append_range(fields, getPackedFields(argument));
  return LLVM::LLVMStructType::getLiteral(context, fields);
}

std::string disc::getKernelEntryName(StringRef kernel) {
  return (kernel + ".entry").str();
}

static Value constantI64(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

Value disc::buildMemRef(OpBuilder &builder, Location loc,
                        const LLVMTypeConverter &converter, MemRefType type,
                        Value data, ValueRange dynamicSizes) {
  MemRefDescriptor descriptor = MemRefDescriptor::poison(
      builder, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(builder, loc, data);
  descriptor.setAlignedPtr(builder, loc, data);
  descriptor.setOffset(builder, loc, constantI64(builder, loc, 0));
  SmallVector<Value> sizes;
  auto dynamic = dynamicSizes.begin();
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size)
                        ? *dynamic++
                        : constantI64(builder, loc, size));
  Value stride;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    stride = stride ? LLVM::MulOp::create(builder, loc, stride, sizes[dim + 1])
                          .getResult()
                    : constantI64(builder, loc, 1);
    descriptor.setSize(builder, loc, dim, sizes[dim]);
    descriptor.setStride(builder, loc, dim, stride);
  }
  return UnrealizedConversionCastOp::create(builder, loc, type,
                                            Value(descriptor))
      .getResult(0);
}

static MemRefDescriptor getDescriptor(OpBuilder &builder, Location loc,
                                      const LLVMTypeConverter &converter,
                                      Value memref) {
  Type type = converter.convertType(memref.getType());
  return MemRefDescriptor(
      UnrealizedConversionCastOp::create(builder, loc, type, memref)
          .getResult(0));
}

Value disc::getDataPointer(OpBuilder &builder, Location loc,
                           const LLVMTypeConverter &converter, Value memref) {
  return getDescriptor(builder, loc, converter, memref)
      .alignedPtr(builder, loc);
}

SmallVector<Value> disc::getSizes(OpBuilder &builder, Location loc,
                                  const LLVMTypeConverter &converter,
                                  Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<Value> sizes;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    sizes.push_back(ShapedType::isDynamic(size)
                        ? getDescriptor(builder, loc, converter, memref)
                              .size(builder, loc, dim)
                        : constantI64(builder, loc, size));
  return sizes;
}
