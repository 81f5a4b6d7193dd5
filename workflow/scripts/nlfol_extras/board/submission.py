"""Submissions: a folder with a file of answers as it came, and ``submission.yaml``, which says whose they are.

Nothing is believed that can be computed: no score is taken, missing answers count as wrong, and the items are those of
the dataset at hand, of which the submission has to name the version.
"""

import datetime
import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, NonNegativeInt, ValidationError

import nlfol
from nlfol.asking.answer_files import AnswerFile, AnswerRow
from nlfol.cli.named import datasets_of, known_datasets
from nlfol.cli.scored import Scored, Wanted, score
from nlfol.harnesses.questions import Questions, questions
from nlfol.mappings import JsonDict, JsonObject
from nlfol.randomness import SEED
from nlfol.store.files import placed
from nlfol.store.records import SourceError, read_table
from nlfol.validation import describe_faults, nearest, read_bytes, read_yaml, shortened

FILE = "submission.yaml"
TEXT = "text"
"""Column of a file of answers that repeats the text of the item, as it was shown."""

_ENDINGS = (".jsonl", ".json", ".csv")

Words = Annotated[str, Field(min_length=1, max_length=300)]
Day = Annotated[datetime.date, Field(strict=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Sampling(_Strict):
    """Sampling of answers; each of ``seeds`` is a whole run over the items."""

    temperature: NonNegativeFloat
    seeds: Annotated[list[NonNegativeInt], Field(min_length=1, max_length=100)]
    other: Words | None = None


class About(_Strict):
    """Description of a submission by its author; docs/board.md explains the keys."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    model: Words
    revision: Words
    served_by: Words
    licence: Words
    date: Day
    sampling: Sampling
    prompt: Words
    items: Annotated[str, Field(pattern=r"^[0-9a-z.]{1,40}\+[0-9a-f]{12}$")]
    dollars: NonNegativeFloat | None = None

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file of YAML or JSON; raises ``SourceError`` with each key that is missing or wrong."""
        try:
            return cls.model_validate(read_yaml(path))
        except ValidationError as error:
            raise SourceError(f"{path}: {describe_faults(error, 'file')}") from error
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise SourceError(f"{path}: cannot be read as YAML ({shortened(error)}); correct it") from error

    @property
    def identity(self) -> str:
        """Return the model and its revision."""
        return f"{self.model}, {self.revision}"

    @property
    def told(self) -> str:
        """Return what the model is and how it was asked, in a line."""
        of = self.sampling
        seeds = f"seeds {', '.join(map(str, of.seeds))}" if len(of.seeds) > 1 else ""
        asked = f"answered {self.date}; prompt: {self.prompt}; temperature {of.temperature:g}"
        parts = (self.identity, self.served_by, asked, seeds, of.other, f"answers: {self.licence}")
        return "; ".join(filter(None, parts))


class Submission(About):
    """A description with what ``submit`` adds: the task, and name and SHA-256 of the file of answers."""

    dataset: Words
    task: Words
    file: Literal["answers.jsonl", "answers.json", "answers.csv"]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def submit(
    path: Path, about: About, to: Path, *, dataset: str, task: str, ontology: Path | None = None
) -> tuple[Submission, Scored]:
    """Check a file of answers, judge it and write the folder; raises ``SourceError`` with fault and remedy."""
    if path.suffix.lower() not in _ENDINGS:
        raise SourceError(f"{path}: answers are submitted as text; name a file of {', '.join(_ENDINGS)}")
    if about.date > datetime.datetime.now(datetime.UTC).date():
        raise SourceError(f"date: {about.date} has not come; give the day of the last answer")
    entries = datasets_of(dataset, known_datasets(), ontology)
    name = f"answers{path.suffix.lower()}"
    digest = hashlib.sha256(read_bytes(path)).hexdigest()
    added = {"dataset": list(entries)[-1], "task": task, "file": name, "sha256": digest}
    submission = Submission.model_validate({**about.model_dump(), **added})
    scored = judged(submission, path, entries, questions(task, dataset, ontology=ontology))[1]
    if to.exists():
        raise SourceError(f"{to} is there already; name another folder with --output")
    to.mkdir(parents=True)
    shutil.copyfile(path, to / name)
    with placed(to / FILE) as temporary:
        values = submission.model_dump(mode="json", exclude_none=True)
        temporary.write_text(yaml.safe_dump(values, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return submission, scored


def judged(submission: Submission, path: Path, entries: JsonObject, asked: Questions) -> tuple[Wanted, Scored]:
    """Check and judge the answers of a submission, those that are missing as wrong; raises ``SourceError``."""
    if hashlib.sha256(read_bytes(path)).hexdigest() != submission.sha256:
        raise SourceError(f"{path}: not the file that was submitted, by its SHA-256; submit it again")
    wanted = Wanted(path, submission.dataset, entries, SEED, submission.task, listed=False, model=submission.name)
    if fault := next(_faults(submission, wanted.answers, asked), None):
        raise SourceError(f"{path}: {fault}")
    scored = score(wanted)
    if scored.refused:
        first = scored.refused[0]["detail"]
        raise SourceError(f"{path}: {len(scored.refused)} rows answer nothing that is asked, the first: {first}")
    return wanted, scored


def _faults(submission: Submission, answers: AnswerFile, asked: Questions) -> Iterator[str]:
    """Yield what is wrong with a file of answers, beside what reading and placing them refuses."""
    here, theirs = (version.rpartition("+")[2] for version in (asked.version, submission.items))
    if here != theirs:
        yield f"answers to version {submission.items} of the items, which are {asked.version}; ask the model again"
    if foreign := [name for name in answers.unused if name != TEXT]:
        yield f"columns {shortened(foreign)}: nothing is taken from a submitter but answers; leave them out"
    if (seeds := {row.seed for row in answers.rows}) != set(submission.sampling.seeds):
        declared = sorted(submission.sampling.seeds)
        yield f"answers under the seeds {sorted(seeds)}, but the description has {declared}; give all that were asked"
    shown: dict[str, list[JsonDict]] = {}
    for row in asked.rows:
        shown.setdefault(row["item"], []).append(row)
    known = {**shown, **asked.refused}
    for answer in answers.rows:
        if not answers.released and answer.item not in known:
            near = nearest(answer.item, known)
            yield f"{answer.place}: no item {answer.item!r}{near}; name items as the dataset does"
        for row in shown.get(answer.item, ()):
            if row["candidates"] and answer.step == 1 and answer.presentation in (None, row.get("presentation")):
                yield from _order(answer, row)
    if TEXT in answers.unused:
        for place, given in read_table(answers.path, read_bytes(answers.path)).rows:
            item, other = str(given.get("item")), given.get(TEXT)
            if other not in (None, *(row["text"] for row in shown.get(item, ()))):
                said = shortened(str(other))
                yield f"{place}: item {item!r} was shown with another text, {said!r}; ask the model again"


def _order(answer: AnswerRow, row: JsonDict) -> Iterator[str]:
    """Yield a fault unless candidates were shown in the order that nlfol draws: in the file of items, gold is first."""
    drawn = nlfol.dialogue({**row, "seed": answer.seed})
    if drawn is not None and (answer.order or ()) != tuple(drawn.order):
        given = "no order" if answer.order is None else f"order {list(answer.order)}"
        yield (
            f"{answer.place}: {given}, but candidates of item {answer.item!r} are shown as {list(drawn.order)} under "
            f"seed {answer.seed}; ask with nlfol's order and give it in the column 'order'"
        )


def read_submission(folder: Path) -> tuple[Submission, Path]:
    """Return a submission and the path of its answers, in its folder; raises ``SourceError``."""
    submission = Submission.read(folder / FILE)
    path = folder / submission.file
    if path.is_symlink() or not path.is_file():
        raise SourceError(f"{path}: no file of answers; submit again")
    return submission, path
