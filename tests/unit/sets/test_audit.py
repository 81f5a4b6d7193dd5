import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.logic.corpora import tarski

from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.errors import LogicError
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import edits, negation_normal_form, rewrites
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Formula, Not
from nlfol.sets.audit import Audited, Report, audit, report
from nlfol.sets.audit_checks import MAX_MEMBERS, Check, Item, ItemError, PublishedRole

SETS = Path(__file__).with_name("faulty_sets.jsonl")
BUDGET = 10
"""So small that one pair of the sets stays undecided."""

FOUND: dict[Check, list[tuple[str, list[int]]]] = {
    Check.GOLD_MISSING_OR_DOUBLED: [("no gold", []), ("two golds", [0, 1])],
    Check.MALFORMED: [("nothing read in gold", [0]), ("malformed distractor", [1])],
    Check.OPEN: [("open", [0]), ("open", [1])],
    Check.TWO_ARITIES: [("arity of one", [0, 2]), ("arities in one", [0]), ("arities in one", [1])],
    Check.GOLD_VALID: [("valid", [0])],
    Check.GOLD_UNSATISFIABLE: [("unsatisfiable", [0])],
    Check.NO_DISTRACTOR: [("no distractor", [0]), ("no distractor to rank", [0])],
    Check.DISTRACTOR_EQUIVALENT_TO_GOLD: [("distractor is gold", [0, 1]), ("parentheses lost", [0, 2])],
    Check.DISTRACTOR_EQUIVALENT_TO_NEGATION: [("distractor is negation", [0, 1])],
    Check.DISTRACTOR_NEGATES_GOLD: [("distractor negates gold", [0, 1])],
    Check.DISTRACTORS_EQUIVALENT: [("distractors agree", [1, 2]), ("twice the same text", [1, 2])],
    Check.NOT_ONE_EDIT: [("parentheses lost", [0, 1]), ("parentheses lost", [0, 2])],
    Check.NOT_TWO_EDITS: [("one edit and three", [0, 1]), ("one edit and three", [0, 2])],
    Check.EQUIVALENT_NOT_EQUIVALENT: [("wrong equivalent", [0, 2])],
    Check.EQUIVALENT_IDENTICAL: [("equivalent is gold", [0, 2])],
    Check.REPHRASED_NOT_EQUIVALENT: [("said otherwise", [1, 2])],
    Check.NEGATION_NOT_EQUIVALENT: [("wrong negations", [0, 2])],
    Check.NEGATION_NNF_NOT_EQUIVALENT: [("wrong negations", [0, 3])],
    Check.NEGATION_NNF_NOT_NORMAL: [("normal form is none", [2])],
    Check.NEGATION_NNF_IDENTICAL: [("no distractor to rank", [2, 3])],
    Check.NEGATION_EQUIVALENT_NOT_EQUIVALENT: [("wrong negations", [0, 4])],
    Check.NEGATION_EQUIVALENT_IDENTICAL: [("stand-in is the negation", [2, 3])],
    Check.DUPLICATE: [("twice the same text", [1, 2]), ("twice the same tree", [2, 3])],
    Check.RENDERING_IDENTICAL: [("twice the same English", [0, 2])],
    Check.RENDERING_MISSING: [("English missing", [1]), ("English missing", [2]), ("no English at all", [0, 1])],
}
"""All that is wrong with the sets of the file, by hand."""


def recorded() -> Iterator[dict[str, Any]]:
    for line in SETS.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def items() -> Iterator[Item]:
    for record in recorded():
        try:
            roles = tuple(map(PublishedRole, record["roles"]))
            yield Item(record["id"], tuple(record["formulas"]), roles, record["renderings"])
        except (KeyError, ValueError):
            continue


@pytest.fixture(scope="module")
def audited() -> list[Audited]:
    return audit(items(), budget=BUDGET)


@pytest.fixture(scope="module")
def found(audited: list[Audited]) -> Report:
    return report(audited)


def one(*members: tuple[str, str], renderings: tuple[str | None, ...] | None = None) -> Item:
    return Item("one", tuple(text for _, text in members), tuple(PublishedRole(r) for r, _ in members), renderings)


