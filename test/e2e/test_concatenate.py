"""Concatenations along the innermost dimension: one loop a piece, whatever the pieces' sizes."""

import itertools

import numpy as np

import disc

TEXT = """
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x3xf32>, %c: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.negate %a : tensor<?x?xf32>
  %1 = stablehlo.concatenate %0, %b, %c, dim = 1 : (tensor<?x?xf32>, tensor<?x3xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.add %1, %y : tensor<?x?xf32>
  %3 = stablehlo.maximum %2, %1 : tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}
"""


def test_pieces_of_any_size():
    f = disc.compile(TEXT)
    assert len(f.report.kernels) == 1
    rng = np.random.default_rng(5)
    for rows, first, last in itertools.product((0, 1, 2, 5), (0, 1, 7, 4096, 5000), (0, 1, 6, 4093, 9000)):
        a, b, c = (rng.standard_normal((rows, n), dtype=np.float32) for n in (first, 3, last))
        y = rng.standard_normal((rows, first + 3 + last), dtype=np.float32)
        whole = np.concatenate([-a, b, c], 1)
        np.testing.assert_array_equal(f(a, b, c, y), np.maximum(whole + y, whole))
