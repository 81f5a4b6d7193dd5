"""FOLIO in every dialect, and what models wrote for it; skipped where they are not at hand."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.property.test_tolerant_round_trips import FUNCTIONAL, LEAN, PLAIN, is_quantified, renamed

from nlfol.logic.errors import FormulaError, FormulaSyntaxError
from nlfol.logic.measuring import constants, free_variables
from nlfol.logic.notations.tokens import ENGLISH
from nlfol.logic.notations.tolerant import read_tolerantly
from nlfol.logic.printing import to_smtlib, to_tptp, to_unicode
from nlfol.logic.reading import parse, read
from nlfol.logic.syntax import Atom, Formula, distinct_subformulas

SHARED = Path(__file__).parents[3] / "../shared/data"
REASONS = {
    "infix comparisons": 24,
    "a list or a set": 4,
    "truth value": 14,
    "sets and membership": 1,
    "a formula cannot be an argument": 1,
    "two names in a row": 1,
    "English word": 1,
    "nullary": 3,
}


@pytest.fixture(scope="module")
def folio() -> list[str]:
    path = SHARED / "folio/folio-train.jsonl"
    if not path.exists():
        pytest.skip("FOLIO v0.0 is not at hand: ../shared/data/folio/folio-train.jsonl")
    stories = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted({text for story in stories for text in [*story["premises-FOL"], story.get("conclusion-FOL", "")]})


@pytest.fixture(scope="module")
def formulas(folio: list[str]) -> list[Formula]:
    found = []
    for text in folio:
        with suppress(FormulaSyntaxError):
            found.append(parse(text))
    return list(dict.fromkeys(formula for formula in found if not free_variables(formula)))


@pytest.fixture(scope="module")
def written_by_models() -> list[str]:
    paths = sorted((SHARED / "logic_lm").glob("folio_dev_*.jsonl"))
    if len(paths) < 2:
        pytest.skip("the lines of Logic-LM are not at hand: ../shared/data/logic_lm")
    return [json.loads(line)["text"] for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def writable(formulas: list[Formula]) -> Iterator[Formula]:
    """Those that have a text in the strict notation: no constant is called as a variable is."""
    for formula in formulas:
        with suppress(FormulaError):
            to_unicode(formula)
            yield formula


@pytest.mark.parametrize("dialect", PLAIN)
def test_folio_in_a_dialect(dialect: str, formulas: list[Formula]) -> None:
    for formula in writable(formulas):
        assert read_tolerantly(PLAIN[dialect](formula)).formula is formula


def test_folio_with_functional_connectives(formulas: list[Formula]) -> None:
    for formula in writable(formulas):
        assert read_tolerantly(FUNCTIONAL.write(formula)).formula is formula


def test_folio_in_tptp(formulas: list[Formula]) -> None:
    for formula in writable(formulas):
        written = to_tptp(formula)
        assert to_tptp(read_tolerantly(written).formula) == written


def test_folio_in_smtlib(formulas: list[Formula]) -> None:
    for formula in writable(formulas):
        expected = renamed(formula, lambda kind, name: f"{kind}_{name}")
        assert read_tolerantly(to_smtlib(formula)).formula is expected


def test_folio_in_lean(formulas: list[Formula]) -> None:
    quantified = [formula for formula in writable(formulas) if is_quantified(formula)]
    for formula in quantified:
        # A constant called "on" makes the text look like English.
        if any(isinstance(node, Atom) for node in distinct_subformulas(formula)) and not constants(formula) & ENGLISH:
            assert read_tolerantly(LEAN.write(formula)).formula is formula


def test_what_the_strict_reader_accepts_is_read_as_it_reads_it(folio: list[str], written_by_models: list[str]) -> None:
    for text in [*folio, *written_by_models]:
        with suppress(FormulaSyntaxError):
            strict = read(text)
            reading = read_tolerantly(text)
            assert reading.formula is strict.formula
            assert reading.dialect == "unicode"
            assert set(strict.warnings) <= set(reading.repairs)
            assert not strict.warnings or "quantifier_scope" in {a.kind for a in reading.ambiguities}


def test_every_line_of_a_model_is_read_or_refused_with_its_reason(written_by_models: list[str]) -> None:
    refused: Counter[str] = Counter()
    for text in written_by_models:
        try:
            read_tolerantly(text)
        except FormulaSyntaxError as error:
            refused[next((reason for reason in REASONS if reason in error.problem), error.problem)] += 1
    assert len(written_by_models) == 2371
    assert refused == REASONS


def simplified(text: str) -> str:
    """The text with digits, points and quotation marks in names spelled in letters: a second, much simpler repair."""
    text = re.sub(r'"([^"]*)"', lambda quoted: quoted[1].replace(" ", "_"), text)
    return re.sub(r"(?<=[(, ])(?:US\$)?\d[\w.]*", lambda name: "n" + re.sub(r"\W", "_", name[0]), text)


def test_no_mended_line_says_something_else(written_by_models: list[str]) -> None:
    """Against the strict reader after a simplification of its own; of names only kind and first letter count."""
    compared = 0
    for text in written_by_models:
        try:
            read(text)
        except FormulaSyntaxError:
            with suppress(FormulaSyntaxError):
                reading = read_tolerantly(text)
                surplus = max(text.count(")") - text.count("("), 0)
                strict = parse(simplified(text)[: len(simplified(text)) - surplus])
                blind = [renamed(f, lambda kind, name: f"{kind}_{name[0]}") for f in (strict, reading.formula)]
                assert (
                    to_unicode(blind[0], checked=False).lower() == to_unicode(blind[1], checked=False).lower()
                    or "US$" in text
                )
                compared += 1
    assert compared > 70


def mutated(text: str, random_: random.Random) -> str:
    alphabet = "()[]{},.:;!?~&|<->=^∀∃∧∨¬→↔⊕≠≤…λ$\\`*'\"xyzPQa1 \n"
    for _ in range(random_.randint(1, 4)):
        at = random_.randrange(len(text) + 1)
        match random_.randrange(4):
            case 0:
                text = text[:at] + random_.choice(alphabet) + text[at:]
            case 1:
                text = text[:at] + text[at + random_.randint(1, 5) :]
            case 2:
                text = text[:at] + random_.choice(alphabet) + text[at + 1 :]
            case _:
                to = random_.randrange(len(text) + 1)
                text = text[:at] + text[to:]
    return text


def test_mutated_formulas_raise_nothing_else(folio: list[str]) -> None:
    random_ = random.Random(2024)
    writers = list(PLAIN.values())
    texts = [text for text in folio if text.strip()]
    for number in range(2_000):
        text = random_.choice(texts)
        if number % 2:
            with suppress(FormulaError, FormulaSyntaxError):
                text = random_.choice(writers)(parse(text))
        with suppress(FormulaSyntaxError):
            reading = read_tolerantly(mutated(text, random_))
            assert reading.formula not in reading.alternatives
