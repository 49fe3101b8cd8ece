// Conditions and messages of what ops demand of sizes.
#include "passes/shape/Demands.h"

#include "dialects/dhlo/Dhlo.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace disc;
using arith::CmpIPredicate;

/// Whether a dimension of size `operand` can be broadcast to `result`: it is 1
/// or the same. Where the result is made by `x == 1 ? y : x`, as frontends
/// spell a broadcast, perhaps of several, `operand` is compared with what stands
/// before it alone: that tells which sizes are compatible.
Size Demands::oneOrEqual(Size operand, Size result) {
  SizeContext &sizes = analysis.sizes();
  Size one = sizes.constant(1), yes = one;
  auto eq = [&](Size a, Size b) { return sizes.cmp(CmpIPredicate::eq, a, b); };
  if (operand == result || operand->isConst(1))
    return yes;
  if (result->lo > 1 && sizes.compatible(operand, result))
    return yes;
  if (result->kind == SizeKind::Bcast) {
    if (isBroadcastOf(result, operand))
      return yes; // made of sizes that were checked
    for (Size part : result->ops)
      if (isBroadcastOf(part, operand)) // and so 1 where the part is
        return oneOrEqual(operand, part);
  }
  auto [otherwise, whenOne] = broadcastOperands(result);
  if (otherwise && isBroadcastOf(otherwise, operand))
    return oneOrEqual(operand, otherwise);
  if (!otherwise || !isBroadcastOf(whenOne, operand))
    return sizes.logicalOr(eq(operand, one), eq(operand, result));
  return sizes.logicalOr(
      sizes.logicalOr(eq(operand, one), eq(operand, otherwise)),
      sizes.logicalAnd(eq(otherwise, one), oneOrEqual(operand, whenOne)));
}

Size Demands::condition(const Demand &demand) {
  SizeContext &sizes = analysis.sizes();
  switch (demand.kind) {
  case Demand::OneOrEqual:
    return oneOrEqual(demand.actual, demand.expected);
  case Demand::AtLeast:
    return sizes.cmp(CmpIPredicate::sge, demand.actual, demand.expected);
  case Demand::AtMost:
    return sizes.cmp(CmpIPredicate::sle, demand.actual, demand.expected);
  case Demand::Multiple:
    return sizes.cmp(CmpIPredicate::eq,
                     sizes.mod(demand.actual, demand.expected),
                     sizes.constant(0));
  case Demand::Equal:
  case Demand::SameCount:
    return sizes.cmp(CmpIPredicate::eq, demand.actual, demand.expected);
  }
  llvm_unreachable("all kinds are listed");
}

std::string disc::shortLocation(Location loc) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    return (llvm::sys::path::filename(file.getFilename()) + ":" +
            Twine(file.getLine()) + ":" + Twine(file.getColumn()))
        .str();
  if (auto name = loc->findInstanceOf<NameLoc>())
    return name.getName().str();
  return "an unknown place";
}

/// The name that the op's specification gives operand `index`.
static std::string operandName(Operation *op, int index) {
  unsigned count = op->getNumOperands();
  StringRef name;
  if (isa<dhlo::SelectOp>(op))
    name = ArrayRef<StringRef>{"pred", "on_true", "on_false"}[index];
  else if (isa<dhlo::ClampOp>(op))
    name = ArrayRef<StringRef>{"min", "operand", "max"}[index];
  else if (isa<dhlo::GatherOp, dhlo::DynamicGatherOp, dhlo::TorchIndexSelectOp>(op) && index == 1)
    name = isa<dhlo::TorchIndexSelectOp>(op) ? "index" : "start_indices";
  else if (isa<dhlo::DynamicUpdateSliceOp>(op))
    name = index == 0 ? "operand" : "update";
  else if (isa<dhlo::TriangularSolveOp, dhlo::CholeskyOp>(op))
    name = index == 0 ? "a" : "b";
  else if (isa<dhlo::SelectAndScatterOp>(op))
    name = index == 0 ? "operand" : "source";
  else if (isa<dhlo::DotGeneralOp, dhlo::ConvolutionOp, dhlo::DynamicConvOp>(op) ||
           (op->hasTrait<OpTrait::dhlo::Elementwise>() && count == 2))
    name = index == 0 ? "lhs" : "rhs";
  else if (index == 0 &&
           !isa<dhlo::ConcatenateOp, dhlo::ReduceOp, dhlo::ReduceWindowOp,
                dhlo::SortOp, dhlo::MapOp, dhlo::ScatterOp>(op))
    name = "operand";
  return name.empty() ? ("operand #" + Twine(index)).str()
                      : ("`" + name + "`").str();
}

static std::string placeText(const SizePlace &place, Operation *op) {
  std::string of =
      place.operand < 0 ? "the result" : operandName(op, place.operand);
  auto inDim = [&](const Twine &what) {
    return (what + " in dimension " + Twine(place.dim)).str();
  };
  switch (place.role) {
  case SizePlace::Number:
    return "";
  case SizePlace::Declared:
    return "its type says so";
  case SizePlace::Dim:
    return ("dimension " + Twine(place.dim) + " of " + of).str();
  case SizePlace::Count:
    return "the number of elements of " + of;
  case SizePlace::Start:
    return inDim("the start");
  case SizePlace::Limit:
    return inDim("the limit");
  case SizePlace::Stride:
    return inDim("the stride");
  case SizePlace::SliceSize:
    return inDim("the slice size");
  case SizePlace::Interior:
    return inDim("the interior padding");
  case SizePlace::Windows:
    return inDim("the windows of " + of);
  case SizePlace::Groups:
    return "the groups";
  case SizePlace::FftLength:
    return "`fft_length`";
  }
  llvm_unreachable("all roles are listed");
}

std::string Demands::message(const Demand &demand, Operation *op) {
  std::string text = ("`" + op->getName().stripDialect() + "` at ").str() +
                     shortLocation(op->getLoc()) + ": " +
                     placeText(demand.actualPlace, op) + " is {0}, expected ";
  switch (demand.kind) {
  case Demand::OneOrEqual:
    text += "1 or ";
    break;
  case Demand::AtLeast:
    text += "at least ";
    break;
  case Demand::AtMost:
    text += "at most ";
    break;
  case Demand::Multiple:
    text += "a multiple of ";
    break;
  case Demand::Equal:
  case Demand::SameCount:
    break;
  }
  std::string why = placeText(demand.expectedPlace, op);
  return text + "{1}" + (why.empty() ? "" : " (" + why + ")");
}
