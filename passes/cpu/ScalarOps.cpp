// Finds the family of an elementwise op, widens narrow floats around it, and
// moves elements between memory and registers.
#include "passes/cpu/ScalarOps.h"

#include "passes/cpu/scalar/Convert.h"
#include "passes/cpu/scalar/Families.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace disc {

using namespace scalar;

Type Context::operandElement(unsigned i) const {
  return getElementTypeOrSelf(op->getOperand(i).getType());
}

bool Context::isUnsigned(Type elementType) {
  return elementType.isUnsignedInteger() || elementType.isInteger(1);
}

Type scalarType(Type elementType) {
  MLIRContext *context = elementType.getContext();
  if (auto quantized = dyn_cast<quant::QuantizedType>(elementType))
    return IntegerType::get(context, quantized.getStorageTypeIntegralWidth());
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return IntegerType::get(context, integer.getWidth());
  if (auto floating = dyn_cast<FloatType>(elementType);
      floating && floating.getWidth() < 16)
    return IntegerType::get(context, floating.getWidth());
  return elementType;
}

Type storageType(Type elementType) {
  Type scalar = scalarType(elementType);
  return scalar.isInteger() && scalar.getIntOrFloatBitWidth() < 8
             ? IntegerType::get(scalar.getContext(), 8)
             : scalar;
}

using Lookup = Rule (*)(StringRef);

static Rule findIn(ArrayRef<Lookup> families, StringRef name) {
  for (Lookup lookup : families)
    if (Rule rule = lookup(name))
      return rule;
  return {};
}

static Rule findRule(Operation *op) {
  if (op->getNumResults() != 1 || op->getName().getDialectNamespace() != "dhlo")
    return {};
  StringRef name = op->getName().stripDialect();
  if (op->getNumOperands() &&
      isa<ComplexType>(getElementTypeOrSelf(op->getOperand(0).getType())))
    return findIn({complexOperandRule, compareRule, convertRule}, name);
  return findIn({arithmeticRule, compareRule, bitwiseRule, convertRule,
                 roundingRule, exponentialRule, trigonometricRule, rootRule,
                 erfRule, gammaRule, besselRule, complexRule},
                name);
}

bool isScalarOp(Operation *op) { return static_cast<bool>(findRule(op)); }

static bool isNarrowFloat(Type elementType) {
  auto floating = dyn_cast<FloatType>(elementType);
  return floating && floating.getWidth() < 32;
}

Value emitScalarOp(OpBuilder &builder, Location loc, Operation *op,
                   ValueRange operands, Type resultElementType) {
  Rule rule = findRule(op);
  if (!rule)
    return {};
  ImplicitLocOpBuilder b(loc, builder);
  Context cx{b, op, resultElementType};
  SmallVector<Expr> args;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Expr arg(b, operand);
    bool widen =
        rule.narrow == Narrow::Widen && isNarrowFloat(cx.operandElement(i));
    args.push_back(widen ? widenFloat(arg, cx.operandElement(i)) : arg);
  }
  Expr result = rule.emit(cx, args);
  if (!result)
    return {};
  if (rule.narrow == Narrow::Widen && isNarrowFloat(resultElementType))
    result = narrowFloat(result, resultElementType);
  return result.value();
}

Value emitConvert(OpBuilder &builder, Location loc, Value value, Type from,
                  Type to) {
  ImplicitLocOpBuilder b(loc, builder);
  return convertElement(Expr(b, value), from, to).value();
}

Value emitConstantScalar(OpBuilder &builder, Location loc, Attribute value,
                         Type elementType) {
  ImplicitLocOpBuilder b(loc, builder);
  if (auto parts = dyn_cast<ArrayAttr>(value))
    return complex::ConstantOp::create(b, cast<ComplexType>(elementType),
                                       parts);
  Type type = scalarType(elementType);
  if (auto number = dyn_cast<FloatAttr>(value)) {
    if (isa<IntegerType>(type))
      return constantInt(b, type, number.getValue().bitcastToAPInt()).value();
    return arith::ConstantOp::create(b,
                                     b.getFloatAttr(type, number.getValue()));
  }
  if (auto flag = dyn_cast<BoolAttr>(value))
    return constantInt(b, type, llvm::APInt(1, flag.getValue())).value();
  return constantInt(b, type, cast<IntegerAttr>(value).getValue()).value();
}

/// The same memory seen as elements of its storage type. Both types lower to
/// one descriptor, so the cast disappears.
static Value asStorage(ImplicitLocOpBuilder &b, Value memref,
                       Type elementType) {
  auto type = cast<MemRefType>(memref.getType());
  Type storage = storageType(elementType);
  if (type.getElementType() == storage)
    return memref;
  MemRefType viewed = MemRefType::Builder(type).setElementType(storage);
  return UnrealizedConversionCastOp::create(b, viewed, memref).getResult(0);
}

Value emitLoad(OpBuilder &builder, Location loc, Value memref,
               ValueRange indices, Type elementType) {
  ImplicitLocOpBuilder b(loc, builder);
  if (!elementType)
    elementType = cast<MemRefType>(memref.getType()).getElementType();
  Expr loaded(
      b, memref::LoadOp::create(b, asStorage(b, memref, elementType), indices));
  Type scalar = scalarType(elementType);
  if (loaded.type() == scalar)
    return loaded.value();
  // Any non-zero byte is true, whoever wrote it.
  return (scalar.isInteger(1) ? ne(loaded, loaded.ci(0))
                              : resize(loaded, scalar, /*isUnsigned=*/false))
      .value();
}

void emitStore(OpBuilder &builder, Location loc, Value value, Value memref,
               ValueRange indices, Type elementType) {
  ImplicitLocOpBuilder b(loc, builder);
  if (!elementType)
    elementType = cast<MemRefType>(memref.getType()).getElementType();
  bool isSigned =
      isa<IntegerType>(elementType) && !Context::isUnsigned(elementType);
  Expr stored = Expr(b, value);
  if (Type storage = storageType(elementType); stored.type() != storage)
    stored = resize(stored, storage, /*isUnsigned=*/!isSigned);
  memref::StoreOp::create(b, stored.value(), asStorage(b, memref, elementType),
                          indices);
}

} // namespace disc
