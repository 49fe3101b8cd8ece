// Bufferization models of the lmhlo_disc ops.
#include "dialects/lmhlo_disc/LmhloDisc.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::lmhlo_disc;

namespace {

/// `value`'s buffer in identity layout; copied when the layout is another.
FailureOr<Value> getContiguousBuffer(RewriterBase &rewriter, Value value,
                                     const BufferizationOptions &options,
                                     BufferizationState &state) {
  FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
  if (failed(buffer))
    return failure();
  auto type = cast<MemRefType>(buffer->getType());
  if (type.getLayout().isIdentity())
    return buffer;
  Location loc = value.getLoc();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(rewriter, loc, *buffer, dim));
  auto contiguous = MemRefType::get(type.getShape(), type.getElementType());
  FailureOr<Value> copy =
      options.createAlloc(rewriter, loc, contiguous, sizes);
  if (failed(copy) || failed(options.createMemCpy(rewriter, loc, *buffer, *copy)))
    return failure();
  return copy;
}

/// Inputs are read, destinations are written whole and not read.
template <typename OpTy>
struct DestinationModel
    : DstBufferizableOpInterfaceExternalModel<DestinationModel<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  /// The arguments of a body are tensors in both forms.
  bool hasTensorSemantics(Operation *op) const {
    return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto destinations = cast<DestinationStyleOpInterface>(op);
    if (destinations.hasPureBufferSemantics())
      return success();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands, results;
    for (OpOperand &operand : op->getOpOperands()) {
      bool init = destinations.isDpsInit(&operand);
      FailureOr<Value> buffer =
          init ? getBuffer(rewriter, operand.get(), options, state)
               : getContiguousBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
      if (init)
        results.push_back(*buffer);
    }
    // The body, if any, describes the computation and moves over as it is.
    OperationState newOp(op->getLoc(), op->getName(), operands, TypeRange{},
                         op->getDiscardableAttrDictionary().getValue());
    newOp.propertiesAttr = op->getPropertiesAsAttribute();
    for (Region &region : op->getRegions())
      newOp.addRegion()->takeBody(region);
    rewriter.create(newOp);
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};

struct ReshapeViewModel
    : BufferizableOpInterface::ExternalModel<ReshapeViewModel, ReshapeViewOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getOpResult(0), BufferRelation::Unknown}};
  }

  FailureOr<BufferLikeType> getBufferType(Operation *op, Value,
                                          const BufferizationOptions &options,
                                          const BufferizationState &state,
                                          SmallVector<Value> &stack) const {
    auto view = cast<ReshapeViewOp>(op);
    auto source = bufferization::detail::asMemRefType(bufferization::getBufferType(
        view.getSource(), options, state, stack));
    if (failed(source))
      return failure();
    auto type = cast<RankedTensorType>(view.getResult().getType());
    return cast<BufferLikeType>(getMemRefTypeWithStaticIdentityLayout(
        type, source->getMemorySpace()));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto view = cast<ReshapeViewOp>(op);
    Location loc = op->getLoc();
    FailureOr<Value> source =
        getContiguousBuffer(rewriter, view.getSource(), options, state);
    if (failed(source))
      return failure();
    auto type = cast<RankedTensorType>(view.getResult().getType());
    auto sourceType = cast<MemRefType>(source->getType());
    auto buffer = MemRefType::get(type.getShape(), type.getElementType(),
                                  MemRefLayoutAttrInterface(),
                                  sourceType.getMemorySpace());
    SmallVector<OpFoldResult> sizes, strides(type.getRank());
    auto dynamic = view.getSizes().begin();
    for (int64_t size : type.getShape())
      sizes.push_back(ShapedType::isDynamic(size)
                          ? OpFoldResult(*dynamic++)
                          : OpFoldResult(rewriter.getIndexAttr(size)));
    if (type.hasStaticShape() && sourceType.hasStaticShape()) {
      auto staticStrides = computeSuffixProduct(type.getShape());
      for (auto [stride, value] : llvm::zip(strides, staticStrides))
        stride = rewriter.getIndexAttr(value);
    } else {
      rowMajorStrides(rewriter, loc, sizes, strides);
    }
    Value result = createView(rewriter, loc, buffer, *source, sizes, strides);
    replaceOpWithBufferizedValues(rewriter, op, result);
    return success();
  }

private:
  /// Strides from sizes, constants where sizes inside are constants.
  static void rowMajorStrides(RewriterBase &rewriter, Location loc,
                              ArrayRef<OpFoldResult> sizes,
                              MutableArrayRef<OpFoldResult> strides) {
    OpFoldResult stride = rewriter.getIndexAttr(1);
    for (int64_t dim = static_cast<int64_t>(sizes.size()) - 1; dim >= 0;
         --dim) {
      strides[dim] = stride;
      if (dim == 0)
        break;
      auto size = getConstantIntValue(sizes[dim]);
      auto inner = getConstantIntValue(stride);
      if (size && inner)
        stride = rewriter.getIndexAttr(*size * *inner);
      else
        stride = arith::MulIOp::create(
                     rewriter, loc,
                     getValueOrCreateConstantIndexOp(rewriter, loc, stride),
                     getValueOrCreateConstantIndexOp(rewriter, loc, sizes[dim]))
                     .getResult();
    }
  }

  /// A reinterpret_cast whose type is the identity layout.
  static Value createView(RewriterBase &rewriter, Location loc, MemRefType type,
                          Value source, ArrayRef<OpFoldResult> sizes,
                          ArrayRef<OpFoldResult> strides) {
    return memref::ReinterpretCastOp::create(rewriter, loc, type, source,
                                             rewriter.getIndexAttr(0), sizes,
                                             strides);
  }
};

} // namespace

void mlir::lmhlo_disc::registerBufferizationModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LmhloDiscDialect *) {
    FusionOp::attachInterface<DestinationModel<FusionOp>>(*context);
    DotGeneralOp::attachInterface<DestinationModel<DotGeneralOp>>(*context);
    LibraryCallOp::attachInterface<DestinationModel<LibraryCallOp>>(*context);
    ReshapeViewOp::attachInterface<ReshapeViewModel>(*context);
    context->loadDialect<memref::MemRefDialect, arith::ArithDialect,
                         BufferizationDialect>();
  });
}
