// Pass input-rename: one spelling of every op, and nothing that frontends leave behind.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "dialects/dhlo/ElementCount.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/shape/DeclaredSizes.h"

using namespace mlir;

/// Attributes that StableHLO once held as dense elements are arrays now.
static Attribute modernize(StringRef name, Attribute attr) {
  auto dense = dyn_cast<DenseIntElementsAttr>(attr);
  if (!dense || dense.getType().getRank() != 1 || name == "value" ||
      name == "replica_groups")
    return attr;
  MLIRContext *context = attr.getContext();
  if (dense.getElementType().isInteger(64))
    return DenseI64ArrayAttr::get(
        context, llvm::to_vector(dense.getValues<int64_t>()));
  if (dense.getElementType().isInteger(1))
    return DenseBoolArrayAttr::get(context,
                                   llvm::to_vector(dense.getValues<bool>()));
  return attr;
}

/// Replaces an op that was parsed in generic form under an alias name.
static FailureOr<Operation *> rename(Operation *op) {
  StringRef old = op->getName().getStringRef();
  std::string name = dhlo::canonicalOpName(old);
  if (!RegisteredOperationName::lookup(name, op->getContext()))
    return op->emitError("unknown op `")
           << old << "`; StableHLO, MHLO and CHLO ops of StableHLO v1 are "
                     "known, under those dialect names or `dhlo`";
  NamedAttrList attributes;
  auto addAll = [&](DictionaryAttr dictionary) {
    for (NamedAttribute attr : dictionary)
      attributes.set(attr.getName(),
                     modernize(attr.getName(), attr.getValue()));
  };
  addAll(op->getDiscardableAttrDictionary());
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    addAll(properties);
  OperationState state(op->getLoc(), name);
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.addAttributes(attributes);
  state.addSuccessors(op->getSuccessors());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  OpBuilder builder(op);
  Operation *renamed = builder.create(state);
  op->replaceAllUsesWith(renamed);
  op->erase();
  return renamed;
}

/// Whether a discardable attribute is left by a frontend for other compilers.
static bool isForeign(StringRef name) {
  return name.contains('.') && !name.starts_with("disc.");
}

static void dropForeign(Operation *op) {
  SmallVector<StringAttr> foreign;
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (isForeign(attr.getName()))
      foreign.push_back(attr.getName());
  for (StringAttr name : foreign)
    op->removeDiscardableAttr(name);
}

static void dropForeign(func::FuncOp func) {
  auto foreignOf = [](DictionaryAttr attrs) {
    SmallVector<StringAttr> foreign;
    if (!attrs)
      return foreign;
    for (NamedAttribute attr : attrs)
      if (isForeign(attr.getName()))
        foreign.push_back(attr.getName());
    return foreign;
  };
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
    for (StringAttr name : foreignOf(func.getArgAttrDict(i)))
      func.removeArgAttr(i, name);
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i)
    for (StringAttr name : foreignOf(func.getResultAttrDict(i)))
      func.removeResultAttr(i, name);
}

static LogicalResult refuseType(Operation *op, Type type, Twine what) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (ranked && !dhlo::productOfSizes(ranked.getShape()))
    return op->emitError() << what << " has the type " << type
                           << ", whose sizes multiply past the 64 bits in which elements "
                              "are counted";
  if (!isa<UnrankedTensorType>(type))
    return success();
  return op->emitError()
         << what << " has the unranked type " << type
         << "; give every tensor a rank (sizes may be `?`), for example by "
            "exporting the model with example inputs";
}

/// Ranks are static, and elements are counted in 64 bits: other tensors are
/// refused where they first occur.
static LogicalResult refuseTypes(Operation *op) {
  auto refused = success();
  auto refuse = [&](Type type, Twine what) {
    if (succeeded(refused))
      refused = refuseType(op, type, what);
  };
  StringRef name = op->getName().getStringRef();
  if (auto func = dyn_cast<func::FuncOp>(op)) {
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
      refuse(type, "argument #" + Twine(i) + " of `" + func.getName() + "`");
    return refused;
  }
  for (OpResult result : op->getResults())
    refuse(result.getType(), "result #" + Twine(result.getResultNumber()) +
                                 " of `" + name + "`");
  for (Region &region : op->getRegions())
    for (BlockArgument arg : region.getArguments())
      refuse(arg.getType(), "a block argument of `" + name + "`");
  return refused;
}

/// Programs for several processes or devices are read, but not compiled.
static LogicalResult refuseDistributed(Operation *op) {
  if (!isa<dhlo::AllGatherOp, dhlo::AllReduceOp, dhlo::AllToAllOp,
           dhlo::ReduceScatterOp, dhlo::CollectiveBroadcastOp,
           dhlo::CollectivePermuteOp, dhlo::SendOp, dhlo::RecvOp,
           dhlo::InfeedOp, dhlo::OutfeedOp, dhlo::PartitionIdOp,
           dhlo::ReplicaIdOp>(op))
    return success();
  return op->emitError()
         << "`" << op->getName()
         << "` belongs to a program of several processes, or talks to the host "
            "while it runs; only programs of one process are compiled: lower "
            "the model for a single device";
}

/// Of the functions only `main` is called from outside; the others are inlined
/// and go.
static void hideAllButMain(ModuleOp module) {
  if (!module.lookupSymbol<func::FuncOp>("main"))
    return;
  for (auto func : module.getOps<func::FuncOp>())
    if (func.getName() != "main")
      func.setPrivate();
}

LogicalResult disc::runInputRename(ModuleOp module) {
  hideAllButMain(module);
  // Inner ops first, so that regions are complete when their op is made.
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (LogicalResult known = refuseTypes(op); failed(known))
      return known;
    if (op->getName().isRegistered()) {
      if (LogicalResult known = refuseDistributed(op); failed(known))
        return known;
      dropForeign(op);
      if (auto func = dyn_cast<func::FuncOp>(op)) {
        dropForeign(func);
        // Said once here; later passes ignore what is malformed.
        if (auto symbols = disc::declaredSymbols(func); failed(symbols))
          return symbols;
        if (auto dims = disc::verifyDeclaredDims(func); failed(dims))
          return dims;
      }
      continue;
    }
    if (!dhlo::isAliasNamespace(op->getName().getDialectNamespace()))
      return op->emitError("unknown op `")
             << op->getName().getStringRef()
             << "`; the input may use StableHLO, MHLO, CHLO, shape, tensor, "
                "arith, math, scf, cf and func ops";
    dropForeign(op);
    FailureOr<Operation *> renamed = rename(op);
    if (failed(renamed))
      return renamed;
    if (LogicalResult known = refuseDistributed(*renamed); failed(known))
      return known;
  }
  return success();
}
