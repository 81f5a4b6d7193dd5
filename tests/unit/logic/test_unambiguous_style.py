"""Sentences of the unambiguous style, read back."""

from dataclasses import replace

import pytest
from tests.unit.logic.document import relatives, tarski_formulas, tarski_ontology

from nlfol.logic.english.reading import read_english
from nlfol.logic.english.unambiguous import render, render_candidates
from nlfol.logic.english.wording import EnglishSyntaxError
from nlfol.logic.errors import SignatureError
from nlfol.logic.ontology.ontology import ConstantSymbol, FunctionSymbol, Ontology, Predicate
from nlfol.logic.reading import parse
from nlfol.logic.syntax import Formula

ONTOLOGY = Ontology(
    (
        Predicate("Cube", 1, "{} is a cube", "{} is not a cube"),
        Predicate("Small", 1, "{} is small", "{} is not small"),
        Predicate("Likes", 2, "{} likes {}", "{} does not like {}"),
        Predicate("Between", 3, "{} is between {} and {}", "{} is not between {} and {}"),
        Predicate("Cats", 1, "cats like {}", "cats do not like {}"),
        Predicate("Rain", 0, "it is raining", "it is not raining"),
        Predicate("Flood", 0, "it is raining and it floods", "it does not flood"),
    ),
    (FunctionSymbol("mother", 1, "the mother of {}"), FunctionSymbol("father", 1, "{}'s father")),
    (
        ConstantSymbol("a", "a"),
        ConstantSymbol("b", "b"),
        ConstantSymbol("ann", "Ann"),
        ConstantSymbol("smith", "Smith Jr."),
        ConstantSymbol("huron", "lake Huron"),
    ),
)


