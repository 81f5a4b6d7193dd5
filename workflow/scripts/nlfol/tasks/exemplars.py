"""The solved examples that are shown before an item.

Of a generated set they are drawn with it, are no items of it, and lie in the metadata of its triples (``exemplars``).
Of sentences it is another one of the same story, drawn for each item, as ∀uto∃∨∧L does with FOLIO.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from nlfol.candidates.sets import CandidateError
from nlfol.randomness import content_labels, generator
from nlfol.store.files import StoreError

SHOWN = 2
"""Examples of a generated set that are shown at most."""


class _Drawn(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str
    formula: str


_DRAWN = TypeAdapter(list[_Drawn])


class Exemplars:
    """The examples for the items of one dataset.

    Args:
        triples: its usable rows.
        drawn: the metadata key ``exemplars`` of their file, a JSON list of objects with ``text`` and ``formula``; None
            of sentences.
        dataset: its name in the configuration.
        seed: the experiment's.

    Raises:
        StoreError: if the key is no such list.
    """

    def __init__(self, triples: Sequence[Mapping[str, Any]], drawn: str | None, dataset: str, seed: int) -> None:
        self._labels = (seed, dataset)
        self._stories: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for triple in triples:
            self._stories[triple["story"]].append(triple)
        self._drawn: list[dict[str, str]] | None = None
        if drawn is not None:
            asked = {triple["formula"] for triple in triples}
            try:
                found = _DRAWN.validate_json(drawn)
            except ValidationError as error:
                raise StoreError(f"dataset {dataset}: its triples have no usable exemplars: {error}") from error
            self._drawn = [each.model_dump() for each in found if each.formula not in asked][:SHOWN]

    def of(self, triple: Mapping[str, Any]) -> list[dict[str, str]]:
        """The examples for an item.

        Raises:
            CandidateError: ``no_exemplar`` if there are none.
        """
        found = self._drawn
        if found is None:
            others = [
                other
                for other in self._stories[triple["story"]]
                if other["text"] != triple["text"] and other["formula"] != triple["formula"]
            ]
            draw = generator(*self._labels, *content_labels(triple), "exemplar")
            found = [
                {name: other[name] for name in ("text", "formula")} for other in draw.sample(others, 1 if others else 0)
            ]
        if not found:
            raise CandidateError("no_exemplar", "there is no solved example to be shown that is not an item itself")
        return found
