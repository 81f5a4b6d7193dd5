"""TRIPLES files of generated sets and of stories, as items, answered and judged through the files of every stage."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.stored import stored

import answer_by_reference
import build_items
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.responses import response_row, write_responses
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.reading import parse
from nlfol.store import files, schemas
from nlfol.tasks.item import Item
from nlfol.tasks.registry import build_task

Answerer = Callable[[Item], str]


def triples_file(
    path: Path,
    language: LanguageName,
    ontology: Ontology,
    formulas: Iterable[tuple[int | None, str]],
    *,
    exemplars: str | None = None,
    story: str | None = None,
    texts: Mapping[str, str] = {},
) -> Path:
    """Write formulas with their categories as a set of their own.

    ``exemplars`` is the metadata key of that name. All belong to the ``story``, or each to one of its own. ``texts``
    are of formulas that are not to have their certified English.
    """
    spoken = LANGUAGES[language]
    rows = [
        stored(
            schemas.TRIPLES,
            item=f"{story or number}:{number}",
            index=number,
            text=texts.get(formula) or spoken.render(spoken.parse(formula), ontology),
            formula=formula,
            ontology=ontology.to_row(),
            language=language,
            category=category,
            tree=None if category is None else "t",
        )
        for number, (category, formula) in enumerate(formulas)
    ]
    about = {"dataset": "toy"} | ({} if exemplars is None else {"exemplars": exemplars})
    files.write(path, schemas.TRIPLES, rows, about)
    return path


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


def items_file(folder: Path, triples: Path, name: str = "t", /, **entry: Any) -> Path:
    """Build the items of a task's entry."""
    output = folder / f"{name}.items.arrow"
    build_items.main(triples, dataset="toy", task=name, task_json=json.dumps(entry), seed=7, output=output)
    return output


def judged(
    folder: Path, triples: Path, entry: dict[str, Any], model: dict[str, Any] | Answerer, name: str = "t"
) -> Path:
    """Return the SCORES file of a reference, or of a dialogue model that says what a function of the item gives."""
    items, task = items_file(folder, triples, name, **entry), build_task(json.dumps(entry))
    responses, scores = (folder / f"{name}.{part}.arrow" for part in ("responses", "scores"))
    offered, given = Offered.read(items), json.dumps(model) if isinstance(model, dict) else "{}"
    asking = Asking(offered, "toy", name, task, "m", given, 7, responses)
    if isinstance(model, dict):
        answer_by_reference.main(asking)
    else:
        rows = [response_row(item, "", seed=1, answer=model(item)) for item in offered.items]
        write_responses(asking, "chat", "m", rows)
    judge_answers.main(items, responses, json.dumps(entry), scores)
    return scores
