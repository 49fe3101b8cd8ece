"""The compiler, top to bottom: phases in order, a reason on each line."""

from disc_dsl import Phase, step, upstream

PIPELINE = [
    Phase(
        "input",
        [
            step("input-rename", why="from here on there is one spelling of every op"),
            step("input-tuples", why="every later value is a tensor"),
            step("input-canonical-ops", why="fewer ops to know for every later pass"),
            step("input-quantized", why="no later pass knows quantized types"),
            step("input-batch-norm", why="normalization fuses like the elementwise ops and reductions it is made of"),
            step("input-bitcasts", why="a cast that changes the number of elements is not elementwise"),
            step("input-structured-control-flow", why="every later pass expects functions of one block"),
            upstream("inline", why="one function, so that sizes and fusions are seen across calls"),
            upstream("symbol-dce", why="functions without callers need no code"),
            step("input-random", why="random bits are arithmetic, which is fused like the rest"),
            step("input-dynamic-windows", why="windows slide in one way; sizes that tensors hold are those of padding"),
            step("input-scan", why="loops are written in one way"),
            step("input-expand-broadcasts", why="broadcasts are ops that shape passes can reason about"),
            step("input-shape-scalars", why="sizes become index values that passes can compare"),
            upstream("canonicalize", why="folds the size arithmetic that became visible"),
            upstream("cse", why="equal size computations become one value"),
        ],
    ),
    Phase(
        "shape",
        [
            step("graph-control-flow", why="one form of loops and branches, with bodies that are fused like the rest"),
            step("shape-checks", why="what ops demand and nothing proves is checked, so that later passes may rely on it"),
            step("shape-resolve", why="equal sizes become one SSA value, broadcasts that do nothing go"),
            upstream("canonicalize", why="folds what known sizes made constant"),
            upstream("cse", why="equal computations on equal sizes become one"),
        ],
    ),
    Phase(
        "graph",
        [
            step("graph-algebra", why="what does nothing is gone before fusion counts it"),
            step("graph-movement", why="one reshape, transpose or broadcast where there was a chain"),
            step("graph-conv-layout", why="channels last, as the library's convolutions have them"),
            step("graph-canonical-dot", why="matrix products in the form that libraries take"),
            step("graph-movement", why="reshapes around products meet those of their neighbours"),
            step("shape-resolve", why="sizes of the new reshapes become those of the old ones"),
            upstream("canonicalize", why="removes what the folds left dead"),
            upstream("cse", why="products of the same operand share its reshape"),
        ],
    ),
    Phase(
        "fusion",
        [
            step("fusion-tie-shapes", why="kernels and buffers see which sizes are equal"),
            step("fusion-plan", why="memory-bound ops become few kernels"),
            step("fusion-stitch", why="products hand their rows to the kernels around them in the cache"),
        ],
    ),
    Phase(
        "bufferize",
        [
            step("bufferize-to-destinations", why="ops that compute tensors get tensors to write to"),
            upstream("resolve-ranked-shaped-type-result-dims", why="sizes of results are those of destinations"),
            upstream("canonicalize", why="sizes of destinations are the values they were made of"),
            upstream("cse", why="equal views and sizes become one"),
            step("bufferize-one-shot", why="tensors become buffers, in place where nobody reads the old value"),
            step("bufferize-dealloc", why="memory is free again after its last use"),
            upstream("canonicalize", why="sizes of buffers are the values they were allocated with"),
            upstream("cse", why="equal sizes become one"),
        ],
    ),
    Phase(
        "runtime",
        [
            step("runtime-entry", why="inputs come from RAL, outputs go to it; the signature is written down"),
        ],
    ),
    Phase(
        "cpu",
        [
            step("cpu-fusion-to-kernels", why="every fusion becomes one kernel of scalar loops, equal ones share it"),
            upstream("canonicalize", why="folds the index and grain arithmetic"),
            upstream("cse", why="sizes asked for each launch are asked once"),
            upstream("loop-invariant-code-motion", why="what a row has once is not computed in each of its lanes"),
            step("cpu-speculate", why="sizes that decide loops are numbers where they are the likely ones"),
            step("cpu-vectorize", why="bodies and tails of innermost loops run at full width"),
            upstream("cse", why="vectors of equal constants become one"),
            step("bufferize-arena", why="one allocation a call, of what is alive at a time, when scratch of kernels is known too"),
        ],
    ),
    Phase(
        "llvm",
        [
            step("llvm-no-alias", why="LLVM vectorises loops over buffers it knows apart"),
            upstream("convert-scf-to-cf", why="LLVM has branches only"),
            upstream("expand-strided-metadata", why="views become pointer arithmetic"),
            upstream("lower-affine", why="index maps become arithmetic"),
            step("llvm-runtime-calls", why="host code calls RAL's table, kernels get plain pointers"),
            step("llvm-to-llvm", why="what is left of the upper dialects becomes LLVM"),
        ],
    ),
]
