// How a convolution is computed: what its taps are and how it is split.
#ifndef RAL_KERNELS_CONVPLAN_H
#define RAL_KERNELS_CONVPLAN_H

#include "kernels/Conv.h"

namespace ral {

/// Rows are cut into blocks, the panels of all groups into splits; a piece of
/// the parallel loop is a block and a split.
struct ConvPlan {
  /// A tap is a whole row of the window: its positions and channels are
  /// contiguous in the input. Pays where there are few channels.
  bool mergedTaps = false;
  int64_t numTaps = 0, depth = 0;
  int64_t blockRows = 0, blocks = 0, splits = 1;
  int64_t panels = 0; // of all groups

  int64_t pieces() const { return blocks * splits; }
  /// Elements of scratch memory for rows that a merged tap cannot point to.
  int64_t borderElements() const {
    return mergedTaps ? blockRows * numTaps * depth : 0;
  }
};

ConvPlan planConv(const ConvProblem &problem, const ConvKernels &kernels,
                  int64_t workers);

/// Fills `taps` [numTaps, plan.blockRows] for `rows` positions from `first` on.
/// `border` is scratch memory of plan.borderElements().
void locateTaps(const ConvProblem &problem, const ConvPlan &plan,
                const float *lhs, const float *zeros, int64_t first,
                int64_t rows, const float **taps, float *border);

/// Elements of the packed weights.
int64_t packedConvElements(const ConvProblem &problem,
                           const ConvKernels &kernels);
/// Packs the panels [first, last), counted over all groups; all of the weights
/// for depthwise ones.
void packConvWeights(const ConvProblem &problem, const ConvKernels &kernels,
                     const float *rhs, float *packed, int64_t first,
                     int64_t last);

} // namespace ral
#endif
