"""IREE, by its own importer. Without --iree-opt-level=O3: with it W5 to W7 fail in IREE 3.13, and nothing is faster."""

from __future__ import annotations

import io
from typing import Any

from .base import Peer, Runner, Setup, export


def build(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    import iree.compiler as compiler
    import iree.runtime as runtime
    import torch
    from iree.compiler.extras.fx_importer import FxImporter
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    program, note = export(model, example, dims)
    program = program.run_decompositions(get_decomposition_table())
    # The importer looks for non-persistent buffers in the wrong dictionary.
    buffers = set(program.graph_signature.inputs_to_buffers.values())
    program.state_dict.update({k: v for k, v in program.constants.items() if k in buffers})
    importer = FxImporter()
    importer.import_frozen_program(program, func_name="main")
    bytecode = io.BytesIO()
    importer.module.operation.write_bytecode(bytecode)
    flags = ["--iree-llvmcpu-target-cpu=host"]
    code = compiler.compile_str(
        bytecode.getvalue(), target_backends=["llvm-cpu"], input_type="torch", extra_args=flags
    )
    del importer, bytecode
    runtime.flags.parse_flags(f"--task_topology_group_count={setup.threads}")
    config = runtime.Config("local-task")
    context = runtime.SystemContext(config=config)
    context.add_vm_module(runtime.VmModule.copy_buffer(context.instance, code))
    main = context.modules.module["main"]

    def to_torch(outputs: Any) -> list:
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        return [torch.from_numpy(x.to_host().copy()) for x in outputs]

    return Runner(
        lambda arrays: main(*arrays),
        lambda *tensors: [runtime.asdevicearray(config.device, x.numpy()) for x in tensors],
        to_torch,
        note=note,
    )


IMPORTS = ("iree.compiler", "iree.runtime", "torch.export", "torch_mlir.fx", "iree.compiler.extras.fx_importer")
PEERS = {"iree": Peer(build, IMPORTS, contends=True)}
