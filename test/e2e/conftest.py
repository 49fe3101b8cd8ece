"""Makes examples/ importable: the tests run the same models as the demo."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
