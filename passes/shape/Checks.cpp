// Pass shape-checks: run-time checks of what ops demand of sizes.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "passes/shape/ShapeResolver.h"

using namespace mlir;
using namespace disc;

/// cf.assert -> lmhlo_disc.check.
static void convertAssertions(func::FuncOp func) {
  func.walk([](cf::AssertOp assertion) {
    OpBuilder builder(assertion);
    // Braces stand for values in a check's message.
    std::string message;
    for (char c : assertion.getMsg())
      message += c == '{' ? "{{" : std::string(1, c);
    lmhlo_disc::CheckOp::create(builder, assertion.getLoc(), assertion.getArg(),
                                message, ValueRange());
    assertion.erase();
  });
}

static void visitBlock(ShapeResolver &resolver, Block &block, bool isEntry) {
  // What is emitted on the way demands nothing.
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  if (isEntry)
    resolver.emitReadyChecks(nullptr);
  for (Operation *op : ops) {
    resolver.emitDemands(op);
    // Regions of dhlo ops compute on scalars.
    if (!isa<dhlo::DhloDialect>(op->getDialect()))
      for (Region &region : op->getRegions()) {
        resolver.materializer.enter();
        for (Block &inner : region)
          visitBlock(resolver, inner, false);
        resolver.materializer.leave();
      }
    if (isEntry)
      resolver.emitReadyChecks(op);
  }
}

LogicalResult disc::runShapeChecks(func::FuncOp func) {
  if (func.isExternal())
    return success();
  convertAssertions(func);
  ShapeResolver resolver(func, ShapeResolver::Source::Ops);
  resolver.analyze();
  visitBlock(resolver, func.getBody().front(), true);
  eraseDeadOps(func);
  return success();
}
