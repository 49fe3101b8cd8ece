#!/usr/bin/env python3
"""Compares compiled code with the interpreter on random programs.

    python test/fuzz/run.py --programs 2000 --seed 1

Prints the smallest differing program that hypothesis finds and exits with 1; exits with 0 when there is none.
"""

from __future__ import annotations

import argparse
import sys
import time

from check import check
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from strategy import programs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ops", type=int, default=12, help="most ops drawn for one program")
    parser.add_argument("--no-shrink", action="store_true", help="print the first difference as it is")
    args = parser.parse_args()
    phases = [Phase.generate] if args.no_shrink else [Phase.generate, Phase.shrink]
    count = 0

    @seed(args.seed)
    @settings(max_examples=args.programs, deadline=None, database=None, suppress_health_check=list(HealthCheck), phases=phases)
    @given(programs(max_ops=args.ops), st.integers(0, 99))
    def run(program, data_seed):
        nonlocal count
        count += 1
        check(program, data_seed)

    started = time.perf_counter()
    try:
        run()
    finally:
        print(f"{count} programs in {time.perf_counter() - started:.0f} s, seed {args.seed}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
