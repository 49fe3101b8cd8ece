"""Broken inputs: always a diagnostic with a place, never a crash, a hang or unbounded memory."""

from __future__ import annotations

import random
import re
import resource
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from disc.toolchain import tool

ROOT = Path(__file__).resolve().parents[2]
SECONDS, BYTES = 60, 6 << 30
PLACE = re.compile(r"[\w./<>-]+:\d+:\d+: error: .+|^error: .+", re.M)

VALID = """
func.func @main(%x: tensor<?x8xf32>, %i: tensor<?xi64>, %n: tensor<i32>) -> (tensor<?x8xf32>, tensor<?xf32>, tensor<?x8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %k, %y = stablehlo.while(%a = %c, %b = %x) : tensor<i32>, tensor<?x8xf32>
   cond {
    %p = stablehlo.compare LT, %a, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %a, %one : tensor<i32>
    %e = stablehlo.exponential %b : tensor<?x8xf32>
    stablehlo.return %j, %e : tensor<i32>, tensor<?x8xf32>
  }
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<?x8xf32>, tensor<?xi64>) -> tensor<?x8xf32>
  return %y, %sum, %g : tensor<?x8xf32>, tensor<?xf32>, tensor<?x8xf32>
}
"""


def compile_(text: str) -> subprocess.CompletedProcess:
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    command = [str(tool("disc-compile")), "-", "-O0", "-o", "/dev/null"]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=SECONDS, preexec_fn=limit)


def problem(text: str) -> str:
    """What is wrong with how the compiler took `text`; "" when it compiled, or refused with a place."""
    try:
        run = compile_(text)
    except subprocess.TimeoutExpired:
        return f"no answer in {SECONDS} s"
    if run.returncode < 0 or "PLEASE submit a bug report" in run.stderr:
        return f"died of signal {-run.returncode}: {run.stderr[:500]}"
    if run.returncode and not PLACE.search(run.stderr):
        return f"no diagnostic with a place: {run.stderr[:500]!r}"
    return ""


def check_all(texts: list[str]) -> None:
    with ThreadPoolExecutor(2) as pool:
        for text, found in zip(texts, pool.map(problem, texts)):
            assert not found, f"{found}\n{text}"


def test_the_valid_text_compiles() -> None:
    assert compile_(VALID).returncode == 0


def test_truncated() -> None:
    check_all([VALID[:end] for end in range(5, len(VALID), 29)])


_TOKENS = ["tensor<?x8xf32>", "tensor<f32>", "tensor<*xf32>", "tensor<8x?xi1>", "-1", "9223372036854775807", "[0, 0]", "%x", "%nothing", "", "{", ")", "stablehlo.dot", "i64"]  # fmt: skip


def test_tokens_replaced() -> None:
    """A token of the text is replaced by another that belongs somewhere else."""
    draw = random.Random(0)
    words = list(re.finditer(r"tensor<[^>]*>|%\w+|\[\d\]|\d+|stablehlo\.\w+|[{}()]", VALID))
    texts = []
    for _ in range(120):
        word = draw.choice(words)
        texts.append(VALID[: word.start()] + draw.choice(_TOKENS) + VALID[word.end() :])
    check_all(texts)


def test_lines_dropped_and_swapped() -> None:
    lines = VALID.splitlines()
    dropped = ["\n".join(lines[:i] + lines[i + 1 :]) for i in range(len(lines))]
    swapped = ["\n".join([*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]]) for i in range(len(lines) - 1)]
    check_all(dropped + swapped)


def test_bytes_flipped() -> None:
    draw = random.Random(1)
    texts = []
    for _ in range(60):
        at = draw.randrange(len(VALID))
        texts.append(VALID[:at] + chr(draw.randrange(1, 128)) + VALID[at + 1 :])
    check_all(texts)


