// The form of convolutions that a library call computes.
#ifndef DISC_PASSES_GRAPH_CONVFORM_H
#define DISC_PASSES_GRAPH_CONVFORM_H

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace disc {

/// A dhlo.convolution or dhlo.dynamic_conv.
struct Convolution {
  mlir::Operation *op = nullptr;
  mlir::dhlo::ConvDimensionNumbersAttr numbers;

  explicit operator bool() const { return op; }
  int64_t spatialRank() const {
    return numbers.getInputSpatialDimensions().size();
  }
  /// Whether input and result are [batch, spatial..., features].
  bool isChannelsLast() const;
};

/// `op` when it is a convolution whose element type, groups and rank a library
/// has; it may have its dimensions in any order.
Convolution asLibraryConvolution(mlir::Operation *op);

/// Whether `op` is one with channels last. Those stay outside of fusions.
bool isLibraryConvolution(mlir::Operation *op);

/// What `ral.conv` is told in integers.
llvm::SmallVector<int64_t> convolutionInts(const Convolution &convolution);

} // namespace disc

#endif // DISC_PASSES_GRAPH_CONVFORM_H
