// Reads size arithmetic in the IR into canonical size expressions.
#include "passes/shape/ShapeConstraintAnalysis.h"

#include "dialects/dhlo/Dhlo.h"
#include "passes/shape/DeclaredSizes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace disc;

ShapeConstraintAnalysis::ShapeConstraintAnalysis(func::FuncOp func)
    : func(func) {
  if (func.isExternal())
    return;
  readDeclared();
}

/// Sizes of a plain symbol are the first one of it. Where a symbol occurs in
/// derived sizes alone, the first of them that has no other tells it.
void ShapeConstraintAnalysis::readDeclared() {
  struct Declared {
    Value arg;
    int dim;
    DeclaredSize size;
  };
  SmallVector<Declared> all;
  for (BlockArgument arg : func.getArguments()) {
    auto texts = func.getArgAttrOfType<ArrayAttr>(arg.getArgNumber(), kDimsAttr);
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    if (!texts || !type)
      continue;
    for (auto [i, attr] : llvm::enumerate(texts)) {
      auto text = dyn_cast<StringAttr>(attr);
      auto size = parseDeclaredSize(text ? text.getValue() : "");
      if (size && !size->terms.empty() &&
          static_cast<int64_t>(i) < type.getRank() && type.isDynamicDim(i))
        all.push_back({arg, static_cast<int>(i), *size});
    }
  }
  llvm::StringMap<Size> symbols; // by an expression of sizes of arguments
  struct Root {
    Size dim;
    int64_t factor, offset;
  };
  llvm::StringMap<Root> roots;
  for (bool derived : {false, true})
    for (const Declared &d : all) {
      if (d.size.terms.size() != 1 || d.size.isSymbol() == derived ||
          d.size.terms[0].factor <= 0 ||
          symbols.contains(d.size.terms[0].symbol))
        continue;
      auto [name, factor] = d.size.terms[0];
      Size root = context.dimOf(d.arg, d.dim);
      roots[name] = {root, factor, d.size.offset};
      if (d.size.offset == 0)
        context.divide(root, factor);
      symbols[name] = context.div(
          context.sub(root, context.constant(d.size.offset)),
          context.constant(factor));
    }
  auto known = declaredSymbols(func);
  if (succeeded(known))
    for (const DeclaredSymbol &symbol : *known) {
      auto root = roots.find(symbol.name);
      if (root == roots.end())
        continue;
      auto [dim, factor, offset] = root->second;
      auto sizeOf = [factor = factor, offset = offset](int64_t value) {
        int64_t size;
        return llvm::MulOverflow(value, factor, size) ||
                       llvm::AddOverflow(size, offset, size)
                   ? std::numeric_limits<int64_t>::max()
                   : size;
      };
      context.bound(dim, sizeOf(symbol.min), sizeOf(symbol.max));
      int64_t multiple;
      if (offset == 0 && !llvm::MulOverflow(symbol.multiple, factor, multiple))
        context.divide(dim, multiple);
      for (int64_t value : symbol.likely)
        likelySizes[dim].push_back(sizeOf(value));
    }
  for (const Declared &d : all) {
    Size sum = context.constant(d.size.offset);
    bool isKnown = true;
    for (auto [name, factor] : d.size.terms) {
      auto it = symbols.find(name);
      isKnown &= it != symbols.end();
      if (isKnown)
        sum = context.add(sum, context.scale(it->second, factor));
    }
    // What a symbol is computed from is not computed from the symbol.
    Size own = context.dimOf(d.arg, d.dim);
    bool isRoot = llvm::any_of(d.size.terms, [&](const auto &term) {
      auto root = roots.find(term.symbol);
      return root != roots.end() && root->second.dim == own;
    });
    if (isKnown && !isRoot && sum != own)
      declared[{d.arg, d.dim}] = sum;
  }
}

void ShapeConstraintAnalysis::restart() {
  scalars.clear();
  tensors.clear();
  asked.clear();
}

