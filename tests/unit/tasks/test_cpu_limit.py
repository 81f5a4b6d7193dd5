"""An answer that a reader takes too long with costs that answer alone."""

import re
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from time import thread_time

import pytest
from tests.examples import said
from tests.unit.tasks.generated_set import judged, triples

from nlfol.logic import answers
from nlfol.store import files, schemas
from nlfol.tasks import cpu_limit
from nlfol.tasks.answers import AnswerError, text_schema
from nlfol.tasks.cpu_limit import limited_cpu
from nlfol.tasks.envelopes import opened, opening

SLOW = re.compile(r"\{\s*\s*\s*answer")
BLANKS = "{" + " " * 20_000
REASON = "took too long: not read within 0.2 s of CPU time"


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cpu_limit, "MAX_SECONDS", 0.2)
    before = signal.getsignal(signal.SIGVTALRM)
    yield
    assert signal.getsignal(signal.SIGVTALRM) is before
    assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0


def work(seconds: float) -> None:
    end = thread_time() + seconds
    while thread_time() < end:
        pass


def test_slow_envelope_counts_as_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_begins", lambda keys: SLOW)
    assert opened(BLANKS, text_schema(500, 500)) == ("", (), REASON)


def test_slow_answer_is_unparsable_without_affecting_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_begins", lambda keys: SLOW)
    source = triples(tmp_path / "triples.arrow", [("s", f"Text {name}.", f"P({name})") for name in ("a", "b", "slow")])
    entry = {"task": "logical_translation"}
    scores = judged(tmp_path, source, entry, lambda item: BLANKS if "slow" in item.formula else said(item.formula))
    found = {row["item"]: (row["outcome"], row["detail"]) for row in files.rows(scores, schemas.SCORES)}
    assert found.pop("s:2") == ("unparsable", REASON)
    assert {outcome for outcome, _ in found.values()} == {"answered"}


def test_slow_formula_reader_makes_answer_unparsable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "read_decided", lambda text, **_: SLOW.search(BLANKS))
    source = triples(tmp_path / "triples.arrow", [("s", "Text a.", "P(a)")])
    scores = judged(tmp_path, source, {"task": "logical_translation"}, lambda item: said(item.formula))
    rows = files.rows(scores, schemas.SCORES)
    assert {(row["outcome"], row["detail"]) for row in rows} == {("unparsable", REASON)}


def test_nested_cpu_limits_share_outer_limit() -> None:
    @limited_cpu()
    def read() -> None:
        work(0.1)

    with pytest.raises(AnswerError, match="took too long"), limited_cpu():
        [read() for _ in range(10)]


def test_cpu_limit_excludes_other_threads() -> None:
    done = []

    def other() -> None:
        with limited_cpu():
            work(0.5)
            done.append(True)

    thread = threading.Thread(target=other)
    with limited_cpu():
        thread.start()
        thread.join()
    assert done == [True]
