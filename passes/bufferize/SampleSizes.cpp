// Sizes that calls may have, to compare plans with.
#include "passes/bufferize/SampleSizes.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace disc;

/// What the first unknown size is at each sample, and what the others are.
static constexpr int64_t kFirst[] = {64, 1, 256, 8}, kOthers[] = {64, 256, 4, 128};

int64_t SampleSizes::of(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  int64_t size = compute(value);
  return known[value] = size;
}

std::string SampleSizes::text() const {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::interleaveComma(named, os, [&](const auto &entry) { os << entry.first << " = " << entry.second; });
  return result;
}

int64_t SampleSizes::free(StringRef name) {
  for (const auto &[known, size] : named)
    if (known == name)
      return size;
  int64_t size = named.empty() ? kFirst[sample] : kOthers[sample];
  for (const DeclaredSymbol &symbol : symbols)
    if (symbol.name == name)
      size = !symbol.likely.empty() ? symbol.likely[sample % symbol.likely.size()]
                                    : std::max(std::min(size, symbol.max) / symbol.multiple * symbol.multiple, symbol.min);
  named.emplace_back(name.str(), size);
  return size;
}

int64_t SampleSizes::inputSize(Operation *input, int64_t dim) {
  auto texts = input->getAttrOfType<ArrayAttr>(kDimsAttr);
  auto text = texts && dim < static_cast<int64_t>(texts.size()) ? dyn_cast<StringAttr>(texts[dim]) : StringAttr();
  std::optional<DeclaredSize> declared = text ? parseDeclaredSize(text.getValue()) : std::nullopt;
  if (!declared) {
    int64_t index = 0;
    if (auto received = dyn_cast<lmhlo_disc::RecvInputOp>(input))
      index = received.getIndex();
    return free(("input " + Twine(index) + " dimension " + Twine(dim)).str());
  }
  int64_t size = declared->offset;
  for (const DeclaredSize::Term &term : declared->terms)
    size += term.factor * free(term.symbol);
  return size;
}

static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max() : product;
}

int64_t SampleSizes::compute(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  Operation *op = value.getDefiningOp();
  if (!op)
    return free("another size");
  auto operand = [&](unsigned i) { return of(op->getOperand(i)); };
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](arith::AddIOp) { return operand(0) + operand(1); })
      .Case([&](arith::SubIOp) { return operand(0) - operand(1); })
      .Case<arith::MulIOp, lmhlo_disc::ElementCountOp>([&](auto) {
        int64_t product = 1;
        for (Value factor : op->getOperands())
          product = multiply(product, of(factor));
        return product;
      })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
          [&](auto) { return operand(0) / std::max<int64_t>(operand(1), 1); })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>([&](auto) {
        int64_t by = std::max<int64_t>(operand(1), 1);
        return (operand(0) + by - 1) / by;
      })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto) { return std::max(operand(0), operand(1)); })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto) { return std::min(operand(0), operand(1)); })
      .Case([&](arith::SelectOp) { return operand(0) ? operand(1) : operand(2); })
      .Case([&](arith::CmpIOp compare) -> int64_t {
        return arith::applyCmpPredicate(compare.getPredicate(), APInt(64, operand(0), true), APInt(64, operand(1), true));
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>([&](auto) { return operand(0); })
      .Case([](lmhlo_disc::WorkersOp) { return 2; })
      .Case([&](memref::DimOp dim) {
        auto received = dim.getSource().getDefiningOp<lmhlo_disc::RecvInputOp>();
        std::optional<int64_t> at = dim.getConstantIndex();
        return received && at ? inputSize(received, *at) : free("another size");
      })
      .Default([&](Operation *) { return free("another size"); });
}
