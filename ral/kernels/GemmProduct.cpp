// Matrix products over the workers of a context: which kernel, which pieces.
#include "kernels/GemmProduct.h"

#include "core/Execution.h"
#include "kernels/Blas.h"
#include "kernels/KernelSet.h"

#include <algorithm>
#include <climits>

using namespace ral;

namespace {
/// Where a matrix of the batch starts in each operand.
struct BatchOffsets {
  int64_t lhs = 0, rhs = 0, out = 0;
};

struct Job {
  GemmProblem problem;
  GemmGrid grid;
  int64_t unitM = 1, unitN = 1; // bounds of pieces are multiples of these
  void (*piece)(const Job &, int64_t batch, Range rows, Range columns,
                int64_t worker) = nullptr;
  const Blas *blas = nullptr;
  DirectGemmFn direct = nullptr;
  const PackedGemm *kernels = nullptr;
  char *panels = nullptr;   // rhs packed: one matrix for all,
  int64_t panelsStride = 0; // or so many bytes from each other
  bool packsEach = false;   // a worker packs each of its matrices to its own
};
} // namespace

template <typename T>
static T *at(const Matrix &matrix, int64_t offset, int64_t row,
             int64_t column) {
  if (matrix.transposed)
    std::swap(row, column);
  return reinterpret_cast<T *>(matrix.data) + offset + row * matrix.ld + column;
}

static BatchOffsets offsetsOf(const GemmProblem &p, int64_t batch) {
  BatchOffsets offsets;
  for (int32_t dim = p.batchDims - 1; dim >= 0; --dim) {
    int64_t index = batch % p.batchSizes[dim];
    batch /= p.batchSizes[dim];
    offsets.lhs += index * p.lhs.batchStrides[dim];
    offsets.rhs += index * p.rhs.batchStrides[dim];
    offsets.out += index * p.out.batchStrides[dim];
  }
  return offsets;
}

static void runPieces(void *data, int64_t lo, int64_t hi, int64_t worker) {
  const Job &job = *static_cast<Job *>(data);
  const GemmProblem &p = job.problem;
  const GemmGrid &grid = job.grid;
  for (int64_t piece = lo; piece < hi; ++piece) {
    int64_t tile = piece % (grid.rows * grid.columns);
    Range batches =
        pieceOf(p.batch, grid.batch, piece / (grid.rows * grid.columns), 1);
    Range rows = pieceOf(p.m, grid.rows, tile / grid.columns, job.unitM);
    Range columns = pieceOf(p.n, grid.columns, tile % grid.columns, job.unitN);
    if (rows.lo == rows.hi || columns.lo == columns.hi)
      continue;
    for (int64_t batch = batches.lo; batch < batches.hi; ++batch)
      job.piece(job, batch, rows, columns, worker);
  }
}

static void run(const Parallel &parallel, Job &job) {
  parallel.run(runPieces, &job, job.grid.pieces(), 1);
}

/// True when there is nothing to multiply; the output is zero then.
template <typename T> static bool finishEmpty(const GemmProblem &p) {
  if (p.batch == 0 || p.m == 0 || p.n == 0)
    return true;
  if (p.k > 0)
    return false;
  for (int64_t b = 0; b < p.batch; ++b)
    for (int64_t i = 0; i < p.m; ++i)
      std::fill_n(at<T>(p.out, offsetsOf(p, b).out, i, 0), p.n, T(0));
  return true;
}

// ---- f64

static void plainPiece(const Job &job, int64_t batch, Range rows, Range columns,
                       int64_t) {
  const GemmProblem &p = job.problem;
  BatchOffsets start = offsetsOf(p, batch);
  for (int64_t i = rows.lo; i < rows.hi; ++i)
    for (int64_t j = columns.lo; j < columns.hi; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < p.k; ++k)
        sum += *at<double>(p.lhs, start.lhs, i, k) *
               *at<double>(p.rhs, start.rhs, k, j);
      *at<double>(p.out, start.out, i, j) = sum;
    }
}

