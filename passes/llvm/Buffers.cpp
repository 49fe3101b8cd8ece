// What host code knows of a buffer.
#include "passes/llvm/Buffers.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "passes/shape/Demands.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace disc;

bool disc::isSent(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [](Operation *user) {
    return isa<lmhlo_disc::SendOutputOp>(user) ||
           (isa<ViewLikeOpInterface>(user) && isSent(user->getResult(0)));
  });
}

/// {0} and so on are dynamic sizes.
static std::string bufferText(Location loc, MemRefType type) {
  std::string text = "a result at " + shortLocation(loc) + " of type ";
  llvm::raw_string_ostream os(text);
  int64_t dynamic = 0;
  for (int64_t size : type.getShape())
    if (ShapedType::isDynamic(size))
      os << '{' << dynamic++ << "}x";
    else
      os << size << 'x';
  os << type.getElementType();
  return text;
}

std::pair<std::string, SmallVector<Value>> disc::describeBuffer(memref::AllocOp op) {
  for (Operation *user : op->getUsers())
    if (auto view = dyn_cast<memref::ViewOp>(user); view && view->hasAttr("disc.largest")) {
      auto count = op->getAttrOfType<DictionaryAttr>("disc.arena").getAs<IntegerAttr>("buffers").getInt();
      return {std::to_string(count) + " intermediate results, among them " +
                  bufferText(view.getLoc(), view.getType()),
              llvm::to_vector(ValueRange(view.getSizes()))};
    }
  return {bufferText(op.getLoc(), op.getType()), llvm::to_vector(ValueRange(op.getDynamicSizes()))};
}
