"""Broadcasts whose sizes are 1 only at run time: any way to write them, any sizes, the same answer as numpy."""

import itertools
import re

import numpy as np
import pytest

import disc

SIZES = (1, 3, 0)


def binary(name: str, lhs: str, rhs: str, rank: int, op: str = "add") -> str:
    return f"%{name} = chlo.broadcast_{op} %{lhs}, %{rhs} : ({t(rank)}, {t(rank)}) -> {t(rank)}"


def t(rank: int) -> str:
    return f"tensor<{'?x' * rank}f32>"


def program(count: int, lines: list[str], rank: int = 1) -> str:
    arguments = ", ".join(f"%a{i}: {t(rank)}" for i in range(count))
    body = "\n  ".join(lines)
    return f"func.func @main({arguments}) -> {t(rank)} {{\n  {body}\n  return %r : {t(rank)}\n}}\n"


def together(order: tuple[int, ...], sizes: str) -> list[str]:
    """All operands to one size, in this order, then a sum of plain ops."""
    lines = [f"%d{i} = shape.shape_of %a{i} : tensor<?xf32> -> tensor<1xindex>" for i in range(len(order))]
    lines += sizes.splitlines()
    lines += [
        f"%b{i} = stablehlo.dynamic_broadcast_in_dim %a{i}, %s, dims = [0]"
        " : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>"
        for i in order
    ]
    sums = [f"b{order[0]}", *(f"s{i}" for i in range(1, len(order) - 1)), "r"]
    lines += [f"%{sums[k]} = stablehlo.add %{sums[k - 1]}, %b{order[k]} : tensor<?xf32>" for k in range(1, len(order))]
    return lines


SHAPE_OF_3 = "%s = shape.broadcast %d0, %d1, %d2 : tensor<1xindex>, tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>"
SELECTS = """%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n0 = tensor.dim %a0, %c0 : tensor<?xf32>
%n1 = tensor.dim %a1, %c0 : tensor<?xf32>
%n2 = tensor.dim %a2, %c0 : tensor<?xf32>
%e2 = arith.cmpi eq, %n2, %c1 : index
%m = arith.select %e2, %n1, %n2 : index
%e0 = arith.cmpi eq, %n0, %c1 : index
%n = arith.select %e0, %m, %n0 : index
%s = tensor.from_elements %n : tensor<1xindex>"""
PROGRAMS = {
    "chain": (3, [binary("v", "a0", "a1", 1), binary("r", "v", "a2", 1)]),
    "chain from the right": (3, [binary("v", "a1", "a2", 1), binary("r", "a0", "v", 1)]),
    "an operand twice": (3, [binary("v", "a0", "a1", 1), binary("w", "v", "a2", 1), binary("r", "w", "a0", 1)]),
    "one joins early and late": (
        3,
        [binary("v", "a0", "a1", 1), binary("w", "a0", "a2", 1), binary("r", "v", "w", 1, "maximum")],
    ),
    "four in a chain": (4, [binary("v", "a0", "a1", 1), binary("w", "v", "a2", 1), binary("r", "w", "a3", 1)]),
    "four, backwards": (4, [binary("v", "a3", "a2", 1), binary("w", "a1", "v", 1), binary("r", "a0", "w", 1)]),
    "tree": (4, [binary("v", "a0", "a1", 1), binary("w", "a2", "a3", 1), binary("r", "v", "w", 1)]),
    "crossed trees": (
        4,
        [
            *(binary("v", "a0", "a1", 1), binary("w", "a2", "a3", 1), binary("x", "a0", "a3", 1)),
            *(binary("y", "v", "w", 1), binary("r", "x", "y", 1)),
        ],
    ),
    "one size for all": (3, together((0, 1, 2), SHAPE_OF_3)),
    "one size for all, backwards": (3, together((2, 1, 0), SHAPE_OF_3)),
    "one size by selects": (3, together((1, 2, 0), SELECTS)),
}


def numpy_of(name: str, arrays: list[np.ndarray]) -> np.ndarray:
    if name == "one joins early and late":
        return np.maximum(arrays[0] + arrays[1], arrays[0] + arrays[2])
    again = {"an operand twice": [0], "crossed trees": [0, 3]}.get(name, [])
    return sum(arrays[1:] + [arrays[i] for i in again], start=arrays[0])


def compare(model, want, arrays: list[np.ndarray]) -> None:
    """The answer of `want`, or both refuse."""
    sizes = [a.shape for a in arrays]
    try:
        expected = want(arrays)
    except ValueError:
        with pytest.raises(disc.ExecutionError, match=r"dimension \d of .* is \d, expected 1 or"):
            model(*arrays)
        return
    got = np.asarray(model(*arrays))
    assert got.shape == expected.shape, (sizes, got.shape, expected.shape)
    np.testing.assert_allclose(got, expected, rtol=1e-5, err_msg=str(sizes))


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_combination(name):
    count, lines = PROGRAMS[name]
    model = disc.compile(program(count, lines))
    for sizes in itertools.product((*SIZES, 2), repeat=count):
        arrays = [np.arange(n, dtype="f4") + 10 * i for i, n in enumerate(sizes)]
        compare(model, lambda given: numpy_of(name, given), arrays)


