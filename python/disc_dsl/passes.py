"""What a pass file declares, and how its name, flag and C++ names follow from its path."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
import traceback
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import GenericAlias, ModuleType
from typing import Any, Literal

from . import ods
from .errors import DslError, Place, suggestion
from .handles import OptionField, kind_name

DRIVERS = ("greedy", "walk", "conversion")
ANCHORS = {"func.func": "mlir::func::FuncOp", "module": "mlir::ModuleOp", "any": "mlir::Operation *"}


class Pass:
    """The kind of a pass; everything else is derived from the file that declares it.

    `on`: the op it runs on. `native`: the work is the C++ function `disc::run<Stage><Stem>` beside the file. `driver`
    (pattern passes): `greedy` to a fixed point, `walk` once over the ops, or `conversion` with `legal`/`illegal` ops or
    dialects. `types` (conversion): types to convert, also as elements of tensors and buffers. `options`: a frozen
    dataclass whose fields become command-line options.
    """

    def __init__(
        self,
        on: str = "func.func",
        *,
        native: bool = False,
        driver: Literal["greedy", "walk", "conversion"] = "greedy",
        legal: Sequence[str] = (),
        illegal: Sequence[str] = (),
        types: Mapping[str, str] | None = None,
        options: type[Any] | None = None,
    ) -> None:
        if on not in ANCHORS:
            raise DslError(f"unknown anchor `{on}`; expected one of {', '.join(f'`{a}`' for a in ANCHORS)}")
        if driver not in DRIVERS:
            raise DslError(f"unknown driver `{driver}`; expected one of {', '.join(f'`{d}`' for d in DRIVERS)}")
        if (legal or illegal or types) and driver != "conversion":
            raise DslError('`legal`, `illegal` and `types` need `driver="conversion"`')
        for name in (*legal, *illegal):
            _check_target(name)
        self.on, self.native, self.driver = on, native, driver
        self.legal, self.illegal, self.types = tuple(legal), tuple(illegal), dict(types or {})
        self.options, self.option_fields = options, option_fields(options) if options else []


def _check_target(name: str) -> None:
    """Refuses an op or dialect that is one of ours misspelt; other dialects are MLIR's."""
    ops = ods.load()
    dialects = {op.split(".")[0] for op in ops}
    dialect, dot, _ = name.partition(".")
    near = suggestion(dialect, dialects, cutoff=0.75)
    if dialect in dialects and dot and name not in ops:
        raise DslError(f"unknown op `{name}`{suggestion(name, ops)}")
    if dialect not in dialects and near:
        raise DslError(f"unknown dialect `{dialect}`{near}")


def option_fields(options: type[Any]) -> list[OptionField]:
    """The fields of a pass's options."""
    if not dataclasses.is_dataclass(options) or not options.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise DslError("`options` is a frozen dataclass: `@dataclass(frozen=True) class Options: ...`")
    hints = typing.get_type_hints(options)
    found = []
    for f in dataclasses.fields(options):
        kind = hints[f.name]
        element = typing.get_args(kind)[0] if typing.get_origin(kind) in (list, tuple) else kind
        if element not in (bool, int, float, str):
            raise DslError(
                f"option `{f.name}` has type `{kind_name(kind)}`; expected bool, int, float, str or a list of them"
            )
        if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING:
            raise DslError(f"option `{f.name}` needs a default")
        default = f.default if f.default_factory is dataclasses.MISSING else f.default_factory()
        field = OptionField(
            f.name,
            kind if element is kind else GenericAlias(list, (element,)),
            default,
            f.metadata.get("help", f.name.replace("_", " ")),
        )
        check_option(field, default)
        found.append(field)
    return found


def check_option(field: OptionField, value: Any, place: Place | None = None) -> None:
    """Refuses a value that an option does not take."""
    listed = typing.get_args(field.type)
    kind: Any = listed[0] if listed else field.type
    accepted = (int, float) if kind is float else kind
    fits = isinstance(value, (list, tuple)) or not listed
    for v in value if listed and fits else [value]:
        fits &= isinstance(v, accepted) and isinstance(v, bool) == (kind is bool)
    if not fits:
        raise DslError(f"option `{field.name}` takes {kind_name(field.type)}, got {value!r}", place)


def check_options(
    what: str, fields: Sequence[OptionField], values: Mapping[str, Any], place: Place | None = None
) -> None:
    """Refuses options that a pass does not have and values that they do not take."""
    known = {f.name: f for f in fields}
    for name, value in values.items():
        if name not in known:
            more = suggestion(name, known) or (
                f"; it has {', '.join(f'`{n}`' for n in known)}" if known else "; it has none"
            )
            raise DslError(f"`{what}` has no option `{name}`{more}", place)
        check_option(known[name], value, place)


