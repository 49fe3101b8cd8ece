// Ops that a function of RAL computes, found by name.
#include "passes/bufferize/Destinations.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "passes/graph/ConvForm.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace disc;

/// Appends a typed attribute of a custom call: integers and booleans as they
/// are, floats as the bits of an f64, arrays element by element. False for others.
static bool appendInts(Attribute attr, SmallVectorImpl<int64_t> &ints) {
  auto appendAll = [&](auto values) {
    llvm::append_range(ints, values);
    return true;
  };
  return llvm::TypeSwitch<Attribute, bool>(attr)
      .Case([&](BoolAttr flag) {
        ints.push_back(flag.getValue());
        return true;
      })
      .Case([&](IntegerAttr number) {
        const APInt &value = number.getValue();
        bool isUnsigned = number.getType().isUnsignedInteger();
        bool fits = isUnsigned ? value.isIntN(64) : value.isSignedIntN(64);
        if (fits)
          ints.push_back(isUnsigned ? static_cast<int64_t>(value.getZExtValue())
                                    : value.getSExtValue());
        return fits;
      })
      .Case([&](FloatAttr number) {
        ints.push_back(llvm::bit_cast<int64_t>(number.getValueAsDouble()));
        return true;
      })
      .Case<DenseBoolArrayAttr, DenseI8ArrayAttr, DenseI16ArrayAttr,
            DenseI32ArrayAttr, DenseI64ArrayAttr>(
          [&](auto array) { return appendAll(array.asArrayRef()); })
      .Case([&](ArrayAttr array) {
        return llvm::all_of(array, [&](Attribute element) {
          return appendInts(element, ints);
        });
      })
      .Default(false);
}

static bool isRowMajor(Attribute layout) {
  auto order = dyn_cast<DenseIntElementsAttr>(layout);
  if (!order)
    return false;
  int64_t next = order.getNumElements();
  return llvm::all_of(order.getValues<APInt>(),
                      [&](const APInt &dim) { return dim == --next; });
}

/// A registered function reads and writes whole row-major buffers.
static LogicalResult checkBuffers(dhlo::CustomCallOp op) {
  for (std::optional<ArrayAttr> layouts :
       {op.getOperandLayouts(), op.getResultLayouts()})
    if (layouts && !llvm::all_of(*layouts, isRowMajor))
      return op.emitError() << "custom call `" << op.getCallTargetName()
                            << "` has the layouts " << *layouts
                            << "; expected row-major ones (`dense<[1, 0]>`)";
  if (auto aliases = op.getOutputOperandAliases(); aliases && !aliases->empty())
    return op.emitError() << "custom call `" << op.getCallTargetName()
                          << "` writes results over operands "
                             "(`output_operand_aliases`); results have buffers "
                             "of their own: remove the attribute";
  return success();
}

/// A custom call that says `disc.library` is a call of a function registered
/// with RAL under the target's name; others are unknown. Its integers are those
/// of `disc.ints`, then the typed attributes of `backend_config` by name.
static FailureOr<std::optional<LibraryFunction>>
functionOf(dhlo::CustomCallOp op) {
  if (!op->hasAttr("disc.library"))
    return op.emitError()
           << "custom call `" << op.getCallTargetName()
           << "` is unknown; replace it by ops, or set the attribute "
              "`disc.library` where RAL has a function of this name";
  if (LogicalResult checked = checkBuffers(op); failed(checked))
    return checked;
  LibraryFunction function{op.getCallTargetName().str(), {},
                           op.getHasSideEffect()};
  if (auto ints = op->getAttrOfType<DenseI64ArrayAttr>("disc.ints"))
    llvm::append_range(function.ints, ints.asArrayRef());
  Attribute config = op.getBackendConfigAttr();
  auto typed = dyn_cast_or_null<DictionaryAttr>(config);
  for (NamedAttribute attr : typed ? typed.getValue() : ArrayRef<NamedAttribute>())
    if (!appendInts(attr.getValue(), function.ints))
      return op.emitError() << "attribute `" << attr.getName().getValue()
                            << "` of custom call `" << function.name << "` is "
                            << attr.getValue()
                            << "; expected integers that fit 64 bits, booleans, "
                               "floats or arrays of them";
  return std::optional(function);
}

FailureOr<std::optional<LibraryFunction>>
disc::getLibraryFunction(Operation *op) {
  using Result = FailureOr<std::optional<LibraryFunction>>;
  auto found = [](std::string name, ArrayRef<int64_t> ints) -> Result {
    return std::optional(
        LibraryFunction{std::move(name), llvm::to_vector(ints)});
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](dhlo::CustomCallOp op) { return functionOf(op); })
      .Case([&](dhlo::CholeskyOp op) {
        return found("ral.cholesky", {op.getLower()});
      })
      .Case([&](dhlo::TriangularSolveOp op) {
        return found("ral.triangular_solve",
                     {op.getLeftSide(), op.getLower(), op.getUnitDiagonal(),
                      op.getTransposeA() != dhlo::Transpose::NO_TRANSPOSE,
                      op.getTransposeA() == dhlo::Transpose::ADJOINT});
      })
      .Case<dhlo::ConvolutionOp, dhlo::DynamicConvOp>([&](auto op) -> Result {
        if (!isLibraryConvolution(op))
          return std::optional<LibraryFunction>();
        return found("ral.conv", convolutionInts(asLibraryConvolution(op)));
      })
      .Case([&](dhlo::FftOp op) {
        bool isInverse = op.getFftType() == dhlo::FftType::IFFT ||
                         op.getFftType() == dhlo::FftType::IRFFT;
        SmallVector<int64_t> ints = {isInverse};
        llvm::append_range(ints, op.getFftLength());
        return found("ral.fft", ints);
      })
      .Default([](Operation *) -> Result {
        return std::optional<LibraryFunction>();
      });
}

LogicalResult disc::convertToLibraryCall(RewriterBase &rewriter, Operation *op,
                                         const LibraryFunction &function) {
  if (!llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
      !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return op->emitError("a library call takes and returns tensors only");
  SmallVector<Value> destinations;
  for (OpResult result : op->getResults()) {
    auto sizes = getResultSizes(rewriter, result);
    if (failed(sizes))
      return sizes;
    destinations.push_back(
        createDestination(rewriter, op->getLoc(), *sizes,
                          cast<RankedTensorType>(result.getType())));
  }
  auto call = lmhlo_disc::LibraryCallOp::create(
      rewriter, op->getLoc(), op->getResultTypes(), op->getOperands(),
      destinations, rewriter.getStringAttr(function.name),
      rewriter.getDenseI64ArrayAttr(function.ints));
  if (function.hasSideEffect)
    call->setAttr("has_side_effect", rewriter.getUnitAttr());
  rewriter.replaceOp(op, call);
  return success();
}
