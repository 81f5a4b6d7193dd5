"""Measures by hand."""

from itertools import chain, product

import pytest
from benchmarks.alignment import expected, pooled
from tests.unit.problems.test_alignments import clauses

from nlfol.problems import Mention, Problem, Statement, read_lexicon
from nlfol.problems.alignment import (
    Share,
    align,
    drifting,
    expressions,
    mean,
    measure,
    merging,
    rewritten,
    table_quality,
)
from nlfol.problems.alignment.expressions import plain_expression
from nlfol.problems.alignment.measures import Measures
from nlfol.problems.families import generate
from nlfol.problems.forms import read_forms
from nlfol.problems.gold import gold_lines
from nlfol.problems.programs.symbols import key_of, named
from nlfol.problems.rewording import Settings, diversify

LEXICON = read_lexicon()
FORMS = read_forms(LEXICON)
GOLD = clauses("Cold(bob, True)", "Cold(ann, True)", "Red(bob, True)", "Cold($x, True) >>> Red($x, True)")


def test_dispersion_counts_concepts_mentioned_twice() -> None:
    other = clauses("Cold(bob, True)", "Icy(ann, True)", "Red(bob, True)", "Cool($x, True) >>> Red($x, True)")
    found = measure(align(GOLD, other))
    # Cold has three symbols; ann is mentioned once; the query is about Cold and bob.
    assert found.dispersion == found.least == Share(2, 3)
    assert found.dispersion_of_all == Share(2, 4)
    assert found.collision == Share(0, 6)
    assert found.precision.value == 1
    assert found.recall == Share(2 / 4 * 2 + 1 / 4 * 2 + 2 + 3 + 1, 10)
    assert found.by_structure == Share(10, 10)
    assert (found.lines, found.problems) == (Share(5, 5), Share(0, 1))


def test_merged_concepts_count_as_collision_without_drift() -> None:
    other = clauses(
        "Red(bob, True)", "Red(ann, True)", "Red(bob, True)", "Red($x, True) >>> Red($x, True)", query="Red(bob, True)"
    )
    found = measure(align(GOLD, other))
    assert found.dispersion.value == 0
    assert found.collision == Share(1, 3)
    assert found.problems.value == 0
    assert found.f is not None
    assert found.f < 1


def test_dispersion_uses_least_dispersed_map() -> None:
    """In the rule A and B may have changed places, which gives A two symbols: another map fits, but is not as good."""
    gold = clauses("A($x, True) && B($x, True) >>> C($x, True)", "A(a, True)", query="C(a, True)")
    found = align(gold, gold)
    assert found.is_least
    assert measure(found).least == measure(found).dispersion == Share(0, 3)
    assert "greatest" not in measure(found).values()


def test_equally_good_maps_have_equal_dispersion() -> None:
    """Every map of each sentence, in every combination: those with as few pairs as the chosen one are no better."""
    gold = clauses("A($x, True) && B($x, True) >>> C($x, True)", "A(a, True)", "B(b, True)", query="C(a, True)")
    other = clauses("F($x, True) && G($x, True) >>> H($x, True)", "F(a, True)", "F(b, True)", query="H(a, True)")
    found = align(gold, other)
    assert found.is_least
    maps = []
    for place, lines in gold.places.items():
        said, written = (gold.language.numbered(each) for each in (lines, other.places[place]))
        fits = (named(fit, written.symbols) for fit in gold.language.fits(said, written).fits)
        maps.append(
            [[(concept, key_of(image)) for concept, image in zip(said.concepts, fit, strict=True)] for fit in fits]
        )
    choices = [set(chain(*chosen)) for chosen in product(*maps)]
    fewest = min(map(len, choices))
    assert fewest == sum(len(images) for images in found.images.values())
    # In the rule A is F and B is G, which is F in its fact; or the other way round.
    good = [pairs for pairs in choices if len(pairs) == fewest]
    assert len(good) == 2
    repeated = {"A", "B", "C", "a"}
    assert {sum(concept.name in repeated for concept, _ in pairs) - len(repeated) for pairs in good} == {1}
    assert measure(found).least == measure(found).dispersion == Share(1, 4)


@pytest.mark.parametrize("family", ["rules", "taxonomy", "proofs"])
def test_single_map_measure_separates_renamed_symbols_from_gold(family: str) -> None:
    """Each line by itself is equivalent to gold under some map, whatever its symbols are called elsewhere."""
    golds = [gold_lines(each) for each in generate(family, seed=5, count=8, lexicon=LEXICON)]
    same, own, some = (
        pooled(measure(align(gold, rewritten(gold, drifting(share, number)))) for number, gold in enumerate(golds))
        for share in (0, 1, 0.3)
    )
    assert same.lines.value == own.lines.value == some.lines.value == same.one_map.value == 1
    assert own.one_map.value is not None
    assert some.one_map.value is not None
    assert own.one_map.value < 0.5 < some.one_map.value + 0.1 < 1
    assert own.one_map_is_most.value == some.one_map_is_most.value == 1


def test_single_map_search_matches_exhaustive_search() -> None:
    """Against every set of lines: a set counts if some choice of their maps is one map, one to one."""
    for number, each in enumerate(generate("rules", seed=7, count=6, lexicon=LEXICON)):
        gold = gold_lines(each)
        gold = gold.changed(
            {place: lines for place, lines in gold.places.items() if place in ("1", "2", "3", "4", "5")}
        )
        other = rewritten(gold, drifting(0.4, number))
        maps = []
        for place, lines in gold.places.items():
            said, written = (gold.language.numbered(lines) for lines in (lines, other.places[place]))
            fits = (named(fit, written.symbols) for fit in gold.language.fits(said, written).fits)
            maps.append([None, *({*zip(said.concepts, fit, strict=True)} for fit in fits)])
        most = 0
        for chosen in product(*maps):
            pairs = set().union(*filter(None, chosen))
            if len(pairs) == len({concept for concept, _ in pairs}) == len({key_of(image) for _, image in pairs}):
                most = max(most, len(chosen) - chosen.count(None))
        assert measure(align(gold, other)).one_map == Share(most, len(gold.places))


