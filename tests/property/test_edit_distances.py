from hypothesis import given
from hypothesis import strategies as st
from tests.property.strategies import formulas

from nlfol.candidates.distances import edit_distance
from nlfol.logic.editing import edits
from nlfol.logic.syntax import Formula


def edited(formula: Formula) -> set[Formula]:
    return {edit.formula for edit in edits(formula)}


@given(formulas())
def test_one_edit_away_is_what_one_edit_makes(formula: Formula) -> None:
    assert edit_distance(formula, formula) == 0
    assert {edit_distance(formula, other) for other in edited(formula)} == {1}


@given(formulas(leaves=4), st.data())
def test_two_edits_away_is_what_two_edits_make_and_fewer_do_not(formula: Formula, data: st.DataObject) -> None:
    once = data.draw(st.sampled_from(list(edits(formula)))).formula
    twice = data.draw(st.sampled_from(list(edits(once)))).formula
    expected = 0 if twice is formula else 1 if twice in edited(formula) else 2
    assert edit_distance(formula, twice) == expected


@given(formulas(leaves=3), formulas(leaves=3))
def test_distance_and_edits_agree_on_any_two_formulas(first: Formula, second: Formula) -> None:
    distance = edit_distance(first, second)
    assert (distance == 0) == (first is second)
    if second in edited(first):
        assert distance == 1
    if any(second in edited(once) for once in edited(first)):
        assert distance is not None
        assert distance <= 2
