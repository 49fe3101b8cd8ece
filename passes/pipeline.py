"""The compiler, top to bottom: phases in order, a reason on each line."""

from disc_dsl import Phase, step, upstream

PIPELINE = [
    Phase(
        "input",
        [
            step("input-rename", why="from here on there is one spelling of every op"),
            step("input-shape-scalars", why="sizes become index values that passes can compare"),
            upstream("canonicalize", why="folds the size arithmetic that became visible"),
            upstream("cse", why="equal size computations become one value"),
        ],
    ),
    Phase(
        "shape",
        [],
    ),
    Phase(
        "graph",
        [
            step("graph-algebra", why="what does nothing is gone before fusion counts it"),
            upstream("canonicalize", why="removes what the folds left dead"),
        ],
    ),
    Phase(
        "fusion",
        [],
    ),
    Phase(
        "bufferize",
        [],
    ),
    Phase(
        "runtime",
        [],
    ),
    Phase(
        "cpu",
        [],
    ),
    Phase(
        "llvm",
        [
            step("llvm-no-alias", why="LLVM vectorises loops over buffers it knows apart"),
            step("llvm-runtime-calls", why="host code calls RAL's table, kernels get plain pointers"),
            step("llvm-to-llvm", why="what is left of the upper dialects becomes LLVM"),
        ],
    ),
]
