"""Maps that are found for a line, and the choice among them."""

import pytest
from benchmarks.linked_programs import linked

from nlfol.problems.alignment import Alignment, Basis, LineError, align, is_consistent, measure
from nlfol.problems.programs import CLAUSES, CONSTRAINTS, QUERY, Lines, solver_language
from nlfol.problems.programs.symbols import key_of


def lines(language: str, *said: str | tuple[str, ...], query: str) -> Lines:
    by_place = {str(number): (each,) if isinstance(each, str) else each for number, each in enumerate(said, 1)}
    return Lines(solver_language(language), by_place, {QUERY: query})


def clauses(*said: str | tuple[str, ...], query: str = "Cold(bob, True)") -> Lines:
    return lines("clauses", *said, query=query)


def formulas(*said: str | tuple[str, ...], query: str) -> Lines:
    return lines("formulas", *said, query=query)


def symbols(found: Alignment) -> dict[str, list[str]]:
    """By concept the symbols it is aligned with: ``-`` before the opposite, arguments in another order behind."""
    shown: dict[str, dict[str, None]] = {}
    for sentence in found.sentences:
        for concept, image, _ in sentence.mentions:
            parts = [
                f"{'' if part.value else '-'}{part.symbol.name}"
                + ("" if list(part.places) == sorted(part.places) else str(part.places))
                for part in image
            ]
            shown.setdefault(concept.name, {})["&".join(sorted(parts))] = None
    return {concept: list(found) for concept, found in shown.items()}


def basis(found: Alignment) -> list[Basis]:
    return [sentence.basis for sentence in found.sentences]


GOLD = clauses(
    "Cold(bob, True)",
    "Chase(bob, cat, True)",
    "Chase(cat, ann, True)",
    "Cold($x, True) && Quiet($x, False) >>> Smart($x, True)",
    "Smart($x, True) >>> Quiet($x, True)",
)


def test_alignment_recovers_names_arguments_and_polarities() -> None:
    other = clauses(
        "Icy(robert, True)",
        "ChasedBy(tom, robert, True)",
        "ChasedBy(anna, tom, True)",
        "Icy(?y, True) && Loud(?y, True) >>> Clever(?y, True)",
        "Clever(?y, True) >>> Loud(?y, False)",
        query="Icy(robert, True)",
    )
    found = align(GOLD, other)
    assert symbols(found) == {
        "Cold": ["Icy"],
        "bob": ["robert"],
        "Chase": ["ChasedBy(1, 0)"],
        "cat": ["tom"],
        "ann": ["anna"],
        "Quiet": ["-Loud"],
        "Smart": ["Clever"],
    }
    assert set(basis(found)) == {Basis.STRUCTURE}
    assert is_consistent(found)
    assert found.is_least


def test_alignment_separates_logic_faults_from_drift_and_collision() -> None:
    wrong = {"4": ("Cold($x, True) && Quiet($x, True) >>> Smart($x, True)",)}
    found = align(GOLD, GOLD.changed(wrong))
    assert [sentence.place for sentence in found.sentences if not sentence.fits] in (["4"], ["5"])
    assert symbols(found)["Smart"] == ["Smart"]
    found = align(GOLD, GOLD.changed({"4": ("Cold($x, True) >>> Smart($x, True)",)}))
    assert basis(found)[3] is Basis.NAME
    assert measure(found).collision.value == 0
    found = align(GOLD, GOLD.changed({"5": ("Quiet($x, True) >>> Smart($x, True)",)}))
    assert [sentence.place for sentence in found.sentences if not sentence.fits] == ["5"]


def test_concept_split_into_two_atoms_counts_as_consistent() -> None:
    gold = clauses(
        "PopularShow(friends, True)", "PopularShow($x, True) >>> Funny($x, True)", query="Funny(friends, True)"
    )
    refined = clauses(
        ("Popular(friends, True)", "Show(friends, True)"),
        "Show($x, True) && Popular($x, True) >>> Funny($x, True)",
        query="Funny(friends, True)",
    )
    found = align(gold, refined)
    assert symbols(found)["PopularShow"] == ["Popular&Show"]
    assert is_consistent(found)
    half = refined.changed({"1": ("PopularShow(friends, True)",)})
    assert measure(align(gold, half)).dispersion.sum == 1


def test_alignment_detects_drift_within_line() -> None:
    gold = clauses("See($x, cat, True) >>> See($x, cow, True)", query="See(cat, cow, True)")
    other = clauses("See($x, cat, True) >>> Watch($x, cow, True)", query="See(cat, cow, True)")
    assert symbols(align(gold, other))["See"] == ["See", "Watch"]
    gold = formulas("P(a) → ∀x (Q(x) → P(x))", query="Q(a)")
    other = formulas("P(a) → ∀x (Q(x) → R(x))", query="Q(a)")
    assert symbols(align(gold, other))["P"] == ["P", "R"]


