// What broadcasts of known and of computed sizes have in common.
#ifndef DISC_DIALECTS_DHLO_BROADCASTS_H
#define DISC_DIALECTS_DHLO_BROADCASTS_H

#include "dialects/dhlo/Dhlo.h"

namespace disc {

/// The dimensions of the result that those of the operand become; none where
/// `op` is neither a broadcast_in_dim nor a dynamic_broadcast_in_dim.
inline std::optional<llvm::ArrayRef<int64_t>>
broadcastDimensionsOf(mlir::Operation *op) {
  if (auto fixed = llvm::dyn_cast<mlir::dhlo::BroadcastInDimOp>(op))
    return fixed.getBroadcastDimensions();
  if (auto dynamic = llvm::dyn_cast<mlir::dhlo::DynamicBroadcastInDimOp>(op))
    return dynamic.getBroadcastDimensions();
  return std::nullopt;
}

} // namespace disc

#endif // DISC_DIALECTS_DHLO_BROADCASTS_H
