// The weights of convolutions as the kernels read them.
#ifndef RAL_KERNELS_CONVWEIGHTS_H
#define RAL_KERNELS_CONVWEIGHTS_H

#include "core/Pool.h"
#include "disc/ral_types.h"
#include "kernels/ConvPlan.h"

namespace ral {

/// Packed for the kernels of the context: on the first use and kept with the program where
/// they are a constant of it, for this call otherwise.
struct ConvWeights {
  /// `rhs`: f32, f16 or bf16, with the sizes and strides of `p`; `orders` names
  /// the order of its dimensions, below 2^15.
  ConvWeights(ral_exec *exec, const ConvProblem &p, const ral_tensor &rhs,
              int64_t orders);
  ~ConvWeights();
  ConvWeights(const ConvWeights &) = delete;

  const float *data = nullptr; // null when there is no memory

private:
  Pool &pool;
  Block *block = nullptr; // of this call
};

} // namespace ral
#endif
