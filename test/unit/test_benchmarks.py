"""The benchmark harness runs: one workload at its smallest shape, DISC beside eager. Times are not looked at."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_one_shape_beside_eager(tmp_path):
    command = [sys.executable, ROOT / "benchmarks" / "run.py", "--only", "W3", "--peers", "disc", "--shapes", "12"]
    command += ["--rounds", "1", "--budget", "0.001", "--nice", "0", "--out", tmp_path, "--json", tmp_path / "all.json"]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    (result,) = json.loads((tmp_path / "all.json").read_text())["workloads"]
    mine = result["peers"]["disc"]
    assert not mine["failed"] and not mine["shape_failures"], mine
    assert mine["stats"]["graphs"] == 1
    assert mine["error"]["12"] < 1e-5 and mine["steady"]["12"][0]["seconds"] > 0
    report = (tmp_path / "report.md").read_text()
    assert "| W3 |" in report and "5x5" in report


def test_peers_that_are_not_installed_are_absent(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from peers.base import Peer

    assert Peer(lambda *_: None, ("no_such_module.inside",)).absent() == "no module `no_such_module`"
    assert Peer(lambda *_: None, ("json",)).absent() == ""


def test_compile_time_by_depth(tmp_path):
    pytest.importorskip("transformers")
    pytest.importorskip("torch_mlir")
    command = [sys.executable, ROOT / "benchmarks" / "compile_time.py", "--layers", "1", "2", "--rounds", "1"]
    command += ["--json", tmp_path / "runs.json", "--plot", tmp_path / "plot.png"]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    one, two = json.loads((tmp_path / "runs.json").read_text())
    assert one["kernels"] == two["kernels"] and one["fusions"] < two["fusions"]
    assert sum(two["phases"].values()) <= two["wall"] and "| 2 |" in done.stdout
