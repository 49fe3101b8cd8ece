"""Every pass keeps what programs mean: the interpreter before and after it, on the functions of its lit file; and the
programs of programs/ after each pass of the pipeline."""

import re
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest

from disc import arrays, interpreter
from disc.errors import CompileError
from disc.interpreter import CheckFailed, InterpreterError
from disc.interpreter.types import kind, type_of
from disc.stages import stages, steps
from disc.toolchain import tool

ROOT = Path(__file__).resolve().parents[3]
LIT = ROOT / "test" / "lit" / "passes"
PROGRAMS = [
    pytest.param(chunk, id=re.search(r"// (\w+)", chunk)[1])
    for path in sorted((Path(__file__).parent / "programs").glob("*.mlir"))
    for chunk in path.read_text().split("// -----\n")
]

FILES = [
    str(path.relative_to(LIT).with_suffix(""))
    for stage in ("input", "shape", "graph", "fusion", "bufferize")
    for path in sorted((LIT / stage).glob("*.mlir"))
    if not path.stem.endswith("_invalid") and path.stem not in ("one_shot", "dealloc", "arena")  # on buffers
]
# What test_program_after_each_pass has seen: programs, and passes that changed one.
SEEN: set[str] = set()
CHANGED: set[str] = set()


def outcome(module, inputs, entry: str = "main"):
    """The outputs, or None where the program's own check fails."""
    try:
        return interpreter.run(module, inputs, entry)
    except CheckFailed:
        return None


def inputs_for(types, size: int, seed: int, constant: bool = False) -> list[np.ndarray]:
    """Made up arrays; `index` scalars, and with `constant` all integers, are `size`."""
    made = arrays.made_up(types, {"": size}, seed)
    fixed = [t.element == "index" and not t.shape or constant and kind(t.dtype) in "iu" for t in types]
    return [np.full(x.shape, size, x.dtype) if f else x for x, f in zip(made, fixed)]


def functions(module, buffers: bool = False) -> list[str]:
    """Functions from tensors and scalars (and buffers) to tensors and scalars (and buffers)."""
    found = []
    for function in (o.operation for o in module.body.operations):
        if function.name != "func.func" or not len(function.regions[0].blocks):
            continue
        if "dhlo.rng " in str(function):  # any numbers
            continue
        block = function.regions[0].blocks[0]
        types = [type_of(a.type) for a in block.arguments]
        results = list(block.operations)[-1].operation.operands
        if len(results) and all(t.dtype is not None and (buffers or not t.text.startswith("memref")) for t in types):
            found.append(function.attributes["sym_name"].value)
    return found


def attributes(module, name: str):
    """The attributes of a function."""
    found = (o.operation for o in module.body.operations)
    return next(f.attributes for f in found if f.attributes["sym_name"].value == name)


def chunks_before_and_after(path: Path, folder: Path) -> list[tuple[str, str]]:
    text = path.read_text()
    command = re.search(r"RUN: disc-opt (.*?)(\| filecheck|$)", text, re.M)[1]
    before = [chunk for chunk in text.split("// -----") if "expected-error" not in chunk]
    file = folder / path.name
    file.write_text("// -----".join(before))
    words = [w for w in shlex.split(command) if w not in ("%s", "--split-input-file", "--verify-diagnostics")]
    done = subprocess.run(
        [tool("disc-opt"), *words, "--split-input-file", file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    after = done.stdout.split("// -----")
    assert len(before) == len(after)
    return list(zip(before, after))


@pytest.mark.parametrize("name", FILES)
def test_lit_file(name: str, tmp_path: Path):
    """What the pass makes of each function gives the same outputs; half of the functions, at least, can be run."""
    ran = total = 0
    for before, after in chunks_before_and_after(LIT / f"{name}.mlir", tmp_path):
        try:
            module, changed = interpreter.parse(before), interpreter.parse(after)
        except InterpreterError:  # unregistered dialects
            continue
        left = functions(changed, buffers=True)
        for entry in functions(module):
            if entry not in left:
                continue
            runs, total = False, total + 1
            types = interpreter.signature(module, entry)
            sizes = [(4, False), (3, False), (2, True), (1, True)]
            if "disc.symbols" in attributes(module, entry):  # sizes have bounds
                sizes = sizes[:1]
            for size, constant in sizes:
                inputs = inputs_for(types, size, size, constant)
                try:
                    want = outcome(module, inputs, entry)
                except InterpreterError as error:
                    assert "no interpretation" in str(error), error
                    break
                if want is None:
                    continue
                got = outcome(changed, inputs, entry)
                assert got is not None, f"@{entry}, size {size}: the pass made it fail"
                wrong = arrays.differences(got, want)
                assert not wrong, f"@{entry}, size {size}: {wrong[0]}"
                runs = True
            ran += runs
    assert ran and ran * 2 >= total, f"only {ran} of {total} functions could be run"


@pytest.mark.parametrize("text", PROGRAMS)
def test_program_after_each_pass(text: str, tmp_path: Path):
    """Sizes 3, 1 and 0, up to scalar loops."""
    path = tmp_path / "program.mlir"
    path.write_text(text)
    types = interpreter.signature(path)
    model = interpreter.parse(path)
    cases = []
    for size in (3, 1, 0):
        inputs = inputs_for(types, size, size)
        cases.append((size, inputs, outcome(model, inputs)))
    assert any(want is not None for _, _, want in cases), "no size runs"
    previous = ""
    try:
        passes = stages(path)
    except CompileError as error:
        pytest.fail(str(error))
    for stage in passes:
        if stage.text == previous:
            continue
        CHANGED.update([stage.name] if previous else [])
        previous = stage.text
        module = interpreter.parse(stage.text)
        for size, inputs, want in cases:
            got = outcome(module, inputs)
            if want is None:
                assert got is None, f"size {size}: the model fails, but not after {stage}"
                continue
            assert got is not None, f"size {size}: fails after {stage}"
            wrong = arrays.differences(got, want)
            assert not wrong, f"size {size}, after {stage}: {wrong[0]}"
    SEEN.add(text)


def test_every_pass_changed_a_program():
    """Else the test above says nothing about it: a pass that is missing here wants a program in programs/."""
    if len(SEEN) < len(PROGRAMS):
        pytest.skip("not all programs were run")
    idle = {"symbol-dce", "cse", "canonicalize", "disc-input-rename", "resolve-ranked-shaped-type-result-dims"}
    names = {step.name for step in steps() if step.phase != "llvm"} - idle
    assert sorted(names - CHANGED) == []
