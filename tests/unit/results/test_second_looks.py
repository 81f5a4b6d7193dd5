"""Plans that are fixed before results are seen: looks at more items, and the family of a board."""

from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import default
from tests.stored import ranks_of
from tests.unit.results.test_headlines import cell

from nlfol.config import ConfigurationError, experiment_json, read_configuration
from nlfol.results.analyses.analysis import Given, run
from nlfol.results.analyses.comparisons import ANALYSIS, RANKS
from nlfol.results.statistics.contrasts import adjust
from nlfol.results.statistics.differences import holm
from nlfol.results.statistics.ranks import ranks
from nlfol.results.statistics.second_looks import NOTHING_PLANNED, Planned, levels_of_looks
from nlfol.results.tables.headlines import closing_lines
from nlfol.store import files
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import CELLS


def test_levels_of_looks_match_published_boundaries() -> None:
    """Lan and DeMets' boundaries of four equally spaced looks, two-sided at 0.05: z of 4.333, 2.963, 2.359, 2.014."""
    from scipy.special import ndtri

    levels = levels_of_looks((0.25, 0.5, 0.75, 1.0))
    assert [-float(ndtri(level / 2)) for level in levels] == pytest.approx([4.333, 2.963, 2.359, 2.014], abs=5e-4)
    assert levels_of_looks((1.0,)) == pytest.approx([0.05])


def test_p_of_look_is_adjusted_to_where_its_level_is() -> None:
    planned = Planned(looks=(100, 20))
    early, late = levels_of_looks((20 / 208, 100 / 208)), levels_of_looks((20 / 208, 100 / 208, 1.0))
    assert planned.adjusted(early[1], 100, 208) == pytest.approx(0.05)
    assert planned.adjusted(early[1], 99, 208) == pytest.approx(0.05, rel=0.05)  # an item has no answer
    assert planned.adjusted(late[2], 208, 208) == pytest.approx(0.05)
    assert planned.adjusted(0.04, 20, 208) > 0.9
    assert planned.adjusted(1.0, 100, 208) == 1
    assert planned.adjusted(0.01, 15, 15) == pytest.approx(0.01, rel=1e-3)  # all items are fewer than the first look
    assert NOTHING_PLANNED.adjusted(0.01, 20, 208) == 0.01


def test_two_looks_reject_equal_models_at_level() -> None:
    """Totals of normal items, by simulation."""
    draw = np.random.default_rng(2)
    steps = draw.normal(size=(40_000, 2)) * np.sqrt([0.5, 0.5])
    z = np.abs(np.cumsum(steps, axis=1)) / np.sqrt([0.5, 1.0])
    from scipy.special import ndtr

    p = 2 * ndtr(-z)
    assert (p <= levels_of_looks((0.5, 1.0))).any(axis=1).mean() == pytest.approx(0.05, abs=0.004)


@given(st.lists(st.floats(0.0001, 0.2), min_size=1, max_size=10), st.data())
def test_fixed_family_withdraws_nothing(values: list[float], data: Any) -> None:
    """Comparisons come in any order; who is significant among the first stays so."""
    size = data.draw(st.integers(len(values), 66))
    known = data.draw(st.integers(1, len(values)))
    before, after = holm(values[:known], size), holm(values, size)
    assert all(late <= early for early, late in zip(before, after, strict=False))


def test_family_of_those_there_are_withdraws() -> None:
    assert holm([0.04])[0] < 0.05 < holm([0.04, 0.5])[0]


def test_board_has_no_place_for_more_comparisons() -> None:
    with pytest.raises(ValueError, match="2 comparisons in a family of 1"):
        holm([0.1, 0.2], Planned(2).pairs)


def _row(p: float, **others: Any) -> dict[str, Any]:
    return {
        "p": p,
        "items": 100,
        "available": 208,
        "low": 0.1,
        "high": 0.2,
        "freedom": 30.0,
        "detectable": 0.1,
    } | others


def test_rows_are_adjusted_by_what_is_planned() -> None:
    (plain,), (board,), (looks,) = ([_row(0.001)] for _ in range(3))
    adjust([plain])
    adjust([board], planned=Planned(20))
    adjust([looks], planned=Planned(looks=(100,)))
    assert plain["adjusted"] == 0.001
    assert board["adjusted"] == pytest.approx(0.001 * comb(20, 2))
    assert board["detectable"] > plain["detectable"]
    assert 0.01 < looks["adjusted"] < 0.05
    assert looks["detectable"] > plain["detectable"]


