//===- Registration.cpp - our dialects behind MLIR's C API ----------------===//
#include "dialects/dhlo/Dhlo.h"
#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

extern "C" __attribute__((visibility("default"))) void discRegisterDialects(MlirDialectRegistry registry) {
  mlir::DialectRegistry &dialects = *unwrap(registry);
  mlir::registerAllDialects(dialects);
  mlir::registerAllExtensions(dialects);
  mlir::dhlo::registerDhloDialects(dialects);
  mlir::lmhlo_disc::registerLmhloDiscDialect(dialects);
}
