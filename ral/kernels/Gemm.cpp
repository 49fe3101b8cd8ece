// Matrix products: the call "ral.gemm".
#include "core/Execution.h"
#include "core/Status.h"
#include "core/Tensor.h"
#include "kernels/GemmProduct.h"
#include "kernels/HalfFloat.h"
#include "kernels/Kernels.h"
#include "kernels/PackedConstant.h"

#include <algorithm>

using namespace ral;

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
  PackedRhs packed{&kernelsFor(exec, dtype)};
  if (dtype != RAL_F64 && problem.batch == 1 &&
      view(args[1], ints[1] != 0, problem.rhs))
    packed = packedConstant(exec,
                            {reinterpret_cast<float *>(problem.rhs.data),
                             problem.rhs.ld, problem.k, problem.n,
                             problem.rhs.transposed},
                            dtype);
  for (int i = 0; i < (packed ? 1 : 2); ++i)
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
    productF64(exec, problem);
  else if (!productF32(exec, problem, packed))
    return RAL_OUT_OF_MEMORY;
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
