"""Examples use words that no test has, so learning them gains nothing."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from tests.examples import family, forms, lexicon
from tests.unit.tasks.problem_items import task

from nlfol.problems.alignment.expressions import plain_expression
from nlfol.problems.families import FAMILIES
from nlfol.problems.forms import part_of
from nlfol.problems.lexicon import BASE, FRAME, Lexicon
from nlfol.problems.problem import Problem
from nlfol.problems.rewording import Settings, diversify
from nlfol.store import files
from nlfol.store.schemas import ITEMS, ItemRow
from nlfol.store.training_schemas import EXAMPLES
from nlfol.tasks.item_rows import ProblemItems
from nlfol.tasks.task import Surroundings
from nlfol_extras.analyses.words import words

TESTED, SHOWN = part_of(forms(), "tested"), part_of(forms(), "shown")


def test_forms_are_split_between_tests_and_examples() -> None:
    for symbol, concept in forms().concepts.items():
        tested, shown = TESTED.concepts[symbol].forms, SHOWN.concepts[symbol].forms
        assert {**tested, **shown} == dict(concept.forms)
        both = [concept.forms[key] for key in tested.keys() & shown.keys()]
        assert all(form.kind in (BASE, "reference") or form.key == "voice.1" for form in both)
        assert not any(form.kind == FRAME for form in shown.values())
    # Most concepts keep a word to be tested by.
    for group, least in (("adjectives", 0.9), ("verbs", 0.9), ("classes", 0.7)):
        concepts = [concept for concept in TESTED.concepts.values() if concept.group == group]
        assert sum(len(concept.forms) > 1 for concept in concepts) >= least * len(concepts)


def rows(name: str, tested: Lexicon, shown: Lexicon) -> tuple[list[Problem], list[ItemRow]]:
    """Return problems in other words, and their items with tables of concepts as examples."""
    originals = family(name, 40 if name == "order" else 12)  # Things in a row are seldom said in other words.
    reworded = [diversify(each, tested, Settings(), 7).problem for each in originals]
    about = Surroundings(7, reworded, lexicon, lambda: shown, {each.name: each for each in originals})
    build = ProblemItems(reworded, task("concept_table", shots=5), about)
    return reworded, [build.row(each) for each in reworded]


def learnt(examples: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return the symbol of each expression that tables of examples join."""
    tables = [row for each in examples for row in json.loads(each["formula"])["table"]]
    return {plain_expression(said): row["symbol"] for row in tables for said in row["expressions"]}


def excess(problem: Problem, known: Mapping[str, str]) -> int:
    """Return the further symbols of one who names each mention by what was learnt, or else by its own words."""
    names: dict[str, set[str]] = {}
    for sentence in problem.sentences:
        for mention in sentence.mentions:
            if not mention.form.startswith(("reference", "voice")):
                said = plain_expression(sentence.text[mention.start : mention.end])
                names.setdefault(mention.concept, set()).add(known.get(said, said))
    return sum(len(found) - 1 for found in names.values())


@pytest.mark.parametrize("name", FAMILIES)
def test_split_lexica_remove_gain_from_example_synonyms(name: str, tmp_path: Path) -> None:
    gains, shares = [], []
    for tested, shown in ((forms(), forms()), (TESTED, SHOWN)):
        problems, items = rows(name, tested, shown)
        known = learnt(items[0]["exemplars"])  # type: ignore[arg-type]
        base = {expression: expression for expression in known}
        gains.append(sum(excess(each, base) - excess(each, known) for each in problems))
        path = tmp_path / "items.arrow"
        about = {"dataset": "toy", "task": "t", "task_kind": "program", "protocol": ""}
        files.write(path, ITEMS, items, about)
        (row,) = words([path], [])
        shares.append(row["share"])
    assert gains[0] > 0 or name == "order"
    assert shares[0] > 0
    assert (gains[1], shares[1]) == (0, 0)


def test_words_shared_with_training_are_counted(tmp_path: Path) -> None:
    reworded, items = rows("rules", TESTED, SHOWN)
    about = {"dataset": "toy", "task": "t", "task_kind": "program", "protocol": ""}
    files.write(tmp_path / "items.arrow", ITEMS, items, about)
    rewrite = next(each for each in reworded[0].rewrites if each.type == "synonym")
    said = [{"role": "user", "content": f"x {rewrite.before}"}, {"role": "assistant", "content": rewrite.after}]
    dialogue = [{"role": "system", "content": "Write."}, *said]
    plain = {"dataset": "learnt", "task": "t", "model": "m", "item": "1", "presentation": "", "seed": 1, "step": 1}
    plain |= {"part": "program", "messages": dialogue, "tested_dataset": None, "tested_item": None}
    plain |= {"status": "usable", "reason": None, "detail": None}
    path = tmp_path / "examples.arrow"
    files.write(path, EXAMPLES, [plain], {"training": "mine", "tested": '["toy"]'})
    alone, taught = words([tmp_path / "items.arrow"], [path])
    assert (alone["training"], alone["given"], taught["training"]) == (None, 0, "mine")
    pair = [plain_expression(said) for said in (rewrite.before, rewrite.after)]
    same = [
        each
        for problem in reworded
        for each in problem.rewrites
        if each.type not in ("voice", "reference", "syntax")
        and [plain_expression(each.before), plain_expression(each.after)] == pair
    ]
    assert taught["given"] == len(same) > 0
