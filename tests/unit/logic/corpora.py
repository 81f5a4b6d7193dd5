"""Texts that people and models wrote: what is shipped, and what is skipped where it is not at hand."""

import csv
import json
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from nlfol.logic.errors import FormulaSyntaxError, SignatureError
from nlfol.logic.measuring import free_variables, signature
from nlfol.logic.reading import TolerantReading, read_tolerantly
from nlfol.logic.syntax import Formula

ROOT = Path(__file__).parents[3]
SHARED = ROOT / "../shared/data"


def tarski() -> list[str]:
    """The distinct formulas of the shipped dataset."""
    with (ROOT / "resources/datasets/tarski/sentences.csv").open(encoding="utf-8", newline="") as file:
        return sorted({row["formula"] for row in csv.DictReader(file)})


def folio() -> list[str]:
    """The distinct formulas of FOLIO v0.0, as published."""
    path = SHARED / "folio/folio-train.jsonl"
    if not path.exists():
        pytest.skip("FOLIO v0.0 is not at hand: ../shared/data/folio/folio-train.jsonl")
    stories = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted({text for story in stories for text in [*story["premises-FOL"], story.get("conclusion-FOL", "")]})


def written_by_models() -> list[str]:
    """The lines that two models wrote for FOLIO."""
    paths = sorted((SHARED / "logic_lm").glob("folio_dev_*.jsonl"))
    if len(paths) < 2:
        pytest.skip("the lines of Logic-LM are not at hand: ../shared/data/logic_lm")
    return [json.loads(line)["text"] for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


CORPORA = {"tarski": tarski, "folio": folio}


def closed(texts: Iterable[str]) -> list[Formula]:
    """The distinct closed formulas that the tolerant reader makes of some texts."""
    found: dict[Formula, None] = {}
    for text in texts:
        with suppress(FormulaSyntaxError):
            formula = read_tolerantly(text).formula
            if not free_variables(formula):
                found[formula] = None
    return list(found)


def has_one_arity_a_symbol(formula: Formula) -> bool:
    """Tell if the formula can be judged."""
    try:
        signature(formula)
    except SignatureError:
        return False
    return True


@cache
def read_or_refused(
    text: str, *, propositions: bool = False
) -> tuple[TolerantReading, None] | tuple[None, FormulaSyntaxError]:
    try:
        return read_tolerantly(text, propositions=propositions), None
    except FormulaSyntaxError as error:
        return None, error
