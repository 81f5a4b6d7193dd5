"""The report on pairs of generated sentences, on a few of them."""

import re

import pytest
from benchmarks.generated_pairs import KINDS, main


def test_both_sides_judge_every_pair_alike(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--items", "2", "--sets", "propositional", "regular"])
    out = capsys.readouterr().out
    heads = re.findall(
        r"^(\w+): (\d+) pairs, \d+/s; plain \d+/s, ratio [\d.]+; (Prover9 .*?; )?unknown (.*)$", out, re.M
    )
    none = "0 (plain 0), wrong 0, disagreements 0"
    assert heads == [("propositional", "6", "Prover9 elsewhere 87.8/s; ", none), ("regular", "6", "", none)]
    assert re.findall(r"^  (\w+) +(\d+), ", out, re.M) == [("all", "6"), *((kind, "2") for kind in KINDS)] * 2
