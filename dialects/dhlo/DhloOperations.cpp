// The list of dhlo's ops.
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

void DhloDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "dialects/dhlo/DhloElementwiseOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dhlo/DhloChloOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dhlo/DhloControlOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dhlo/DhloDistributedOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dhlo/DhloShapeOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dhlo/DhloIndexingOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dhlo/DhloReductionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dhlo/DhloContractionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dhlo/DhloLinalgOps.cpp.inc"
      >();
}
