"""`disc.compile` and `disc.load`."""

from __future__ import annotations

import operator
import os
import tempfile
import threading
import time
import weakref
from pathlib import Path
from typing import Any, Callable

from . import artifact, structure
from .compiler import compile_text
from .errors import CompileError, DiscError
from .frontends import Imported
from .report import Report

_VERSION = operator.attrgetter("_version")
_count_lock = threading.Lock()
_compile_total = 0


def compile_count() -> int:
    """How many compilations this process has run. Calling a compiled model never adds to it."""
    return _compile_total


def _is_counted(weight: Any) -> bool:
    """Whether torch counts the changes of `weight`; not of numpy's arrays and inference tensors."""
    try:
        return weight._version >= 0
    except (AttributeError, RuntimeError):
        return False


class Compiled:
    """A compiled model: call it with inputs of any allowed size, from any number of threads.

    The weights of a torch model stay its own: what is changed in place (`load_state_dict`, an optimizer's step) holds
    from the next call on. Do not change them during one.

    report: what the compiler did.
    """

    def __init__(self, code: Path, imported: Imported, report: Report, threads: int | None, keep: Any = None) -> None:
        from .runtime import Program

        self.report = report
        self._imported, self._keep = imported, keep
        # What `save` writes is what was loaded, whatever stands in its folder by then.
        self._code = os.open(code, os.O_RDONLY)
        weakref.finalize(self, os.close, self._code)
        self._program = Program(code, imported.constants, threads=threads)
        self._weights = [value for value in imported.constants.values() if _is_counted(value)]
        self._versions, self._refreshing = self._version(), threading.Lock()
        if not code.exists() or not os.path.samestat(os.fstat(self._code), code.stat()):
            raise DiscError(f"{code.parent}: was replaced while it was loaded; load it again")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        flat = self._imported.flatten(args, kwargs) if self._imported.flatten else list(args)
        if self._weights and self._version() != self._versions:
            self._refresh()
        outputs = self._program(*flat)
        if self._imported.unflatten:
            return self._imported.unflatten(outputs)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _version(self) -> int:
        """What torch counts up whenever one of the weights is changed in place."""
        return sum(map(_VERSION, self._weights))

    def _refresh(self) -> None:
        """Gives the weights to the runtime again, which forgets what it made of their old values."""
        with self._refreshing:
            if (now := self._version()) != self._versions:
                self._program.set_constants(self._imported.constants)
                self._versions = now

    @property
    def signature(self) -> str:
        """Inputs, constants and outputs, one a line."""
        return self._program.signature

    def statistics(self) -> dict[str, int]:
        """The runtime's counters: live, peak and pooled bytes, allocations."""
        return self._program.statistics()

    def save(self, folder: str | Path) -> Path:
        """Writes the artifact to `folder`; `disc.load(folder)` reads it without torch's model."""
        folder = Path(folder)
        manifest = _manifest(self._imported, self.report, signature=self.signature.splitlines())
        artifact.write(folder, Path(f"/proc/self/fd/{self._code}"), self._imported.constants, manifest)
        return folder


def compile(
    model: Any,
    example_inputs: tuple | None = None,
    dynamic_shapes: Any = None,
    *,
    example_kwargs: dict | None = None,
    threads: int | None = None,
    precision: str = "f32",
    options: list[str] | None = None,
    timeout: float = 600.0,
    keep_module: str | Path | None = None,
    explain_fusion: bool = False,
) -> Compiled:
    """Compiles `model` once, for every allowed size.

    model:          torch.nn.Module (as it is in evaluation mode), torch.export.ExportedProgram, StableHLO text, or a
                    path of a `.mlir` file
    example_inputs: tuple of tensors (torch models only); sizes named in `dynamic_shapes` may change from call to call
    dynamic_shapes: torch.export's form, e.g. `{"ids": {0: Dim("b"), 1: Dim("s")}}`
    threads:        number of threads of a call (default: all cores)
    precision:      of f32 matrix products: "f32", or "bf16" where their operands may be rounded to it (sums stay in
                    f32; see docs/numerics.md)
    options:        further command-line options of `disc-compile`
    timeout:        seconds after which the compiler is stopped
    keep_module:    a file for the model's StableHLO text, as `disc-opt` and `disc bisect` read it (also when refused)
    explain_fusion: the report also says which ops became one kernel or stitch, and why the rest did not

    Returns a callable: torch tensors in, torch tensors out; numpy in, numpy out. Raises CompileError.
    """
    _check(precision)
    imported = _import(model, example_inputs, example_kwargs or {}, dynamic_shapes)
    report = Report(phases=dict(imported.phases))
    keep = tempfile.TemporaryDirectory(prefix="disc-artifact-")
    code = Path(keep.name, artifact.CODE)
    _count()
    try:
        module = Path(keep_module) if keep_module else None
        flags = [f"--precision={precision}", *(options or [])]
        compile_text(imported.text, code, report, flags, timeout, module, explain_fusion, source=imported.source)
        started = time.perf_counter()
        compiled = Compiled(code, imported, report, threads, keep)
    except BaseException:
        keep.cleanup()  # not when the error goes, which may be kept
        raise
    report.phases["load"] = time.perf_counter() - started
    return compiled


