// Sliding windows: their attributes.
#include "dialects/dhlo/Windows.h"

using namespace mlir;
using namespace mlir::dhlo;

SmallVector<WindowDimension>
mlir::dhlo::windowOf(const WindowAttributes &attrs, int64_t rank) {
  SmallVector<WindowDimension> dims(rank);
  for (int64_t i = 0; i < rank; ++i) {
    if (attrs.strides)
      dims[i].stride = (*attrs.strides)[i];
    if (attrs.baseDilations)
      dims[i].baseDilation = (*attrs.baseDilations)[i];
    if (attrs.windowDilations)
      dims[i].windowDilation = (*attrs.windowDilations)[i];
    if (attrs.padding) {
      auto values = attrs.padding->getValues<int64_t>();
      dims[i].low = values[2 * i];
      dims[i].high = values[2 * i + 1];
    }
  }
  return dims;
}

LogicalResult mlir::dhlo::checkWindow(std::optional<Location> loc,
                                      StringRef opName,
                                      const WindowAttributes &attrs,
                                      int64_t rank) {
  auto error = [&](auto &&...parts) {
    return emitOptionalError(loc, "'", opName, "' op ", parts...);
  };
  for (auto [name, list] :
       {std::pair(StringRef("window_strides"), attrs.strides),
        std::pair(attrs.baseDilationsName, attrs.baseDilations),
        std::pair(attrs.windowDilationsName, attrs.windowDilations)}) {
    if (!list)
      continue;
    if (static_cast<int64_t>(list->size()) != rank)
      return error("`", name, "` ", formatList(*list), " has ", list->size(),
                   " entries, expected one for each of the ", rank,
                   " dimensions of the window");
    if (llvm::any_of(*list, [](int64_t n) { return n <= 0; }))
      return error("`", name, "` ", formatList(*list),
                   " has a number below 1");
  }
  if (!attrs.padding)
    return success();
  auto type = attrs.padding->getType();
  if (type.getRank() != 2 || type.getDimSize(0) != rank ||
      type.getDimSize(1) != 2)
    return error("`padding` has the shape ", formatList(type.getShape()),
                 ", expected ", formatList({rank, 2}));
  return success();
}
