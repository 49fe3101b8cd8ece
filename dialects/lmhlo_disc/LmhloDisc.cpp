// Ops of the lmhlo_disc dialect: verifiers, effects, folders.
#include "dialects/lmhlo_disc/LmhloDisc.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lmhlo_disc;

#include "dialects/lmhlo_disc/LmhloDiscDialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/lmhlo_disc/LmhloDiscOps.cpp.inc"

namespace {
/// Constants of a fusion's body stay there: the body uses no tensor from above.
struct FoldInterface : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final {
    return isa<FusionOp>(region->getParentOp());
  }
};
} // namespace

void LmhloDiscDialect::initialize() {
  addInterfaces<FoldInterface>();
  addOperations<
#define GET_OP_LIST
#include "dialects/lmhlo_disc/LmhloDiscOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// What destination-passing ops share
//===----------------------------------------------------------------------===//

/// Reads of memref inputs and writes of memref destinations.
static void getDestinationEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    MemoryEffects::Effect *effect =
        op.isDpsInit(&operand)
            ? static_cast<MemoryEffects::Effect *>(MemoryEffects::Write::get())
            : MemoryEffects::Read::get();
    effects.emplace_back(effect, &operand, SideEffects::DefaultResource::get());
  }
  // A library call that says so is made each time, in program order.
  if (op->hasAttr("has_side_effect"))
    effects.emplace_back(MemoryEffects::Write::get());
}

static LogicalResult reifyFromDestinations(DestinationStyleOpInterface op,
                                           OpBuilder &builder,
                                           ReifiedRankedShapedTypeDims &dims) {
  for (Value init : op.getDpsInits()) {
    if (!isa<RankedTensorType>(init.getType()))
      return failure();
    dims.push_back(tensor::getMixedSizes(builder, op.getLoc(), init));
  }
  return success();
}

/// All operands are tensors and have results, or all are memrefs and have none.
static LogicalResult verifyDestinations(DestinationStyleOpInterface op) {
  bool tensors = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    if (isa<TensorType>(type) != tensors)
      return op->emitOpError()
             << "expected tensors only or memrefs only, got operand #"
             << operand.getOperandNumber() << " of type " << type;
    auto memref = dyn_cast<MemRefType>(type);
    if (memref && !memref.getLayout().isIdentity())
      return op->emitOpError()
             << "expected contiguous row-major memrefs, got operand #"
             << operand.getOperandNumber() << " of type " << type;
  }
  if (!tensors && op->getNumResults() != 0)
    return op->emitOpError() << "expected no results in memref form, got "
                             << op->getNumResults();
  if (tensors && static_cast<int64_t>(op->getNumResults()) !=
                     op.getNumDpsInits())
    return op->emitOpError() << "expected " << op.getNumDpsInits()
                             << " results, one for each of `outs`, got "
                             << op->getNumResults();
  return success();
}

#define DISC_DEFINE_DESTINATION_METHODS(OpTy)                                  \
  void OpTy::getEffects(                                                       \
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>      \
          &effects) {                                                          \
    getDestinationEffects(*this, effects);                                     \
  }                                                                            \
  LogicalResult OpTy::reifyResultShapes(OpBuilder &builder,                    \
                                        ReifiedRankedShapedTypeDims &dims) {   \
    return reifyFromDestinations(*this, builder, dims);                        \
  }
DISC_DEFINE_DESTINATION_METHODS(FusionOp)
DISC_DEFINE_DESTINATION_METHODS(DotGeneralOp)
DISC_DEFINE_DESTINATION_METHODS(LibraryCallOp)
#undef DISC_DEFINE_DESTINATION_METHODS

//===----------------------------------------------------------------------===//
// FusionOp
//===----------------------------------------------------------------------===//

/// `keyword` (%a, %b : T, T), or nothing when absent and `optional`.
static ParseResult
parseOperandGroup(OpAsmParser &parser, StringRef keyword, bool optional,
                  SmallVectorImpl<Value> &operands, int32_t &size) {
  SmallVector<OpAsmParser::UnresolvedOperand> names;
  SmallVector<Type> types;
  size = 0;
  if (optional && failed(parser.parseOptionalKeyword(keyword)))
    return success();
  if (!optional && parser.parseKeyword(keyword))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseOperandList(names) ||
      parser.parseColonTypeList(types) || parser.parseRParen() ||
      parser.resolveOperands(names, types, loc, operands))
    return failure();
  size = static_cast<int32_t>(names.size());
  return success();
}

