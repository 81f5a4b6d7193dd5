"""Faults put into sound candidate sets of Tarski's World: each is found by its check, and the other sets stay sound."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.logic.corpora import tarski

from nlfol.candidates.audit import audit
from nlfol.candidates.audit_checks import Check, Item, PublishedRole
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.measuring import predicates
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import edits, negation_normal_form, rewrites
from nlfol.logic.syntax import And, Formula, Not, Or

GOLD, EQUIVALENT, FIRST, SECOND, NEGATION, NORMAL_FORM = range(6)
ROLES = tuple(map(PublishedRole, ("phi", "equivalent", "perturbation", "perturbation", "negation", "negation_nnf")))


@cache
def sound_sets() -> list[Item]:
    """Sets of six members, made without the code that makes those of an experiment."""
    found = [item for number, text in enumerate(tarski()) if (item := sound(number, parse(text)))]
    assert len(found) > 100
    return found


def sound(number: int, gold: Formula) -> Item | None:
    negation = Not(gold)
    normal_form = negation_normal_form(negation)
    distractors: list[Formula] = []
    for edit in edits(gold):
        if all(differ(edit.formula, other) for other in (gold, negation, *distractors)):
            distractors.append(edit.formula)
    equivalents = [each.formula for each in rewrites(gold) if each.formula not in (gold, negation)]
    if len(distractors) < 2 or not equivalents or normal_form is negation:
        return None
    members = (gold, equivalents[0], *distractors[:2], negation, normal_form)
    renderings = tuple(f"Rendering {number}.{place}." for place in range(len(members)))
    return Item(number, tuple(map(to_unicode, members)), ROLES, renderings)


def differ(first: Formula, second: Formula) -> bool:
    return equivalence(first, second).outcome is Outcome.NOT_EQUIVALENT


# How to put a fault into a set: given the formulas, a member and what it becomes.

Injected = tuple[int, Formula | str]
Injection = Callable[[list[Formula], Random], Injected]


def rewritten(formula: Formula, draw: Random) -> Formula:
    return draw.choice([each.formula for each in rewrites(formula) if each.formula is not formula])


def without_a_parenthesis(formula: Formula, draw: Random) -> str:
    text = to_unicode(formula)
    place = draw.choice([place for place, sign in enumerate(text) if sign in "()"])
    return text[:place] + text[place + 1 :]


def too_far(gold: Formula, draw: Random) -> Formula:
    near = {gold, *(edit.formula for edit in edits(gold))}
    twice = [far.formula for edit in islice(edits(gold), 5) for far in edits(edit.formula)]
    return draw.choice([formula for formula in twice if formula not in near])


def of_another_arity(formula: Formula) -> str:
    name, arity = min(predicates(formula).items())
    return f"({to_unicode(formula)}) ∧ {name}({', '.join(['a'] * (arity + 1))})"


def anywhere(draw: Random) -> int:
    return draw.randrange(len(ROLES))


FORMULAS: dict[Check, Injection] = {
    Check.OPEN: lambda members, draw: (place := anywhere(draw), f"({to_unicode(members[place])}) ∧ Tet(y7)"),
    Check.MALFORMED: lambda members, draw: (place := anywhere(draw), without_a_parenthesis(members[place], draw)),
    Check.TWO_ARITIES: lambda members, draw: (place := anywhere(draw), of_another_arity(members[place])),
    Check.GOLD_VALID: lambda members, _: (GOLD, Or(members[GOLD], Not(members[GOLD]))),
    Check.GOLD_UNSATISFIABLE: lambda members, _: (GOLD, And(members[GOLD], Not(members[GOLD]))),
    Check.DISTRACTOR_EQUIVALENT_TO_GOLD: lambda members, draw: (FIRST, rewritten(members[GOLD], draw)),
    Check.DISTRACTOR_EQUIVALENT_TO_NEGATION: lambda members, draw: (SECOND, rewritten(members[NEGATION], draw)),
    Check.DISTRACTORS_EQUIVALENT: lambda members, draw: (SECOND, rewritten(members[FIRST], draw)),
    Check.NOT_ONE_EDIT: lambda members, draw: (FIRST, too_far(members[GOLD], draw)),
    Check.EQUIVALENT_NOT_EQUIVALENT: lambda members, _: (EQUIVALENT, members[FIRST]),
    Check.EQUIVALENT_IDENTICAL: lambda members, _: (EQUIVALENT, members[GOLD]),
    Check.NEGATION_NOT_EQUIVALENT: lambda members, _: (NEGATION, Not(members[SECOND])),
    Check.NEGATION_NNF_NOT_EQUIVALENT: lambda members, _: (NORMAL_FORM, negation_normal_form(Not(members[FIRST]))),
    Check.NEGATION_NNF_NOT_NORMAL: lambda members, _: (NORMAL_FORM, Not(Not(members[NORMAL_FORM]))),
    Check.NEGATION_NNF_IDENTICAL: lambda members, _: (NORMAL_FORM, members[NEGATION]),
    Check.DUPLICATE: lambda members, _: (SECOND, members[FIRST]),
}

RENDERINGS: dict[Check, Callable[[Item, Random], str | None]] = {
    Check.RENDERING_MISSING: lambda item, draw: draw.choice([None, "", " \n"]),
    Check.RENDERING_IDENTICAL: lambda item, draw: item.renderings[SECOND] if item.renderings else None,
}


SOUND = list(enumerate(ROLES))

SELECTIONS: dict[Check, list[list[tuple[int, PublishedRole]]]] = {
    Check.GOLD_MISSING_OR_DOUBLED: [
        SOUND[1:],
        [(GOLD, PublishedRole.PERTURBATION), *SOUND[1:]],
        [*SOUND, (EQUIVALENT, PublishedRole.PHI)],
    ],
    Check.NO_DISTRACTOR: [[pair for pair in SOUND if pair[1] is not PublishedRole.PERTURBATION]],
    Check.NOT_TWO_EDITS: [[*SOUND[:SECOND], (SECOND, PublishedRole.PERTURBATION_TWO_EDITS)]],
    Check.DISTRACTOR_NEGATES_GOLD: [[SOUND[GOLD], (NEGATION, PublishedRole.PERTURBATION)]],
    Check.NEGATION_EQUIVALENT_NOT_EQUIVALENT: [[*SOUND, (EQUIVALENT, PublishedRole.NEGATION_EQUIVALENT)]],
    Check.NEGATION_EQUIVALENT_IDENTICAL: [[*SOUND, (NEGATION, PublishedRole.NEGATION_EQUIVALENT)]],
}
"""Members to take and under what role, some twice."""


def spoiled(item: Item, check: Check, draw: Random) -> Iterator[Item]:
    """Versions of a set with a fault of one kind."""
    assert item.renderings is not None
    if check in FORMULAS:
        place, formula = FORMULAS[check](list(map(parse, item.formulas)), draw)
        texts = list(item.formulas)
        texts[place] = formula if isinstance(formula, str) else to_unicode(formula)
        yield replace(item, formulas=tuple(texts))
    elif check in RENDERINGS:
        renderings = list(item.renderings)
        renderings[FIRST] = RENDERINGS[check](item, draw)
        yield replace(item, renderings=tuple(renderings))
    else:
        for selection in SELECTIONS[check]:
            places, roles = zip(*selection, strict=True)
            yield Item(
                item.id,
                tuple(item.formulas[place] for place in places),
                roles,
                tuple(item.renderings[place] for place in places),
            )


def test_sets_that_are_sound_have_no_fault() -> None:
    found = audit(sound_sets())
    assert [each for each in found if each.violations or each.undecided] == []


@pytest.mark.parametrize("check", Check)
@given(data=st.data())
@settings(max_examples=15)
def test_a_fault_is_found_by_its_check_and_in_its_set_alone(check: Check, data: st.DataObject) -> None:
    three = data.draw(st.lists(st.sampled_from(sound_sets()), min_size=3, max_size=3))
    draw = data.draw(st.randoms(use_true_random=False))
    for changed in spoiled(three[1], check, draw):
        before, found, after = audit([three[0], changed, three[2]])
        assert check in {violation.check for violation in found.violations}
        assert not before.violations
        assert not after.violations
