"""Readings given over seeds: figures by hand, adversaries, and rows from answers."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import polars as pl
import pytest
from benchmarks.reading_sets import DEFINITIONS, ONE, SEVERAL, broken, measured
from tests.stored import EXPLAINED, frame, stored

from nlfol.mappings import AnyRow
from nlfol.results.statistics.summary import Origin
from nlfol.results.tables.table import Score
from nlfol.store import files
from nlfol.store.schemas import TRIPLES
from nlfol_extras.analyses.reading_sets import (
    CONSTANT,
    EVEN,
    READING_SETS,
    TABLE,
    figures,
    figures_of_even,
    reading_sets,
)

BOTH, ONE_OF = "∀x (Cat(x) ∨ Dog(x))", "∀x (Cat(x) ⊕ Dog(x))"
SAME_AS_BOTH = "¬∃y ¬(Dog(y) ∨ Cat(y))"
WRONG, WRONG_TOO, OTHER = "∃x Cat(x)", "¬∀y ¬Cat(y)", "∃x Dog(x)"


def test_one_reading_of_two_has_half_the_coverage_and_its_part_of_the_answers() -> None:
    assert figures([2, 0], 2, 2) == (1.0, 0.5, 0.5)
    assert figures([1, 1], 2, 2) == (1.0, 1.0, 1.0)
    assert figures([3, 0], 3, 3) == (1.0, 0.5, 2 / 3)  # two of three answers may give one reading
    assert figures([1, 0, 0], 4, 2) == (0.25, 0.25, 0.25)  # drawn with probability 1/2, one of the two that fit


@pytest.mark.parametrize(("given", "seeds", "drawn"), [([4, 1], 7, 3), ([2, 2, 1], 6, 4), ([3], 5, 2), ([0, 0], 3, 3)])
def test_figures_are_means_over_all_draws_of_seeds(given: list[int], seeds: int, drawn: int) -> None:
    answers = [reading for reading, count in enumerate(given) for _ in range(count)]
    answers += [-1] * (seeds - len(answers))
    most = -(-drawn // len(given))
    draws = [Counter(chosen) for chosen in combinations(answers, drawn)]
    found = sum(sum(min(draw[one], 1) for one in range(len(given))) for draw in draws)
    shared = sum(sum(min(draw[one], most) for one in range(len(given))) for draw in draws)
    wanted = (
        Fraction(sum(given), seeds),
        Fraction(found, len(draws) * min(drawn, len(given))),
        Fraction(shared, len(draws) * drawn),
    )
    assert figures(given, seeds, drawn) == pytest.approx([float(each) for each in wanted])


def test_share_is_precision_for_one_reading_and_never_above_it() -> None:
    for seeds in range(1, 6):
        for drawn in range(1, seeds + 1):
            for first in range(seeds + 1):
                precision, _, share = figures([first], seeds, drawn)
                assert share == pytest.approx(precision)
                for second in range(seeds + 1 - first):
                    precision, _, share = figures([first, second], seeds, drawn)
                    assert share <= precision + 1e-12


def test_figures_of_even_draws_are_expectations() -> None:
    assert figures_of_even(2, 2) == (1.0, 0.75, 0.75)
    assert figures_of_even(1, 3) == (1.0, 1.0, 1.0)
    by_hand = [figures([first, 3 - first], 3, 3) for first in range(4)]
    weights = (1, 3, 3, 1)
    for place in (1, 2):
        mean = sum(weight * each[place] for weight, each in zip(weights, by_hand, strict=True)) / 8
        assert figures_of_even(2, 3)[place] == pytest.approx(mean)


@pytest.mark.parametrize(("given", "seeds", "drawn"), [([], 2, 2), ([1], 2, 3), ([2, 2], 3, 2), ([1], 2, 0)])
def test_impossible_counts_are_refused(given: list[int], seeds: int, drawn: int) -> None:
    with pytest.raises(ValueError, match=f"of {seeds} answers give a reading, of which {drawn} are drawn"):
        figures(given, seeds, drawn)


def test_strategies_break_every_definition_but_share() -> None:
    for accepted in (ONE, SEVERAL):
        means = measured(5, accepted)
        several = accepted is SEVERAL
        assert broken("share", means, several=several) == []
        # With one reading alone, precision is as good.
        sound = {"share"} if several else {"share", "precision"}
        assert {name for name in DEFINITIONS if not broken(name, means, several=several)} == sound


def model(name: str, answers: dict[str, list[str | None]], accepted: tuple[str, ...] = (BOTH, ONE_OF)) -> pl.DataFrame:
    """Return what is judged of a model's answers by item, an answer a seed; None is silence."""
    right = {*accepted, SAME_AS_BOTH}
    rows = [
        {"item": item, "story": item.split(":")[0], "seed": seed, "metric": metric, "presentation": ""}
        | {"outcome": "answered" if formula else "failed", "formula": formula, "score": float(formula in right)}
        for item, said in answers.items()
        for seed, formula in enumerate(said)
        for metric in ("equivalence", "accepted")
    ]
    return frame(EXPLAINED, *rows)


