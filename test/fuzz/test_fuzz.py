"""A few dozen random programs in every test run; `python test/fuzz/run.py` runs as many as you like."""

from check import check
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategy import programs


@settings(max_examples=40, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(programs(), st.integers(0, 99))
def test_compiled_code_agrees_with_the_interpreter(program, seed):
    check(program, seed)
