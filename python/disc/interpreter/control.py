"""Branches, loops, calls, tuples, tokens (StableHLO specification: if, case, while, composite, ...; func, scf, cf)."""

from __future__ import annotations

import numpy as np

from .core import Call, CheckFailed, op


@op("dhlo.if")
def if_(c: Call, pred):
    return c.region(0 if pred else 1)


@op("dhlo.case")
def case(c: Call, index):
    last = len(c.blocks()) - 1
    return c.region(int(index) if 0 <= index <= last else last)


@op("dhlo.while")
def while_(c: Call, *values):
    values = list(values)
    while c.region(0, *values)[0]:
        values = c.region(1, *values)
    return values


@op("dhlo.fusion")
def fusion(c: Call, *values):
    return c.region(0, *values)


@op("dhlo.tuple")
def tuple_(_: Call, *values):
    return [tuple(values)]


@op("dhlo.get_tuple_element")
def get_tuple_element(c: Call, value):
    return [value[c.value("index")]]


@op("dhlo.after_all", "dhlo.create_token")
def token(_: Call, *tokens):
    return [None]


@op("dhlo.composite")
def composite(c: Call, *values):
    return c.machine.call(c.attr("decomposition").value, values)


@op("dhlo.partition_id", "dhlo.replica_id")
def process_id(c: Call):
    return np.zeros((), c.dtype())


@op("func.call")
def call(c: Call, *values):
    return c.machine.call(c.attr("callee").value, values)


@op("scf.if")
def scf_if(c: Call, pred):
    if pred:
        return c.region(0)
    return c.region(1) if len(c.blocks()) > 1 else []


@op("scf.while")
def scf_while(c: Call, *values):
    """The first region ends with `scf.condition`: go on?, and the values handed on."""
    while True:
        proceed, *values = c.region(0, *values)
        if not proceed:
            return values
        values = c.region(1, *values)


@op("scf.for")
def scf_for(c: Call, low, high, step, *values):
    values, i = list(values), int(low)
    while i < int(high):
        values = c.region(0, np.array(i, c.inputs and low.dtype), *values)
        i += int(step)
    return values


@op("scf.index_switch")
def scf_index_switch(c: Call, index):
    """Region 0 is the default."""
    cases = c.ints("cases")
    return c.region(cases.index(int(index)) + 1 if int(index) in cases else 0)


@op("scf.execute_region")
def scf_execute_region(c: Call):
    return c.region(0)


@op("cf.assert")
def cf_assert(c: Call, condition):
    if not condition:
        raise c.fail(c.value("msg"), CheckFailed)
    return []


@op("lmhlo_disc.check")
def check(c: Call, condition, *values):
    if not condition:
        raise c.fail(c.value("message").format(*[int(v) for v in values]), CheckFailed)
    return []
