// Matrix products: the call "ral.gemm".
#include "core/Execution.h"
#include "core/Status.h"
#include "core/Tensor.h"
#include "kernels/Blas.h"
#include "kernels/DirectGemm.h"
#include "kernels/GemmPlan.h"
#include "kernels/HalfFloat.h"
#include "kernels/Kernels.h"

#include <algorithm>
#include <climits>
#include <cstring>

using namespace ral;

namespace {
template <typename T> struct Job {
  const Blas *blas;
  DirectGemmFn direct; // null: not for these operands
  GemmProblem problem;
  GemmGrid grid;
};
} // namespace

template <typename T>
static T *at(const Matrix &matrix, int64_t offset, int64_t row,
             int64_t column) {
  if (matrix.transposed)
    std::swap(row, column);
  return reinterpret_cast<T *>(matrix.data) + offset + row * matrix.ld + column;
}

/// Where a matrix of the batch starts in each operand.
struct BatchOffsets {
  int64_t lhs = 0, rhs = 0, out = 0;
};

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

/// The product without a library.
template <typename T>
static void plainProduct(const GemmProblem &p, BatchOffsets batch, Range rows,
                         Range columns) {
  for (int64_t i = rows.lo; i < rows.hi; ++i)
    for (int64_t j = columns.lo; j < columns.hi; ++j) {
      T sum = 0;
      for (int64_t k = 0; k < p.k; ++k)
        sum += *at<T>(p.lhs, batch.lhs, i, k) * *at<T>(p.rhs, batch.rhs, k, j);
      *at<T>(p.out, batch.out, i, j) = sum;
    }
}

static void directProduct(DirectGemmFn direct, const GemmProblem &p,
                          BatchOffsets batch, Range rows, Range columns) {
  direct({at<float>(p.lhs, batch.lhs, rows.lo, 0),
          at<float>(p.rhs, batch.rhs, 0, columns.lo),
          at<float>(p.out, batch.out, rows.lo, columns.lo), p.lhs.ld, p.rhs.ld,
          p.out.ld, rows.hi - rows.lo, columns.hi - columns.lo, p.k,
          p.rhs.transposed});
}

static auto gemmOf(const Blas &blas, float) { return blas.sgemm; }
static auto gemmOf(const Blas &blas, double) { return blas.dgemm; }
static auto gemvOf(const Blas &blas, float) { return blas.sgemv; }
static auto gemvOf(const Blas &blas, double) { return blas.dgemv; }

template <typename T>
static void libraryProduct(const Blas &blas, const GemmProblem &p,
                           BatchOffsets batch, Range rows, Range columns) {
  int m = int(rows.hi - rows.lo), n = int(columns.hi - columns.lo);
  const T *a = at<T>(p.lhs, batch.lhs, rows.lo, 0);
  const T *b = at<T>(p.rhs, batch.rhs, 0, columns.lo);
  T *c = at<T>(p.out, batch.out, rows.lo, columns.lo);
  int k = int(p.k);
  if (m == 1) { // out^T = rhs^T lhs^T
    int incA = p.lhs.transposed ? int(p.lhs.ld) : 1;
    if (p.rhs.transposed)
      gemvOf(blas, T())(Blas::kRowMajor, Blas::kNoTrans, n, k, T(1), b,
                        int(p.rhs.ld), a, incA, T(0), c, 1);
    else
      gemvOf(blas, T())(Blas::kRowMajor, Blas::kTrans, k, n, T(1), b,
                        int(p.rhs.ld), a, incA, T(0), c, 1);
    return;
  }
  gemmOf(blas, T())(Blas::kRowMajor,
                    p.lhs.transposed ? Blas::kTrans : Blas::kNoTrans,
                    p.rhs.transposed ? Blas::kTrans : Blas::kNoTrans, m, n, k,
                    T(1), a, int(p.lhs.ld), b, int(p.rhs.ld), T(0), c,
                    int(p.out.ld));
}

