// Pass fusion-stitch: matrix products join the fusions that read or write their rows.
//
// A fusion that reads a product element by element, or row by row, needs of it no
// more than the rows that it works on; and a product needs of its left operand no
// more than its own rows. Such ops become one fusion of kind "stitch", which runs
// on a block of rows from end to end: what they hand on stays in the cache and
// never becomes a buffer. This is how bias, activation, residual and normalisation
// join the product before them, and how both products of an attention join its
// softmax. After the stitching of AStitch (Zheng et al., ASPLOS 2022), with products
// as further ops that keep to their rows.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/fusion/FusionPlan.h"
#include "passes/fusion/VisitOrder.h"
#include "passes/graph/DotForm.h"

using namespace mlir;
using namespace disc;

/// All that a stitch hands on is alive at once, and its stages are code in one place: chains of more products are cut.
static constexpr int64_t kMostProducts = 6;

namespace {
/// What leads from a product to a fusion or back: views, in program order.
using Views = SmallVector<Operation *, 2>;

class Stitcher {
public:
  Stitcher(Block &block, OpClasses &classes) : block(block), classes(classes) {}

  /// The groups to build, each in program order.
  SmallVector<FusionGroup> run();

private:
  bool isProduct(Operation *op);
  dhlo::DotGeneralOp producerOf(Value input, Views &views);
  dhlo::DotGeneralOp consumerOf(dhlo::FusionOp fusion, Views &views);
  ArrayRef<Size> rowsOf(dhlo::DotGeneralOp dot) {
    return classes.dims(dot.getResult()).drop_back();
  }
  /// Where in the shape that the fusion works on a row of the product begins.
  std::optional<int64_t> rowBegin(dhlo::DotGeneralOp dot, dhlo::FusionOp fusion);
  bool readsOwnRow(dhlo::FusionOp fusion, unsigned input);
  bool accepts(dhlo::DotGeneralOp dot, dhlo::FusionOp fusion, unsigned input);
  /// Whether the groups of both would have few enough products together.
  bool fits(Operation *a, Operation *b);
  void join(Operation *a, ArrayRef<Operation *> views, Operation *b);

  Block &block;
  OpClasses &classes;
  SmallVector<std::unique_ptr<FusionGroup>> groups;
  DenseMap<Operation *, FusionGroup *> groupOf;
};
} // namespace

/// A product of f32 matrices whose left operand has its rows in place.
bool Stitcher::isProduct(Operation *op) {
  auto dot = dyn_cast_or_null<dhlo::DotGeneralOp>(op);
  if (!dot || dot->getBlock() != &block || !isLibraryDot(dot) ||
      !cast<RankedTensorType>(dot.getType()).getElementType().isF32())
    return false;
  int64_t last = cast<RankedTensorType>(dot.getLhs().getType()).getRank() - 1;
  return dot.getDotDimensionNumbers().getLhsContractingDimensions().front() == last;
}

static bool isView(Operation *op) {
  return isa_and_nonnull<dhlo::ReshapeOp, dhlo::DynamicReshapeOp, tensor::CastOp>(op);
}

/// The only op that uses `value`, ties aside; null when there are several.
static Operation *onlyUser(Value value) {
  value = tiedValue(value);
  return value.hasOneUse() && untied(value).hasOneUse() ? *value.user_begin()
                                                        : nullptr;
}

/// The product that `input` is, if nothing else reads it.
dhlo::DotGeneralOp Stitcher::producerOf(Value input, Views &views) {
  Operation *user = nullptr;
  Value value = input;
  while (true) {
    Operation *only = onlyUser(untied(value));
    if (!only || (user && only != user))
      return {};
    Operation *def = untied(value).getDefiningOp();
    if (!isView(def))
      return isProduct(def) ? cast<dhlo::DotGeneralOp>(def) : dhlo::DotGeneralOp();
    views.insert(views.begin(), def);
    user = def;
    value = def->getOperand(0);
  }
}

/// The product whose left operand the fusion's one result is, if nothing else
/// reads it.
dhlo::DotGeneralOp Stitcher::consumerOf(dhlo::FusionOp fusion, Views &views) {
  if (fusion->getNumResults() != 1)
    return {};
  Value value = tiedValue(fusion.getResult(0));
  while (true) {
    Operation *user = onlyUser(untied(value));
    if (isProduct(user)) {
      auto dot = cast<dhlo::DotGeneralOp>(user);
      return dot.getLhs() == value && dot.getRhs() != value ? dot
                                                            : dhlo::DotGeneralOp();
    }
    if (!isView(user) || user->getOperand(0) != value || user->getBlock() != &block)
      return {};
    views.push_back(user);
    value = tiedValue(user->getResult(0));
  }
}

/// The shape whose elements the fusion visits in order: of its results, or of what
/// these transpose, or of its rows.
static Value visited(dhlo::FusionOp fusion) {
  if (fusion.getKind() == "row")
    for (auto reduce : fusion.getBlock().getOps<dhlo::ReduceOp>())
      return reduce.getInputs().front();
  if (auto transpose = getResultTranspose(fusion.getBlock()))
    return transpose.getOperand();
  return fusion.getYielded().front();
}

std::optional<int64_t> Stitcher::rowBegin(dhlo::DotGeneralOp dot,
                                          dhlo::FusionOp fusion) {
  ArrayRef<Size> matrix = classes.dims(dot.getResult());
  ArrayRef<Size> shape = classes.dims(visited(fusion));
  for (const ReshapeGroup &group :
       reshapeGroups(classes.sizeContext(), matrix, shape))
    if (group.inBegin == static_cast<int64_t>(matrix.size()) - 1)
      return group.outBegin;
  return std::nullopt;
}

