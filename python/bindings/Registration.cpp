//===- Registration.cpp - our dialects behind MLIR's C API ----------------===//
#include "dialects/dhlo/Dhlo.h"
#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

using namespace mlir;

#define DISC_EXPORT extern "C" __attribute__((visibility("default")))

DISC_EXPORT void discRegisterDialects(MlirDialectRegistry registry) {
  DialectRegistry &dialects = *unwrap(registry);
  registerAllDialects(dialects);
  registerAllExtensions(dialects);
  dhlo::registerDhloDialects(dialects);
  lmhlo_disc::registerLmhloDiscDialect(dialects);
}

DISC_EXPORT void discElements(MlirOperation op, MlirStringRef name,
                              void (*sink)(const char *, size_t, bool, MlirType, void *), void *data) {
  Attribute attr = unwrap(op)->getAttr(unwrap(name));
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(attr)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      sink(blob->getData().data(), blob->getData().size(), false, wrap(Type(resource.getType())), data);
    return;
  }
  auto dense = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (!dense || isa<DenseStringElementsAttr>(dense))
    return;
  MlirType type = wrap(Type(dense.getType()));
  if (dense.getElementType().isInteger(1)) { // stored as bits
    std::string bools;
    if (dense.isSplat())
      bools.push_back(dense.getSplatValue<bool>());
    else
      bools.append(dense.value_begin<bool>(), dense.value_end<bool>());
    return sink(bools.data(), bools.size(), dense.isSplat(), type, data);
  }
  ArrayRef<char> raw = dense.getRawData();
  sink(raw.data(), raw.size(), dense.isSplat(), type, data);
}
