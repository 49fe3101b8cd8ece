// The sizes of every tensor, to a fixed point with the facts that checks give.
#include "passes/shape/ShapeResolver.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace disc;

ShapeResolver::ShapeResolver(func::FuncOp func, Source source)
    : analysis(func), materializer(func, analysis.sizes()), func(func),
      source(source),
      demands(analysis) {}

void ShapeResolver::analyze() {
  // Each round may find more; a few suffice, and stopping early is sound.
  for (int round = 0; round < 6; ++round) {
    changed = false;
    analysis.restart();
    visitBlock(func.getBody().front());
    if (!changed)
      return;
  }
  analysis.restart();
  visitBlock(func.getBody().front());
}

void ShapeResolver::visitBlock(Block &block) {
  bool isEntry = &block == &func.getBody().front();
  if (isEntry)
    now = 0;
  // Shape functions insert ops before the op they belong to.
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isEntry)
      order[&op] = ++now;
    visitOp(&op);
  }
}

void ShapeResolver::visitOp(Operation *op) {
  computeDims(op);
  learn(op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visitBlock(block);
}

static bool hasDynamicResult(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    auto tensorType = dyn_cast<RankedTensorType>(type);
    return tensorType && !tensorType.hasStaticShape();
  });
}

void ShapeResolver::computeDims(Operation *op) {
  if (!hasDynamicResult(op) || isa<tensor::CastOp, dhlo::TieShapeOp>(op))
    return;
  if (op->hasTrait<OpTrait::dhlo::Elementwise>()) {
    Value result = op->getResult(0);
    SmallVector<Size> sizes;
    int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
    for (int64_t i = 0; i < rank; ++i) {
      Size size = nullptr;
      for (Value operand : op->getOperands()) {
        auto type = cast<RankedTensorType>(operand.getType());
        if (type.getRank() != rank)
          continue;
        Size other = analysis.dim(operand, i);
        if (!size || other->isConst())
          size = other;
      }
      sizes.push_back(size ? size : analysis.dim(result, i));
    }
    analysis.setDims(result, sizes);
    return;
  }
  auto [it, isNew] = reified.try_emplace(op);
  if (isNew) {
    OpBuilder builder(op);
    auto reifiable = dyn_cast<ReifyRankedShapedTypeOpInterface>(op);
    ReifiedRankedShapedTypeDims dims;
    if (reifiable && succeeded(reifiable.reifyResultShapes(builder, dims)))
      it->second = std::move(dims);
  }
  if (it->second.size() != op->getNumResults())
    return;
  for (auto [result, dims] : llvm::zip(op->getResults(), it->second)) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    SmallVector<Size> sizes;
    for (OpFoldResult dim : dims) {
      if (auto attr = dyn_cast_or_null<Attribute>(dim))
        sizes.push_back(
            analysis.sizes().constant(cast<IntegerAttr>(attr).getInt()));
      else
        sizes.push_back(analysis.of(cast<Value>(dim)));
    }
    analysis.setDims(result, sizes);
  }
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// Ops that were inserted in this round stand before the current one.
unsigned ShapeResolver::orderOf(Operation *op) const {
  auto it = order.find(op);
  return it == order.end() ? now : it->second;
}

bool ShapeResolver::lastDefinition(Size size, Operation *&last) {
  // Expressions share parts, so there may be far more paths than parts.
  llvm::DenseSet<Size> seen;
  SmallVector<Size> next = {size};
  while (!next.empty()) {
    Size part = next.pop_back_val();
    if (!seen.insert(part).second)
      continue;
    llvm::append_range(next, part->ops);
    if (part->kind != SizeKind::Sym)
      continue;
    Value sym = part->sym;
    if (sym.getParentBlock() != &func.getBody().front())
      return false;
    Operation *def = sym.getDefiningOp();
    if (def && (!last || orderOf(last) < orderOf(def)))
      last = def;
  }
  return true;
}

/// Replaces one of two sizes by the other, where that is there as early.
bool ShapeResolver::equate(Size a, Size b, Fact &fact) {
  // The simpler and older one stays.
  auto weight = [](Size size) {
    return size->isConst() ? 0 : size->kind == SizeKind::Sym ? 1 : 2;
  };
  auto age = [&](Size size) {
    unsigned number = 0;
    Operation *def = size->sym ? size->sym.getDefiningOp() : nullptr;
    if (auto arg = dyn_cast_or_null<BlockArgument>(size->sym))
      number = arg.getArgNumber();
    return std::make_tuple(weight(size), def ? orderOf(def) : 0, number,
                           size->dim, size->id);
  };
  if (age(a) > age(b))
    std::swap(a, b);
  auto isLater = [&](Size to, Size from) {
    Operation *lastTo = nullptr, *lastFrom = nullptr;
    lastDefinition(to, lastTo);
    lastDefinition(from, lastFrom);
    return lastTo && (!lastFrom || orderOf(lastFrom) < orderOf(lastTo));
  };
  if (isLater(a, b))
    std::swap(a, b);
  if (isLater(a, b) || !analysis.sizes().equate(b, a))
    return false;
  fact.from = b;
  fact.to = a;
  return true;
}

