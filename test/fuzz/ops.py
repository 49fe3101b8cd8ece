"""One function an op family: draws operands among a program's values and adds an op."""

from __future__ import annotations

from typing import Callable

import sizes
from hypothesis import strategies as st
from program import APPROX, DTYPES, EXACT, FLOATS, SIGNED, SMALL, UNSIGNED, Program, Value, tensor_type

Draw = Callable
OPS: list[Callable[[Draw, Program], None]] = []
INTEGERS = SIGNED + UNSIGNED


def op(function: Callable[[Draw, Program], None]) -> Callable[[Draw, Program], None]:
    OPS.append(function)
    return function


def pick(draw: Draw, program: Program, accept: Callable[[Value], bool] = lambda v: True) -> Value | None:
    """One of the values that `accept` takes; None where there is none."""
    candidates = [v for v in program.values if accept(v)]
    return draw(st.sampled_from(candidates)) if candidates else None


def literal(draw: Draw, dtype: str) -> str:
    """A constant of `dtype` as MLIR writes it."""
    if dtype == "i1":
        return draw(st.sampled_from(["true", "false"]))
    if dtype in FLOATS:
        return draw(st.sampled_from(["0.0", "-0.0", "1.0", "-1.5", "2.25", "7.0", "0.25"]))
    return draw(st.sampled_from(["0", "1", "2", "3", "7"] + ([] if dtype in UNSIGNED else ["-1", "-5"])))


def broadcast(program: Program, value: Value, dims: tuple, axes: list[int]) -> Value:
    """`value` at `dims`, its own dims at `axes`."""
    shape = program.shape(dims)
    text = (
        f"stablehlo.dynamic_broadcast_in_dim {value.name}, {shape.name}, dims = {axes} : "
        f"({value.type}, {shape.type}) -> {{type}}"
    )
    if all(isinstance(d, int) for d in dims + value.dims):
        text = f"stablehlo.broadcast_in_dim {value.name}, dims = {axes} : ({value.type}) -> {{type}}"
    return program.emit(text, value.dtype, dims, value.grade)


def partner(draw: Draw, program: Program, value: Value, grade: int = APPROX) -> Value:
    """A value of the same type as `value`, of at most `grade`: another one, a broadcast one, or a constant."""
    same = [v for v in program.values if (v.dtype, v.dims) == (value.dtype, value.dims) and v.grade <= grade]
    scalars = [v for v in program.values if v.dtype == value.dtype and v.rank == 0 and v.grade <= grade]
    rows = [
        (v, axis)
        for v in program.values
        for axis, dim in enumerate(value.dims)
        if v.dtype == value.dtype and v.grade <= grade and v.rank == 1 and sizes.broadcasts_to(v.dims[0], dim)
    ]
    kind = draw(st.sampled_from(["same"] * (3 * bool(same)) + ["scalar"] * bool(scalars) + ["row"] * bool(rows) + ["constant"]))
    if kind == "same":
        return draw(st.sampled_from(same))
    if kind == "row":
        row, axis = draw(st.sampled_from(rows))
        return broadcast(program, row, value.dims, [axis])
    scalar = draw(st.sampled_from(scalars)) if kind == "scalar" else program.constant(literal(draw, value.dtype), value.dtype)
    return broadcast(program, scalar, value.dims, []) if value.dims else scalar


def same_type(program: Program, name: str, operands: list[Value], grade: int) -> Value:
    """An op whose operands and result have one type."""
    value = operands[0]
    return program.emit(f"stablehlo.{name} {', '.join(v.name for v in operands)} : {{type}}", value.dtype, value.dims, grade)


# ---- elementwise


@op
def unary(draw, program):
    value = pick(draw, program)
    if value.is_float:
        names = {"abs": value.grade, "negate": value.grade}
        if value.grade != APPROX:
            names |= {"sign": SMALL, "floor": value.grade, "ceil": value.grade, "round_nearest_even": value.grade}
            names |= {"round_nearest_afz": value.grade, "sqrt": EXACT if value.dtype in ("f32", "f64") else APPROX}
    elif value.dtype == "i1":
        names = {"not": value.grade}
    else:
        names = {"not": EXACT, "popcnt": EXACT, "count_leading_zeros": EXACT, "negate": EXACT}
        if value.dtype in SIGNED:
            names |= {"abs": EXACT, "sign": SMALL}
    name = draw(st.sampled_from(sorted(names)))
    same_type(program, name, [value], names[name])


