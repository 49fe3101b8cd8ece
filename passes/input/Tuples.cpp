// Pass input-tuples: values of tuple type become their elements; tokens and barriers go.
//
// A token orders effects, which stay in program order here anyway. A tuple at the
// boundary of `main` becomes that many inputs or outputs.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace {
class Tuples {
public:
  void run(ModuleOp module);

private:
  void convert(Operation *op);
  void rebuild(Operation *op);
  void convertFunction(func::FuncOp func);
  void convertArguments(Block &block);
  SmallVector<Value> flatten(ValueRange values) const;

  llvm::DenseMap<Value, SmallVector<Value>> parts;
  SmallVector<Operation *> dead;
  SmallVector<BlockArgument> deadArguments;
};
} // namespace

static bool isComposed(Type type) { return isa<TupleType, dhlo::TokenType>(type); }

/// The tensors that a value of this type holds.
static void flatten(Type type, SmallVectorImpl<Type> &result) {
  if (auto tuple = dyn_cast<TupleType>(type)) {
    for (Type element : tuple.getTypes())
      flatten(element, result);
  } else if (!isa<dhlo::TokenType>(type)) {
    result.push_back(type);
  }
}

static SmallVector<Type> flatten(TypeRange types) {
  SmallVector<Type> result;
  for (Type type : types)
    flatten(type, result);
  return result;
}

SmallVector<Value> Tuples::flatten(ValueRange values) const {
  SmallVector<Value> result;
  for (Value value : values) {
    auto it = parts.find(value);
    if (it == parts.end())
      result.push_back(value);
    else
      llvm::append_range(result, it->second);
  }
  return result;
}

void Tuples::convertArguments(Block &block) {
  for (unsigned i = 0; i < block.getNumArguments(); ++i) {
    BlockArgument argument = block.getArgument(i);
    if (!isComposed(argument.getType()))
      continue;
    SmallVector<Value> elements;
    for (Type type : ::flatten(argument.getType()))
      elements.push_back(
          block.insertArgument(++i, type, argument.getLoc()));
    parts[argument] = elements;
    deadArguments.push_back(argument);
  }
}

void Tuples::convertFunction(func::FuncOp func) {
  FunctionType type = func.getFunctionType();
  auto expand = [](ArrayRef<Type> types, ArrayAttr attributes) {
    SmallVector<Attribute> result;
    for (auto [i, type] : llvm::enumerate(types)) {
      auto empty = DictionaryAttr::get(type.getContext());
      Attribute own = attributes ? attributes[i] : empty;
      if (isComposed(type))
        result.append(::flatten(type).size(), empty);
      else
        result.push_back(own);
    }
    return result;
  };
  SmallVector<Attribute> arguments = expand(type.getInputs(), func.getArgAttrsAttr());
  SmallVector<Attribute> results = expand(type.getResults(), func.getResAttrsAttr());
  func.setFunctionType(FunctionType::get(func.getContext(), ::flatten(type.getInputs()),
                                         ::flatten(type.getResults())));
  Builder b(func.getContext());
  func.setArgAttrsAttr(b.getArrayAttr(arguments));
  func.setResAttrsAttr(b.getArrayAttr(results));
}

/// The op's properties, with the sizes that its segments of operands and results
/// have without tuples.
static Attribute flatProperties(Operation *op) {
  Attribute properties = op->getPropertiesAsAttribute();
  auto dictionary = dyn_cast_or_null<DictionaryAttr>(properties);
  if (!dictionary)
    return properties;
  NamedAttrList flat(dictionary);
  auto resize = [&](StringRef name, TypeRange types) {
    auto sizes = dictionary.getAs<DenseI32ArrayAttr>(name);
    if (!sizes)
      return;
    SmallVector<int32_t> segments;
    for (int32_t size : sizes.asArrayRef()) {
      segments.push_back(flatten(types.take_front(size)).size());
      types = types.drop_front(size);
    }
    flat.set(name, DenseI32ArrayAttr::get(op->getContext(), segments));
  };
  resize("operandSegmentSizes", op->getOperandTypes());
  resize("resultSegmentSizes", op->getResultTypes());
  return flat.getDictionary(op->getContext());
}

