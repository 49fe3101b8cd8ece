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
/// A product, and the views between it and what it hands rows to or gets them from.
struct Link {
  dhlo::DotGeneralOp dot;
  SmallVector<Operation *, 2> views; // in program order
  std::string why;                   // why the two stay apart; empty if nothing is known yet
};

class Stitcher {
public:
  Stitcher(Block &block, OpClasses &classes) : block(block), classes(classes) {}

  /// The groups to build, each in program order.
  SmallVector<FusionGroup> run();

private:
  bool isProduct(Operation *op);
  std::string refuseProduct(dhlo::DotGeneralOp dot);
  Link producerOf(Value input);
  void findReaders(Value value, Link link, SmallVectorImpl<Link> &links);
  ArrayRef<Size> rowsOf(dhlo::DotGeneralOp dot) {
    return classes.dims(dot.getResult()).drop_back();
  }
  /// Where in the shape that the fusion works on a row of the product begins.
  std::optional<int64_t> rowBegin(dhlo::DotGeneralOp dot, dhlo::FusionOp fusion);
  std::string refuseReader(dhlo::FusionOp fusion, unsigned input);
  std::string refuseInput(dhlo::DotGeneralOp dot, dhlo::FusionOp fusion, unsigned input);
  std::string refuseNext(dhlo::FusionOp fusion, dhlo::DotGeneralOp next);
  /// Why the groups of both would not be one stitch.
  std::string refuseSize(Operation *a, Operation *b);
  void addInputs(dhlo::FusionOp fusion);
  void addNext(dhlo::FusionOp fusion);
  void join(Operation *a, ArrayRef<Operation *> views, Operation *b);

  Block &block;
  OpClasses &classes;
  std::vector<std::unique_ptr<FusionGroup>> groups;
  DenseMap<Operation *, FusionGroup *> groupOf;
  /// The last product that each fusion takes rows of.
  DenseMap<Operation *, dhlo::DotGeneralOp> rowSource;
};
} // namespace

/// A matrix product of this block which is a library call.
bool Stitcher::isProduct(Operation *op) {
  auto dot = dyn_cast_or_null<dhlo::DotGeneralOp>(op);
  return dot && dot->getBlock() == &block && isLibraryDot(dot);
}

