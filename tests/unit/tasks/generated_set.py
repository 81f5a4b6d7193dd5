"""TRIPLES files as generated sets have them: categories, certified English, and solved examples in the metadata."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.stored import stored

import build_items
from nlfol.languages.language import LanguageName
from nlfol.languages.registry import LANGUAGES
from nlfol.ontology.ontology import Ontology
from nlfol.store import files, schemas


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


def items_file(folder: Path, triples: Path, **entry: Any) -> Path:
    """Build the items of a task's entry."""
    output = folder / "items.arrow"
    build_items.main(triples, dataset="toy", task="t", entry_json=json.dumps(entry), seed=7, output=output)
    return output
