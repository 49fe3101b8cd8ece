// How the elements of a fusion's results are visited: loops of the kernel, and the range and work of its launch.
#ifndef DISC_PASSES_CPU_SCHEDULE_H
#define DISC_PASSES_CPU_SCHEDULE_H

#include "passes/cpu/ElementEmitter.h"

namespace disc {

/// A kernel being filled, with an emitter for its body and one for sizes on the host.
struct KernelEmission {
  Kernel &kernel;
  ElementEmitter &e;
  ElementEmitter &host;

  mlir::lmhlo_disc::FusionOp fusion() const { return kernel.fusion; }
  /// The tensors that the body yields, one for each of `outs`.
  mlir::SmallVector<mlir::Value> results() const;
  /// A place in output `i`: its buffer, and the index into it.
  std::pair<mlir::Value, mlir::SmallVector<mlir::Value>> outputPlace(unsigned i, mlir::ValueRange index) const;
  void store(mlir::OpBuilder &b, unsigned i, mlir::Value element, mlir::ValueRange index) const;
  /// The sizes of output `i` on the host.
  mlir::SmallVector<mlir::Value> hostDims(unsigned i) const;
};

/// Host values: how many items the kernel's range has and how much work (scalar ops, roughly) an item is.
struct Launch {
  mlir::Value range, work;
  /// Parts begin at multiples of so many items: these are worked on together. Null: 1.
  mlir::Value unit;
};

/// One loop over all elements, or a loop nest whose innermost dimensions are sequential. All results have equally many elements.
/// `keepsOrder`: items are the outer dimensions of the result, row-major.
Launch emitLoopSchedule(const KernelEmission &k, bool keepsOrder);
/// Rows in parallel; in a row, the reductions in order and then the elements of the results. Null values when the body is no row fusion.
/// `isBlock`: the results are blocks that stay in a cache.
Launch emitRowSchedule(const KernelEmission &k, bool isBlock);

/// Of a loop fusion whose reductions keep the innermost dimension. Null values when it has none.
Launch emitColumnSchedule(const KernelEmission &k);
/// Of a loop fusion that reads what it transposes. Null values when it transposes nothing, or nothing that a result's rows go across.
Launch emitTransposeSchedule(const KernelEmission &k);
/// The operands of a scatter copied, then its updates one after the other.
Launch emitScatterSchedule(const KernelEmission &k);
/// Every line of a sort's operands merge-sorted, lines in parallel.
Launch emitSortSchedule(const KernelEmission &k);

/// A fusion of kind "stitch" becomes a lmhlo_disc.stitch: its products as they are, and of its inner fusions what `outline` makes of them,
/// one launch each.
mlir::LogicalResult emitStitch(mlir::lmhlo_disc::FusionOp fusion,
                               llvm::function_ref<mlir::LogicalResult(mlir::lmhlo_disc::FusionOp)> outline);

/// Of a kernel's range: up to `end`, `items` at a time.
struct RangePart {
  int64_t items;
  mlir::Value end;
  bool looksAhead = false;
};
/// An item of the range: its number, and its multi-index in sizes whose product is the range.
struct RangeItem {
  mlir::Value number;
  mlir::SmallVector<mlir::Value> index;
};
/// Items that are worked on side by side.
struct RangeTurn {
  llvm::ArrayRef<RangeItem> items;
  /// What `RangeAhead` gave for them, in a part that looks ahead.
  mlir::ValueRange ahead;
  /// Emits that for the items of the next turn, where there are any. To be called once in such a part.
  llvm::function_ref<void(mlir::OpBuilder &)> emitAhead;
};
/// What is computed of items a turn before they are worked on: of each values of `types`, one item's after the other's.
struct RangeAhead {
  llvm::SmallVector<mlir::Type> types;
  std::function<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, llvm::ArrayRef<RangeItem>)> emit;
};
/// The loops of the kernel over its part of the range, one after the other. `body` gets the items, in `dims`; the product of `dims` is the
/// range.
void emitRangeLoops(const KernelEmission &k, mlir::ValueRange dims, llvm::ArrayRef<RangePart> parts,
                    llvm::function_ref<void(mlir::OpBuilder &, const RangeTurn &)> body, const RangeAhead &ahead = {});
/// One loop, one item at a time.
void emitRangeLoop(const KernelEmission &k, mlir::ValueRange dims,
                   llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body);

/// Computes and stores all results at one place: `index` in the shape of the first.
void emitResults(const KernelEmission &k, mlir::OpBuilder &b, mlir::ValueRange index);

/// Rough cost of one element of the result of `op`, in additions.
int64_t getElementCost(mlir::Operation *op);
/// The cost of one element of the results of the whole body, as a host value; reductions and products count with their lengths.
mlir::Value emitElementWork(const KernelEmission &k, bool countLengths);
/// Items in a part, so that it pays to hand it to another thread.
mlir::Value emitGrain(const KernelEmission &k, Launch launch);

} // namespace disc

#endif // DISC_PASSES_CPU_SCHEDULE_H
