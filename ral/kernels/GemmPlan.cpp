// How a matrix product is split over workers.
#include "kernels/GemmPlan.h"

#include <algorithm>

using namespace ral;

/// Below this many multiply-adds a second worker costs more than it saves.
static constexpr double kSerialWork = 64.0 * 64 * 64;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

GemmGrid ral::planGemm(const GemmProblem &problem, int64_t workers,
                       GemmTile tile) {
  double work = double(problem.batch) * double(problem.m) *
                double(problem.n) * double(problem.k);
  workers = int64_t(std::min(double(workers), work / kSerialWork));
  if (workers <= 1)
    return {1, 1, 1};
  if (problem.batch >= workers)
    return {workers, 1, 1};
  // Each worker reads its part of both operands: of the grids with as many
  // pieces as workers left for each matrix, the one that reads least.
  int64_t share = ceilDiv(workers, problem.batch);
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

Range ral::pieceOf(int64_t extent, int64_t pieces, int64_t index,
                   int64_t unit) {
  int64_t units = (extent + unit - 1) / unit;
  int64_t quotient = units / pieces, rest = units % pieces;
  int64_t lo = index * quotient + std::min(index, rest);
  int64_t hi = lo + quotient + (index < rest ? 1 : 0);
  return {std::min(lo * unit, extent), std::min(hi * unit, extent)};
}