@pytest.mark.parametrize(
    ("formula", "english"),
    [
        # Literals
        ("Cube(a)", "a is a cube."),
        ("¬Cube(huron)", "Lake Huron is not a cube."),
        ("Cats(ann)", "Cats like Ann."),
        ("a = b", "a is the same as b."),
        ("a ≠ b", "a is not the same as b."),
        ("Likes(ann, smith)", "Ann likes Smith Jr."),
        ("Likes(mother(mother(ann)), father(b))", "The mother of the mother of Ann likes b's father."),
        ("Likes(mother(father(ann)), b)", "“the mother of Ann's father likes b” [Likes(mother(father(ann)), b)]."),
        ("Rain", "It is raining."),
        ("¬Rain", "It is not raining."),
        ("¬Flood", "It does not flood."),
        ("Flood", "“it is raining and it floods” [Flood]."),
        ("Rain ∧ Cube(a) → ¬Flood", "If it is raining and a is a cube, then it does not flood."),
        ("∀x (Cube(x) → Rain)", "For every x, if x is a cube, then it is raining."),
        # Chains, by grouping and by place
        ("Cube(a) ∧ Small(b)", "a is a cube and b is small."),
        ("Cube(a) ∧ Small(b) ∧ Cube(b)", "a is a cube, b is small, and b is a cube."),
        ("Cube(a) ∧ (Small(b) ∧ Cube(b))", "a is a cube and both b is small and b is a cube."),
        ("Cube(a) ∨ Small(b) ∨ Cube(b)", "a is a cube, b is small, or b is a cube."),
        ("Cube(a) ∧ (Small(b) ∨ Cube(b))", "a is a cube and either b is small or b is a cube."),
        ("Cube(a) ∨ Small(b) ∧ Cube(b)", "a is a cube or both b is small and b is a cube."),
        ("(Cube(a) ∨ Small(a)) ∧ Cube(b)", "Both (1) and (2):\n  (1) a is a cube or a is small;\n  (2) b is a cube."),
        (
            "Cube(a) ∧ Cube(b) ∨ Small(a) ∨ Small(b)",
            "At least one of (1) to (3):\n  (1) a is a cube and b is a cube;\n  (2) a is small;\n  (3) b is small.",
        ),
        (
            "(Cube(a) ∨ Cube(b)) ∧ Small(a) ∧ Small(b)",
            "All of (1) to (3):\n  (1) a is a cube or b is a cube;\n  (2) a is small;\n  (3) b is small.",
        ),
        # The second "both" or "either" in another is a list
        (
            "Cube(a) ∨ (Cube(b) ∨ (Small(a) ∨ Small(b)))",
            "a is a cube or either (1) or (2):\n  (1) b is a cube;\n  (2) a is small or b is small.",
        ),
        (
            "¬(Rain ∧ ∀x (Cube(x) ∨ Small(x)))",
            (
                "It is not the case that both (1) and (2):\n"
                "  (1) it is raining;\n"
                "  (2) for every x, x is a cube or x is small."
            ),
        ),
        (
            "Rain → Cube(a) ∧ ¬(Small(a) ∨ Small(b))",
            (
                "If it is raining, then both (1) and (2):\n"
                "  (1) a is a cube;\n"
                "  (2) it is not the case that either a is small or b is small."
            ),
        ),
        (
            "Cube(a) ∧ (Cube(b) ∨ Small(a) ∧ Small(b)) → Rain",
            (
                "If (1), then (2):\n"
                "  (1) a is a cube and either (1.1) or (1.2):\n"
                "    (1.1) b is a cube;\n"
                "    (1.2) a is small and b is small;\n"
                "  (2) it is raining."
            ),
        ),
        ("Between(a, b, ann) ∧ Cube(a)", "a is between b and Ann and a is a cube."),
        # Negations
        ("¬(Cube(a) ∧ Small(a))", "It is not the case that both a is a cube and a is small."),
        ("¬(Cube(a) ∨ Small(a) ∨ Cube(b))", "It is not the case that either a is a cube, a is small, or b is a cube."),
        (
            "¬(Cube(a) ∧ Small(a) ∧ Cube(b))",
            "It is not the case that all of the following hold: a is a cube, a is small, and b is a cube.",
        ),
        ("¬¬Cube(a)", "It is not false that a is a cube."),
        ("¬¬¬Cube(a)", "It is not false that a is not a cube."),
        ("¬¬¬∃x Cube(x)", "It is not false that there is no x such that x is a cube."),
        ("¬¬¬¬Rain", "It is not false that it is not false that it is raining."),
        # One thing on both sides of a verb
        ("Likes(ann, ann)", "Ann likes itself."),
        ("∃x ¬Likes(x, x)", "There is some x such that x does not like itself."),
        ("Likes(mother(ann), mother(ann))", "The mother of Ann likes itself."),
        ("Likes(mother(ann), ann)", "The mother of Ann likes Ann."),
        ("a = a", "a is the same as a."),
        ("¬∃x Cube(x)", "There is no x such that x is a cube."),
        ("¬∃x ∃y (Cube(x) ∧ Likes(x, y))", "There are no x and y such that both x is a cube and x likes y."),
        # Quantifiers
        ("∀x (Cube(x) → Small(x))", "For every x, if x is a cube, then x is small."),
        ("∀x ∀y ∀z Between(x, y, z)", "For all x, y, and z, x is between y and z."),
        ("∀x ∃y Likes(x, y)", "For every x, there is some y such that x likes y."),
        (
            "∃x (Cube(x) ∧ Small(x) ∧ ∀y (Likes(x, y) → Cube(y)))",
            "There is some x such that x is a cube, x is small, and for every y, if x likes y, then y is a cube.",
        ),
        ("Small(a) ∧ ∀x Likes(x, a)", "a is small, and for every x, x likes a."),
        # Conditionals
        (
            "Cube(a) ∧ Small(a) → Cube(b) ∧ Small(b)",
            "If a is a cube and a is small, then both b is a cube and b is small.",
        ),
        ("Cube(a) → (Small(a) → Small(b))", "If a is a cube, then if a is small, then b is small."),
        (
            "(Cube(a) → Small(a)) → Cube(b)",
            ("If (1), then (2):\n  (1) if a is a cube, then a is small;\n  (2) b is a cube."),
        ),
        (
            "Cube(a) ∧ ∃x (Cube(x) ∧ Likes(x, a)) → Small(a)",
            "If a is a cube and there is some x such that both x is a cube and x likes a, then a is small.",
        ),
        # Equivalence and exclusive disjunction
        ("Cube(a) ↔ Small(a)", "a is a cube if and only if a is small."),
        ("∀x (Cube(x) ↔ Small(x))", "For every x, x is a cube if and only if x is small."),
        (
            "∀x (Cube(x) ↔ Small(a))",
            "For every x, if and only if (1), then (2):\n  (1) x is a cube;\n  (2) a is small.",
        ),
        (
            "¬(Cube(a) ↔ Small(a))",
            "It is not the case that if and only if (1), then (2):\n  (1) a is a cube;\n  (2) a is small.",
        ),
        ("Cube(a) ⊕ Small(a)", "Either a is a cube or a is small, but not both."),
        (
            "¬(Cube(a) ⊕ Small(a))",
            "It is not the case that either (1) or (2), but not both:\n  (1) a is a cube;\n  (2) a is small.",
        ),
        # Lists in lists
        (
            "(Cube(a) ↔ Small(a) ∨ Small(b) ∧ Cube(b)) ∧ Cube(ann)",
            (
                "Both (1) and (2):\n"
                "  (1) a is a cube if and only if either (1.1) or (1.2):\n"
                "    (1.1) a is small;\n"
                "    (1.2) b is small and b is a cube;\n"
                "  (2) Ann is a cube."
            ),
        ),
        (
            "((Cube(a) → Cube(b)) ∨ Small(b)) ∧ Cube(ann)",
            (
                "Both (1) and (2):\n"
                "  (1) either (1.1) or (1.2):\n"
                "    (1.1) if a is a cube, then b is a cube;\n"
                "    (1.2) b is small;\n"
                "  (2) Ann is a cube."
            ),
        ),
    ],
)
def test_rendering_round_trips_formula(formula: str, english: str) -> None:
    tree = parse(formula, signature=ONTOLOGY.signature())
    assert render(tree, ONTOLOGY) == english
    assert read_english(english, ONTOLOGY) is tree


