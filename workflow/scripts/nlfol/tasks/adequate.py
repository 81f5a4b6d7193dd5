"""The stories of a dataset with questions that notice every edit, drawn by what a model is shown of each."""

from collections.abc import Sequence
from pathlib import Path

from nlfol.data.entries.adequate import AdequateEntry
from nlfol.data.entries.problems import shipped_lexicon
from nlfol.logic.ontology.files import Ontologies, read_ontologies
from nlfol.problems import LexiconError, Problem
from nlfol.problems.adequacy.stories import Made, adequate, stories
from nlfol.randomness import generator, label_digest
from nlfol.store.records import SourceError


def adequate_stories(entry: AdequateEntry, problems: Sequence[Problem], seed: int) -> list[Made]:
    """Choose questions for stories; a draw depends on the seed and the story's text alone. Raises ``SourceError``."""
    try:
        lexicon = shipped_lexicon()
    except LexiconError as error:
        raise SourceError(str(error)) from error
    known: Ontologies | None = read_ontologies(Path(entry.ontology)) if entry.ontology else None
    if known is not None and known.shared is None and all(problem.follows is None for problem in problems):
        raise SourceError(f"ontology: the problems of {entry.of} name no story of it; leave the key out")
    found = stories(problems)
    if entry.stories is not None:
        drawn = sorted(found, key=lambda story: label_digest(seed, "stories", story.context))[: entry.stories]
        chosen = {story.name for story in drawn}
        found = [story for story in found if story.name in chosen]
    return [
        adequate(
            story,
            lexicon,
            generator(seed, "adequate", story.context),
            most=entry.most,
            ontology=None if known is None else known.of(story.follows.story if story.follows is not None else ""),
        )
        for story in found
    ]
