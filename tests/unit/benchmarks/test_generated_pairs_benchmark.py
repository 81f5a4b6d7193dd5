"""The report on pairs of generated sentences, on a few of them."""

import re

import pytest
from benchmarks.generated_pairs import CHOSEN, KINDS, Measured, Pair, main, pairs, plain, report

from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.languages.registry import LANGUAGES

EQUIVALENT, NOT, UNKNOWN = Outcome.EQUIVALENT, Outcome.NOT_EQUIVALENT, Outcome.UNKNOWN


def test_benchmark_and_plain_verdicts_agree(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--items", "2", "--sets", "propositional", "regular"])
    out = capsys.readouterr().out
    heads = re.findall(
        r"^(\w+): (\d+) pairs, \d+/s; plain \d+/s, ratio [\d.]+; (Prover9 .*?; )?unknown (.*)$", out, re.M
    )
    none = "0 (plain 0), wrong 0, disagreements 0"
    assert heads == [("propositional", "6", "Prover9 elsewhere 87.8/s; ", none), ("regular", "6", "", none)]
    assert re.findall(r"^  (\w+) +(\d+), ", out, re.M) == [("all", "6"), *((kind, "2") for kind in KINDS)] * 2


@pytest.mark.parametrize("name", CHOSEN)
def test_benchmark_pairs_cover_kinds_and_item_sizes(name: str) -> None:
    recipe = CHOSEN[name]
    found = pairs(recipe, 4)
    assert [pair.kind for pair in found] == [*KINDS] * 4
    language = LANGUAGES[recipe.read()[0].language]
    sizes = []
    for kind, first, second in found:
        assert (language.parse(first) is language.parse(second)) == (kind == "identical")
        sizes.append(len(first))
    assert sizes[-1] > 4 * sizes[0]


def test_plain_call_judges_pairs_in_every_language() -> None:
    for name, first, second in (
        ("propositional", "p1 ∧ p2", "p2 ∧ p1"),
        ("first_order", "∀x P(x)", "∀y P(y)"),
        ("regular", "0*", "(0*)*"),
    ):
        theirs = plain(name)  # type: ignore[arg-type]
        other = first.replace("p1", "p3").replace("P", "Q").replace("0", "1")
        assert [theirs(Pair("law", first, text)) for text in (second, other)] == [EQUIVALENT, NOT]


def test_report_counts_wrong_verdicts_and_disagreements() -> None:
    measured = [
        Measured("identical", EQUIVALENT, UNKNOWN, 0.001, 0.01),
        Measured("law", NOT, EQUIVALENT, 0.002, 0.02),
        Measured("edit", NOT, EQUIVALENT, 0.003, 0.03),
        Measured("edit", UNKNOWN, NOT, 0.004, 0.04),
    ]
    head, every, *kinds = report("k_sat", measured).splitlines()
    assert head == (
        "k_sat: 4 pairs, 400/s; plain 40/s, ratio 10.0; Prover9 elsewhere 21.8/s; unknown 1 (plain 1), wrong 1, "
        "disagreements 2"
    )
    assert every == "  all          4,    1 equivalent; ms at p50 and p99: 3.000, 4.000; plain 30.000, 40.000"
    assert [line.split()[:2] for line in kinds] == [["identical", "1,"], ["law", "1,"], ["edit", "2,"]]
