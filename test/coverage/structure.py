"""Ops that move data: shapes, slices, gathers, sorts."""

from template import ALL, BOOL, COMPLEX, FLOATS, INTS, WIDE_INTS, Case

X = {"x": "{a,b}"}
R = {"r": "{a,b}"}
# Sizes of both dims as a tensor, for the ops that take a shape operand.
SHAPE = """
%s0 = stablehlo.get_dimension_size %x, dim = 0 : ({a,b}) -> {:i32}
%s1 = stablehlo.get_dimension_size %x, dim = 1 : ({a,b}) -> {:i32}
%v0 = stablehlo.reshape %s0 : ({:i32}) -> {1:i32}
%v1 = stablehlo.reshape %s1 : ({:i32}) -> {1:i32}
"""
BOTH = SHAPE + "%s = stablehlo.concatenate %v0, %v1, dim = 0 : ({1:i32}, {1:i32}) -> {2:i32}\n"

CASES = [
    Case("transpose", ALL, {"x": "{a,b,4}"}, "%r = stablehlo.transpose %x, dims = [2, 0, 1] : ({a,b,4}) -> {4,a,b}", {"r": "{4,a,b}"}),
    Case("reverse", ALL, X, "%r = stablehlo.reverse %x, dims = [0, 1] : {a,b}", R),
    Case("reshape", ALL, {"x": "{a,b}"}, "%r = stablehlo.reshape %x : ({a,b}) -> {a,1,b}", {"r": "{a,1,b}"}, forms=("static",)),
    Case("reshape", ALL, {"x": "{a,4}"}, "%r = stablehlo.reshape %x : ({a,4}) -> {a,2,2}", {"r": "{a,2,2}"}),
    Case(
        "dynamic_reshape", ALL, X,
        BOTH + """%m = stablehlo.multiply %v0, %v1 : {1:i32}
        %r = stablehlo.dynamic_reshape %x, %m : ({a,b}, {1:i32}) -> tensor<?x{T}>""", {"r": "tensor<?x{T}>"},
    ),
    Case("broadcast_in_dim", ALL, {"x": "{3}"}, "%r = stablehlo.broadcast_in_dim %x, dims = [1] : ({3}) -> {4,3}", {"r": "{4,3}"}, forms=("static",), note="the result's sizes are its type's, the operand's may change"),
    Case("broadcast_in_dim", ALL, {"x": "{u}"}, "%r = stablehlo.broadcast_in_dim %x, dims = [1] : ({u}) -> {4,5}", {"r": "{4,5}"}, sizes=(dict(u=1), dict(u=5))),
    Case("broadcast", ALL, {"x": "{a}"}, "%r = stablehlo.broadcast %x, sizes = [2, 4] : ({a}) -> {2,4,a}", {"r": "{2,4,a}"}, note="the sizes that it adds are attributes"),
    Case(
        "dynamic_broadcast_in_dim", ALL, {"x": "{a,b}", "row": "{u}", "column": "{a,1}"},
        BOTH + """%p = stablehlo.dynamic_broadcast_in_dim %row, %s, dims = [1] : ({u}, {2:i32}) -> {a,b}
        %q = stablehlo.dynamic_broadcast_in_dim %column, %s, dims = [0, 1] : ({a,1}, {2:i32}) -> {a,b}""", {"p": "{a,b}", "q": "{a,b}"},
    ),
    Case("iota", INTS + FLOATS + COMPLEX, {}, "%r = stablehlo.iota dim = 1 : {3,6}", {"r": "{3,6}"}, forms=("static",), note="its sizes are its type's: the dynamic form is `dynamic_iota`"),
    Case("dynamic_iota", INTS + FLOATS + COMPLEX, X, BOTH + "%r = stablehlo.dynamic_iota %s, dim = 1 : ({2:i32}) -> {a,b}", R),
    Case("constant", ALL, {}, "%r = stablehlo.constant dense<{V}> : {2,3}", {"r": "{2,3}"}, forms=("static",), note="its sizes are those of its value"),
    Case("concatenate", ALL, {"x": "{a,b}", "y": "{c,b}"}, "%r = stablehlo.concatenate %x, %y, %x, dim = 0 : ({a,b}, {c,b}, {a,b}) -> {d,b}", {"r": "{d,b}"}),
    Case("pad", ALL, {"x": "{a,b}", "v": "{}"}, "%r = stablehlo.pad %x, %v, low = [1, -1], high = [2, 1], interior = [0, 0] : ({a,b}, {}) -> {f,b}", {"r": "{f,b}"}),
    Case(
        "dynamic_pad", ALL, {"x": "{a,b}", "v": "{}", "l": "{2:i32}", "h": "{2:i32}", "i": "{2:i32}"},
        "%r = stablehlo.dynamic_pad %x, %v, %l, %h, %i : ({a,b}, {}, {2:i32}, {2:i32}, {2:i32}) -> tensor<?x?x{T}>", {"r": "tensor<?x?x{T}>"},
        ranges={"l": (0, 2), "h": (0, 3), "i": (0, 1)},
    ),
    Case("slice", ALL, {"x": "{a,6}"}, "%r = stablehlo.slice %x [0:3, 1:6:2] : ({a,6}) -> {3,3}", {"r": "{3,3}"}, sizes=(dict(a=3), dict(a=4), dict(a=17)),
        note="its bounds are attributes, the operand's sizes may change"),
    Case("slice", ALL, {"x": "{a,b}"}, "%r = stablehlo.slice %x [0:0, 0:1] : ({a,b}) -> {0,1}", {"r": "{0,1}"}, sizes=(dict(a=3, b=5), dict(a=0, b=1), dict(a=1, b=2))),
    Case(
        "real_dynamic_slice", ALL, X,
        BOTH + """%b = stablehlo.constant dense<[0, 0]> : {2:i32}
        %t = stablehlo.constant dense<[2, 1]> : {2:i32}
        %r = stablehlo.real_dynamic_slice %x, %b, %s, %t : ({a,b}, {2:i32}, {2:i32}, {2:i32}) -> tensor<?x?x{T}>""", {"r": "tensor<?x?x{T}>"},
    ),
    Case("dynamic_slice", ALL, {"x": "{a,b,6}", "i": "{:i32}", "k": "{:i32}"}, """%z = stablehlo.constant dense<0> : {:i32}
        %r = stablehlo.dynamic_slice %x, %z, %i, %k, sizes = [1, 1, 4] : ({a,b,6}, {:i32}, {:i32}, {:i32}) -> {1,1,4}""", {"r": "{1,1,4}"},
        ranges={"i": (-2, 4), "k": (-3, 9)}, sizes=(dict(a=3, b=5, c=2), dict(a=1, b=1, c=1), dict(a=17, b=9, c=2))),
    Case("dynamic_update_slice", ALL, {"x": "{a,6}", "u": "{1,4}", "i": "{:i32}", "k": "{:i32}"},
        "%r = stablehlo.dynamic_update_slice %x, %u, %i, %k : ({a,6}, {1,4}, {:i32}, {:i32}) -> {a,6}", {"r": "{a,6}"},
        ranges={"i": (-2, 4), "k": (-3, 9)}, sizes=(dict(a=3, b=5, c=2), dict(a=1, b=1, c=1), dict(a=17, b=9, c=2))),
    Case("gather", ALL, {"x": "{7,4}", "i": "{a:i64}"},
        """%r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
        start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : ({7,4}, {a:i64}) -> {a,4}""".replace("\n        ", " "), {"r": "{a,4}"},
        ranges={"i": (-2, 9)}),
    Case("dynamic_gather", ALL, {"x": "{a,b}", "i": "{c:i64}"},
        SHAPE + """%one = stablehlo.constant dense<1> : {1:i32}
        %s = stablehlo.concatenate %one, %v1, dim = 0 : ({1:i32}, {1:i32}) -> {2:i32}
        %r = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : ({a,b}, {c:i64}, {2:i32}) -> {c,b}""",
        {"r": "{c,b}"}, ranges={"i": (-2, 20)}, sizes=(dict(a=3, b=5, c=2), dict(a=1, b=1, c=1), dict(a=17, b=0, c=2), dict(a=17, b=9, c=0))),
    Case("torch_index_select", ALL, {"x": "{a,b}", "i": "{c:i32}"}, '%r = "stablehlo.torch_index_select"(%x, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : ({a,b}, {c:i32}) -> {c,b}', {"r": "{c,b}"},
        ranges={"i": (0, 0)}, sizes=(dict(a=3, b=5, c=2), dict(a=1, b=1, c=1), dict(a=17, b=9, c=0))),
    Case("get_dimension_size", ALL, X, "%r = stablehlo.get_dimension_size %x, dim = 1 : ({a,b}) -> {:i32}", {"r": "{:i32}"}),
    Case("scatter", WIDE_INTS + FLOATS, {"x": "{a,b}", "i": "{c,1:i64}", "u": "{c,b}"},
        """%r = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
        ^bb0(%p: {}, %q: {}):
        %w = stablehlo.add %p, %q : {}
        stablehlo.return %w : {}
        }) : ({a,b}, {c,1:i64}, {c,b}) -> {a,b}""", R, values="small", ranges={"i": (-1, 4)}),
    Case("sort", WIDE_INTS + FLOATS, {"x": "{a,b}", "y": "{a,b:i32}"},
        """%r, %k = "stablehlo.sort"(%x, %y) <{dimension = 1 : i64, is_stable = true}> ({
        ^bb0(%p: {}, %q: {}, %m: {:i32}, %n: {:i32}):
        %w = stablehlo.compare GT, %p, %q : ({}, {}) -> {:i1}
        stablehlo.return %w : {:i1}
        }) : ({a,b}, {a,b:i32}) -> ({a,b}, {a,b:i32})""", {"r": "{a,b}", "k": "{a,b:i32}"}, values="small"),
    Case("top_k", ("i32", "i64", *FLOATS), {"x": "{a,7}"}, "%r, %k = chlo.top_k(%x, k = 3) : {a,7} -> ({a,3}, {a,3:i32})", {"r": "{a,3}", "k": "{a,3:i32}"}, values="small"),
    Case("constant_like", WIDE_INTS + FLOATS, X, "%r = \"chlo.constant_like\"(%x) <{value = {V} : {T}}> : ({a,b}) -> {a,b}", R),
]