@op
def function(draw, program):
    value = pick(draw, program, lambda v: v.is_float and v.grade != APPROX)
    if value is None:
        return
    names = ["exponential", "log", "tanh", "logistic", "rsqrt", "sine", "cosine", "cbrt", "exponential_minus_one"]
    same_type(program, draw(st.sampled_from(names + ["log_plus_one"])), [value], APPROX)


@op
def binary(draw, program):
    value = pick(draw, program)
    grade = APPROX if value.grade == APPROX else EXACT
    if value.is_float:
        names = ["maximum", "minimum"]
        if grade != APPROX:
            names += ["add", "subtract", "multiply", "divide", "remainder"]
    elif value.dtype == "i1":
        names = ["and", "or", "xor"]
    else:
        names = ["add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "and", "or", "xor"]
        names += ["shift_left", "shift_right_arithmetic", "shift_right_logical"]
    name = draw(st.sampled_from(names))
    other = partner(draw, program, value, grade=grade)
    if name in ("maximum", "minimum", "and", "or", "xor"):
        grade = max(value.grade, other.grade) if value.is_float or value.dtype == "i1" else EXACT
    operands = [value, other] if draw(st.booleans()) else [other, value]
    same_type(program, name, operands, grade)


@op
def implicit_broadcast(draw, program):
    """chlo.broadcast_*: numpy's rule, on sizes that may be 1 only at run time."""
    value = pick(draw, program, lambda v: v.dtype != "i1" and v.grade != APPROX)
    if value is None:
        return

    def fits(v: Value) -> bool:
        aligned = zip(reversed(v.dims), reversed(value.dims))
        return v.dtype == value.dtype and v.grade != APPROX and all(sizes.broadcasts(x, y) for x, y in aligned)

    def is_other(v: Value) -> bool:
        return fits(v) and v.dims != value.dims

    other = pick(draw, program, is_other) or pick(draw, program, fits)
    pair = [value, other] if draw(st.booleans()) else [other, value]
    rank = max(v.rank for v in pair)
    dims = [(1,) * (rank - v.rank) + v.dims for v in pair]
    name = draw(st.sampled_from(["add", "subtract", "multiply", "maximum"]))
    text = f"chlo.broadcast_{name} {pair[0].name}, {pair[1].name} : ({pair[0].type}, {pair[1].type}) -> {{type}}"
    program.emit(text, value.dtype, tuple(map(sizes.bcast, *dims)), EXACT)


@op
def broadcast_together(draw, program):
    """Three values to their common size, which one expression computes."""
    values = [pick(draw, program, lambda v: v.rank == 1)]
    if values[0] is None:
        return
    dim = values[0].dims[0]
    for _ in range(2):
        values.append(pick(draw, program, lambda v: v.rank == 1 and sizes.broadcasts(v.dims[0], dim)))
        dim = sizes.bcast(dim, values[-1].dims[0])
    for value in draw(st.permutations(values)):
        broadcast(program, value, (dim,), [0])


@op
def compare(draw, program):
    value = pick(draw, program, lambda v: v.grade != APPROX)
    if value is None:
        return
    other = partner(draw, program, value, grade=EXACT)
    direction = draw(st.sampled_from(["EQ", "NE", "LT", "LE", "GT", "GE"]))
    kind = "FLOAT" if value.is_float else "SIGNED" if value.dtype in SIGNED else "UNSIGNED"
    if value.is_float and draw(st.booleans()):
        kind = "TOTALORDER"
    text = f"stablehlo.compare {direction}, {value.name}, {other.name}, {kind} : ({value.type}, {value.type}) -> {{type}}"
    program.emit(text, "i1", value.dims, SMALL)


@op
def select(draw, program):
    predicate = pick(draw, program, lambda v: v.dtype == "i1")
    if predicate is None:
        return
    value = pick(draw, program, lambda v: v.dims == predicate.dims)
    other = partner(draw, program, value)
    text = f"stablehlo.select {predicate.name}, {value.name}, {other.name} : {predicate.type}, {{type}}"
    program.emit(text, value.dtype, value.dims, max(value.grade, other.grade))


@op
def clamp(draw, program):
    value = pick(draw, program, lambda v: v.dtype != "i1")
    if value is None:
        return
    low, high = partner(draw, program, value), partner(draw, program, value)
    text = f"stablehlo.clamp {low.name}, {value.name}, {high.name} : {{type}}"
    program.emit(text, value.dtype, value.dims, max(value.grade, low.grade, high.grade))


BY_PRECISION = ("bf16", "f16", "f32", "f64")


@op
def convert(draw, program):
    value = pick(draw, program)
    # In a finer type the error of an approximate value would be above that type's bound.
    coarser = BY_PRECISION[: BY_PRECISION.index(value.dtype) + 1] if value.grade == APPROX else DTYPES
    dtype = draw(st.sampled_from(coarser))
    keeps = value.grade == SMALL and (dtype in FLOATS or not value.is_float)
    grade = APPROX if value.grade == APPROX else SMALL if keeps and value.dtype != "i1" or dtype == "i1" else EXACT
    program.emit(f"stablehlo.convert {value.name} : ({value.type}) -> {{type}}", dtype, value.dims, grade)


# ---- data movement


@op
def transpose(draw, program):
    value = pick(draw, program, lambda v: v.rank > 1)
    if value is None:
        return
    order = draw(st.permutations(range(value.rank)))
    text = f"stablehlo.transpose {value.name}, dims = {list(order)} : ({value.type}) -> {{type}}"
    program.emit(text, value.dtype, tuple(value.dims[i] for i in order), value.grade)


@op
def reverse(draw, program):
    value = pick(draw, program, lambda v: v.rank > 0)
    if value is None:
        return
    axes = sorted(draw(st.sets(st.integers(0, value.rank - 1), min_size=1)))
    same_type(program, "reverse", [value], value.grade)
    program.lines[-1] = program.lines[-1].replace(" : ", f", dims = {axes} : ")


@op
def broadcast_up(draw, program):
    value = pick(draw, program, lambda v: v.rank < 3)
    if value is None:
        return
    extra = draw(st.sampled_from(sorted({d for v in program.values for d in v.dims if not isinstance(d, tuple)} | {2}, key=str)))
    at = draw(st.integers(0, value.rank))
    dims = value.dims[:at] + (extra,) + value.dims[at:]
    broadcast(program, value, dims, [i for i in range(value.rank + 1) if i != at])


@op
def merge(draw, program):
    """Reshapes two neighbouring dims into one."""
    value = pick(draw, program, lambda v: v.rank > 1)
    if value is None:
        return
    at = draw(st.integers(0, value.rank - 2))
    dims = value.dims[:at] + (sizes.multiply(value.dims[at], value.dims[at + 1]),) + value.dims[at + 2 :]
    reshape(program, value, dims)


@op
def unit_dim(draw, program):
    """Adds a dim of size 1, or takes one away."""
    value = pick(draw, program, lambda v: v.rank < 4)
    if value is None:
        return
    at = draw(st.integers(0, value.rank))
    if at < value.rank and value.dims[at] == 1:
        return reshape(program, value, value.dims[:at] + value.dims[at + 1 :])
    reshape(program, value, value.dims[:at] + (1,) + value.dims[at:])


def reshape(program: Program, value: Value, dims: tuple) -> None:
    text = f"stablehlo.reshape {value.name} : ({value.type}) -> {{type}}"
    if any(not isinstance(d, int) for d in dims + value.dims):
        shape = program.shape(dims)
        text = f"stablehlo.dynamic_reshape {value.name}, {shape.name} : ({value.type}, {shape.type}) -> {{type}}"
    program.emit(text, value.dtype, dims, value.grade)


@op
def concatenate(draw, program):
    value = pick(draw, program, lambda v: v.rank > 0)
    if value is None:
        return
    axis = draw(st.integers(0, value.rank - 1))

    def fits(v: Value) -> bool:
        rest = lambda dims: dims[:axis] + dims[axis + 1 :]
        return v.dtype == value.dtype and v.rank == value.rank and rest(v.dims) == rest(value.dims)

    others = [pick(draw, program, fits) for _ in range(draw(st.integers(0, 2)))]
    operands = [value, *others]
    dims = list(value.dims)
    for other in others:
        dims[axis] = sizes.add(dims[axis], other.dims[axis])
    names, types = ", ".join(v.name for v in operands), ", ".join(v.type for v in operands)
    text = f"stablehlo.concatenate {names}, dim = {axis} : ({types}) -> {{type}}"
    program.emit(text, value.dtype, tuple(dims), max(v.grade for v in operands))


@op
def strided_slice(draw, program):
    """Every second element of one dim."""
    value = pick(draw, program, lambda v: v.rank > 0)
    if value is None:
        return
    axis = draw(st.integers(0, value.rank - 1))
    steps = [2 if i == axis else 1 for i in range(value.rank)]
    dims = tuple(sizes.ceildiv(d, 2) if i == axis else d for i, d in enumerate(value.dims))
    if all(isinstance(d, int) for d in value.dims):
        ranges = ", ".join(f"0:{d}:{s}" for d, s in zip(value.dims, steps))
        program.emit(f"stablehlo.slice {value.name} [{ranges}] : ({value.type}) -> {{type}}", value.dtype, dims, value.grade)
        return
    start = program.constant(f"[{', '.join('0' * value.rank)}]", "i32", (value.rank,))
    limit = program.shape(value.dims)
    step = program.constant(str(steps), "i32", (value.rank,))
    text = (
        f"stablehlo.real_dynamic_slice {value.name}, {start.name}, {limit.name}, {step.name} : "
        f"({value.type}, {start.type}, {start.type}, {start.type}) -> {{type}}"
    )
    program.emit(text, value.dtype, dims, value.grade)


@op
def pad(draw, program):
    value = pick(draw, program, lambda v: v.rank > 0)
    if value is None:
        return
    low = [draw(st.integers(0, 2)) for _ in value.dims]
    high = [draw(st.integers(0, 2)) for _ in value.dims]
    interior = [draw(st.sampled_from([0, 0, 1])) for _ in value.dims]
    filler = program.constant(literal(draw, value.dtype), value.dtype)
    dims = tuple(sizes.add(sizes.dilate(d, i), lo + hi) for d, lo, hi, i in zip(value.dims, low, high, interior))
    text = (
        f"stablehlo.pad {value.name}, {filler.name}, low = {low}, high = {high}, interior = {interior} : "
        f"({value.type}, {filler.type}) -> {{type}}"
    )
    program.emit(text, value.dtype, dims, value.grade)


@op
def gather_rows(draw, program):
    """Rows of the first dim, as an embedding does; out-of-range indices are clamped."""
    value = pick(draw, program, lambda v: v.rank > 0 and v.dims[0] != 0)
    index = pick(draw, program, lambda v: v.dtype in INTEGERS and v.rank == 1 and v.grade != APPROX)
    if value is None or index is None or not isinstance(value.dims[0], int):
        return
    rest = value.dims[1:]
    numbers = f"offset_dims = [{', '.join(str(i + 1) for i in range(len(rest)))}], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
    shape = program.shape((1, *rest))
    text = (
        f'"stablehlo.dynamic_gather"({value.name}, {index.name}, {shape.name}) <{{dimension_numbers = #stablehlo.gather<{numbers}>, '
        f"indices_are_sorted = false}}> : ({value.type}, {index.type}, {shape.type}) -> {{type}}"
    )
    program.emit(text, value.dtype, (index.dims[0], *rest), value.grade)


@op
def iota(draw, program):
    value = pick(draw, program, lambda v: v.rank > 0)
    if value is None:
        return
    axis = draw(st.integers(0, value.rank - 1))
    shape = program.shape(value.dims)
    dtype = draw(st.sampled_from(["i32", "f32", "i64", "ui32"]))
    program.emit(f"stablehlo.dynamic_iota {shape.name}, dim = {axis} : ({shape.type}) -> {{type}}", dtype, value.dims, EXACT)


# ---- reductions and products


@op
def reduce(draw, program):
    value = pick(draw, program, lambda v: v.rank > 0 and v.dtype != "i1")
    if value is None:
        return
    names = ["maximum", "minimum"]
    if not value.is_float or value.grade == SMALL:
        names += ["add", "add"]
    if not value.is_float:
        names += ["multiply", "and", "or", "xor"]
    name = draw(st.sampled_from(names))
    axes = sorted(draw(st.sets(st.integers(0, value.rank - 1), min_size=1)))
    initial = program.constant(literal(draw, value.dtype), value.dtype)
    dims = tuple(d for i, d in enumerate(value.dims) if i not in axes)
    text = (
        f"stablehlo.reduce({value.name} init: {initial.name}) applies stablehlo.{name} across dimensions = {axes} : "
        f"({value.type}, {initial.type}) -> {{type}}"
    )
    keeps = name in ("maximum", "minimum")
    program.emit(text, value.dtype, dims, value.grade if keeps else EXACT)


@op
def dot(draw, program):
    lhs = pick(draw, program, lambda v: v.rank > 0 and v.dtype != "i1" and (not v.is_float or v.grade == SMALL))
    if lhs is None:
        return
    axis = draw(st.integers(0, lhs.rank - 1))
    fits = lambda v: v.dtype == lhs.dtype and lhs.dims[axis] in v.dims and (not v.is_float or v.grade == SMALL)
    rhs = pick(draw, program, fits)
    if rhs.rank + lhs.rank > 6:
        return
    other = rhs.dims.index(lhs.dims[axis])
    dims = lhs.dims[:axis] + lhs.dims[axis + 1 :] + rhs.dims[:other] + rhs.dims[other + 1 :]
    text = (
        f"stablehlo.dot_general {lhs.name}, {rhs.name}, contracting_dims = [{axis}] x [{other}] : "
        f"({lhs.type}, {rhs.type}) -> {{type}}"
    )
    program.emit(text, lhs.dtype, dims, EXACT)


@op
def sort(draw, program):
    value = pick(draw, program, lambda v: v.rank > 0 and v.dtype != "i1" and v.grade != APPROX)
    if value is None:
        return
    axis = draw(st.integers(0, value.rank - 1))
    kind = "TOTALORDER" if value.is_float else "SIGNED" if value.dtype in SIGNED else "UNSIGNED"
    scalar = tensor_type(value.dtype, ())
    direction = draw(st.sampled_from(["LT", "GT"]))
    text = (
        f'"stablehlo.sort"({value.name}) <{{dimension = {axis} : i64, is_stable = true}}> ({{ ^bb0(%x: {scalar}, %y: {scalar}): '
        f"%c = stablehlo.compare {direction}, %x, %y, {kind} : ({scalar}, {scalar}) -> tensor<i1> "
        f"stablehlo.return %c : tensor<i1> }}) : ({value.type}) -> {{type}}"
    )
    program.emit(text, value.dtype, value.dims, value.grade)


@op
def window(draw, program):
    """Max or sum over a sliding window of 2 along one dim, padded on the left so that no size is too small."""
    value = pick(draw, program, lambda v: v.rank > 0 and v.dtype != "i1" and (not v.is_float or v.grade == SMALL))
    if value is None:
        return
    axis = draw(st.integers(0, value.rank - 1))
    name = draw(st.sampled_from(["add", "maximum"]))
    initial = program.constant("0" if not value.is_float else "0.0", value.dtype)
    along = lambda inside, outside: ", ".join(str(inside if i == axis else outside) for i in range(value.rank))
    padding = ", ".join("[1, 0]" if i == axis else "[0, 0]" for i in range(value.rank))
    scalar = tensor_type(value.dtype, ())
    text = (
        f'"stablehlo.reduce_window"({value.name}, {initial.name}) <{{window_dimensions = array<i64: {along(2, 1)}>, '
        f"padding = dense<[{padding}]> : tensor<{value.rank}x2xi64>}}> ({{ ^bb0(%x: {scalar}, %y: {scalar}): "
        f"%c = stablehlo.{name} %x, %y : {scalar} stablehlo.return %c : {scalar} }}) : ({value.type}, {scalar}) -> {{type}}"
    )
    program.emit(text, value.dtype, value.dims, EXACT)


# ---- control flow


@op
def branch(draw, program):
    """An `if` on a compared size that yields one of two values."""
    value = pick(draw, program)
    other = partner(draw, program, value)
    dim = draw(st.sampled_from(sorted({d for v in program.values for d in v.dims}, key=str) or [2]))
    limit = program.constant(str(draw(st.integers(0, 4))), "i32")
    size = program.size(dim)
    predicate = program.emit(
        f"stablehlo.compare GT, {size.name}, {limit.name}, SIGNED : (tensor<i32>, tensor<i32>) -> {{type}}", "i1", (), SMALL
    )
    text = (
        f'"stablehlo.if"({predicate.name}) ({{ stablehlo.return {value.name} : {value.type} }}, '
        f"{{ stablehlo.return {other.name} : {other.type} }}) : (tensor<i1>) -> {{type}}"
    )
    program.emit(text, value.dtype, value.dims, max(value.grade, other.grade))


@op
def loop(draw, program):
    """A counted loop that changes an integer value three times."""
    value = pick(draw, program, lambda v: v.dtype in INTEGERS)
    if value is None:
        return
    zero, one, trips = (program.constant(str(n), "i32") for n in (0, 1, 3))
    name = draw(st.sampled_from(["add", "multiply", "xor"]))
    pair = f"tensor<i32>, {value.type}"
    n = program.fresh("i32", (), EXACT).name
    result = program.fresh(value.dtype, value.dims, EXACT)
    program.lines.append(
        f"{n}, {result.name} = \"stablehlo.while\"({zero.name}, {value.name}) ({{ ^bb0(%i: tensor<i32>, %x: {value.type}): "
        f"%c = stablehlo.compare LT, %i, {trips.name}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> "
        f"stablehlo.return %c : tensor<i1> }}, {{ ^bb0(%i: tensor<i32>, %x: {value.type}): "
        f"%j = stablehlo.add %i, {one.name} : tensor<i32> %y = stablehlo.{name} %x, {value.name} : {value.type} "
        f"stablehlo.return %j, %y : {pair} }}) : ({pair}) -> ({pair})"
    )
    program.values.append(result)
