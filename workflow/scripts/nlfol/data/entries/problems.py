"""Reading or drawing the problems of a dataset: the bases of the entries that do, and what they make of rows."""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, ClassVar, NamedTuple

from pydantic import AfterValidator, NonNegativeInt, PositiveInt
from typing_extensions import override

from nlfol.data.entries.block import Block, Holding, PathText, shipped
from nlfol.data.repairing import name_numbered, quantifies_numbered
from nlfol.logic import Formula, FormulaSyntaxError, read_decided, to_unicode
from nlfol.mappings import JsonObject
from nlfol.problems import Lexicon, LexiconError, Problem, Reason, Statement, read_lexicon
from nlfol.problems.families.drawing import FamilyError
from nlfol.problems.forms import read_forms
from nlfol.problems.gold import answered
from nlfol.problems.programs.formulas import derived
from nlfol.problems.programs.outcome import OptionsError, by_letter
from nlfol.randomness import label_digest
from nlfol.store.records import SourceError, read_content

Record = JsonObject


def _ordered(depths: tuple[int, int]) -> tuple[int, int]:
    if depths[0] > depths[1]:
        raise ValueError("'depth' is the least depth and the greatest; exchange them")
    return depths


Depths = Annotated[tuple[NonNegativeInt, NonNegativeInt], AfterValidator(_ordered)]
"""The least depth and the greatest."""

_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z\"'“])")


class Problems(NamedTuple):
    """The problems of a source, in its order, refused ones among them; the notes on its files are for the log."""

    problems: Sequence[Problem]
    notes: tuple[str, ...] = ()


class ProblemsEntry(Block):
    """The base of entries that hold problems; ``sample`` of them are drawn by the experiment's seed, null takes all."""

    sample: PositiveInt | None = None

    SPOKEN: ClassVar[bool] = False
    """True if problems are read or written with the words of the lexicon."""

    def read(self, seed: int) -> Problems:
        """Read or draw all problems; ``SourceError`` if unreadable, ``TypeError`` if made of another dataset's."""
        raise TypeError(f"{self.reader}: made from the problems of {self.made_of}")

    @property
    def made_of(self) -> str | None:
        """The dataset whose problems these are made of; None if they are read or drawn."""
        return self.original

    @property
    def read_from(self) -> list[str]:
        """The published file, or its pin."""
        return []

    @property
    def recipe(self) -> str:
        """The keys that decide what is drawn, as text; empty for what is read from files."""
        return ""

    def digest_of(self, file: Path) -> str:
        """Return the SHA-256 that stands for a file in ``source_digest``."""
        with file.open("rb") as source:
            return hashlib.file_digest(source, "sha256").hexdigest()

    @property
    @override
    def holds(self) -> Holding:
        return "problems"

    @property
    @override
    def source_files(self) -> list[str]:
        return [*self.read_from, *([shipped("resources/lexicon/problems.yaml")] if self.SPOKEN else [])]

    @property
    @override
    def is_drawn(self) -> bool:
        return self.sample is not None


class PinnedEntry(ProblemsEntry):
    """The base of entries whose file is downloaded, as the pin says, if they name no copy; null is the shipped pin."""

    path: PathText | None = None
    pin: PathText | None = None

    reader: str

    @property
    def pin_file(self) -> str:
        """The path of the pin."""
        return self.pin or shipped(f"resources/datasets/{self.reader}/pin.json")

    @property
    @override
    def read_from(self) -> list[str]:
        return [self.path or self.pin_file]

    @override
    def digest_of(self, file: Path) -> str:
        from nlfol.data.pin import Pin  # start-up time

        if self.path is None and file == Path(self.pin_file):
            pin = Pin.from_file(file)
            return hashlib.sha256((pin.sha256 or pin.url).encode()).hexdigest()
        return super().digest_of(file)

    def content(self) -> tuple[str, bytes]:
        """Return the path and bytes of the file, after a download if there is no copy; raises ``SourceError``."""
        from nlfol.data.pin import Pin, fetch

        path = Path(self.path) if self.path else fetch(Pin.from_file(Path(self.pin_file)))
        return str(path), read_content(path)


class FileEntry(ProblemsEntry):
    """The base of entries that read a local file or folder."""

    path: PathText

    @property
    @override
    def read_from(self) -> list[str]:
        return [self.path]

    def content(self) -> tuple[str, bytes]:
        """Return the path and bytes of the file; raises ``SourceError``."""
        return self.path, read_content(Path(self.path))


def read_problems(entry: ProblemsEntry, seed: int) -> tuple[Problems, str]:
    """Read or draw problems, and sample them; return ``source_digest``, too. ``SourceError`` for a bad source."""
    try:
        problems, notes = entry.read(seed)
        digest = source_digest(entry)
    except (LexiconError, FamilyError) as error:
        raise SourceError(str(error)) from error
    if not problems:
        raise SourceError(f"{', '.join(entry.read_from)}: no problems; correct the key 'path'")
    name, count = Counter(problem.name for problem in problems).most_common(1)[0]
    if count > 1:
        raise SourceError(f"{count} problems are called {name!r}; give each a name of its own")
    return Problems(_sample(problems, entry.sample, seed), notes), digest


