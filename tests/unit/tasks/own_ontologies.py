"""The shipped sentences as items of ontology extraction, answered and judged through the files of every stage."""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import polars as pl
from benchmarks.equivalence import in_z3py
from benchmarks.own_ontologies import drawn
from tests.stored import stored

import answer_by_reference
import build_items
import judge_answers
from nlfol.alignment import Conjunct, Image, Symbol, symbols_of
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.responses import response_row, write_responses
from nlfol.logic import Formula, holds
from nlfol.logic.reading import parse
from nlfol.ontology.derivation import derive
from nlfol.programs.formulas.maps import written
from nlfol.programs.symbols import identity
from nlfol.randomness import generator
from nlfol.store import files, schemas
from nlfol.tasks.item import Item
from nlfol.tasks.registry import build_task

ROOT = Path(__file__).parents[3]

Answerer = Callable[[Item], str]


def triples(path: Path, sentences: Sequence[tuple[str, str, str]]) -> Path:
    """Write a TRIPLES file of stories, texts and formulas."""
    rows: list[dict[str, Any]] = []
    numbers: dict[str, int] = {}
    for story, text, formula in sentences:
        number = numbers[story] = numbers.get(story, -1) + 1
        ontology = derive([parse(each) for name, _, each in sentences if name == story]).to_row()
        given: dict[str, Any] = {"index": number, "text": text, "formula": formula, "ontology": ontology}
        rows.append(stored(schemas.TRIPLES, item=f"{story}:{number}", **given))
    files.write(path, schemas.TRIPLES, rows, {"dataset": "toy"})
    return path


def tarski() -> list[tuple[str, str, str]]:
    with (ROOT / "resources/datasets/tarski/sentences.csv").open(encoding="utf-8", newline="") as file:
        return [(row["story"], row["text"], str(parse(row["formula"]))) for row in csv.DictReader(file)]


def judged(
    folder: Path, source: Path, entry: dict[str, Any], model: dict[str, Any] | Answerer, task: str = "t"
) -> Path:
    """Return the SCORES file of a reference, or of a dialogue model that says what a function of the item gives."""
    entry_json, built = json.dumps(entry), build_task(json.dumps(entry))
    items, responses, scores = (folder / f"{task}.{name}.arrow" for name in ("items", "responses", "scores"))
    build_items.main(source, dataset="toy", task=task, entry_json=entry_json, seed=7, output=items)
    offered = Offered.read(items)
    about = json.dumps(model) if isinstance(model, dict) else "{}"
    asking = Asking(offered, "toy", task, built, "m", about, 7, responses)
    if isinstance(model, dict):
        answer_by_reference.main(asking)
    else:
        write_responses(
            asking, "chat", "m", [response_row(item, "", seed=1, answer=model(item)) for item in offered.items]
        )
    judge_answers.main(items, responses, entry_json, scores)
    return scores


def means(scores: Path) -> dict[str, float]:
    found = pl.DataFrame(files.rows(scores, schemas.SCORES)).group_by("metric").agg(pl.col("score").mean())
    return dict(found.iter_rows())


def is_equivalent_by_any_map(gold: Formula, other: Formula) -> bool:
    """Return whether an injective map of some symbols makes two formulas equivalent.

    All maps are looked at: refuted by random structures, with a plain evaluator, or put to z3py.
    """
    import z3

    random = generator("own", str(gold))
    for images in _partial_maps(symbols_of([gold]), symbols_of([other])):
        changed = written(gold, images)
        symbols = symbols_of([changed, other])
        structures = (drawn(symbols, 1 + place % 3, random) for place in range(12))
        if all(holds(changed, structure) is holds(other, structure) for structure in structures):
            solver = z3.Solver()
            one: Any = in_z3py(changed, z3)
            solver.add(z3.Not(one == in_z3py(other, z3)))
            if str(solver.check()) == "unsat":
                return True
    return False


def _partial_maps(ours: Sequence[Symbol], theirs: Sequence[Symbol]) -> Iterator[dict[Symbol, Image]]:
    def choices(symbol: Symbol) -> list[Image]:
        alike = [each for each in theirs if (each.kind, each.arity) == (symbol.kind, symbol.arity)]
        orders = list(permutations(range(symbol.arity)))
        fresh = identity(symbol._replace(name=f"Fresh{symbol.name}"))
        return [fresh, *((Conjunct(each, order),) for each in alike for order in orders)]

    for chosen in product(*map(choices, ours)):
        if len({image[0].symbol for image in chosen}) == len(chosen):
            yield dict(zip(ours, chosen, strict=True))