ParseResult FusionOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  std::array<int32_t, 2> sizes;
  if (parseOperandGroup(parser, "ins", /*optional=*/true, result.operands,
                        sizes[0]) ||
      parseOperandGroup(parser, "outs", /*optional=*/false, result.operands,
                        sizes[1]))
    return failure();
  properties.operandSegmentSizes = sizes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes) ||
      failed(verifyInherentAttrs(result.name, result.attributes, [&] {
        return parser.emitError(loc)
               << "'" << result.name.getStringRef() << "' op ";
      })) ||
      parser.parseRegion(*result.addRegion()) ||
      parser.parseOptionalArrowTypeList(result.types))
    return failure();
  return success();
}

void FusionOp::print(OpAsmPrinter &printer) {
  auto group = [&](StringRef keyword, OperandRange operands) {
    printer << " " << keyword << "(" << operands << " : " << operands.getTypes()
            << ")";
  };
  if (!getIns().empty())
    group("ins", getIns());
  group("outs", getOuts());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getOperandSegmentSizesAttrName()});
  printer << " ";
  printer.printRegion(getBody());
  printer.printOptionalArrowTypeList(getResultTypes());
}

static bool compatible(Type lhs, Type rhs) {
  auto left = cast<ShapedType>(lhs), right = cast<ShapedType>(rhs);
  return left.getElementType() == right.getElementType() &&
         succeeded(verifyCompatibleShape(left.getShape(), right.getShape()));
}

/// Element-wise check of body values against the operands they stand for.
static LogicalResult verifyBodyTypes(FusionOp op, TypeRange body,
                                     TypeRange operands, StringRef what,
                                     StringRef of) {
  if (body.size() != operands.size())
    return op.emitOpError() << "expected " << operands.size() << " " << what
                            << "s, one for each of `" << of << "`, got "
                            << body.size();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(body, operands))) {
    auto [inner, outer] = pair;
    if (!isa<RankedTensorType>(inner) || !compatible(inner, outer))
      return op.emitOpError() << what << " #" << index << " of type " << inner
                              << " does not agree with its operand in `" << of
                              << "` of type " << outer;
  }
  return success();
}

LogicalResult FusionOp::verify() {
  if (failed(verifyDestinations(*this)))
    return failure();
  Block &block = getBody().front();
  if (failed(verifyBodyTypes(*this, block.getArgumentTypes(),
                             getIns().getTypes(), "body argument", "ins")))
    return failure();
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError("expected the body to end in `lmhlo_disc.yield`");
  if (failed(verifyBodyTypes(*this, yield.getValues().getTypes(),
                             getOuts().getTypes(), "yielded value", "outs")))
    return failure();
  if (getKind() == "row" && !getRowDims())
    return emitOpError("of kind \"row\" expected attribute `row_dims`");

  Operation *captor = nullptr;
  getBody().walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (isa<ShapedType>(operand.getType()) &&
          !getBody().isAncestor(operand.getParentRegion()))
        captor = inner;
  });
  if (captor)
    return emitOpError("expected tensors to enter the body as `ins`, but `")
           << captor->getName() << "` uses one from outside";
  return success();
}

//===----------------------------------------------------------------------===//
// DotGeneralOp, LibraryCallOp
//===----------------------------------------------------------------------===//

LogicalResult DotGeneralOp::verify() {
  if (failed(verifyDestinations(*this)))
    return failure();
  auto lhs = cast<ShapedType>(getLhs().getType());
  auto rhs = cast<ShapedType>(getRhs().getType());
  auto dst = cast<ShapedType>(getDst().getType());
  int64_t rank = dst.getRank();
  if ((rank != 2 && rank != 3) || lhs.getRank() != rank ||
      rhs.getRank() != rank)
    return emitOpError() << "expected three operands of rank 2 or of rank 3, "
                         << "got " << lhs << ", " << rhs << ", " << dst;
  int64_t m = rank - 2, n = rank - 1;
  auto agree = [](int64_t a, int64_t b) {
    return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
  };
  int64_t lhsM = lhs.getDimSize(getTransposeLhs() ? n : m);
  int64_t lhsK = lhs.getDimSize(getTransposeLhs() ? m : n);
  int64_t rhsK = rhs.getDimSize(getTransposeRhs() ? n : m);
  int64_t rhsN = rhs.getDimSize(getTransposeRhs() ? m : n);
  bool batch = rank == 2 || (agree(lhs.getDimSize(0), rhs.getDimSize(0)) &&
                             agree(lhs.getDimSize(0), dst.getDimSize(0)));
  if (!batch || !agree(lhsK, rhsK) || !agree(lhsM, dst.getDimSize(m)) ||
      !agree(rhsN, dst.getDimSize(n)))
    return emitOpError() << "shapes do not multiply: " << lhs << " by " << rhs
                         << " to " << dst;
  return success();
}

