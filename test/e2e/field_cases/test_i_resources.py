"""I: one compilation for all sizes, memory that stays, outputs that live on, refusals that are told."""

import numpy as np
import pytest
import torch
from cases import equal, module, torch_program

import disc

NORM = """
  %.z = stablehlo.constant dense<0.0> : tensor<f32>
  %.e = stablehlo.exponential $0 : tensor<?x?xf32>
  %.s = stablehlo.reduce(%.e init: %.z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %.p = "stablehlo.dot_general"($0, $1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [0]>} : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>"""
TYPES = ["tensor<?x?xf32>", "tensor<?x8xf32>"]
RESULTS = [("%.s", "tensor<?xf32>"), ("%.p", "tensor<?x8xf32>")]


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_i4_sizes_0_and_1_need_no_compilation():
    program = disc.compile(module([(NORM, TYPES, RESULTS)]))
    model = torch_program(lambda x: (x.softmax(1) * 2, x.sum(0)), (torch.randn(3, 4),))
    before = disc.compile_count()
    for n in (0, 1, 2, 7, 1):
        x = np.random.default_rng(n).normal(size=(n, n)).astype("f4")
        total, product = program(x, np.ones((n, 8), "f4"))
        np.testing.assert_allclose(total, np.exp(x).sum(1), rtol=1e-5)
        np.testing.assert_allclose(product, x @ np.ones((n, 8), "f4"), rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(model(torch.tensor(x))[0], torch.tensor(x).softmax(1) * 2)
    assert disc.compile_count() == before


def test_i5_memory_is_flat_over_ten_thousand_shapes():
    program = disc.compile(module([(NORM, TYPES, RESULTS)]))
    shapes = [(b, s) for b in range(1, 101) for s in range(1, 101)]
    order = np.random.default_rng(0).permutation(len(shapes))
    data, weight = np.zeros((100, 100), "f4"), np.zeros((100, 8), "f4")

    def call(shape):
        b, s = shape
        total, product = program(np.ascontiguousarray(data[:b, :s]), weight[:s])
        assert total.shape == (b,) and product.shape == (b, 8)

    for i in order[:2000]:
        call(shapes[i])
    early, memory = program.statistics(), resident()
    for i in order:
        call(shapes[i])
    late = program.statistics()
    assert late["live_bytes"] == early["live_bytes"]
    assert late["peak_bytes"] <= early["peak_bytes"] * 1.05
    assert resident() <= memory * 1.05


CONSTANT = """
  %.one = stablehlo.constant dense<1.0> : tensor<f32>
  %.a = chlo.broadcast_add $0, %.one : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %.k = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %.w = stablehlo.iota dim = 0 : tensor<2000xi32>"""


def test_i7_outputs_outlive_the_run():
    program = disc.compile(
        module(
            [
                (
                    CONSTANT,
                    ["tensor<?xf32>"],
                    [
                        ("%.a", "tensor<?xf32>"),
                        ("%.k", "tensor<3xf32>"),
                        ("%.w", "tensor<2000xi32>"),
                        ("%.k", "tensor<3xf32>"),
                    ],
                )
            ]
        )
    )
    kept = [program(np.full(1000, i, "f4")) for i in range(3)]
    for _ in range(10):
        program(np.zeros(1000, "f4"))
    del program
    for i, (first, constant, table, again) in enumerate(kept):
        equal(first, np.full(1000, i + 1, "f4"))
        equal(constant, np.array([1, 2, 3], "f4"))
        equal(table, np.arange(2000, dtype=np.int32))
        equal(again, constant)
        constant[:] = 0
        assert kept[(i + 1) % 3][1][0] in (0, 1) and again[0] == 1


def test_i7_weights_and_inputs_as_outputs():
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.arange(4.0), requires_grad=False)

        def forward(self, x):
            return x + 1, self.weight, self.weight * 2, x

    model = Model()
    program = disc.compile(model, (torch.randn(5),), ({0: torch.export.Dim.AUTO},))
    kept = [program(torch.full((6,), float(i))) for i in range(3)]
    for i, (first, weight, double, same) in enumerate(kept):
        assert first.tolist() == [i + 1.0] * 6 and same.tolist() == [float(i)] * 6
        assert weight.tolist() == [0, 1, 2, 3] and double.tolist() == [0, 2, 4, 6]


def test_i8_what_is_refused_is_named():
    text = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.custom_call @no.such.function(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
    with pytest.raises(disc.CompileError, match="no.such.function"):
        disc.compile(text)


def test_i8_a_slice_with_computed_bounds_of_unknown_rank_is_a_diagnostic():
    text = """func.func @main(%x: tensor<*xf32>, %s: tensor<?xi64>, %e: tensor<?xi64>, %t: tensor<?xi64>) -> tensor<*xf32> {
  %0 = "stablehlo.real_dynamic_slice"(%x, %s, %e, %t) : (tensor<*xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}"""
    with pytest.raises(disc.CompileError, match="rank"):
        disc.compile(text)
