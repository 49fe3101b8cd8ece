// What convolutions, windows, linear algebra and transforms demand of sizes.
#include "passes/shape/DemandCollector.h"

#include "dialects/dhlo/Windows.h"

using namespace mlir;
using namespace disc;

using Role = SizePlace::Role;

void Demands::Collector::convolution(dhlo::ConvDimensionNumbersAttr numbers,
                                     int64_t featureGroups,
                                     int64_t batchGroups) {
  int in = numbers.getInputFeatureDimension();
  int kernel = numbers.getKernelInputFeatureDimension();
  add(Demand::Equal, dim(0, in), {Role::Dim, 0, in},
      analysis.sizes().scale(dim(1, kernel), featureGroups),
      {Role::Dim, 1, kernel});
  auto inGroups = [&](int operand, int i, int64_t groups) {
    if (groups > 1)
      add(Demand::Multiple, dim(operand, i), {Role::Dim, operand, i},
          number(groups), {Role::Groups});
  };
  int out = numbers.getKernelOutputFeatureDimension();
  inGroups(1, out, featureGroups);
  inGroups(1, out, batchGroups);
  inGroups(0, numbers.getInputBatchDimension(), batchGroups);
}

/// The source has an element for each window of the operand.
void Demands::Collector::selectAndScatter(dhlo::SelectAndScatterOp op) {
  int rank = rankOf(op.getOperand());
  SmallVector<dhlo::WindowDimension> windows = dhlo::windowOf(
      {op.getWindowStrides(), op.getPadding(), std::nullopt, std::nullopt},
      rank);
  for (int i = 0; i < rank; ++i) {
    int64_t window =
        op.getWindowDimensions() ? (*op.getWindowDimensions())[i] : 1;
    Size count = dhlo::windowPositions(
        analysis.sizes(), dim(0, i), number(window), number(windows[i].low),
        number(windows[i].high), windows[i]);
    add(Demand::Equal, dim(1, i), {Role::Dim, 1, i}, count,
        {Role::Windows, 0, i});
  }
}

void Demands::Collector::cholesky(dhlo::CholeskyOp op) {
  int64_t rank = rankOf(op.getA());
  equalDims(0, rank - 2, 0, rank - 1);
}

void Demands::Collector::triangularSolve(dhlo::TriangularSolveOp op) {
  int64_t rank = rankOf(op.getA());
  equalDims(0, rank - 2, 0, rank - 1);
  for (int64_t i = 0; i < rank - 2; ++i)
    equalDims(0, i, 1, i);
  equalDims(0, rank - 1, 1, op.getLeftSide() ? rank - 2 : rank - 1);
}

/// The transformed dimensions have the lengths that the attribute says. The
/// operand of an inverse real transform lacks, in the last one, the elements
/// that are conjugates of others.
void Demands::Collector::fft(dhlo::FftOp op) {
  ArrayRef<int64_t> lengths = op.getFftLength();
  int64_t first = rankOf(op.getOperand()) - lengths.size();
  for (auto [i, length] : llvm::enumerate(lengths)) {
    bool isHalf = op.getFftType() == dhlo::FftType::IRFFT &&
                  i + 1 == lengths.size() && length > 0;
    int at = int(first + i);
    add(Demand::Equal, dim(0, at), {Role::Dim, 0, at},
        number(isHalf ? length / 2 + 1 : length), {Role::FftLength});
  }
}