void ShapeResolver::learnFact(Fact fact) {
  Size cond = fact.cond;
  Operation *last = nullptr;
  if (cond->isConst() || !lastDefinition(cond, last))
    return;
  // What the message prints must be there too: else its equal, which is.
  for (auto *sizes : {&fact.values, &fact.counted})
    for (Size &size : *sizes) {
      Operation *at = last;
      if (lastDefinition(size, at) && at == last)
        continue;
      size = analysis.sizes().latest(size);
      lastDefinition(size, last);
    }
  auto [x, y] = comparedForBroadcast(cond);
  bool isEqual =
      x && (cond->kind == SizeKind::Cmp || equalWhereCompatible(x, y));
  bool isNew = isEqual && equate(x, y, fact);
  if (!isNew)
    isNew = analysis.sizes().assume(cond);
  if (!isNew)
    return;
  changed = true;
  auto [known, isFirst] = checkedAt.try_emplace({fact.asker, fact.number}, last);
  auto place = [&](Operation *at) { return at ? orderOf(at) : 0; };
  if (!isFirst && place(known->second) <= place(last))
    return;
  known->second = last;
  facts[last].push_back(std::move(fact));
}

void ShapeResolver::learnCheck(lmhlo_disc::CheckOp check) {
  Size cond = analysis.of(check.getCond());
  SmallVector<Size> values;
  for (Value value : check.getValues())
    values.push_back(analysis.of(value));
  SmallVector<Size> parts = {cond};
  if (cond->kind == SizeKind::And)
    parts.assign(cond->ops.begin(), cond->ops.end());
  for (auto [i, part] : llvm::enumerate(parts)) {
    Fact fact{part, values, check.getMessage().str(), check.getLoc(), true};
    fact.asker = check;
    fact.number = i;
    learnFact(std::move(fact));
  }
}

ShapeResolver::Fact ShapeResolver::factOf(const Demand &demand, Operation *op,
                                          unsigned number) {
  Fact fact{demands.condition(demand), {demand.actual, demand.expected},
            "", op->getLoc(), false};
  fact.asker = op;
  fact.number = number;
  if (demand.kind == Demand::SameCount)
    fact.counted = analysis.dims(op->getResult(0));
  if (!fact.cond->isConst(1))
    fact.message = Demands::message(demand, op);
  return fact;
}

void ShapeResolver::learn(Operation *op) {
  if (op->getBlock() != &func.getBody().front())
    return; // may not run
  if (auto check = dyn_cast<lmhlo_disc::CheckOp>(op))
    return learnCheck(check);
  if (source == Source::Ops)
    for (auto [i, demand] : llvm::enumerate(demands.of(op)))
      learnFact(factOf(demand, op, i));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void ShapeResolver::emit(const Fact &fact) {
  OpBuilder &builder = materializer.builder;
  Location loc = fact.loc;
  Value replaced;
  auto value = [&](Size size) {
    if (size != fact.from)
      return materializer.index(size, loc);
    if (!replaced)
      replaced = materializer.rawIndex(size, loc);
    return replaced;
  };
  SmallVector<Value> values;
  Value holds;
  if (!fact.counted.empty()) {
    SmallVector<Value> sizes;
    for (Size size : fact.counted)
      sizes.push_back(value(size));
    values = {lmhlo_disc::ElementCountOp::create(builder, loc, sizes),
              value(fact.values[1])};
    holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                  values[0], values[1]);
  } else {
    for (Size size : fact.values)
      values.push_back(value(size));
    bool isEqual = fact.from && fact.cond->kind == SizeKind::Cmp;
    holds = isEqual ? Value(arith::CmpIOp::create(
                          builder, loc, arith::CmpIPredicate::eq,
                          value(fact.cond->ops[0]), value(fact.cond->ops[1])))
                    : materializer.condition(fact.cond, loc);
  }
  lmhlo_disc::CheckOp::create(builder, loc, holds, fact.message, values);
  // The replaced size was for the check alone: from here on it is the other.
  if (fact.from)
    materializer.seed(fact.from, materializer.index(fact.to, loc));
}

void ShapeResolver::emitReadyChecks(Operation *op) {
  auto it = facts.find(op);
  if (it == facts.end())
    return;
  OpBuilder::InsertionGuard guard(materializer.builder);
  if (op)
    materializer.builder.setInsertionPointAfter(op);
  else
    materializer.setInsertionPointToPrologue();
  for (const Fact &fact : it->second)
    if (fact.ofCheck == (source == Source::Checks))
      emit(fact);
}

void ShapeResolver::emitDemands(Operation *op) {
  OpBuilder::InsertionGuard guard(materializer.builder);
  materializer.builder.setInsertionPoint(op);
  for (auto [i, demand] : llvm::enumerate(demands.of(op))) {
    Fact fact = factOf(demand, op, i);
    if (!fact.cond->isConst(1) && materializer.isNew(fact.cond))
      emit(fact);
  }
}

/// Whether `op` ties a result of an op that another result keeps alive.
static bool tiesPartOfLiveOp(Operation *op) {
  auto tie = dyn_cast<dhlo::TieShapeOp>(op);
  Operation *def = tie ? tie.getValue().getDefiningOp() : nullptr;
  return def && llvm::any_of(def->getResults(), [&](Value result) {
           return llvm::any_of(result.getUsers(), [](Operation *user) {
             return !isa<dhlo::TieShapeOp>(user) || !user->use_empty();
           });
         });
}

void disc::eraseDeadOps(func::FuncOp func) {
  SmallVector<Operation *> ops;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op) && !tiesPartOfLiveOp(op))
      op->erase();
}
