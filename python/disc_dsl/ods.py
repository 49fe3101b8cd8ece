"""The model of every op, read from ODS by `mlir-pdll --dump-ods` and `mlir-tblgen`, kept as one JSON file."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .tools import find_tool


@dataclass(frozen=True)
class Group:
    """An operand or result of an op: one value, or a variadic or optional group."""

    name: str
    kind: str = "single"  # "single", "variadic" or "optional"
    type: str = ""


@dataclass(frozen=True)
class AttrDef:
    name: str
    constraint: str = ""
    optional: bool = False
    required: bool = False
    cpp: str = ""  # C++ class of the attribute


@dataclass(frozen=True)
class OpDef:
    name: str
    operands: tuple[Group, ...] = ()
    attributes: dict[str, AttrDef] = field(default_factory=dict)
    results: tuple[Group, ...] = ()
    segments: bool = False  # operand groups are found by a size attribute
    infers: bool = False  # result types can be inferred

    @property
    def mnemonic(self) -> str:
        return self.name.split(".", 1)[1]


_FIELD = re.compile(r"(\w*) : ((?:Variadic|Optional)<([^<>]*)>|[^,}]+)")
_CLASS = re.compile(r"^class (\w+) : public ::mlir::Op<(.*)> \{$")
_OPNAME = re.compile(r'StringLiteral\("([\w.$-]+)"\)')


def _groups(text: str) -> tuple[Group, ...]:
    groups = []
    for name, type_, inner in _FIELD.findall(text):
        kind = type_.split("<")[0].lower() if inner else "single"
        groups.append(Group(name, kind, (inner or type_).strip()))
    return tuple(groups)


def parse_dump(text: str, decls: str = "", defs: str = "") -> dict[str, OpDef]:
    """Op models from the text of `mlir-pdll --dump-ods`, traits from mlir-tblgen's declarations and definitions."""
    traits: dict[str, str] = {}
    classes: dict[str, str] = {}
    current = ""
    for line in decls.splitlines():
        if m := _CLASS.match(line):
            current = m[1]
            traits[current] = m[2]
        elif current and "return ::llvm::StringLiteral(" in line and (m := _OPNAME.search(line)):
            classes.setdefault(m[1], current)
            current = ""
    required: dict[str, set[str]] = {}
    current = ""
    for line in defs.splitlines():
        if "::verifyInvariantsImpl()" in line:
            current = line.split("::verifyInvariantsImpl")[0].split()[-1]
        elif current and (m := re.search(r"requires attribute '(\w+)'", line)):
            required.setdefault(current, set()).add(m[1])
    cpp = dict(re.findall(r"AttributeConstraint `(\w+)` \{\s*\n\s*Summary:[^\n]*\n\s*CppClass: (\S+)", text))
    ops: dict[str, OpDef] = {}
    for m in re.finditer(r"^    Operation `([^`]+)` \{\n(.*?)^    \}$", text, re.MULTILINE | re.DOTALL):
        name, body = m[1], m[2]
        parts = dict(re.findall(r"^\s*(Attributes|Operands|Results) \{ (.*) \}$", body, re.MULTILINE))
        cls = classes.get(name, "")
        attrs = {
            g.name: AttrDef(g.name, g.type, g.kind == "optional", g.name in required.get(cls, ()), cpp.get(g.type, ""))
            for g in _groups(parts.get("Attributes", ""))
        }
        ops[name] = OpDef(
            name,
            _groups(parts.get("Operands", "")),
            attrs,
            _groups(parts.get("Results", "")),
            "AttrSizedOperandSegments" in traits.get(cls, ""),
            "InferTypeOpInterface" in traits.get(cls, ""),
        )
    return ops


def dump(tds: Sequence[str], includes: Sequence[str]) -> dict[str, OpDef]:
    """Runs the tools over dialect .td files (paths as in `#include`), one by one: mlir-pdll mixes up unnamed
    constraints of two.
    """
    flags = [f for i in includes for f in ("-I", i)]

    def run(tool: str, source: str, *args: str) -> str:
        done = subprocess.run(
            [find_tool(tool), *flags, *args, "-"], check=False, input=source, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"error: {tool} failed on `{source.strip()}`:\n{done.stderr}")
        return done.stdout + done.stderr

    def one(td: str) -> dict[str, OpDef]:
        text = run("mlir-pdll", f'#include "{td}"\n', "-x=ast", "--dump-ods")
        decls, defs = (run("mlir-tblgen", f'include "{td}"\n', kind) for kind in ("-gen-op-decls", "-gen-op-defs"))
        return parse_dump(text, decls, defs)

    with ThreadPoolExecutor() as pool:
        return {n: op for ops in pool.map(one, tds) for n, op in ops.items()}


def to_json(ops: dict[str, OpDef]) -> str:
    return json.dumps({n: asdict(op) for n, op in sorted(ops.items())}, indent=0) + "\n"


def from_json(text: str) -> dict[str, OpDef]:
    def op(d: dict[str, Any]) -> OpDef:
        groups = {k: tuple(Group(**g) for g in d[k]) for k in ("operands", "results")}
        attrs = {n: AttrDef(**a) for n, a in d["attributes"].items()}
        return OpDef(d["name"], groups["operands"], attrs, groups["results"], d["segments"], d["infers"])

    return {n: op(d) for n, d in json.loads(text).items()}


_loaded: dict[str, OpDef] | None = None


def load(path: Path | None = None) -> dict[str, OpDef]:
    """The op models: from `path`, or the file of this installation or build tree."""
    global _loaded
    if path is not None:
        _loaded = from_json(path.read_text())
    if _loaded is None:
        package = Path(__file__).resolve().parent
        places = [package / "ods.json", package.parent.parent / "build" / "passes" / "ods.json"]
        found = next((p for p in places if p.exists()), None)
        if found is None:
            raise RuntimeError(
                "no op models: build the compiler first (they are made from the dialects' .td files), or pass --ods"
            )
        _loaded = from_json(found.read_text())
    return _loaded
