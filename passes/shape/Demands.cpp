// The table of what ops demand of sizes.
#include "passes/shape/DemandCollector.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace disc;

using Role = SizePlace::Role;

void Demands::Collector::declaredResults() {
  auto reifiable = dyn_cast<ReifyRankedShapedTypeOpInterface>(op);
  auto isDynamic = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && !type.hasStaticShape();
  };
  auto saysMore = [](OpResult result) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    return type && type.getRank() > 0 &&
           !llvm::all_of(type.getShape(), ShapedType::isDynamic);
  };
  bool hasSizes = isa<dhlo::DynamicReshapeOp, dhlo::DynamicBroadcastInDimOp,
                      dhlo::DynamicIotaOp, dhlo::DynamicPadOp,
                      dhlo::RealDynamicSliceOp, dhlo::DynamicGatherOp,
                      dhlo::DynamicConvOp>(op);
  if (!reifiable || llvm::none_of(op->getResults(), saysMore) ||
      (!hasSizes && llvm::none_of(op->getOperands(), isDynamic)))
    return;
  auto [it, isNew] = table.inferred.try_emplace(op);
  if (isNew) {
    // Shape functions prefer what the type says: ask them about a type that
    // says nothing.
    SmallVector<Type> types(op->getResultTypes());
    for (OpResult result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        result.setType(RankedTensorType::get(
            SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic),
            type.getElementType(), type.getEncoding()));
    OpBuilder builder(op);
    ReifiedRankedShapedTypeDims dims;
    if (succeeded(reifiable.reifyResultShapes(builder, dims)))
      it->second = std::move(dims);
    for (auto [result, type] : llvm::zip(op->getResults(), types))
      result.setType(type);
  }
  for (auto [r, dims] : llvm::enumerate(it->second))
    for (auto [i, dim] : llvm::enumerate(dims))
      if (auto value = dyn_cast_or_null<Value>(dim))
        declared(r, i, analysis.of(value));
}

void Demands::Collector::elementwise() {
  int64_t rank = rankOf(op->getResult(0));
  int first = -1;
  for (int k = 0, count = op->getNumOperands(); k < count; ++k) {
    auto type = dyn_cast<RankedTensorType>(op->getOperand(k).getType());
    if (!type || type.getRank() != rank)
      continue; // scalars stand for all positions
    if (first < 0)
      first = k;
    else
      for (int64_t i = 0; i < rank; ++i)
        equalDims(first, i, k, i);
  }
  for (int64_t i = 0; first >= 0 && i < rank; ++i)
    declared(0, i, dim(first, i));
}

void Demands::Collector::broadcast(ArrayRef<int64_t> dims) {
  naturalResult();
  for (auto [i, to] : llvm::enumerate(dims))
    add(Demand::OneOrEqual, dim(0, i), {Role::Dim, 0, int(i)}, resultDim(to),
        {Role::Dim, -1, int(to)});
}

void Demands::Collector::slice(dhlo::RealDynamicSliceOp slice) {
  for (int i = 0, rank = rankOf(slice.getOperand()); i < rank; ++i) {
    Size start = table.element(slice.getStartIndices(), i);
    Size limit = table.element(slice.getLimitIndices(), i);
    Size stride = table.element(slice.getStrides(), i);
    if (start)
      atLeast(start, {Role::Start, 0, i}, 0);
    add(Demand::AtLeast, limit, {Role::Limit, 0, i}, start, {Role::Start, 0, i});
    add(Demand::AtMost, limit, {Role::Limit, 0, i}, dim(0, i),
        {Role::Dim, 0, i});
    if (stride)
      atLeast(stride, {Role::Stride, 0, i}, 1);
  }
}

