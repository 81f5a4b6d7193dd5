"""A checkout in which nothing has run, and one in which a small experiment with every kind of job is finished."""

import copy
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from tests.workflow.checkout import CHANCE, MINILM, Checkout, configuration
from tests.workflow.tiny_model import ENTRY, save_tiny_model


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A checkout in which nothing has run, configured for the small experiment with chance alone."""
    made = Checkout.make(tmp_path / "checkout")
    made.configure(configuration())
    return made


@pytest.fixture(scope="session")
def experiment() -> dict[str, Any]:
    """A dialogue model, an embedding model and chance; the dialogue model lies in the checkout itself."""
    return configuration(tiny={**ENTRY, "source": {"path": "mine/tiny"}}, minilm=MINILM, chance=CHANCE)


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory, experiment: dict[str, Any]) -> Checkout:
    """The experiment after its run, which all processes of a test session share; tests change copies of it only."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    checkout = Checkout(shared / "finished" / "checkout")
    with FileLock(shared / "finished.lock"):
        if not (shared / "finished" / "done").exists():
            Checkout.make(checkout.folder)
            save_tiny_model(checkout.folder / "mine/tiny")
            checkout.configure(experiment)
            checkout.run("results/tables", cores=2)
            (shared / "finished" / "done").touch()
    return checkout


@pytest.fixture
def again(finished: Checkout, tmp_path: Path) -> Checkout:
    """A copy of the finished experiment, to be changed."""
    return finished.copy(tmp_path / "checkout")


@pytest.fixture
def nothing_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a key nor a file of the user's, nor a GPU."""
    named = ("NLFOL_STANFORD", "NLFOL_FOLIO", "NLFOL_PROVERQA", "WORDNET", "PPDB", "OPENAI_API_KEY", "GEMINI_API_KEY")
    for name in named:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")


Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def changed(again: Checkout, experiment: dict[str, Any]) -> Callable[[Change], Checkout]:
    """The finished experiment under a changed configuration."""

    def change(edit: Change) -> Checkout:
        values = copy.deepcopy(experiment)
        edit(values)
        again.configure(values)
        return again

    return change
