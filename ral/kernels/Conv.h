// Convolutions: the problem, the packed weights, and the kernels for rows of
// output positions.
#ifndef RAL_KERNELS_CONV_H
#define RAL_KERNELS_CONV_H

#include <cstdint>

namespace ral {

/// One spatial dimension.
struct ConvDim {
  int64_t in = 1, out = 1, kernel = 1;
  int64_t stride = 1, inDilation = 1, kernelDilation = 1, low = 0;
  bool reversed = false;
  int64_t inStride = 0;     // between positions of the input, in elements
  int64_t kernelStride = 0; // between taps of the weights
};

/// lhs [batch, spatial..., channels], out [batch, spatial..., features]; three
/// spatial dimensions, of which the first ones may be 1.
struct ConvProblem {
  int64_t batch = 0, channels = 0, features = 0, groups = 1;
  ConvDim dims[3];
  int64_t kernelChannelStride = 0, kernelFeatureStride = 0;

  int64_t groupChannels() const { return channels / groups; }
  int64_t groupFeatures() const { return features / groups; }
  int64_t taps() const {
    return dims[0].kernel * dims[1].kernel * dims[2].kernel;
  }
  int64_t positions() const {
    return batch * dims[0].out * dims[1].out * dims[2].out;
  }
  /// One weight for each tap and channel.
  bool isDepthwise() const {
    return groups > 1 && groups == channels && channels == features;
  }
};

/// A block of rows (output positions) of one group. `taps[t * ldTaps + i]` is
/// where the channels under tap t begin for row i, `zeros` where there are none.
struct ConvRows {
  const float *const *taps;
  const float *zeros;
  const float *weights; // packed, of this group
  float *out;           // of the first row and of the group's first feature
  int64_t ldTaps, ldOut;
  int64_t numTaps, depth; // depth: elements under a tap
  int64_t channel;        // of the first element, from where taps point
  int64_t rows, firstColumn, lastColumn; // of the group's features
};

/// The kernels for one instruction set. Weights of a group lie in panels of
/// `columns` features (the last may be narrower, in whole `lanes`); a panel is
/// [taps, channels, width]. For depthwise ones they are [taps, channels].
struct ConvKernels {
  int64_t lanes, columns;
  void (*rows)(const ConvRows &);
  void (*depthwise)(const ConvRows &); // columns are channels; one group
};

// One for each instruction set; KernelSet.h chooses.
extern const ConvKernels convKernelsBase, convKernelsAvx2, convKernelsAvx512;

} // namespace ral
#endif
