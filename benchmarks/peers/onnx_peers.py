"""ONNX Runtime and OpenVINO."""

from __future__ import annotations

from typing import Any

from .base import Peer, Runner, Setup, export, short, to_onnx


def build_ort(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    import numpy as np
    import onnxruntime as ort
    import torch

    path, note = to_onnx(model, example, dims, setup)
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = setup.threads, 1
    session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    inputs, outputs = [i.name for i in session.get_inputs()], [o.name for o in session.get_outputs()]
    types = {torch.float32: np.float32, torch.int64: np.int64, torch.bool: np.bool_}

    def run(tensors: tuple) -> list:
        binding = session.io_binding()
        for name, x in zip(inputs, tensors):
            binding.bind_input(name, "cpu", 0, types[x.dtype], tuple(x.shape), x.data_ptr())
        for name in outputs:
            binding.bind_output(name, "cpu")
        session.run_with_iobinding(binding)
        return [torch.from_dlpack(o._ortvalue.to_dlpack()) for o in binding.get_outputs()]

    return Runner(run, note=note)


def _openvino(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup, precision: str | None) -> Runner:
    """Tries the ways into OpenVINO one by one; some conversions fail only when run."""
    import openvino as ov
    import torch

    def convert(way: str) -> Any:
        if way == "fx":
            return ov.convert_model(export(model, example, dims)[0])
        if way == "trace":
            return ov.convert_model(model, example_input=tuple(example))
        return ov.Core().read_model(to_onnx(model, example, dims, setup)[0])

    config = {"INFERENCE_NUM_THREADS": setup.threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY"}
    if precision:
        config["INFERENCE_PRECISION_HINT"] = precision
    refused = []
    for way in ("fx", "trace", "onnx"):
        try:
            converted = convert(way)
            sizes = {
                given: ov.PartialShape([-1 if i in d else n for i, n in enumerate(x.shape)])
                for given, x, d in zip(converted.inputs, example, dims)
            }
            converted.reshape(sizes)
            compiled = ov.Core().compile_model(converted, "CPU", config)
            request = compiled.create_infer_request()
            request.infer([x.numpy() for x in example], share_inputs=True)
            break
        except Exception as error:
            refused.append(f"{way}: {short(error)}")
    else:
        raise RuntimeError("; ".join(refused))

    def run(tensors: tuple) -> list:
        result = request.infer([x.numpy() for x in tensors], share_inputs=True, share_outputs=True)
        return [torch.from_numpy(v) for v in result.values()]

    used = str(compiled.get_property("INFERENCE_PRECISION_HINT")).split("'")[1]
    return Runner(run, note=f"via {way}, {used}" + (f" (not {'; '.join(refused)})" if refused else ""))


def build_openvino(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    return _openvino(model, example, dims, setup, "f32")


def build_openvino_default(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    return _openvino(model, example, dims, setup, None)


OPENVINO = ("openvino", "torch.export")
PEERS = {
    "ort": Peer(build_ort, ("onnxruntime", "onnx", "onnxscript", "torch.onnx", "torch.export")),
    "openvino": Peer(build_openvino, OPENVINO),
    "openvino-default": Peer(build_openvino_default, OPENVINO, f32=False, only=("W4", "W5", "W6", "W7", "W8", "W9")),
}
