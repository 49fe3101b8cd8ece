"""Runs compiled artifacts: the Python face of RAL."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, Mapping

import numpy as np

from . import _runtime
from .errors import ExecutionError

Context = _runtime.Context


def _coerce(value: Any, dtype: str) -> np.ndarray:
    """A numpy array of `value`, which neither has a readable buffer nor is a framework's tensor.

    dtype: MLIR's name of the element type that the program expects, or "?".
    """
    if isinstance(value, np.ndarray):
        if not value.dtype.isnative:
            return value.astype(value.dtype.newbyteorder("="))
        if value.dtype.name in _FOREIGN and value.dtype.name == _numpy_name(dtype):
            return value.view(f"{'i' if value.dtype.name.startswith('int') else 'u'}{value.dtype.itemsize}")
        if value.dtype.kind in "biufc":
            return np.ascontiguousarray(value)
        raise TypeError(f"expected element type {dtype}, got an array of {value.dtype}")
    if isinstance(value, (bool, int, float, complex)) and hasattr(np, _numpy_name(dtype)):
        return np.asarray(value, dtype=_numpy_name(dtype))
    if hasattr(value, "__array__") or hasattr(value, "__dlpack__"):
        return np.asarray(value)
    raise TypeError(f"expected an array of {dtype}, got {type(value).__name__}")


def _finish(array: np.ndarray, dtype: str) -> np.ndarray:
    """`array` of integers as ml_dtypes' type for `dtype`, where that package is installed."""
    try:
        import ml_dtypes
    except ImportError:
        return array
    kind = getattr(ml_dtypes, _numpy_name(dtype), None)
    return array if kind is None else array.view(kind)


_FOREIGN = {"bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e4m3b11fnuz"}
_FOREIGN |= {"float8_e4m3", "float8_e3m4", "float8_e8m0fnu", "int2", "int4", "uint2", "uint4"}


def _numpy_name(dtype: str) -> str:
    """numpy's (or ml_dtypes') name of MLIR's element type `dtype`."""
    names = {"i1": "bool_", "index": "int64", "bf16": "bfloat16", "complex<f32>": "complex64"}
    if dtype in names or dtype == "complex<f64>":
        return names.get(dtype, "complex128")
    if dtype.startswith("f8"):
        return "float8_" + dtype[2:].lower()
    return dtype.replace("ui", "uint") if dtype.startswith("ui") else _SIGNED.get(dtype[:1], "") + dtype[1:]


_SIGNED = {"i": "int", "f": "float"}

_runtime.set_hooks(ExecutionError, _coerce, _finish)


def blas_library() -> str:
    """Path of the OpenBLAS that multiplies matrices, or "" where scipy-openblas32 is not installed."""
    try:
        import scipy_openblas32
    except ImportError:
        return ""
    return str(Path(scipy_openblas32.get_lib_dir(), scipy_openblas32.get_library(fullname=True)))


def context(threads: int | None = None, parallel: str = "auto") -> Context:
    """The context that programs with these options share: one pool of memory, one set of threads, one registry.

    threads:  workers of a parallel loop; None: as many as the process's OpenMP runtime uses
    parallel: "auto", "openmp", "threads" or "serial"
    """
    return _shared(threads, parallel)


@functools.cache
def _shared(threads: int | None, parallel: str) -> Context:
    return make_context(threads=threads, parallel=parallel)


def register(name: str, function: Any, context: Context | None = None) -> None:
    """Makes `function` the library function `name`, for `custom_call`s that say `disc.library`.

    function: a `ral_library_fn` (ral_types.h), as a function of a `ctypes.CDLL`; it stays loaded as long as the process
    context:  where it is known; None: the one of programs that name neither context nor threads
    """
    import ctypes

    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    _REGISTERED.append(function)
    (context or _default_context(None)).register_call(name, address)


_REGISTERED: list[Any] = []  # a function's library is not unloaded while contexts may call it


def make_context(
    *,
    threads: int | None = None,
    parallel: str = "auto",
    blas: str | None = None,
    kernels: str = "",
    memory_limit: int = 0,
    idle_limit: int = 0,
) -> Context:
    """A context of its own.

    blas:         path of OpenBLAS; None: the one of scipy-openblas32; "": the built-in product
    kernels:      of f32 products and convolutions: "amx", "avx512bf16", "avx512", "avx2" or "base"; "": the best of
                  this CPU. `query("kernels")` of a context says which it has
    memory_limit: bytes that may be in use at once; 0: the machine's memory
    idle_limit:   bytes that the pool may keep above the recent peak; 0: 64 MiB
    """
    library = blas_library() if blas is None else blas
    return Context(threads or 0, parallel, library, kernels, memory_limit, idle_limit)


class Program:
    """An artifact with its constants: call it with arrays, from any number of threads.

    Inputs are numpy arrays, torch CPU tensors or what numpy.asarray takes. Contiguous ones are not copied. Outputs are
    a list of torch tensors where an input (without inputs: a constant) is one, else of numpy arrays; they own their
    memory. bf16 and f8 arrays are ml_dtypes' where that package is installed, else unsigned integers of that size.
    """

    def __init__(
        self,
        path: str | Path,
        constants: Mapping[str, Any] | None = None,
        *,
        threads: int | None = None,
        context: Context | None = None,
    ) -> None:
        """path: the artifact's shared object; constants: by name, kept without a copy where contiguous.

        Raises ExecutionError when the file is no artifact or a constant does not fit.
        """
        self.context = context if context is not None else _default_context(threads)
        self._program = _runtime.Program(self.context, str(path))
        self.set_constants(constants or {})
        self._call = self._program.__call__

    def set_constants(self, constants: Mapping[str, Any]) -> None:
        """Sets or replaces constants by name. Not while the program runs."""
        for name, value in constants.items():
            self._program.set_constant(name, value)

    def __call__(self, *inputs: Any) -> list[Any]:
        return self._call(*inputs)

    @property
    def signature(self) -> str:
        """Inputs, constants and outputs, one a line: `input 0 i64 ids b,s`."""
        return self._program.signature()

    def statistics(self) -> dict[str, int]:
        """The context's counters: live, peak and pooled bytes, allocations, executions."""
        return self.context.statistics()


_default_context = context
