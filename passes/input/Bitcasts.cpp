// Pass input-bitcasts: a bit cast that changes the number of elements becomes shifts, so that what stays is elementwise.
//
// Element i of the trailing dimension holds bits [i * w, (i + 1) * w) of the wide element. A complex number is its real, then its imaginary part.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/input/TensorBuilders.h"

using namespace mlir;

static unsigned widthOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

namespace {

class Bits {
public:
  explicit Bits(Operation *op) : b(op), loc(op->getLoc()) {}

  /// `value` with elements of type `to`; a trailing dimension appears where they are narrower and goes where they are wider.
  Value cast(Value value, Type to) {
    auto from = mlir::cast<RankedTensorType>(value.getType()).getElementType();
    if (isa<ComplexType>(from))
      return castFromComplex(value, mlir::cast<ComplexType>(to));
    if (auto complex = dyn_cast<ComplexType>(to))
      return castToComplex(value, complex);
    unsigned width = widthOf(from), target = widthOf(to);
    if (width > target)
      return same(split(same(value, integer(width)), width, target), to);
    if (width < target)
      return same(join(same(value, integer(width)), width, target), to);
    return same(value, to);
  }

  /// Checks at run time that the trailing dimension of `value` has `expected` elements.
  void checkTrailing(Value value, int64_t expected) {
    auto type = mlir::cast<RankedTensorType>(value.getType());
    int64_t last = type.getRank() - 1;
    if (!type.isDynamicDim(last))
      return;
    Value size = tensor::DimOp::create(b, loc, value, last);
    Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, size,
                                       arith::ConstantIndexOp::create(b, loc, expected));
    cf::AssertOp::create(b, loc, fits,
                         ("bitcast_convert: expected " + Twine(expected) + " elements in dimension " + Twine(last) +
                          " of the operand, the bits of one of the result")
                             .str());
  }

  /// `value` of another shape type, or itself.
  Value conform(Value value, Type type) {
    return value.getType() == type ? value : tensor::CastOp::create(b, loc, type, value).getResult();
  }

private:
  Type integer(unsigned width) { return IntegerType::get(b.getContext(), width, IntegerType::Unsigned); }

  /// A bit cast between types of one width.
  Value same(Value value, Type to) {
    auto type = mlir::cast<RankedTensorType>(value.getType());
    if (type.getElementType() == to)
      return value;
    return dhlo::BitcastConvertOp::create(b, loc, type.clone(to), value);
  }

  Value convert(Value value, Type to) {
    return dhlo::ConvertOp::create(b, loc, mlir::cast<RankedTensorType>(value.getType()).clone(to), value);
  }

  SmallVector<Value> sizesOf(Value value) {
    SmallVector<Value> sizes;
    for (int64_t i = 0; i < mlir::cast<RankedTensorType>(value.getType()).getRank(); ++i)
      sizes.push_back(tensor::DimOp::create(b, loc, value, i));
    return sizes;
  }

  Value shapeOf(ArrayRef<Value> sizes) { return disc::listOf(b, loc, sizes); }

  /// 0, step, 2 * step, ... along the last dimension of a tensor of `type`.
  Value offsets(RankedTensorType type, ArrayRef<Value> sizes, int64_t step) {
    Value shape = shapeOf(sizes);
    Value iota = dhlo::DynamicIotaOp::create(b, loc, type, shape, b.getI64IntegerAttr(type.getRank() - 1));
    Type element = type.getElementType();
    Value factor = disc::scalarConstant(b, loc, element, IntegerAttr::get(element, APInt(widthOf(element), step)));
    return dhlo::MulOp::create(b, loc, iota, disc::broadcastTo(b, loc, factor, type, shape));
  }

  /// [...] of `width` bits -> [..., width / target] of `target` bits.
  Value split(Value value, unsigned width, unsigned target) {
    auto type = mlir::cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(width / target);
    SmallVector<Value> sizes = sizesOf(value);
    sizes.push_back(arith::ConstantIndexOp::create(b, loc, width / target));
    auto wide = RankedTensorType::get(shape, type.getElementType());
    auto dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    Value spread = disc::broadcastTo(b, loc, value, wide, shapeOf(sizes), dims);
    Value shifted = dhlo::ShiftRightLogicalOp::create(b, loc, spread, offsets(wide, sizes, target));
    return convert(shifted, integer(target));
  }

