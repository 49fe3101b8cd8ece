// The operations whose Python builders become disc.mlir.dialects.lmhlo_disc.
#ifndef DISC_PYTHON_LMHLO_DISC
#define DISC_PYTHON_LMHLO_DISC
include "dialects/lmhlo_disc/LmhloDiscOps.td"
#endif
