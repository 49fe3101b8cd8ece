// How a convolution is computed.
#include "kernels/ConvPlan.h"

#include <algorithm>
#include <cstring>

using namespace ral;

static constexpr int64_t kBlockRows = 252;  // a multiple of each tile's rows
static constexpr int64_t kTileRows = 6;
static constexpr int64_t kFewChannels = 32; // below, taps are merged
/// Below this many multiply-adds a second worker costs more than it saves.
static constexpr double kSerialWork = 64.0 * 64 * 64;
/// Weights beyond these bytes are split over workers rather than read by each.
static constexpr int64_t kLargeWeights = int64_t(1) << 20;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

static int64_t panelsOfGroup(const ConvProblem &p, const ConvKernels &kernels) {
  return ceilDiv(p.groupFeatures(), kernels.columns);
}

ConvPlan ral::planConv(const ConvProblem &p, const ConvKernels &kernels,
                       int64_t workers) {
  const ConvDim &last = p.dims[2];
  ConvPlan plan;
  plan.mergedTaps = p.groups == 1 && p.channels < kFewChannels &&
                    last.kernel > 1 && last.kernelDilation == 1 &&
                    last.inDilation == 1;
  plan.numTaps = plan.mergedTaps ? p.dims[0].kernel * p.dims[1].kernel : p.taps();
  plan.depth = p.groupChannels() * (plan.mergedTaps ? last.kernel : 1);
  plan.panels = p.isDepthwise() ? 1 : p.groups * panelsOfGroup(p, kernels);
  if (p.isDepthwise())
    plan.depth = p.channels;

  int64_t rows = p.positions();
  double work = double(rows) * double(p.features) * double(p.taps()) *
                double(p.groupChannels());
  workers = int64_t(std::min(double(workers), work / kSerialWork));
  workers = std::max<int64_t>(workers, 1);
  int64_t weightBytes = p.taps() * p.groupChannels() * p.features * 4;
  bool splitPanels = plan.panels >= workers &&
                     (plan.panels % workers == 0 || plan.panels >= 4 * workers) &&
                     (weightBytes >= kLargeWeights || rows < workers * kTileRows);
  plan.splits = splitPanels ? workers : 1;
  int64_t shares = splitPanels ? 1 : workers;
  plan.blocks = std::max(ceilDiv(rows, kBlockRows), std::min(shares, rows));
  plan.blocks = std::min(ceilDiv(plan.blocks, shares) * shares, rows);
  plan.blockRows = ceilDiv(rows, plan.blocks);
  if (plan.blockRows > kTileRows)
    plan.blockRows = ceilDiv(plan.blockRows, kTileRows) * kTileRows;
  plan.blocks = ceilDiv(rows, plan.blockRows);
  return plan;
}

/// Where tap `k` of output position `o` is in the input, or -1.
static int64_t place(const ConvDim &dim, int64_t o, int64_t k) {
  int64_t at = o * dim.stride + k * dim.kernelDilation - dim.low;
  if (at < 0)
    return -1;
  if (dim.inDilation > 1) {
    if (at % dim.inDilation != 0)
      return -1;
    at /= dim.inDilation;
  }
  return at < dim.in ? at : -1;
}

namespace {
/// Rows [row, row + count): neighbours along the last dimension, from o[2] on.
struct Line {
  const ConvProblem &p;
  const ConvPlan &plan;
  const float *image, *zeros;
  const float **taps; // of the first row
  float *border;      // of the first row
  int64_t o[3], count;

  /// Tap `k` of the last dimension, where the input's line begins at `line`.
  void along(const float *line, int64_t k, const float **to) const {
    const ConvDim &dim = p.dims[2];
    for (int64_t i = 0; i < count; ++i) {
      int64_t at = place(dim, o[2] + i, k);
      to[i] = at < 0 ? zeros : line + at * dim.inStride;
    }
  }

  /// All taps of the last dimension as one, number `tap`.
  void merged(const float *line, int64_t tap, const float **to) const {
    const ConvDim &dim = p.dims[2];
    int64_t start = o[2] * dim.stride - dim.low;
    for (int64_t i = 0; i < count; ++i, start += dim.stride)
      if (start >= 0 && start + dim.kernel <= dim.in)
        to[i] = line + start * dim.inStride;
      else
        to[i] = atBorder(line, start, border + (i * plan.numTaps + tap) * plan.depth);
  }

  const float *atBorder(const float *line, int64_t start, float *copy) const {
    const ConvDim &dim = p.dims[2];
    int64_t first = std::clamp<int64_t>(-start, 0, dim.kernel);
    int64_t last = std::clamp<int64_t>(dim.in - start, first, dim.kernel);
    if (first == last)
      return zeros;
    std::fill_n(copy, plan.depth, 0.0f);
    std::memcpy(copy + first * p.channels,
                line + (start + first) * dim.inStride,
                size_t((last - first) * p.channels) * sizeof(float));
    return copy;
  }