  /// [..., target / width] of `width` bits -> [...] of `target` bits.
  Value join(Value value, unsigned width, unsigned target) {
    Value wide = convert(value, integer(target));
    auto type = mlir::cast<RankedTensorType>(wide.getType());
    Value shifted = dhlo::ShiftLeftOp::create(b, loc, wide, offsets(type, sizesOf(value), width));
    return disc::reduceFromZero(b, loc, shifted, type.getRank() - 1, [&](Value lhs, Value rhs) {
      return dhlo::OrOp::create(b, loc, lhs, rhs);
    });
  }

  Value castFromComplex(Value value, ComplexType to) {
    auto type = mlir::cast<RankedTensorType>(value.getType());
    if (type.getElementType() == to)
      return value;
    Type part = mlir::cast<ComplexType>(type.getElementType()).getElementType();
    SmallVector<Value> sizes = sizesOf(value), parts;
    sizes.push_back(arith::ConstantIndexOp::create(b, loc, 1));
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(1);
    auto column = RankedTensorType::get(shape, part);
    for (Value half : {dhlo::RealOp::create(b, loc, type.clone(part), value).getResult(),
                       dhlo::ImagOp::create(b, loc, type.clone(part), value).getResult()})
      parts.push_back(dhlo::DynamicReshapeOp::create(b, loc, column, half, shapeOf(sizes)));
    shape.back() = 2;
    Value both = dhlo::ConcatenateOp::create(b, loc, RankedTensorType::get(shape, part), parts,
                                             b.getI64IntegerAttr(type.getRank()));
    return castToComplex(both, to);
  }

  Value castToComplex(Value value, ComplexType to) {
    Value both = cast(value, to.getElementType());
    auto type = mlir::cast<RankedTensorType>(both.getType());
    int64_t last = type.getRank() - 1;
    auto half = RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
    SmallVector<Value> sizes = sizesOf(both), parts;
    sizes.pop_back();
    for (int64_t i : {0, 1}) {
      SmallVector<Value> starts(last + 1, arith::ConstantIndexOp::create(b, loc, 0)),
          strides(last + 1, arith::ConstantIndexOp::create(b, loc, 1)), limits = sizesOf(both);
      starts.back() = arith::ConstantIndexOp::create(b, loc, i);
      limits.back() = arith::ConstantIndexOp::create(b, loc, i + 1);
      SmallVector<int64_t> shape(type.getShape());
      shape.back() = 1;
      Value column = dhlo::RealDynamicSliceOp::create(b, loc, RankedTensorType::get(shape, type.getElementType()), both,
                                                      shapeOf(starts), shapeOf(limits), shapeOf(strides));
      parts.push_back(dhlo::DynamicReshapeOp::create(b, loc, half, column, shapeOf(sizes)));
    }
    return dhlo::ComplexOp::create(b, loc, half.clone(Type(to)), parts[0], parts[1]);
  }

  OpBuilder b;
  Location loc;
};

} // namespace

LogicalResult disc::runInputBitcasts(func::FuncOp func) {
  SmallVector<dhlo::BitcastConvertOp> casts;
  func.walk([&](dhlo::BitcastConvertOp op) {
    Type from = getElementTypeOrSelf(op.getOperand().getType()), to = getElementTypeOrSelf(op.getType());
    if (from != to && (widthOf(from) != widthOf(to) || isa<ComplexType>(from) || isa<ComplexType>(to)))
      casts.push_back(op);
  });
  for (dhlo::BitcastConvertOp op : casts) {
    Bits bits(op);
    unsigned from = widthOf(getElementTypeOrSelf(op.getOperand().getType()));
    unsigned to = widthOf(getElementTypeOrSelf(op.getType()));
    if (from < to)
      bits.checkTrailing(op.getOperand(), to / from);
    Value result = bits.cast(op.getOperand(), getElementTypeOrSelf(op.getType()));
    op.replaceAllUsesWith(bits.conform(result, op.getType()));
    op.erase();
  }
  return success();
}
