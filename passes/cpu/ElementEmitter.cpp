// The recursion of the element emitter: memory of what is known, leaves, sizes and scalars of the body.
#include "passes/cpu/ElementEmitter.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/ScalarOps.h"

using namespace mlir;

namespace disc {

ElementEmitter::ElementEmitter(Site &site) : site(site), sizes(site.fusion.getBody().front()) { scopes.emplace_back(); }

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

/// Indices into unit dimensions are 0, and constants are the site's: the same place has the same index values.
SmallVector<Value> ElementEmitter::normalise(Value tensor, ValueRange index) {
  SmallVector<Value> result = llvm::to_vector(index);
  auto type = cast<RankedTensorType>(tensor.getType());
  for (auto [d, i] : llvm::enumerate(result)) {
    if (type.getDimSize(d) == 1)
      i = constant(0);
    else if (std::optional<int64_t> number = getConstantIntValue(i))
      i = constant(*number);
  }
  return result;
}

Value ElementEmitter::lookup(Value tensor, ValueRange index) const {
  for (const Memo &memo : llvm::reverse(scopes)) {
    auto known = memo.find(tensor);
    if (known == memo.end())
      continue;
    for (const auto &[at, element] : known->second)
      if (llvm::equal(at, index))
        return element;
  }
  return {};
}

void ElementEmitter::bind(Value tensor, ValueRange index, Value element) {
  scopes.back()[tensor].emplace_back(SmallVector<Value, 4>(normalise(tensor, index)), element);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value ElementEmitter::emit(OpBuilder &b, Location loc, Value tensor, ValueRange index) {
  SmallVector<Value> at = normalise(tensor, index);
  if (Value known = lookup(tensor, at))
    return known;
  Value element;
  if (auto arg = dyn_cast<BlockArgument>(tensor))
    element = emitLeaf(b, arg, at);
  else
    element = emitOp({*this, b, tensor.getDefiningOp()->getLoc(), cast<OpResult>(tensor), at});
  bind(tensor, at, element);
  return element;
}

Value ElementEmitter::emitLeaf(OpBuilder &b, BlockArgument arg, ValueRange index) {
  Type elementType = getElementTypeOrSelf(arg.getType());
  if (arg.getOwner() != &site.fusion.getBody().front())
    return fail(b, arg.getOwner()->getParentOp(), elementType, "uses a region argument outside its region");
  if (std::optional<Folded> folded = fold(arg, index))
    return emitLoad(b, site.loc(), site.input(arg.getArgNumber(), folded->fold), folded->index, elementType);
  return emitLoad(b, site.loc(), site.input(arg.getArgNumber()), index, elementType);
}

Value ElementEmitter::emitOp(const ElementRequest &request) {
  using Family = Value (*)(const ElementRequest &);
  static constexpr Family families[] = {emitIndexMapOp, emitSourceOp, emitPieceOp, emitReduceOp, emitGatherOp, emitContractionOp};
  for (Family family : families)
    if (Value element = family(request))
      return element;
  Operation *op = request.result.getOwner();
  if (isScalarOp(op)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      bool scalar = cast<RankedTensorType>(operand.getType()).getRank() == 0;
      operands.push_back(emit(request.b, request.loc, operand, scalar ? ValueRange() : request.index));
    }
    if (Value element = emitScalarOp(request.b, request.loc, op, operands, request.elementType()))
      return element;
    return fail(request.b, op, request.elementType(), "has no scalar code for these element types");
  }
  return fail(request.b, op, request.elementType(), "has no CPU kernel yet");
}

Value ElementEmitter::emitIndex(OpBuilder &b, Location loc, Value tensor, ValueRange index) {
  Value element = emit(b, loc, tensor, index);
  if (element.getType().isIndex())
    return element;
  Type type = getElementTypeOrSelf(tensor.getType());
  if (type.isUnsignedInteger(64)) { // beyond every size stays beyond
    Value most = arith::ConstantIntOp::create(b, loc, std::numeric_limits<int64_t>::max(), 64);
    element = b.createOrFold<arith::MinUIOp>(loc, element, most);
  }
  if (type.isUnsignedInteger())
    return b.createOrFold<arith::IndexCastUIOp>(loc, b.getIndexType(), element);
  return b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), element);
}

SmallVector<Value> ElementEmitter::emitRegion(OpBuilder &b, Location loc, Region &region, ValueRange arguments) {
  Scope scope(*this);
  Block &block = region.front();
  for (auto [arg, value] : llvm::zip_equal(block.getArguments(), arguments))
    bind(arg, {}, value);
  SmallVector<Value> results;
  for (Value result : block.getTerminator()->getOperands())
    results.push_back(emit(b, loc, result, {}));
  return results;
}

SmallVector<Value> ElementEmitter::unfold(OpBuilder &b, Location loc, Value position, ValueRange dims) {
  SmallVector<Value> index = IndexMath(b, loc, site).delinearise(position, dims);
  if (site.folds() && !index.empty() && index.back() != position)
    unfolded.push_back({llvm::to_vector(dims), index, position, Value()});
  return index;
}

void ElementEmitter::nameRow(ValueRange dims, ValueRange index, unsigned count, Value row, Value position) {
  if (site.folds() && count > 1)
    unfolded.push_back({llvm::to_vector(dims), llvm::to_vector(index), position, row, count});
}

