"""As few mentions as possible share a form: against scipy's matching, and the formula where every form fits."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from nlfol.diversification.diversifying import dealt
from nlfol.problems.lexicon import BASE

FORMS = [f"synonym.{number}" for number in range(1, 6)]


@pytest.mark.parametrize("mentions", range(1, 9))
@pytest.mark.parametrize("forms", range(1, 7))
@pytest.mark.parametrize("fixed", [0, 1])
def test_mentions_less_forms_repeat_where_every_form_fits(mentions: int, forms: int, fixed: int) -> None:
    found = [*dealt([FORMS[: forms - 1]] * mentions, fixed), *[BASE] * fixed]
    assert len(found) - len(set(found)) == max(0, mentions + fixed - forms)
    assert max(Counter(found).values()) <= -(-len(found) // forms) + 1


@given(st.lists(st.lists(st.sampled_from(FORMS), unique=True), min_size=1, max_size=8), st.integers(0, 2))
def test_no_dealing_has_fewer_repeats_in_any_first_part(fitting: list[list[str]], fixed: int) -> None:
    found = dealt(fitting, fixed)
    assert all(form == BASE or form in fits for form, fits in zip(found, fitting, strict=True))
    for first in range(1, len(fitting) + 1):
        fits = np.array([[form in each for form in FORMS] for each in fitting[:first]], dtype=np.int8)
        matched = int((maximum_bipartite_matching(csr_array(fits)) >= 0).sum())
        own = {form for form in found[:first] if form != BASE}
        assert len(own) == matched


def test_what_must_repeat_is_spread() -> None:
    assert sorted(Counter(dealt([FORMS[:2]] * 9, 0)).values()) == [3, 3, 3]
