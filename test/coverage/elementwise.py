"""Elementwise ops of StableHLO and CHLO."""

from template import ALL, BOOL, COMPLEX, F8, FLOATS, INTS, SIGNED, UNSIGNED, WIDE_INTS, Case

X = {"x": "{a,b}"}
XY = {"x": "{a,b}", "y": "{a,b}"}
R = {"r": "{a,b}"}
NUMBERS = INTS + FLOATS + COMPLEX


def unary(op: str, dtypes: tuple[str, ...], result: str = "{a,b}", dialect: str = "stablehlo", **more) -> Case:
    types = "{a,b}" if result == "{a,b}" else f"({{a,b}}) -> {result}"
    arrow = f"{{a,b}} -> {result}" if dialect == "chlo" else types
    return Case(op, dtypes, X, f"%r = {dialect}.{op} %x : {arrow}", {"r": result}, **more)


def binary(op: str, dtypes: tuple[str, ...], result: str = "{a,b}", dialect: str = "stablehlo", **more) -> Case:
    types = "{a,b}" if dialect == "stablehlo" and result == "{a,b}" else f"({{a,b}}, {{a,b}}) -> {result}"
    if dialect == "chlo":
        types = f"{{a,b}}, {{a,b}} -> {result}"
    return Case(op, dtypes, XY, f"%r = {dialect}.{op} %x, %y : {types}", {"r": result}, **more)


CASES = [
    unary("abs", SIGNED + FLOATS),
    unary("abs", COMPLEX, "{a,b:R}", exact=False),
    unary("negate", NUMBERS),
    unary("sign", SIGNED + FLOATS),
    unary("not", BOOL + INTS),
    unary("popcnt", INTS),
    unary("count_leading_zeros", INTS),
    unary("ceil", FLOATS),
    unary("floor", FLOATS),
    unary("round_nearest_afz", FLOATS),
    unary("round_nearest_even", FLOATS),
    unary("is_finite", FLOATS, "{a,b:i1}"),
    unary("real", FLOATS + COMPLEX, "{a,b:R}"),
    unary("imag", FLOATS + COMPLEX, "{a,b:R}"),
    binary("add", ALL),
    binary("subtract", NUMBERS),
    binary("multiply", BOOL + INTS + FLOATS),
    binary("multiply", COMPLEX, values="small"),
    binary("divide", INTS + FLOATS),
    binary("divide", COMPLEX, values="positive", exact=False),
    binary("remainder", INTS + FLOATS),
    binary("maximum", ALL),
    binary("minimum", ALL),
    binary("and", BOOL + INTS),
    binary("or", BOOL + INTS),
    binary("xor", BOOL + INTS),
    binary("shift_left", INTS),
    binary("shift_right_arithmetic", INTS),
    binary("shift_right_logical", INTS),
    binary("power", INTS, ranges={"y": (0, 5)}),
    binary("power", FLOATS, exact=False),
    binary("power", COMPLEX, values="positive", exact=False),
    binary("atan2", FLOATS, exact=False),
    Case("complex", ("f32", "f64"), XY, "%r = stablehlo.complex %x, %y : {a,b:complex<{T}>}", {"r": "{a,b:complex<{T}>}"}),
    Case("select", ALL, {"p": "{a,b:i1}", **XY}, "%r = stablehlo.select %p, %x, %y : {a,b:i1}, {a,b}", R),
    Case("clamp", INTS + FLOATS, {"l": "{}", "x": "{a,b}", "h": "{a,b}"}, "%r = stablehlo.clamp %l, %x, %h : ({}, {a,b}, {a,b}) -> {a,b}", R),
    Case(
        "map", WIDE_INTS + FLOATS, XY,
        """%r = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
        ^bb0(%u: {}, %v: {}):
        %w = stablehlo.maximum %u, %v : {}
        stablehlo.return %w : {}
        }) : ({a,b}, {a,b}) -> {a,b}""", R,
    ),
    Case("reduce_precision", FLOATS, X, "%r = stablehlo.reduce_precision %x, format = e4m3 : {a,b}", R),
    Case("optimization_barrier", ALL, X, "%r = stablehlo.optimization_barrier %x : {a,b}", R),
]
# Functions with an error bound.
FUNCTIONS = {
    "exponential": "any", "exponential_minus_one": "any", "log": "any", "log_plus_one": "any", "logistic": "any",
    "rsqrt": "any", "sine": "any", "cosine": "any", "tan": "unit", "tanh": "any",
}  # fmt: skip
for op, values in FUNCTIONS.items():
    CASES.append(unary(op, FLOATS, values=values, exact=False))
    CASES.append(unary(op, COMPLEX, values="unit", exact=False))
CASES += [unary("sqrt", FLOATS), unary("sqrt", COMPLEX, values="unit", exact=False), unary("cbrt", FLOATS, exact=False)]

_KINDS = {"SIGNED": SIGNED, "UNSIGNED": UNSIGNED + BOOL, "FLOAT": FLOATS + COMPLEX, "TOTALORDER": FLOATS}
for kind, dtypes in _KINDS.items():
    directions = ("EQ", "NE") if kind == "FLOAT" else ("EQ", "NE", "LT", "LE", "GT", "GE")
    for direction in directions:
        body = f"%r = stablehlo.compare {direction}, %x, %y, {kind} : ({{a,b}}, {{a,b}}) -> {{a,b:i1}}"
        CASES.append(Case("compare", dtypes, XY, body, {"r": "{a,b:i1}"}))
for direction in ("LT", "LE", "GT", "GE"):
    body = f"%r = stablehlo.compare {direction}, %x, %y, FLOAT : ({{a,b}}, {{a,b}}) -> {{a,b:i1}}"
    CASES.append(Case("compare", FLOATS, XY, body, {"r": "{a,b:i1}"}))

