// The body of a loop for as many iterations as a vector has lanes, and what it accumulates.
#ifndef DISC_PASSES_CPU_VECTORBODY_H
#define DISC_PASSES_CPU_VECTORBODY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "passes/cpu/VectorDivision.h"

namespace disc {

/// Which lanes a body has, and how it stores.
struct Lanes {
  mlir::Value mask; // null: all
  /// Stores go past the caches; their places are aligned.
  bool streams = false;
  /// What is loaded from where the results go in theirs is asked for some time before.
  bool fetches = false;
  /// Places that will be stored to are asked for.
  bool requests = true;
};

/// Emits the iterations from `base` on, a step at a time.
class VectorBody {
public:
  VectorBody(const LoopForm &form, const VectorDivision &division, mlir::OpBuilder &b, mlir::Value base, Lanes lanes = {})
      : form(form), loop(form.loop), division(division), b(b), loc(loop.getLoc()), base(base), lanes(lanes) {}

  /// A step of the division's order, for all lanes of each body.
  static void emit(llvm::ArrayRef<mlir::Operation *> step, llvm::MutableArrayRef<VectorBody> bodies);
  /// The states of all accumulators after these iterations.
  mlir::SmallVector<mlir::Value> accumulate(mlir::ValueRange states);

private:
  void emit(mlir::Operation &op);
  mlir::VectorType vectorOf(mlir::Type element) const { return mlir::VectorType::get({form.lanes}, element); }
  /// The value of the first lane, of all lanes when it is uniform.
  mlir::Value scalar(mlir::Value value);
  mlir::Value vector(mlir::Value value);
  mlir::Value emitLane(mlir::Operation &op);
  void fetchAhead(mlir::memref::LoadOp load, mlir::Value memref, mlir::SmallVector<mlir::Value> at);
  mlir::SmallVector<mlir::Value> indices(mlir::OperandRange values) {
    return llvm::map_to_vector(values, [&](mlir::Value index) { return scalar(index); });
  }

  const LoopForm &form;
  mlir::scf::ForOp loop;
  const VectorDivision &division;
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Value base;
  Lanes lanes;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, mlir::Value> vectors;
};

/// 0, 1, 2, ...
mlir::Value emitSteps(mlir::OpBuilder &b, mlir::Location loc, int64_t lanes, mlir::Type element);

/// A sum, product, maximum, ... of a loop, one in each lane. Its state is one vector, or three for the maximum and minimum of floats: the
/// extremum of what is no NaN, the bits that tell whether a zero of the winning sign was among them, and whether a NaN was.
class VectorAccumulator {
public:
  VectorAccumulator(mlir::OpBuilder &b, mlir::Location loc, mlir::Operation *combine, int64_t lanes);

  size_t stateSize() const { return isExtremum ? 3 : 1; }
  /// Where a sum starts from a zero, so do the lanes; then nothing is left to combine with `init`.
  mlir::SmallVector<mlir::Value> start(mlir::Value init);
  mlir::SmallVector<mlir::Value> step(mlir::ValueRange state, mlir::Value elements, mlir::Value mask);
  mlir::SmallVector<mlir::Value> merge(mlir::ValueRange x, mlir::ValueRange y);
  /// `init` combined with all lanes.
  mlir::Value finish(mlir::ValueRange state, mlir::Value init);

private:
  mlir::VectorType vectorOf(mlir::Type element) const { return mlir::VectorType::get({lanes}, element); }
  mlir::Value splat(mlir::TypedAttr value);
  bool isLaneStart(mlir::Value init);
  mlir::Value apply(mlir::Value x, mlir::Value y);
  mlir::Value better(mlir::Value x, mlir::Value y);
  mlir::Value mergeBits(mlir::Value x, mlir::Value y);
  mlir::Value finishExtremum(mlir::ValueRange state);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Operation *combine;
  int64_t lanes;
  mlir::TypedAttr neutral;
  bool isExtremum, isMaximum;
  mlir::IntegerType bitsType;
};

} // namespace disc

#endif // DISC_PASSES_CPU_VECTORBODY_H
