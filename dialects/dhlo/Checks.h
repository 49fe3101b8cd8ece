// Checks and messages that verifiers and type inference share.
#ifndef DISC_DIALECTS_DHLO_CHECKS_H
#define DISC_DIALECTS_DHLO_CHECKS_H

#include "dialects/dhlo/Sizes.h"

#include "mlir/IR/TypeUtilities.h"

#include <string>

namespace mlir::dhlo {

/// Text of a list of numbers: `[1, 2]`; dynamic sizes are `?`.
std::string formatList(ArrayRef<int64_t> numbers);

/// Whether two sizes may be the same at run time.
inline bool mayBeEqual(int64_t lhs, int64_t rhs) {
  return ShapedType::isDynamic(lhs) || ShapedType::isDynamic(rhs) || lhs == rhs;
}

/// Reports an error of the op `OpT`, which may not exist yet.
template <typename OpT, typename... Args>
LogicalResult opError(std::optional<Location> loc, Args &&...args) {
  return emitOptionalError(loc, "'", OpT::getOperationName(), "' op ",
                           std::forward<Args>(args)...);
}

/// Checks the shape of `result` against the sizes that the operands give.
LogicalResult verifyResultShape(Operation *op, Value result,
                                ArrayRef<int64_t> expected);

/// Checks that `result` has the element type of `operand`.
LogicalResult verifySameElement(Operation *op, Value result, StringRef name,
                                Value operand);

namespace impl {
LogicalResult checkDims(std::optional<Location> loc, StringRef opName,
                        StringRef attr, ArrayRef<int64_t> dims, int64_t rank);
LogicalResult checkOnePerDim(std::optional<Location> loc, StringRef opName,
                             StringRef attr, int64_t count, StringRef name,
                             Value operand);
} // namespace impl

/// Checks that `dims` are different dimensions of a tensor of rank `rank`.
template <typename OpT>
LogicalResult checkDims(std::optional<Location> loc, StringRef attr,
                        ArrayRef<int64_t> dims, int64_t rank) {
  return impl::checkDims(loc, OpT::getOperationName(), attr, dims, rank);
}

/// Checks that the list `attr` has one entry per dimension of `operand`.
template <typename OpT>
LogicalResult checkOnePerDim(std::optional<Location> loc, StringRef attr,
                             int64_t count, Value operand,
                             StringRef name = "operand") {
  return impl::checkOnePerDim(loc, OpT::getOperationName(), attr, count, name,
                              operand);
}

/// The operands of the `dhlo.return` that ends `region`; an error where none does.
FailureOr<OperandRange> returnedValues(Operation *op, const Twine &name,
                                       Region &region);

/// Checks a region that combines `pairs` pairs of scalars: its arguments are
/// the first scalar of each pair, then the second ones, and it returns one
/// scalar per pair; the three have the same type.
LogicalResult verifyCombiner(Operation *op, StringRef name, Region &region,
                             unsigned pairs);

/// Checks a region that says i1 of `pairs` pairs of scalars, whose element
/// types are those of `operands`; its arguments are pair after pair.
LogicalResult verifyComparator(Operation *op, StringRef name, Region &region,
                               ValueRange operands);

/// The element type that the `index`-th pair of a combiner is computed in, or
/// `otherwise` while the region is empty.
Type combinedElementType(Region &region, unsigned index, Type otherwise);

} // namespace mlir::dhlo

#endif // DISC_DIALECTS_DHLO_CHECKS_H
