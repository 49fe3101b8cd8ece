// Greedy grouping of producers with consumers.
#include "passes/fusion/FusionPlan.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace disc;

/// How much may be computed again where a consumer reads elements repeatedly.
static constexpr int64_t kRepeatCost = 3;

/// How often the code of one op may be emitted in a kernel.
static constexpr int64_t kMostEmissions = 64;

void disc::noteApart(Operation *producer, Operation *consumer, StringRef why) {
  if (!producer->getContext()->getRemarkEngine())
    return;
  using Arg = remark::detail::Remark::Arg;
  remark::missed(producer->getLoc(), remark::RemarkOpts::name("apart").category("fusion"))
      << Arg("Consumer", Attribute(LocationAttr(consumer->getLoc()))) << Arg("Reason", why);
}

FusionPlan::FusionPlan(Block &block, OpClasses &classes, Limits limits)
    : block(block), classes(classes), limits(limits) {
  unsigned position = 0;
  for (Operation &op : block) {
    order[&op] = position++;
    OpClass opClass = classes.of(&op);
    if (opClass == OpClass::Barrier || opClass == OpClass::View)
      continue;
    storage.push_back(std::make_unique<FusionGroup>());
    storage.back()->ops.push_back(&op);
    groupOf[&op] = storage.back().get();
  }
}

SmallVector<FusionGroup *> FusionPlan::groups() const {
  SmallVector<FusionGroup *> result;
  for (const auto &group : storage)
    if (!group->ops.empty())
      result.push_back(group.get());
  llvm::stable_sort(result, [&](FusionGroup *a, FusionGroup *b) {
    return order.lookup(a->ops.back()) < order.lookup(b->ops.back());
  });
  return result;
}

void FusionPlan::run() {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    if (groupOf.count(&op))
      ops.push_back(&op);
  for (Operation *producer : llvm::reverse(ops)) {
    // Consumers in program order, by op, so that the outcome is stable.
    SmallVector<Operation *> consumers;
    for (Value result : producer->getResults())
      for (Value value : {result, tiedValue(result)})
        for (Operation *user : value.getUsers()) {
          Operation *consumer = block.findAncestorOpInBlock(*user);
          if (consumer && groupOf.count(consumer) &&
              !llvm::is_contained(consumers, consumer))
            consumers.push_back(consumer);
        }
    llvm::sort(consumers, [&](Operation *a, Operation *b) {
      return order.lookup(a) < order.lookup(b);
    });
    for (Operation *consumer : consumers)
      tryMerge(producer, consumer);
  }
}

int64_t FusionPlan::repeatCost(Operation *op) const {
  // What joins the op may still do so. An upper bound: shared subexpressions
  // count for every use, up to a limit.
  int64_t cost = elementCost(op);
  for (Value operand : op->getOperands()) {
    Operation *def = untied(operand).getDefiningOp();
    if (def && groupOf.count(def) && cost <= kRepeatCost)
      cost += repeatCost(def);
  }
  return cost;
}

/// Whether `op` computes on reduced values, as in `rsqrt(variance + epsilon)`.
bool FusionPlan::isBehindReduce(Operation *op) const {
  OpClass opClass = classes.of(op);
  if (opClass == OpClass::Reduce)
    return true;
  if (opClass != OpClass::Elementwise && !classes.isUnitReshape(op))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    Operation *def = untied(operand).getDefiningOp();
    return def && groupOf.count(def) && isBehindReduce(def);
  });
}

std::string FusionPlan::refuseEdge(Operation *producer, Operation *consumer) {
  OpClass from = classes.of(producer), to = classes.of(consumer);
  if (classes.isFree(producer))
    return "";
  if (from == OpClass::Alone)
    return "its kernel has no other results";
  // A reshape alone is a view of a buffer: it pulls in no producer of its own.
  bool lone = groupOf[consumer]->ops.size() == 1;
  if (isa<dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(consumer) && lone &&
      from != OpClass::Source)
    return "the reshape is a view";
  switch (to) {
  case OpClass::Elementwise:
  case OpClass::Reduce:
    return "";
  case OpClass::IndexMap:
    if (from == OpClass::Reduce || from == OpClass::Heavy)
      return classes.isUnitReshape(consumer)
                 ? ""
                 : "elements of the reduction would move";
    return "";
  case OpClass::Broadcast:
    // What is computed from reduced rows is computed once a row; the kind of
    // the whole sees to it.
    return isBehindReduce(producer) || repeatCost(producer) <= kRepeatCost
               ? ""
               : "the broadcast would repeat its work";
  case OpClass::Alone:
    return "its kernel reads memory alone";
  case OpClass::Gather:
  case OpClass::Heavy:
    return repeatCost(producer) <= kRepeatCost
               ? ""
               : "its elements would be computed repeatedly";
  default:
    return "not fusible";
  }
}

