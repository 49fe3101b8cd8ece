// The call "ral.stitch": matrix products and kernels on the same rows, run block
// of rows by block of rows, so that what they hand on stays in the cache.
#include "core/Execution.h"
#include "core/Status.h"
#include "kernels/GemmProduct.h"
#include "kernels/KernelSet.h"
#include "kernels/Kernels.h"
#include "kernels/PackedConstant.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>
#include <vector>

using namespace ral;

namespace {
/// A pointer of a kernel's arguments that stands for a block buffer.
struct Patch {
  int64_t offset, block;
};

struct Stage {
  // A product, where `fn` is null. `data` of its left operand and result are set
  // where they are no block buffers; batch strides are those of contiguous ones.
  GemmProblem product;
  int64_t lhsBlock, outBlock;
  PackedRhs packed; // the right operand, where it is a constant
  // A kernel.
  ral_loop_fn fn;
  const char *args;
  int64_t argsBytes, range, grain;
  std::vector<Patch> patches;
};

struct Stitch {
  int64_t batch = 0, m = 0;
  std::vector<int64_t> rowBytes; // of each block buffer
  std::vector<Stage> stages;
  int64_t rows() const { return batch * m; }
};

/// Rows are worked on in blocks of `height`.
struct Job {
  const Stitch &stitch;
  const KernelSet &kernels;
  int64_t height, blocksPerMatrix;
  std::vector<int64_t> blockOffset; // of each block buffer in a worker's room
  std::vector<int64_t> packOffset;  // of each stage's packed operand there, or -1
  int64_t workerBytes;
  char *room;
  std::vector<int64_t> packedBatch; // whose right operands each worker has packed
};
} // namespace

/// Reads the integers of the call one after the other.
struct Reader {
  const int64_t *next, *end;
  int64_t operator()() { return next < end ? *next++ : 0; }
  template <typename T> T pointer() { return reinterpret_cast<T>((*this)()); }
};

static bool readProduct(const ral_tensor *tensors, Reader &read, Stitch &stitch) {
  Stage stage{};
  stage.lhsBlock = read();
  stage.outBlock = read();
  bool transposed = read() != 0;
  const ral_tensor &lhs = tensors[0], &rhs = tensors[1], &out = tensors[2];
  for (const ral_tensor *tensor : {&lhs, &rhs, &out})
    if (tensor->dtype != RAL_F32 || tensor->rank != out.rank || tensor->strides)
      return false;
  if (out.rank != 2 && out.rank != 3)
    return false;
  int32_t first = out.rank - 2;
  const int64_t *l = lhs.sizes + first, *r = rhs.sizes + first, *o = out.sizes + first;
  GemmProblem &p = stage.product;
  p.batch = first ? out.sizes[0] : 1;
  p.m = o[0];
  p.n = o[1];
  p.k = l[1];
  p.batchDims = first;
  p.batchSizes[0] = p.batch;
  if (stitch.stages.empty()) {
    stitch.batch = p.batch;
    stitch.m = p.m;
  }
  if (p.batch != stitch.batch || p.m != stitch.m || l[0] != p.m ||
      r[transposed ? 1 : 0] != p.k || r[transposed ? 0 : 1] != p.n ||
      (first && (lhs.sizes[0] != p.batch || rhs.sizes[0] != p.batch)))
    return false;
  auto matrix = [](const ral_tensor &tensor, const int64_t *sizes, bool transposed) {
    return Matrix{static_cast<char *>(tensor.data), {sizes[0] * sizes[1]},
                  std::max<int64_t>(sizes[1], 1), transposed};
  };
  p.lhs = matrix(lhs, l, false);
  p.rhs = matrix(rhs, r, transposed);
  p.out = matrix(out, o, false);
  stitch.stages.push_back(std::move(stage));
  return true;
}

static void readKernel(Reader &read, Stitch &stitch) {
  Stage stage{};
  stage.lhsBlock = stage.outBlock = -1;
  stage.fn = read.pointer<ral_loop_fn>();
  stage.args = read.pointer<const char *>();
  stage.argsBytes = read();
  stage.range = read();
  stage.grain = read();
  for (int64_t count = read(); count > 0; --count) {
    Patch patch{};
    patch.offset = read();
    patch.block = read();
    stage.patches.push_back(patch);
  }
  stitch.stages.push_back(std::move(stage));
}

