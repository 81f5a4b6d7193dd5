"""A translator with one symbol for everything: no drift, all the more collision, and decoys make it pay."""

from __future__ import annotations

from nlfol.alignment import align, measure, merged, pooled
from nlfol.alignment.measures import Measures
from nlfol.diversification import Settings, diversify
from nlfol.problems import read_lexicon
from nlfol.problems.families import generate
from nlfol.problems.forms import read_forms
from nlfol.problems.gold import gold_lines

LEXICON = read_lexicon()
FORMS = read_forms(LEXICON)


def measured(decoys: int) -> tuple[Measures, int]:
    """Of 12 problems in other words: pooled measures, and how many answers are right."""
    problems = [
        diversify(each, FORMS, Settings(decoys=decoys), 5, "toy").problem
        for each in generate("rules", seed=5, count=12, lexicon=LEXICON)
    ]
    programs = [(each, gold_lines(each), merged(gold_lines(each))) for each in problems]
    right = sum(own.language.execute(own.text, each.lettered).answer == each.answer for each, _, own in programs)
    return pooled(measure(align(gold, own)) for _, gold, own in programs), right


def test_merging_has_no_drift_but_collision_which_decoys_raise() -> None:
    plain, right = measured(0)
    with_decoys, right_with_decoys = measured(2)
    assert plain.dispersion.value == with_decoys.dispersion.value == 0
    assert plain.collision.value
    assert with_decoys.collision.value
    assert with_decoys.collision.value > plain.collision.value > 0
    assert right_with_decoys < right < 6
