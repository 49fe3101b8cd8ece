//===- DiscExtension.cpp - what disc.mlir has beyond MLIR's own bindings --===//
#include "mlir-c/IR.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

#include <nanobind/nanobind.h>
#include <string>

extern "C" void discRegisterDialects(MlirDialectRegistry registry);
// Sets `splat`; an empty answer for a tensor with elements: not an attribute with numbers.
extern "C" void discElementBytes(MlirAttribute attr, bool *splat, void (*sink)(const char *, size_t, void *),
                                 void *data);

NB_MODULE(_disc, m) {
  m.doc() = "DISC's dialects for disc.mlir";
  m.def("register_dialects", [](MlirDialectRegistry registry) { discRegisterDialects(registry); });
  m.def(
      "element_bytes",
      [](MlirAttribute attr) {
        bool splat = false;
        std::string bytes;
        discElementBytes(
            attr, &splat,
            [](const char *begin, size_t size, void *to) { static_cast<std::string *>(to)->assign(begin, size); },
            &bytes);
        return nanobind::make_tuple(nanobind::bytes(bytes.data(), bytes.size()), splat);
      },
      "The elements of a dense attribute as (bytes, splat): whole bytes an element, also for i1 and i4; one element "
      "where splat.");
}