/// The integers: the number of block buffers, the bytes of each; the number of
/// stages; for a product 0, the block buffers of its left operand and result (or
/// -1), whether the right operand is transposed; for a kernel 1, its function,
/// arguments and their bytes, range, grain, the number of pointers to set, and for
/// each its offset and block buffer.
static bool readStitch(const ral_tensor *tensors, int64_t numTensors, Reader read,
                       Stitch &stitch) {
  std::vector<int64_t> bytes(size_t(std::max<int64_t>(read(), 0)));
  for (int64_t &each : bytes)
    each = read();
  int64_t numStages = read(), used = 0;
  for (int64_t i = 0; i < numStages; ++i) {
    if (read() == 1) {
      readKernel(read, stitch);
      continue;
    }
    if (used + 3 > numTensors || !readProduct(tensors + used, read, stitch))
      return false;
    used += 3;
  }
  int64_t rows = std::max<int64_t>(stitch.rows(), 1);
  for (int64_t each : bytes)
    stitch.rowBytes.push_back(each / rows);
  auto isBlock = [&](int64_t block) {
    return block < int64_t(stitch.rowBytes.size());
  };
  for (const Stage &stage : stitch.stages) {
    if (!isBlock(stage.lhsBlock) || !isBlock(stage.outBlock))
      return false;
    for (const Patch &patch : stage.patches)
      if (!isBlock(patch.block) || patch.offset + 8 > stage.argsBytes)
        return false;
  }
  return used == numTensors && read.next == read.end;
}

/// Runs part of a kernel. `base` gives where row 0 of a block buffer would be.
template <typename Base>
static void runKernel(const Stage &stage, int64_t lo, int64_t hi, int64_t worker,
                      const Base &base) {
  constexpr int64_t kOnStack = 512;
  alignas(16) char stack[kOnStack];
  std::vector<char> heap(stage.argsBytes > kOnStack ? size_t(stage.argsBytes) : 0);
  char *args = heap.empty() ? stack : heap.data();
  std::memcpy(args, stage.args, size_t(stage.argsBytes));
  for (const Patch &patch : stage.patches) {
    uintptr_t address = base(patch.block);
    std::memcpy(args + patch.offset, &address, sizeof address);
  }
  stage.fn(args, lo, hi, worker);
}

static const float *floats(const char *data, int64_t offset) {
  return reinterpret_cast<const float *>(data) + offset;
}

/// out [rows, n] = lhs [rows, k] x rhs, the one that is packed or, where none is, as
/// it is.
static void multiply(const KernelSet &kernels, const GemmProblem &p, const float *lhs,
                     const float *rhs, PackedRhs packed, float *out, int64_t rows) {
  PackedMatrix matrix{packed.panels, p.k, p.n};
  if (packed || p.k == 0)
    packed.kernels->block({lhs, p.lhs.ld, 1, &matrix, out, p.out.ld, rows, 0, p.n, 0, p.k,
                           false});
  else if (p.n > 0)
    kernels.direct({lhs, rhs, out, p.lhs.ld, p.rhs.ld, p.out.ld, rows, p.n, p.k,
                    p.rhs.transposed});
}

