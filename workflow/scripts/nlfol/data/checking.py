"""Reading a dataset before a run, to say which gold rows it refuses."""

from nlfol.data.attachment import attach
from nlfol.data.entries.block import Block
from nlfol.data.entries.problems import ProblemsEntry, read_problems
from nlfol.data.entries.sentences import SentencesEntry
from nlfol.data.gold import Gold, gold_of


def check_gold(entry: Block, seed: int) -> Gold:
    """Return the gold of a dataset that is read from a local ``path``; of any other, no row.

    Raises ``SourceError`` or ``OntologyError`` if a file cannot be used.
    """
    if getattr(entry, "path", None) is None:
        return Gold(0)
    if isinstance(entry, SentencesEntry):
        return gold_of(attach([sentence.to_row() for sentence in entry.read().sentences], entry.ontologies()))
    if isinstance(entry, ProblemsEntry) and entry.made_of is None:
        return gold_of([problem.to_row() for problem in read_problems(entry, seed)[0].problems])
    return Gold(0)
