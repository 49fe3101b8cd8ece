// Classes of ops with shape functions.

#ifndef DISC_DIALECTS_DHLO_SHAPE_FUNCTIONS_TD
#define DISC_DIALECTS_DHLO_SHAPE_FUNCTIONS_TD

include "dialects/dhlo/DhloBase.td"

// `inferReturnTypes` on an adaptor; the types written may be more or less
// static than those inferred.
def Dhlo_InferTypes : InferTypeOpAdaptorBase<[{
  static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                      ::mlir::TypeRange actual) {
    return ::mlir::dhlo::areCompatibleTypes(inferred, actual);
  }
}]>;

// An op without side effects whose result sizes can be computed.
class Dhlo_ShapedOp<string mnemonic, list<Trait> traits = []>
    : Dhlo_Op<mnemonic, traits # [Pure, Dhlo_Reify]>;

// The same with inferred result types.
class Dhlo_InferredOp<string mnemonic, list<Trait> traits = []>
    : Dhlo_ShapedOp<mnemonic, traits # [Dhlo_InferTypes]>;

// An op that applies its region; its effects are the effects of the region.
class Dhlo_RegionOp<string mnemonic, list<Trait> traits = []>
    : Dhlo_Op<mnemonic, traits # [RecursiveMemoryEffects,
        RecursivelySpeculatable, Dhlo_Reify]>;

#endif // DISC_DIALECTS_DHLO_SHAPE_FUNCTIONS_TD