@dataclass(frozen=True)
class PassFile:
    """A loaded pass file. `name` is `<stage>-<stem>` with dashes."""

    path: Path
    stage: str
    stem: str
    module: ModuleType
    decl: Pass

    @property
    def name(self) -> str:
        parts = [self.stage, self.stem] if self.stage else [self.stem]
        return "-".join(parts).replace("_", "-")

    @property
    def flag(self) -> str:
        return f"disc-{self.name}" if self.stage else self.name

    @property
    def camel(self) -> str:
        return "".join(word.capitalize() for word in self.name.split("-"))

    @property
    def ident(self) -> str:
        return self.name.replace("-", "_")

    @property
    def summary(self) -> str:
        doc = (self.module.__doc__ or "").strip()
        if not doc:
            raise DslError(
                "a pass file starts with a docstring; its first line is the summary", Place(str(self.path), 1)
            )
        return doc.splitlines()[0].rstrip(".")

    @property
    def patterns(self) -> list[Any]:
        from .patterns import Pattern

        found: list[Any] = []
        for value in vars(self.module).values():
            items = value if isinstance(value, (list, tuple)) else [value]
            found += [item for item in items if isinstance(item, Pattern) and item not in found]
        return found

    @property
    def source(self) -> Path:
        """The C++ file of a native pass: `<CamelStem>.cpp` beside the Python file."""
        return self.path.with_name("".join(w.capitalize() for w in self.stem.split("_")) + ".cpp")


def option(default: Any, help: str) -> Any:
    """A field of an options dataclass with its line in `--help`."""
    if isinstance(default, (list, tuple)):
        return dataclasses.field(default_factory=lambda: type(default)(default), metadata={"help": help})
    return dataclasses.field(default=default, metadata={"help": help})


def load_module(path: Path, name: str) -> ModuleType:
    """Runs a Python file as a module of its own."""
    if not path.exists():
        raise DslError("no such file", Place(str(path), 1))
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise DslError("not a Python file", Place(str(path), 1))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as e:
        raise DslError(e.msg or "syntax error", Place(str(path), e.lineno or 1, e.offset or 1)) from None
    except DslError:
        raise
    except Exception as e:  # whatever the author's Python does wrong, at its line
        lines = [f.lineno for f in traceback.extract_tb(e.__traceback__) if f.filename == str(module.__file__)]
        raise DslError(f"{type(e).__name__}: {e}", Place(str(path), (lines or [1])[-1] or 1)) from e
    return module


def load_pass(path: Path, stage: str | None = None) -> PassFile:
    """Loads one pass file; `stage` is the folder's name in a tree (a pipeline.py is above), empty for other passes."""
    if stage is None:
        folder = path.absolute().parent
        stage = folder.name if (folder.parent / "pipeline.py").exists() else ""
    module = load_module(path, f"disc_passes.{stage}.{path.stem}" if stage else f"disc_user_pass_{path.stem}")
    decl = getattr(module, "PASS", None)
    if not isinstance(decl, Pass):
        raise DslError('a pass file declares `PASS = Pass(on="func.func")`', Place(str(path), 1))
    loaded = PassFile(path, stage, path.stem, module, decl)
    if not decl.native and not loaded.patterns:
        raise DslError(
            "the file declares a pass but has no `@pattern`; a C++ pass says `native=True`", Place(str(path), 1)
        )
    for p in loaded.patterns:
        if p.trace.options not in (None, decl.options):
            raise DslError(
                f"`{p.name}` reads options of `{p.trace.options.__name__}`; "
                f"the pass says no `options={p.trace.options.__name__}`",
                p.place,
            )
        if p.legality and decl.driver != "conversion":
            raise DslError('`@legal` needs `driver="conversion"`', p.place)
    removed = [place for p in loaded.patterns for place in p.trace.others_removed]
    if decl.driver == "walk" and removed:
        raise DslError(
            '`driver="walk"` goes on to the op that was to come next: only the root may be replaced', removed[0]
        )
    return loaded


def load_tree(root: Path) -> list[PassFile]:
    """All pass files `root/<stage>/<stem>.py` that declare a PASS, ordered by name."""
    paths = sorted(p for p in root.glob("*/*.py") if not p.name.startswith("_"))
    return [load_pass(p, p.parent.name) for p in paths if "PASS" in p.read_text()]
