"""Writes the body of one function as StableHLO text, for tensors of known rank and possibly unknown sizes.

A size is a Python int where it is known and a Value of type `index` where it is not; arithmetic on known sizes is done
here, so that static programs stay static.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Callable, Sequence, Union


@dataclass(frozen=True)
class Type:
    """dims: sizes, None where unknown; `dims` itself is None for a scalar. element: MLIR's element type."""

    dims: tuple[int | None, ...] | None
    element: str

    @staticmethod
    def parse(text: str) -> "Type":
        match = re.fullmatch(r"tensor<((?:(?:\d+|\?)x)*)(.+)>", text.strip())
        if not match:
            return Type(None, text.strip())
        return Type(tuple(None if d == "?" else int(d) for d in match[1].split("x")[:-1]), match[2])

    def __str__(self) -> str:
        if self.dims is None:
            return self.element
        return f"tensor<{''.join('?x' if d is None else f'{d}x' for d in self.dims)}{self.element}>"


@dataclass(frozen=True)
class Value:
    name: str
    type: Type

    @property
    def rank(self) -> int:
        return len(self.type.dims or ())

    @property
    def element(self) -> str:
        return self.type.element


Size = Union[int, Value]
_INDEX = Type(None, "index")
_FOLD: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "floordivsi": lambda a, b: a // b,
    "maxsi": max,
    "minsi": min,
}


def known(sizes: Sequence[Size]) -> tuple[int | None, ...]:
    return tuple(s if isinstance(s, int) else None for s in sizes)


def is_float(element: str) -> bool:
    return element.startswith(("f", "bf"))


def is_unsigned(element: str) -> bool:
    return element.startswith("ui") or element == "i1"


def lowest(element: str) -> float | int:
    """What is neutral for maximum."""
    if is_float(element):
        return -math.inf
    return 0 if is_unsigned(element) else -(2 ** (int(element[1:]) - 1))


def highest(element: str) -> float | int:
    """What is neutral for minimum."""
    if is_float(element):
        return math.inf
    width = int(element.lstrip("ui"))
    return 2**width - 1 if is_unsigned(element) else 2 ** (width - 1) - 1


def _literal(value: float | int | bool, element: str) -> str:
    if element == "i1":
        return "true" if value else "false"
    if not is_float(element):
        return str(int(value))
    if math.isfinite(value):
        return repr(float(value))
    bits = {  # +inf, -inf, NaN
        "f16": ("0x7C00", "0xFC00", "0x7E00"),
        "bf16": ("0x7F80", "0xFF80", "0x7FC0"),
        "f32": ("0x7F800000", "0xFF800000", "0x7FC00000"),
        "f64": ("0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000"),
    }[element]
    return bits[2] if math.isnan(value) else bits[0] if value > 0 else bits[1]