@pytest.mark.parametrize(
    ("formulas", "english"),
    [
        # No member needs a list, so none has one; ↔ opens as → does where it would not be clear between its sides.
        (["a = b", "a ≠ b"], ["a and b are the same thing.", "a and b are not the same thing."]),
        (
            ["¬(Cube(a) ↔ Small(a))", "Cube(a) ↔ Small(a)"],
            [
                "It is not the case that if and only if a is a cube, then a is small.",
                "a is a cube if and only if a is small.",
            ],
        ),
        (["Small(b) ∧ (Cube(a) ↔ Small(a))"], ["b is small, and if and only if a is a cube, then a is small."]),
        # One member needs a list, so all that join formulas have one, at the same places.
        (
            ["(Cube(a) ∨ Small(a)) ∧ Rain", "Cube(a) ∧ Small(a) → Rain", "¬(Rain ⊕ Cube(a))", "Rain", "¬∃x Cube(x)"],
            [
                "Both (1) and (2):\n  (1) a is a cube or a is small;\n  (2) it is raining.",
                "If (1), then (2):\n  (1) a is a cube and a is small;\n  (2) it is raining.",
                "It is not the case that either (1) or (2), but not both:\n  (1) it is raining;\n  (2) a is a cube.",
                "It is raining.",
                "There is no x such that x is a cube.",
            ],
        ),
        # Lists in lists, but none of two literals that are a whole item.
        (
            ["((Cube(a) → Small(a)) ∨ Rain) ∧ (Cube(b) ↔ Small(b))"],
            [
                (
                    "Both (1) and (2):\n"
                    "  (1) either (1.1) or (1.2):\n"
                    "    (1.1) if a is a cube, then a is small;\n"
                    "    (1.2) it is raining;\n"
                    "  (2) b is a cube if and only if b is small."
                )
            ],
        ),
        (
            ["∀x ((Cube(x) ∧ Small(x) ↔ Rain) → ¬(Cube(x) ⊕ Small(x)))"],
            [
                (
                    "For every x, if (1), then (2):\n"
                    "  (1) if and only if (1.1), then (1.2):\n"
                    "    (1.1) x is a cube and x is small;\n"
                    "    (1.2) it is raining;\n"
                    "  (2) it is not the case that either (2.1) or (2.2), but not both:\n"
                    "    (2.1) x is a cube;\n"
                    "    (2.2) x is small."
                )
            ],
        ),
    ],
)
def test_candidate_renderings_round_trip_formulas(formulas: list[str], english: list[str]) -> None:
    trees = [parse(formula, signature=ONTOLOGY.signature()) for formula in formulas]
    assert render_candidates(trees, ONTOLOGY) == english
    assert [read_english(text, ONTOLOGY) for text in english] == trees


def test_reflexives_follow_noun_and_candidates_repeat_names() -> None:
    people, formula = replace(ONTOLOGY, noun="person"), parse("Likes(ann, ann)")
    texts = [render(formula, people), *render_candidates([formula], people)]
    assert texts == ["Ann likes themself.", "Ann likes Ann."]
    assert [read_english(text, people) for text in texts] == [formula, formula]
    with pytest.raises(EnglishSyntaxError):
        read_english("Ann likes itself.", people)


def test_reflexive_appears_only_where_unambiguous() -> None:
    ontology = Ontology(
        (
            Predicate("Trusts", 2, "{}'s sister trusts {}", "{}'s sister does not trust {}"),
            Predicate("Likes", 2, "{} likes {}", "{} does not like {}"),
            Predicate("Vain", 1, "{} likes itself", "{} is not vain"),
        ),
        (),
        (ConstantSymbol("ann", "Ann"),),
    )
    texts = [render(parse(formula), ontology) for formula in ("Trusts(ann, ann)", "Likes(ann, ann)", "Vain(ann)")]
    assert texts == [
        "Ann's sister trusts Ann.", "“Ann likes Ann” [Likes(ann, ann)].", "“Ann likes itself” [Vain(ann)].",
    ]  # fmt: skip


def test_identity_rendering_uses_ontology_noun() -> None:
    blocks = replace(ONTOLOGY, noun="block")
    assert render_candidates([parse("a ≠ b")], blocks) == ["a and b are not the same block."]
    assert read_english("a and b are not the same block.", blocks) is parse("a ≠ b")
    with pytest.raises(EnglishSyntaxError):
        read_english("a and b are not the same block.", ONTOLOGY)