template <typename T>
static void runPieces(void *data, int64_t lo, int64_t hi, int64_t) {
  auto &job = *static_cast<Job<T> *>(data);
  const GemmProblem &p = job.problem;
  // Tile bounds on full cache lines, where there are enough of them.
  int64_t unitN = p.n / job.grid.columns >= 64 ? 16 : 1;
  int64_t unitM = p.m / job.grid.rows >= 64 ? 16 : 1;
  for (int64_t piece = lo; piece < hi; ++piece) {
    int64_t tile = piece % (job.grid.rows * job.grid.columns);
    Range batches = pieceOf(p.batch, job.grid.batch,
                            piece / (job.grid.rows * job.grid.columns), 1);
    Range rows =
        pieceOf(p.m, job.grid.rows, tile / job.grid.columns, unitM);
    Range columns =
        pieceOf(p.n, job.grid.columns, tile % job.grid.columns, unitN);
    if (rows.lo == rows.hi || columns.lo == columns.hi)
      continue;
    for (int64_t batch = batches.lo; batch < batches.hi; ++batch) {
      BatchOffsets offsets = offsetsOf(p, batch);
      if (job.direct)
        directProduct(job.direct, p, offsets, rows, columns);
      else if (job.blas)
        libraryProduct<T>(*job.blas, p, offsets, rows, columns);
      else
        plainProduct<T>(p, offsets, rows, columns);
    }
  }
}

static bool fitsInt(const GemmProblem &p) {
  return std::max({p.m, p.n, p.k, p.lhs.ld, p.rhs.ld, p.out.ld}) <= INT_MAX;
}

/// Whether a piece of these sizes is faster without the library's packing, as
/// measured against OpenBLAS: it wins with many rows and a long inner
/// dimension, for row-major matrix-vector products, and for very few columns.
static bool preferDirect(const GemmProblem &p, const GemmGrid &grid) {
  if (!p.rhs.transposed && (p.m == 1 || p.n < 16))
    return false;
  return p.m / grid.rows < 256 || p.k < 512;
}

template <typename T>
static int32_t product(ral_exec *exec, const GemmProblem &problem) {
  if (problem.batch == 0 || problem.m == 0 || problem.n == 0)
    return 0;
  if (problem.k == 0) {
    for (int64_t b = 0; b < problem.batch; ++b)
      for (int64_t i = 0; i < problem.m; ++i)
        std::fill_n(at<T>(problem.out, offsetsOf(problem, b).out, i, 0),
                    problem.n, T(0));
    return 0;
  }
  const ral_context &context = exec->context;
  GemmGrid grid = planGemm(problem, context.parallel.workers());
  const Blas *blas = fitsInt(problem) ? context.blas : nullptr;
  bool direct = std::is_same_v<T, float> && !problem.lhs.transposed &&
                (!blas || preferDirect(problem, grid));
  Job<T> job{blas, direct ? directGemm() : nullptr, problem, grid};
  context.parallel.run(runPieces<T>, &job, job.grid.pieces(), 1);
  return 0;
}

/// Describes the last two dimensions of `tensor`; false when neither rows nor
/// columns are contiguous.
static bool view(const ral_tensor &tensor, bool transposed, Matrix &out) {
  int32_t rank = tensor.rank;
  int64_t rows = tensor.sizes[rank - 2], columns = tensor.sizes[rank - 1];
  int64_t rowStride = tensor.strides ? tensor.strides[rank - 2] : columns;
  int64_t columnStride = tensor.strides ? tensor.strides[rank - 1] : 1;
  out.data = static_cast<char *>(tensor.data);
  int64_t stride = rows * columns;
  for (int32_t dim = rank - 3; dim >= 0; --dim) {
    out.batchStrides[dim] = tensor.strides ? tensor.strides[dim] : stride;
    stride *= tensor.sizes[dim];
  }
  if (columnStride == 1 || columns <= 1) {
    out.transposed = transposed;
    out.ld = std::max<int64_t>({rowStride, columns, 1});
    return rows <= 1 || rowStride >= columns;
  }
  out.transposed = !transposed;
  out.ld = std::max<int64_t>({columnStride, rows, 1});
  return (rowStride == 1 || rows <= 1) && columnStride >= rows;
}

/// Copies an operand that BLAS cannot read, or converts it to f32.
static bool stage(ral_exec *exec, ral_tensor &tensor, bool widen) {
  bool contiguous = isContiguous(tensor);
  int64_t count = elementCount(tensor.sizes, tensor.rank);
  if (!contiguous) {
    void *copy = exec->alloc(byteCount(tensor.sizes, tensor.rank, tensor.dtype));
    if (!copy)
      return false;
    pack(tensor, copy);
    tensor.data = copy;
    tensor.strides = nullptr;
  }
  if (!widen)
    return true;
  auto *wide = static_cast<float *>(exec->alloc(count * int64_t(sizeof(float))));
  if (!wide)
    return false;
  widenHalf(exec->context.parallel, tensor.dtype,
            static_cast<const uint16_t *>(tensor.data), wide, count);
  if (!contiguous)
    exec->dealloc(tensor.data);
  tensor.data = wide;
  tensor.dtype = RAL_F32;
  return true;
}

