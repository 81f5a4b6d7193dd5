"""The report on generated pairs, on a few of them."""

import re
import subprocess
import sys
from pathlib import Path
from random import Random

from benchmarks.unknowns import is_wrong
from tests.property.generated import Pair, pairs

import nlfol
from nlfol.logic.equivalence import Outcome, Verdict, equivalence
from nlfol.logic.reading import parse
from nlfol.logic.structures import Structure

ROOT = Path(__file__).parents[3]


def test_unknowns_report_counts_all_pairs_without_wrong_verdicts() -> None:
    script = ROOT / "benchmarks/unknowns.py"
    environment = {"PYTHONPATH": str(Path(nlfol.__file__).parents[1]), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, str(script), "--pairs", "40", "12"]
    out = subprocess.run(command, env=environment, capture_output=True, check=True, encoding="utf-8").stdout
    heads = re.findall(r"^(\w+): (\d+) pairs, unknown (\d+) \(.*%\), wrong (\d+)$", out, re.MULTILINE)
    assert [(kind, count, wrong) for kind, count, _, wrong in heads] == [("prenex", "40", "0"), ("nested", "12", "0")]
    assert len(re.findall(r"seconds a pair: mean .*, 99th percentile .*, most ", out)) == 2
    assert sum(map(int, re.findall(r"^ +(\d+) (?:equivalent|not_equivalent|unknown) by", out, re.MULTILINE))) == 52


def test_verdict_against_constructed_label_is_wrong() -> None:
    for pair in pairs(Random("wrong"), "terms", 3):
        right = equivalence(pair.first, pair.second)
        assert not is_wrong(pair, right)
        other = Outcome.EQUIVALENT if right.outcome is Outcome.NOT_EQUIVALENT else Outcome.NOT_EQUIVALENT
        assert is_wrong(pair, Verdict(other, "z3")) == (pair.equivalent is not None)
    assert not is_wrong(pair, Verdict(Outcome.UNKNOWN, "budget"))
    assert is_wrong(pair, Verdict(Outcome.INVALID, "arity"))


def test_invalid_counter_model_makes_verdict_wrong() -> None:
    pair = Pair("by hand", parse("P(a)"), parse("Q(a)"), None)
    both = Structure(1, {"a": 0}, {}, {"P": frozenset({(0,)}), "Q": frozenset({(0,)})})
    assert is_wrong(pair, Verdict(Outcome.NOT_EQUIVALENT, "z3", both))
    one = Structure(1, {"a": 0}, {}, {"P": frozenset({(0,)}), "Q": frozenset()})
    assert not is_wrong(pair, Verdict(Outcome.NOT_EQUIVALENT, "z3", one))