/// All stages on rows [lo, hi) of matrix `batch`.
static void runBlock(Job &job, int64_t batch, int64_t lo, int64_t hi,
                     int64_t worker) {
  const Stitch &stitch = job.stitch;
  const PackedGemm &kernels = *job.kernels.packed;
  char *room = job.room + worker * job.workerBytes;
  bool isPacked = job.packedBatch[size_t(worker)] == batch;
  job.packedBatch[size_t(worker)] = batch;
  int64_t first = batch * stitch.m + lo, last = batch * stitch.m + hi;
  auto local = [&](int64_t block) {
    return reinterpret_cast<float *>(room + job.blockOffset[size_t(block)]);
  };
  for (size_t i = 0; i < stitch.stages.size(); ++i) {
    const Stage &stage = stitch.stages[i];
    if (stage.fn) {
      int64_t items = stage.range / stitch.rows();
      runKernel(stage, first * items, last * items, worker, [&](int64_t block) {
        return reinterpret_cast<uintptr_t>(local(block)) -
               uintptr_t(first) * uintptr_t(stitch.rowBytes[size_t(block)]);
      });
      continue;
    }
    const GemmProblem &p = stage.product;
    auto row = [&](const Matrix &matrix, int64_t block) {
      return block >= 0 ? local(block)
                        : const_cast<float *>(floats(
                              matrix.data, batch * matrix.batchStrides[0] + lo * matrix.ld));
    };
    const float *rhs = floats(p.rhs.data, batch * p.rhs.batchStrides[0]);
    PackedRhs packed = stage.packed;
    if (job.packOffset[i] >= 0) {
      auto *own = reinterpret_cast<float *>(room + job.packOffset[i]);
      if (!isPacked)
        kernels.pack({rhs, p.rhs.ld, p.k, p.n, p.rhs.transposed}, 0, p.n, own);
      packed = {&kernels, own};
    }
    multiply(job.kernels, p, row(p.lhs, stage.lhsBlock), rhs, packed,
             row(p.out, stage.outBlock), hi - lo);
  }
}

static void runBlocks(void *data, int64_t lo, int64_t hi, int64_t worker) {
  Job &job = *static_cast<Job *>(data);
  for (int64_t i = lo; i < hi; ++i) {
    int64_t batch = i / job.blocksPerMatrix, block = i % job.blocksPerMatrix;
    Range rows = pieceOf(job.stitch.m, job.blocksPerMatrix, block, 1);
    runBlock(job, batch, rows.lo, rows.hi, worker);
  }
}

static int64_t cacheBytes() {
  static const int64_t bytes = [] {
    int64_t size = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return size > 0 ? size : int64_t(1) << 20;
  }();
  return bytes;
}

/// Lays out `bytes` for each block buffer; gives the sum.
template <typename Bytes>
static int64_t layOut(const Stitch &stitch, std::vector<int64_t> &offsets,
                      const Bytes &bytes) {
  int64_t total = 0;
  for (int64_t each : stitch.rowBytes) {
    offsets.push_back(total);
    // Not all a multiple of the same power of two apart.
    total += (bytes(each) + 63) / 64 * 64 + 192;
  }
  return total;
}

/// Each stage on all rows before the next one: for few rows, where a worker's
/// share is of columns.
static int32_t runByStages(ral_exec *exec, const Stitch &stitch) {
  const Parallel &parallel = exec->context.parallel;
  std::vector<int64_t> offsets;
  int64_t bytes = layOut(stitch, offsets, [&](int64_t rowBytes) {
    return rowBytes * stitch.rows();
  });
  char *room = static_cast<char *>(exec->alloc(bytes));
  if (!room)
    return RAL_OUT_OF_MEMORY;
  struct Call {
    const Stage &stage;
    const std::vector<int64_t> &offsets;
    char *room;
    char *buffer(int64_t block) const { return room + offsets[size_t(block)]; }
  };
  bool ok = true;
  for (const Stage &stage : stitch.stages) {
    Call call{stage, offsets, room};
    if (stage.fn) {
      parallel.run(
          [](void *data, int64_t lo, int64_t hi, int64_t worker) {
            const Call &call = *static_cast<Call *>(data);
            runKernel(call.stage, lo, hi, worker, [&](int64_t block) {
              return reinterpret_cast<uintptr_t>(call.buffer(block));
            });
          },
          &call, stage.range, stage.grain);
      continue;
    }
    GemmProblem product = stage.product;
    if (stage.lhsBlock >= 0)
      product.lhs.data = call.buffer(stage.lhsBlock);
    if (stage.outBlock >= 0)
      product.out.data = call.buffer(stage.outBlock);
    ok = productF32(exec, product, stage.packed);
    if (!ok)
      break;
  }
  exec->dealloc(room);
  return ok ? RAL_OK : RAL_OUT_OF_MEMORY;
}

