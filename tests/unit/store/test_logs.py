from contextlib import closing
from pathlib import Path

import pytest

from nlfol.store.files import StoreError
from nlfol.store.logs import LOGGER, Progress, job_log


def test_job_log_writes_to_terminal_and_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "logs" / "job.log"
    with job_log(str(path)):
        LOGGER.info("half done")
    assert capsys.readouterr().err == "half done\n"
    assert path.read_text().endswith(" half done\n")


def test_library_error_ends_job_with_message_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "job.log"
    with pytest.raises(SystemExit) as caught, job_log(str(path)):
        raise StoreError("a.arrow: delete it")
    assert caught.value.code == 1
    assert capsys.readouterr().err == "error: a.arrow: delete it\n"
    assert "error: a.arrow: delete it" in path.read_text()


def test_unexpected_error_keeps_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit), job_log(str(tmp_path / "job.log")):
        raise KeyError("unforeseen")
    assert "Traceback" in capsys.readouterr().err
    assert "Traceback" in (tmp_path / "job.log").read_text()


def test_full_disk_error_suggests_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    full = Path("/dev/full")
    with pytest.raises(SystemExit), job_log(str(full)):
        full.write_text("results")
    assert capsys.readouterr().err == "error: [Errno 28] No space left on device; make room and run again\n"


def test_progress_reports_start_end_and_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with job_log(str(tmp_path / "job.log")):
        seldom, often = Progress("seldom", every=3600), Progress("often", every=0)
        for done in range(4):
            seldom(done, 3)
            often(done, 3)
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if "seldom" in line] == ["seldom: 0 of 3 answers", "seldom: 3 of 3 answers"]
    assert len(said) == 2 + 4


def test_progress_reports_failures_cost_and_remaining_time(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([100.0, 130.0, 8000.0, 8001.0])
    monkeypatch.setattr("nlfol.store.logs.monotonic", lambda: next(clock))
    with job_log(str(tmp_path / "job.log")):
        progress = Progress("asked", every=0)
        progress(10, 100)  # of an earlier run
        progress.failed, progress.spent = 1, "0.1200 USD"
        progress(20, 100)
        progress(60, 100)
        progress(100, 100)
    assert capsys.readouterr().err.splitlines() == [
        "asked: 10 of 100 answers",
        "asked: 19 of 100 answers, 1 failed, 0.1200 USD so far, about 4 min left",
        "asked: 59 of 100 answers, 1 failed, 0.1200 USD so far, about 1.8 h left",
        "asked: 99 of 100 answers, 1 failed, 0.1200 USD so far",
    ]


def test_progress_log_has_line_per_second_and_final_count(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([100.0, 100.5, 101.0, 101.5])
    monkeypatch.setattr("nlfol.store.logs.monotonic", lambda: next(clock))
    with job_log(str(tmp_path / "job.log")), closing(Progress("asked")) as progress:
        for done in range(4):
            progress(done, 9)
    logged = (tmp_path / "job.log").read_text(encoding="utf-8").splitlines()
    counts = [line.split("asked: ")[1].split(" of ")[0] for line in logged]
    assert counts == ["0", "2", "3"]
    assert capsys.readouterr().err == "asked: 0 of 9 answers\n"


def test_interrupted_job_reports_kept_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended, job_log(str(tmp_path / "log")):
        raise KeyboardInterrupt
    assert ended.value.code == 130
    assert capsys.readouterr().err == "stopped: what was answered before is kept; run again to go on\n"