void ShapeConstraintAnalysis::setDims(Value tensor, ArrayRef<Size> sizes) {
  // What was asked before is found in `tensors` first.
  tensors[tensor] = SmallVector<Size, 4>(sizes);
}

/// The op that says the sizes of `tensor`: it defines or uses it.
static dhlo::TieShapeOp tieOf(Value tensor) {
  if (auto tie = tensor.getDefiningOp<dhlo::TieShapeOp>())
    return tie;
  for (Operation *user : tensor.getUsers())
    if (auto tie = dyn_cast<dhlo::TieShapeOp>(user))
      return tie;
  return nullptr;
}

Size ShapeConstraintAnalysis::dim(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return context.constant(type.getDimSize(dim));
  auto known = tensors.find(tensor);
  if (known != tensors.end())
    return context.latest(known->second[dim]);
  auto [it, isNew] = asked.try_emplace({tensor, static_cast<int>(dim)});
  if (!isNew && it->second)
    return context.latest(it->second);
  Size size = readDim(tensor, dim);
  asked[{tensor, static_cast<int>(dim)}] = size;
  return size;
}

Size ShapeConstraintAnalysis::readDim(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (dhlo::TieShapeOp tie = tieOf(tensor)) {
    int64_t dynamicIndex = 0;
    for (int64_t i = 0; i < dim; ++i)
      dynamicIndex += type.isDynamicDim(i);
    Value size = tie.getSizes()[dynamicIndex];
    // A size that is read from the tied value itself ends the search.
    auto read = size.getDefiningOp<tensor::DimOp>();
    if (!read || read.getSource() != tie.getValue())
      return of(size);
    tensor = tie.getValue();
  }
  if (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    if (isa<RankedTensorType>(cast.getSource().getType()))
      return this->dim(cast.getSource(), dim);
  auto key = std::make_pair(tensor, static_cast<int>(dim));
  auto size = declared.find(key);
  return size != declared.end() ? context.latest(size->second)
                                : context.dimOf(tensor, dim);
}

SmallVector<Size> ShapeConstraintAnalysis::dims(Value tensor) {
  SmallVector<Size> result;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t i = 0; i < rank; ++i)
    result.push_back(dim(tensor, i));
  return result;
}

Size ShapeConstraintAnalysis::elementCount(Value tensor) {
  return context.product(dims(tensor));
}

bool ShapeConstraintAnalysis::sameDim(Value a, int64_t i, Value b, int64_t j) {
  return dim(a, i) == dim(b, j);
}

bool ShapeConstraintAnalysis::sameShape(Value a, Value b) {
  return dims(a) == dims(b);
}

bool ShapeConstraintAnalysis::sameElementCount(Value a, Value b) {
  return elementCount(a) == elementCount(b);
}

std::optional<int64_t> ShapeConstraintAnalysis::constantDim(Value tensor,
                                                            int64_t i) {
  Size size = dim(tensor, i);
  return size->isConst() ? std::optional<int64_t>(size->value) : std::nullopt;
}

std::pair<int64_t, int64_t> ShapeConstraintAnalysis::bounds(Value tensor,
                                                            int64_t i) {
  Size size = dim(tensor, i);
  return {size->lo, size->hi};
}

bool ShapeConstraintAnalysis::divides(int64_t factor, Value tensor, int64_t i) {
  return factor > 0 && dim(tensor, i)->multiple % factor == 0;
}

