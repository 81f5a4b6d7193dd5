"""A plugin of pytest (``-p tests.without_arrow``): tests of the logic need no data frames, no torch, no Arrow."""

import sys

for _name in ("pyarrow", "polars", "torch"):
    sys.modules[_name] = None  # type: ignore[assignment]