  void locate() const {
    int64_t perLine = plan.mergedTaps ? 1 : p.dims[2].kernel, tap = 0;
    for (int64_t k0 = 0; k0 < p.dims[0].kernel; ++k0) {
      int64_t at0 = place(p.dims[0], o[0], k0);
      for (int64_t k1 = 0; k1 < p.dims[1].kernel; ++k1, tap += perLine) {
        int64_t at1 = place(p.dims[1], o[1], k1);
        const float **to = taps + tap * plan.blockRows;
        bool outside = at0 < 0 || at1 < 0;
        const float *line = outside ? zeros
                                    : image + at0 * p.dims[0].inStride +
                                          at1 * p.dims[1].inStride;
        if (plan.mergedTaps && !outside)
          merged(line, tap, to);
        for (int64_t k = 0; k < perLine; ++k, to += plan.blockRows)
          if (outside)
            std::fill_n(to, count, zeros);
          else if (!plan.mergedTaps)
            along(line, k, to);
      }
    }
  }
};
} // namespace

void ral::locateTaps(const ConvProblem &p, const ConvPlan &plan,
                     const float *lhs, const float *zeros, int64_t first,
                     int64_t rows, const float **taps, float *border) {
  int64_t o[3], rest = first;
  for (int d = 2; d >= 0; --d) {
    o[d] = rest % p.dims[d].out;
    rest /= p.dims[d].out;
  }
  int64_t imageSize = p.dims[0].in * p.dims[0].inStride;
  const float *image = lhs + rest * imageSize;
  for (int64_t row = 0; row < rows;) {
    int64_t count = std::min(rows - row, p.dims[2].out - o[2]);
    Line{p,      plan, image, zeros, taps + row,
         border ? border + row * plan.numTaps * plan.depth : nullptr,
         {o[0], o[1], o[2]}, count}
        .locate();
    row += count;
    o[2] = 0;
    if (++o[1] == p.dims[1].out) {
      o[1] = 0;
      if (++o[0] == p.dims[0].out) {
        o[0] = 0;
        image += imageSize;
      }
    }
  }
}

int64_t ral::packedConvElements(const ConvProblem &p,
                                const ConvKernels &kernels) {
  if (p.isDepthwise())
    return p.taps() * p.channels;
  int64_t columns = ceilDiv(p.groupFeatures(), kernels.lanes) * kernels.lanes;
  return p.groups * columns * p.taps() * p.groupChannels();
}

/// [taps, channels, width] from `features` features that begin at `rhs`.
static void packPanel(const ConvProblem &p, const float *rhs, int64_t channels,
                      int64_t features, int64_t width, float *to) {
  auto at = [](const ConvDim &dim, int64_t k) {
    return (dim.reversed ? dim.kernel - 1 - k : k) * dim.kernelStride;
  };
  for (int64_t k0 = 0; k0 < p.dims[0].kernel; ++k0)
    for (int64_t k1 = 0; k1 < p.dims[1].kernel; ++k1)
      for (int64_t k2 = 0; k2 < p.dims[2].kernel; ++k2) {
        const float *tap =
            rhs + at(p.dims[0], k0) + at(p.dims[1], k1) + at(p.dims[2], k2);
        for (int64_t c = 0; c < channels; ++c, to += width)
          for (int64_t f = 0; f < width; ++f)
            to[f] = f < features ? tap[c * p.kernelChannelStride +
                                       f * p.kernelFeatureStride]
                                 : 0.0f;
      }
}

void ral::packConvWeights(const ConvProblem &p, const ConvKernels &kernels,
                          const float *rhs, float *packed, int64_t first,
                          int64_t last) {
  if (p.isDepthwise())
    return packPanel(p, rhs, 1, p.features, p.features, packed);
  int64_t panels = panelsOfGroup(p, kernels), features = p.groupFeatures();
  int64_t perColumn = p.taps() * p.groupChannels();
  int64_t groupColumns = ceilDiv(features, kernels.lanes) * kernels.lanes;
  for (int64_t i = first; i < last; ++i) {
    int64_t group = i / panels, column = i % panels * kernels.columns;
    int64_t count = std::min(kernels.columns, features - column);
    int64_t width = ceilDiv(count, kernels.lanes) * kernels.lanes;
    packPanel(p, rhs + (group * features + column) * p.kernelFeatureStride,
              p.groupChannels(), count, width,
              packed + (group * groupColumns + column) * perColumn);
  }
}
