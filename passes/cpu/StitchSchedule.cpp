// Fusions of kind "stitch": matrix products and kernels on the same rows, as one lmhlo_disc.stitch.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/Schedule.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace disc {
namespace {

using Outline = llvm::function_ref<LogicalResult(lmhlo_disc::FusionOp)>;

class StitchEmitter {
public:
  StitchEmitter(lmhlo_disc::FusionOp fusion, Outline outline)
      : fusion(fusion), outline(outline), site(fusion), host(site), b(fusion), loc(fusion.getLoc()) {}

  LogicalResult emit();

private:
  LogicalResult emitOp(Operation *op);
  LogicalResult emitProduct(dhlo::DotGeneralOp dot);
  LogicalResult emitFusion(dhlo::FusionOp part);
  /// The buffer that `result` is written to: one of `outs` when the body yields it, else one that lives for a block of rows.
  Value destination(Value result);
  Value view(Value buffer, Value result);

  lmhlo_disc::FusionOp fusion;
  Outline outline;
  HostSite site;
  ElementEmitter host;
  OpBuilder b; // before the stitch
  Location loc;
  lmhlo_disc::StitchOp stitch;
  DenseMap<Value, Value> buffers;
};

LogicalResult StitchEmitter::emit() {
  Block &body = fusion.getBody().front();
  for (auto [argument, buffer] : llvm::zip_equal(body.getArguments(), fusion.getIns()))
    buffers[argument] = buffer;
  stitch = lmhlo_disc::StitchOp::create(b, loc);
  stitch.getBody().emplaceBlock();
  b.setInsertionPoint(stitch);
  site.prologue().setInsertionPoint(stitch);
  for (Operation &op : body.without_terminator())
    if (LogicalResult emitted = emitOp(&op); failed(emitted)) {
      stitch.erase();
      return emitted;
    }
  fusion.erase();
  return success();
}

LogicalResult StitchEmitter::emitOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](dhlo::DotGeneralOp dot) { return emitProduct(dot); })
      .Case([&](dhlo::FusionOp part) { return emitFusion(part); })
      .Case([&](dhlo::TieShapeOp tie) {
        buffers[tie.getResult()] = buffers.lookup(tie.getValue());
        return success();
      })
      .Case<dhlo::ReshapeOp, dhlo::DynamicReshapeOp, tensor::CastOp>([&](auto reshape) {
        buffers[reshape->getResult(0)] = view(buffers.lookup(reshape->getOperand(0)), reshape->getResult(0));
        return success();
      })
      .Case([](tensor::FromElementsOp) { return success(); }) // the sizes of a reshape
      .Default([&](Operation *other) -> LogicalResult {
        if (isPure(other) && llvm::none_of(other->getResultTypes(), llvm::IsaPred<ShapedType>))
          return success(); // computes a size
        return other->emitOpError("is in a fusion of kind \"stitch\"; expected products, fusions and reshapes");
      });
}

Value StitchEmitter::destination(Value result) {
  auto yielded = fusion.getBody().front().getTerminator()->getOperands();
  for (auto [value, out] : llvm::zip_equal(yielded, fusion.getOuts())) {
    auto tie = value.getDefiningOp<dhlo::TieShapeOp>();
    if (value == result || (tie && tie.getValue() == result))
      return out;
  }
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(host.dim(result, d));
  return lmhlo_disc::BlockBufferOp::create(b, loc, MemRefType::get(type.getShape(), type.getElementType()), sizes);
}

Value StitchEmitter::view(Value buffer, Value result) {
  auto type = cast<RankedTensorType>(result.getType());
  auto viewType = MemRefType::get(type.getShape(), type.getElementType());
  if (buffer.getType() == viewType && viewType.hasStaticShape())
    return buffer;
  return emitView(b, loc, buffer, viewType, host.dims(result));
}

LogicalResult StitchEmitter::emitProduct(dhlo::DotGeneralOp dot) {
  int64_t batch = cast<RankedTensorType>(dot.getType()).getRank() - 2;
  bool transposeRhs = dot.getDotDimensionNumbers().getRhsContractingDimensions().front() == batch + 1;
  Value out = buffers[dot.getResult()] = destination(dot.getResult());
  OpBuilder inside = OpBuilder::atBlockEnd(&stitch.getBody().front());
  lmhlo_disc::DotGeneralOp::create(inside, dot.getLoc(), TypeRange(), buffers.lookup(dot.getLhs()), buffers.lookup(dot.getRhs()), out,
                                   /*transpose_lhs=*/false, transposeRhs);
  return success();
}

LogicalResult StitchEmitter::emitFusion(dhlo::FusionOp part) {
  SmallVector<Value> ins, outs;
  for (Value input : part.getInputs())
    ins.push_back(buffers.lookup(input));
  for (Value result : part.getOutputs())
    outs.push_back(buffers[result] = destination(result));
  auto inner = lmhlo_disc::FusionOp::create(b, part.getLoc(), TypeRange(), ins, outs, part.getKind(),
                                            part->getAttrOfType<IntegerAttr>("row_dims"));
  inner.getBody().takeBody(part.getBody());
  Operation *terminator = inner.getBody().front().getTerminator();
  OpBuilder atEnd(terminator);
  lmhlo_disc::YieldOp::create(atEnd, terminator->getLoc(), terminator->getOperands());
  terminator->erase();
  if (LogicalResult outlined = outline(inner); failed(outlined))
    return outlined;
  // The launch goes inside; what it allocates for the kernel lives around all.
  Operation *op = stitch->getPrevNode();
  while (isa<memref::DeallocOp>(op)) {
    Operation *previous = op->getPrevNode();
    op->moveAfter(stitch);
    op = previous;
  }
  Block &body = stitch.getBody().front();
  op->moveBefore(&body, body.end());
  return success();
}

} // namespace

LogicalResult emitStitch(lmhlo_disc::FusionOp fusion, Outline outline) {
  if (!llvm::all_of(fusion->getOperandTypes(), llvm::IsaPred<MemRefType>))
    return fusion.emitOpError("expected memrefs; bufferize before making kernels");
  return StitchEmitter(fusion, outline).emit();
}

} // namespace disc
