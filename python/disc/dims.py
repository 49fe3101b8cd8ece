"""`disc.Dim`: a named size that may change from call to call, with what is known of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable


@dataclass(frozen=True)
class Dim:
    """A dimension in `dynamic_shapes`, where torch.export's own Dim may stand too.

    name:        sizes of one name are equal in every call
    min, max:    inclusive bounds (None: none)
    multiple_of: divides every size
    likely:      sizes that calls will often have; others are served as well

    `2 * dim + 1` is a size derived from another. A call with other sizes is an error that names input and dimension.
    """

    name: str
    min: int | None = None
    max: int | None = None
    multiple_of: int = 1
    likely: tuple[int, ...] | list[int] = field(default=(), hash=False)

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise ValueError(f"expected an identifier as the name of a dimension, got {self.name!r}")
        if self.multiple_of < 1:
            raise ValueError(f"dimension `{self.name}`: expected a multiple_of of 1 or more, got {self.multiple_of}")
        low, high = self.min or 0, self.max
        least = -(-low // self.multiple_of) * self.multiple_of
        if low < 0 or (high is not None and high < least):
            of = f", and a multiple of {self.multiple_of}" if self.multiple_of > 1 else ""
            raise ValueError(f"dimension `{self.name}`: no size is at least {self.min} and at most {self.max}{of}")
        for size in self.likely:
            if size < low or (high is not None and size > high) or size % self.multiple_of:
                raise ValueError(f"dimension `{self.name}`: likely size {size} is not one of its sizes")

    def __mul__(self, factor: int) -> Derived:
        return Derived(self, factor, 0)

    def __add__(self, offset: int) -> Derived:
        return Derived(self, 1, offset)

    def __sub__(self, offset: int) -> Derived:
        return Derived(self, 1, -offset)

    __rmul__, __radd__ = __mul__, __add__

    def to_torch(self, make: Callable[..., Any]) -> Any:
        """The same as torch.export's Dim (`make`). A multiple of k is k times a dimension of its own."""
        k = self.multiple_of
        if k == 1:
            bounds = {key: value for key, value in (("min", self.min), ("max", self.max)) if value is not None}
            return make(self.name, **bounds)
        bounds = {"min": -(-(self.min or 0) // k)} if self.min else {}
        return k * make(f"_{self.name}", **bounds, **({} if self.max is None else {"max": self.max // k}))


@dataclass(frozen=True)
class Derived:
    """factor * dim + offset."""

    dim: Dim
    factor: int
    offset: int

    def __mul__(self, factor: int) -> Derived:
        return Derived(self.dim, self.factor * factor, self.offset * factor)

    def __add__(self, offset: int) -> Derived:
        return Derived(self.dim, self.factor, self.offset + offset)

    def __sub__(self, offset: int) -> Derived:
        return self + -offset

    __rmul__, __radd__ = __mul__, __add__

    def to_torch(self, make: Callable[..., Any]) -> Any:
        size = self.dim.to_torch(make)
        size = size if self.factor == 1 else self.factor * size
        return size if self.offset == 0 else size + self.offset


def to_torch(spec: Any, make: Callable[..., Any]) -> tuple[Any, list[Dim]]:
    """`dynamic_shapes` in torch.export's terms, and our dims in it."""
    made: dict[Any, Any] = {}
    dims: dict[str, Dim] = {}

    def dim_of(name: str, **bounds: Any) -> Any:
        # One name is one object of torch's, whichever derived sizes it occurs in.
        if name not in made:
            made[name] = make(name, **bounds)
        return made[name]

    def convert(value: Any) -> Any:
        if isinstance(value, (Dim, Derived)):
            dim = value if isinstance(value, Dim) else value.dim
            if dims.setdefault(dim.name, dim) != dim:
                raise ValueError(f"two different dimensions are called `{dim.name}`: {dims[dim.name]} and {dim}")
            return value.to_torch(dim_of)
        if isinstance(value, dict):
            return {key: convert(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(convert(item) for item in value)
        return value

    return convert(spec), list(dims.values())