static void libraryPiece(const Job &job, int64_t batch, Range rows,
                         Range columns, int64_t) {
  const GemmProblem &p = job.problem;
  BatchOffsets start = offsetsOf(p, batch);
  int m = int(rows.hi - rows.lo), n = int(columns.hi - columns.lo);
  int k = int(p.k);
  const double *a = at<double>(p.lhs, start.lhs, rows.lo, 0);
  const double *b = at<double>(p.rhs, start.rhs, 0, columns.lo);
  double *c = at<double>(p.out, start.out, rows.lo, columns.lo);
  bool flip = p.rhs.transposed;
  if (m == 1) // out^T = rhs^T lhs^T
    job.blas->dgemv(Blas::kRowMajor, flip ? Blas::kNoTrans : Blas::kTrans,
                    flip ? n : k, flip ? k : n, 1, b, int(p.rhs.ld), a,
                    p.lhs.transposed ? int(p.lhs.ld) : 1, 0, c, 1);
  else
    job.blas->dgemm(Blas::kRowMajor,
                    p.lhs.transposed ? Blas::kTrans : Blas::kNoTrans,
                    flip ? Blas::kTrans : Blas::kNoTrans, m, n, k, 1, a,
                    int(p.lhs.ld), b, int(p.rhs.ld), 0, c, int(p.out.ld));
}

void ral::productF64(ral_exec *exec, const GemmProblem &p) {
  if (finishEmpty<double>(p))
    return;
  const ral_context &context = exec->context;
  bool fitsInt =
      std::max({p.m, p.n, p.k, p.lhs.ld, p.rhs.ld, p.out.ld}) <= INT_MAX;
  Job job{p, planGemm(p, context.parallel.workers(), {1, 1})};
  job.blas = fitsInt ? context.blas : nullptr;
  job.piece = job.blas ? libraryPiece : plainPiece;
  // Bounds on full cache lines, where there are enough of them.
  job.unitM = p.m / job.grid.rows >= 64 ? 8 : 1;
  job.unitN = p.n / job.grid.columns >= 64 ? 8 : 1;
  run(context.parallel, job);
}

// ---- f32

static void directPiece(const Job &job, int64_t batch, Range rows,
                        Range columns, int64_t) {
  const GemmProblem &p = job.problem;
  BatchOffsets start = offsetsOf(p, batch);
  job.direct({at<float>(p.lhs, start.lhs, rows.lo, 0),
                at<float>(p.rhs, start.rhs, 0, columns.lo),
                at<float>(p.out, start.out, rows.lo, columns.lo), p.lhs.ld,
                p.rhs.ld, p.out.ld, rows.hi - rows.lo, columns.hi - columns.lo,
                p.k, p.rhs.transposed});
}

static PackSource sourceOf(const GemmProblem &p, int64_t offset) {
  return {at<float>(p.rhs, offset, 0, 0), p.rhs.ld, p.k, p.n, p.rhs.transposed};
}

static void packedPiece(const Job &job, int64_t batch, Range rows,
                        Range columns, int64_t worker) {
  const GemmProblem &p = job.problem;
  const PackedGemm &kernels = *job.kernels;
  BatchOffsets start = offsetsOf(p, batch);
  char *panels =
      job.panels + job.panelsStride * (job.packsEach ? worker : batch);
  if (job.packsEach)
    kernels.pack(sourceOf(p, start.rhs), 0, p.n, panels);
  PackedMatrix packed{panels, p.k, p.n};
  bool flip = p.lhs.transposed;
  kernels.block({at<float>(p.lhs, start.lhs, rows.lo, 0),
                 flip ? 1 : p.lhs.ld, flip ? p.lhs.ld : 1, &packed,
                 at<float>(p.out, start.out, rows.lo, columns.lo), p.out.ld,
                 rows.hi - rows.lo, columns.lo, columns.hi, 0, p.k, false});
}

