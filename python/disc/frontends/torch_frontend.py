"""torch.nn.Module or torch.export.ExportedProgram to StableHLO, by way of torch.export and torch-mlir.

Weights do not travel through text: parameters and buffers become leading arguments of @main that are marked with
`disc.constant`, and their data stays in torch.
"""

from __future__ import annotations

import contextlib
import gc
import re
import time
import warnings
from collections import Counter
from typing import Any, Callable, Iterator

import torch
import torch._dynamo.config as dynamo_config
import torch.fx.experimental._config as symbolic_shapes_config
import torch.nn.functional as functional

from ..dims import to_torch
from ..errors import CompileError
from . import Imported
from .torch_bodies import define, outline, place_of, retarget
from .torch_calls import flatten_with, structure_of, take_tensors
from .torch_decompose import Program, decompose
from .torch_decompositions import cdist
from .torch_facts import Sizes, tensor_specs


def import_torch(model: Any, args: tuple, kwargs: dict, dynamic_shapes: Any = None) -> Imported:
    """`args`/`kwargs`: example inputs; `dynamic_shapes`: torch.export's form."""
    with _only_new_garbage():
        return _import(model, args, kwargs, dynamic_shapes)


@contextlib.contextmanager
def _only_new_garbage() -> Iterator[None]:
    """Garbage is looked for among new objects only: a look at all of torch's takes tenths of a second."""
    if gc.get_freeze_count():  # the user's own choice
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _import(model: Any, args: tuple, kwargs: dict, dynamic_shapes: Any) -> Imported:
    phases: dict[str, float] = {}
    started = time.perf_counter()
    dynamic_shapes, dims = to_torch(dynamic_shapes, torch.export.Dim)
    given = isinstance(model, torch.export.ExportedProgram)
    exported = model if given else _export(model, args, kwargs, dynamic_shapes)
    phases["torch.export"] = time.perf_counter() - started

    started = time.perf_counter()
    program = decompose(exported)
    phases["decompose"] = time.perf_counter() - started

    started = time.perf_counter()
    unflatten, results = take_tensors(program)
    text = _lower(program)
    phases["torch-mlir"] = time.perf_counter() - started
    specs = tensor_specs(model, args, kwargs, dynamic_shapes) if isinstance(model, torch.nn.Module) else []
    imported = _describe(program, text, unflatten, phases, Sizes(program, specs, dims))
    imported.structure = {"inputs": structure_of(program.call_spec.in_spec), "results": results}
    return imported


def _export(model: torch.nn.Module, args: tuple, kwargs: dict, dynamic_shapes: Any) -> torch.export.ExportedProgram:
    if not isinstance(model, torch.nn.Module):
        raise CompileError(f"expected a torch.nn.Module, got {type(model).__name__}")

    def export() -> torch.export.ExportedProgram:
        remembers = dynamo_config.patch(fake_tensor_cache_enabled=_equal_blocks(model) > _FEW_BLOCKS)
        with warnings.catch_warnings(), torch.no_grad(), _evaluated(model), _Redirect(), remembers:
            warnings.simplefilter("ignore")
            return torch.export.export(model, args, kwargs or None, dynamic_shapes=dynamic_shapes, strict=False)

    try:
        program = export()
    except Exception as error:
        raise CompileError(f"torch.export could not export the model: {error}") from error
    if not _took_sides(program):
        return program
    # The trace took branches that depend on the example's sizes, as slices do: once more, taking none.
    try:
        with symbolic_shapes_config.patch(backed_size_oblivious=True):
            return export()
    except Exception:  # noqa: BLE001 - some branch of the model itself does: it stays as the example has it
        return program


# To remember what sizes an op gives costs torch as much as to find out twice: that pays where layers are many.
_FEW_BLOCKS = 4


def _equal_blocks(model: torch.nn.Module) -> int:
    """How often the most frequent module with parts occurs."""
    blocks = (block for block in model.modules() if any(block.children()))
    kinds = Counter((type(b), *(p.shape for p in b.parameters())) for b in blocks)
    return max(kinds.values(), default=1)


