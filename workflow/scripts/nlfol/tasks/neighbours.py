"""Items of two neighbouring sentences of a story: two sentences have more anagrams than one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.syntax import And
from nlfol.sets.sets import CandidateError

if TYPE_CHECKING:
    from nlfol.store.schemas import TripleRow

_WITH = "asked_with"


def paired(triples: Sequence[TripleRow]) -> list[TripleRow]:
    """Return the rows of items of two sentences each, in the order and under the names of the rows given.

    The first of two neighbours in a story becomes both: its text is followed by the other's, its formula is their
    conjunction. The second is marked, see ``check_asked``. Sentences that are left over, or generated, stay alone.
    """
    rows: list[TripleRow] = []
    for row in triples:
        first = rows[-1] if rows else None
        if first is None or not _are_neighbours(first, row):
            rows.append(row)
            continue
        language = LANGUAGES[row["language"]]
        both = And(*(language.parse(each["formula"] or "") for each in (first, row)))
        about = {"text": f"{first['text']} {row['text']}", "formula": language.write(both), "readings": []}
        rows[-1] = cast("TripleRow", {**first, **about, _WITH: row["item"]})
        rows.append(cast("TripleRow", {**row, _WITH: row["item"]}))
    return rows


def _are_neighbours(first: TripleRow, row: TripleRow) -> bool:
    is_free = _WITH not in first and row["category"] is None and first["formula"] != row["formula"]
    return is_free and all(first[key] == row[key] for key in ("story", "language", "ontology"))


def check_asked(triple: Mapping[str, object]) -> None:
    """Raise ``CandidateError`` ``joined`` for a row that is asked about in that of its neighbour."""
    if triple.get(_WITH) == triple["item"]:
        raise CandidateError("joined", "asked together with the sentence before it")
