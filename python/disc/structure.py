"""The structure of a model's arguments and results as data that an artifact keeps, without the framework.

A structure is one of

    "*"                          a tensor
    {"tuple": [S, ...]}          and {"list": [S, ...]}
    {"dict": [[key, S], ...]}    keys are strings, numbers or None
    {"named tuple": "Name", "fields": [[name, S], ...]}
    {"object": "Name", "fields": [[name, S], ...]}
    {"value": V}                 None, a number or a string, the same in every call
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

from .errors import DiscError

TENSOR = "*"


class Fields(dict):
    """What stands for an object whose class an artifact does not know: its fields by name, as items and attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no field `{name}`; there are {', '.join(map(str, self))}") from None


def builder(structure: Any) -> Callable[[list], Any]:
    """From the list of tensors to the whole. Raises DiscError where `structure` is none."""
    make = _maker(structure)

    def build(tensors: list) -> Any:
        return make(iter(tensors))

    return build


def _maker(s: Any) -> Callable[[Iterator], Any]:
    if s == TENSOR:
        return next
    match s:
        case {"value": value}:
            return lambda _: value
        case {"tuple": [*parts]}:
            makers = [_maker(part) for part in parts]
            return lambda tensors: tuple([make(tensors) for make in makers])
        case {"list": [*parts]}:
            makers = [_maker(part) for part in parts]
            return lambda tensors: [make(tensors) for make in makers]
        case {"dict": [*parts]}:
            return _by_key(parts, dict)
        case {"named tuple": str(name), "fields": [*parts]}:
            kind = namedtuple(name, [key for key, _ in parts])  # type: ignore[misc]
            return _by_key(parts, lambda fields: kind(**fields))
        case {"object": str(), "fields": [*parts]}:
            return _by_key(parts, Fields)
    raise DiscError(f"expected the structure of arguments or results, found {s!r}")


def _by_key(parts: list, whole: Callable[[dict], Any]) -> Callable[[Iterator], Any]:
    makers = {key: _maker(part) for key, part in parts}
    return lambda tensors: whole({key: make(tensors) for key, make in makers.items()})


def flattener(structure: Any) -> Callable[[tuple, dict], list]:
    """From (args, kwargs), whose structure is a pair of these two, to the list of tensors; which itself may be given.

    TypeError where the arguments have another structure.
    """
    args_structure, kwargs_structure = structure["tuple"]
    count = sum(1 for _ in _tensors(structure))

    def flatten(args: tuple, kwargs: dict) -> list:
        if not kwargs and len(args) == count and not any(isinstance(x, (tuple, list, dict)) or x is None for x in args):
            return list(args)
        found: list = []
        try:
            _take(args_structure, args, found)
            _take(kwargs_structure, kwargs, found)
        except _Differs as error:
            positional = [shown(s) for s in args_structure["tuple"]]
            named = [f"{key}={shown(s)}" for key, s in kwargs_structure["dict"]]
            raise TypeError(f"expected inputs of structure ({', '.join(positional + named)}): {error}") from None
        return found

    return flatten


class _Differs(Exception):
    pass


def _tensors(s: Any) -> Iterator[None]:
    if s == TENSOR:
        yield None
    else:
        for part in _parts(s):
            yield from _tensors(part)


def _parts(s: Any) -> list:
    if "value" in s:
        return []
    return s.get("tuple") or s.get("list") or [part for _, part in s.get("dict") or s.get("fields") or []]


def shown(s: Any) -> str:
    """The structure as a call writes it, a `*` for each tensor."""
    match s:
        case "*":
            return TENSOR
        case {"value": value}:
            return repr(value)
        case {"tuple": parts}:
            return f"({', '.join(map(shown, parts))}{',' * (len(parts) == 1)})"
        case {"list": parts}:
            return f"[{', '.join(map(shown, parts))}]"
        case {"dict": parts}:
            return "{" + ", ".join(f"{key!r}: {shown(part)}" for key, part in parts) + "}"
    name = s.get("named tuple") or s.get("object")
    return f"{name}({', '.join(f'{key}={shown(part)}' for key, part in s['fields'])})"


def _take(s: Any, given: Any, found: list) -> None:
    """Adds the tensors of `given` to `found`."""
    if s == TENSOR:
        if given is None or isinstance(given, (tuple, list, dict, str)):
            raise _Differs(f"got {_kind(given)} in the place of a tensor")
        found.append(given)
    elif "value" in s:
        if type(given) is not type(s["value"]) or given != s["value"]:
            raise _Differs(f"got {given!r} in the place of {s['value']!r}, which the compiled model has")
    elif "tuple" in s or "list" in s:
        parts = _parts(s)
        kind = tuple if "tuple" in s else list
        if not isinstance(given, kind) or len(given) != len(parts):
            raise _Differs(f"got {_kind(given)} in the place of {shown(s)}")
        for part, one in zip(parts, given):
            _take(part, one, found)
    else:
        pairs = s.get("dict") if "dict" in s else s["fields"]
        if "dict" in s and not isinstance(given, dict):
            raise _Differs(f"got {_kind(given)} in the place of {shown(s)}")
        if isinstance(given, dict) and given.keys() != {key for key, _ in pairs}:
            raise _Differs(f"got the keys {', '.join(map(str, given)) or 'none'} in the place of {shown(s)}")
        for key, part in pairs:
            if not isinstance(given, dict) and not hasattr(given, key):
                raise _Differs(f"got {_kind(given)} in the place of {shown(s)}")
            _take(part, given[key] if isinstance(given, dict) else getattr(given, key), found)


def _kind(given: Any) -> str:
    counted = f" of {len(given)}" if isinstance(given, (tuple, list)) else ""
    return f"a {type(given).__name__}{counted}"
