"""The items of a task over a dataset in one process: what the stages from ``ingest`` to ``build`` make of an entry."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from nlfol.data.attachment import attach
from nlfol.data.entries.adequate import AdequateEntry
from nlfol.data.entries.diversified import DiversifiedEntry
from nlfol.data.entries.grammar import GrammarEntry
from nlfol.data.entries.problems import ProblemsEntry, read_problems, shipped_forms, shipped_lexicon
from nlfol.data.entry import read_entry, read_sentences_entry
from nlfol.data.generation import exemplars, generated, triple_rows
from nlfol.data.gold import Gold, gold_of
from nlfol.mappings import JsonObject
from nlfol.problems import Problem
from nlfol.problems.forms import part_of
from nlfol.store.schemas import ItemRow, TripleRow
from nlfol.tasks.adequate import adequate_stories
from nlfol.tasks.item_rows import Exemplars, ProblemItems, sentence_row
from nlfol.tasks.reworded import reworded
from nlfol.tasks.task import AnyTask, Surroundings


class Source(NamedTuple):
    """A dataset: its gold; its usable rows of TRIPLES, with drawn exemplars as JSON, or its problems, all of them."""

    name: str
    gold: Gold
    triples: Sequence[TripleRow] = ()
    exemplars: str | None = None
    problems: Sequence[Problem] = ()
    originals: Sequence[Problem] = ()


def read_source(entries: JsonObject, name: str, seed: int) -> Source:
    """Read a dataset, one of ``entries`` (of datasets, by name); raises ``SourceError`` if it is unusable."""
    entry = read_entry(json.dumps(entries[name]))
    if isinstance(entry, ProblemsEntry):
        originals: Sequence[Problem] = ()
        if isinstance(entry, DiversifiedEntry):
            originals = read_source(entries, entry.of, seed).problems
            problems: Sequence[Problem] = [diversified.problem for diversified in reworded(entry, originals, seed)]
        elif isinstance(entry, AdequateEntry):
            made = adequate_stories(entry, read_source(entries, entry.of, seed).problems, seed)
            problems = [problem for story in made for problem in story.problems]
        else:
            (problems, _), _ = read_problems(entry, seed)
        return Source(name, gold_of(problem.to_row() for problem in problems), problems=problems, originals=originals)
    sentences = read_sentences_entry(json.dumps(entries[name]))
    if isinstance(sentences, GrammarEntry):
        drawn = [row for row, _ in generated(sentences, seed)]
        triples = list(triple_rows(sentences, seed, drawn))
        shown_first = json.dumps(exemplars(sentences, seed), ensure_ascii=False)
        return Source(name, Gold(len(triples)), _usable(triples), shown_first)
    triples = attach([sentence.to_row() for sentence in sentences.read().sentences], sentences.ontologies())
    return Source(name, gold_of(triples), _usable(triples))


def item_rows(source: Source, task: AnyTask, seed: int) -> list[ItemRow]:
    """Return the rows of ITEMS of a task over a dataset."""
    if not source.problems:
        shown_first = Exemplars(source.triples, source.exemplars, source.name, seed)
        return [sentence_row(triple, task, seed, shown_first) for triple in task.joined(source.triples)]
    problems, originals = (
        [problem for problem in some if problem.is_usable] for some in (source.problems, source.originals)
    )
    by_name = {problem.name: problem for problem in originals}
    about = Surroundings(seed, problems, shipped_lexicon, lambda: part_of(shipped_forms(), "shown"), by_name)
    return list(map(ProblemItems(problems, task, about).row, problems))


def _usable(triples: Sequence[TripleRow]) -> list[TripleRow]:
    return [row for row in triples if row["status"] == "usable"]