def rows_of(folder: Path, **models: dict[str, list[str | None]]) -> dict[tuple[str, str], AnyRow]:
    """Return the rows by model and kind of sentence; items of story 2 have one reading, said twice."""
    items = {item: None for answers in models.values() for item in answers}
    triples = [
        stored(TRIPLES, item=item, readings=[BOTH, SAME_AS_BOTH] if item.startswith("2") else [BOTH, ONE_OF])
        for item in items
    ]
    files.write(folder / "triples.arrow", TRIPLES, triples, {})
    task = "logical_translation"
    loaded = [
        (Origin("toy", task, task, None, name, "chat", 9), model(name, answers)) for name, answers in models.items()
    ]
    files.write(folder / "rows.arrow", READING_SETS, reading_sets(loaded, {"toy": folder / "triples.arrow"}), {})
    return {(row["model"], row["readings"]): row for row in files.rows(folder / "rows.arrow", READING_SETS)}


def test_answers_count_by_meaning(tmp_path: Path) -> None:
    rows = rows_of(
        tmp_path, m={"1:0": [BOTH, SAME_AS_BOTH, WRONG, WRONG_TOO], "2:0": [SAME_AS_BOTH, None, BOTH, OTHER]}
    )
    several, one = rows["m", "several"], rows["m", "one"]
    assert (several["accepted"], several["answers"], several["meanings"]) == (2, 4, 2)
    assert (several["precision"], several["coverage"], several["share"]) == (0.5, 0.5, 0.5)
    assert (one["accepted"], one["meanings"]) == (1, 2)
    assert (one["precision"], one["coverage"], one["share"]) == (0.5, 1.0, 0.5)
    assert one["precision_low"] is None  # of one story


def test_more_seeds_raise_no_figure_of_independent_answers() -> None:
    """Expected over answers of which each gives a first reading by .5, a second by .3, and is wrong by .2."""

    def expected(seeds: int) -> list[float]:
        sums = [0.0, 0.0, 0.0]
        for first in range(seeds + 1):
            for second in range(seeds + 1 - first):
                wrong = seeds - first - second
                ways = comb(seeds, first) * comb(seeds - first, second)
                for place, figure in enumerate(figures([first, second], seeds, 3)):
                    sums[place] += ways * 0.5**first * 0.3**second * 0.2**wrong * figure
        return sums

    assert expected(3) == pytest.approx(expected(9))


def test_models_are_compared_at_fewest_seeds_and_equal_seeds_are_one_reading(tmp_path: Path) -> None:
    few: list[str | None] = [BOTH, WRONG]
    rows = rows_of(tmp_path, few={"1:0": few}, many={"1:0": [*few, *few, *few]}, same={"1:0": [BOTH] * 5})
    assert {row["answers"] for row in rows.values()} == {2}
    assert [rows[name, "several"]["seeds"] for name in ("few", "many", "same")] == [2, 6, 5]
    # Of three each among six, two drawn have the reading with 12 of 15, and can give two.
    assert rows["many", "several"]["coverage"] == pytest.approx(0.4)
    constant, same = rows[CONSTANT, "several"], rows["same", "several"]
    assert all(same[figure] == constant[figure] for figure in ("precision", "coverage", "share"))
    assert constant["share"] < rows[EVEN, "several"]["share"]


def test_silence_counts_as_wrong(tmp_path: Path) -> None:
    hard: list[str | None] = [WRONG, ONE_OF]
    rows = rows_of(
        tmp_path,
        tries={"1:0": [BOTH, ONE_OF], "1:1": hard},
        silent={"1:0": [BOTH, ONE_OF], "1:1": [None, None]},
    )
    assert rows["tries", "several"]["share"] == 0.75
    assert rows["silent", "several"]["share"] == 0.5
    assert rows["silent", "several"]["items"] == 2


def test_models_without_repetition_have_no_row(tmp_path: Path) -> None:
    assert rows_of(tmp_path, m={"1:0": [BOTH]}) == {}


def test_table_has_intervals_of_models_and_none_of_marks(tmp_path: Path) -> None:
    rows_of(tmp_path, m={f"{story}:0": [BOTH, ONE_OF, WRONG] for story in (1, 3, 4, 5, 6, 7)})
    shown = TABLE.table(files.read_frame(tmp_path / "rows.arrow", READING_SETS)).rows
    assert [row[3] for row in shown] == ["m", CONSTANT, EVEN]
    of_model, _, of_even = (row[-1] for row in shown)
    assert isinstance(of_model, Score)
    assert isinstance(of_even, Score)
    assert of_model.low is not None
    assert of_even.low is None
    assert of_even.mean == pytest.approx(11 / 12)
