// The sizes of every tensor, to a fixed point with the equalities that ops imply.
#include "passes/shape/ShapeResolver.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace disc;

ShapeResolver::ShapeResolver(func::FuncOp func)
    : analysis(func), materializer(func), func(func) {}

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
  // Shape functions insert ops before the op they belong to.
  for (Operation &op : llvm::make_early_inc_range(block))
    visitOp(&op);
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

bool ShapeResolver::lastDefinition(Size size, Operation *&last) {
  if (size->kind == SizeKind::Sym) {
    Value sym = size->sym;
    if (sym.getParentBlock() != &func.getBody().front())
      return false;
    Operation *def = sym.getDefiningOp();
    if (def && (!last || last->isBeforeInBlock(def)))
      last = def;
  }
  for (Size op : size->ops)
    if (!lastDefinition(op, last))
      return false;
  return true;
}

void ShapeResolver::require(Size a, Size b, Operation *because) {
  if (a == b || (a->isConst() && b->isConst()))
    return;
  // The simpler and older one stays.
  auto weight = [](Size size) {
    return size->isConst() ? 0 : size->kind == SizeKind::Sym ? 1 : 2;
  };
  if (weight(a) > weight(b) || (weight(a) == weight(b) && a->id > b->id))
    std::swap(a, b);
  Operation *last = nullptr;
  if (!lastDefinition(a, last) || !lastDefinition(b, last))
    return;
  // What replaces must be there wherever the replaced one was.
  auto isLater = [&](Size to, Size from) {
    Operation *lastTo = nullptr, *lastFrom = nullptr;
    lastDefinition(to, lastTo);
    lastDefinition(from, lastFrom);
    return lastTo && (!lastFrom || lastFrom->isBeforeInBlock(lastTo));
  };
  if (isLater(a, b))
    std::swap(a, b);
  if (isLater(a, b))
    return;
  if (analysis.sizes().equate(b, a)) {
    facts.push_back({b, a, because, last});
    changed = true;
  }
}

/// An assertion of equality, or of broadcast compatibility in a case where
/// that means equality.
void ShapeResolver::learnAssert(cf::AssertOp assertion) {
  if (assertion->getBlock() != &func.getBody().front())
    return; // under a condition
  Size cond = analysis.of(assertion.getArg());
  auto isEq = [](Size size) {
    return size->kind == SizeKind::Cmp &&
           size->value == static_cast<int64_t>(arith::CmpIPredicate::eq);
  };
  if (isEq(cond))
    return require(cond->ops[0], cond->ops[1], assertion);
  if (cond->kind != SizeKind::Or)
    return;
  // x == y or x == 1 or y == 1, where x and y broadcast to y: x is y, because
  // x is y limited from above by a number.
  Size equal = nullptr;
  for (Size op : cond->ops) {
    if (!isEq(op))
      return;
    if (!op->ops[0]->isConst() && !op->ops[1]->isConst())
      equal = op;
  }
  if (!equal)
    return;
  Size x = equal->ops[0], y = equal->ops[1];
  Size common = analysis.sizes().bcast(x, y);
  if (common == x || common == y)
    if (x->lo <= 1 && y->lo <= 1 && x->hi > 1 && y->hi > 1)
      require(x, y, assertion);
}

void ShapeResolver::learn(Operation *op) {
  if (auto assertion = dyn_cast<cf::AssertOp>(op))
    return learnAssert(assertion);
  if (op->getBlock() != &func.getBody().front())
    return; // may not run
  if (op->hasTrait<OpTrait::dhlo::Elementwise>()) {
    Value first;
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
      if (!type || type.getRank() != resultType.getRank())
        continue;
      if (!first) {
        first = operand;
        continue;
      }
      for (int64_t i = 0; i < type.getRank(); ++i)
        require(analysis.dim(first, i), analysis.dim(operand, i), op);
    }
  } else if (auto dot = dyn_cast<dhlo::DotGeneralOp>(op)) {
    auto numbers = dot.getDotDimensionNumbers();
    auto pairs = [&](ArrayRef<int64_t> l, ArrayRef<int64_t> r) {
      for (auto [i, j] : llvm::zip(l, r))
        require(analysis.dim(dot.getLhs(), i), analysis.dim(dot.getRhs(), j),
                op);
    };
    pairs(numbers.getLhsBatchingDimensions(),
          numbers.getRhsBatchingDimensions());
    pairs(numbers.getLhsContractingDimensions(),
          numbers.getRhsContractingDimensions());
  } else if (isa<dhlo::ReduceOp, dhlo::ReduceWindowOp, dhlo::SortOp>(op)) {
    // All inputs; initial values of reductions have rank 0.
    Value first = op->getOperand(0);
    auto firstType = cast<RankedTensorType>(first.getType());
    for (Value other : op->getOperands().drop_front()) {
      auto type = cast<RankedTensorType>(other.getType());
      if (type.getRank() == firstType.getRank())
        for (int64_t i = 0; i < type.getRank(); ++i)
          require(analysis.dim(first, i), analysis.dim(other, i), op);
    }
  } else if (auto concat = dyn_cast<dhlo::ConcatenateOp>(op)) {
    Value first = concat.getInputs().front();
    int64_t rank = cast<RankedTensorType>(first.getType()).getRank();
    for (Value input : concat.getInputs().drop_front())
      for (int64_t i = 0; i < rank; ++i)
        if (i != static_cast<int64_t>(concat.getDimension()))
          require(analysis.dim(first, i), analysis.dim(input, i), op);
  }
}

void ShapeResolver::emitReadyChecks(Operation *op) {
  OpBuilder &builder = materializer.builder;
  for (Fact &fact : facts) {
    if (fact.emitted || fact.last != op)
      continue;
    fact.emitted = true;
    if (!renewAssertions && isa<cf::AssertOp>(fact.because))
      continue;
    OpBuilder::InsertionGuard guard(builder);
    if (op)
      builder.setInsertionPointAfter(op);
    else
      materializer.setInsertionPointToPrologue();
    Location loc = fact.because->getLoc();
    Value from = materializer.rawIndex(fact.from, loc);
    Value to = materializer.index(fact.to, loc);
    // The raw size was for the check alone: from here on it is the other one.
    materializer.seed(fact.from, to);
    Value holds = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, from, to);
    std::string text = "sizes must be equal";
    if (auto assertion = dyn_cast<cf::AssertOp>(fact.because))
      text = assertion.getMsg().str();
    else
      text = "`" + fact.because->getName().getStringRef().str() +
             "` needs equal sizes";
    cf::AssertOp::create(builder, loc, holds, text);
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
