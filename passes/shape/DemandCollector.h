// Collects the demands of one op.
#ifndef DISC_PASSES_SHAPE_DEMANDCOLLECTOR_H
#define DISC_PASSES_SHAPE_DEMANDCOLLECTOR_H

#include "dialects/dhlo/Dhlo.h"
#include "passes/shape/Demands.h"

namespace disc {

inline int64_t rankOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getRank();
}

struct Demands::Collector {
  Demands &table;
  ShapeConstraintAnalysis &analysis;
  mlir::Operation *op;
  llvm::SmallVector<Demand> found;

  Size number(int64_t value) { return analysis.sizes().constant(value); }
  Size dim(int operand, int64_t i) {
    return analysis.dim(op->getOperand(operand), i);
  }
  Size resultDim(int64_t i) { return analysis.dim(op->getResult(0), i); }

  void add(Demand::Kind kind, Size actual, SizePlace actualPlace,
           Size expected, SizePlace expectedPlace = {}) {
    if (!actual || !expected || (actual == expected))
      return;
    found.push_back({kind, actual, expected, actualPlace, expectedPlace});
  }

  void equalDims(int a, int64_t i, int b, int64_t j) {
    add(Demand::Equal, dim(b, j), {SizePlace::Dim, b, int(j)}, dim(a, i),
        {SizePlace::Dim, a, int(i)});
  }

  void equalShapes(int first, int last) {
    for (int other = first + 1; other <= last; ++other)
      for (int64_t i = 0; i < rankOf(op->getOperand(first)); ++i)
        equalDims(first, i, other, i);
  }

  void atLeast(Size size, SizePlace place, int64_t least) {
    add(Demand::AtLeast, size, place, number(least));
  }

  void naturalResult() {
    for (int64_t i = 0; i < rankOf(op->getResult(0)); ++i)
      atLeast(resultDim(i), {SizePlace::Dim, -1, int(i)}, 0);
  }

  /// The parts of the result that its type declares must be what the operands
  /// give.
  void declaredResults();
  void declared(int result, int64_t i, Size size) {
    auto type = mlir::cast<mlir::RankedTensorType>(op->getResult(result).getType());
    if (!type.isDynamicDim(i))
      add(Demand::Equal, size, {SizePlace::Dim, -1, int(i)},
          number(type.getDimSize(i)), {SizePlace::Declared});
  }

  void elementwise();
  void broadcast(llvm::ArrayRef<int64_t> dims);
  void slice(mlir::dhlo::RealDynamicSliceOp slice);
  void scatter(mlir::dhlo::ScatterOp scatter);
  void positions(int indices, int64_t vectorDim, llvm::ArrayRef<int64_t> mapped,
                 llvm::ArrayRef<int64_t> batching,
                 llvm::ArrayRef<int64_t> indicesBatching);
  Size readSlices(mlir::dhlo::GatherDimensionNumbersAttr numbers);
  void gather(mlir::dhlo::GatherDimensionNumbersAttr numbers,
              llvm::function_ref<Size(int64_t)> sliceSize);
  void indexSelect(mlir::dhlo::TorchIndexSelectOp select);
  void convolution(mlir::dhlo::ConvDimensionNumbersAttr numbers,
                   int64_t featureGroups, int64_t batchGroups);
  void selectAndScatter(mlir::dhlo::SelectAndScatterOp op);
  void cholesky(mlir::dhlo::CholeskyOp op);
  void triangularSolve(mlir::dhlo::TriangularSolveOp op);
  void fft(mlir::dhlo::FftOp op);
  void collect();
};

} // namespace disc

#endif // DISC_PASSES_SHAPE_DEMANDCOLLECTOR_H
