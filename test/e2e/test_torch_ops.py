"""Torch ops with checks or decompositions of ours, at dynamic sizes, against torch."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_mlir")

import torch.nn.functional as functional  # noqa: E402

import disc  # noqa: E402
from disc.errors import ExecutionError  # noqa: E402

AUTO = torch.export.Dim.AUTO
WEIGHT = torch.randn(5, 3, generator=torch.Generator().manual_seed(0))


class Model(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def compiled(function, example, dynamic=None):
    dims = [range(x.dim()) for x in example] if dynamic is None else dynamic
    shapes = (tuple({d: AUTO for d in of} for of in dims),)
    return disc.compile(Model(function), tuple(example), shapes)


def check(function, *calls, dynamic=None):
    """The first call is the example."""
    fast = compiled(function, calls[0], dynamic)
    for call in calls:
        expected = function(*call)
        torch.testing.assert_close(fast(*call), expected, rtol=1e-5, atol=1e-6, equal_nan=True)


def ints(*values):
    return torch.tensor(values, dtype=torch.int64)


def image(*sizes):
    return torch.randn(*sizes, generator=torch.Generator().manual_seed(sum(sizes)))


INDEXED = {
    "embedding": (lambda x, i: functional.embedding(i[0], x), 0, False),
    "gather": (lambda x, i: torch.gather(x, 0, i), 0, False),
    "index_select": (lambda x, i: torch.index_select(x, 0, i[0]), 0, False),
    "scatter": (lambda x, i: x.scatter(0, i, i.to(x.dtype)), 0, False),
    "scatter_add": (lambda x, i: x.scatter_add(0, i, i.to(x.dtype)), 0, False),
    "index": (lambda x, i: x[i[0]], 0, True),
    "index_put": (lambda x, i: x.index_put((i[0],), x[:1]), 0, True),
}


@pytest.mark.parametrize("name", INDEXED)
def test_positions_out_of_range_are_errors(name):
    function, dim, wraps = INDEXED[name]
    x, good = image(4, 3), torch.tensor([[0, 3], [2, 1]])
    fast = compiled(function, (x, good))
    torch.testing.assert_close(fast(x, good), function(x, good))
    for wrong in (4, -5) if wraps else (4, -1):
        index = good.clone()
        index[0, 1] = wrong
        with pytest.raises((IndexError, RuntimeError)):
            function(x, index)
        where = rf"`{name}` at \S*test_torch_ops.py:\d+: "
        what = rf"index out of range of dimension {dim}: found {wrong}, the size is 4$"
        with pytest.raises(ExecutionError, match=where + what):
            fast(x, index)
    if wraps:
        negative = torch.tensor([[-1, -4], [0, 0]])
        torch.testing.assert_close(fast(x, negative), function(x, negative))


def test_positions_in_nothing():
    """No position is in range of no rows, and none is out of range where there are none."""
    x, ids = image(4, 3), torch.tensor([[0, 3], [2, 1]])
    fast = compiled(lambda x, i: functional.embedding(i, x), (x, ids))
    torch.testing.assert_close(fast(x[:0], ids[:0]), torch.zeros(0, 2, 3))
    torch.testing.assert_close(fast(x[:1], ids[:, :0]), torch.zeros(2, 0, 3))
    for none in (ids[1:1], ids[:, 2:]):
        torch.testing.assert_close(fast(x[:0], none), torch.zeros(*none.shape, 3))
    with pytest.raises(ExecutionError, match="dimension 0 of `operand` is 0, expected at least 1"):
        fast(x[:0], torch.zeros(1, 1, dtype=torch.int64))
    with pytest.raises(ExecutionError, match="found -9223372036854775808, the size is 4"):
        fast(x, torch.tensor([[0, -(2**63)]]))
    with pytest.raises(ExecutionError, match="found 9223372036854775807, the size is 4"):
        fast(x, torch.tensor([[2**63 - 1], [0]]))


def test_narrow_positions_in_long_dimensions():
    """As numbers of the index's own type the sizes would be others."""
    x, ids = image(300, 2), torch.tensor([127, 0], dtype=torch.int32)
    fast = compiled(lambda x, i: functional.embedding(i, x), (x, ids))
    torch.testing.assert_close(fast(x, ids), x[ids.long()])
    with pytest.raises(ExecutionError, match="`embedding` at .*: found 300, the size is 300"):
        fast(x, torch.tensor([1, 300, 2], dtype=torch.int32))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.max(x, 1),
        lambda x: torch.min(x, 1)[0],
        lambda x: x.amax(1),
        lambda x: x.amin((0, 1)),
        lambda x: x.argmax(1),
        lambda x: x.max(),
    ],
)
def test_maxima_of_nothing_are_errors(function):
    fast = compiled(function, (image(4, 3),))
    with pytest.raises((IndexError, RuntimeError)):
        function(torch.zeros(4, 0))
    with pytest.raises(ExecutionError, match=r"test_torch_ops.py:\d+: maximum or minimum .* without elements"):
        fast(torch.zeros(4, 0))
    torch.testing.assert_close(fast(image(2, 5)), function(image(2, 5)))


def test_softmax_and_logsumexp_of_nothing_are_none():
    check(lambda x: torch.log_softmax(x, 1), (image(4, 3),), (torch.zeros(4, 0),))