MISLEADING = Ontology(
    (
        Predicate("Team", 1, "{} is a team", "{} is not a team"),
        Predicate("Club", 1, "{} is a team", "{} is no club"),
        Predicate("Sings", 1, "{} sings", "{} does not sing"),
        Predicate("Duet", 2, "{} sings and {} sings", "not both {} and {} sing"),
        Predicate("Blank", 1, "{}", "{} "),
        Predicate("Either", 1, "either way {} wins", "there is no way that {} wins"),
        Predicate("List", 1, "(1) and (2): {}", "all of (1) to (3): {}"),
        Predicate("Same", 2, "{} is the same as {}", "{} differs from {}"),
    ),
    (FunctionSymbol("plus", 2, "{} plus {}"),),
    (
        ConstantSymbol("kim", "Kim"),
        ConstantSymbol("tedsmith", "Edwin Smith"),
        ConstantSymbol("edwinsmith", "edwin Smith"),
        ConstantSymbol("unknown", "x"),
        ConstantSymbol("quote", "the “end”"),
    ),
)


@pytest.mark.parametrize(
    ("formula", "english"),
    [
        ("Team(kim)", "Kim is a team [Team]."),
        ("¬Team(kim) ∨ ¬Club(kim)", "Kim is not a team or Kim is no club."),
        ("Sings(tedsmith) ∧ Sings(edwinsmith)", "Edwin Smith [tedsmith] sings and edwin Smith [edwinsmith] sings."),
        ("Sings(kim) ∧ Sings(kim)", "Kim sings and Kim sings."),
        ("Duet(kim, kim)", "“Kim sings and Kim sings” [Duet(kim, kim)]."),
        ("¬Duet(kim, kim)", "Not both Kim and Kim sing."),
        ("Blank(kim) ∧ ¬Blank(kim)", "Kim [Blank] and Kim  [not Blank]."),
        ("Either(kim)", "“either way Kim wins” [Either(kim)]."),
        ("¬Either(kim)", "“there is no way that Kim wins” [¬Either(kim)]."),
        ("¬(List(kim) ∧ Sings(kim))", "It is not the case that both “(1) and (2): Kim” [List(kim)] and Kim sings."),
        ("¬List(kim) → Sings(kim)", "If “all of (1) to (3): Kim” [¬List(kim)], then Kim sings."),
        ("∃x (Sings(x) ∧ Sings(unknown))", "There is some x such that x sings and x [unknown] sings."),
        ("kim = unknown", "Kim is the same as x [unknown]."),
        ("Same(kim, unknown)", "Kim is the same as x [unknown] [Same]."),
        ("Sings(plus(kim, kim))", "Kim plus Kim sings."),
        ("Sings(plus(kim, plus(kim, kim)))", "“Kim plus Kim plus Kim sings” [Sings(plus(kim, plus(kim, kim)))]."),
        ("Sings(quote)", "The “end” sings."),
        ("Duet(quote, kim)", "“the “end”” sings and Kim sings” [Duet(quote, kim)]."),
        ("∀e Duet(e, kim)", "For every thing e, “thing e sings and Kim sings” [e: Duet(e, kim)]."),
    ],
)
def test_misleading_ontologies_round_trip(formula: str, english: str) -> None:
    assert render(parse(formula), MISLEADING) == english
    assert read_english(english, MISLEADING) is parse(formula)


def test_final_full_stop_keeps_meanings_distinct() -> None:
    clubs = Ontology(
        (Predicate("At", 1, "it is {}", "it is not {}"),),
        (),
        (ConstantSymbol("short", "F.C"), ConstantSymbol("long", "F.C.")),
    )
    texts = [render(parse(formula), clubs) for formula in ("At(short)", "At(long)")]
    assert texts == ["“it is F.C” [At(short)].", "“it is F.C.” [At(long)]."]


@pytest.mark.parametrize("together", [False, True])
def test_tarski_formulas_and_relatives_round_trip_english(together: bool) -> None:
    ontology, renderings = tarski_ontology(), dict[str, Formula]()
    for gold in tarski_formulas()[::3]:
        formulas = [gold, *relatives(gold)]
        texts = render_candidates(formulas, ontology) if together else [render(each, ontology) for each in formulas]
        for formula, english in zip(formulas, texts, strict=True):
            assert renderings.setdefault(english, formula) is formula
            assert read_english(english, ontology) is formula
    assert len(renderings) > 1000
    assert not any("[" in english or "“" in english for english in renderings)


def test_rendering_refuses_symbol_without_meaning() -> None:
    with pytest.raises(SignatureError, match="Round"):
        render(parse("∀x (Cube(x) → Round(x))"), ONTOLOGY)
