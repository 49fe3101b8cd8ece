// Makes `main` the artifact's entry.
#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "passes/shape/DeclaredSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace disc;

static constexpr StringLiteral constantAttr = "disc.constant";
/// Of the module: "bf16" lets f32 products round their operands.
static constexpr StringLiteral kPrecisionAttr = "disc.precision";
static constexpr StringLiteral nameAttr = "disc.name";

/// The function called `main`, else the only public one.
static FailureOr<func::FuncOp> findMain(ModuleOp module) {
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    return main;
  func::FuncOp found;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (found)
      return module.emitError("expected a function `main` or one public "
                              "function, got several, among them `")
             << found.getName() << "` and `" << function.getName() << "`";
    found = function;
  }
  if (!found)
    return module.emitError("expected a function `main`");
  return found;
}

/// A word of the signature: no whitespace, `-` for none.
static std::string word(StringRef text) {
  std::string result = text.empty() ? "-" : text.str();
  for (char &c : result)
    if (llvm::isSpace(c))
      c = '_';
  return result;
}

static void printDims(llvm::raw_ostream &os, MemRefType type, ArrayAttr names) {
  if (type.getRank() == 0)
    os << "-";
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    os << (dim ? "," : "");
    StringRef symbol;
    if (names && dim < names.size())
      if (auto text = dyn_cast<StringAttr>(names[dim]))
        symbol = text.getValue();
    auto declared = parseDeclaredSize(symbol);
    if (!ShapedType::isDynamic(size))
      os << size;
    else
      os << (declared && !declared->terms.empty() ? declared->text() : "?");
  }
}

namespace {

class EntryBuilder {
public:
  explicit EntryBuilder(func::FuncOp function)
      : function(function), builder(function.getContext()), os(signature) {}

  LogicalResult run() {
    os << "disc 1\n";
    FailureOr<SmallVector<DeclaredSymbol>> symbols = declaredSymbols(function);
    if (failed(symbols))
      return symbols;
    for (const DeclaredSymbol &symbol : *symbols)
      os << "symbol " << symbol.name << " " << symbol.min << " " << symbol.max
         << " " << symbol.multiple << "\n";
    auto module = function->getParentOfType<ModuleOp>();
    if (auto precision = module->getAttrOfType<StringAttr>(kPrecisionAttr)) {
      os << "precision " << precision.getValue() << "\n";
      module->removeAttr(kPrecisionAttr);
    }
    if (LogicalResult received = receive(); failed(received))
      return received;
    if (LogicalResult sent = send(); failed(sent))
      return sent;
    function.setName("disc_main");
    function.setPublic();
    function.removeArgAttrsAttr();
    function.removeResAttrsAttr();
    function.setFunctionType(builder.getFunctionType({}, {}));
    createSignature();
    return success();
  }

private:
  LogicalResult receive() {
    Block &entry = function.front();
    builder.setInsertionPointToStart(&entry);
    int64_t numInputs = 0, numConstants = 0;
    for (BlockArgument argument : entry.getArguments()) {
      unsigned index = argument.getArgNumber();
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (!type)
        return function.emitError() << "argument #" << index << " of type "
                                    << argument.getType() << " is no tensor";
      auto constant = function.getArgAttrOfType<StringAttr>(index, constantAttr);
      auto name = function.getArgAttrOfType<StringAttr>(index, nameAttr);
      if (constant)
        name = constant;
      os << (constant ? "constant " : "input ")
         << (constant ? numConstants : numInputs) << " "
         << type.getElementType() << " " << word(name ? name.strref() : "")
         << " ";
      printDims(os, type,
                function.getArgAttrOfType<ArrayAttr>(index, kDimsAttr));
      os << "\n";
      int64_t number = constant ? numConstants++ : numInputs++;
      if (argument.use_empty())
        continue;
      Value buffer =
          constant ? lmhlo_disc::RecvConstantOp::create(
                         builder, argument.getLoc(), type, number, constant)
                         .getResult()
                   : lmhlo_disc::RecvInputOp::create(builder, argument.getLoc(),
                                                     type, number)
                         .getResult();
      if (auto dims = function.getArgAttrOfType<ArrayAttr>(index, kDimsAttr); dims && !constant)
        buffer.getDefiningOp()->setAttr(kDimsAttr, dims);
      argument.replaceAllUsesWith(buffer);
    }
    entry.eraseArguments(0, entry.getNumArguments());
    return success();
  }

  LogicalResult send() {
    for (auto [index, result] : llvm::enumerate(function.getResultTypes())) {
      auto type = dyn_cast<MemRefType>(result);
      if (!type)
        return function.emitError() << "result #" << index << " of type "
                                    << result << " is no tensor";
      os << "output " << index << " " << type.getElementType() << " ";
      printDims(os, type,
                function.getResultAttrOfType<ArrayAttr>(index, kDimsAttr));
      os << "\n";
    }
    function.walk([&](func::ReturnOp op) {
      builder.setInsertionPoint(op);
      for (auto [index, value] : llvm::enumerate(op.getOperands()))
        lmhlo_disc::SendOutputOp::create(builder, op.getLoc(), value, index);
      op->setOperands({});
    });
    return success();
  }

  void createSignature() {
    std::string text = signature;
    text.push_back('\0');
    builder.setInsertionPoint(function);
    LLVM::GlobalOp::create(
        builder, function.getLoc(),
        LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
        /*isConstant=*/true, LLVM::Linkage::External, "disc_signature",
        builder.getStringAttr(text));
  }

  func::FuncOp function;
  OpBuilder builder;
  std::string signature;
  llvm::raw_string_ostream os;
};

} // namespace

namespace disc {

LogicalResult runRuntimeEntry(ModuleOp module) {
  FailureOr<func::FuncOp> main = findMain(module);
  if (failed(main))
    return main;
  if (main->isExternal())
    return main->emitError("expected a body");
  func::CallOp kept;
  main->walk([&](func::CallOp call) { kept = call; });
  if (kept) {
    auto callee = module.lookupSymbol<func::FuncOp>(kept.getCallee());
    bool hasBody = callee && !callee.isExternal();
    return kept.emitError()
           << "the call of `" << kept.getCallee() << "` was not inlined; "
           << (hasBody ? "recursion is not supported" : "it has no body");
  }
  if (LogicalResult built = EntryBuilder(*main).run(); failed(built))
    return built;
  // Nothing calls the others any more.
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function != *main)
      function.erase();
  return success();
}

} // namespace disc
