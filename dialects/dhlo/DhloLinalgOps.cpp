// Linear algebra, transforms, random numbers.
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"
#include "dialects/dhlo/DhloTypeAssembly.h"

using namespace mlir;
using namespace mlir::dhlo;

/// Checks that the last two dimensions of `a` are square matrices.
template <typename OpT>
static LogicalResult checkSquare(std::optional<Location> loc, Value a) {
  ArrayRef<int64_t> shape = tensorTypeOf(a).getShape();
  if (shape.size() >= 2 &&
      mayBeEqual(shape[shape.size() - 2], shape[shape.size() - 1]))
    return success();
  return opError<OpT>(loc, "`a` of type ", a.getType(),
                      " does not hold square matrices");
}

//===----------------------------------------------------------------------===//
// CholeskyOp, TriangularSolveOp
//===----------------------------------------------------------------------===//

LogicalResult CholeskyOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           Adaptor op,
                                           SmallVectorImpl<Type> &types) {
  if (failed(checkSquare<CholeskyOp>(loc, op.getA())))
    return failure();
  types.push_back(op.getA().getType());
  return success();
}

DHLO_REIFY_LIKE_FIRST_OPERAND(CholeskyOp)

LogicalResult
TriangularSolveOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                    Adaptor op, SmallVectorImpl<Type> &types) {
  if (failed(checkSquare<TriangularSolveOp>(loc, op.getA())))
    return failure();
  RankedTensorType a = tensorTypeOf(op.getA()), b = tensorTypeOf(op.getB());
  int64_t rank = a.getRank();
  int64_t side = op.getLeftSide() ? rank - 2 : rank - 1;
  bool fits = b.getRank() == rank && a.getElementType() == b.getElementType() &&
              mayBeEqual(a.getDimSize(rank - 1), b.getDimSize(side));
  for (int64_t i = 0; fits && i < rank - 2; ++i)
    fits = mayBeEqual(a.getDimSize(i), b.getDimSize(i));
  if (!fits)
    return opError<TriangularSolveOp>(loc, "`b` of type ", b,
                                      " does not fit `a` of type ", a);
  if (op.getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return opError<TriangularSolveOp>(
        loc, "`transpose_a` is TRANSPOSE_INVALID, expected NO_TRANSPOSE, "
             "TRANSPOSE or ADJOINT");
  types.push_back(b);
  return success();
}

LogicalResult
TriangularSolveOp::reifyResultShapes(OpBuilder &builder,
                                     ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder s(builder, getLoc());
  shapes.push_back(s.conform(getType(), dimsOf(getB(), s)));
  return success();
}

//===----------------------------------------------------------------------===//
// FftOp
//===----------------------------------------------------------------------===//

template <typename S>
static SmallVector<typename S::Size> sizesOf(FftOp::Adaptor op, S &s) {
  auto sizes = dimsOf(op.getOperand(), s);
  int64_t last = op.getFftLength().back();
  if (op.getFftType() == FftType::RFFT)
    sizes.back() = s.constant(last == 0 ? 0 : last / 2 + 1);
  if (op.getFftType() == FftType::IRFFT)
    sizes.back() = s.constant(last);
  return sizes;
}

LogicalResult FftOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc, Adaptor op,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType operand = tensorTypeOf(op.getOperand());
  ArrayRef<int64_t> lengths = op.getFftLength();
  int64_t count = lengths.size(), rank = operand.getRank();
  if (count < 1 || count > 3 || count > rank)
    return opError<FftOp>(loc, "`fft_length` ", formatList(lengths), " has ",
                          count, " entries, expected 1 to 3 and not more than "
                                 "`operand` of type ",
                          operand, " has dimensions");
  if (llvm::any_of(lengths, [](int64_t length) { return length < 0; }))
    return opError<FftOp>(loc, "`fft_length` ", formatList(lengths),
                          " has a negative length");
  FftType type = op.getFftType();
  auto complex = dyn_cast<ComplexType>(operand.getElementType());
  if (!complex == (type != FftType::RFFT))
    return opError<FftOp>(loc, "`operand` of type ", operand, " does not hold ",
                          type == FftType::RFFT ? "real" : "complex",
                          " numbers, which ", stringifyFftType(type),
                          " expects");
  for (int64_t i = 0; i < count; ++i) {
    int64_t size = operand.getDimSize(rank - count + i);
    bool halved = type == FftType::IRFFT && i + 1 == count;
    int64_t expected =
        halved && lengths[i] != 0 ? lengths[i] / 2 + 1 : lengths[i];
    if (!mayBeEqual(size, expected))
      return opError<FftOp>(loc, "`operand` of type ", operand, " has size ",
                            size, " in dimension ", rank - count + i,
                            ", but `fft_length` ", formatList(lengths),
                            " needs ", expected);
  }
  Type element = operand.getElementType();
  if (type == FftType::RFFT)
    element = ComplexType::get(element);
  if (type == FftType::IRFFT)
    element = complex.getElementType();
  StaticSizes s;
  types.push_back(RankedTensorType::get(sizesOf(op, s), element));
  return success();
}

DHLO_REIFY(FftOp)

//===----------------------------------------------------------------------===//
// RngOp, RngBitGeneratorOp
//===----------------------------------------------------------------------===//

LogicalResult RngOp::verify() {
  int64_t rank = tensorTypeOf(getShape()).getDimSize(0);
  if (!mayBeEqual(rank, rankOf(getResult())))
    return emitOpError("`shape` of type ")
           << getShape().getType() << " gives a rank of " << rank
           << ", expected the rank of the result type " << getType();
  if (failed(verifySameElement(*this, getResult(), "a", getA())))
    return failure();
  return verifySameElement(*this, getResult(), "b", getB());
}

LogicalResult RngOp::reifyResultShapes(OpBuilder &builder,
                                       ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder s(builder, getLoc());
  RankedTensorType type = tensorTypeOf(getResult());
  SmallVector<OpFoldResult> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(type.isDynamicDim(i) ? s.element(getShape(), {i})
                                         : s.constant(type.getDimSize(i)));
  shapes.push_back(s.conform(type, sizes));
  return success();
}

LogicalResult RngBitGeneratorOp::verify() {
  if (areCompatible(getInitialState().getType(), getOutputState().getType()))
    return success();
  return emitOpError("`initial_state` of type ")
         << getInitialState().getType()
         << " does not have the type of the next state "
         << getOutputState().getType();
}

#define GET_OP_CLASSES
#include "dialects/dhlo/DhloLinalgOps.cpp.inc"
