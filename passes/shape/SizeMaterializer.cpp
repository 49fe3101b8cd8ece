// Emits arith for size expressions.
#include "passes/shape/SizeMaterializer.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace disc;
using arith::CmpIPredicate;

SizeMaterializer::SizeMaterializer(func::FuncOp func, SizeContext &sizes)
    : builder(func.getContext()), func(func), sizes(sizes),
      prologueEnd(&func.getBody().front().front()) {
  scopes.emplace_back();
}

void SizeMaterializer::setInsertionPointToPrologue() {
  builder.setInsertionPoint(prologueEnd);
}

Value SizeMaterializer::find(Size size) const {
  for (const auto &scope : llvm::reverse(scopes)) {
    auto it = scope.find(size);
    if (it != scope.end() && it->second)
      return it->second;
  }
  return nullptr;
}

bool SizeMaterializer::isNew(Size cond) {
  for (const auto &scope : scopes)
    if (scope.contains(cond))
      return false;
  scopes.back()[cond] = nullptr;
  return true;
}

Value SizeMaterializer::index(Size size, Location loc) {
  if (Value known = find(size))
    return known;
  return make(size, loc);
}

Value SizeMaterializer::rawIndex(Size size, Location loc) {
  return make(size, loc);
}

/// Symbols and constants, which are placed where every later use sees them.
Value SizeMaterializer::leaf(Size size, Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  if (size->isConst()) {
    setInsertionPointToPrologue();
    return arith::ConstantIndexOp::create(builder, loc, size->value);
  }
  Value sym = size->sym;
  bool ofEntry = isa<BlockArgument>(sym) &&
                 sym.getParentBlock() == &func.getBody().front();
  if (ofEntry)
    setInsertionPointToPrologue();
  else
    builder.setInsertionPointAfterValue(sym);
  if (size->dim >= 0)
    return tensor::DimOp::create(builder, sym.getLoc(), sym, size->dim);
  if (sym.getType().isIndex())
    return sym;
  if (sym.getType().isInteger(1))
    return arith::IndexCastUIOp::create(builder, sym.getLoc(),
                                        builder.getIndexType(), sym);
  return arith::IndexCastOp::create(builder, sym.getLoc(),
                                    builder.getIndexType(), sym);
}

Value SizeMaterializer::make(Size size, Location loc) {
  if (size->isConst() || size->kind == SizeKind::Sym) {
    Value value = leaf(size, loc);
    // A leaf's place is where the scope of its symbol is; constants and
    // arguments belong to the outermost scope.
    Value sym = size->sym;
    bool outer =
        size->isConst() || sym.getParentBlock() == &func.getBody().front();
    (outer ? scopes.front() : scopes.back())[size] = value;
    return value;
  }
  Value value = fold(size, loc);
  scopes.back()[size] = value;
  return value;
}

Value SizeMaterializer::condition(Size size, Location loc) {
  if (size->isConst()) {
    OpBuilder::InsertionGuard guard(builder);
    setInsertionPointToPrologue();
    return arith::ConstantIntOp::create(builder, loc, size->value, 1);
  }
  switch (size->kind) {
  case SizeKind::Cmp:
    return arith::CmpIOp::create(
        builder, loc, static_cast<CmpIPredicate>(size->value),
        index(size->ops[0], loc), index(size->ops[1], loc));
  case SizeKind::And:
  case SizeKind::Or: {
    Value all = condition(size->ops[0], loc);
    for (Size op : llvm::drop_begin(size->ops)) {
      Value next = condition(op, loc);
      all = size->kind == SizeKind::And
                ? Value(arith::AndIOp::create(builder, loc, all, next))
                : Value(arith::OrIOp::create(builder, loc, all, next));
    }
    return all;
  }
  default:
    break;
  }
  if (size->kind == SizeKind::Sym && size->dim < 0 &&
      size->sym.getType().isInteger(1))
    return size->sym;
  return arith::CmpIOp::create(builder, loc, CmpIPredicate::ne,
                               index(size, loc),
                               arith::ConstantIndexOp::create(builder, loc, 0));
}

Value SizeMaterializer::fold(Size size, Location loc) {
  ArrayRef<Size> ops = size->ops;
  auto constant = [&](int64_t value) {
    OpBuilder::InsertionGuard guard(builder);
    setInsertionPointToPrologue();
    return arith::ConstantIndexOp::create(builder, loc, value).getResult();
  };
  auto chain = [&](auto combine) {
    Value result = index(ops[0], loc);
    for (Size op : ops.drop_front())
      result = combine(result, index(op, loc));
    return result;
  };
  switch (size->kind) {
  case SizeKind::Mul: {
    Value product = chain([&](Value a, Value b) -> Value {
      return arith::MulIOp::create(builder, loc, a, b);
    });
    if (size->value == 1)
      return product;
    return arith::MulIOp::create(builder, loc, product, constant(size->value));
  }
  case SizeKind::Add: {
    Value sum = chain([&](Value a, Value b) -> Value {
      return arith::AddIOp::create(builder, loc, a, b);
    });
    if (size->value == 0)
      return sum;
    return arith::AddIOp::create(builder, loc, sum, constant(size->value));
  }
  case SizeKind::Max:
    return chain([&](Value a, Value b) -> Value {
      return arith::MaxSIOp::create(builder, loc, a, b);
    });
  case SizeKind::Min:
    return chain([&](Value a, Value b) -> Value {
      return arith::MinSIOp::create(builder, loc, a, b);
    });
  case SizeKind::Bcast: {
    // A chain of broadcasts has many sizes, each one operand longer.
    Value a = index(sizes.withoutLast(size), loc), b = index(ops.back(), loc);
    Value isOne = arith::CmpIOp::create(builder, loc, CmpIPredicate::eq, a,
                                        constant(1));
    return arith::SelectOp::create(builder, loc, isOne, b, a);
  }
  case SizeKind::Div:
  case SizeKind::Mod: {
    Value a = index(ops[0], loc), b = index(ops[1], loc);
    // A size of 0 may reach a divisor; the quotient is of no matter then, but
    // the division must not trap.
    if (ops[1]->lo <= 0 && ops[1]->hi >= 0) {
      Value isZero = arith::CmpIOp::create(builder, loc, CmpIPredicate::eq, b,
                                           constant(0));
      b = arith::SelectOp::create(builder, loc, isZero, constant(1), b);
    }
    bool natural = ops[0]->lo >= 0 && ops[1]->lo >= 0;
    if (size->kind == SizeKind::Div)
      return natural ? Value(arith::DivUIOp::create(builder, loc, a, b))
                     : Value(arith::FloorDivSIOp::create(builder, loc, a, b));
    if (natural)
      return arith::RemUIOp::create(builder, loc, a, b);
    Value quotient = arith::FloorDivSIOp::create(builder, loc, a, b);
    return arith::SubIOp::create(
        builder, loc, a, arith::MulIOp::create(builder, loc, quotient, b));
  }
  case SizeKind::Select: {
    Value cond = condition(ops[0], loc);
    return arith::SelectOp::create(builder, loc, cond, index(ops[1], loc),
                                   index(ops[2], loc));
  }
  case SizeKind::Cmp:
  case SizeKind::And:
  case SizeKind::Or:
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        condition(size, loc));
  case SizeKind::Const:
  case SizeKind::Sym:
    break;
  }
  llvm_unreachable("leaves are placed by `leaf`");
}
