"""Ops that only hold a program together: tuples, tokens, barriers, calls, sizes, scans, einsum."""

from __future__ import annotations

import disc
import numpy as np
import pytest
from disc.errors import ExecutionError


def run(text: str, *args: np.ndarray) -> list[np.ndarray]:
    results = disc.compile(text)(*args)
    return list(results) if isinstance(results, (tuple, list)) else [results]


def f32(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def test_tuples_at_the_boundary() -> None:
    text = """
    func.func @main(%t: tuple<tensor<?xf32>, tuple<tensor<?xi32>, !stablehlo.token>>, %c: tensor<?xf32>)
        -> tuple<tensor<?xf32>, tuple<tensor<?xi32>>> {
      %x = stablehlo.get_tuple_element %t[0]
        : (tuple<tensor<?xf32>, tuple<tensor<?xi32>, !stablehlo.token>>) -> tensor<?xf32>
      %u = stablehlo.get_tuple_element %t[1]
        : (tuple<tensor<?xf32>, tuple<tensor<?xi32>, !stablehlo.token>>) -> tuple<tensor<?xi32>, !stablehlo.token>
      %i = stablehlo.get_tuple_element %u[0] : (tuple<tensor<?xi32>, !stablehlo.token>) -> tensor<?xi32>
      %y = stablehlo.add %x, %c : tensor<?xf32>
      %v = stablehlo.tuple %i : tuple<tensor<?xi32>>
      %r = stablehlo.tuple %y, %v : tuple<tensor<?xf32>, tuple<tensor<?xi32>>>
      return %r : tuple<tensor<?xf32>, tuple<tensor<?xi32>>>
    }"""
    for n in (0, 1, 5):
        x, i = f32(n), np.arange(n + 1, dtype=np.int32)
        y, j = run(text, x, i, x)
        np.testing.assert_array_equal(y, x + x)
        np.testing.assert_array_equal(j, i)


def test_tuples_in_branches_between_blocks() -> None:
    pair = "tuple<tensor<?xf32>, !stablehlo.token, tuple<tensor<f32>>>"
    text = f"""
    func.func @main(%x: tensor<?xf32>, %s: tensor<f32>, %p: tensor<i1>) -> (tensor<?xf32>, tensor<f32>) {{
      %k = stablehlo.create_token : !stablehlo.token
      %e = stablehlo.tuple : tuple<>
      %u = stablehlo.tuple %s : tuple<tensor<f32>>
      %t = stablehlo.tuple %x, %k, %u : {pair}
      %c = tensor.extract %p[] : tensor<i1>
      cf.cond_br %c, ^negate(%e, %t : tuple<>, {pair}), ^end(%t, %x : {pair}, tensor<?xf32>)
    ^negate(%n: tuple<>, %v: {pair}):
      %a = stablehlo.get_tuple_element %v[0] : ({pair}) -> tensor<?xf32>
      %b = stablehlo.get_tuple_element %v[2] : ({pair}) -> tuple<tensor<f32>>
      %d = stablehlo.negate %a : tensor<?xf32>
      %w = stablehlo.tuple %d, %k, %b : {pair}
      cf.br ^end(%w, %a : {pair}, tensor<?xf32>)
    ^end(%r: {pair}, %y: tensor<?xf32>):
      %f = stablehlo.get_tuple_element %r[0] : ({pair}) -> tensor<?xf32>
      %g = stablehlo.get_tuple_element %r[2] : ({pair}) -> tuple<tensor<f32>>
      %h = stablehlo.get_tuple_element %g[0] : (tuple<tensor<f32>>) -> tensor<f32>
      %z = stablehlo.subtract %f, %y : tensor<?xf32>
      return %z, %h : tensor<?xf32>, tensor<f32>
    }}"""
    program = disc.compile(text)
    for n in (0, 1, 4):
        for negate in (False, True):
            difference, scalar = program(f32(n), np.float32(7), np.bool_(negate))
            np.testing.assert_array_equal(difference, -2 * f32(n) if negate else 0 * f32(n))
            assert scalar == 7


def test_tokens_and_barriers_in_loops() -> None:
    text = """
    func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
      %k = stablehlo.create_token : !stablehlo.token
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %t = stablehlo.tuple %zero, %x : tuple<tensor<i32>, tensor<?xf32>>
      %w:2 = stablehlo.while(%s = %t, %l = %k) : tuple<tensor<i32>, tensor<?xf32>>, !stablehlo.token
        cond {
          %i = stablehlo.get_tuple_element %s[0] : (tuple<tensor<i32>, tensor<?xf32>>) -> tensor<i32>
          %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %i = stablehlo.get_tuple_element %s[0] : (tuple<tensor<i32>, tensor<?xf32>>) -> tensor<i32>
          %y = stablehlo.get_tuple_element %s[1] : (tuple<tensor<i32>, tensor<?xf32>>) -> tensor<?xf32>
          %one = stablehlo.constant dense<1> : tensor<i32>
          %j = stablehlo.add %i, %one : tensor<i32>
          %b:2 = "stablehlo.optimization_barrier"(%y, %l)
            : (tensor<?xf32>, !stablehlo.token) -> (tensor<?xf32>, !stablehlo.token)
          %z = stablehlo.concatenate %b#0, %b#0, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
          %u = stablehlo.tuple %j, %z : tuple<tensor<i32>, tensor<?xf32>>
          %m = stablehlo.after_all %l, %b#1 : !stablehlo.token
          stablehlo.return %u, %m : tuple<tensor<i32>, tensor<?xf32>>, !stablehlo.token
        }
      %r = stablehlo.get_tuple_element %w#0[1] : (tuple<tensor<i32>, tensor<?xf32>>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }"""
    program = disc.compile(text)
    for n, turns in [(0, 3), (1, 0), (3, 1), (2, 4)]:
        np.testing.assert_array_equal(program(f32(n), np.int32(turns)), np.tile(f32(n), 2**turns))


@pytest.mark.parametrize("op, index", [("if", "i1"), ("case", "i32")])
def test_branches_of_different_sizes(op: str, index: str) -> None:
    text = f"""
    func.func @main(%x: tensor<?xf32>, %p: tensor<{index}>) -> tensor<?xf32> {{
      %r = "stablehlo.{op}"(%p) ({{
        %y = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        stablehlo.return %y : tensor<?xf32>
      }}, {{
        stablehlo.return %x : tensor<?xf32>
      }}) : (tensor<{index}>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }}"""
    program = disc.compile(text)
    for n in (0, 1, 4):
        for value in (0, 1):
            doubled = value == (1 if op == "if" else 0)
            got = program(f32(n), np.array(value, np.bool_ if index == "i1" else np.int32))
            np.testing.assert_array_equal(got, np.tile(f32(n), 2 if doubled else 1))


def test_set_and_get_dimension_size() -> None:
    text = """
    func.func @main(%x: tensor<?x4xf32>, %n: tensor<i32>) -> (tensor<?x4xf32>, tensor<i32>, tensor<4xf32>) {
      %y = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<?x4xf32>, tensor<i32>) -> tensor<?x4xf32>
      %m = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
      return %y, %m, %s : tensor<?x4xf32>, tensor<i32>, tensor<4xf32>
    }"""
    program = disc.compile(text)
    x = f32(6, 4)
    for n in (0, 1, 5, 6):
        y, m, s = program(x, np.int32(n))
        np.testing.assert_array_equal(y, x[:n])
        assert m == n
        np.testing.assert_allclose(s, x[:n].sum(0), rtol=1e-5, atol=1e-6)
    for n, message in ((-1, "is -1, expected at least 0"), (7, "is 7, expected at most 6")):
        with pytest.raises(ExecutionError, match=message):
            program(x, np.int32(n))


def test_bounded_sizes() -> None:
    text = """
    func.func @main(%x: tensor<8x4xf32>, %n: tensor<i32>) -> tensor<f32> {
      %y = stablehlo.set_dimension_size %x, %n, dim = 0
        : (tensor<8x4xf32>, tensor<i32>) -> tensor<?x4xf32, #stablehlo.bounds<8, ?>>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1]
        : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>, tensor<f32>) -> tensor<f32>
      return %s : tensor<f32>
    }"""
    program = disc.compile(text)
    for n in (0, 3, 8):
        np.testing.assert_allclose(program(f32(8, 4), np.int32(n)), f32(8, 4)[:n].sum(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("sizes", ["?x?", "3x4", "?x4", "3x?"])
def test_scan(sizes: str, dim: int, reverse: bool) -> None:
    rows, columns = sizes.split("x")
    rest = columns if dim == 0 else rows
    text = f"""
    func.func @main(%x: tensor<{sizes}xf32>, %c: tensor<{rest}xf32>) -> (tensor<{sizes}xf32>, tensor<{rest}xf32>) {{
      %r:2 = chlo.scan(%x) inits (%c) dimension={dim} attributes {{is_reverse = {str(reverse).lower()}}} {{
      ^bb0(%y: tensor<{rest}xf32>, %s: tensor<{rest}xf32>):
        %t = stablehlo.add %y, %s : tensor<{rest}xf32>
        %u = stablehlo.multiply %t, %y : tensor<{rest}xf32>
        stablehlo.return %u, %t : tensor<{rest}xf32>, tensor<{rest}xf32>
      }} : (tensor<{sizes}xf32>, tensor<{rest}xf32>) -> (tensor<{sizes}xf32>, tensor<{rest}xf32>)
      return %r#0, %r#1 : tensor<{sizes}xf32>, tensor<{rest}xf32>
    }}"""
    program = disc.compile(text)
    for n in (0, 1, 5):
        for m in (0, 1, 6):
            shape = tuple(given if size == "?" else int(size) for size, given in ((rows, n), (columns, m)))
            x = f32(*shape)
            carry = f32(shape[1 - dim])
            want = np.empty_like(x)
            state = carry.copy()
            steps = range(shape[dim])
            for step in reversed(steps) if reverse else steps:
                at = (step, slice(None)) if dim == 0 else (slice(None), step)
                state = x[at] + state
                want[at] = state * x[at]
            got, last = program(x, carry)
            np.testing.assert_allclose(got, want, rtol=1e-5)
            np.testing.assert_allclose(last, state, rtol=1e-5)


def unary_einsum(config: str, element: str) -> disc.Compiled:
    types = [f"tensor<{'?x' * len(term)}{element}>" for term in config.split("->")]
    return disc.compile(f"""func.func @main(%x: {types[0]}) -> {types[1]} {{
      %r = "stablehlo.unary_einsum"(%x) {{einsum_config = "{config}"}} : ({types[0]}) -> {types[1]}
      return %r : {types[1]}
    }}""")


@pytest.mark.parametrize("config", ["ij->ij", "ij->ji", "ij->i", "ij->", "ii->i", "ii->"])
def test_unary_einsum(config: str) -> None:
    program = unary_einsum(config, "f32")
    for n in (0, 1, 3):
        x = f32(n, n) if config.startswith("ii") else f32(n, 4)
        np.testing.assert_allclose(program(x), np.einsum(config, x), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("config", ["iii->i", "iij->j", "iijj->ij", "jiij->", "->"])
def test_diagonals(config: str) -> None:
    """What is off the diagonal is not read: it may be NaN."""
    program = unary_einsum(config, "complex<f64>")
    term = config.split("->")[0]
    for size in (0, 1, 3):
        sizes = {letter: size + (letter == "j") for letter in term}
        shape = [sizes[letter] for letter in term]
        x = (f32(*shape) - 2j).astype("c16")
        at = np.indices(shape)
        for first, letter in enumerate(term):
            for second in range(first + 1, len(term)):
                if term[second] == letter:
                    x[at[first] != at[second]] = np.nan
        np.testing.assert_allclose(program(x), np.einsum(config, x), rtol=1e-12)


def test_diagonal_of_a_tensor_that_is_not_square() -> None:
    program = unary_einsum("ii->i", "f32")
    with pytest.raises(ExecutionError, match="expected equal sizes of the dimensions that the letter `i` names"):
        program(f32(3, 4))
    np.testing.assert_array_equal(program(f32(3, 3)), np.diag(f32(3, 3)))


def test_a_letter_twice_in_the_result_is_refused() -> None:
    with pytest.raises(disc.CompileError, match="label `i` is in the result twice"):
        unary_einsum("i->ii", "f32")


@pytest.mark.parametrize("config", ["bij,bjk->ik", "ij,kl->k", "ij,jk->", "iij,jk->ki", "ijk,k->jik", "ij,ij->ij", ",i->i", ",->", "ii,jj->ij", "bi,bi->b"])
def test_einsum(config: str) -> None:
    inputs, out = config.split("->")
    left, right = inputs.split(",")
    types = [f"tensor<{'?x' * len(term)}f32>" for term in (left, right, out)]
    program = disc.compile(f"""func.func @main(%x: {types[0]}, %y: {types[1]}) -> {types[2]} {{
      %r = stablehlo.einsum %x, %y, config = "{config}" : ({types[0]}, {types[1]}) -> {types[2]}
      return %r : {types[2]}
    }}""")
    for base in (0, 1, 3):
        sizes = {letter: base and base + position for position, letter in enumerate("bijkl")}
        x, y = (f32(*(sizes[letter] for letter in term)) for term in (left, right))
        np.testing.assert_allclose(program(x, y), np.einsum(config, x, y), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("batch", [0, 1, 5])
def test_custom_call_of_a_library_function(batch: int) -> None:
    t = f"tensor<{batch}x3x3xf64>"
    text = f"""
    func.func @main(%x: {t}) -> {t} {{
      %r = stablehlo.custom_call @ral.cholesky(%x) {{disc.library, backend_config = {{lower = true}}}} : ({t}) -> {t}
      return %r : {t}
    }}"""
    a = np.random.default_rng(batch).standard_normal((batch, 3, 3))
    x = a @ a.swapaxes(1, 2) + np.eye(3)
    np.testing.assert_allclose(run(text, x)[0], np.linalg.cholesky(x), rtol=1e-13, atol=1e-13)


def test_custom_call_of_a_function_that_is_not_there() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %r = stablehlo.custom_call @nobody.wrote_it(%x) {{{0}}} : (tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }}"""
    with pytest.raises(disc.CompileError, match="custom call `nobody.wrote_it` is unknown"):
        disc.compile(text.format(""))
    with pytest.raises(ExecutionError, match="nobody.wrote_it"):
        run(text.format("disc.library"), f32(4))
