"""MLIR's Python bindings under our prefix: our dialects parse and have builders."""

from disc.mlir import ir
from disc.mlir.dialects import dhlo, func


def test_alias_spelling_parses_to_dhlo():
    text = "func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> { %0 = stablehlo.abs %x : tensor<?xf32> return %0 : tensor<?xf32> }"
    with ir.Context():
        assert "dhlo.abs" in str(ir.Module.parse(text))


def test_builders_of_dhlo():
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        tensor = ir.RankedTensorType.get([ir.ShapedType.get_dynamic_size(), 4], ir.F32Type.get())
        with ir.InsertionPoint(module.body):

            @func.FuncOp.from_py_func(tensor, tensor)
            def add(x, y):
                return dhlo.AddOp(x, y, results=[tensor]).result

        assert "dhlo.add %arg0, %arg1 : tensor<?x4xf32>" in str(module)
        assert module.operation.verify()