/// The same op on the elements; its results are the elements of the old ones.
void Tuples::rebuild(Operation *op) {
  OpBuilder b(op);
  OperationState state(op->getLoc(), op->getName(), flatten(op->getOperands()),
                       ::flatten(op->getResultTypes()), {}, op->getSuccessors());
  state.attributes = op->getDiscardableAttrDictionary();
  state.propertiesAttr = flatProperties(op);
  for (Region &region : op->getRegions()) {
    for (Block &block : region)
      convertArguments(block);
    state.addRegion()->takeBody(region);
  }
  Operation *flat = b.create(state);
  auto next = flat->result_begin();
  for (OpResult result : op->getResults()) {
    if (!isComposed(result.getType())) {
      result.replaceAllUsesWith(*next++);
      continue;
    }
    size_t count = ::flatten(result.getType()).size();
    parts[result].assign(next, next + count);
    next += count;
  }
  dead.push_back(op);
}

void Tuples::convert(Operation *op) {
  if (auto func = dyn_cast<func::FuncOp>(op)) {
    if (llvm::any_of(func.getArgumentTypes(), isComposed) ||
        llvm::any_of(func.getResultTypes(), isComposed))
      convertFunction(func);
    for (Block &block : func.getBody())
      convertArguments(block);
    return;
  }
  if (isa<dhlo::TupleOp, dhlo::CreateTokenOp, dhlo::AfterAllOp>(op)) {
    parts[op->getResult(0)] = isa<dhlo::TupleOp>(op)
                                  ? flatten(op->getOperands())
                                  : SmallVector<Value>();
    dead.push_back(op);
    return;
  }
  if (auto get = dyn_cast<dhlo::GetTupleElementOp>(op)) {
    auto types = cast<TupleType>(get.getOperand().getType()).getTypes();
    size_t begin = ::flatten(types.take_front(get.getIndex())).size();
    size_t count = ::flatten(get.getType()).size();
    ArrayRef<Value> elements = parts[get.getOperand()];
    SmallVector<Value> own(elements.slice(begin, count));
    if (isComposed(get.getType()))
      parts[get.getResult()] = own;
    else
      get.replaceAllUsesWith(own[0]);
    dead.push_back(op);
    return;
  }
  if (auto barrier = dyn_cast<dhlo::OptimizationBarrierOp>(op)) {
    OpBuilder b(op);
    for (auto [operand, result] :
         llvm::zip(barrier.getOperand(), barrier.getResult())) {
      Value value = operand;
      if (isComposed(result.getType())) {
        parts[result] = flatten(value);
        continue;
      }
      if (value.getType() != result.getType())
        value = tensor::CastOp::create(b, op->getLoc(), result.getType(), value);
      result.replaceAllUsesWith(value);
    }
    dead.push_back(op);
    return;
  }
  auto hasComposedArguments = [](Region &region) {
    return llvm::any_of(region, [](Block &block) {
      return llvm::any_of(block.getArgumentTypes(), isComposed);
    });
  };
  if (llvm::any_of(op->getOperandTypes(), isComposed) ||
      llvm::any_of(op->getResultTypes(), isComposed) ||
      llvm::any_of(op->getRegions(), hasComposedArguments))
    rebuild(op);
}

void Tuples::run(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module)
      ops.push_back(op);
  });
  for (Operation *op : ops)
    convert(op);
  for (Operation *op : llvm::reverse(dead)) {
    op->dropAllReferences();
    op->dropAllUses();
    op->erase();
  }
  for (BlockArgument argument : llvm::reverse(deadArguments))
    argument.getOwner()->eraseArgument(argument.getArgNumber());
}

LogicalResult disc::runInputTuples(ModuleOp module) {
  Tuples().run(module);
  return success();
}
