"""Found by disc.mlir._mlir_libs: every new context knows our dialects."""


def register_dialects(registry):
    from ._disc import register_dialects as register

    register(registry)