class Body:
    """A function under construction: `arguments` are its parameters, `finish` gives its text.

    op, place: what it stands for in the model, and where; errors at run time begin with them.
    """

    def __init__(
        self, name: str, parameters: Sequence[Type], results: Sequence[Type], op: str = "", place: str = ""
    ) -> None:
        self.name, self.results, self.op_name, self.place = name, list(results), op, place
        self.arguments = [Value(f"%a{i}", t) for i, t in enumerate(parameters)]
        self._lines: list[str] = []
        self._count = 0
        self._memo: dict[tuple, Value] = {}

    # Text.

    def fresh(self, type: Type) -> Value:
        self._count += 1
        return Value(f"%v{self._count}", type)

    def line(self, text: str) -> None:
        self._lines.append("  " + text)

    def op(self, name: str, operands: Sequence[Value], type: Type, attributes: str = "", regions: str = "") -> Value:
        return self.ops(name, operands, [type], attributes, regions)[0]

    def ops(
        self, name: str, operands: Sequence[Value], types: Sequence[Type], attributes: str = "", regions: str = ""
    ) -> list[Value]:
        """An op in MLIR's generic form."""
        results = [self.fresh(t) for t in types]
        names, inputs = ", ".join(v.name for v in operands), ", ".join(str(v.type) for v in operands)
        attributes = f" {{{attributes}}}" if attributes else ""
        regions = f" ({regions})" if regions else ""
        outputs = ", ".join(map(str, types))
        left = ", ".join(v.name for v in results) + " = " * bool(results)
        self.line(f'{left}"{name}"({names}){regions}{attributes} : ({inputs}) -> ({outputs})')
        return results

    def finish(self, values: Sequence[Value]) -> str:
        values = [self.cast(v, t) for v, t in zip(values, self.results, strict=True)]
        parameters = ", ".join(f"{v.name}: {v.type}" for v in self.arguments)
        types = ", ".join(map(str, self.results))
        if values:
            self.line(f"return {', '.join(v.name for v in values)} : {types}")
        else:
            self.line("return")
        body = "\n".join(self._lines)
        return f"func.func private @{self.name}({parameters}) -> ({types}) {{\n{body}\n}}\n"

    # Sizes.

    def index(self, size: Size) -> Value:
        if isinstance(size, Value):
            return size if size.element == "index" else self.to_index(size)
        return self._once(("index", size), lambda v: f"{v.name} = arith.constant {size} : index")

    def to_index(self, scalar: Value) -> Value:
        return self._once(
            ("cast", scalar.name), lambda v: f"{v.name} = arith.index_cast {scalar.name} : {scalar.type} to index"
        )

    def dim(self, x: Value, d: int) -> Size:
        size = (x.type.dims or ())[d]
        if size is not None:
            return size
        at = self.index(d % x.rank)
        return self._once(
            ("dim", x.name, d % x.rank), lambda v: f"{v.name} = tensor.dim {x.name}, {at.name} : {x.type}"
        )

    def sizes(self, x: Value) -> list[Size]:
        return [self.dim(x, d) for d in range(x.rank)]

    def arith(self, op: str, a: Size, b: Size) -> Size:
        """op: arith's name of the operation, e.g. "addi"."""
        if isinstance(a, int) and isinstance(b, int):
            return _FOLD[op](a, b)
        if (op == "addi" and b == 0) or (op == "subi" and b == 0) or (op in ("muli", "floordivsi") and b == 1):
            return a
        x, y = self.index(a), self.index(b)
        return self._once((op, x.name, y.name), lambda v: f"{v.name} = arith.{op} {x.name}, {y.name} : index")

    def product(self, sizes: Sequence[Size]) -> Size:
        total: Size = 1
        for size in sizes:
            total = self.arith("muli", size, total)
        return total

    def shape(self, sizes: Sequence[Size]) -> Value:
        values = [self.index(s) for s in sizes]
        v = self.fresh(Type((len(values),), "index"))
        self.line(f"{v.name} = tensor.from_elements {', '.join(s.name for s in values)} : {v.type}")
        return v

    def scalar(self, x: Value, element: str = "index") -> Value:
        """The one element of the integer tensor `x` of rank 0."""
        v = self.fresh(Type(None, x.element))
        self.line(f"{v.name} = tensor.extract {x.name}[] : {x.type}")
        return self.to_index(v) if element == "index" else v

    def tensor(self, size: Size, element: str = "i64") -> Value:
        """A size as a tensor of rank 0."""
        if isinstance(size, int):
            return self.constant(size, element)
        value = self.index(size)
        cast = self._once(
            ("from", value.name, element),
            lambda v: f"{v.name} = arith.index_cast {value.name} : index to {element}",
            Type(None, element),
        )
        v = self.fresh(Type((), element))
        self.line(f"{v.name} = tensor.from_elements {cast.name} : {v.type}")
        return v

    def check(self, holds: Value, message: str, values: Sequence[Size] = ()) -> None:
        """Fails at run time with `message` unless the scalar i1 `holds`; `{i}` in it stands for the i-th value."""
        where = " at ".join(part for part in (f"`{self.op_name}`" * bool(self.op_name), self.place) if part)
        if values:  # elsewhere braces are text
            where = where.replace("{", "{{")
        text = (f"{where}: " if where else "") + message
        text = text.replace("\\", "\\\\").replace('"', '\\"')
        if not values:
            self.line(f'cf.assert {holds.name}, "{text}"')
            return
        condition = self.fresh(Type((), "i1"))
        self.line(f"{condition.name} = tensor.from_elements {holds.name} : {condition.type}")
        operands = [condition, *map(self.tensor, values)]
        attributes = f'call_target_name = "shape_assertion", error_message = "{text}", has_side_effect = true'
        self.ops("stablehlo.custom_call", operands, [], attributes)

    def check_size(self, size: Size, least: int, message: str) -> None:
        """Fails at run time with `message` unless `size` is at least `least`."""
        self.check(self.test("sge", size, least), message)

    def test(self, predicate: str, a: Size, b: Size) -> Value:
        """arith.cmpi of two sizes: a scalar i1."""
        x, y, holds = self.index(a), self.index(b), self.fresh(Type(None, "i1"))
        self.line(f"{holds.name} = arith.cmpi {predicate}, {x.name}, {y.name} : index")
        return holds

    def either(self, a: Value, b: Value) -> Value:
        """Whether one of two scalars i1 holds."""
        v = self.fresh(Type(None, "i1"))
        self.line(f"{v.name} = arith.ori {a.name}, {b.name} : i1")
        return v

    def choose(self, holds: Value, a: Size, b: Size) -> Value:
        """`a` where the scalar i1 `holds`, else `b`."""
        x, y, v = self.index(a), self.index(b), self.fresh(_INDEX)
        self.line(f"{v.name} = arith.select {holds.name}, {x.name}, {y.name} : index")
        return v

    def _once(self, key: tuple, text: Callable[[Value], str], type: Type = _INDEX) -> Value:
        if key not in self._memo:
            self._memo[key] = self.fresh(type)
            self.line(text(self._memo[key]))
        return self._memo[key]

    # Elementwise ops.

    def constant(self, value: float | int | bool, element: str) -> Value:
        type = Type((), element)
        return self.op("stablehlo.constant", [], type, f"value = dense<{_literal(value, element)}> : {type}")

    def map(self, name: str, *xs: Value, element: str | None = None, attributes: str = "") -> Value:
        return self.op(f"stablehlo.{name}", xs, Type(xs[0].type.dims, element or xs[-1].element), attributes)

    def compare(self, direction: str, a: Value, b: Value) -> Value:
        kind = "FLOAT" if is_float(a.element) else "UNSIGNED" if is_unsigned(a.element) else "SIGNED"
        attributes = (
            f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
            f"compare_type = #stablehlo<comparison_type {kind}>"
        )
        return self.map("compare", a, b, element="i1", attributes=attributes)

    def convert(self, x: Value, element: str) -> Value:
        return x if x.element == element else self.map("convert", x, element=element)

    def like(self, value: float | int | bool, x: Value, element: str | None = None) -> Value:
        """A constant of the shape of `x`."""
        return self.fill(self.constant(value, element or x.element), self.sizes(x))

    def cast(self, x: Value, type: Type) -> Value:
        if x.type == type:
            return x
        v = self.fresh(type)
        self.line(f"{v.name} = tensor.cast {x.name} : {x.type} to {type}")
        return v

    # Ops that move elements.

    def broadcast(self, x: Value, sizes: Sequence[Size], dims: Sequence[int]) -> Value:
        """Dimension i of `x` becomes dimension `dims[i]`."""
        attributes = f"broadcast_dimensions = array<i64{': ' if dims else ''}{', '.join(map(str, dims))}>"
        type = Type(known(sizes), x.element)
        if None not in known(sizes):
            return self.op("stablehlo.broadcast_in_dim", [x], type, attributes)
        return self.op("stablehlo.dynamic_broadcast_in_dim", [x, self.shape(sizes)], type, attributes)

    def fill(self, scalar: Value, sizes: Sequence[Size]) -> Value:
        return self.broadcast(scalar, sizes, []) if sizes else scalar

    def reshape(self, x: Value, sizes: Sequence[Size]) -> Value:
        type = Type(known(sizes), x.element)
        if None not in known(sizes) and None not in known(self.sizes(x)):
            return x if type == x.type else self.op("stablehlo.reshape", [x], type)
        return self.op("stablehlo.dynamic_reshape", [x, self.shape(sizes)], type)

    def flat(self, x: Value) -> Value:
        return x if x.rank == 1 else self.reshape(x, [self.product(self.sizes(x))])

    def iota(self, sizes: Sequence[Size], dim: int, element: str = "i64") -> Value:
        attribute = f"iota_dimension = {dim} : i64"
        type = Type(known(sizes), element)
        if None not in known(sizes):
            return self.op("stablehlo.iota", [], type, attribute)
        return self.op("stablehlo.dynamic_iota", [self.shape(sizes)], type, attribute)

    def concatenate(self, xs: Sequence[Value], dim: int) -> Value:
        sizes = self.sizes(xs[0])
        for x in xs[1:]:
            sizes[dim] = self.arith("addi", self.dim(x, dim), sizes[dim])
        return self.op("stablehlo.concatenate", xs, Type(known(sizes), xs[0].element), f"dimension = {dim} : i64")

    def pad(
        self,
        x: Value,
        value: Value,
        low: Sequence[Size],
        high: Sequence[Size],
        dims: Sequence[int | None],
        between: Sequence[Size] | None = None,
    ) -> Value:
        """dims: the sizes of the result, where known; between: how many `value`s stand between elements, 0 if None."""
        operands = [x, value, self.shape(low), self.shape(high), self.shape(between or [0] * x.rank)]
        return self.op("stablehlo.dynamic_pad", operands, Type(tuple(dims), x.element))

    def slice(
        self, x: Value, start: Sequence[Size], limit: Sequence[Size], stride: Sequence[Size], dims: Sequence[int | None]
    ) -> Value:
        operands = [x, self.shape(start), self.shape(limit), self.shape(stride)]
        return self.op("stablehlo.real_dynamic_slice", operands, Type(tuple(dims), x.element))

    # Ops with regions.

    def region(self, name: str, element: str) -> str:
        """A region that combines two elements with op `name`."""
        t = Type((), element)
        return (
            f"{{\n  ^bb0(%l: {t}, %r: {t}):\n"
            f'    %c = "stablehlo.{name}"(%l, %r) : ({t}, {t}) -> {t}\n'
            f'    "stablehlo.return"(%c) : ({t}) -> ()\n  }}'
        )

    def reduce(self, name: str, x: Value, init: float | int, dims: Sequence[int]) -> Value:
        kept = tuple(size for d, size in enumerate(x.type.dims or ()) if d not in dims)
        attributes = f"dimensions = array<i64: {', '.join(map(str, dims))}>"
        operands = [x, self.constant(init, x.element)]
        return self.op("stablehlo.reduce", operands, Type(kept, x.element), attributes, self.region(name, x.element))

    def loop(
        self,
        init: Sequence[Value],
        condition: Callable[[list[Value]], Value],
        step: Callable[[list[Value]], Sequence[Value]],
    ) -> list[Value]:
        """stablehlo.while; what a region computes is not seen outside of it."""
        types = [v.type for v in init]
        regions = []
        for make in (lambda args: [condition(args)], step):
            outer, memo = self._lines, dict(self._memo)
            self._lines = []
            args = [self.fresh(t) for t in types]
            results = [self.cast(v, t) for v, t in zip(make(args), types if make is step else [Type((), "i1")])]
            names, kinds = ", ".join(v.name for v in results), ", ".join(str(v.type) for v in results)
            self.line(f'"stablehlo.return"({names}) : ({kinds}) -> ()')
            header = ", ".join(f"{v.name}: {v.type}" for v in args)
            regions.append("{\n  ^bb0(" + header + "):\n" + "\n".join(self._lines) + "\n  }")
            self._lines, self._memo = outer, memo
        return self.ops("stablehlo.while", init, types, regions=", ".join(regions))