def test_truncated_single_map_search_gives_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = gold_lines(next(iter(generate("rules", seed=7, count=1, lexicon=LEXICON))))
    other = rewritten(gold, drifting(0.4, 0))
    found = align(gold, other).one_map
    assert align(gold, gold).one_map == (len(gold.places), True)
    monkeypatch.setattr("nlfol.problems.alignment.one_map.MAX_STEPS", 0)
    cut = align(gold, other).one_map
    assert found.is_most
    assert not cut.is_most
    assert cut.sentences <= found.sentences


def test_pooled_measure_differs_from_problem_mean() -> None:
    one = measure(align(GOLD, GOLD))
    other = clauses("Cold(bob, True)", "Icy(ann, True)", "Red(bob, True)", "Cool($x, True) >>> Red($x, True)")
    two = measure(align(GOLD, other))
    assert pooled([one, two]).dispersion == Share(2, 6)
    assert mean([one.dispersion.value, two.dispersion.value, None]) == pytest.approx(1 / 3)
    assert mean([None]) is None


def test_table_quality_scores_expression_pairs() -> None:
    statement = Statement("Bob is cold.", "Cold(bob, True)", (Mention(7, 11, "Cold", "base"),))
    others = [
        Statement(text, None, (Mention(0, len(text), concept, "base"),))
        for text, concept in (("Chilly", "Cold"), ("icy", "Cold"), ("red", "Red"))
    ]
    problem = Problem("1", "rules", "clauses", (statement, *others), Statement("?"), (), "A")
    gold = expressions(problem)
    assert gold == {"cold": {"Cold"}, "chilly": {"Cold"}, "icy": {"Cold"}, "red": {"Red"}}
    found = table_quality([["Cold", "chilly", "frosty"], ["icy", "red"]], gold)
    assert found.precision == Share(1, 2)
    assert found.recall == Share(1, 3)
    assert found.unknown == ("frosty",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("animal known as the lion", "the animal known as  the Lion"),
        ("cold", "is cold"),
        ("cold", "to be cold"),
        ("chases", "to chase"),
        ("chasing", "chased"),
        ("wumpuses", "a wumpus"),
        ("tall", "being tall"),
        ("stopped", "stop"),
        ("ponies", "pony"),
        ("Bob’s dogs", "Bob dog"),
        ("bleeding", "bleed"),
        ("is", "is"),
    ],
)
def test_plain_expression_ignores_articles_and_inflection(one: str, other: str) -> None:
    assert plain_expression(one) == plain_expression(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("red", "r"),
        ("king", "k"),
        ("young", "yo"),
        ("not cold", "cold"),
        ("chased by", "chases"),
        ("bus", "bu"),
        ("need", "ne"),
    ],
)
def test_plain_expression_keeps_different_words_distinct(one: str, other: str) -> None:
    assert plain_expression(one) != plain_expression(other)


def test_table_with_plain_words_reaches_full_recall() -> None:
    """Uses 30 problems in other words, with each expression as people would list it."""
    for name in ("rules", "taxonomy"):
        for original in generate(name, seed=3, count=15, lexicon=LEXICON):
            problem = diversify(original, FORMS, Settings(), 3, "toy").problem
            listed: dict[str, list[str]] = {}
            for statement in problem.sentences:
                for mention in statement.mentions:
                    said = statement.text[mention.start : mention.end]
                    is_verb = statement.text[mention.end :].startswith((" the", " Bob"))
                    listed.setdefault(mention.concept, []).append(f"to {said}" if is_verb else f"is the {said}")
            found = table_quality([*listed.values()], expressions(problem))
            assert found.recall.sum == found.recall.of
            assert found.unknown == ()


@pytest.mark.parametrize(("mentions", "probability", "value"), [(2, 0.5, 0.75), (3, 0.0, 0.0), (4, 1.0, 3.0)])
def test_expected_drift_matches_formula(mentions: int, probability: float, value: float) -> None:
    found, variance = expected(mentions, probability)
    assert found == pytest.approx(value)
    assert found == pytest.approx(mentions * probability - probability**mentions)
    assert variance >= 0


def measured(decoys: int) -> tuple[Measures, int]:
    """Return pooled measures of 12 problems in other words, and the count of right answers."""
    problems = [
        diversify(each, FORMS, Settings(decoys=decoys), 5, "toy").problem
        for each in generate("rules", seed=5, count=12, lexicon=LEXICON)
    ]
    programs = [(each, gold_lines(each), rewritten(gold_lines(each), merging)) for each in problems]
    right = sum(own.language.execute(own.text, each.lettered).answer == each.answer for each, _, own in programs)
    return pooled(measure(align(gold, own)) for _, gold, own in programs), right


def test_decoys_raise_collision_under_merging() -> None:
    plain, right = measured(0)
    with_decoys, right_with_decoys = measured(2)
    assert plain.dispersion.value == with_decoys.dispersion.value == 0
    assert plain.collision.value
    assert with_decoys.collision.value
    assert with_decoys.collision.value > plain.collision.value > 0
    assert right_with_decoys < right < 6
