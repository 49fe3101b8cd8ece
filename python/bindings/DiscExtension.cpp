//===- DiscExtension.cpp - the hook by which disc.mlir learns our dialects ===//
#include "mlir-c/IR.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

#include <nanobind/nanobind.h>

extern "C" void discRegisterDialects(MlirDialectRegistry registry);

NB_MODULE(_disc, m) {
  m.doc() = "DISC's dialects for disc.mlir";
  m.def("register_dialects", [](MlirDialectRegistry registry) { discRegisterDialects(registry); });
}