def test_alignment_matches_equivalent_formulas_across_forms() -> None:
    gold = formulas("∀x (P(x) → ¬∃y (L(x, y) ∧ Q(y)))", "P(a)", "¬Q(a)", "Q(b)", query="L(a, b)")
    other = formulas("¬∃u ∃v (M(v, u) ∧ ¬N(v) ∧ H(u))", "H(c)", ("N(c)",), "¬N(d)", query="M(d, c)")
    found = align(gold, other)
    assert symbols(found) == {"P": ["H"], "L": ["M(1, 0)"], "Q": ["-N"], "a": ["c"], "b": ["d"]}
    assert is_consistent(found)


def test_alignment_matches_equivalent_constraints() -> None:
    gold = Lines(
        CONSTRAINTS,
        {"1": ("AllDifferentConstraint([a, b, c, d, e])",), "2": ("a < b",), "3": ("c == 1",), "4": ("e > d",)},
        {"A": "a == 2", "B": "b == 2"},
    )
    other = Lines(
        CONSTRAINTS,
        {
            "1": ("AllDifferentConstraint([p, q, r, s, t])",),
            "2": ("not q <= p",),
            "3": ("r <= 1",),
            "4": ("s - t < 0",),
        },
        {"A": "p == 2", "B": "q == 2"},
    )
    found = align(gold, other)
    assert symbols(found) == {"a": ["p"], "b": ["q"], "c": ["r"], "d": ["s"], "e": ["t"]}
    assert is_consistent(found)
    assert not found.sentences[0].exhaustive
    wrong = align(gold, other.changed({"3": ("r == 2",)}))
    assert [sentence.place for sentence in wrong.sentences if not sentence.fits] == ["3"]


def test_alignment_reports_missing_unreadable_and_extra_lines() -> None:
    other = clauses("Cold(bob, True)", "Chase(bob", query="Cold(bob, True)")
    found = align(GOLD, Lines(other.language, {**other.lines, "9": ("Cold(cat, True)",)}, other.asked))
    assert found.sentences[1].error == "'Chase(bob' does not start with a literal as P(a, True)"
    assert found.sentences[2].error == "the program has no line for it"
    assert found.extra == ("9",)
    assert not is_consistent(found)
    with pytest.raises(LineError, match="gold line 2: 'Chase"):
        align(other, GOLD)
    with pytest.raises(ValueError, match="the gold program is of clauses, the program of formulas"):
        align(GOLD, formulas("P(a)", query="P(a)"))


@pytest.mark.parametrize("width", [6, 12, 40])
def test_long_lines_align_in_bounded_work(width: int) -> None:
    names = [f"P{number}" for number in range(width)]
    long = "∀x (" + " ∧ ".join(f"{name}(x)" for name in names) + " → Q(x))"
    gold = formulas(long, *(f"{name}(a)" for name in names), query="Q(a)")
    found = align(gold, gold)
    assert set(basis(found)) == {Basis.STRUCTURE}
    assert is_consistent(found)
    clause = " && ".join(f"{name}($x, True)" for name in names) + " >>> Q($x, True)"
    program = clauses(clause, *(f"{name}(a, True)" for name in names), query="Q(a, True)")
    assert is_consistent(align(program, program))


def test_alignment_refuses_oversized_lines() -> None:
    gold = Lines(CONSTRAINTS, {"1": ("AllDifferentConstraint([a, b])",)}, {"A": "a == 1"})
    large = "AllDifferentConstraint([" + ", ".join(["a"] * 4_000) + "])"
    assert align(gold, gold.changed({"1": (large,)})).sentences[0].error == "4000 mentions; at most 200 are aligned"
    with pytest.raises(LineError, match="gold line 1: 4000 mentions"):
        align(gold.changed({"1": (large,)}), gold)
    formula = formulas("∀x (" + " ∧ ".join(["P(x)"] * 300) + ")", query="P(a)")
    assert align(formulas("P(a)", query="P(a)"), formula).sentences[0].error == "more than 400 subformulas"


def test_capitalised_names_align_as_variables() -> None:
    other = clauses(
        "Cold(bob, True)",
        "Chase(bob, cat, True)",
        "Chase(cat, ann, True)",
        *(each[0].replace("$x", "X") for place, each in GOLD.lines.items() if place in "45"),
    )
    assert is_consistent(align(GOLD, other))


def test_linked_program_pairs_lines_by_gloss_and_words() -> None:
    text = """Predicates:
Cold($x, bool) ::: Is x cold?
Facts:
Cold(Bob, True) ::: Bob is cold.
Rules:
Cold($x, True) >>> Quiet($x, True)
Query:
Quiet(Bob, True)"""
    found = linked(CLAUSES, text, ["All cold things are quiet.", "Bob is cold.", "Ann is kind."])
    assert found.lines == {"2": ("Cold(Bob, True)",), "1": ("Cold($x, True) >>> Quiet($x, True)",)}
    assert found.asked == {QUERY: "Quiet(Bob, True)"}


def test_image_keys_are_single_symbols() -> None:
    found = align(GOLD, GOLD)
    assert all(len(key_of(image)) == 1 for sentence in found.sentences for _, image, _ in sentence.mentions)
