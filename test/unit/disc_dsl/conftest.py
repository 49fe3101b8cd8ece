"""A small dialect of op models, so that these tests need no built compiler."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))

from disc_dsl import ods

ODS_DUMP = """
ODSContext {
  Dialect `dhlo` {
    Operation `dhlo.add` {
      Operands { lhs : Dhlo_Tensor, rhs : Dhlo_Tensor }
      Results { result : Dhlo_Tensor }
    }
    Operation `dhlo.multiply` {
      Operands { lhs : Dhlo_Tensor, rhs : Dhlo_Tensor }
      Results { result : Dhlo_Tensor }
    }
    Operation `dhlo.not` {
      Operands { operand : Dhlo_Tensor }
      Results { result : Dhlo_Tensor }
    }
    Operation `dhlo.compare` {
      Attributes { comparison_direction : Dhlo_ComparisonDirectionAttr, compare_type : Optional<Dhlo_ComparisonTypeAttr> }
      Operands { lhs : Dhlo_Tensor, rhs : Dhlo_Tensor }
      Results { result : Dhlo_Tensor }
    }
    Operation `dhlo.concatenate` {
      Attributes { dimension : I64Attr }
      Operands { inputs : Variadic<Dhlo_Tensor> }
      Results { result : Dhlo_Tensor }
    }
    Operation `dhlo.transpose` {
      Attributes { permutation : DenseI64ArrayAttr }
      Operands { operand : Dhlo_Tensor }
      Results { result : Dhlo_Tensor }
    }
    Operation `dhlo.top_k` {
      Attributes { k : I64Attr }
      Operands { operand : Dhlo_Tensor }
      Results { values : Dhlo_Tensor, indices : Dhlo_Tensor }
    }
    Operation `dhlo.reduce` {
      Attributes { dimensions : DenseI64ArrayAttr }
      Operands { inputs : Variadic<Dhlo_Tensor>, init_values : Variadic<Dhlo_Tensor> }
      Results {  : Variadic<Dhlo_Tensor> }
    }
    Operation `dhlo.linear` {
      Attributes { config : Optional<StrAttr>, transpose : BoolAttr }
      Operands { lhs : Dhlo_Tensor, rhs : Dhlo_Tensor, bias : Optional<Dhlo_Tensor> }
      Results { result : Dhlo_Tensor }
    }
  }
  Dialect `arith` {
    Operation `arith.addi` {
      Attributes { overflowFlags : AnyAttr }
      Operands { lhs : AnyType, rhs : AnyType }
      Results { result : AnyType }
    }
    Operation `arith.muli` {
      Attributes { overflowFlags : AnyAttr }
      Operands { lhs : AnyType, rhs : AnyType }
      Results { result : AnyType }
    }
  }
  Dialect `lmhlo_disc` {
    Operation `lmhlo_disc.library_call` {
      Attributes { target : StrAttr, ints : DenseI64ArrayAttr }
      Operands { ins : Variadic<Buffer>, outs : Variadic<Buffer> }
      Results { results : Variadic<AnyRankedTensor> }
    }
  }
  AttributeConstraint `Dhlo_ComparisonDirectionAttr` {
    Summary: direction
    CppClass: ::mlir::dhlo::ComparisonDirectionAttr
  }
}
"""
DECLS = """
class AddOp : public ::mlir::Op<AddOp, ::mlir::InferTypeOpInterface::Trait> {
    return ::llvm::StringLiteral("dhlo.add");
class ConcatenateOp : public ::mlir::Op<ConcatenateOp, ::mlir::OpTrait::VariadicOperands> {
    return ::llvm::StringLiteral("dhlo.concatenate");
class LibraryCallOp : public ::mlir::Op<LibraryCallOp, ::mlir::OpTrait::AttrSizedOperandSegments> {
    return ::llvm::StringLiteral("lmhlo_disc.library_call");
"""
DEFS = """
::llvm::LogicalResult ConcatenateOp::verifyInvariantsImpl() {
  if (!tblgen_dimension) return emitOpError("requires attribute 'dimension'");
"""


@pytest.fixture(autouse=True)
def models(tmp_path: Path) -> dict[str, ods.OpDef]:
    path = tmp_path / "ods.json"
    path.write_text(ods.to_json(ods.parse_dump(ODS_DUMP, DECLS, DEFS)))
    return ods.load(path)