def source_digest(entry: ProblemsEntry) -> str:
    """Return the SHA-256 of what problems are made from but the seed; raises ``SourceError`` for unreadable files."""
    combined = hashlib.sha256(entry.recipe.encode())
    for source in map(Path, entry.source_files):
        for file in sorted(source.rglob("*.json")) if source.is_dir() else [source]:
            try:
                content = entry.digest_of(file)
            except OSError as error:
                raise SourceError(f"{file}: cannot be read ({error.strerror}); correct the key 'path'") from error
            name = file.relative_to(source).as_posix() if source.is_dir() else ""
            combined.update(f"{name}\0{content}\n".encode())
    return combined.hexdigest()


def shipped_lexicon() -> Lexicon:
    """Read the shipped words; raises ``LexiconError`` if they cannot be read."""
    return read_lexicon(Path(shipped("resources/lexicon/problems.yaml")))


def shipped_forms() -> Lexicon:
    """Read the shipped words with their further forms; raises ``LexiconError`` if they cannot be read."""
    return read_forms(shipped_lexicon(), Path(shipped("resources/lexicon/diversified.yaml")))


def _sample(problems: Sequence[Problem], count: int | None, seed: int) -> Sequence[Problem]:
    """Sample in the source's order; a larger sample keeps the problems of a smaller one."""
    if count is None or count >= len(problems):
        return problems
    chosen = sorted(problems, key=lambda problem: label_digest(seed, "problems", problem.name))[:count]
    kept = {problem.name for problem in chosen}
    return [problem for problem in problems if problem.name in kept]


# Rows of published problems


def sentences(text: str) -> list[str]:
    """Split free English into sentences, by full stop and capital."""
    return _END.split(text.strip())


def text_of(location: str, record: Record, key: str) -> str:
    """Return the text of a key, stripped, or a whole number as text; raises ``SourceError`` if there is none."""
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise SourceError(f"{location}: {key!r} holds no text; its keys are {', '.join(map(str, record))}")
    return value.strip()


def options_of(location: str, record: Record, answer: str) -> tuple[Statement, ...]:
    """Return the options without letters; raises ``SourceError`` unless these are A, B, … and include the answer."""
    texts = record.get("options")
    if not isinstance(texts, Sequence) or isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
        raise SourceError(f"{location}: 'options' is not a list of texts; write them as 'A) …'")
    try:
        lettered = by_letter(texts)
    except OptionsError as error:
        raise SourceError(f"{location}: {error}") from error
    expected = [chr(ord("A") + number) for number in range(len(lettered))]
    if list(lettered) != expected or answer not in lettered:
        letters = ", ".join(lettered)
        raise SourceError(f"{location}: options {letters} and answer {answer!r}; expected A, B, … with the answer")
    return tuple(map(Statement, lettered.values()))


def letter_of(location: str, answer: str, options: Sequence[str]) -> str:
    """Return the letter of an answer, whatever its case; raises ``SourceError`` if it is not one of the options."""
    for number, option in enumerate(options):
        if option.lower() == answer.lower():
            return chr(ord("A") + number)
    raise SourceError(f"{location}: the answer {answer!r} is not one of {', '.join(options)}")


def with_formulas(problem: Problem, formulas: Sequence[str], conclusion: str) -> Problem:
    """Return the problem with published formulas, read tolerantly, as gold lines; refused where they do not fit."""
    if len(formulas) != len(problem.statements):
        counts = f"{len(problem.statements)} statements and {len(formulas)} formulas"
        return problem.refused(Reason.UNREAD, f"{counts}; one is needed for each")
    sentences = (*problem.statements, problem.question)
    parsed: list[Formula] = []
    for number, (sentence, text) in enumerate(zip(sentences, (*formulas, conclusion), strict=True), 1):
        name = f"statement {number}" if number < len(sentences) else "the question"
        if not text.strip():
            return problem.refused(Reason.UNREAD, f"{name} has no formula; write one")
        try:
            reading = read_decided(text)
        except FormulaSyntaxError as error:
            return problem.refused(Reason.UNREAD, f"{name}: {error}")
        if reading.dialect == "mathematics":
            detail = f"{name}: {text!r}: comparisons or arithmetic; write predicates"
            return problem.refused(Reason.UNREAD, detail)
        parsed.append(reading.formula)
        if not sentence.text:
            return problem.refused(Reason.EMPTY, f"{name} has no text")
    if not any(map(quantifies_numbered, parsed)):
        parsed = [name_numbered(formula)[0] for formula in parsed]
    for number, (formula, text) in enumerate(zip(parsed, (*formulas, conclusion), strict=True), 1):
        if free := sorted(formula.profile.free):
            name = f"statement {number}" if number < len(sentences) else "the question"
            detail = f"{name}: {text!r}: no quantifier binds {', '.join(free)}; bind it"
            return problem.refused(Reason.OPEN_FORMULA, detail)
    lines = [Statement(sentence.text, to_unicode(formula)) for sentence, formula in zip(sentences, parsed, strict=True)]
    changed = replace(problem, language="formulas", statements=tuple(lines[:-1]), question=lines[-1])
    return answered(changed, lambda: derived(parsed[:-1], parsed[-1]))
