"""What a pass file declares, and how its name, flag and C++ names follow from its path."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from .errors import DslError, Place

DRIVERS = ("greedy", "walk", "conversion")
ANCHORS = {"func.func": "mlir::func::FuncOp", "module": "mlir::ModuleOp", "any": "mlir::Operation *"}


class Pass:
    """The kind of a pass; everything else is derived from the file that declares it.

    `on`: the op it runs on. `native`: the work is the C++ function `disc::run<Stage><Stem>` beside the file. `driver`
    (pattern passes): `greedy` to a fixed point, `walk` once over the ops, or `conversion` with `legal`/`illegal` ops or dialects.
    `options`: a frozen dataclass whose fields become command-line options (native passes).
    """

    def __init__(
        self,
        on: str = "func.func",
        *,
        native: bool = False,
        driver: Literal["greedy", "walk", "conversion"] = "greedy",
        legal: Sequence[str] = (),
        illegal: Sequence[str] = (),
        options: type[Any] | None = None,
    ) -> None:
        if on not in ANCHORS:
            raise DslError(f"unknown anchor `{on}`; expected one of {', '.join(f'`{a}`' for a in ANCHORS)}")
        if driver not in DRIVERS:
            raise DslError(f"unknown driver `{driver}`; expected one of {', '.join(f'`{d}`' for d in DRIVERS)}")
        if (legal or illegal) and driver != "conversion":
            raise DslError('`legal` and `illegal` need `driver="conversion"`')
        if options is not None and not native:
            raise DslError("`options` need `native=True`: a pattern reads no options yet")
        for f in dataclasses.fields(options) if options else ():
            if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING:
                raise DslError(f"option `{f.name}` needs a default")
        self.on, self.native, self.driver = on, native, driver
        self.legal, self.illegal = tuple(legal), tuple(illegal)
        self.options = options


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

    def option_fields(self) -> list[dataclasses.Field[Any]]:
        return list(dataclasses.fields(self.decl.options)) if self.decl.options else []


def option(default: Any, help: str) -> Any:
    """A field of an options dataclass with its line in `--help`."""
    if isinstance(default, (list, tuple)):
        return dataclasses.field(default_factory=lambda: type(default)(default), metadata={"help": help})
    return dataclasses.field(default=default, metadata={"help": help})


def load_module(path: Path, name: str) -> ModuleType:
    """Runs a Python file as a module of its own."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise DslError("not a Python file", Place(str(path), 1))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as e:
        raise DslError(e.msg or "syntax error", Place(str(path), e.lineno or 1, e.offset or 1)) from None
    except (ImportError, NameError, AttributeError) as e:
        lines = [f.lineno for f in traceback.extract_tb(e.__traceback__) if Path(f.filename) == path.absolute()]
        raise DslError(f"{type(e).__name__}: {e}", Place(str(path), (lines or [1])[-1] or 1)) from e
    return module


def load_pass(path: Path, stage: str = "") -> PassFile:
    """Loads one pass file; `stage` is the folder's name for passes of the tree, empty for a user's file."""
    module = load_module(path, f"disc_passes.{stage}.{path.stem}" if stage else f"disc_user_pass_{path.stem}")
    decl = getattr(module, "PASS", None)
    if not isinstance(decl, Pass):
        raise DslError('a pass file declares `PASS = Pass(on="func.func")`', Place(str(path), 1))
    loaded = PassFile(path, stage, path.stem, module, decl)
    if not decl.native and not loaded.patterns:
        raise DslError(
            "the file declares a pass but has no `@pattern`; a C++ pass says `native=True`", Place(str(path), 1)
        )
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