# Every type to every other; complex only to complex.
for target in BOOL + INTS + FLOATS + F8:
    sources = tuple(t for t in BOOL + INTS + FLOATS + F8 if t != target)
    body = f"%r = stablehlo.convert %x : ({{a,b}}) -> {{a,b:{target}}}"
    CASES.append(Case("convert", sources, X, body, {"r": f"{{a,b:{target}}}"}))
for target in COMPLEX:
    body = f"%r = stablehlo.convert %x : ({{a,b}}) -> {{a,b:{target}}}"
    CASES.append(Case("convert", FLOATS + COMPLEX, X, body, {"r": f"{{a,b:{target}}}"}))

_SAME_WIDTH = {"f32": "i32", "i32": "f32", "f64": "ui64", "i64": "f64", "ui16": "f16", "f16": "ui16", "bf16": "i16", "i16": "bf16", "ui32": "i32", "ui64": "i64", "i8": "ui8", "ui8": "i8"}  # fmt: skip
for source, target in _SAME_WIDTH.items():
    body = f"%r = stablehlo.bitcast_convert %x : ({{a,b}}) -> {{a,b:{target}}}"
    CASES.append(Case("bitcast_convert", (source,), X, body, {"r": f"{{a,b:{target}}}"}))
CASES.append(Case("bitcast_convert", ("i32",), X, "%r = stablehlo.bitcast_convert %x : ({a,b}) -> {a,b,4:ui8}", {"r": "{a,b,4:ui8}"}, note="to a narrower type"))
CASES.append(Case("bitcast_convert", ("ui8",), {"x": "{a,4}"}, "%r = stablehlo.bitcast_convert %x : ({a,4}) -> {a:i32}", {"r": "{a:i32}"}, note="to a wider type"))

_CHLO = {
    "acos": "unit", "acosh": "positive", "asin": "unit", "asinh": "small", "atan": "small", "atanh": "unit", "bessel_i1e": "small",
    "cosh": "small", "digamma": "positive", "erf": "small", "erf_inv": "unit", "erfc": "small", "lgamma": "positive", "sinh": "small",
}  # fmt: skip
for op, values in _CHLO.items():
    CASES.append(unary(op, FLOATS, dialect="chlo", values=values, exact=False))
for op in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh"):
    CASES.append(unary(op, COMPLEX, dialect="chlo", values="unit", exact=False))
CASES += [
    unary("conj", COMPLEX, dialect="chlo"),
    unary("is_inf", FLOATS, "{a,b:i1}", dialect="chlo"),
    unary("is_neg_inf", FLOATS, "{a,b:i1}", dialect="chlo"),
    unary("is_pos_inf", FLOATS, "{a,b:i1}", dialect="chlo"),
    unary("square", FLOATS, dialect="chlo", values="small"),
    binary("next_after", ("f32", "f64"), dialect="chlo"),
    binary("polygamma", ("f32", "f64"), dialect="chlo", values="positive", exact=False, ranges={"x": (1, 4)}),
    binary("zeta", ("f32", "f64"), dialect="chlo", values="positive", exact=False, ranges={"x": (2, 6)}),
    binary("mulhi", ("i32", "ui32", "i64", "ui64"), dialect="chlo"),
]
# CHLO's implicitly broadcasting forms: a row against a matrix, each of them broadcast along b at some sizes.
_BROADCAST = {
    "add": NUMBERS, "subtract": NUMBERS, "multiply": INTS + FLOATS, "divide": INTS + FLOATS, "remainder": INTS + FLOATS, "maximum": ALL,
    "minimum": ALL, "and": BOOL + INTS, "or": BOOL + INTS, "xor": BOOL + INTS, "shift_left": INTS, "shift_right_arithmetic": INTS,
    "shift_right_logical": INTS, "next_after": ("f32", "f64"),
}  # fmt: skip
for op, dtypes in _BROADCAST.items():
    body = f"%r = chlo.broadcast_{op} %x, %y : ({{a,u}}, {{v}}) -> {{a,b}}"
    CASES.append(Case(f"broadcast_{op}", dtypes, {"x": "{a,u}", "y": "{v}"}, body, R))
for op in ("power", "atan2"):
    body = f"%r = chlo.broadcast_{op} %x, %y : ({{a,u}}, {{v}}) -> {{a,b}}"
    CASES.append(Case(f"broadcast_{op}", FLOATS, {"x": "{a,u}", "y": "{v}"}, body, R, values="positive", exact=False))
for op in ("polygamma", "zeta"):
    body = f"%r = chlo.broadcast_{op} %x, %y : ({{a,u}}, {{v}}) -> {{a,b}}"
    CASES.append(Case(f"broadcast_{op}", ("f32", "f64"), {"x": "{a,u}", "y": "{v}"}, body, R, values="positive", exact=False, ranges={"x": (2, 4)}))
CASES += [
    Case("broadcast_complex", ("f32", "f64"), {"x": "{a,u}", "y": "{v}"}, "%r = chlo.broadcast_complex %x, %y : ({a,u}, {v}) -> {a,b:complex<{T}>}", {"r": "{a,b:complex<{T}>}"}),
    Case("broadcast_compare", INTS + FLOATS, {"x": "{a,u}", "y": "{v}"}, "%r = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction LT>} : ({a,u}, {v}) -> {a,b:i1}", {"r": "{a,b:i1}"}),
    Case("broadcast_select", ALL, {"p": "{a,u:i1}", "x": "{v}", "y": "{a,b}"}, "%r = chlo.broadcast_select %p, %x, %y : ({a,u:i1}, {v}, {a,b}) -> {a,b}", R),
]
