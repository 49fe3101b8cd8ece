// Declared symbols of the entry, and sizes computed from their values.
#include "passes/cpu/LikelySizes.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "passes/shape/DeclaredSizes.h"

using namespace mlir;

namespace disc {

FailureOr<SmallVector<LikelySymbol>> likelySymbols(ModuleOp module) {
  SmallVector<LikelySymbol> result;
  for (auto function : module.getOps<func::FuncOp>()) {
    FailureOr<SmallVector<DeclaredSymbol>> symbols = declaredSymbols(function);
    if (failed(symbols))
      return LogicalResult(symbols); // it has reported why
    for (const DeclaredSymbol &symbol : *symbols)
      if (!symbol.likely.empty())
        result.push_back({symbol.name, symbol.likely});
  }
  return result;
}

void KnownSizes::set(Value value, int64_t number) { known[value] = IntegerAttr::get(value.getType(), number); }

std::optional<int64_t> KnownSizes::get(Value value) {
  auto number = dyn_cast_or_null<IntegerAttr>(fold(value));
  return number && number.getValue().isSignedIntN(64) ? std::optional(number.getValue().getSExtValue()) : std::nullopt;
}

Attribute KnownSizes::fold(Value value) {
  if (!value.getType().isIntOrIndex())
    return {};
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  Attribute result;
  if (auto size = dyn_cast_or_null<memref::DimOp>(op)) {
    std::optional<int64_t> d = size.getConstantIndex();
    if (std::optional<int64_t> number = d ? dim(size.getSource(), *d) : std::nullopt)
      result = IntegerAttr::get(value.getType(), *number);
  } else if (op && op->getNumRegions() == 0 && isMemoryEffectFree(op)) {
    SmallVector<Attribute> operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) { return fold(operand); });
    SmallVector<OpFoldResult> folded;
    Operation *copy = op->clone(); // folding may rewrite it
    if (llvm::all_of(operands, [](Attribute operand) { return bool(operand); }) && succeeded(copy->fold(operands, folded)) &&
        !folded.empty())
      result = dyn_cast<Attribute>(folded[cast<OpResult>(value).getResultNumber()]);
    copy->erase();
  }
  return known[value] = result;
}

std::optional<int64_t> KnownSizes::ofInput(Operation *input, int64_t d) const {
  auto names = input->getAttrOfType<ArrayAttr>(kDimsAttr);
  auto name = names && d < static_cast<int64_t>(names.size()) ? dyn_cast<StringAttr>(names[d]) : StringAttr();
  std::optional<DeclaredSize> size = name ? parseDeclaredSize(name) : std::nullopt;
  if (!size || size->terms.empty())
    return {};
  int64_t sum = size->offset;
  for (auto [symbol, factor] : size->terms) {
    auto found = symbols.find(symbol);
    int64_t product;
    if (found == symbols.end() || llvm::MulOverflow(found->second, factor, product) || llvm::AddOverflow(sum, product, sum))
      return {};
  }
  return sum;
}

std::optional<int64_t> KnownSizes::dim(Value memref, int64_t d) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(d))
    return type.getDimSize(d);
  Operation *op = memref.getDefiningOp();
  if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op))
    return get(alloc.getDynamicSizes()[type.getDynamicDimIndex(d)]);
  if (auto block = dyn_cast_or_null<lmhlo_disc::BlockBufferOp>(op))
    return get(block.getSizes()[type.getDynamicDimIndex(d)]);
  if (auto view = dyn_cast_or_null<memref::ReinterpretCastOp>(op)) {
    OpFoldResult size = view.getMixedSizes()[d];
    std::optional<int64_t> number = getConstantIntValue(size);
    return number ? number : get(cast<Value>(size));
  }
  if (isa_and_nonnull<memref::CastOp, UnrealizedConversionCastOp>(op) && isa<MemRefType>(op->getOperand(0).getType()))
    return dim(op->getOperand(0), d);
  return isa_and_nonnull<lmhlo_disc::RecvInputOp>(op) ? ofInput(op, d) : std::nullopt;
}

} // namespace disc
