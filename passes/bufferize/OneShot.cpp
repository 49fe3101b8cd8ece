// Turns tensors into contiguous buffers with upstream's one-shot-bufferize.
#include "dialects/lmhlo_disc/LmhloDisc.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::bufferization;

/// Inputs belong to the caller and constants to the context.
static void protectArguments(ModuleOp module) {
  auto no = BoolAttr::get(module.getContext(), false);
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned index = 0; !function.isExternal() && index < function.getNumArguments(); ++index)
      if (isa<TensorType>(function.getArgument(index).getType()))
        function.setArgAttr(index, BufferizationDialect::kWritableAttrName, no);
}

/// A destination each, where equal ones were merged: one that all results alias
/// makes the analysis compare every op with every other.
static void splitDestinations(ModuleOp module) {
  SmallVector<tensor::EmptyOp> destinations;
  module.walk([&](tensor::EmptyOp op) { destinations.push_back(op); });
  for (tensor::EmptyOp op : destinations)
    while (!op->use_empty() && !op->hasOneUse()) {
      OpOperand &use = *op->use_begin();
      OpBuilder builder(use.getOwner());
      use.set(builder.clone(*op)->getResult(0));
    }
}

namespace disc {

LogicalResult runBufferizeOneShot(ModuleOp module) {
  protectArguments(module);
  splitDestinations(module);
  OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.setFunctionBoundaryTypeConversion(LayoutMapOption::IdentityLayoutMap);
  options.allowReturnAllocsFromLoops = true;
  options.unknownTypeConverterFn = [](TensorType type, Attribute space,
                                      const BufferizationOptions &) {
    return getMemRefTypeWithStaticIdentityLayout(type, space);
  };
  options.opFilter.denyOperation([](Operation *op) {
    return op->getParentOfType<lmhlo_disc::FusionOp>() != nullptr;
  });
  BufferizationState state;
  return runOneShotModuleBufferize(module, options, state);
}

} // namespace disc
