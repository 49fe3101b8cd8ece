"""Op models are what ODS says."""

import ast

from disc_dsl.ods import from_json, to_json
from disc_dsl.stubs import stubs


def test_groups_and_attributes(models):
    reduce = models["dhlo.reduce"]
    assert [(g.name, g.kind) for g in reduce.operands] == [("inputs", "variadic"), ("init_values", "variadic")]
    assert [g.kind for g in reduce.results] == ["variadic"]
    assert models["dhlo.linear"].operands[2].kind == "optional"
    compare = models["dhlo.compare"]
    assert compare.attributes["compare_type"].optional and not compare.attributes["comparison_direction"].optional
    assert compare.attributes["comparison_direction"].cpp == "::mlir::dhlo::ComparisonDirectionAttr"


def test_traits_come_from_the_declarations(models):
    assert models["lmhlo_disc.library_call"].segments and not models["dhlo.reduce"].segments
    assert models["dhlo.add"].infers and not models["dhlo.concatenate"].infers
    assert models["dhlo.concatenate"].attributes["dimension"].required


def test_json_round_trip(models):
    assert from_json(to_json(models)) == models


def test_stubs_are_python(models):
    text = stubs()
    ast.parse(text)
    assert "    not_: _dhlo_not_maker" in text
    assert "    def __call__(self, operand: Value | Op, *, results: Any = ...) -> _dhlo_not: ..." in text
    assert "class _dhlo_top_k(Op):\n    operand: Value\n    values: Value\n    indices: Value\n    k: Attr\n" in text
    assert "bias: Value | Op | None = None, *, config: Attribute = ..." in text
