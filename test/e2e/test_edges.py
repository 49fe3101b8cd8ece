"""Programs and inputs at the edges of what is allowed, and a little beyond."""

import os
import time

import numpy as np
import pytest

import disc
import disc.interpreter

SORT = """
func.func @main(%x: tensor<?x2x?xi16>) -> tensor<?x2x?xi16> {
  %0 = "stablehlo.sort"(%x) <{dimension = DIM : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %c = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<?x2x?xi16>) -> tensor<?x2x?xi16>
  return %0 : tensor<?x2x?xi16>
}
"""


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_sorting_lines_of_an_empty_tensor(dim):
    compiled = disc.compile(SORT.replace("DIM", str(dim)))
    for shape in ((0, 2, 0), (3, 2, 0), (0, 2, 5), (1, 2, 1), (4, 2, 3)):
        x = np.random.default_rng(0).integers(-9, 9, shape).astype("i2")
        np.testing.assert_array_equal(compiled(x), -np.sort(-x, axis=dim))


GATHER = """
func.func @main(%x: tensor<?xf32>, %i: tensor<?x1xui64>) -> tensor<?xf32> {
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
    start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}
    : (tensor<?xf32>, tensor<?x1xui64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def test_unsigned_indices_beyond_the_signed_range_are_clamped_to_the_end():
    compiled = disc.compile(GATHER)
    x = np.array([1, 2, 3], "f4")
    np.testing.assert_array_equal(compiled(x, np.array([[2**63], [2**64 - 1], [1]], "u8")), [3, 3, 2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "func.func private @g(tensor<?xf32>) -> tensor<?xf32>\n"
            "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
            " %0 = call @g(%x) : (tensor<?xf32>) -> tensor<?xf32>\n return %0 : tensor<?xf32> }",
            "`g` was not inlined; it has no body",
        ),
        (
            "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
            " %0 = call @main(%x) : (tensor<?xf32>) -> tensor<?xf32>\n return %0 : tensor<?xf32> }",
            "recursion",
        ),
    ],
)
def test_calls_that_cannot_be_compiled(text, message):
    with pytest.raises(disc.CompileError, match=message):
        disc.compile(text)


def test_names_of_sizes_that_are_no_strings_are_refused():
    argument = "%x: tensor<?xf32> {disc.dims = [1]}"
    with pytest.raises(disc.CompileError, match=r"`disc.dims` of argument #0: expected an array of strings, got \[1\]"):
        disc.compile(f"func.func @main({argument}) -> tensor<?xf32> {{ return %x : tensor<?xf32> }}")


def test_no_outputs():
    assert disc.compile("func.func @main(%x: tensor<?xf32>) { return }")(np.zeros(3, "f4")) == ()


ADD = """
func.func @main(%x: tensor<?xT>, %y: tensor<?xT>) -> tensor<?xT> {
  %0 = stablehlo.add %x, %y : tensor<?xT>
  return %0 : tensor<?xT>
}
"""


def test_torch_tensors_with_conjugate_and_negative_bits():
    torch = pytest.importorskip("torch")
    z = torch.tensor([1 + 2j, 3 - 1j])
    add = disc.compile(ADD.replace("T", "complex<f32>"))
    assert torch.equal(add(z.conj(), z), torch.tensor([2.0 + 0j, 6.0 + 0j]))
    add = disc.compile(ADD.replace("T", "f32"))
    assert torch.equal(add(z.conj().imag, z.real), torch.tensor([-1.0, 4.0]))


def test_an_error_of_torch_is_one_line():
    torch = pytest.importorskip("torch")
    add = disc.compile(ADD.replace("T", "f32"))
    with pytest.raises(disc.ExecutionError, match=r"^input 0: .*meta[^\n]*$"):
        add(torch.zeros(2, device="meta"), torch.zeros(2))


@pytest.mark.parametrize("parallel", ["auto", "threads", "serial"])
def test_a_forked_child_runs_what_its_parent_ran(tmp_path, parallel):
    from disc.runtime import Program, make_context

    code = disc.compile(ADD.replace("T", "f32")).save(tmp_path / "artifact") / "code.so"
    program = Program(code, context=make_context(threads=4, parallel=parallel))
    x = np.ones(1_000_000, "f4")
    program(x, x)
    child = os.fork()
    if not child:
        os._exit(0 if (program(x, x)[0] == 2).all() else 1)
    for _ in range(3000):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.01)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert status == 0


REDUCE = """
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<f32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r:2 = stablehlo.reduce(%x init: %z), (%y init: %z) across dimensions = [0]
    : (tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
      %s = stablehlo.add %a, %b : tensor<f32>
      %t = stablehlo.maximum %c, %d : tensor<f32>
      stablehlo.return %s, %t : tensor<f32>, tensor<f32>
    }
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}
"""


def test_reduced_operands_of_different_sizes_fail_compiled_and_interpreted():
    x, y = np.ones(3, "f4"), np.ones(4, "f4")
    with pytest.raises(disc.ExecutionError, match="expected 3"):
        disc.compile(REDUCE)(x, y)
    with pytest.raises(disc.interpreter.CheckFailed, match="different sizes"):
        disc.interpreter.run(REDUCE, [x, y])