def test_two_dimensions_at_once():
    model = disc.compile(
        program(3, [binary("v", "a0", "a1", 2, "multiply"), binary("r", "a2", "v", 2, "subtract")], rank=2)
    )
    shapes = list(itertools.product((1, 3), (1, 2, 0)))
    for chosen in itertools.product(shapes, repeat=3):
        arrays = [np.arange(np.prod(s), dtype="f4").reshape(s) + i for i, s in enumerate(chosen)]
        compare(model, lambda given: given[2] - given[0] * given[1], arrays)


RANKS = """
func.func @main(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?x?xf32>, %k: tensor<f32>) -> tensor<?x?x?xf32> {
  %v = chlo.broadcast_add %x, %y : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %w = chlo.broadcast_multiply %v, %z : (tensor<?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %u = chlo.broadcast_subtract %k, %w : (tensor<f32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %t = chlo.broadcast_add %u, %x : (tensor<?x?x?xf32>, tensor<?xf32>) -> tensor<?x?x?xf32>
  %c = chlo.broadcast_compare %t, %y {comparison_direction = #chlo<comparison_direction GT>}
      : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xi1>
  %r = chlo.broadcast_select %c, %t, %y
      : (tensor<?x?x?xi1>, tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
"""


def test_ranks_that_differ():
    model = disc.compile(RANKS)

    def want(given):
        x, y, z, k = given
        t = k - (x + y) * z + x
        return np.where(t > y, t, y)

    for x, y0, y1, z0, z1, z2 in itertools.product((1, 3), (1, 2), (1, 3), (1, 0, 4), (1, 2), (1, 3)):
        shapes = ((x,), (y0, y1), (z0, z1, z2), ())
        arrays = [np.arange(np.prod(s, dtype=int), dtype="f4").reshape(s) % 7 + i for i, s in enumerate(shapes)]
        compare(model, want, arrays)


def test_result_sizes_are_used():
    """The common size of three operands goes into a reshape and a reduction."""
    model = disc.compile("""
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?x1xf32>)
    -> (tensor<?xf32>, tensor<f32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %v = chlo.broadcast_add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %w = chlo.broadcast_add %v, %z : (tensor<?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %w, %c0 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %mn = arith.muli %m, %n : index
  %s = tensor.from_elements %mn : tensor<1xindex>
  %f = stablehlo.dynamic_reshape %w, %s : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %r = stablehlo.reduce(%f init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %q = stablehlo.reduce(%w init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %f, %r, %q : tensor<?xf32>, tensor<f32>, tensor<?xf32>
}
""")
    for nx, ny, nz in itertools.product((1, 3), (1, 3), (1, 2, 3, 0)):
        x, y, z = (np.arange(n, dtype="f4") + n for n in (nx, ny, nz))
        w = x + y + z[:, None]
        flat, total, largest = model(x, y, z[:, None])
        np.testing.assert_allclose(flat, w.reshape(-1), rtol=1e-5)
        np.testing.assert_allclose(total, w.sum(), rtol=1e-5)
        np.testing.assert_allclose(largest, np.maximum(w.max(axis=0, initial=0), 0), rtol=1e-5)


LIMITED = """
func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %n0 = tensor.extract %n[] : tensor<i32>
  %ni = arith.index_cast %n0 : i32 to index
  %least = arith.maxsi %ni, %c1 : index
  %limit = arith.minsi %d, %least : index
  %start = tensor.from_elements %c0 : tensor<1xindex>
  %stop = tensor.from_elements %limit : tensor<1xindex>
  %step = tensor.from_elements %c1 : tensor<1xindex>
  %s = stablehlo.real_dynamic_slice %x, %start, %stop, %step
      : (tensor<?xf32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
  %r = chlo.broadcast_add %s, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def test_slice_up_to_a_limit_that_may_be_one():
    """x[:n] + x: the slice is as long as x, or 1."""
    model = disc.compile(LIMITED)
    for size, limit in itertools.product((0, 1, 3), (1, 2, 3, 9)):
        x = np.arange(size, dtype="f4")
        compare(model, lambda given: given[0][:limit] + given[0], [x, np.int32(limit)])


def test_messages_name_op_and_sizes():
    model = disc.compile(program(3, PROGRAMS["chain"][1]))
    three, two, one = (np.ones(n, "f4") for n in (3, 2, 1))
    for arrays, line in (((three, two, one), 2), ((one, three, two), 3), ((three, one, two), 3)):
        message = f"`dynamic_broadcast_in_dim` at model.mlir:{line}:8: dimension 0 of `operand` is 2, expected 1 or 3"
        with pytest.raises(disc.ExecutionError, match=re.escape(message)):
            model(*arrays)


def test_the_op_says_where_dimensions_go():
    """`broadcast_dimensions` places the operand of lower rank anywhere, and sizes follow it."""
    f = disc.compile("""
func.func @main(%a: tensor<?x?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?x?x?xf32> {
  %0 = chlo.broadcast_subtract %a, %b {broadcast_dimensions = array<i64: 0, 1>}
      : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %1 = chlo.broadcast_add %c, %0 {broadcast_dimensions = array<i64: 1>} : (tensor<?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}
""")
    rng = np.random.default_rng(3)
    for sizes in itertools.product((1, 2, 0), (1, 3), (1, 4)):
        for ones in itertools.product((False, True), repeat=3):
            b_sizes = [1 if one else size for one, size in zip(ones, sizes[:2])]
            c_sizes = [1 if ones[2] else sizes[1]]
            a, b, c = (rng.standard_normal(s, dtype=np.float32) for s in (sizes, b_sizes, c_sizes))
            np.testing.assert_array_equal(f(a, b, c), c[None, :, None] + (a - b[:, :, None]))
