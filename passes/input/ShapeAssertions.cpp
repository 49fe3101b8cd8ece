// Assertions about sizes that frontends write as custom calls.
#include "passes/input/ShapeOperands.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"

using namespace mlir;
using namespace disc;

/// The author's message as one of `lmhlo_disc.check`: `{i}` is a value where
/// there is one, other braces are text.
static std::string messageOf(StringRef text, size_t values) {
  std::string message;
  while (!text.empty()) {
    if (text.consume_front("{{")) {
      message += "{{";
      continue;
    }
    if (text.front() == '{') {
      StringRef rest = text.drop_front();
      size_t number;
      bool isValue = !rest.consumeInteger(10, number) && number < values &&
                     rest.starts_with("}");
      message += isValue ? "{" : "{{";
      text = text.drop_front();
      continue;
    }
    message += text.front();
    text = text.drop_front();
  }
  return message;
}

LogicalResult disc::checkShapeAssertion(dhlo::CustomCallOp call,
                                        ScalarElements &scalars) {
  auto message = call->getAttrOfType<StringAttr>("error_message");
  SmallVector<Value> numbers;
  for (Value operand : call->getOperands()) {
    std::optional<ScalarElements::Scalars> elements = scalars.of(operand);
    if (!elements || elements->size() != 1 ||
        !(*elements)[0].getType().isIntOrIndex())
      return call.emitOpError("`shape_assertion` tells of a value of type ")
             << operand.getType() << "; expected an integer";
    numbers.push_back((*elements)[0]);
  }
  if (!message || numbers.empty() || !numbers[0].getType().isInteger(1) ||
      call->getNumResults() != 0)
    return call.emitOpError(
        "`shape_assertion` expects an i1 and integers, an attribute "
        "`error_message`, and no results");
  OpBuilder &b = scalars.builder;
  b.setInsertionPoint(call);
  SmallVector<Value> values;
  for (Value number : ArrayRef(numbers).drop_front())
    values.push_back(scalars.toIndex(call.getLoc(), number));
  lmhlo_disc::CheckOp::create(b, call.getLoc(), numbers[0],
                              messageOf(message.getValue(), values.size()),
                              values);
  call.erase();
  return success();
}