/// Blocks of fewer rows are slow: products need a few, and more where they read
/// their right operands from memory.
static constexpr int64_t kLowestBlock = 12, kLowestStreamedBlock = 32;
static constexpr int64_t kHighestBlock = 192;
/// For as many rows of a matrix packing its right operand pays.
static constexpr int64_t kPackedRows = 16;

int32_t ral::stitch(ral_exec *exec, const ral_tensor *args, int64_t nargs,
                    const int64_t *ints, int64_t nints) {
  Stitch stitch;
  if (!readStitch(args, nargs, Reader{ints, ints + nints}, stitch))
    return exec->fail(RAL_INTERNAL, "ral.stitch: its stages do not agree");
  if (stitch.rows() == 0)
    return RAL_OK;
  for (Stage &stage : stitch.stages) {
    stage.packed = {&kernelsFor(exec, RAL_F32)};
    if (const GemmProblem &p = stage.product; !stage.fn && stitch.batch == 1)
      stage.packed = packedConstant(
          exec, {floats(p.rhs.data, 0), p.rhs.ld, p.k, p.n, p.rhs.transposed}, RAL_F32);
  }
  const Parallel &parallel = exec->context.parallel;
  int64_t workers = parallel.workers(), rowBytes = 1;
  bool aligned = true;
  double work = 0;
  int64_t rightBytes = 0;
  for (int64_t each : stitch.rowBytes)
    rowBytes += each;
  for (const Stage &stage : stitch.stages) {
    aligned &= !stage.fn || stage.range % stitch.rows() == 0;
    if (!stage.fn) {
      work += double(stage.product.n) * double(stage.product.k);
      rightBytes += stage.product.n * stage.product.k * int64_t(sizeof(float));
    }
  }
  work *= double(stitch.rows());
  if (work < 64. * 64 * 64)
    workers = 1;
  // The right operands are read once for each block: a block is as high as fits
  // into half of the cache, but no less than it takes for reading them to cost no
  // more than what the block hands on.
  bool streams = rightBytes > cacheBytes() / 2;
  int64_t height = std::max(cacheBytes() / 2, streams ? rightBytes : 0) / rowBytes;
  height = std::clamp(height, kLowestBlock, kHighestBlock);
  int64_t blocks = std::max<int64_t>((stitch.m + height - 1) / height, 1);
  if (stitch.batch < 4 * workers) {
    int64_t share = (workers + stitch.batch - 1) / stitch.batch;
    blocks = (blocks + share - 1) / share * share;
  }
  height = (stitch.m + blocks - 1) / blocks;
  int64_t lowest = streams ? kLowestStreamedBlock : kLowestBlock;
  if (!aligned || (workers > 1 && blocks > 1 && height < lowest))
    return runByStages(exec, stitch);
  const KernelSet &kernels = *exec->context.kernels;
  Job job{stitch, kernels, height, blocks, {}, {}, 0, nullptr, {}};
  job.packedBatch.assign(size_t(workers), -1);
  job.workerBytes = layOut(stitch, job.blockOffset, [&](int64_t bytes) {
    return bytes * height;
  });
  for (const Stage &stage : stitch.stages) {
    const GemmProblem &p = stage.product;
    bool pays = !stage.fn && !stage.packed && p.k > 0 && stitch.m >= kPackedRows;
    job.packOffset.push_back(pays ? job.workerBytes : -1);
    if (pays)
      job.workerBytes += (kernels.packed->packedBytes(p.k, p.n) + 63) / 64 * 64 + 64;
  }
  job.workerBytes += kBytesBetweenWorkers;
  job.room = static_cast<char *>(exec->alloc(job.workerBytes * workers));
  if (!job.room)
    return RAL_OUT_OF_MEMORY;
  int64_t tasks = stitch.batch * blocks;
  parallel.run(runBlocks, &job, tasks, workers > 1 ? 1 : tasks);
  exec->dealloc(job.room);
  return RAL_OK;
}
