// Every op of dhlo; what documentation and the DSL read.

#ifndef DISC_DIALECTS_DHLO_OPS_TD
#define DISC_DIALECTS_DHLO_OPS_TD

include "dialects/dhlo/DhloElementwiseOps.td"
include "dialects/dhlo/DhloChloOps.td"
include "dialects/dhlo/DhloControlOps.td"
include "dialects/dhlo/DhloDistributedOps.td"
include "dialects/dhlo/DhloShapeOps.td"
include "dialects/dhlo/DhloIndexingOps.td"
include "dialects/dhlo/DhloReductionOps.td"
include "dialects/dhlo/DhloContractionOps.td"
include "dialects/dhlo/DhloLinalgOps.td"

#endif // DISC_DIALECTS_DHLO_OPS_TD
