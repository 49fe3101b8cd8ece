"""Reductions, windows, products, normalization, linear algebra, control flow."""

from template import ALL, BOOL, COMPLEX, FLOATS, INTS, WIDE_INTS, Case

NUMBERS = WIDE_INTS + FLOATS


def reducer(op: str, block: str = "%p: {}, %q: {}") -> str:
    return f"({{\n^bb0({block}):\n%w = stablehlo.{op} %p, %q : {{}}\nstablehlo.return %w : {{}}\n}})"


def reduce(op: str, dtypes: tuple[str, ...], axis: int, **more) -> Case:
    result = "{b}" if axis == 0 else "{a}"
    body = f"%r = stablehlo.reduce(%x init: %i) applies stablehlo.{op} across dimensions = [{axis}] : ({{a,b}}, {{}}) -> {result}"
    return Case("reduce", dtypes, {"x": "{a,b}", "i": "{}"}, body, {"r": result}, **more)


def windows(op: str, attributes: str, result: str) -> Case:
    body = f'%r = "stablehlo.reduce_window"(%x, %i) <{{{attributes}}}> {reducer(op)} : ({{a,6}}, {{}}) -> {result}'
    return Case("reduce_window", NUMBERS, {"x": "{a,6}", "i": "{}"}, body, {"r": result}, values="small")