/// Whether each row of the results needs no other than its own row of `input`.
/// Reshapes keep the order of elements; what follows a reduction of rows stays
/// in the row by the nature of a row fusion.
bool Stitcher::readsOwnRow(dhlo::FusionOp fusion, unsigned input) {
  Operation *order = getResultTranspose(fusion.getBlock());
  SmallVector<Value> work{fusion.getBlock().getArgument(input)};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (Operation *user : value.getUsers()) {
      if (isa<dhlo::ReturnOp, dhlo::ReduceOp>(user) || user == order)
        continue;
      if (!isa<dhlo::TieShapeOp>(user) && !isView(user) &&
          classes.of(user) != OpClass::Elementwise)
        return false;
      llvm::append_range(work, user->getResults());
    }
  }
  return true;
}

bool Stitcher::accepts(dhlo::DotGeneralOp dot, dhlo::FusionOp fusion,
                       unsigned input) {
  Size columns = classes.dims(dot.getResult()).back();
  if (columns->isConst() && columns->value < kShortLoop)
    return false;
  std::optional<int64_t> begin = rowBegin(dot, fusion);
  if (!begin)
    return false;
  bool isRow = fusion.getKind() == "row";
  if (!isRow && !fusion.getBlock().getOps<dhlo::ReduceOp>().empty())
    return false; // columns of sums
  if (auto dims = fusion->getAttrOfType<IntegerAttr>("row_dims"); isRow && dims) {
    int64_t rank = cast<RankedTensorType>(visited(fusion).getType()).getRank();
    if (rank - dims.getInt() < *begin)
      return false; // its rows are longer than the product's
  }
  return readsOwnRow(fusion, input);
}

bool Stitcher::fits(Operation *a, Operation *b) {
  FusionGroup *from = groupOf.lookup(a), *to = groupOf.lookup(b);
  if (from && from == to)
    return true;
  auto products = [](FusionGroup *group, Operation *op) -> int64_t {
    return group ? llvm::count_if(group->ops, llvm::IsaPred<dhlo::DotGeneralOp>) : isa<dhlo::DotGeneralOp>(op);
  };
  return products(from, a) + products(to, b) <= kMostProducts;
}

void Stitcher::join(Operation *a, ArrayRef<Operation *> views, Operation *b) {
  FusionGroup *from = groupOf.lookup(a), *to = groupOf.lookup(b);
  SmallVector<Operation *> added(views);
  for (auto [op, group] : {std::pair(a, from), std::pair(b, to)})
    if (!group)
      added.push_back(op);
  FusionGroup *result = from ? from : to;
  if (!result)
    result = groups.emplace_back(std::make_unique<FusionGroup>()).get();
  if (from && to && from != to) {
    llvm::append_range(added, to->ops);
    to->ops.clear();
  }
  llvm::append_range(result->ops, added);
  for (Operation *op : result->ops)
    groupOf[op] = result;
}

SmallVector<FusionGroup> Stitcher::run() {
  for (auto fusion : block.getOps<dhlo::FusionOp>()) {
    if (fusion.getKind() != "row" && fusion.getKind() != "loop")
      continue;
    ArrayRef<Size> rows;
    Size length;
    for (auto [i, input] : llvm::enumerate(fusion.getInputs())) {
      Views views;
      dhlo::DotGeneralOp dot = producerOf(input, views);
      if (!dot || !accepts(dot, fusion, i) || (!rows.empty() && rows != rowsOf(dot)) || !fits(dot, fusion))
        continue;
      rows = rowsOf(dot);
      length = classes.dims(dot.getResult()).back();
      join(dot, views, fusion);
    }
    Views views;
    dhlo::DotGeneralOp next = consumerOf(fusion, views);
    if (!next || rows.empty() || rows != rowsOf(next))
      continue;
    // The fusion's result has the rows of the product in their order: same rows, same length.
    if (!getResultTranspose(fusion.getBlock()) &&
        classes.dims(fusion.getYielded().front()) == classes.dims(visited(fusion)) &&
        classes.dims(next.getLhs()).back() == length && fits(fusion, next))
      join(fusion, views, next);
  }
  SmallVector<FusionGroup> result;
  for (auto &group : groups)
    if (group->ops.size() > 1) {
      llvm::sort(group->ops, [](Operation *a, Operation *b) {
        return a->isBeforeInBlock(b);
      });
      result.push_back(*group);
    }
  return result;
}

LogicalResult disc::runFusionStitch(func::FuncOp func) {
  if (func.isExternal())
    return success();
  SmallVector<Block *> blocks;
  func.walk([&](dhlo::DotGeneralOp dot) {
    if (!dot->getParentOfType<dhlo::FusionOp>() &&
        !llvm::is_contained(blocks, dot->getBlock()))
      blocks.push_back(dot->getBlock());
  });
  for (Block *block : blocks) {
    SmallVector<FusionGroup> groups;
    {
      ShapeConstraintAnalysis analysis(func);
      OpClasses classes(analysis);
      groups = Stitcher(*block, classes).run();
    }
    FusionKind kind;
    kind.type = FusionKind::Stitch;
    for (const FusionGroup &group : groups)
      buildFusion(group, kind);
    if (!groups.empty() && !sortTopologically(block))
      return func.emitOpError("has stitched fusions that depend on each other");
  }
  return success();
}
