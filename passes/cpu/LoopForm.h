// What an innermost loop has to be, so that its iterations can be lanes of vectors.
#ifndef DISC_PASSES_CPU_LOOPFORM_H
#define DISC_PASSES_CPU_LOOPFORM_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace disc {

/// A loop that is known to be shorter stays as it is.
constexpr int64_t kShortestLoop = 4;

/// How a value differs from one iteration to the next.
enum class Lane {
  uniform, // the same in all
  linear,  // an index that grows by one
  varying  // whatever
};

/// A value that the loop carries: `value op element` in every iteration, in any order.
struct Accumulator {
  mlir::Operation *combine = nullptr;
  mlir::Value element;
};

/// Reads a loop off. Where it has no vector form, `whyNot` says why.
class LoopForm {
public:
  explicit LoopForm(mlir::scf::ForOp loop);

  mlir::scf::ForOp loop;
  std::string whyNot;
  mlir::SmallVector<Accumulator> accumulators;
  /// Iterations in a vector: as many as the widest element in memory has room for in 64 bytes, at most 16.
  int64_t lanes = 16;
  /// Vectors in an iteration.
  int64_t unroll = 1;

  Lane laneOf(mlir::Value value) const;
  bool isAccumulation(mlir::Operation *op) const;

private:
  bool refuse(const mlir::Twine &why) {
    whyNot = why.str();
    return false;
  }
  bool readAccumulators();
  bool readBody();
  bool readOp(mlir::Operation &op);
  bool readAccess(mlir::Operation &op, mlir::OperandRange indices);
  void chooseWidth();

  llvm::DenseMap<mlir::Value, Lane> lane;
};

/// Whether there is no loop in `loop`.
bool isInnermost(mlir::scf::ForOp loop);

/// The value that changes nothing under `combine`, an op that LoopForm accepts.
mlir::TypedAttr getNeutralElement(mlir::Operation *combine);

} // namespace disc

#endif // DISC_PASSES_CPU_LOOPFORM_H
