// How a matrix product is split over workers.
#include "kernels/GemmPlan.h"

#include <algorithm>

using namespace ral;

/// Below this many multiply-adds a second worker costs more than it saves.
static constexpr double kSerialWork = 64.0 * 64 * 64;
/// Pieces are no smaller than this where they are more than the workers.
static constexpr double kPieceWork = 8.0 * 1024 * 1024;
/// More pieces than workers balance the work, and read the operands more often.
static constexpr double kPiecesPerWorker = 4;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

GemmGrid ral::planGemm(const GemmProblem &problem, int64_t workers,
                       GemmTile tile) {
  double work = double(problem.batch) * double(problem.m) *
                double(problem.n) * double(problem.k);
  workers = int64_t(std::min(double(workers), work / kSerialWork));
  if (workers <= 1)
    return {1, 1, 1};
  auto each = int64_t(std::clamp(work / double(workers) / kPieceWork, 1.0,
                                 kPiecesPerWorker));
  if (problem.batch >= workers)
    return {workers * std::min(each, problem.batch / workers), 1, 1};
  // Each piece reads its part of both operands: of the grids with as many
  // pieces as are left for each matrix, the one that reads least.
  int64_t share = ceilDiv(workers * each, problem.batch);
  GemmGrid best{problem.batch, 1, 1};
  double bestCost = 0;
  for (int64_t rows = 1; rows <= share; ++rows) {
    int64_t columns = share / rows;
    if (rows * columns != share)
      continue;
    // The largest piece bounds the time, in multiply-adds for each of K.
    double tileM = double(ceilDiv(ceilDiv(problem.m, rows), tile.rows)) *
                   double(tile.rows);
    double tileN = double(ceilDiv(ceilDiv(problem.n, tile.columns), columns)) *
                   double(tile.columns);
    double cost = tileM * tileN + 16 * (tileM + tileN);
    if (bestCost == 0 || cost < bestCost) {
      bestCost = cost;
      best.rows = std::min(rows, problem.m);
      best.columns = std::min(columns, problem.n);
    }
  }
  return best;
}