static void packPiece(const Job &job, int64_t batch, Range, Range columns,
                      int64_t) {
  const GemmProblem &p = job.problem;
  job.kernels->pack(sourceOf(p, offsetsOf(p, batch).rhs), columns.lo,
                    columns.hi, job.panels + job.panelsStride * batch);
}

/// Packs all of rhs to the panels of `product`.
static void packAll(const Parallel &parallel, const Job &product) {
  Job job = product;
  job.problem.m = 64; // the time of packing, in multiply-adds
  int64_t panel = product.kernels->panel;
  job.grid = planGemm(job.problem, parallel.workers(), {job.problem.m, panel});
  job.piece = packPiece;
  run(parallel, job);
}

/// Whether packing an operand that changes pays, as measured: where b is read
/// often, or where its rows are no whole vectors.
static bool worthPacking(const GemmProblem &p) {
  if (p.n < kFewColumns)
    return p.lhs.transposed;
  bool ragged = p.n % 16 != 0 && p.m >= 64 && p.k >= 256;
  return p.lhs.transposed || ragged || (p.m >= 384 && p.k >= 256);
}

/// A row-major rhs of few columns is read as its transpose.
static float *transposeFewColumns(ral_exec *exec, GemmProblem &p) {
  auto *copy = static_cast<float *>(
      exec->alloc(p.batch * p.n * p.k * int64_t(sizeof(float))));
  if (!copy)
    return nullptr;
  for (int64_t b = 0; b < p.batch; ++b) {
    const float *from = at<float>(p.rhs, offsetsOf(p, b).rhs, 0, 0);
    for (int64_t k = 0; k < p.k; ++k)
      for (int64_t j = 0; j < p.n; ++j)
        copy[(b * p.n + j) * p.k + k] = from[k * p.rhs.ld + j];
  }
  p.rhs.data = reinterpret_cast<char *>(copy);
  p.rhs.transposed = true;
  p.rhs.ld = p.k;
  int64_t stride = p.n * p.k;
  for (int32_t dim = p.batchDims - 1; dim >= 0; --dim) {
    p.rhs.batchStrides[dim] = stride;
    stride *= p.batchSizes[dim];
  }
  return copy;
}

bool ral::productF32(ral_exec *exec, const GemmProblem &p, PackedRhs packed) {
  if (finishEmpty<float>(p))
    return true;
  const Parallel &parallel = exec->context.parallel;
  const PackedGemm &kernels = *packed.kernels;
  bool packs = !packed && worthPacking(p);
  GemmTile tile{8, 16};
  if (packed || packs)
    tile = {kernels.rows, kernels.panel};
  Job job{p, planGemm(p, parallel.workers(), tile), 1, tile.columns,
          directPiece};
  void *scratch = nullptr;
  if (packed || packs)
    job.piece = packedPiece;
  job.direct = exec->context.kernels->direct;
  job.kernels = &kernels;
  // Read only, where they are not ours.
  job.panels = static_cast<char *>(const_cast<void *>(packed.panels));
  if (packs) {
    job.packsEach = job.grid.rows * job.grid.columns == 1;
    job.panelsStride = (kernels.packedBytes(p.k, p.n) + 63) / 64 * 64;
    if (job.packsEach)
      job.panelsStride += kBytesBetweenWorkers;
    int64_t workers = std::min(parallel.workers(), job.grid.pieces());
    int64_t copies = job.packsEach ? workers : p.batch;
    scratch = exec->alloc(copies * job.panelsStride);
    if (!scratch)
      return false;
    job.panels = static_cast<char *>(scratch);
    if (!job.packsEach)
      packAll(parallel, job);
  } else if (!packed && p.n < kFewColumns && !p.rhs.transposed && p.m > 8 &&
             p.batch * p.k <= 1 << 16) {
    scratch = transposeFewColumns(exec, job.problem);
    if (!scratch)
      return false;
  }
  run(parallel, job);
  exec->dealloc(scratch);
  return true;
}
