// Collectives and host transfers.
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

#define GET_OP_CLASSES
#include "dialects/dhlo/DhloDistributedOps.cpp.inc"
