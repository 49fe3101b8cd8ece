// Natives of graph/movement.py: permutations and dimension maps.
#include "Passes.h.inc"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

bool disc::isIdentityPermutation(Attribute permutation) {
  ArrayRef<int64_t> dims = cast<DenseI64ArrayAttr>(permutation).asArrayRef();
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim != static_cast<int64_t>(i))
      return false;
  return true;
}

Attribute disc::composedDims(PatternRewriter &rewriter, Attribute inner,
                             Attribute outer) {
  ArrayRef<int64_t> places = cast<DenseI64ArrayAttr>(inner).asArrayRef();
  ArrayRef<int64_t> dims = cast<DenseI64ArrayAttr>(outer).asArrayRef();
  SmallVector<int64_t> result;
  for (int64_t place : places)
    result.push_back(dims[place]);
  return rewriter.getDenseI64ArrayAttr(result);
}