def cross_compile(
    model: Any,
    folder: str | Path,
    example_inputs: tuple | None = None,
    dynamic_shapes: Any = None,
    *,
    triple: str,
    cpu: str = "generic",
    example_kwargs: dict | None = None,
    precision: str = "f32",
    options: list[str] | None = None,
    timeout: float = 600.0,
) -> Report:
    """Compiles `model` for another machine and writes the artifact to `folder`; it is not loaded here.

    triple: of the machine, `aarch64-linux-gnu`; its cross compiler (`aarch64-linux-gnu-gcc`) links
    cpu:    as LLVM names it, `neoverse-n1`; `generic` runs on all of the triple

    The others, and what is raised, as for `compile`. `disc.load` reads it there.
    """
    _check(precision)
    imported = _import(model, example_inputs, example_kwargs or {}, dynamic_shapes)
    report = Report(phases=dict(imported.phases))
    _count()
    with tempfile.TemporaryDirectory(prefix="disc-artifact-") as made:
        code = Path(made, artifact.CODE)
        flags = [f"--precision={precision}", f"--target-cpu={cpu}", *(options or [])]
        compile_text(imported.text, code, report, flags, timeout, triple=triple, source=imported.source)
        artifact.write(Path(folder), code, imported.constants, _manifest(imported, report, target=[triple, cpu]))
    return report


def _check(precision: str) -> None:
    if precision not in ("f32", "bf16"):
        raise CompileError(f"`precision`: expected `f32` or `bf16`, got `{precision}`")


def _count() -> None:
    global _compile_total
    with _count_lock:
        _compile_total += 1


def _manifest(imported: Imported, report: Report, **more: Any) -> dict[str, Any]:
    constants = imported.constants
    framework = "pt" if any(type(v).__module__.startswith("torch") for v in constants.values()) else "numpy"
    return {
        **more,
        "constants": list(constants),
        "framework": framework,
        "input_names": imported.input_names,
        "structure": imported.structure,
        "report": report.to_json(),
    }


def load(folder: str | Path, *, threads: int | None = None) -> Compiled:
    """Loads an artifact written by `Compiled.save`.

    It is called as the compiled model was, or with its tensors one by one; tensors, tuples, lists, dicts and named
    tuples come back as they did. An object of another class comes back as its fields by name
    (`disc.structure.Fields`), or as a tuple where its class does not tell their names.
    """
    code, constants, manifest = artifact.read(Path(folder))
    imported = Imported(text="", constants=constants, input_names=manifest.get("input_names", []))
    if (kept := manifest.get("structure")) is not None:  # else flat
        try:
            imported.flatten = structure.flattener(kept["inputs"])
            imported.unflatten = structure.builder(kept["results"])
        except (DiscError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise DiscError(f"{folder}: its manifest has no readable `structure` ({error}); save it again") from None
        imported.structure = kept
    try:
        report = Report.from_json(manifest["report"])
    except (KeyError, TypeError, ValueError) as error:
        why = f"{type(error).__name__}: {error}"
        raise DiscError(f"{folder}: its manifest has no readable `report` ({why}); save the artifact again") from None
    return Compiled(code, imported, report, threads)


def _import(model: Any, args: tuple | None, kwargs: dict, dynamic_shapes: Any) -> Imported:
    if isinstance(model, (str, Path)):
        if dynamic_shapes is not None:
            raise CompileError("`dynamic_shapes` are for torch models; MLIR text says in its types which sizes change")
        from .frontends.mlir_text import import_text

        return import_text(model)
    started = time.perf_counter()
    importer = _torch_importer(model)
    loaded = time.perf_counter() - started
    if importer is None:
        raise CompileError(
            f"cannot compile a {type(model).__name__}: expected a torch.nn.Module, a torch.export.ExportedProgram, "
            "StableHLO text or the path of a `.mlir` file"
        )
    if type(model).__name__ == "ExportedProgram":
        if dynamic_shapes is not None:
            raise CompileError("`dynamic_shapes` are for modules; an ExportedProgram was exported with its own")
    elif args is None:
        raise CompileError("a torch model needs `example_inputs`: a tuple of tensors")
    if args is not None and not isinstance(args, (tuple, list)):
        raise CompileError(f"`example_inputs`: expected a tuple of tensors, got {type(args).__name__}")
    imported = importer(model, tuple(args or ()), kwargs, dynamic_shapes)
    imported.phases = {"imports": loaded, **imported.phases}
    return imported


def _torch_importer(model: Any) -> Callable | None:
    if not any(base.__module__.startswith("torch") for base in type(model).__mro__):
        return None
    from .frontends.torch_frontend import import_torch

    return import_torch