std::optional<ElementEmitter::Folded> ElementEmitter::fold(Value tensor, ValueRange index) {
  for (const Unfolded &known : llvm::reverse(unfolded)) {
    size_t count = known.index.size();
    if (count > index.size())
      continue;
    SmallVector<Value> at = normalise(tensor, index), sizes = dims(tensor);
    if (ArrayRef(at).take_back(count) != ArrayRef(known.index) ||
        ArrayRef(sizes).take_back(count - 1) != ArrayRef(known.dims).drop_front())
      continue;
    if (known.row) {
      if (count < index.size())
        continue;
      return Folded{Fold(known.rowDims, /*isMatrix=*/true), {known.row, known.position}};
    }
    unsigned kept = index.size() - count;
    at.truncate(kept);
    at.push_back(known.position);
    return Folded{Fold(kept), at};
  }
  return std::nullopt;
}

Value ElementEmitter::fail(OpBuilder &b, Operation *op, Type elementType, const Twine &why) {
  if (!hasFailed)
    op->emitError() << "`" << op->getName() << "` " << why;
  hasFailed = true;
  return UnrealizedConversionCastOp::create(b, op->getLoc(), scalarType(elementType), ValueRange()).getResult(0);
}

//===----------------------------------------------------------------------===//
// Sizes and scalars
//===----------------------------------------------------------------------===//

SmallVector<Value> ElementEmitter::dims(Value tensor) {
  SmallVector<Value> result;
  for (int64_t i = 0, rank = cast<RankedTensorType>(tensor.getType()).getRank(); i < rank; ++i)
    result.push_back(dim(tensor, i));
  return result;
}

static bool isFromAbove(Value value, lmhlo_disc::FusionOp fusion) { return !fusion.getBody().isAncestor(value.getParentRegion()); }

/// The value that a tie_shape gives to the size of `dim`, or null.
static Value findTie(BodyDim dim, lmhlo_disc::FusionOp fusion) {
  auto sizeIn = [&](Operation *op) {
    auto tie = dyn_cast_or_null<dhlo::TieShapeOp>(op);
    Value size = tie ? tie.getSizes()[cast<RankedTensorType>(tie.getType()).getDynamicDimIndex(dim.index)] : Value();
    return size && isFromAbove(size, fusion) ? size : Value();
  };
  if (Value size = sizeIn(dim.tensor.getDefiningOp()))
    return size;
  for (Operation *user : dim.tensor.getUsers())
    if (Value size = sizeIn(user))
      return size;
  return {};
}

Value ElementEmitter::dim(Value tensor, int64_t i) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(i))
    return constant(type.getDimSize(i));
  std::pair<Value, int64_t> key(tensor, i);
  if (Value known = dimCache.lookup(key))
    return known;
  SmallVector<BodyDim> equal = sizes.equalTo({tensor, i});
  Value size = dimOfClass(equal);
  for (BodyDim dim : equal)
    dimCache[{dim.tensor, dim.index}] = size;
  return size;
}

/// Of dimensions of one size: what says it most directly.
Value ElementEmitter::dimOfClass(ArrayRef<BodyDim> equal) {
  for (BodyDim dim : equal)
    if (int64_t size = cast<RankedTensorType>(dim.tensor.getType()).getDimSize(dim.index); !ShapedType::isDynamic(size))
      return constant(size);
  for (BodyDim dim : equal)
    if (Value size = findTie(dim, site.fusion))
      return scalar(size);
  for (BodyDim dim : equal)
    if (auto arg = dyn_cast<BlockArgument>(dim.tensor))
      return site.dimOf(site.fusion.getIns()[arg.getArgNumber()], dim.index);
  // The first one does not get its size from the others.
  return reifiedDim(equal.front());
}

Value ElementEmitter::reifiedDim(BodyDim dim) {
  Operation *op = dim.tensor.getDefiningOp();
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  ReifiedRankedShapedTypeDims shapes;
  if (mlir::failed(reifyResultShapes(b, op, shapes))) {
    fail(site.prologue(), op, b.getIndexType(), "does not tell the sizes of its result");
    return constant(1);
  }
  OpFoldResult size = shapes[cast<OpResult>(dim.tensor).getResultNumber()][dim.index];
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return constant(*number);
  return scalar(cast<Value>(size));
}

Value ElementEmitter::scalar(Value value) {
  if (isFromAbove(value, site.fusion))
    return site.scalar(value);
  if (Value known = scalarCache.lookup(value))
    return known;
  // Only what was emitted in the prologue may be used there.
  SmallVector<Memo> inner = std::move(scopes);
  scopes.clear();
  scopes.push_back(std::move(inner.front()));
  Value result = scalarUncached(value);
  inner.front() = std::move(scopes.front());
  scopes = std::move(inner);
  return scalarCache[value] = result;
}

Value ElementEmitter::scalarUncached(Value value) {
  if (std::optional<int64_t> number = getConstantIntValue(value); number && value.getType().isIndex())
    return constant(*number);
  Operation *op = value.getDefiningOp();
  OpBuilder &b = site.prologue();
  if (!op)
    return fail(b, site.fusion, value.getType(), "has a scalar region argument where a size is computed");
  if (auto size = dyn_cast<tensor::DimOp>(op))
    if (std::optional<int64_t> i = size.getConstantIndex())
      return dim(size.getSource(), *i);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<Value> index;
    for (Value i : extract.getIndices())
      index.push_back(scalar(i));
    return emit(b, op->getLoc(), extract.getTensor(), index);
  }
  bool onScalars = op->getNumRegions() == 0 && llvm::none_of(op->getOperandTypes(), llvm::IsaPred<ShapedType>) &&
                   llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
  if (!onScalars)
    return fail(b, op, value.getType(), "cannot be computed in a kernel as a size");
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, scalar(operand));
  return b.clone(*op, mapping)->getResult(cast<OpResult>(value).getResultNumber());
}

} // namespace disc