def checks(*given: Item, **options: Any) -> list[Check]:
    return [violation.check for each in audit(given, **options) for violation in each.violations]


@pytest.mark.parametrize("check", Check)
def test_audit_check_finds_exactly_its_faults(found: Report, check: Check) -> None:
    tally = found.checks[check]
    assert [(example["id"], example["members"]) for example in tally.examples()] == FOUND[check]
    assert (tally.items, tally.pairs) == (len({name for name, _ in FOUND[check]}), len(FOUND[check]))


def sound(number: int, gold: Formula) -> Item | None:
    """A set without fault, made without the code that makes those of an experiment; None if it lacks a member."""
    negation = Not(gold)
    normal_form = negation_normal_form(negation)
    distractors: list[Formula] = []
    for edit in edits(gold):
        others = (gold, negation, *distractors)
        if all(equivalence(edit.formula, other).outcome is Outcome.NOT_EQUIVALENT for other in others):
            distractors.append(edit.formula)
    equivalents = [each.formula for each in rewrites(gold) if each.formula not in (gold, negation)]
    if len(distractors) < 2 or not equivalents or normal_form is negation:
        return None
    members = (gold, equivalents[0], *distractors[:2], negation, normal_form)
    roles = map(PublishedRole, ("phi", "equivalent", "perturbation", "perturbation", "negation", "negation_nnf"))
    renderings = tuple(f"Rendering {place}." for place in range(len(members)))
    return Item(number, tuple(map(to_unicode, members)), tuple(roles), renderings)


def test_sound_sets_pass_audit() -> None:
    sets = [item for number, text in enumerate(tarski()) if (item := sound(number, parse(text)))]
    assert len(sets) > 100
    assert [each for each in audit(sets) if each.violations or each.undecided] == []


def test_audit_report_counts_sets_and_faulty_sets(found: Report) -> None:
    faulty = {name for check, sets in FOUND.items() for name, _ in sets if check is not Check.DISTRACTOR_NEGATES_GOLD}
    assert (found.items, found.sets_with_faults) == (31, len(faulty)) == (31, 27)


def test_audit_counts_undecided_pair_as_unknown(found: Report) -> None:
    assert (found.unknown.items, found.unknown.pairs) == (1, 1)
    (example,) = found.unknown.examples()
    assert (example["id"], example["members"]) == ("undecided", [0, 2])
    assert example["detail"].startswith("equivalent_not_equivalent not decided: ")


def test_audit_examples_start_with_first_fault_and_formulas(found: Report) -> None:
    (example,) = found.checks[Check.RENDERING_MISSING].examples(1)
    assert (example["id"], example["formulas"]) == ("English missing", ["Cube(a) ∨ Small(a)"])
    assert example["detail"] == "no rendering, while other members have one"


@pytest.mark.parametrize(
    "check",
    [
        Check.EQUIVALENT_NOT_EQUIVALENT,
        Check.NEGATION_NOT_EQUIVALENT,
        Check.NEGATION_NNF_NOT_EQUIVALENT,
        Check.NEGATION_EQUIVALENT_NOT_EQUIVALENT,
    ],
)
def test_audit_shows_countermodel_for_inequivalence(found: Report, check: Check) -> None:
    (example,) = found.checks[check].examples()
    data = json.loads(json.dumps(example["detail"]))
    structure = Structure(
        data["size"],
        data["constants"],
        {},
        {name: frozenset(map(tuple, rows)) for name, rows in data["predicates"].items()},
    )
    gold, member = map(parse, example["formulas"])
    meant = gold if check is Check.EQUIVALENT_NOT_EQUIVALENT else Not(gold)
    assert holds(meant, structure) != holds(member, structure)


def test_audit_continues_past_malformed_formula() -> None:
    broken = one(("phi", "Cube(a) ∧ Small(a)"), *[("perturbation", "Cube(a) ∧")] * 2)
    assert checks(broken) == [Check.MALFORMED, Check.MALFORMED, Check.DUPLICATE]
    twins = ("perturbation", "¬Cube(a) → Small(a)"), ("perturbation", "Cube(a) ∨ Small(a)")
    assert checks(one(("phi", "Cube(a) →"), *twins)) == [Check.MALFORMED, Check.DISTRACTORS_EQUIVALENT]
    assert checks(one(*twins)) == [Check.GOLD_MISSING_OR_DOUBLED, Check.DISTRACTORS_EQUIVALENT]