def test_level_of_look_is_where_adjusted_p_is_alpha() -> None:
    planned = Planned(looks=(20, 100))
    for items in (20, 100, 208):
        level = planned.level(0.05, items, 208)
        assert planned.adjusted(level, items, 208) == pytest.approx(0.05)
    assert NOTHING_PLANNED.level(0.05, 20, 208) == 0.05


def test_ranks_of_board_stay_when_models_come() -> None:
    draw = np.random.default_rng(5)
    shared = draw.random((200, 1))
    scores = (shared + 0.3 * draw.random((200, 6)) < np.array([0.95, 0.9, 0.7, 0.6, 0.4, 0.2])).astype(float)
    stories = [str(item // 5) for item in range(200)]
    planned = Planned(10)

    def ahead(models: int) -> set[int]:
        """Return those of the first two that surely are not first."""
        return {model for model, rank in enumerate(ranks(scores[:, :models], stories, planned)[:2]) if rank.first > 1}

    for few, more in combinations(range(2, 7), 2):
        assert ahead(few) <= ahead(more)
    of_all = ranks(scores, stories, planned)
    assert (of_all[0].first, of_all[-1].first, of_all[-1].last) == (1, 6, 6)
    assert not of_all[-1].is_possibly_best


def test_notes_name_family_and_looks() -> None:
    assert NOTHING_PLANNED.notes() == []
    board, looks, variants = Planned(20, (20, 100), (("cold", "warm", "hot"),)).notes()
    assert "Board of 20 models: each family is their 190 pairs" in board
    assert "Looks planned at 20, 100 and all items" in looks
    assert "Of one model, asked in different ways: 3 entries (cold, warm, hot)." in variants
    (form,) = (form for form in ANALYSIS.tables if form.name == "differences")
    assert board in form.table(pl.DataFrame(), Planned(20)).notes


def test_configuration_fixes_board_and_looks() -> None:
    values = default()
    plain = read_configuration(values)
    assert plain.planned == {}
    assert '"board"' not in experiment_json(plain)
    known = read_configuration({**values, "board": {"models": 3}, "looks": [20, 100]})
    given = Given({}, {"planned": known.planned})
    assert given.planned == Planned(3, (20, 100))
    assert '"looks": [20, 100]' in experiment_json(known)
    assert Given({}).planned == NOTHING_PLANNED


def test_entries_of_one_model_are_variants() -> None:
    values = default()
    tiny = values["models"]["smollm2-135m"]
    warm = {**tiny, "sampling": {"temperature": 0.7}, "seeds": [1, 2]}
    known = read_configuration({**values, "models": {**values["models"], "warm": warm}})
    assert known.planned == {"variants": [["smollm2-135m", "warm"]]}, "an adapter makes another model"
    assert Given({}, {"planned": known.planned}).planned.variants == (("smollm2-135m", "warm"),)


def test_board_refuses_more_models_than_places() -> None:
    values = default()
    more = {f"copy-{number}": values["models"]["minilm"] for number in range(3)}
    with pytest.raises(ConfigurationError, match=r"board.models has 2 places, but \d models are compared, \S+ being"):
        read_configuration({**values, "models": {**values["models"], **more}, "board": {"models": 2}})


def test_closing_lines_know_places_of_board(tmp_path: Path) -> None:
    cells = [cell("most_similar", "accuracy", "one", 0.5, low=0.15, high=0.55)]
    cells += [cell("most_similar", "accuracy", "chance", 0.1, kind="chance")]
    (tmp_path / "tables").mkdir()
    files.write(tmp_path / "tables/cells.arrow", CELLS, cells, {})
    for board, finding in (({}, "one has 0.500"), ({"board": "30"}, "one does not beat chance: 0.500")):
        files.write(tmp_path / "tables/ranks.arrow", RANKS, ranks_of(cells[:1]), board)
        assert finding in closing_lines(tmp_path)[1]


def test_files_of_board_name_its_places(tmp_path: Path) -> None:
    paths = {f"{name}.arrow": tmp_path / f"{name}.arrow" for name in ("differences", "thinking", "ranks")}
    for planned, board in (({}, None), ({"models": 30}, "30")):
        run("comparisons", Given({"scores": []}, {"planned": planned}), paths)
        assert metadata_at(paths["ranks.arrow"]).get("board") == board
