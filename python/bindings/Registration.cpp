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

DISC_EXPORT void discElementBytes(MlirAttribute attr, bool *splat, void (*sink)(const char *, size_t, void *),
                                  void *data) {
  Attribute elements = unwrap(attr);
  *splat = false;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      sink(blob->getData().data(), blob->getData().size(), data);
    return;
  }
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (!dense || isa<DenseStringElementsAttr>(dense))
    return;
  *splat = dense.isSplat();
  if (dense.getElementType().isInteger(1)) { // stored as bits
    std::string bools;
    if (*splat)
      bools.push_back(dense.getSplatValue<bool>());
    else
      bools.append(dense.value_begin<bool>(), dense.value_end<bool>());
    return sink(bools.data(), bools.size(), data);
  }
  ArrayRef<char> raw = dense.getRawData();
  sink(raw.data(), raw.size(), data);
}
