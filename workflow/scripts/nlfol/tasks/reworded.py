"""The problems of a dataset in other words, drawn by what a model is shown of each."""

from collections.abc import Iterable

from nlfol.data.entries.diversified import DiversifiedEntry
from nlfol.data.entries.problems import shipped_forms
from nlfol.problems import LexiconError, Problem
from nlfol.problems.forms import part_of
from nlfol.problems.rewording import TYPES, Diversified, Settings, diversify
from nlfol.randomness import source_label
from nlfol.store.records import SourceError
from nlfol.tasks.item import shown


def reworded(entry: DiversifiedEntry, problems: Iterable[Problem], seed: int) -> list[Diversified]:
    """Rewrite problems; a draw depends on the seed, the problem's name and its text alone. Raises ``SourceError``."""
    try:
        lexicon = part_of(shipped_forms(), entry.words)
    except LexiconError as error:
        raise SourceError(str(error)) from error
    settings = Settings(entry.intensity, entry.types or TYPES, entry.forms, entry.at_most, entry.glossary, entry.decoys)
    return [
        diversify(problem, lexicon, settings, seed, source_label(problem.name, shown(problem))) for problem in problems
    ]
