// The dhlo dialect: registration of ops, attributes and types.
#include "dialects/dhlo/Dhlo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::dhlo;

#include "dialects/dhlo/DhloDialect.cpp.inc"
#include "dialects/dhlo/DhloEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/dhlo/DhloAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/dhlo/DhloTypes.cpp.inc"

namespace {
struct DhloInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

/// Constants of a fusion's body stay there: the body uses no tensor from above.
struct DhloFoldInterface : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final {
    return isa<FusionOp>(region->getParentOp());
  }
};
} // namespace

void DhloDialect::initialize() {
  addInterfaces<DhloFoldInterface, DhloInlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/dhlo/DhloAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/dhlo/DhloTypes.cpp.inc"
      >();
  registerOperations();
}

/// Constants of other dialects' types, such as index, are `arith` constants.
Operation *DhloDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  if (auto elements = dyn_cast<ElementsAttr>(value))
    if (isa<RankedTensorType>(type) && elements.getType() == type)
      return ConstantOp::create(builder, loc, type, elements);
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
