//===- DiscExtension.cpp - what disc.mlir has beyond MLIR's own bindings --===//
#include "mlir-c/IR.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

#include <nanobind/nanobind.h>
#include <string>

extern "C" void discRegisterDialects(MlirDialectRegistry registry);
// Calls `sink` with the elements; not for an attribute without numbers.
extern "C" void discElements(MlirOperation op, MlirStringRef name,
                             void (*sink)(const char *bytes, size_t size, bool splat, MlirType type, void *data),
                             void *data);

NB_MODULE(_disc, m) {
  m.doc() = "DISC's dialects for disc.mlir";
  m.def("register_dialects", [](MlirDialectRegistry registry) { discRegisterDialects(registry); });
  m.def(
      "elements",
      [](MlirOperation op, const std::string &name) {
        nanobind::object result = nanobind::none();
        discElements(
            op, mlirStringRefCreate(name.data(), name.size()),
            [](const char *bytes, size_t size, bool splat, MlirType type, void *data) {
              *static_cast<nanobind::object *>(data) = nanobind::make_tuple(nanobind::bytes(bytes, size), splat, type);
            },
            &result);
        return result;
      },
      "A dense attribute of an op as (bytes, splat, type): whole bytes an element, also for i1 and i4; one element where "
      "splat. None for other attributes.");
}