static int32_t checkShapes(ral_exec *exec, const ral_tensor *args,
                           int64_t nargs, int64_t nints) {
  auto reject = [&](const std::string &why) {
    return exec->fail(RAL_INTERNAL, "ral.gemm: " + why);
  };
  if (nargs != 3 || nints != 2)
    return reject("expected 3 tensors and 2 integers");
  for (int64_t i = 0; i < 3; ++i)
    if (args[i].rank != args[2].rank || args[i].dtype != args[2].dtype ||
        args[i].rank < 2 || args[i].rank > 2 + kMaxBatchDims)
      return reject("expected tensors of one rank (2 to 8) and element type");
  return 0;
}

/// Fills batch, m, n, k; false when the operands do not agree.
static bool sizesOf(const ral_tensor *args, bool transposeLhs,
                    bool transposeRhs, GemmProblem &p) {
  int32_t rank = args[2].rank;
  const int64_t *lhs = args[0].sizes + rank - 2;
  const int64_t *rhs = args[1].sizes + rank - 2;
  const int64_t *out = args[2].sizes + rank - 2;
  p.m = out[0];
  p.n = out[1];
  p.k = lhs[transposeLhs ? 0 : 1];
  p.batchDims = rank - 2;
  p.batch = elementCount(args[2].sizes, p.batchDims);
  bool agree = true;
  for (int32_t dim = 0; dim < p.batchDims; ++dim) {
    p.batchSizes[dim] = args[2].sizes[dim];
    agree &= args[0].sizes[dim] == p.batchSizes[dim] &&
             args[1].sizes[dim] == p.batchSizes[dim];
  }
  return agree && lhs[transposeLhs ? 1 : 0] == p.m &&
         rhs[transposeRhs ? 1 : 0] == p.k && rhs[transposeRhs ? 0 : 1] == p.n;
}

int32_t ral::gemm(ral_exec *exec, const ral_tensor *given, int64_t nargs,
                  const int64_t *ints, int64_t nints) {
  if (int32_t failed = checkShapes(exec, given, nargs, nints))
    return failed;
  GemmProblem problem;
  if (!sizesOf(given, ints[0] != 0, ints[1] != 0, problem))
    return exec->fail(RAL_INTERNAL, "ral.gemm: the sizes do not agree");
  int32_t dtype = given[2].dtype;
  bool widen = dtype == RAL_F16 || dtype == RAL_BF16;
  if (!widen && dtype != RAL_F32 && dtype != RAL_F64)
    return exec->fail(RAL_UNSUPPORTED,
                      concat("ral.gemm: element type ", ral_dtype_name(dtype)));
  ral_tensor args[3] = {given[0], given[1], given[2]};
  Matrix *views[3] = {&problem.lhs, &problem.rhs, &problem.out};
  for (int i = 0; i < 2; ++i)
    if (widen || !view(args[i], ints[i] != 0, *views[i])) {
      if (!stage(exec, args[i], widen))
        return RAL_OUT_OF_MEMORY;
      view(args[i], ints[i] != 0, *views[i]);
    }
  if (!view(args[2], false, problem.out) || problem.out.transposed ||
      (widen && !isContiguous(args[2])))
    return exec->fail(RAL_INTERNAL, "ral.gemm: the output is not row-major");
  int64_t count = elementCount(args[2].sizes, args[2].rank);
  if (widen) {
    problem.out.data =
        static_cast<char *>(exec->alloc(count * int64_t(sizeof(float))));
    if (!problem.out.data)
      return RAL_OUT_OF_MEMORY;
  }
  if (dtype == RAL_F64)
    product<double>(exec, problem);
  else
    product<float>(exec, problem);
  if (widen) {
    narrowHalf(exec->context.parallel, dtype,
               reinterpret_cast<float *>(problem.out.data),
               static_cast<uint16_t *>(args[2].data), count);
    exec->dealloc(problem.out.data);
  }
  for (int i = 0; i < 2; ++i)
    if (args[i].data != given[i].data)
      exec->dealloc(args[i].data);
  return 0;
}