def test_integer_quotients_round_down():
    least = -(2**63)
    x, y = ints(least, 7, -7, 7, -7, 6), ints(-1, 2, 2, -2, -2, -3)
    fast = compiled(lambda x, y: (x // y, torch.div(x, y, rounding_mode="floor"), x % y), (x, y))
    quotients = ints(least, 3, -4, -4, 3, -2)
    for got, expected in zip(fast(x, y), (quotients, quotients, torch.remainder(x, y))):
        torch.testing.assert_close(got, expected)


@pytest.mark.parametrize("ends", [(0, 1), (-3.0, 7.5)])
def test_linspace_of_a_dynamic_size(ends):
    check(lambda x: torch.linspace(*ends, x.shape[0]), *[(image(n),) for n in (5, 1, 0, 2, 33)])


@pytest.mark.parametrize("p", [0.0, 1.0, 2.0, 3.0, float("inf")])
def test_cdist(p):
    check(
        lambda x, y: torch.cdist(x, y, p=p, compute_mode="donot_use_mm_for_euclid_dist"),
        *[(image(b, n, 3), image(b, m, 3)) for b, n, m in [(2, 5, 4), (1, 30, 31), (1, 0, 2)]],
        dynamic=[(0, 1), (0, 1)],
    )


def test_adaptive_max_pooling():
    both = lambda x: functional.adaptive_max_pool2d(x, (3, 2), return_indices=True)
    check(both, *[(image(*s),) for s in [(2, 3, 7, 9), (1, 3, 3, 2), (1, 3, 11, 5)]])
    check(lambda x: functional.adaptive_max_pool1d(x, 3), *[(image(2, 3, n),) for n in (7, 3, 10)])
    check(lambda x: functional.adaptive_max_pool3d(x, 2), *[(image(2, 3, 5, 6, n),) for n in (7, 3, 10)])


@pytest.mark.parametrize("mode, rank", [("linear", 3), ("bilinear", 4), ("trilinear", 5)])
def test_resizing_with_aligned_corners(mode, rank):
    sizes = [(2, 3, 5, 7, 4), (1, 3, 1, 2, 3), (2, 3, 9, 4, 2)]
    resize = lambda x: functional.interpolate(x, scale_factor=2, mode=mode, align_corners=True)
    check(resize, *[(image(*s[:rank]),) for s in sizes])
    to = lambda x, y: functional.interpolate(x, size=y.shape, mode=mode, align_corners=True)
    targets = [(4, 9, 3), (2, 1, 6), (1, 5, 2)]
    check(to, *[(image(*s[:rank]), image(*target[: rank - 2])) for s, target in zip(sizes, targets)])


def test_padding_by_mirroring_and_going_on():
    for mode in ("reflect", "circular", "replicate"):
        check(lambda x: functional.pad(x, (2, 1), mode=mode), (image(2, 3, 7),), (image(1, 3, 4),))
        check(lambda x: functional.pad(x, (2, 1, 0, 2), mode=mode), (image(2, 3, 7, 6),), (image(1, 3, 4, 5),))


def test_median():
    nan = image(4, 6)
    nan[1, 2] = float("nan")
    check(lambda x: torch.median(x), *[(x,) for x in (image(5, 3), image(4, 1), nan)])
    check(lambda x: torch.median(x, 1), *[(x,) for x in (image(5, 3), image(4, 1), image(4, 6), nan)])


def test_searchsorted():
    ordered, ties = torch.tensor([-1.0, 0.5, 0.5, 2.0]), torch.tensor([0.5, -3.0, 2.5, float("nan"), 1.0])
    for right in (False, True):
        search = lambda x, y: torch.searchsorted(x, y, right=right)
        check(search, (ordered, ties), (ordered[:1].clone(), ties[:2].clone()), (ordered, ties[:0].clone()))
    check(torch.searchsorted, (image(2, 6).sort()[0], image(2, 4)), (image(1, 3).sort()[0], image(1, 9)))


@pytest.mark.parametrize("offset", [0, 1, -2])
def test_diagonals(offset):
    check(lambda x: torch.diagonal(x, offset, 1, 2), *[(image(*s),) for s in [(2, 5, 4), (1, 3, 7), (2, 1, 1)]])


@pytest.mark.parametrize("place", [slice(1, 3), slice(-2, None), slice(None, None, 2), slice(1, None, 3)])
def test_slices_are_written(place):
    def write(x):
        y = torch.zeros_like(x)
        y[:, place] = x[:, place] * 2
        return y

    check(write, *[(image(*s),) for s in [(5, 6), (3, 5), (1, 9)]])


@pytest.mark.parametrize("inverse, counts", [(False, False), (True, False), (True, True)])
def test_unique(inverse, counts):
    distinct = lambda x: torch.unique(x, return_inverse=inverse, return_counts=counts)
    check(distinct, (ints(3, 1, 3, 7, 1),), (ints(5),), (ints(),), (ints(2, 2, 2, 2),))
    check(distinct, (torch.tensor([[0.5, -1.0], [0.5, 2.0]]),), (torch.zeros(3, 4),))


def test_bincount():
    check(lambda x: torch.bincount(x, minlength=3), (ints(1, 5, 1, 0),), (ints(),), (ints(9),))
    fast = compiled(lambda x, w: torch.bincount(x, w), (ints(1, 5, 1, 0), image(4)))
    x, weights = ints(2, 2, 0), image(3)
    torch.testing.assert_close(fast(x, weights), torch.bincount(x, weights))
    with pytest.raises(ExecutionError, match="negative"):
        fast(ints(1, -1, 2), weights)


def test_prefixes_of_a_computed_length():
    """Up to the whole; none at all too, which torch-mlir takes for all."""
    table = image(8, 3)
    length = torch.export.Dim("n", max=8)
    fast = disc.compile(Model(lambda x: table[: x.shape[0]] + x), (image(5, 3),), (({0: length},),))
    for n in (8, 1, 0):
        torch.testing.assert_close(fast(image(n, 3)), table[:n] + image(n, 3))
