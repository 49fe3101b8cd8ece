// Elementwise arithmetic on vectors of unsigned words, to write bit generators in.
#ifndef DISC_PASSES_INPUT_WORDS_H
#define DISC_PASSES_INPUT_WORDS_H

#include "dialects/dhlo/Dhlo.h"

namespace disc {

/// Builds ops on vectors of one length. Rank-0 operands stand for all elements;
/// ops on them alone stay of rank 0.
class Words {
public:
  /// `count` is a tensor<1xindex> that holds the length; not read where `length`
  /// is not dynamic.
  Words(mlir::OpBuilder &builder, mlir::Location loc, int64_t length,
        mlir::Value count)
      : b(builder), loc(loc), length(length), count(count) {}

  /// An element of rank 0.
  mlir::Value constant(mlir::Type element, mlir::Attribute value);
  mlir::Value word(unsigned width, uint64_t value);
  /// 0, 1, 2, ... as ui64.
  mlir::Value positions();
  mlir::Value convert(mlir::Value x, mlir::Type element);
  mlir::Value convert(mlir::Value x, unsigned width);
  mlir::Value select(mlir::Value pred, mlir::Value onTrue, mlir::Value onFalse);
  mlir::Value compare(mlir::dhlo::ComparisonDirection direction, mlir::Value x,
                      mlir::Value y);
  /// Whether a bit of `x` is set.
  mlir::Value bit(mlir::Value x, uint64_t mask);

  template <typename Op> mlir::Value binary(mlir::Value x, mlir::Value y) {
    alike({&x, &y});
    return Op::create(b, loc, x, y);
  }
  template <typename Op> mlir::Value unary(mlir::Value x) {
    return Op::create(b, loc, x);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return binary<mlir::dhlo::AddOp>(x, y);
  }
  mlir::Value multiply(mlir::Value x, mlir::Value y) {
    return binary<mlir::dhlo::MulOp>(x, y);
  }
  mlir::Value exclusiveOr(mlir::Value x, mlir::Value y) {
    return binary<mlir::dhlo::XorOp>(x, y);
  }
  mlir::Value shiftLeft(mlir::Value x, unsigned by);
  mlir::Value shiftRight(mlir::Value x, unsigned by);
  /// The ui64 with these halves, and the halves of a ui64.
  mlir::Value join(mlir::Value low, mlir::Value high);
  std::pair<mlir::Value, mlir::Value> split(mlir::Value x);

  /// `x` with an element for every position.
  mlir::Value spread(mlir::Value x);

  mlir::OpBuilder &b;
  mlir::Location loc;

private:
  /// Spreads rank-0 operands where another one is not of rank 0.
  void alike(std::initializer_list<mlir::Value *> operands);
  mlir::RankedTensorType typeOf(mlir::Type element);

  int64_t length;
  mlir::Value count;
};

/// Threefry2x32 with 20 rounds: two words for each counter (ui64, its low half
/// first); `key` is a ui64 of rank 0.
std::pair<mlir::Value, mlir::Value> threefry(Words &w, mlir::Value key,
                                             mlir::Value counter);

/// Philox4x32 with 10 rounds: four words for each counter of two ui64, the low
/// one first; `key` is a ui64 of rank 0.
std::array<mlir::Value, 4> philox(Words &w, mlir::Value key, mlir::Value low,
                                  mlir::Value high);

} // namespace disc

#endif // DISC_PASSES_INPUT_WORDS_H
