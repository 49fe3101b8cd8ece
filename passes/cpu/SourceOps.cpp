// Ops whose elements come from no tensor: constants, iota, sizes, tensors made of scalars.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/ScalarOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace disc {
namespace {

using Request = const ElementRequest &;

/// An index as an element of type `elementType`.
Value fromIndex(OpBuilder &b, Location loc, Value index, Type elementType) {
  if (elementType.isIndex())
    return index;
  Type i64 = b.getI64Type();
  return emitConvert(b, loc, b.createOrFold<arith::IndexCastOp>(loc, i64, index), i64, elementType);
}

Value constantElement(Request r, Attribute value) {
  // Dense complex values read as a pair of floats.
  return emitConstantScalar(r.b, r.loc, value, r.elementType());
}

/// `value` with its elements as they lie in memory; index as i64. Null when there is no such form.
DenseElementsAttr inStorage(DenseElementsAttr value) {
  Type element = value.getElementType();
  if (isa<ComplexType>(element))
    return value;
  Type storage = element.isIndex() ? IntegerType::get(element.getContext(), 64) : storageType(element);
  if (storage == element)
    return value;
  if (element.isIndex() || element.getIntOrFloatBitWidth() == storage.getIntOrFloatBitWidth())
    return value.bitcast(storage);
  auto integers = dyn_cast<DenseIntElementsAttr>(value);
  unsigned width = storage.getIntOrFloatBitWidth();
  bool isSigned = !element.isUnsignedInteger() && !element.isInteger(1);
  return integers ? integers.mapValues(storage, [&](const APInt &n) { return isSigned ? n.sext(width) : n.zext(width); })
                  : DenseElementsAttr();
}

/// The module's read-only table of `value`.
memref::GlobalOp getTable(ModuleOp module, Location loc, DenseElementsAttr value) {
  auto type = MemRefType::get(value.getType().getShape(), value.getElementType());
  unsigned count = 0;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    if (global.getInitialValue() == value && global.getType() == type && global.getConstant())
      return global;
    ++count;
  }
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  SmallString<16> name("disc_table");
  while (module.lookupSymbol((name + "_" + Twine(count)).str()))
    ++count;
  auto global = memref::GlobalOp::create(b, loc, (name + "_" + Twine(count)).str(), b.getStringAttr("private"), type, value,
                                         /*constant=*/true, /*alignment=*/b.getI64IntegerAttr(64));
  return global;
}

Value emitConstant(Request r, ElementsAttr attr) {
  auto value = dyn_cast<DenseElementsAttr>(attr);
  if (!value)
    return r.e.fail(r.b, r.result.getOwner(), r.elementType(), "has a value that is not `dense`; pass it as an argument instead");
  if (value.isSplat())
    return constantElement(r, value.getSplatValue<Attribute>());
  int64_t position = 0;
  bool isKnown = true;
  for (auto [d, i] : llvm::enumerate(r.index)) {
    std::optional<int64_t> number = getConstantIntValue(i);
    isKnown &= number && *number < value.getType().getDimSize(d);
    position = position * value.getType().getDimSize(d) + number.value_or(0);
  }
  if (isKnown)
    return constantElement(r, *(value.getValues<Attribute>().begin() + position));
  DenseElementsAttr stored = inStorage(value);
  if (!stored)
    return r.e.fail(r.b, r.result.getOwner(), r.elementType(), "has an element type that has no form in memory");
  auto table = getTable(r.e.site.fusion->getParentOfType<ModuleOp>(), r.e.site.loc(), stored);
  Value memref = memref::GetGlobalOp::create(r.b, r.loc, table.getType(), table.getName());
  if (r.elementType().isIndex())
    return arith::IndexCastOp::create(r.b, r.loc, r.b.getIndexType(), memref::LoadOp::create(r.b, r.loc, memref, r.index));
  return emitLoad(r.b, r.loc, memref, r.index, r.elementType());
}

/// The element of a list of scalars at a position.
Value pick(Request r, ValueRange scalars) {
  IndexMath math(r.b, r.loc, r.e.site);
  SmallVector<Value> dims = r.e.dims(r.result);
  Value position = math.linearise(r.index, dims);
  if (std::optional<int64_t> number = getConstantIntValue(position); number && *number < static_cast<int64_t>(scalars.size()))
    return r.e.scalar(scalars[*number]);
  Value element = r.e.scalar(scalars.back());
  for (int64_t i = static_cast<int64_t>(scalars.size()) - 2; i >= 0; --i)
    element = arith::SelectOp::create(r.b, r.loc, math.equal(position, math.constant(i)), r.e.scalar(scalars[i]), element);
  return element;
}

} // namespace

Value emitSourceOp(const ElementRequest &r) {
  return llvm::TypeSwitch<Operation *, Value>(r.result.getOwner())
      .Case([&](dhlo::ConstantOp op) { return emitConstant(r, op.getValue()); })
      .Case([&](arith::ConstantOp op) { return emitConstant(r, cast<ElementsAttr>(op.getValue())); })
      .Case<dhlo::IotaOp, dhlo::DynamicIotaOp>(
          [&](auto op) { return fromIndex(r.b, r.loc, r.index[op.getIotaDimension()], r.elementType()); })
      .Case([&](dhlo::GetDimensionSizeOp op) {
        return fromIndex(r.b, r.loc, r.e.dim(op.getOperand(), op.getDimension()), r.elementType());
      })
      .Case([&](tensor::FromElementsOp op) { return pick(r, op.getElements()); })
      .Default([](Operation *) { return Value(); });
}

} // namespace disc