/// Stitched are products of f32 whose left operand has its rows in place.
std::string Stitcher::refuseProduct(dhlo::DotGeneralOp dot) {
  Type element = cast<RankedTensorType>(dot.getType()).getElementType();
  if (!element.isF32()) {
    std::string why;
    llvm::raw_string_ostream(why) << "the product is of " << element << ", not of f32";
    return why;
  }
  int64_t last = cast<RankedTensorType>(dot.getLhs().getType()).getRank() - 1;
  if (dot.getDotDimensionNumbers().getLhsContractingDimensions().front() != last)
    return "the left operand of the product is transposed: its rows are not in place";
  return "";
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

/// The product that `input` is; no product if it is none.
Link Stitcher::producerOf(Value input) {
  Link link;
  Operation *user = nullptr;
  Value value = input;
  while (true) {
    Operation *only = onlyUser(untied(value));
    if (!only || (user && only != user))
      link.why = "others read the product too";
    Operation *def = untied(value).getDefiningOp();
    if (isView(def)) {
      link.views.insert(link.views.begin(), def);
      user = def;
      value = def->getOperand(0);
      continue;
    }
    if (isProduct(def))
      link.dot = cast<dhlo::DotGeneralOp>(def);
    if (link.dot && link.why.empty())
      link.why = refuseProduct(link.dot);
    return link;
  }
}

/// Adds the products that read `value`, directly or through views.
void Stitcher::findReaders(Value value, Link link, SmallVectorImpl<Link> &links) {
  if (!onlyUser(untied(value)))
    link.why = "others read it too";
  value = tiedValue(untied(value));
  for (Operation *user : value.getUsers()) {
    Link next = link;
    if (isView(user) && user->getOperand(0) == value && user->getBlock() == &block) {
      next.views.push_back(user);
      findReaders(user->getResult(0), next, links);
    } else if (isProduct(user)) {
      next.dot = cast<dhlo::DotGeneralOp>(user);
      if (next.why.empty() && next.dot.getRhs() == value)
        next.why = "it is the right operand: each row of the product needs all of it";
      if (next.why.empty())
        next.why = refuseProduct(next.dot);
      links.push_back(next);
    }
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

/// Why some row of the results needs more than its own row of `input`. Reshapes
/// keep the order of elements; what follows a reduction of rows stays in the row
/// by the nature of a row fusion.
std::string Stitcher::refuseReader(dhlo::FusionOp fusion, unsigned input) {
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
        return "`" + user->getName().getStringRef().str() +
               "` reads the product's elements elsewhere than in their row";
      llvm::append_range(work, user->getResults());
    }
  }
  return "";
}

/// Why the fusion does not work on the rows of `dot`, which it reads.
std::string Stitcher::refuseInput(dhlo::DotGeneralOp dot, dhlo::FusionOp fusion,
                                  unsigned input) {
  bool isRow = fusion.getKind() == "row";
  if (!isRow && fusion.getKind() != "loop")
    return "a kernel of kind `" + fusion.getKind().str() + "` does not work row by row";
  Size columns = classes.dims(dot.getResult()).back();
  if (columns->isConst() && columns->value < kShortLoop)
    return "rows of the product have fewer than " + std::to_string(kShortLoop) + " elements";
  if (!isRow && !fusion.getBlock().getOps<dhlo::ReduceOp>().empty())
    return "the kernel reduces columns, which needs all rows";
  std::optional<int64_t> begin = rowBegin(dot, fusion);
  if (!begin)
    return "the order in which the kernel visits elements does not keep the product's rows whole";
  if (auto dims = fusion->getAttrOfType<IntegerAttr>("row_dims"); isRow && dims) {
    int64_t rank = cast<RankedTensorType>(visited(fusion).getType()).getRank();
    if (rank - dims.getInt() < *begin)
      return "the kernel's rows are longer than the product's";
  }
  if (dhlo::DotGeneralOp other = rowSource.lookup(fusion); other && rowsOf(other) != rowsOf(dot))
    return "the kernel works on the rows of another product";
  return refuseReader(fusion, input);
}

/// Why `next`, whose left operand is the result of the fusion, does not go on with its rows.
std::string Stitcher::refuseNext(dhlo::FusionOp fusion, dhlo::DotGeneralOp next) {
  if (fusion->getNumResults() != 1)
    return "the kernel has several results";
  dhlo::DotGeneralOp source = rowSource.lookup(fusion);
  if (!source)
    return "a stitch begins with a product, and the kernel takes rows of none";
  if (rowsOf(source) != rowsOf(next))
    return "the two products are not known to have the same rows";
  // The fusion's result has the rows of the product in their order: same rows, same length.
  if (getResultTranspose(fusion.getBlock()))
    return "the kernel writes the rows in another order";
  if (classes.dims(fusion.getYielded().front()) != classes.dims(visited(fusion)) ||
      classes.dims(next.getLhs()).back() != classes.dims(source.getResult()).back())
    return "rows of the kernel's result are not those of the product that it reads";
  return "";
}

std::string Stitcher::refuseSize(Operation *a, Operation *b) {
  FusionGroup *from = groupOf.lookup(a), *to = groupOf.lookup(b);
  if (from && from == to)
    return "";
  auto products = [](FusionGroup *group, Operation *op) -> int64_t {
    return group ? llvm::count_if(group->ops, llvm::IsaPred<dhlo::DotGeneralOp>) : isa<dhlo::DotGeneralOp>(op);
  };
  return products(from, a) + products(to, b) <= kMostProducts
             ? ""
             : "the stitch would have more than " + std::to_string(kMostProducts) + " products";
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

void Stitcher::addInputs(dhlo::FusionOp fusion) {
  for (auto [i, input] : llvm::enumerate(fusion.getInputs())) {
    Link link = producerOf(input);
    if (!link.dot)
      continue;
    if (link.why.empty())
      link.why = refuseInput(link.dot, fusion, i);
    if (link.why.empty())
      link.why = refuseSize(link.dot, fusion);
    if (!link.why.empty()) {
      noteApart(link.dot, fusion, link.why);
      continue;
    }
    rowSource[fusion] = link.dot;
    join(link.dot, link.views, fusion);
  }
}

void Stitcher::addNext(dhlo::FusionOp fusion) {
  SmallVector<Link> links;
  for (Value result : fusion.getResults())
    findReaders(result, Link(), links);
  for (Link &link : links) {
    if (link.why.empty())
      link.why = refuseNext(fusion, link.dot);
    if (link.why.empty())
      link.why = refuseSize(fusion, link.dot);
    if (link.why.empty())
      join(fusion, link.views, link.dot);
    else
      noteApart(fusion, link.dot, link.why);
  }
}

SmallVector<FusionGroup> Stitcher::run() {
  for (auto fusion : block.getOps<dhlo::FusionOp>()) {
    addInputs(fusion);
    addNext(fusion);
  }
  for (auto dot : block.getOps<dhlo::DotGeneralOp>()) {
    SmallVector<Link> links;
    findReaders(dot.getResult(), Link(), links);
    for (const Link &link : links)
      noteApart(dot, link.dot, "products are stitched through a kernel between them");
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
