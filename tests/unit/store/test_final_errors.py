"""Jobs whose error another attempt would have, too, and those whose error may pass."""

from contextlib import suppress
from pathlib import Path

import pytest

from nlfol.models.request import AwayError, ChatError
from nlfol.models.vectors.local import LostVectorsError
from nlfol.store.files import StoreError
from nlfol.store.locks import HeldError
from nlfol.store.logs import ended_for_good, job_log


def caused(error: Exception, cause: BaseException) -> Exception:
    error.__cause__ = cause
    return error


CASES: list[tuple[BaseException, bool]] = [
    (StoreError("a.arrow: of another schema"), True),
    (ChatError("variable KEY is not set"), True),
    (KeyError("a bug"), True),
    (AwayError("no connection"), False),
    (LostVectorsError("3 texts have no vector"), False),
    (HeldError("another process has it"), False),
    (ConnectionResetError("by peer"), False),
    (MemoryError(), False),
    (RuntimeError("CUDA error: device is busy"), False),
    (caused(StoreError("cannot be read"), OSError("stale handle")), False),
    (KeyboardInterrupt(), False),
]


@pytest.mark.parametrize(("error", "final"), CASES, ids=lambda value: type(value).__name__)
def test_job_that_would_fail_again_says_so_in_its_log(error: BaseException, final: bool, tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    with suppress(SystemExit), job_log(str(log)):
        raise error
    assert ended_for_good(log) is final


def test_killed_job_does_not_end_for_good(tmp_path: Path) -> None:
    log = tmp_path / "killed.log"
    log.write_text("12:00 3 of 8 answers\n12:01 a model wrote: another attempt would end in the same way, \n")
    assert not ended_for_good(log)
    assert not ended_for_good(log.with_name("none.log"))
