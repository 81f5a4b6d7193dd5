"""Tarski's World and FOLIO in every dialect, what models wrote, and texts that once did harm: read or refused."""

import json
import re
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.property.test_tolerant_round_trips import FUNCTIONAL, LEAN, PLAIN, can_be_written, is_quantified, renamed
from tests.unit.logic import corpora
from tests.unit.logic.corpora import CORPORA, read_or_refused
from tests.unit.logic.hostile_texts import PARTS, pasted, slips

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import constants
from nlfol.logic.printing import to_tptp, to_unicode
from nlfol.logic.reading import MAX_LENGTH, parse, read, read_tolerantly
from nlfol.logic.reading.tolerant import reading
from nlfol.logic.reading.tolerant.lexemes import ENGLISH
from nlfol.logic.syntax import Atom, Formula, distinct_subformulas

REASONS = {
    "a list or a set": 4,
    "truth value": 14,
    "a formula cannot be an argument": 1,
    "two names in a row": 1,
    "English word": 1,
    "nullary": 3,
}


CLOSED = {"tarski": 208, "folio": 1621}
"""Closed formulas of each corpus; each has a text in the strict notation."""


@pytest.fixture(scope="module", params=CLOSED)
def formulas(request: pytest.FixtureRequest) -> list[Formula]:
    found = corpora.closed(CORPORA[request.param]())
    assert len(found) == CLOSED[request.param]
    assert all(map(can_be_written, found))
    return found


@pytest.fixture(scope="module")
def folio() -> list[str]:
    return corpora.folio()


@pytest.fixture(scope="module")
def written_by_models() -> list[str]:
    return corpora.written_by_models()


def test_propositions_option_changes_only_refused_readings(folio: list[str], written_by_models: list[str]) -> None:
    new = 0
    for text in [*folio, *written_by_models]:
        read, error = read_or_refused(text)
        with_letters, _ = read_or_refused(text, propositions=True)
        if read == with_letters:
            continue
        assert error is not None
        assert "nullary" in error.problem
        new += 1
    assert new == REASONS["nullary"]


@pytest.mark.parametrize("dialect", PLAIN)
def test_corpora_round_trip_in_every_dialect(dialect: str, formulas: list[Formula]) -> None:
    """Each dialect has another quarter of FOLIO."""
    step = 4 if len(formulas) == CLOSED["folio"] else 1
    for formula in formulas[list(PLAIN).index(dialect) % step :: step]:
        assert read_tolerantly(PLAIN[dialect](formula)).formula is formula


def test_corpora_round_trip_in_functional_notation_and_tptp(formulas: list[Formula]) -> None:
    for formula in formulas:
        assert read_tolerantly(FUNCTIONAL.write(formula)).formula is formula
        written = to_tptp(formula)
        assert to_tptp(read_tolerantly(written).formula) == written


def test_corpora_round_trip_in_lean(formulas: list[Formula]) -> None:
    for formula in formulas:
        # What has neither a quantifier nor an atom is not told from other notations.
        if not is_quantified(formula) or not any(isinstance(node, Atom) for node in distinct_subformulas(formula)):
            continue
        # A constant called "on" makes the text look like English.
        if constants(formula) & ENGLISH:
            with pytest.raises(FormulaSyntaxError, match="prose"):
                read_tolerantly(LEAN.write(formula))
        else:
            assert read_tolerantly(LEAN.write(formula)).formula is formula


def test_tolerant_reader_agrees_with_strict_reader(folio: list[str], written_by_models: list[str]) -> None:
    for text in [*folio, *written_by_models]:
        with suppress(FormulaSyntaxError):
            strict = read(text)
            tolerant, _ = read_or_refused(text)
            assert tolerant is not None
            assert tolerant.formula is strict.formula
            assert tolerant.dialect == "unicode"
            assert set(strict.warnings) <= set(tolerant.repairs)
            assert not strict.warnings or "quantifier_scope" in {a.kind for a in tolerant.ambiguities}


