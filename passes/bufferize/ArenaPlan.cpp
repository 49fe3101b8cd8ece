// Orders buffers in an arena, from their lifetimes and sizes at sample points.
#include "passes/bufferize/ArenaPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <limits>
#include <map>

using namespace disc;
using llvm::ArrayRef;
using llvm::SmallVector;

/// With more pairs of tenants that are alive together, fewer orders are tried.
static constexpr size_t kManyPairs = 100'000;

namespace {

class Planner {
public:
  explicit Planner(ArrayRef<ArenaTenant> tenants)
      : tenants(tenants), numSamples(tenants.front().bytes.size()) {
    findNeighbours();
    findBound();
  }

  ArenaPlan run() {
    // Large ones first leaves the fewest holes, in program order there are the fewest sums.
    for (size_t sample = 0; sample < numSamples; ++sample) {
      if (sample > 0 && numPairs > kManyPairs)
        break;
      auto all = llvm::to_vector(llvm::seq<unsigned>(0, tenants.size()));
      llvm::stable_sort(all, [&](unsigned a, unsigned b) { return tenants[a].begin < tenants[b].begin; });
      consider(place(all, sample));
      llvm::stable_sort(all, [&](unsigned a, unsigned b) { return tenants[a].bytes[sample] > tenants[b].bytes[sample]; });
      consider(place(all, sample));
    }
    return std::move(best);
  }

private:
  using Offsets = SmallVector<int64_t>;

  bool meet(unsigned a, unsigned b) const {
    return tenants[a].begin <= tenants[b].end && tenants[b].begin <= tenants[a].end;
  }

  void findNeighbours() {
    neighbours.resize(tenants.size());
    auto all = llvm::to_vector(llvm::seq<unsigned>(0, tenants.size()));
    llvm::stable_sort(all, [&](unsigned a, unsigned b) { return tenants[a].begin < tenants[b].begin; });
    SmallVector<unsigned> alive;
    for (unsigned tenant : all) {
      llvm::erase_if(alive, [&](unsigned other) { return tenants[other].end < tenants[tenant].begin; });
      for (unsigned other : alive) {
        neighbours[tenant].push_back(other);
        neighbours[other].push_back(tenant);
      }
      numPairs += alive.size();
      alive.push_back(tenant);
    }
  }

  void findBound() {
    for (size_t sample = 0; sample < numSamples; ++sample) {
      std::map<int64_t, int64_t> changes;
      for (const ArenaTenant &tenant : tenants) {
        changes[tenant.begin] += tenant.bytes[sample];
        changes[tenant.end + 1] -= tenant.bytes[sample];
      }
      int64_t alive = 0, most = 0;
      for (auto [when, change] : changes)
        most = std::max(most, alive += change);
      bound.push_back(most);
    }
  }

  /// Each in its turn in the smallest hole between its neighbours that holds it, or above them.
  Offsets place(ArrayRef<unsigned> turns, size_t sample) const {
    Offsets offsets(tenants.size(), -1);
    SmallVector<std::pair<int64_t, int64_t>> taken;
    for (unsigned tenant : turns) {
      taken.clear();
      for (unsigned other : neighbours[tenant])
        if (offsets[other] >= 0)
          taken.emplace_back(offsets[other], offsets[other] + tenants[other].bytes[sample]);
      llvm::sort(taken);
      int64_t bytes = tenants[tenant].bytes[sample], end = 0, hole = std::numeric_limits<int64_t>::max();
      for (auto [from, to] : taken) {
        if (from - end >= bytes && from - end < hole) {
          hole = from - end;
          offsets[tenant] = end;
        }
        end = std::max(end, to);
      }
      if (offsets[tenant] < 0)
        offsets[tenant] = end;
    }
    return offsets;
  }

  /// Keeps the order that `offsets` give if its arena is the smallest so far.
  void consider(const Offsets &offsets) {
    ArenaPlan plan;
    plan.order = llvm::to_vector(llvm::seq<unsigned>(0, tenants.size()));
    llvm::stable_sort(plan.order, [&](unsigned a, unsigned b) { return offsets[a] < offsets[b]; });
    SmallVector<unsigned> rank(tenants.size());
    for (auto [place, tenant] : llvm::enumerate(plan.order))
      rank[tenant] = place;
    plan.below.resize(tenants.size());
    SmallVector<bool> carries(tenants.size(), false);
    for (unsigned tenant : plan.order) {
      auto lower = llvm::filter_to_vector(neighbours[tenant], [&](unsigned other) { return rank[other] < rank[tenant]; });
      llvm::sort(lower, [&](unsigned a, unsigned b) { return rank[a] > rank[b]; });
      for (unsigned other : lower) {
        carries[other] = true;
        if (llvm::none_of(plan.below[tenant], [&](unsigned upper) { return meet(other, upper); }))
          plan.below[tenant].push_back(other);
      }
    }
    for (unsigned tenant : plan.order)
      if (!carries[tenant])
        plan.tops.push_back(tenant);
    plan.bound = bound;
    double score = 0;
    for (size_t sample = 0; sample < numSamples; ++sample) {
      plan.bytes.push_back(measure(plan, sample));
      score += double(plan.bytes.back()) / double(bound[sample]);
    }
    if (score < bestScore) {
      bestScore = score;
      best = std::move(plan);
    }
  }

  int64_t measure(const ArenaPlan &plan, size_t sample) const {
    SmallVector<int64_t> ends(tenants.size(), 0);
    int64_t most = 0;
    for (unsigned tenant : plan.order) {
      int64_t begin = 0;
      for (unsigned other : plan.below[tenant])
        begin = std::max(begin, ends[other]);
      most = std::max(most, ends[tenant] = begin + tenants[tenant].bytes[sample]);
    }
    return most;
  }

  ArrayRef<ArenaTenant> tenants;
  size_t numSamples, numPairs = 0;
  SmallVector<SmallVector<unsigned>> neighbours;
  SmallVector<int64_t, 4> bound;
  ArenaPlan best;
  double bestScore = std::numeric_limits<double>::infinity();
};

} // namespace

ArenaPlan disc::planArena(ArrayRef<ArenaTenant> tenants) { return Planner(tenants).run(); }
