"""The mock artifact of the runtime's tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from ral_artifact import HERE, build_artifact


@pytest.fixture(scope="session")
def mock_artifact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_artifact(HERE / "mock_artifact.c", tmp_path_factory.mktemp("mock") / "mock.so")
