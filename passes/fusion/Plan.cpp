// Pass fusion-plan: memory-bound ops become dhlo.fusion ops.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/fusion/FusionPlan.h"

using namespace mlir;
using namespace disc;

/// Blocks whose ops run as a program of their own: the function, bodies and
/// conditions of control flow. Bodies of reductions and the like do not.
static void collectBlocks(Block &block, SmallVectorImpl<Block *> &blocks) {
  for (Operation &op : block)
    if (isa<dhlo::WhileOp, dhlo::IfOp, dhlo::CaseOp>(op) ||
        op.getName().getDialectNamespace() == "scf")
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          collectBlocks(inner, blocks);
  blocks.push_back(&block);
}

LogicalResult disc::runFusionPlan(func::FuncOp func,
                                  const FusionPlanOptions &options) {
  if (func.isExternal())
    return success();
  SmallVector<Block *> blocks;
  for (Block &block : func.getBody())
    collectBlocks(block, blocks);
  for (Block *block : blocks) {
    {
      ShapeConstraintAnalysis analysis(func);
      OpClasses classes(analysis);
      duplicateFreeOps(*block, classes);
    }
    ShapeConstraintAnalysis analysis(func);
    OpClasses classes(analysis);
    FusionPlan::Limits limits;
    limits.maxOps = options.maxOps;
    FusionPlan plan(*block, classes, limits);
    plan.run();
    struct Planned {
      FusionGroup *group;
      FusionKind kind;
    };
    // Kinds first: building changes what the analysis has read.
    SmallVector<Planned> planned;
    for (FusionGroup *group : plan.groups())
      if (!needsNoKernel(*group))
        planned.push_back({group, kindOf(group->ops, classes)});
    for (Planned &p : planned) {
      if (!p.kind)
        return p.group->ops.back()->emitOpError("has no kernel: ") << p.kind.why;
      buildFusion(*p.group, p.kind);
    }
    if (!sortTopologically(block))
      return func.emitOpError("has fusions that depend on each other");
  }
  return success();
}