ArrayRef<int64_t> ShapeConstraintAnalysis::likely(Value tensor, int64_t i) {
  auto it = likelySizes.find(dim(tensor, i));
  return it == likelySizes.end() ? ArrayRef<int64_t>() : it->second;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Size ShapeConstraintAnalysis::of(Value scalar) {
  auto it = scalars.find(scalar);
  if (it != scalars.end())
    return context.latest(it->second);
  Size size = compute(scalar);
  scalars[scalar] = size;
  return size;
}

std::optional<ShapeConstraintAnalysis::Fraction>
ShapeConstraintAnalysis::fraction(Value scalar) {
  APFloat number(0.0);
  if (matchPattern(scalar, m_ConstantFloat(&number))) {
    double value = number.convertToDouble();
    if (!(std::abs(value) < 0x1p62) || value != static_cast<double>(static_cast<int64_t>(value)))
      return std::nullopt;
    return Fraction{context.constant(static_cast<int64_t>(value)), 1};
  }
  Operation *op = scalar.getDefiningOp();
  // f32 holds integers up to 2^24 alone, which sizes may exceed.
  if (!op || !scalar.getType().isF64())
    return std::nullopt;
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return Fraction{of(op->getOperand(0)), 1};
  if (isa<arith::DivFOp>(op)) {
    auto lhs = fraction(op->getOperand(0)), rhs = fraction(op->getOperand(1));
    if (!lhs || !rhs || rhs->denominator != 1 || !rhs->numerator->isConst() ||
        rhs->numerator->value <= 0)
      return std::nullopt;
    return Fraction{lhs->numerator, lhs->denominator * rhs->numerator->value};
  }
  if (isa<math::CeilOp, math::FloorOp>(op)) {
    auto arg = fraction(op->getOperand(0));
    if (!arg)
      return std::nullopt;
    Size divisor = context.constant(arg->denominator);
    Size whole = isa<math::CeilOp>(op)
                     ? context.ceilDiv(arg->numerator, divisor)
                     : context.div(arg->numerator, divisor);
    return Fraction{whole, 1};
  }
  return std::nullopt;
}

Size ShapeConstraintAnalysis::compute(Value scalar) {
  APInt number;
  if (matchPattern(scalar, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 64)
    return context.constant(scalar.getType().isInteger(1)
                                ? static_cast<int64_t>(number.getZExtValue())
                                : number.getSExtValue());
  Operation *op = scalar.getDefiningOp();
  Size symbol = context.scalar(scalar);
  if (!op)
    return symbol;
  auto arg = [&](unsigned i) { return of(op->getOperand(i)); };
  auto natural = [&](unsigned i) { return arg(i)->lo >= 0; };
  unsigned width = scalar.getType().isIndex() ? 64 : scalar.getType().getIntOrFloatBitWidth();
  // Sizes do not wrap in the types that frontends compute them in; data may.
  auto unwrapped = [&](Size size) {
    if (width >= 64 || (width >= 32 && size->isOfSizes()))
      return size;
    bool fits = size->lo >= llvm::minIntN(width) && size->hi <= llvm::maxIntN(width);
    return fits ? size : symbol;
  };
  return TypeSwitch<Operation *, Size>(op)
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](Operation *) {
            // A bit widened by sign is 0 or -1; sizes are never bits.
            return op->getOperand(0).getType().isInteger(1) ||
                           scalar.getType().isInteger(1)
                       ? symbol
                       : unwrapped(arg(0));
          })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>(
          [&](Operation *) { return natural(0) ? arg(0) : symbol; })
      .Case([&](arith::AddIOp) { return unwrapped(context.add(arg(0), arg(1))); })
      .Case([&](arith::SubIOp) { return unwrapped(context.sub(arg(0), arg(1))); })
      .Case([&](arith::MulIOp) { return unwrapped(context.mul(arg(0), arg(1))); })
      .Case([&](arith::FloorDivSIOp) { return context.div(arg(0), arg(1)); })
      .Case([&](arith::CeilDivSIOp) {
        return arg(1)->lo >= 0 ? context.ceilDiv(arg(0), arg(1)) : symbol;
      })
      .Case([&](arith::CeilDivUIOp) {
        return natural(0) && natural(1) ? context.ceilDiv(arg(0), arg(1))
                                        : symbol;
      })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](Operation *) {
        return natural(0) && natural(1) ? context.div(arg(0), arg(1)) : symbol;
      })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](Operation *) {
        return natural(0) && natural(1) ? context.mod(arg(0), arg(1)) : symbol;
      })
      .Case([&](arith::MaxSIOp) { return context.max(arg(0), arg(1)); })
      .Case([&](arith::MinSIOp) { return context.min(arg(0), arg(1)); })
      .Case([&](arith::MaxUIOp) {
        return natural(0) && natural(1) ? context.max(arg(0), arg(1)) : symbol;
      })
      .Case([&](arith::MinUIOp) {
        return natural(0) && natural(1) ? context.min(arg(0), arg(1)) : symbol;
      })
      .Case([&](arith::SelectOp select) {
        if (!select.getCondition().getType().isInteger(1))
          return symbol;
        return context.select(arg(0), arg(1), arg(2));
      })
      .Case([&](arith::CmpIOp cmp) {
        return context.cmp(cmp.getPredicate(), arg(0), arg(1));
      })
      .Case([&](arith::AndIOp) {
        return scalar.getType().isInteger(1)
                   ? context.logicalAnd(arg(0), arg(1))
                   : symbol;
      })
      .Case([&](arith::OrIOp) {
        return scalar.getType().isInteger(1) ? context.logicalOr(arg(0), arg(1))
                                             : symbol;
      })
      .Case<arith::FPToSIOp, arith::FPToUIOp>([&](Operation *) {
        auto value = fraction(op->getOperand(0));
        if (!value || (value->denominator != 1 && value->numerator->lo < 0))
          return symbol;
        return context.div(value->numerator,
                           context.constant(value->denominator));
      })
      .Case([&](tensor::ExtractOp extract) {
        auto from = extract.getTensor().getDefiningOp<tensor::FromElementsOp>();
        APInt at;
        if (!from || from.getType().getRank() > 1 ||
            (from.getType().getRank() == 1 &&
             !matchPattern(extract.getIndices()[0], m_ConstantInt(&at))))
          return symbol;
        uint64_t index = from.getType().getRank() == 0 ? 0 : at.getZExtValue();
        return index < from.getElements().size()
                   ? of(from.getElements()[index])
                   : symbol;
      })
      .Case([&](tensor::DimOp dimOp) {
        auto type = dyn_cast<RankedTensorType>(dimOp.getSource().getType());
        std::optional<int64_t> index = dimOp.getConstantIndex();
        if (!type || !index || *index < 0 || *index >= type.getRank())
          return symbol;
        return dim(dimOp.getSource(), *index);
      })
      .Default([&](Operation *) { return symbol; });
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

SmallVector<ReshapeGroup> disc::reshapeGroups(SizeContext &context,
                                              ArrayRef<Size> in,
                                              ArrayRef<Size> out) {
  SmallVector<ReshapeGroup> groups;
  int64_t inRank = in.size(), outRank = out.size();
  // The shortest group at (i, j): by total length, so that unit dimensions
  // that only one side has form groups of their own.
  auto close = [&](int64_t i, int64_t j) -> ReshapeGroup {
    if (i < inRank && j < outRank && in[i] == out[j])
      return {i, i + 1, j, j + 1};
    for (int64_t total = 1; total <= inRank - i + outRank - j; ++total)
      for (int64_t a = std::max<int64_t>(0, total - (outRank - j));
           a <= std::min(total, inRank - i); ++a) {
        int64_t b = total - a;
        if (context.product(in.slice(i, a)) == context.product(out.slice(j, b)))
          return {i, i + a, j, j + b};
      }
    return {i, inRank, j, outRank};
  };
  int64_t i = 0, j = 0;
  while (i < inRank || j < outRank) {
    groups.push_back(close(i, j));
    i = groups.back().inEnd;
    j = groups.back().outEnd;
  }
  return groups;
}