@contextlib.contextmanager
def _evaluated(model: torch.nn.Module) -> Iterator[None]:
    """The model in evaluation mode; afterwards each module is in its own again."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training


def _max_pool1d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    pair = lambda value, other: (other, *value) if isinstance(value, (tuple, list)) else (other, value)
    stride = kernel_size if stride in (None, [], ()) else stride
    sizes = pair(kernel_size, 1), pair(stride, 1), pair(padding, 0), pair(dilation, 1)
    wide = functional.max_pool2d(x.unsqueeze(-2), *sizes, ceil_mode, return_indices)
    return tuple(v.squeeze(-2) for v in wide) if return_indices else wide.squeeze(-2)


def _linspace(start, end, steps, **options):
    """Counted from the nearer end, as torch does; the only element of one is `start`."""
    if not isinstance(steps, torch.SymInt):
        return torch.linspace(start, end, steps, **options)
    kind = options.pop("dtype", None) or torch.get_default_dtype()
    at = torch.arange(steps, **options).to(kind)
    step = (torch.ones((), dtype=kind) * end - start) / torch.clamp_min(torch.ones((), dtype=kind) * (steps - 1), 1)
    return torch.where(at < steps // 2 + steps % 2, start + step * at, end - step * (at * -1 + (steps - 1)))


class _Redirect(torch.overrides.TorchFunctionMode):
    """Functions whose own code reads sizes as numbers, in terms of others that do not."""

    _TABLE = {
        **dict.fromkeys((torch.max_pool1d, functional.max_pool1d, functional._max_pool1d), _max_pool1d),
        torch.linspace: _linspace,
        torch.cdist: cdist,
    }

    def __torch_function__(self, function, types, args=(), kwargs=None):
        return self._TABLE.get(function, function)(*args, **(kwargs or {}))


def _took_sides(program: torch.export.ExportedProgram) -> bool:
    """Whether the export holds for some sizes only, other than equal ones."""
    guards = getattr(program, "_guards_code", None) or []
    size = r"L\[[^\s=]*\.size\(\)\[\d+\]"
    return any(not re.fullmatch(rf"{size} == {size}", guard) for guard in guards)


# torch-mlir's two pipelines as far as StableHLO appears: what follows there refuses calls, and refines shapes, which is
# the compiler's to do.
_PIPELINES = (
    "func.func(torch-match-quantized-custom-ops),torchdynamo-export-to-torch-backend-pipeline{extra-library=}",
    "func.func(convert-torch-to-stablehlo{allow-non-finites=true enable-i32-index=false enable-static-shape=false},"
    "convert-torch-to-arith,canonicalize,cse),torch-func-backend-type-conversion-for-stablehlo,"
    "func.func(canonicalize,torch-finalizing-backend-type-conversion-for-stablehlo,canonicalize)",
)


def _lower(program: Program) -> str:
    try:
        from torch_mlir.dialects import torch as torch_dialect
        from torch_mlir.extras.fx_importer import FxImporter
        from torch_mlir.ir import Context, MLIRError
        from torch_mlir.passmanager import PassManager
    except ImportError as error:
        raise CompileError("torch models need torch-mlir: `pip install 'disc-compiler[torch]'`") from error
    context = Context()
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context)
    try:
        retarget(program.graph)
        importer.import_stateless_graph(program.graph, func_name="main")
        outlined = outline(importer.module)
        for pipeline in _PIPELINES:
            PassManager.parse(f"builtin.module({pipeline})", context).run(importer.module.operation)
        return define(str(importer.module), outlined)
    except MLIRError as error:
        lines = "\n".join(f"  {place_of(str(d.location))}: {_shorter(d.message)}" for d in error.error_diagnostics)
        raise CompileError(f"torch-mlir could not lower the model:\n{lines}", diagnostics=str(error)) from error
    except Exception as error:
        text = str(error)
        raise CompileError(f"torch-mlir could not lower the model: {_unknown(text)}", diagnostics=text) from error


def _shorter(message: str) -> str:
    """torch-mlir's message with the name of an op that it does not know, without the op's text and types."""
    name = re.search(r'name = "torch\.([\w.]+)"', message)
    return f"`{name[1]}` is not supported" if name and "torch.operator" in message else message.partition(": %")[0]


def _unknown(message: str) -> str:
    """The importer's message about a function that it does not know, without the node's metadata."""
    name = re.search(r"Unimplemented call_function: target=<[\w ]*?(\w+)(?: at 0x\w+)?>", message)
    frames = re.findall(r'File "([^"]+)", line (\d+)', message)
    if not name:
        return message
    own = [f for f in frames if not re.search(r"/(site|dist)-packages/torch/", f[0])]
    return f"`{name[1]}` is not supported" + (f" (at {':'.join((own or frames)[-1])})" if frames else "")


def _describe(
    program: Program, text: str, unflatten: Callable[[list], Any], phases: dict[str, float], sizes: Sizes
) -> Imported:
    signature = program.graph_signature
    kinds = torch.export.graph_signature.InputKind
    placeholders = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    constants: dict[str, Any] = {}
    attributes: list[str] = []
    names: list[str] = []
    values: list[torch.Tensor] = []
    for spec in signature.input_specs:
        node = placeholders[spec.arg.name]
        if spec.kind in (kinds.PARAMETER, kinds.BUFFER):
            source = program.state_dict if spec.target in program.state_dict else program.constants
            constants[spec.target] = source[spec.target].detach()
            attributes.append(f'disc.constant = "{spec.target}"')
        elif spec.kind == kinds.CONSTANT_TENSOR:
            constants[spec.target] = program.constants[spec.target].detach()
            attributes.append(f'disc.constant = "{spec.target}"')
        elif spec.kind == kinds.USER_INPUT:
            value = node.meta.get("val")
            if not isinstance(value, torch.Tensor):
                raise CompileError(f"input `{spec.arg.name}`: expected a tensor, got {type(value).__name__}")
            attributes.append(f'disc.name = "{spec.arg.name}", disc.dims = [{sizes.attribute(value)}]')
            names.append(spec.arg.name)
            values.append(value)
        else:
            raise CompileError(f"input `{spec.arg.name}`: inputs of kind {spec.kind} are not supported")
    mutated = [s.target for s in signature.output_specs if s.kind.name in ("BUFFER_MUTATION", "USER_INPUT_MUTATION")]
    if mutated:
        raise CompileError(f"the model changes {mutated} in place; return the new values instead")
    return Imported(
        text=_mark(text, attributes, sizes.symbols(values)),
        constants=constants,
        flatten=flatten_with(program.call_spec.in_spec),
        unflatten=unflatten,
        input_names=names,
        phases=phases,
    )


_MAIN = re.compile(r"func\.func @main\((?P<arguments>[^)]*)\)(?P<results>[^\n]*)(?P<body> \{\n)")
_ARGUMENT = re.compile(r"(%\w+: tensor<[^>]*(?:<[^>]*>)?>)(?: \{[^}]*\})?")


def _mark(text: str, attributes: list[str], of_function: str) -> str:
    """Adds attributes to @main and its arguments (types hold no parentheses, so the header is regular)."""
    match = _MAIN.search(text)
    if not match:
        raise CompileError("torch-mlir's module has no function @main")
    arguments = _ARGUMENT.findall(match["arguments"])
    if len(arguments) != len(attributes):
        raise CompileError(f"expected {len(attributes)} arguments of @main from the export, found {len(arguments)}")
    marked = ", ".join(f"{argument} {{{attribute}}}" for argument, attribute in zip(arguments, attributes))
    results = match["results"] + (f" attributes {{{of_function}}}" if of_function else "")
    header = text[match.start() : match.start("arguments")] + marked + ")" + results + match["body"]
    return text[: match.start()] + header + text[match.end() :]
