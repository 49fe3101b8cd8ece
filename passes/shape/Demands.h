// What ops demand of sizes: the one table of run-time checks.
#ifndef DISC_PASSES_SHAPE_DEMANDS_H
#define DISC_PASSES_SHAPE_DEMANDS_H

#include "passes/shape/ShapeConstraintAnalysis.h"

namespace disc {

/// Where a size of a demand stands, for its message.
struct SizePlace {
  enum Role {
    Number,
    Declared,
    Dim,
    Count,
    Start,
    Limit,
    Stride,
    SliceSize,
    Interior,
    Windows,
    Groups,
    FftLength
  };
  Role role = Number;
  int operand = -1; // which operand; -1: the result
  int dim = 0;
};

/// `actual` compared with `expected`.
struct Demand {
  enum Kind { Equal, OneOrEqual, AtLeast, AtMost, Multiple, SameCount };
  Kind kind;
  Size actual, expected;
  SizePlace actualPlace, expectedPlace;
};

/// Asks ops what they demand of the sizes of their operands, of their size
/// operands and of their declared results. What types alone show to hold is
/// left out. May create scalars beside an op that read its size operands.
class Demands {
public:
  explicit Demands(ShapeConstraintAnalysis &analysis) : analysis(analysis) {}

  llvm::SmallVector<Demand> of(mlir::Operation *op);
  /// The condition, as simple as what is known allows; constant 1: proven.
  Size condition(const Demand &demand);
  /// The message of a failed check: {0} is the actual, {1} the expected size.
  static std::string message(const Demand &demand, mlir::Operation *op);

private:
  struct Collector;

  Size oneOrEqual(Size operand, Size result);
  /// The elements of a list of sizes; null where they cannot be read.
  Size element(mlir::Value list, int64_t index);

  ShapeConstraintAnalysis &analysis;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> read;
  /// The result sizes that follow from the operands, where the type says more.
  llvm::DenseMap<mlir::Operation *, mlir::ReifiedRankedShapedTypeDims> inferred;
};

/// `model.mlir:5:8`, or the name of a place that is no line of a file.
std::string shortLocation(mlir::Location loc);

} // namespace disc

#endif // DISC_PASSES_SHAPE_DEMANDS_H
