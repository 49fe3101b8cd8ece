"""Compile time: linear in the number of ops, and independent of the size of constants."""

import gc
import re
import resource
import subprocess
import time

import numpy as np
import pytest

import disc
from disc.toolchain import tool


def elementwise(count: int) -> str:
    ops = ["add", "multiply", "maximum"]
    lines = [f"%v{i + 1} = stablehlo.{ops[i % 3]} %v{i}, %{'xy'[i % 2]} : tensor<?x4xf32>" for i in range(count)]
    return program(lines, "%x: tensor<?x4xf32>, %y: tensor<?x4xf32>", "%x", count)


def reshapes(count: int) -> str:
    """A broadcast, two reshapes and three more ops, again and again."""
    lines = ["%c0 = arith.constant 0 : index", "%c4 = arith.constant 4 : index"]
    for i in range(count // 6):
        lines += [
            f"%d{i} = tensor.dim %v{i}, %c0 : tensor<?x4xf32>",
            f"%s{i} = tensor.from_elements %d{i}, %c4 : tensor<2xindex>",
            f"%w{i} = stablehlo.dynamic_broadcast_in_dim %b, %s{i}, dims = [1]"
            " : (tensor<4xf32>, tensor<2xindex>) -> tensor<?x4xf32>",
            f"%a{i} = stablehlo.add %v{i}, %w{i} : tensor<?x4xf32>",
            f"%m{i} = arith.muli %d{i}, %c4 : index",
            f"%t{i} = tensor.from_elements %m{i} : tensor<1xindex>",
            f"%f{i} = stablehlo.dynamic_reshape %a{i}, %t{i} : (tensor<?x4xf32>, tensor<1xindex>) -> tensor<?xf32>",
            f"%g{i} = stablehlo.negate %f{i} : tensor<?xf32>",
            f"%v{i + 1} = stablehlo.dynamic_reshape %g{i}, %s{i}"
            " : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x4xf32>",
        ]
    return program(lines, "%x: tensor<?x4xf32>, %b: tensor<4xf32>", "%x", count // 6)


def shifts(count: int) -> str:
    """Neighbours added, again and again: each element is read twice by the next layer."""
    lines = ["%v0 = stablehlo.negate %x : tensor<4xf32>"]
    for i in range(count // 5):
        lines += [
            f"%a{i} = stablehlo.slice %v{i} [0:3] : (tensor<4xf32>) -> tensor<3xf32>",
            f"%b{i} = stablehlo.slice %v{i} [1:4] : (tensor<4xf32>) -> tensor<3xf32>",
            f"%c{i} = stablehlo.add %a{i}, %b{i} : tensor<3xf32>",
            f"%d{i} = stablehlo.slice %v{i} [0:1] : (tensor<4xf32>) -> tensor<1xf32>",
            f"%v{i + 1} = stablehlo.concatenate %c{i}, %d{i}, dim = 0 : (tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>",
        ]
    body = "\n  ".join(lines)
    return (
        f"func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  {body}\n"
        f"  return %v{count // 5} : tensor<4xf32>\n}}\n"
    )


def program(lines: list[str], arguments: str, first: str, last: int) -> str:
    body = "\n  ".join([f"%v0 = stablehlo.negate {first} : tensor<?x4xf32>", *lines])
    return f"func.func @main({arguments}) -> tensor<?x4xf32> {{\n  {body}\n  return %v{last} : tensor<?x4xf32>\n}}\n"


@pytest.mark.parametrize("make", [elementwise, reshapes, shifts])
def test_time_is_linear_in_ops(make, tmp_path):
    """User time, so that a busy machine does not matter much; five times the ops take less than ten times as long."""
    seconds = {}
    for count in (1000, 5000):
        path = tmp_path / f"{count}.mlir"
        path.write_text(make(count))
        done = subprocess.run(
            [tool("disc-opt"), "--disc-pipeline", "--mlir-timing", "--mlir-timing-display=list", "-o", "/dev/null", path],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        seconds[count] = float(re.search(r"([\d.]+) \(100.0%\)\s+(?:[\d.]+ \(100.0%\)\s+)?Total", done.stderr)[1])
    assert seconds[5000] < 10 * seconds[1000] + 1, seconds


def test_long_chain_of_broadcasts():
    """60 arguments whose sizes only a call tells: one sum, compiled in seconds."""
    count, vector = 60, "tensor<?xf32>"
    lines = [
        f"%v{i} = chlo.broadcast_add %{'a0' if i == 1 else f'v{i - 1}'}, %a{i} : ({vector}, {vector}) -> {vector}"
        for i in range(1, count)
    ]
    arguments = ", ".join(f"%a{i}: {vector}" for i in range(count))
    text = f"func.func @main({arguments}) -> {vector} {{\n" + "\n".join(lines)
    started = user_seconds()
    model = disc.compile(f"{text}\n  return %v{count - 1} : {vector}\n}}\n")
    assert user_seconds() - started < 20
    for first in (0, 1):
        arrays = [np.arange(3 if i % 2 == first else 1, dtype="f4") + i for i in range(count)]
        np.testing.assert_allclose(model(*arrays), sum(arrays), rtol=1e-5)
    arrays[7] = np.ones(2, "f4")
    with pytest.raises(disc.ExecutionError, match="expected 1 or"):
        model(*arrays)


SPLAT = """
func.func @main(%i: tensor<i32>, %u: tensor<4xf32>) -> (tensor<10xf32>, tensor<f32>, tensor<4xf32>) {{
  %c = stablehlo.constant dense<2.0> : tensor<{n}xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.slice %c [5:15] : (tensor<{n}xf32>) -> tensor<10xf32>
  %h = stablehlo.slice %c [0:1000] : (tensor<{n}xf32>) -> tensor<1000xf32>
  %r = stablehlo.reduce(%h init: %z) applies stablehlo.add across dimensions = [0]
      : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %d = stablehlo.dynamic_update_slice %c, %u, %i : (tensor<{n}xf32>, tensor<4xf32>, tensor<i32>) -> tensor<{n}xf32>
  %q = stablehlo.dynamic_slice %d, %i, sizes = [4] : (tensor<{n}xf32>, tensor<i32>) -> tensor<4xf32>
  return %s, %r, %q : tensor<10xf32>, tensor<f32>, tensor<4xf32>
}}
"""


@pytest.mark.parametrize("n", [10_000_000, 125_000_000])
def test_large_splat_constants_stay_splats(n):
    """Field case I2."""
    model = disc.compile(SPLAT.format(n=n))
    u = np.arange(4, dtype="f4")
    s, r, q = model(np.int32(n - 4), u)
    np.testing.assert_array_equal(s, np.full(10, 2, "f4"))
    np.testing.assert_allclose(r, 2000, rtol=1e-5)
    np.testing.assert_array_equal(q, u)


def test_time_is_linear_in_layers():
    """CPU time of this process, and the compiler's phases; four times the layers take less than six times as long."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_mlir")

    def seconds(count: int) -> float:
        layer = lambda: torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True, norm_first=True)
        model = torch.nn.Sequential(*(layer() for _ in range(count))).eval()
        shapes = ({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO},)
        started = time.process_time()
        report = disc.compile(model, (torch.randn(3, 9, 32),), shapes).report
        spent = time.process_time() - started
        here = {"imports", "torch.export", "decompose", "torch-mlir"}
        return spent + sum(s for name, s in report.phases.items() if name not in here)

    seconds(1)  # imports and caches
    few, many = seconds(3), seconds(12)
    assert many < 6 * few + 1, (few, many)


def test_garbage_collection_is_as_before():
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_mlir")
    compile_one = lambda: disc.compile(torch.nn.ReLU(), (torch.ones(2),))
    compile_one()
    assert gc.get_freeze_count() == 0
    gc.freeze()
    try:
        compile_one()
        assert gc.get_freeze_count() > 0  # the caller's choice stands
    finally:
        gc.unfreeze()


def test_phases_are_all_of_the_time():
    started = time.perf_counter()
    report = disc.compile(elementwise(20)).report
    wall = time.perf_counter() - started
    phases = "start parse input shape graph fusion bufferize runtime cpu llvm translate optimize codegen link load"
    assert phases.split() == list(report.phases)
    assert all(seconds >= 0 for seconds in report.phases.values())
    assert 0.5 * wall < report.seconds <= wall


LARGE = """
func.func @main(%i: tensor<i32>) -> (tensor<4xf32>, tensor<f32>) {{
  %c = stablehlo.constant dense<{literal}> : tensor<{n}xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dynamic_slice %c, %i, sizes = [4] : (tensor<{n}xf32>, tensor<i32>) -> tensor<4xf32>
  %r = stablehlo.reduce(%c init: %z) applies stablehlo.maximum across dimensions = [0]
      : (tensor<{n}xf32>, tensor<f32>) -> tensor<f32>
  return %s, %r : tensor<4xf32>, tensor<f32>
}}
"""


@pytest.mark.parametrize("form", ["decimal", "hexadecimal"])
def test_ten_million_numbers(form):
    n = 10_000_000
    numbers = np.resize(np.array([0.5, -1.25, 3.0, 1e-3, 2.0e5], "f4"), n)
    if form == "decimal":
        literal = "[" + ", ".join(["0.5", "-1.25", "3.0", "1.0e-3", "2.0E+05"] * (n // 5)) + "]"
    else:
        literal = f'"0x{numbers.tobytes().hex().upper()}"'
    text = LARGE.format(literal=literal, n=n)
    started = user_seconds()
    model = disc.compile(text)
    assert user_seconds() - started < 15
    first, largest = model(np.int32(12345))
    np.testing.assert_array_equal(first, numbers[12345:12349])
    assert largest == numbers.max()


def test_errors_do_not_print_constants():
    literal = ", ".join(["0.5"] * 100_000)
    with pytest.raises(disc.CompileError) as error:
        constant = f"%c = stablehlo.constant dense<[{literal}]> : tensor<4xf32>"
        disc.compile(f"func.func @main() -> tensor<4xf32> {{ {constant} }}")
    assert len(str(error.value)) + len(error.value.diagnostics) < 5000


def user_seconds() -> float:
    """Of this process and the compilers that it ran."""
    return sum(resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
