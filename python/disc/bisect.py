"""Finds the first pass after which a model means something else: the interpreter after each, then compiled code."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from . import interpreter
from .arrays import Difference, difference, differences
from .compiler import compile_text
from .errors import ExecutionError
from .interpreter import CheckFailed, InterpreterError
from .interpreter.core import Call, location
from .report import Report
from .runtime import Program
from .stages import Stage, UserPass, lower, phases, stages


@dataclass
class Verdict:
    """agrees: every pass and compiled code give what the model says; `text` says what was found."""

    agrees: bool
    text: str
    stage: Stage | None = None
    differences: list[Difference] = field(default_factory=list)
    op: str = ""
    unread: list[tuple[Stage, str]] = field(default_factory=list)


@dataclass
class _Outcome:
    """What a program did: its outputs, or the message of its own failed check."""

    outputs: list[Any] | None
    failure: str = ""
    crashed: bool = False
    random: bool = False


def _interpret(source: str | Path, inputs: Sequence, constants: Mapping | None, timeout: float) -> _Outcome:
    drawn: list[str] = []

    def trace(call: Call, _: list[Any]) -> None:
        if call.name == "dhlo.rng":
            drawn.append(call.name)

    try:
        outputs = interpreter.run(source, inputs, constants=constants, timeout=timeout, trace=trace)
        return _Outcome(outputs, random=bool(drawn))
    except CheckFailed as error:
        return _Outcome(None, str(error))


def _compare(got: _Outcome, want: _Outcome, relative: float | None) -> list[Difference]:
    if got.outputs is None or want.outputs is None:
        if got.outputs is None and want.outputs is None and not got.crashed:
            return []
        if got.outputs is None:
            return [Difference(0, f"fails: {got.failure}")]
        return [Difference(0, f"gives outputs, but the model fails: {want.failure}")]
    if want.random:  # all that can be said of random numbers
        shapes = [[np.zeros_like(x) for x in outcome.outputs] for outcome in (got, want)]
        return differences(*shapes)
    return differences(got.outputs, want.outputs, relative)


def _values(text: str, inputs: Sequence[np.ndarray], constants: Mapping | None) -> list[tuple[str, str, list[Any]]]:
    """(place, op, results) of every op outside of loops that ran, in order; what ran before a failure."""
    seen: list[tuple[str, str, list[Any]]] = []

    def trace(call: Call, results: list[Any]) -> None:
        if len(seen) < 100_000 and not call.machine.batch:
            seen.append((location(call.op), call.name, [r.copy() if isinstance(r, np.ndarray) else r for r in results]))

    try:
        interpreter.run(text, inputs, constants=constants, trace=trace)
    except InterpreterError:
        pass
    return seen


def _first_op(
    before: str, after: str, inputs: Sequence[np.ndarray], constants: Mapping | None, relative: float | None
) -> str:
    """The first op after the pass that gives what no op of the same place gave before; "" where there is none."""
    known: dict[str, list[Any]] = {}
    for place, _, results in _values(before, inputs, constants):
        known.setdefault(place, []).extend(results)
    for place, name, results in _values(after, inputs, constants):
        for result in results:
            if not isinstance(result, np.ndarray) or result.ndim == 0 and result.dtype == np.int64:
                continue
            like = [v for v in known.get(place, []) if isinstance(v, np.ndarray) and v.shape == result.shape]
            like = [v for v in like if v.dtype == result.dtype]
            if like and all(difference(result, v, relative) for v in like):
                text = difference(result, like[-1], relative)
                return f"`{name}` at {place}: {text}"
    return ""


def bisect(
    model: Path,
    inputs: Sequence[np.ndarray],
    *,
    constants: Mapping[str, np.ndarray] | None = None,
    to: str = "cpu",
    user: UserPass | None = None,
    compiled: bool = True,
    relative: float | None = None,
    options: Sequence[str] = (),
    timeout: float = 120,
    progress: Callable[[str], None] = lambda _: None,
) -> Verdict:
    """Runs the interpreter on `model` and after each pass up to phase `to`, then compiled code, on `inputs`.

    constants: of arguments with `disc.constant`, by name
    user:      a pass of the user's that runs after a phase
    compiled:  also compile and run
    relative:  tolerance of floats (default: by type)
    options:   of disc-compile
    timeout:   seconds that the interpreter may take after one pass, and compiled code in all

    Where the model draws random numbers (`rng`), shapes and element types are compared. Raises InterpreterError for a
    model that the interpreter does not know, CompileError where a pass fails.
    """
    want = _interpret(model, inputs, constants, timeout)
    progress(f"the model: {'ok' if want.outputs is not None else want.failure}")
    unread: list[tuple[Stage, str]] = []
    previous = interpreter.parse(model).operation.get_asm(enable_debug_info=True)
    last: Stage | None = None
    for stage in stages(model, to, user):
        if stage.text == previous:
            continue
        try:
            got = _interpret(stage.text, inputs, constants, timeout)
        except InterpreterError as error:
            unread.append((stage, str(error)))
            progress(f"after {stage}: not interpreted: {error}")
            continue
        found = _compare(got, want, relative)
        progress(f"after {stage}: {'differs' if found else 'ok'}")
        if found:
            op = _first_op(previous, stage.text, inputs, constants, relative)
            since = f" (or one of the {len(unread)} passes before it that were not interpreted)" if unread else ""
            text = f"the first difference is after {stage}{since}: {found[0]}" + (f"\n  first at {op}" if op else "")
            return Verdict(False, text, stage, found, op, unread)
        previous, last = stage.text, stage
        unread.clear()
    if not compiled:
        return Verdict(True, f"every pass up to phase {to} means what the model says", unread=unread)
    got = _run_compiled(model, inputs, constants or {}, user, options, timeout)
    return _judged(_compare(got, want, relative), want, last, unread)


def _run_compiled(
    model: Path,
    inputs: Sequence[np.ndarray],
    constants: Mapping,
    user: UserPass | None,
    options: Sequence[str],
    timeout: float,
) -> _Outcome:
    text, options = model.read_text(), list(options)
    if user is not None:
        names = phases()
        text = lower(model, user.after, user)
        options.append(f"--from={names[names.index(user.after) + 1]}")
    with tempfile.TemporaryDirectory(prefix="disc-") as folder:
        code = Path(folder, "code.so")
        compile_text(text, code, Report(), options, timeout=600)
        try:  # code that is wrong may crash, or run for ever
            return apart(_execute, (code, dict(constants), list(inputs)), timeout)
        except EOFError:
            return _Outcome(None, "compiled code crashed", crashed=True)
        except TimeoutError:
            return _Outcome(None, f"compiled code did not finish in {timeout:.0f} s", crashed=True)


def _execute(code: Path, constants: dict, inputs: list[np.ndarray]) -> _Outcome:
    try:
        return _Outcome(Program(code, constants)(*inputs))
    except ExecutionError as error:
        return _Outcome(None, str(error))


def apart(function: Callable, args: tuple, timeout: float) -> Any:
    """`function(*args)` in a process of its own. Raises what it raises, EOFError where that dies, or TimeoutError."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(theirs, function, args), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(timeout):
            raise TimeoutError
        result, error = ours.recv()
    finally:
        process.kill()
        process.join()
        ours.close()
    if error is not None:
        raise error
    return result


def _send(pipe: Any, function: Callable, args: tuple) -> None:
    try:
        answer = function(*args), None
    except Exception as error:  # noqa: BLE001 - raised by the one who waits
        answer = None, error
    pipe.send(answer)


def _judged(found: list[Difference], want: _Outcome, last: Stage | None, unread: list[tuple[Stage, str]]) -> Verdict:
    if not found:
        failed = "" if want.outputs is not None else f" (all fail: {want.failure})"
        return Verdict(True, f"compiled code and every pass agree with the model{failed}", unread=unread)
    after = f"after {last}" if last else "in the first passes"
    if unread:
        names = ", ".join(f"`{stage.name}`" for stage, _ in unread)
        after += f": in code generation, or in passes that were not interpreted ({names})"
    else:
        after += ": in code generation"
    return Verdict(False, f"compiled code differs; the difference arises {after}: {found[0]}", None, found, "", unread)
