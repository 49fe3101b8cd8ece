// Kernels of kind "scatter" around dhlo.select_and_scatter: every element of the source goes where its window selects.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/ScalarOps.h"
#include "passes/cpu/Schedule.h"

using namespace mlir;

namespace disc {
namespace {

class SelectAndScatterEmitter {
public:
  SelectAndScatterEmitter(const KernelEmission &k, dhlo::SelectAndScatterOp op)
      : k(k), op(op), loc(op.getLoc()), element(getElementTypeOrSelf(op.getOperand().getType())) {
    dims = k.e.dims(op.getOperand());
    for (size_t d = 0; d < dims.size(); ++d) {
      window.push_back(op.getWindowDimensions() ? (*op.getWindowDimensions())[d] : 1);
      strides.push_back(op.getWindowStrides() ? (*op.getWindowStrides())[d] : 1);
      low.push_back(op.getPadding() ? op.getPadding()->getValues<int64_t>()[{d, 0}] : 0);
    }
  }

  void emit(OpBuilder &b) {
    emitLoopNest(k.e, b, loc, dims, {}, [&](OpBuilder &b, ValueRange at, ValueRange) -> SmallVector<Value> {
      emitStore(b, loc, k.e.emit(b, loc, op.getInitValue(), {}), k.kernel.output(0), at, element);
      return {};
    });
    emitLoopNest(k.e, b, loc, k.e.dims(op.getSource()), {}, [&](OpBuilder &b, ValueRange at, ValueRange) -> SmallVector<Value> {
      scatter(b, at, select(b, at));
      return {};
    });
  }

private:
  /// The row-major position in the operand that the window of the source's element `at` selects; -1 when all of it is padding.
  Value select(OpBuilder &b, ValueRange at) {
    SmallVector<Value> bounds = llvm::map_to_vector(window, [&](int64_t size) { return k.e.constant(size); });
    return emitLoopNest(k.e, b, loc, bounds, k.e.constant(-1),
                        [&](OpBuilder &b, ValueRange offset, ValueRange best) -> SmallVector<Value> {
                          return {step(b, at, offset, best.front())};
                        })
        .front();
  }

  Value step(OpBuilder &b, ValueRange at, ValueRange offset, Value best) {
    IndexMath math(b, loc, k.kernel);
    SmallVector<Value> place;
    Value inside;
    for (size_t d = 0; d < dims.size(); ++d) {
      Value start = math.sub(math.mul(at[d], k.e.constant(strides[d])), k.e.constant(low[d]));
      place.push_back(math.add(start, offset[d]));
      Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, place.back(), dims[d]);
      inside = inside ? Value(arith::AndIOp::create(b, loc, inside, fits)) : fits;
    }
    if (!inside)
      return k.e.constant(0);
    auto candidate = [&](OpBuilder &b) { return IndexMath(b, loc, k.kernel).linearise(place, dims); };
    return emitIf(
        k.e, b, loc, inside,
        [&](OpBuilder &b) {
          Value none = IndexMath(b, loc, k.kernel).less(best, k.e.constant(0));
          return emitIf(k.e, b, loc, none, candidate, [&](OpBuilder &b) {
            IndexMath math(b, loc, k.kernel);
            Value chosen = k.e.emit(b, loc, op.getOperand(), math.delinearise(best, dims));
            Value other = k.e.emit(b, loc, op.getOperand(), place);
            Value keeps = k.e.emitRegion(b, loc, op.getSelect(), {chosen, other}).front();
            return math.select(keeps, best, candidate(b));
          });
        },
        [&](OpBuilder &) { return best; });
  }

  void scatter(OpBuilder &b, ValueRange at, Value selected) {
    Value some = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, selected, k.e.constant(0));
    auto branch = scf::IfOp::create(b, loc, some, /*withElseRegion=*/false);
    OpBuilder then = branch.getThenBodyBuilder();
    ElementEmitter::Scope scope(k.e);
    SmallVector<Value> place = IndexMath(then, loc, k.kernel).delinearise(selected, dims);
    Value old = emitLoad(then, loc, k.kernel.output(0), place, element);
    Value next = k.e.emitRegion(then, loc, op.getScatter(), {old, k.e.emit(then, loc, op.getSource(), at)}).front();
    emitStore(then, loc, next, k.kernel.output(0), place, element);
  }

  const KernelEmission &k;
  dhlo::SelectAndScatterOp op;
  Location loc;
  Type element;
  SmallVector<Value> dims;
  SmallVector<int64_t> window, strides, low;
};

} // namespace

Launch emitSelectAndScatterSchedule(const KernelEmission &k, dhlo::SelectAndScatterOp op) {
  Value one = k.e.constant(1);
  emitRangeLoop(k, one, [&](OpBuilder &b, ValueRange) { SelectAndScatterEmitter(k, op).emit(b); });
  IndexMath math(k.host.site.prologue(), op.getLoc(), k.host.site);
  return {math.constant(1), math.product(k.hostDims(0))};
}

} // namespace disc
