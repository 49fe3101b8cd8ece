"""Buffers and RAL's ops: memref, lmhlo_disc. Fresh and freed memory has bytes 0xA5, so that reading it shows."""

from __future__ import annotations

import math

import numpy as np

from .core import Call, op
from .shapes import reshape
from .tensor_dialect import boxes, mixed, unwritten
from .types import elements


@op("memref.alloc", "memref.alloca", "lmhlo_disc.block_buffer")
def alloc(c: Call, *known):
    return unwritten(c.shape(*[int(k) for k in known]), c.dtype())


@op("memref.dealloc")
def dealloc(_: Call, x):
    if x.flags.writeable:
        x[...] = unwritten(x.shape, x.dtype)
    return []


@op("memref.view")
def view(c: Call, x, start, *known):
    """A buffer in an arena: an array of its own, of which other views count places."""
    shape, dtype, start = c.shape(*[int(k) for k in known]), c.dtype(), int(start)
    size = math.prod(shape) * np.dtype(c.types[0].dtype).itemsize
    if not 0 <= start <= x.size - size:
        raise c.fail(f"bytes {start} to {start + size} are outside of an arena of {x.size}")
    if size == 0 or dtype != c.types[0].dtype:  # narrow floats computed in f32 would not fit
        return unwritten(shape, dtype)
    return np.frombuffer(x[start : start + size].data, dtype).reshape(shape)


@op("memref.copy")
def copy(_: Call, x, to):
    to[...] = x
    return []


@op("memref.prefetch")
def prefetch(_: Call, *place):
    return []


@op("memref.load")
def load(c: Call, x, *at):
    return x[_place(c, x, at)]


@op("memref.store")
def store(c: Call, value, x, *at):
    x[_place(c, x, at)] = value
    return []


def _place(c: Call, x: np.ndarray, at) -> tuple[int, ...]:
    place = tuple(int(i) for i in at)
    if any(not 0 <= i < n for i, n in zip(place, x.shape, strict=True)):
        raise c.fail(f"{list(place)} is outside of a buffer of shape {list(x.shape)}")
    return place


@op("memref.get_global")
def get_global(c: Call):
    name = c.attr("name").value
    if name not in c.machine.globals:
        c.machine.globals[name] = elements(c.machine.symbols[name], "initial_value")
    return c.machine.globals[name]


@op("memref.reinterpret_cast", "memref.subview")
def reinterpret_cast(c: Call, x, *operands):
    offsets, sizes, strides = boxes(c, operands)
    own = [s // x.itemsize for s in x.strides]
    if c.name == "memref.subview":
        at = sum(o * s for o, s in zip(offsets, own, strict=True))
        strides = [a * b for a, b in zip(strides, own, strict=True)]
    else:
        at = offsets[0]
    # Elements before and after x belong to its memory: start from the array that owns it.
    base = x
    while isinstance(base.base, np.ndarray):
        base = base.base
    start = (x.ctypes.data - base.ctypes.data) // x.itemsize + at if c.name == "memref.subview" else at
    flat = base.view(x.dtype).reshape(-1)
    last = start + sum((n - 1) * s for n, s in zip(sizes, strides)) if 0 not in sizes else start
    if 0 not in sizes and not 0 <= start <= last < flat.size:
        raise c.fail(f"elements {start} to {last} are outside of a buffer of {flat.size}")
    view = np.lib.stride_tricks.as_strided(flat[min(start, flat.size) :], sizes, [s * x.itemsize for s in strides])
    return view.reshape(c.shape(*[n for n, t in zip(sizes, c.types[0].shape) if t is None])) if 0 in sizes else view


@op("memref.collapse_shape")
def collapse_shape(c: Call, x):
    groups = [list(g) for g in c.attr("reassociation")]
    return x.reshape([int(np.prod([x.shape[int(d)] for d in g], dtype=np.int64)) for g in groups])


@op("memref.expand_shape")
def expand_shape(c: Call, x, *known):
    return reshape(c, x, tuple(mixed(c, "output_shape", iter(known))))


@op("memref.assume_alignment", "memref.memory_space_cast")
def assume_alignment(_: Call, x):
    return x


@op("builtin.unrealized_conversion_cast", elementwise=True)
def cast(c: Call, x):
    """The same bits as signed, unsigned or signless integers; a buffer stays the same memory."""
    return x.view(c.dtype()) if x.dtype != c.dtype() else x


# Destination-passing ops: results on tensors, written buffers on memrefs.


def finish(c: Call, values, outs) -> list[np.ndarray]:
    for out, value in zip(outs, values, strict=True):
        if out.shape != value.shape:
            raise c.fail(f"a value of shape {list(value.shape)} for a destination of shape {list(out.shape)}")
    if c.types:
        return list(values)
    for out, value in zip(outs, values):
        out[...] = value
    return []


@op("lmhlo_disc.fusion")
def fusion(c: Call, *operands):
    n = len(c.blocks()[0].arguments)
    ins = [x.copy() if not c.types else x for x in operands[:n]]
    return finish(c, c.region(0, *ins), operands[n:])


@op("lmhlo_disc.dot_general")
def dot_general(c: Call, x, y, into):
    from .contractions import operand, rounded

    x = np.swapaxes(x, -1, -2) if c.attr("transpose_lhs") is not None else x
    y = np.swapaxes(y, -1, -2) if c.attr("transpose_rhs") is not None else y
    return finish(c, [rounded(operand(x, into.dtype) @ operand(y, into.dtype), into.dtype)], [into])


@op("lmhlo_disc.reshape_view")
def reshape_view(c: Call, x, *known):
    return reshape(c, x, c.shape(*[int(k) for k in known]))


@op("lmhlo_disc.recv_input")
def recv_input(c: Call):
    return c.machine.received[c.value("index")]


@op("lmhlo_disc.recv_constant")
def recv_constant(c: Call):
    name = c.value("name")
    if name not in c.machine.constants:
        raise c.fail(f"constant `{name}` is not given; given are {sorted(c.machine.constants)}")
    return c.machine.constants[name]


@op("lmhlo_disc.send_output")
def send_output(c: Call, x):
    c.machine.sent[c.value("index")] = x.copy()
    return []


@op("lmhlo_disc.element_count")
def element_count(c: Call, *sizes):
    count = math.prod(int(size) for size in sizes)
    return np.array(count if abs(count) < 2**63 else -1, np.int64)


@op("lmhlo_disc.workers")
def workers(_: Call):
    return np.array(1, np.int64)


@op("lmhlo_disc.stitch")
def stitch(c: Call):
    """All rows as one block."""
    return c.region(0)


@op("lmhlo_disc.launch")
def launch(c: Call, *operands):
    *args, size, _ = operands
    zero = np.array(0, np.int64)
    if int(size) > 0:
        c.machine.call(c.attr("kernel").value, [*args, zero, size, zero])
    return []