unsigned FusionPlan::searchLimit(unsigned position) const {
  // Ops lead to later ones, and to the earlier members of their groups.
  for (bool grown = true; grown;) {
    grown = false;
    for (FusionGroup *group : large)
      if (group->ops.size() > 1 && order.lookup(group->ops.front()) <= position &&
          order.lookup(group->ops.back()) > position) {
        position = order.lookup(group->ops.back());
        grown = true;
      }
  }
  return position;
}

Operation *FusionPlan::opBetween(const FusionGroup &a, const FusionGroup &b) const {
  // Two marks for this search: in the groups, and seen outside of them.
  marks.resize(order.size());
  unsigned inside = ++lastMark, seen = ++lastMark, last = 0;
  auto mark = [&](Operation *op, unsigned with) -> bool {
    unsigned &slot = marks[order.lookup(op)];
    return std::exchange(slot, with) != with;
  };
  SmallVector<Operation *> members;
  for (const FusionGroup *group : {&a, &b})
    for (Operation *op : group->ops) {
      members.push_back(op);
      for (Value result : op->getResults())
        if (Operation *tie = tiedValue(result).getDefiningOp();
            isa_and_nonnull<dhlo::TieShapeOp>(tie))
          members.push_back(tie);
      last = std::max(last, order.lookup(op));
    }
  for (Operation *op : members)
    mark(op, inside);
  // Follow uses outside of the two groups; coming back is a cycle. Other
  // groups count as a whole, since each will be one op.
  unsigned limit = searchLimit(last);
  SmallVector<Operation *> work;
  auto follow = [&](Operation *op, bool fromInside) {
    for (Value result : op->getResults())
      for (Operation *user : result.getUsers()) {
        Operation *next = block.findAncestorOpInBlock(*user);
        if (!next)
          continue;
        unsigned position = order.lookup(next);
        if (marks[position] == inside) {
          if (!fromInside)
            return true;
          continue;
        }
        if (position <= limit && mark(next, seen))
          work.push_back(next);
      }
    return false;
  };
  for (Operation *op : members)
    follow(op, true);
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    Operation *owner = op;
    if (isa<dhlo::TieShapeOp>(op))
      if (Operation *def = untied(op->getResult(0)).getDefiningOp();
          def && groupOf.count(def))
        owner = def;
    auto it = groupOf.find(owner);
    if (it != groupOf.end())
      for (Operation *member : it->second->ops)
        if (mark(member, seen))
          work.push_back(member);
    if (follow(op, false)) {
      Operation *tied = isa<dhlo::TieShapeOp>(owner) ? untied(owner->getResult(0)).getDefiningOp() : nullptr;
      return tied ? tied : owner;
    }
  }
  return nullptr;
}

/// How often the most repeated of `ops`, in program order, would be emitted. An
/// element is emitted once for each index at which it is read: elementwise
/// readers share the index, the others each bring their own.
static int64_t mostEmissions(ArrayRef<Operation *> ops, OpClasses &classes) {
  struct Count {
    int64_t shared = 0, own = 0;
  };
  DenseMap<Operation *, Count> counts;
  for (Operation *op : ops)
    counts[op];
  int64_t most = 1;
  for (Operation *op : llvm::reverse(ops)) {
    Count count = counts[op];
    int64_t emissions = std::max<int64_t>(count.shared + count.own, 1);
    if (!classes.isFree(op))
      most = std::max(most, emissions);
    if (most > kMostEmissions)
      break;
    bool shares = classes.of(op) == OpClass::Elementwise;
    for (Value operand : op->getOperands()) {
      auto it = counts.find(untied(operand).getDefiningOp());
      if (it == counts.end())
        continue;
      if (shares)
        it->second.shared = std::max(it->second.shared, emissions);
      else
        it->second.own += emissions;
    }
  }
  return most;
}

bool FusionPlan::tryMerge(Operation *producer, Operation *consumer) {
  FusionGroup *from = groupOf[producer], *to = groupOf[consumer];
  if (from == to)
    return true;
  auto refuse = [&](StringRef why) {
    noteApart(producer, consumer, why);
    return false;
  };
  if (static_cast<int64_t>(from->ops.size() + to->ops.size()) > limits.maxOps)
    return refuse("the kernel would have more than " + std::to_string(limits.maxOps) + " ops");
  std::string why = refuseEdge(producer, consumer);
  if (!why.empty())
    return refuse(why);
  SmallVector<Operation *> merged(from->ops);
  merged.append(to->ops);
  llvm::sort(merged, [&](Operation *a, Operation *b) {
    return order.lookup(a) < order.lookup(b);
  });
  if (mostEmissions(merged, classes) > kMostEmissions)
    return refuse("its code would be repeated too often");
  FusionKind kind = kindOf(merged, classes);
  if (!kind)
    return refuse(kind.why);
  if (Operation *between = opBetween(*from, *to))
    return refuse("`" + between->getName().getStringRef().str() + "` lies between the two");
  for (Operation *op : from->ops)
    groupOf[op] = to;
  if (to->ops.size() == 1)
    large.push_back(to);
  to->ops = std::move(merged);
  from->ops.clear();
  return true;
}
