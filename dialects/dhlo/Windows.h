// Sliding windows: their attributes and the sizes that they give.
#ifndef DISC_DIALECTS_DHLO_WINDOWS_H
#define DISC_DIALECTS_DHLO_WINDOWS_H

#include "dialects/dhlo/Checks.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::dhlo {

/// One dimension of a sliding window.
struct WindowDimension {
  int64_t stride = 1;
  int64_t low = 0;
  int64_t high = 0;
  int64_t baseDilation = 1;
  int64_t windowDilation = 1;
};

/// The number of positions of a window of `window` elements that slides over
/// `base` elements with `low` and `high` elements of padding:
/// floor((dilated base + low + high - dilated window) / stride) + 1, at least 0.
template <typename S, typename Size = typename S::Size>
Size windowPositions(S &s, Size base, Size window, Size low, Size high,
                     const WindowDimension &dim) {
  auto dilate = [&](Size size, int64_t by) -> Size {
    if (by == 1)
      return size;
    Size last = s.sub(size, s.constant(1));
    Size spread = s.add(s.mul(last, s.constant(by)), s.constant(1));
    return s.max(spread, s.constant(0));
  };
  Size slack = s.sub(s.add(low, high), dilate(window, dim.windowDilation));
  Size dilatedBase = dilate(base, dim.baseDilation);
  // With stride 1 the `+ 1` joins the constants, so that a window that keeps
  // the size gives back the very value of the size.
  if (dim.stride == 1)
    return s.max(s.add(dilatedBase, s.add(slack, s.constant(1))),
                 s.constant(0));
  Size steps =
      s.floorDiv(s.add(dilatedBase, slack), s.constant(dim.stride));
  return s.max(s.add(steps, s.constant(1)), s.constant(0));
}

/// The attributes of a window, by their names in the op that carries them.
struct WindowAttributes {
  std::optional<ArrayRef<int64_t>> strides;
  std::optional<DenseIntElementsAttr> padding;
  std::optional<ArrayRef<int64_t>> baseDilations;
  std::optional<ArrayRef<int64_t>> windowDilations;
  StringRef baseDilationsName = "base_dilations";
  StringRef windowDilationsName = "window_dilations";
};

/// The `rank` dimensions of a window; what is not given has its default.
SmallVector<WindowDimension> windowOf(const WindowAttributes &attrs,
                                      int64_t rank);

/// Checks the attributes of a window of rank `rank`.
LogicalResult checkWindow(std::optional<Location> loc, StringRef opName,
                          const WindowAttributes &attrs, int64_t rank);

} // namespace mlir::dhlo

#endif // DISC_DIALECTS_DHLO_WINDOWS_H
