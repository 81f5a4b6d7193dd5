"""What all tests share: tests import one another's examples as ``tests.unit.logic.examples``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