def test_single_reading_shortcut_leaves_readings_unchanged(folio: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    once = {text: read_or_refused(text) for text in folio if strictly(text) and reading.has_one_reading(text)}
    assert len(once) > 1_000
    monkeypatch.setattr(reading, "has_one_reading", lambda _: False)
    for text, (expected, _) in once.items():
        assert read_tolerantly(text) == expected


def test_model_lines_are_read_or_refused_with_known_reasons(written_by_models: list[str]) -> None:
    refused: Counter[str] = Counter()
    read_as: Counter[str] = Counter()
    columns = []
    for text in written_by_models:
        found, error = read_or_refused(text)
        if found is None:
            assert error is not None
            refused[next((reason for reason in REASONS if reason in error.problem), error.problem)] += 1
            columns.append(error.column / (len(text) + 1))
        else:
            is_strict = strictly(text) is not None
            read_as["strict" if is_strict else "repaired"] += 1
            read_as["mathematics"] += found.dialect == "mathematics"
            assert is_strict or found.repairs
    assert len(written_by_models) == 2371
    assert read_as == {"strict": 2243, "repaired": 104, "mathematics": 25}
    assert refused == REASONS
    assert len(columns) == 24
    assert all(0 < column <= 1 for column in columns)


def strictly(text: str) -> Formula | None:
    with suppress(FormulaSyntaxError):
        return parse(text)
    return None


def simplified(text: str) -> str:
    """The text with digits, points and quotation marks in names spelled in letters: a second, much simpler repair."""
    text = re.sub(r'"([^"]*)"', lambda quoted: quoted[1].replace(" ", "_"), text)
    return re.sub(r"(?<=[(, ])(?:US\$)?\d[\w.]*", lambda name: "n" + re.sub(r"\W", "_", name[0]), text)


def test_repaired_lines_keep_their_meaning(written_by_models: list[str]) -> None:
    """Against the strict reader after a simplification of its own; of names only kind and first letter count."""
    compared = 0
    for text in written_by_models:
        try:
            read(text)
        except FormulaSyntaxError:
            with suppress(FormulaSyntaxError):
                mended = read_tolerantly(text)
                surplus = max(text.count(")") - text.count("("), 0)
                strict = parse(simplified(text)[: len(simplified(text)) - surplus])
                blind = [renamed(f, lambda kind, name: f"{kind}_{name[0]}") for f in (strict, mended.formula)]
                assert (
                    to_unicode(blind[0], checked=False).lower() == to_unicode(blind[1], checked=False).lower()
                    or "US$" in text
                )
                compared += 1
    assert compared > 70


@pytest.mark.parametrize(("corpus", "count"), [("tarski", 1_500), ("folio", 1_000)])
def test_formulas_with_slips_are_read_or_refused(corpus: str, count: int) -> None:
    refused = 0
    for text in slips(CORPORA[corpus](), count, 2024):
        found, _ = read_or_refused(text)
        refused += found is None
        assert found is None or found.formula not in found.alternatives
    assert count / 10 < refused < count * 9 / 10


FOUND = [json.loads(line) for line in Path(__file__).with_name("found_texts.jsonl").read_text("utf-8").splitlines()]
"""Texts that once did harm: a text, or a unit that is repeated up to the longest text that is read; and what is said of
it now."""


def text_of(found: dict[str, str]) -> str:
    return found["text"] if "text" in found else found["unit"] * (MAX_LENGTH // len(found["unit"]))


@pytest.mark.parametrize("found", FOUND, ids=range(len(FOUND)))
def test_known_harmful_texts_are_refused(found: dict[str, str]) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        read_tolerantly(text_of(found))
    assert re.search(found["problem"], caught.value.problem)


def test_pasted_texts_are_read_or_refused() -> None:
    texts = enumerate(pasted(4_000, 2026))
    refused = sum(read_or_refused(text, propositions=number % 2 == 1)[0] is None for number, text in texts)
    assert 500 < refused < 3_950


@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=3), max_size=12).map("".join))
def test_readers_raise_only_documented_errors(text: str) -> None:
    for reader in (read, read_tolerantly):
        with suppress(FormulaSyntaxError):
            reader(text)
