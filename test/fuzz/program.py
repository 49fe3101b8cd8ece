"""A StableHLO program under construction: typed values, and the text of the ops so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from sizes import Dim

FLOATS = ("f32", "f64", "f16", "bf16")
SIGNED = ("i32", "i64", "i8", "i16")
UNSIGNED = ("ui32", "ui8")
DTYPES = FLOATS + SIGNED + UNSIGNED + ("i1",)

# How well a value is known, so that every comparison can be as strict as IEEE arithmetic allows:
#   SMALL   multiples of 1/4 below 8: sums of them are exact in any order
#   EXACT   each op rounds once, so there is one right answer
#   APPROX  a function with an error bound, or a sum whose order is free, went in: data movement only from here on
SMALL, EXACT, APPROX = range(3)


@dataclass(frozen=True)
class Value:
    name: str
    dtype: str
    dims: tuple[Dim, ...]
    grade: int

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def type(self) -> str:
        return tensor_type(self.dtype, self.dims)

    @property
    def is_float(self) -> bool:
        return self.dtype in FLOATS


def tensor_type(dtype: str, dims: tuple[Dim, ...]) -> str:
    return f"tensor<{''.join(f'{d}x' if isinstance(d, int) else '?x' for d in dims)}{dtype}>"


@dataclass
class Program:
    arguments: list[Value] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)
    _sizes: dict[Dim, Value] = field(default_factory=dict)
    _next: int = 0

    def fresh(self, dtype: str, dims: tuple[Dim, ...], grade: int) -> Value:
        self._next += 1
        return Value(f"%{self._next}", dtype, tuple(dims), grade)

    def emit(self, text: str, dtype: str, dims: tuple[Dim, ...], grade: int, keep: bool = True) -> Value:
        """Adds `%n = text`; {type} in `text` stands for the result's type."""
        value = self.fresh(dtype, dims, grade)
        self.lines.append(f"{value.name} = {text.replace('{type}', value.type)}")
        if keep:
            self.values.append(value)
        return value

    def constant(self, literal: str, dtype: str, dims: tuple[int, ...] = (), grade: int = SMALL) -> Value:
        return self.emit(f"stablehlo.constant dense<{literal}> : {{type}}", dtype, dims, grade, keep=False)

    # ---- sizes as values

    def size(self, dim: Dim) -> Value:
        """`dim` as a tensor<i32>."""
        if dim not in self._sizes:
            self._sizes[dim] = self._compute_size(dim)
        return self._sizes[dim]

    def _compute_size(self, dim: Dim) -> Value:
        if isinstance(dim, int):
            return self.constant(str(dim), "i32")
        for value in self.values:
            if dim in value.dims:
                text = f"stablehlo.get_dimension_size {value.name}, dim = {value.dims.index(dim)} : ({value.type}) -> {{type}}"
                return self.emit(text, "i32", (), EXACT, keep=False)
        kind, x, y = dim
        if kind == "ceildiv":
            return self._arith("divide", self._arith("add", self.size(x), self.size(y - 1)), self.size(y))
        if kind == "dilate":
            gaps = self._arith("maximum", self._arith("subtract", self.size(x), self.size(1)), self.size(0))
            return self._arith("add", self.size(x), self._arith("multiply", gaps, self.size(y)))
        if kind == "bcast":
            one = self.size(1)
            text = f"stablehlo.compare EQ, {self.size(x).name}, {one.name}, SIGNED : (tensor<i32>, tensor<i32>) -> {{type}}"
            is_one = self.emit(text, "i1", (), EXACT, keep=False)
            text = f"stablehlo.select {is_one.name}, {self.size(y).name}, {self.size(x).name} : tensor<i1>, {{type}}"
            return self.emit(text, "i32", (), EXACT, keep=False)
        return self._arith({"+": "add", "*": "multiply"}[kind], self.size(x), self.size(y))

    def _arith(self, op: str, x: Value, y: Value) -> Value:
        return self.emit(f"stablehlo.{op} {x.name}, {y.name} : {{type}}", "i32", (), EXACT, keep=False)

    def shape(self, dims: tuple[Dim, ...]) -> Value:
        """`dims` as a tensor<rank x i32>."""
        if not dims:
            return self.emit("stablehlo.constant dense<> : {type}", "i32", (0,), EXACT, keep=False)
        if all(isinstance(d, int) for d in dims):
            return self.constant(f"[{', '.join(map(str, dims))}]", "i32", (len(dims),))
        parts = [
            self.emit(f"stablehlo.reshape {s.name} : (tensor<i32>) -> {{type}}", "i32", (1,), EXACT, keep=False)
            for s in map(self.size, dims)
        ]
        names = ", ".join(p.name for p in parts)
        types = ", ".join(p.type for p in parts)
        return self.emit(f"stablehlo.concatenate {names}, dim = 0 : ({types}) -> {{type}}", "i32", (len(dims),), EXACT, keep=False)

    # ---- text

    def text(self) -> str:
        arguments = ", ".join(f"{a.name}: {a.type}" for a in self.arguments)
        types = ", ".join(v.type for v in self.outputs)
        body = "\n".join("  " + line for line in self.lines)
        results = ", ".join(v.name for v in self.outputs)
        return f"func.func @main({arguments}) -> ({types}) {{\n{body}\n  return {results} : {types}\n}}\n"