@pytest.mark.parametrize(
    ("gold", "first", "second", "members"),
    [
        ("Cube(a)", "Tet(a)", "Tet(a, a)", (1, 2)),
        # A gold formula that is at fault itself conflicts with no other.
        ("Cube(a) ∧ Cube(a, a)", "Tet(a)", "Small(a)", (0,)),
    ],
)
def test_audit_attributes_arity_conflict_to_faulty_members(
    gold: str, first: str, second: str, members: tuple[int, ...]
) -> None:
    (found,) = audit([one(("phi", gold), ("perturbation", first), ("perturbation", second))])
    assert [violation.members for violation in found.violations if violation.check is Check.TWO_ARITIES] == [members]


@pytest.mark.parametrize(("other", "detail"), [("Cube(a)", "the same formula"), ("Tet(a)", "two formulas")])
def test_audit_reports_whether_shared_rendering_hides_difference(other: str, detail: str) -> None:
    (found,) = audit([one(("phi", "Cube(a)"), ("perturbation", other), renderings=("It is.", "It is."))])
    details = [each.detail for each in found.violations if each.check is Check.RENDERING_IDENTICAL]
    assert details == [f"{detail} rendered as: It is."]


def test_audit_decides_long_gold_formula() -> None:
    long = " ∧ ".join(f"C(a{number})" for number in range(1800))
    (found,) = audit([one(("phi", long), ("perturbation", " ∨ ".join(long.rsplit(" ∧ ", 1))))])
    assert found.violations == found.undecided == ()


def test_audit_counts_exclusive_or_as_single_edit() -> None:
    assert checks(one(("phi", "Cube(a) ∨ Cube(b)"), ("perturbation", "Cube(a) ⊕ Cube(b)"))) == []


@pytest.mark.parametrize(
    ("renderings", "expected"),
    [
        (None, []),
        ((None, None), []),
        (("", " "), []),
        (("It is.", "It is not."), []),
        (("It is.", " It is. "), [Check.RENDERING_IDENTICAL]),
        (("It is.", " "), [Check.RENDERING_MISSING]),
    ],
)
def test_audit_checks_renderings(renderings: tuple[str | None, ...] | None, expected: list[Check]) -> None:
    members = ("phi", "Cube(a) ∧ Small(b)"), ("perturbation", "Cube(a) ∨ Small(b)")
    assert checks(one(*members, renderings=renderings)) == expected


def test_audit_handles_empty_file_and_empty_item() -> None:
    assert audit([]) == []
    assert report([]).items == 0
    assert checks(Item(0, (), ())) == [Check.GOLD_MISSING_OR_DOUBLED, Check.NO_DISTRACTOR]


def test_audit_propagates_unexpected_errors() -> None:
    def failing(text: str) -> Any:
        raise KeyError(text)

    with pytest.raises(KeyError):
        audit([one(("phi", "Cube(a)"))], reader=failing)
    assert issubclass(LogicError, ValueError)


@pytest.mark.parametrize(
    ("members", "roles", "renderings", "message"),
    [
        (2, 1, 2, "2 formulas, but 1 roles"),
        (2, 2, 3, "2 formulas, but 3 renderings"),
        (MAX_MEMBERS + 1, MAX_MEMBERS + 1, MAX_MEMBERS + 1, f"at most {MAX_MEMBERS}"),
    ],
)
def test_audit_item_rejects_mismatched_or_oversized_lists(
    members: int, roles: int, renderings: int, message: str
) -> None:
    Item("one", ("Cube(a)",) * MAX_MEMBERS, (PublishedRole.PHI,) * MAX_MEMBERS)
    with pytest.raises(ItemError, match=message):
        Item("one", ("Cube(a)",) * members, (PublishedRole.PHI,) * roles, ("It is.",) * renderings)
