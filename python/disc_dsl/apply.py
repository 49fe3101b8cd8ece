"""A pass run on a module of MLIR's Python bindings, natives being their Python twins."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .emit import pass_text
from .errors import DslError
from .handles import Number, option_values
from .native import Native
from .passes import PassFile, check_options, load_pass
from .pdll import run_pdll


def _docstring_only() -> None:
    """no twin"""


def _has_twin(native: Native) -> bool:
    return native.twin is not None and native.twin.__code__.co_code != _docstring_only.__code__.co_code


def _argument(kind: Any, value: Any) -> Any:
    """A native's argument as its signature says."""
    if kind not in (Number, bool, int, float, str, list[int]):
        return value
    attr = value.maybe_downcast()
    return list(attr) if kind == list[int] else attr.value


def _callback(ir: Any, native: Native) -> Callable[[Any, Any, list[Any]], bool]:
    """The twin as the bindings want it: for them a falsy answer is success."""
    twin = native.twin
    assert twin is not None

    def call(rewriter: Any, results: Any, values: list[Any]) -> bool:
        args = [_argument(kind, v) for (_, kind), v in zip(native.params, values, strict=True)]
        if native.kind == "constraint" and not native.results:
            return not twin(*args)
        if native.kind == "rewrite":
            with rewriter.ip, ir.Location.unknown(rewriter.ip.block.owner.context):
                made = twin(*args)
        else:
            made = twin(*args)
            if made is None:
                return True
        if native.results:
            for result in made if len(native.results) > 1 else [made]:
                results.append(result)
        return False

    return call


def apply(module: Any, what: PassFile | Path | str, **options: Any) -> None:
    """Runs a pass file's patterns on `module`, a `Module` of MLIR's Python bindings (`disc.mlir.ir`), in place.

    `options` are fields of the pass's options. Raises DslError for a wrong one, a native pass, a driver other than
    greedy or walk, and a native without a Python twin.
    """
    p = what if isinstance(what, PassFile) else load_pass(Path(what))
    if p.decl.native or p.decl.driver == "conversion":
        raise DslError(f"`{p.name}` cannot be applied from Python: it needs disc-opt")
    fields = p.decl.option_fields
    check_options(p.name, fields, options)
    natives = {n.name: n for pattern in p.patterns for n in pattern.trace.natives.values()}
    for native in natives.values():
        if not _has_twin(native):
            raise DslError(f"`{native.name}` has no Python twin: its body is a docstring alone", native.place)
    for op in (op for pattern in p.patterns for op in pattern.trace.all_ops):
        assert op._model is not None
        dialect = op._model.name.split(".")[0]
        try:
            module.context.get_dialect_descriptor(dialect)
        except ValueError:
            if not module.context.allow_unregistered_dialects:
                message = f"the context of the module knows no dialect `{dialect}`; modules of `disc.mlir.ir` know ours"
                raise DslError(message, op._place) from None
    package = type(module).__module__.split("._mlir_libs")[0].removesuffix(".ir")
    ir, rewrite = importlib.import_module(f"{package}.ir"), importlib.import_module(f"{package}.rewrite")
    with option_values({f.name: f.default for f in fields} | options):
        text, places = pass_text(p)
    with module.context:
        pdl = ir.Module.parse(run_pdll(text, places, "mlir", f"{p.stem}.pdll"))
    patterns = rewrite.PDLModule(pdl)  # `pdl` must live as long as this
    for native in natives.values():
        register = f"register_{native.kind}_function"
        getattr(patterns, register)(native.name, _callback(ir, native))
    frozen = patterns.freeze()
    if p.decl.driver == "walk":
        rewrite.walk_and_apply_patterns(module.operation, frozen)
    else:
        rewrite.apply_patterns_and_fold_greedily(module, frozen)
