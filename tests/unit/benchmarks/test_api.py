"""The server of ``benchmarks/api.py``."""

import sys
from typing import Any

import pytest
from benchmarks.api import server


class Ending(float):
    """A number that ends the process that receives it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return sys.exit, (3,)


def test_server_exiting_at_start_raises_error() -> None:
    with pytest.raises(RuntimeError, match="ended before it told its address"), server(Ending(), 0.1):
        pass


def test_server_reports_its_address_and_cpu() -> None:
    with server(0.1, 0.1) as served:
        assert served.url.startswith("http://")
        assert served.cpu() > 0