LogicalResult LibraryCallOp::verify() { return verifyDestinations(*this); }

//===----------------------------------------------------------------------===//
// ReshapeViewOp
//===----------------------------------------------------------------------===//

LogicalResult ReshapeViewOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  if (source.getElementType() != result.getElementType())
    return emitOpError() << "expected equal element types, got " << source
                         << " and " << result;
  if (static_cast<int64_t>(getSizes().size()) != result.getNumDynamicDims())
    return emitOpError() << "expected " << result.getNumDynamicDims()
                         << " sizes, one for each dynamic dimension of "
                         << result << ", got " << getSizes().size();
  if (source.hasStaticShape() && result.hasStaticShape() &&
      source.getNumElements() != result.getNumElements())
    return emitOpError() << "element counts differ: " << source << " and "
                         << result;
  return success();
}

OpFoldResult ReshapeViewOp::fold(FoldAdaptor) {
  auto source = cast<RankedTensorType>(getSource().getType());
  if (source == getResult().getType() && source.hasStaticShape())
    return getSource();
  return {};
}

LogicalResult
ReshapeViewOp::reifyResultShapes(OpBuilder &builder,
                                 ReifiedRankedShapedTypeDims &dims) {
  auto type = cast<RankedTensorType>(getResult().getType());
  SmallVector<OpFoldResult> sizes;
  auto dynamic = getSizes().begin();
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size)
                        ? OpFoldResult(*dynamic++)
                        : OpFoldResult(builder.getIndexAttr(size)));
  dims.push_back(std::move(sizes));
  return success();
}

//===----------------------------------------------------------------------===//
// Runtime ops
//===----------------------------------------------------------------------===//

LogicalResult CheckOp::canonicalize(CheckOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCond(), m_One()))
    return rewriter.notifyMatchFailure(op, "the condition may be false");
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult verifyContiguous(Operation *op, Type type) {
  if (cast<MemRefType>(type).getLayout().isIdentity())
    return success();
  return op->emitOpError() << "expected a contiguous row-major memref, got "
                           << type;
}

LogicalResult RecvInputOp::verify() {
  return verifyContiguous(*this, getResult().getType());
}

LogicalResult BlockBufferOp::verify() {
  auto type = cast<MemRefType>(getResult().getType());
  if (static_cast<int64_t>(getSizes().size()) != type.getNumDynamicDims())
    return emitOpError() << "expected " << type.getNumDynamicDims()
                         << " sizes, one for each dynamic dimension of " << type
                         << ", got " << getSizes().size();
  return verifyContiguous(*this, type);
}

LogicalResult StitchOp::verify() {
  bool hasProduct = false;
  for (Operation &op : getBody().front()) {
    hasProduct |= isa<DotGeneralOp>(op);
    if (!isa<DotGeneralOp, LaunchOp>(op))
      return emitOpError() << "expected products and launches in the body, got `"
                           << op.getName() << "`";
    if (auto dot = dyn_cast<DotGeneralOp>(op);
        dot && (dot.getTransposeLhs() || !isa<MemRefType>(dot.getDst().getType())))
      return emitOpError("expected products of memrefs whose left operand is "
                         "not transposed");
  }
  if (!hasProduct)
    return emitOpError("expected a product in the body, whose rows it follows");
  return success();
}

LogicalResult RecvConstantOp::verify() {
  if (!cast<MemRefType>(getResult().getType()).hasStaticShape())
    return emitOpError() << "expected a static shape, got "
                         << getResult().getType();
  return verifyContiguous(*this, getResult().getType());
}

LogicalResult SendOutputOp::verify() {
  return verifyContiguous(*this, getSource().getType());
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *kernel = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (!kernel)
    return emitOpError() << "kernel " << getKernelAttr() << " does not exist";
  auto function = dyn_cast<FunctionOpInterface>(kernel);
  if (!function)
    return emitOpError() << getKernelAttr() << " is not a function";
  ArrayRef<Type> types = function.getArgumentTypes();
  Type index = IndexType::get(getContext());
  if (types.size() != getArgs().size() + 3 ||
      types.drop_back(3) != ArrayRef(llvm::to_vector(getArgs().getTypes())) ||
      !llvm::all_of(types.take_back(3), [&](Type t) { return t == index; }))
    return emitOpError() << "kernel " << getKernelAttr()
                         << " expected to take the launch's arguments, then lo,"
                            " hi and worker of type index";
  return success();
}