void Demands::Collector::collect() {
  if (op->hasTrait<OpTrait::dhlo::Elementwise>())
    return elementwise();
  bool isReshape = isa<dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(op);
  if (!isa<dhlo::ReshapeOp, dhlo::BroadcastInDimOp, dhlo::FusionOp,
           dhlo::TieShapeOp, dhlo::ConstantOp>(op))
    declaredResults();
  if (isReshape) {
    naturalResult();
    return add(Demand::SameCount, analysis.elementCount(op->getResult(0)),
               {Role::Count}, analysis.elementCount(op->getOperand(0)),
               {Role::Count, 0});
  }
  TypeSwitch<Operation *>(op)
      .Case<dhlo::BroadcastInDimOp, dhlo::DynamicBroadcastInDimOp>(
          [&](auto to) { broadcast(to.getBroadcastDimensions()); })
      .Case<dhlo::DynamicIotaOp, dhlo::PadOp>([&](auto) { naturalResult(); })
      .Case([&](dhlo::DynamicPadOp pad) {
        naturalResult();
        for (int i = 0, rank = rankOf(pad.getOperand()); i < rank; ++i)
          if (Size interior = table.element(pad.getInteriorPadding(), i))
            atLeast(interior, {Role::Interior, 0, i}, 0);
      })
      .Case([&](dhlo::RealDynamicSliceOp from) { slice(from); })
      .Case([&](dhlo::SliceOp from) {
        for (auto [i, limit] : llvm::enumerate(from.getLimitIndices()))
          add(Demand::AtLeast, dim(0, i), {Role::Dim, 0, int(i)}, number(limit),
              {Role::Limit, 0, int(i)});
      })
      .Case([&](dhlo::DynamicSliceOp from) {
        for (auto [i, size] : llvm::enumerate(from.getSliceSizes()))
          add(Demand::AtLeast, dim(0, i), {Role::Dim, 0, int(i)}, number(size),
              {Role::SliceSize, 0, int(i)});
      })
      .Case([&](dhlo::GatherOp from) {
        gather(from.getDimensionNumbers(),
               [&](int64_t i) { return number(from.getSliceSizes()[i]); });
      })
      .Case([&](dhlo::DynamicGatherOp from) {
        gather(from.getDimensionNumbers(), [&](int64_t i) {
          return table.element(from.getSliceSizes(), i);
        });
      })
      .Case([&](dhlo::TorchIndexSelectOp from) { indexSelect(from); })
      .Case([&](dhlo::DynamicUpdateSliceOp into) {
        for (int i = 0, rank = rankOf(into.getOperand()); i < rank; ++i)
          add(Demand::AtMost, dim(1, i), {Role::Dim, 1, i}, dim(0, i),
              {Role::Dim, 0, i});
      })
      .Case([&](dhlo::DotGeneralOp dot) {
        auto numbers = dot.getDotDimensionNumbers();
        for (auto [i, j] : llvm::zip(numbers.getLhsBatchingDimensions(),
                                     numbers.getRhsBatchingDimensions()))
          equalDims(0, i, 1, j);
        for (auto [i, j] : llvm::zip(numbers.getLhsContractingDimensions(),
                                     numbers.getRhsContractingDimensions()))
          equalDims(0, i, 1, j);
      })
      .Case<dhlo::ReduceOp, dhlo::ReduceWindowOp>([&](auto reduce) {
        equalShapes(0, int(reduce.getInputs().size()) - 1);
      })
      .Case<dhlo::SortOp, dhlo::MapOp>(
          [&](auto) { equalShapes(0, int(op->getNumOperands()) - 1); })
      .Case([&](dhlo::ScatterOp into) { scatter(into); })
      .Case<dhlo::ConvolutionOp, dhlo::DynamicConvOp>(
          [&](auto conv) {
            convolution(conv.getDimensionNumbers(),
                        conv.getFeatureGroupCount(),
                        conv.getBatchGroupCount());
          })
      .Case([&](dhlo::SelectAndScatterOp op) { selectAndScatter(op); })
      .Case([&](dhlo::CholeskyOp op) { cholesky(op); })
      .Case([&](dhlo::TriangularSolveOp op) { triangularSolve(op); })
      .Case([&](dhlo::FftOp op) { fft(op); })
      .Case([&](dhlo::ConcatenateOp concat) {
        int64_t along = concat.getDimension();
        for (int k = 1, count = op->getNumOperands(); k < count; ++k)
          for (int64_t i = 0; i < rankOf(op->getOperand(0)); ++i)
            if (i != along)
              equalDims(0, i, k, i);
      })
      .Case([&](tensor::CastOp cast) {
        if (!isa<RankedTensorType>(cast.getSource().getType()) ||
            !isa<RankedTensorType>(cast.getType()))
          return;
        for (int64_t i = 0; i < rankOf(cast); ++i)
          declared(0, i, dim(0, i));
      });
}

SmallVector<Demand> Demands::of(Operation *op) {
  Collector collector{*this, analysis, op, {}};
  if (isa<dhlo::DhloDialect>(op->getDialect()) || isa<tensor::CastOp>(op))
    collector.collect();
  return std::move(collector.found);
}

Size Demands::element(Value list, int64_t index) {
  DenseIntElementsAttr known;
  if (matchPattern(list, m_Constant(&known)))
    return analysis.sizes().constant(
        known.getValues<APInt>()[index].getSExtValue());
  if (auto from = list.getDefiningOp<tensor::FromElementsOp>())
    return analysis.of(from.getElements()[index]);
  Type type = getElementTypeOrSelf(list.getType());
  if (!type.isIndex() && !type.isSignlessInteger())
    return nullptr;
  Value &value = read[{list, index}];
  if (!value) {
    OpBuilder builder(list.getContext());
    builder.setInsertionPointAfterValue(list);
    Value at = arith::ConstantIndexOp::create(builder, list.getLoc(), index);
    value = tensor::ExtractOp::create(builder, list.getLoc(), list, at);
  }
  return analysis.of(value);
}
