"""Stories asked about as a whole: the usable sentences of a story as one item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from nlfol.candidates.sets import Candidate, CandidateError, Role
from nlfol.languages.registry import LANGUAGES
from nlfol.logic.syntax import And

MAX_SENTENCES = 40
"""Sentences of a story that is asked about."""


def joined_stories(triples: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of TRIPLES in which a story is one: its text numbered, its formula the conjunction of all.

    Args:
        triples: usable rows; those of one story share language and ontology.

    Returns:
        For each story, in the order of first sentences, the first row with other ``item``, ``text`` and ``formula``,
        and with the rows of its ``sentences``.
    """
    stories: dict[str, list[Mapping[str, Any]]] = {}
    for triple in triples:
        stories.setdefault(triple["story"], []).append(triple)
    found = []
    for story, rows in stories.items():
        language = LANGUAGES[rows[0]["language"]]
        whole = reduce(And, [language.parse(row["formula"]) for row in rows])
        text = "\n".join(f"{number}. {row['text']}" for number, row in enumerate(rows, 1))
        about = {"item": story, "text": text, "formula": language.write(whole), "category": None}
        found.append({**rows[0], **about, "sentences": rows})
    return found


def sentences_of(story: Mapping[str, Any]) -> list[Candidate]:
    """The sentences of a row of ``joined_stories``, as members of a set.

    Raises:
        CandidateError: if they are too many.
    """
    rows = story["sentences"]
    if len(rows) > MAX_SENTENCES:
        raise CandidateError(
            "story_too_long", f"the story has {len(rows)} sentences; at most {MAX_SENTENCES} are asked about together"
        )
    language = LANGUAGES[story["language"]]
    return [Candidate(language.parse(row["formula"]), row["text"], Role.SENTENCE) for row in rows]
