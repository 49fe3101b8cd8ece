// The operations whose Python builders become disc.mlir.dialects.dhlo.
#ifndef DISC_PYTHON_DHLO
#define DISC_PYTHON_DHLO
include "dialects/dhlo/DhloOps.td"
#endif