CASES = [
    reduce("add", NUMBERS, 1, values="small"),
    reduce("add", NUMBERS, 0, values="small"),
    reduce("add", COMPLEX, 1, values="small"),
    reduce("multiply", WIDE_INTS, 1),
    reduce("maximum", INTS + FLOATS, 1),
    reduce("minimum", INTS + FLOATS, 0),
    reduce("and", BOOL + INTS, 1),
    reduce("or", BOOL + INTS, 0),
    reduce("xor", BOOL + INTS, 1),
    Case("reduce", NUMBERS, {"x": "{a,b}", "i": "{}", "y": "{a,b:i32}", "j": "{:i32}"},
        """%r, %k = "stablehlo.reduce"(%x, %y, %i, %j) <{dimensions = array<i64: 1>}> ({
        ^bb0(%p: {}, %m: {:i32}, %q: {}, %n: {:i32}):
        %c = stablehlo.compare GE, %p, %q : ({}, {}) -> {:i1}
        %v = stablehlo.select %c, %p, %q : {:i1}, {}
        %w = stablehlo.select %c, %m, %n : {:i1}, {:i32}
        stablehlo.return %v, %w : {}, {:i32}
        }) : ({a,b}, {a,b:i32}, {}, {:i32}) -> ({a}, {a:i32})""", {"r": "{a}", "k": "{a:i32}"}, values="small", note="variadic"),
    windows("add", "window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>", "{a,3}"),
    windows("maximum", "window_dimensions = array<i64: 1, 3>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>", "{a,6}"),
    windows("add", "window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>", "{a,4}"),
    Case("select_and_scatter", ("i32", *FLOATS), {"x": "{a,6}", "s": "{a,3}", "i": "{}"},
        """%r = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
        ^bb0(%p: {}, %q: {}):
        %c = stablehlo.compare GE, %p, %q : ({}, {}) -> {:i1}
        stablehlo.return %c : {:i1}
        }, {
        ^bb0(%u: {}, %v: {}):
        %w = stablehlo.add %u, %v : {}
        stablehlo.return %w : {}
        }) : ({a,6}, {a,3}, {}) -> {a,6}""", {"r": "{a,6}"}, values="small"),
    Case("dot_general", NUMBERS + COMPLEX, {"x": "{a,b,4}", "y": "{a,4,c}"},
        "%r = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : ({a,b,4}, {a,4,c}) -> {a,b,c}", {"r": "{a,b,c}"}, values="small"),
    Case("dot_general", NUMBERS, {"x": "{b,a}", "y": "{c,b}"},
        "%r = stablehlo.dot_general %x, %y, contracting_dims = [0] x [1] : ({b,a}, {c,b}) -> {a,c}", {"r": "{a,c}"}, values="small", note="both transposed, dynamic depth"),
    Case("dot", NUMBERS, {"x": "{a,b}", "y": "{b,c}"}, "%r = stablehlo.dot %x, %y : ({a,b}, {b,c}) -> {a,c}", {"r": "{a,c}"}, values="small"),
    Case("einsum", NUMBERS, {"x": "{a,b}", "y": "{b,c}"}, '%r = "stablehlo.einsum"(%x, %y) <{einsum_config = "ab,bc->ac"}> : ({a,b}, {b,c}) -> {a,c}', {"r": "{a,c}"}, values="small"),
    Case("unary_einsum", NUMBERS, {"x": "{a,b}"}, '%r = "stablehlo.unary_einsum"(%x) <{einsum_config = "ab->b"}> : ({a,b}) -> {b}', {"r": "{b}"}, values="small"),
    Case("convolution", NUMBERS, {"x": "{a,6,6,2}", "k": "{3,3,2,4}"},
        """%r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {stride = [2, 1], pad = [[1, 1], [0, 1]], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : ({a,6,6,2}, {3,3,2,4}) -> {a,3,3,4}""".replace("\n        ", " "), {"r": "{a,3,3,4}"}, values="small"),
    Case("dynamic_conv", FLOATS, {"x": "{a,6,6,2}", "k": "{3,3,2,4}"},
        """%d = stablehlo.constant dense<[[1, 1], [0, 1]]> : {2,2:i32}
        %r = "stablehlo.dynamic_conv"(%x, %k, %d) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64}> : ({a,6,6,2}, {3,3,2,4}, {2,2:i32}) -> tensor<?x?x?x4x{T}>""",
        {"r": "tensor<?x?x?x4x{T}>"}, values="small"),
    Case("batch_norm_inference", FLOATS, {"x": "{a,4}", "s": "{4}", "o": "{4}", "m": "{4}", "v": "{4}"},
        '%r = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) <{epsilon = 1.0E-3 : f32, feature_index = 1 : i64}> : ({a,4}, {4}, {4}, {4}, {4}) -> {a,4}', {"r": "{a,4}"}, values="positive", exact=False, scaled=True),
    Case("batch_norm_training", FLOATS, {"x": "{a,4}", "s": "{4}", "o": "{4}"},
        '%r, %m, %v = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 1.0E-3 : f32, feature_index = 1 : i64}> : ({a,4}, {4}, {4}) -> ({a,4}, {4}, {4})',
        {"r": "{a,4}", "m": "{4}", "v": "{4}"}, values="positive", exact=False, scaled=True),
    Case("batch_norm_grad", FLOATS, {"x": "{a,4}", "s": "{4}", "m": "{4}", "v": "{4}", "g": "{a,4}"},
        '%r, %p, %q = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) <{epsilon = 1.0E-3 : f32, feature_index = 1 : i64}> : ({a,4}, {4}, {4}, {4}, {a,4}) -> ({a,4}, {4}, {4})',
        {"r": "{a,4}", "p": "{4}", "q": "{4}"}, values="positive", exact=False, scaled=True),
    Case("fft", COMPLEX, {"x": "{a,6}"}, "%r = stablehlo.fft %x, type = FFT, length = [6] : ({a,6}) -> {a,6}", {"r": "{a,6}"}, values="small", exact=False, scaled=True),
    Case("fft", COMPLEX, {"x": "{a,6}"}, "%r = stablehlo.fft %x, type = IFFT, length = [6] : ({a,6}) -> {a,6}", {"r": "{a,6}"}, values="small", exact=False, scaled=True),
    Case("fft", ("f32", "f64"), {"x": "{a,6}"}, "%r = stablehlo.fft %x, type = RFFT, length = [6] : ({a,6}) -> {a,4:complex<{T}>}", {"r": "{a,4:complex<{T}>}"}, values="small", exact=False, scaled=True),
    Case("cholesky", ("f32", "f64"), {"x": "{a,4,4}"},
        """%t = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [2] x [2] : ({a,4,4}, {a,4,4}) -> {a,4,4}
        %e = stablehlo.constant dense<[[9.0, 0.0, 0.0, 0.0], [0.0, 9.0, 0.0, 0.0], [0.0, 0.0, 9.0, 0.0], [0.0, 0.0, 0.0, 9.0]]> : {4,4}
        %n = stablehlo.get_dimension_size %x, dim = 0 : ({a,4,4}) -> {:i32}
        %m = stablehlo.reshape %n : ({:i32}) -> {1:i32}
        %f = stablehlo.constant dense<4> : {2:i32}
        %s = stablehlo.concatenate %m, %f, dim = 0 : ({1:i32}, {2:i32}) -> {3:i32}
        %b = stablehlo.dynamic_broadcast_in_dim %e, %s, dims = [1, 2] : ({4,4}, {3:i32}) -> {a,4,4}
        %p = stablehlo.add %t, %b : {a,4,4}
        %r = stablehlo.cholesky %p, lower = true : {a,4,4}""", {"r": "{a,4,4}"}, values="small", exact=False, scaled=True),
    Case("triangular_solve", ("f32", "f64"), {"x": "{a,4,4}", "y": "{a,4,b}"},
        '%r = "stablehlo.triangular_solve"(%x, %y) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : ({a,4,4}, {a,4,b}) -> {a,4,b}',
        {"r": "{a,4,b}"}, values="positive", exact=False, scaled=True),
    Case("rng_bit_generator", ("ui32", "ui64"), {"s": "{2:ui64}"},
        "%n, %r = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : ({2:ui64}) -> ({2:ui64}, {3,5})", {"n": "{2:ui64}", "r": "{3,5}"}, forms=("static",), note="its size is its result type's"),
    Case("if", ALL, {"p": "{:i1}", "x": "{a,b}", "y": "{a,b}"}, """%r = "stablehlo.if"(%p) ({
        stablehlo.return %x : {a,b}
        }, {
        stablehlo.return %y : {a,b}
        }) : ({:i1}) -> {a,b}""", {"r": "{a,b}"}),
    Case("case", ALL, {"p": "{:i32}", "x": "{a,b}", "y": "{a,b}"}, """%r = "stablehlo.case"(%p) ({
        stablehlo.return %x : {a,b}
        }, {
        stablehlo.return %y : {a,b}
        }) : ({:i32}) -> {a,b}""", {"r": "{a,b}"}, ranges={"p": (-1, 3)}),
    Case("while", WIDE_INTS + FLOATS, {"x": "{a,b}"}, """%z = stablehlo.constant dense<0> : {:i32}
        %n = stablehlo.constant dense<3> : {:i32}
        %o = stablehlo.constant dense<1> : {:i32}
        %k, %r = stablehlo.while(%i = %z, %v = %x) : {:i32}, {a,b}
        cond {
        %c = stablehlo.compare LT, %i, %n : ({:i32}, {:i32}) -> {:i1}
        stablehlo.return %c : {:i1}
        } do {
        %j = stablehlo.add %i, %o : {:i32}
        %w = stablehlo.add %v, %x : {a,b}
        stablehlo.return %j, %w : {:i32}, {a,b}
        }""", {"k": "{:i32}", "r": "{a,b}"}, values="small"),
    Case("tuple", ALL, {"x": "{a,b}", "y": "{b}"}, """%t = stablehlo.tuple %x, %y : tuple<{a,b}, {b}>
        %r = stablehlo.get_tuple_element %t[1] : (tuple<{a,b}, {b}>) -> {b}""", {"r": "{b}"}),
]
