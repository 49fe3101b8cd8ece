// Convolutions: the call "ral.conv".
#include "core/Execution.h"
#include "core/Status.h"
#include "core/Tensor.h"
#include "kernels/ConvWeights.h"
#include "kernels/HalfFloat.h"
#include "kernels/KernelSet.h"
#include "kernels/Kernels.h"

#include <algorithm>

using namespace ral;

namespace {
struct Job {
  const ConvProblem &problem;
  const ConvPlan &plan;
  const ConvKernels &kernels;
  const float *lhs, *zeros, *weights;
  float *out;
  char *scratch;
  int64_t scratchBytes; // of a worker
};

/// The convolution in the integers of the call.
struct Ints {
  const int64_t *ints;
  int64_t rank;
  int64_t groups() const { return ints[1]; }
  int64_t kernelChannel() const { return ints[2]; }
  int64_t kernelFeature() const { return ints[3]; }
  int64_t kernelSpatial(int64_t d) const { return ints[4 + d]; }
  const int64_t *window(int64_t d) const { return ints + 4 + rank + 5 * d; }
};
} // namespace

static int64_t roundUp(int64_t bytes) { return (bytes + 63) / 64 * 64; }

static int64_t tableBytes(const ConvPlan &plan) {
  return roundUp(plan.numTaps * plan.blockRows * int64_t(sizeof(float *)));
}

static void runPieces(void *data, int64_t lo, int64_t hi, int64_t worker) {
  const Job &job = *static_cast<const Job *>(data);
  const ConvProblem &p = job.problem;
  const ConvPlan &plan = job.plan;
  char *scratch = job.scratch + worker * job.scratchBytes;
  auto **taps = reinterpret_cast<const float **>(scratch);
  auto *border = reinterpret_cast<float *>(scratch + tableBytes(plan));
  int64_t features = p.groupFeatures(), columns = job.kernels.columns;
  int64_t panels = (features + columns - 1) / columns; // of a group
  int64_t groupSize = packedConvElements(p, job.kernels) / p.groups;
  for (int64_t piece = lo; piece < hi; ++piece) {
    int64_t split = piece / plan.blocks, block = piece % plan.blocks;
    int64_t first = block * plan.blockRows;
    int64_t rows = std::min(plan.blockRows, p.positions() - first);
    locateTaps(p, plan, job.lhs, job.zeros, first, rows, taps,
               plan.mergedTaps ? border : nullptr);
    ConvRows part{taps,           job.zeros,  job.weights,  job.out + first * p.features,
                  plan.blockRows, p.features, plan.numTaps, plan.depth,
                  0,              rows,       0,            p.features};
    if (p.isDepthwise()) {
      job.kernels.depthwise(part);
      continue;
    }
    int64_t last = plan.panels * (split + 1) / plan.splits;
    for (int64_t i = plan.panels * split / plan.splits; i < last;) {
      int64_t group = i / panels, begin = i % panels;
      int64_t end = std::min(panels, begin + last - i);
      part.weights = job.weights + group * groupSize;
      part.out = job.out + first * p.features + group * features;
      part.channel = group * p.groupChannels();
      part.firstColumn = begin * columns;
      part.lastColumn = std::min(features, end * columns);
      job.kernels.rows(part);
      i += end - begin;
    }
  }
}

/// Computes with f32 operands; the weights are packed already.
static int32_t convolve(ral_exec *exec, const ConvProblem &p, const float *lhs,
                        const float *weights, float *out) {
  const Parallel &parallel = exec->context.parallel;
  const ConvKernels &kernels = *exec->context.kernels->conv;
  ConvPlan plan = planConv(p, kernels, parallel.workers());
  int64_t zeros = roundUp(std::max(p.channels, plan.depth) * int64_t(sizeof(float)));
  int64_t perWorker = tableBytes(plan) +
                      roundUp(plan.borderElements() * int64_t(sizeof(float))) +
                      kBytesBetweenWorkers;
  int64_t workers = std::min(parallel.workers(), plan.pieces());
  auto *scratch =
      static_cast<char *>(exec->alloc(zeros + workers * perWorker));
  if (!scratch)
    return RAL_OUT_OF_MEMORY;
  std::fill_n(scratch, zeros, 0);
  Job job{p,   plan,           kernels,  lhs, reinterpret_cast<float *>(scratch),
          weights, out, scratch + zeros, perWorker};
  parallel.run(runPieces, &job, plan.pieces(), 1);
  exec->dealloc(scratch);
  return RAL_OK;
}

static int64_t paddingAt(const ral_tensor &padding, int64_t d) {
  if (padding.dtype == RAL_I32)
    return static_cast<const int32_t *>(padding.data)[2 * d];
  return static_cast<const int64_t *>(padding.data)[2 * d];
}

