"""Reading, or drawing, the problems of a dataset."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from nlfol.datasets.entries.block import shipped
from nlfol.datasets.entries.problems import (
    ArLsatEntry,
    FamilyEntry,
    FileEntry,
    LogicalDeductionEntry,
    LogievalEntry,
    PinnedEntry,
    ProblemsBlock,
    ProntoQAEntry,
    ProofWriterEntry,
)
from nlfol.datasets.errors import DatasetError
from nlfol.datasets.pin import Pin, cache_folder, fetch
from nlfol.problems import FamilyError, Lexicon, LexiconError, Problem, SourceError, read_lexicon
from nlfol.problems.families import generate
from nlfol.problems.forms import read_forms
from nlfol.problems.sources.folio_questions import read_folio_questions
from nlfol.problems.sources.logic_lm import read_ar_lsat, read_logical_deduction, read_prontoqa, read_proofwriter
from nlfol.problems.sources.logieval import read_logieval
from nlfol.problems.sources.proverqa import read_proverqa
from nlfol.problems.sources.records import Published
from nlfol.problems.sources.table import read_problem_table
from nlfol.randomness import label_digest


@dataclass(frozen=True, slots=True)
class Read:
    """The problems of a dataset.

    Attributes:
        problems: refused ones among them, in the source's order.
        digest: SHA-256 of what they were made from.
        notes: on the source, for the log.
    """

    problems: Sequence[Problem]
    digest: str
    notes: tuple[str, ...] = ()


def read_problems(entry: ProblemsBlock, seed: int) -> Read:
    """The problems of a dataset.

    Args:
        entry: the dataset's.
        seed: the experiment's, of samples and of what is drawn.

    Raises:
        DatasetError: if the source cannot be had or used at all, has no problems, or two of one name.
    """
    try:
        found = _found(entry, seed)
        digest = source_digest(entry)
    except (SourceError, LexiconError, FamilyError) as error:
        raise DatasetError(str(error)) from error
    if not found.problems:
        raise DatasetError(f"{', '.join(entry.read_from)}: no problems; correct the key 'path'")
    name, count = Counter(problem.name for problem in found.problems).most_common(1)[0]
    if count > 1:
        raise DatasetError(f"{count} problems are called {name!r}; give each a name of its own")
    return Read(_sample(found.problems, entry.sample, seed), digest, found.notes)


def source_digest(entry: ProblemsBlock) -> str:
    """SHA-256 of what problems are made from, but for the seed.

    Raises:
        DatasetError: if a file cannot be read.
    """
    digest = hashlib.sha256()
    if isinstance(entry, FamilyEntry):
        digest.update(json.dumps([entry.family, entry.count, entry.depth]).encode())
    for place in entry.source_files:
        path = Path(place)
        for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
            if isinstance(entry, PinnedEntry) and entry.path is None and place == entry.pin_file:
                content = hashlib.sha256(Pin.from_file(file).sha256.encode()).hexdigest()
            else:
                content = _digest(file)
            name = file.relative_to(path).as_posix() if path.is_dir() else ""
            digest.update(f"{name}\0{content}\n".encode())
    return digest.hexdigest()


def shipped_lexicon() -> Lexicon:
    """The words that the project ships.

    Raises:
        LexiconError: if they cannot be read.
    """
    return read_lexicon(Path(shipped("resources/lexicon/problems.yaml")))


def shipped_forms() -> Lexicon:
    """The same with further forms.

    Raises:
        LexiconError: if they cannot be read.
    """
    return read_forms(shipped_lexicon(), Path(shipped("resources/lexicon/diversified.yaml")))


def _found(entry: ProblemsBlock, seed: int) -> Published:
    match entry:
        case FamilyEntry():
            drawn = generate(entry.family, seed=seed, count=entry.count, lexicon=shipped_lexicon(), depths=entry.depth)
            return Published(tuple(drawn))
        case ProofWriterEntry():
            return read_proofwriter(*_content(entry), shipped_lexicon())
        case ProntoQAEntry():
            return read_prontoqa(*_content(entry), shipped_lexicon(), seed if entry.nouns == "real" else None)
        case LogicalDeductionEntry():
            return read_logical_deduction(*_content(entry), shipped_lexicon())
        case ArLsatEntry():
            return read_ar_lsat(*_content(entry))
        case LogievalEntry():
            return read_logieval(Path(entry.path), entry.logic)
        case FileEntry():
            path = Path(entry.path)
            match entry.reader:
                case "folio_questions":
                    return read_folio_questions(entry.path, _bytes(path))
                case "proverqa":
                    return read_proverqa(entry.path, _bytes(path))
                case "problems":
                    return read_problem_table(path)
                case _:
                    assert_never(entry.reader)
        case _:
            raise TypeError(f"no reader of {type(entry).__name__}")


def _content(entry: PinnedEntry) -> tuple[str, bytes]:
    path = Path(entry.path) if entry.path else fetch(Pin.from_file(Path(entry.pin_file)), cache_folder())
    return str(path), _bytes(path)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror}); correct the key 'path'") from error


def _digest(path: Path) -> str:
    """SHA-256 of a file, which may be larger than the memory."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror}); correct the key 'path'") from error


def _sample(problems: Sequence[Problem], count: int | None, seed: int) -> Sequence[Problem]:
    """A sample in the source's order; a larger one keeps those of a smaller one."""
    if count is None or count >= len(problems):
        return problems
    chosen = sorted(problems, key=lambda problem: label_digest(seed, "problems", problem.name))[:count]
    kept = {problem.name for problem in chosen}
    return [problem for problem in problems if problem.name in kept]