_WRONG = {
    "cyclic values": "func.func @main() -> tensor<4xf32> { %x = stablehlo.add %y, %y : tensor<4xf32> %y = stablehlo.add %x, %x : tensor<4xf32> return %y : tensor<4xf32> }",
    "a region that uses its own result": 'func.func @main(%p: tensor<i1>) -> tensor<4xf32> { %r = "stablehlo.if"(%p) ({ stablehlo.return %r : tensor<4xf32> }, { stablehlo.return %r : tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32> return %r : tensor<4xf32> }',
    "recursion": "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { %r = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32> return %r : tensor<4xf32> }",
    "mutual recursion": "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { %r = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32> return %r : tensor<4xf32> } func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> { %r = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32> return %r : tensor<4xf32> }",
    "a missing callee": "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { %r = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32> return %r : tensor<4xf32> }",
    "a declaration": "func.func private @main(%x: tensor<4xf32>) -> tensor<4xf32>",
    "no function": "module {}",
    "nothing": "",
    "unranked": "func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> { %r = stablehlo.abs %x : tensor<*xf32> return %r : tensor<*xf32> }",
    "an iota of 2^62 elements": "func.func @main() -> tensor<2147483647x2147483647xf32> { %r = stablehlo.iota dim = 0 : tensor<2147483647x2147483647xf32> return %r : tensor<2147483647x2147483647xf32> }",
    "sizes whose product overflows": "func.func @main() -> tensor<9223372036854775807x9223372036854775807xf32> { %r = stablehlo.iota dim = 0 : tensor<9223372036854775807x9223372036854775807xf32> return %r : tensor<9223372036854775807x9223372036854775807xf32> }",
    "a splat of 2^40 elements, summed": "func.func @main() -> tensor<f32> { %x = stablehlo.constant dense<1.0> : tensor<1048576x1048576xf32> %z = stablehlo.constant dense<0.0> : tensor<f32> %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<1048576x1048576xf32>, tensor<f32>) -> tensor<f32> return %r : tensor<f32> }",
    "a pad of 2^60": "func.func @main(%x: tensor<?xf32>, %z: tensor<f32>) -> tensor<?xf32> { %r = stablehlo.pad %x, %z, low = [1152921504606846976], high = [1152921504606846976], interior = [9] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32> return %r : tensor<?xf32> }",
    "an unknown dialect": 'func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { %r = "tf.Relu"(%x) : (tensor<4xf32>) -> tensor<4xf32> return %r : tensor<4xf32> }',
    "an unknown op": "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { %r = stablehlo.relu %x : tensor<4xf32> return %r : tensor<4xf32> }",
    "a string tensor": 'func.func @main() -> tensor<2x!tf_type.string> { %r = "stablehlo.constant"() : () -> tensor<2x!tf_type.string> return %r : tensor<2x!tf_type.string> }',
    "a memref": "func.func @main(%x: memref<4xf32>) -> memref<4xf32> { return %x : memref<4xf32> }",
    "a scalar argument": "func.func @main(%x: f32) -> f32 { return %x : f32 }",
    "a sort without comparator": 'func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { %r = "stablehlo.sort"(%x) ({}) : (tensor<4xf32>) -> tensor<4xf32> return %r : tensor<4xf32> }',
    "a reduction with side effects": 'func.func @main(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> { %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %c = "stablehlo.custom_call"(%a) <{call_target_name = "hi", has_side_effect = true}> : (tensor<f32>) -> tensor<f32> stablehlo.return %c : tensor<f32> }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32> return %r : tensor<f32> }',
    "duplicate dimensions": "func.func @main(%x: tensor<4x4xf32>, %z: tensor<f32>) -> tensor<f32> { %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32> return %r : tensor<f32> }",
}  # fmt: skip


@pytest.mark.parametrize("what", _WRONG)
def test_wrong(what: str) -> None:
    found = problem(_WRONG[what])
    assert not found, found


def test_deep_nesting() -> None:
    """A thousand conditionals, one in the other."""
    depth = 1000
    text = "func.func @main(%p: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32> {\n%r = "
    text += '"stablehlo.if"(%p) ({ %r = ' * depth + "stablehlo.abs %x : tensor<?xf32>"
    text += " stablehlo.return %r : tensor<?xf32> }, { stablehlo.return %x : tensor<?xf32> }) : (tensor<i1>) -> tensor<?xf32>" * depth
    found = problem(text + " return %r : tensor<?xf32> }")
    assert not found, found