/// Reads the call; says what does not agree.
static std::string describe(const ral_tensor *args, int64_t nargs,
                            const int64_t *ints, int64_t nints, ConvProblem &p) {
  if ((nargs != 3 && nargs != 4) || nints < 4 || ints[0] < 1 || ints[0] > 3 ||
      nints != 4 + 6 * ints[0] || ints[1] < 1)
    return "expected 3 or 4 tensors, 1 to 3 spatial dimensions and 4 + 6 for "
           "each of them integers";
  const ral_tensor &lhs = args[0], &rhs = args[1], &out = args[nargs - 1];
  Ints given{ints, ints[0]};
  int32_t rank = int32_t(given.rank + 2);
  if (lhs.rank != rank || rhs.rank != rank || out.rank != rank ||
      !isContiguous(lhs) || !isContiguous(rhs) || !isContiguous(out))
    return "expected contiguous tensors of rank " + std::to_string(rank);
  int64_t strides[5] = {1, 1, 1, 1, 1};
  for (int32_t d = rank - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * rhs.sizes[d + 1];
  p.batch = lhs.sizes[0];
  p.channels = lhs.sizes[rank - 1];
  p.features = out.sizes[rank - 1];
  p.groups = given.groups();
  p.kernelChannelStride = strides[given.kernelChannel()];
  p.kernelFeatureStride = strides[given.kernelFeature()];
  int64_t inStride = p.channels;
  for (int64_t d = given.rank - 1; d >= 0; --d) {
    const int64_t *window = given.window(d);
    ConvDim &dim = p.dims[3 - given.rank + d];
    dim.in = lhs.sizes[d + 1];
    dim.out = out.sizes[d + 1];
    dim.kernel = rhs.sizes[given.kernelSpatial(d)];
    dim.kernelStride = strides[given.kernelSpatial(d)];
    dim.stride = window[0];
    dim.inDilation = window[1];
    dim.kernelDilation = window[2];
    dim.reversed = window[3] != 0;
    dim.low = nargs == 4 ? paddingAt(args[2], d) : window[4];
    dim.inStride = inStride;
    inStride *= dim.in;
  }
  for (int64_t d = 3 - given.rank; d-- > 0;)
    p.dims[d].inStride = inStride;
  if (out.sizes[0] != p.batch || p.channels % p.groups != 0 ||
      p.features % p.groups != 0 ||
      rhs.sizes[given.kernelChannel()] != p.groupChannels() ||
      rhs.sizes[given.kernelFeature()] != p.features)
    return "the sizes do not agree";
  return {};
}

/// An operand in f32: itself, or a copy.
static float *widened(ral_exec *exec, const ral_tensor &tensor) {
  if (tensor.dtype == RAL_F32)
    return static_cast<float *>(tensor.data);
  int64_t count = elementCount(tensor.sizes, tensor.rank);
  auto *wide = static_cast<float *>(exec->alloc(count * int64_t(sizeof(float))));
  if (wide)
    widenHalf(exec->context.parallel, tensor.dtype,
              static_cast<const uint16_t *>(tensor.data), wide, count);
  return wide;
}

int32_t ral::conv(ral_exec *exec, const ral_tensor *args, int64_t nargs,
                  const int64_t *ints, int64_t nints) {
  ConvProblem p;
  if (std::string why = describe(args, nargs, ints, nints, p); !why.empty())
    return exec->fail(RAL_INTERNAL, "ral.conv: " + why);
  const ral_tensor &lhs = args[0], &rhs = args[1], &out = args[nargs - 1];
  if ((out.dtype != RAL_F32 && out.dtype != RAL_F16 && out.dtype != RAL_BF16) ||
      lhs.dtype != out.dtype || rhs.dtype != out.dtype)
    return exec->fail(RAL_UNSUPPORTED, concat("ral.conv: element type ",
                                              ral_dtype_name(lhs.dtype)));
  int64_t count = elementCount(out.sizes, out.rank);
  if (count == 0)
    return RAL_OK;
  if (p.groupChannels() == 0 || p.taps() == 0) {
    std::fill_n(static_cast<char *>(out.data),
                count * ral_dtype_bytes(out.dtype), 0);
    return RAL_OK;
  }
  bool narrow = out.dtype != RAL_F32;
  float *wideOut = narrow ? static_cast<float *>(
                                exec->alloc(count * int64_t(sizeof(float))))
                          : static_cast<float *>(out.data);
  float *wideLhs = widened(exec, lhs);
  int64_t orders = 0; // of rhs
  for (int64_t i = 0; i < ints[0] + 2; ++i)
    orders = orders * 8 + ints[2 + i];
  ConvWeights weights(exec, p, rhs, orders);
  if (!wideOut || !wideLhs || !weights.data ||
      convolve(exec, p, wideLhs, weights.data, wideOut) != RAL_OK)
    return exec->fail(RAL_OUT_OF_MEMORY, "ral.conv: no memory for operands");
  if (narrow) {
    narrowHalf(exec->context.parallel, out.dtype, wideOut,
               static_cast<uint16_t *>(out.data), count);
    exec->dealloc(wideOut);
    exec->dealloc(wideLhs);
  }
  return RAL_OK;
}
