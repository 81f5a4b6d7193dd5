"""People's annotations of FOLIO's validation stories and MALLS's test sentences, as published (arXiv 2606.02837).

A story's premises are one text with one formula, the conjunction of what its sentences mean; as first published, its
formulas stand on a line each. Sentences and formulas are matched by number, and by names where two formulas of a place
can be compared; a block that does not match is left apart, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, BaseModel, Field, ValidationError

from nlfol.mappings import JsonDict
from nlfol.store.records import SourceError, json_lines
from nlfol.validation import describe_faults

Formulas = Literal["published", "corrected"]
"""Formulas as first published, or as people corrected them."""

_ID = re.compile(r"(?:(story|concl)_)?(\d+)(?:_(\d+))?")
_END = re.compile(r"[.?!][\"”']?(\s+)(?=[A-Z\"“\[]|(?<!\bNo\.\s)[0-9])")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“])(?:[A-Z]|(?:[A-Za-z]\.)+[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|etc|Mt|Gen|Gov|Sen|Rep|Capt|Inc|Co|"
    r"Ltd|approx)\.$"
)
_CONNECTIVES = frozenset("∧∨⊕→↔⟶⟷⇒⇔")
_NAME = re.compile(r"\w{2,}")


class Annotation(BaseModel):
    """A row: a text with both formulas, and both labels if it is a conclusion."""

    id: str | int
    text: str = Field(validation_alias="NL_sentence")
    published: str = Field(validation_alias="FOL_sentence_old")
    corrected: str = Field(validation_alias=AliasChoices("FOL_sentence", "FOL_sentence_new"))
    is_corrected: bool = Field(validation_alias="corrected")
    is_ambiguous: bool | None = Field(None, validation_alias="ambiguity")
    reason: str | None = Field(None, validation_alias=AliasChoices("correction_explanation", "corerection_explanation"))
    label: str | None = None
    label_published: str | None = Field(None, validation_alias="label_old")


@dataclass(frozen=True, slots=True)
class Block:
    """A story: the row of its premises, if there is one, and its conclusions; a sentence alone is a conclusion."""

    name: str
    premises: Annotation | None = None
    conclusions: list[Annotation] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """The sentences, conclusions last; they are the same whichever formulas are read."""
        return [*self.sentences, *(row.text.strip() for row in self.conclusions)]

    @property
    def sentences(self) -> list[str]:
        """The sentences of the premises; an empty one if these have no text."""
        return [] if self.premises is None else split_text(self.premises.text) or [""]

    def rows(self) -> Iterator[Annotation]:
        """Yield the row of each sentence."""
        for _ in self.sentences:
            assert self.premises is not None
            yield self.premises
        yield from self.conclusions

    def formulas(self, gold: Formulas) -> tuple[list[str], str | None]:
        """Return the formulas of the texts; those of premises are empty if they do not match, with the reason."""
        premises, problem = _matched(self.premises, len(self.sentences), gold) if self.premises else ([], None)
        return [*premises, *(getattr(row, gold).strip() for row in self.conclusions)], problem

    def questions(self, gold: Formulas) -> Iterator[JsonDict]:
        """Yield a row in the form of FOLIO's own files for each conclusion, with the label that goes with the formulas.

        Premises that do not match their formulas are one text with one formula.
        """
        formulas, problem = self.formulas(gold)
        texts, stated = self.sentences, formulas[: len(self.sentences)]
        if problem is not None and self.premises is not None:
            lines = [line for line in self.premises.published.splitlines() if line.strip()]
            whole = " ∧ ".join(f"({line})" for line in lines) if gold == "published" else self.premises.corrected
            texts, stated = [self.premises.text], [whole]
        for row, formula in zip(self.conclusions, formulas[len(self.sentences) :], strict=True):
            label = row.label if gold == "corrected" else row.label_published
            about = {"example_id": str(row.id), "premises": texts, "premises-FOL": stated, "label": label}
            yield {**about, "conclusion": row.text, "conclusion-FOL": formula}


def read_annotations(path: Path, content: bytes) -> list[Block]:
    """Read stories in the order of the file; raises ``SourceError`` naming the line that is no such row."""
    blocks: dict[str, Block] = {}
    for number, record in json_lines(path, content):
        try:
            row = Annotation.model_validate(record)
        except ValidationError as error:
            raise SourceError(f"{path}: line {number}: no annotation: {describe_faults(error, 'line')}") from error
        match = _ID.fullmatch(str(row.id))
        if match is None:
            raise SourceError(f"{path}: line {number}: id {row.id!r}; expected a number, story_N or concl_N_K")
        block = blocks.setdefault(match[2], Block(match[2]))
        if match[1] != "story":
            block.conclusions.append(row)
        elif block.premises is None:
            blocks[block.name] = Block(block.name, row, block.conclusions)
        else:
            raise SourceError(f"{path}: line {number}: story {match[2]} has its premises on another line; keep one")
    if not blocks:
        raise SourceError(f"{path}: no rows; expected the instances of 2606.02837's authors")
    return list(blocks.values())


def split_text(text: str) -> list[str]:
    """Split a text into sentences; full stops of abbreviations and initials end none, so that some stay together."""
    ends = [match.span(1) for match in _END.finditer(text) if not _ABBREVIATION.search(text, 0, match.start(1))]
    starts = [0, *(end for _, end in ends)]
    pieces = (text[start:end] for start, end in zip(starts, [*(start for start, _ in ends), len(text)], strict=True))
    return [piece.strip() for piece in pieces if piece.strip()]


def conjuncts(formula: str) -> list[str]:
    """Split a formula at its outermost ∧, inside of parentheses around it all; one piece if there are other signs."""
    formula, depth, signs = formula.strip(), 0, list[tuple[int, int]]()
    for place, sign in enumerate(formula):
        depth = max(0, depth + {"(": 1, ")": -1}.get(sign, 0))
        if sign in _CONNECTIVES:
            signs.append((depth, place))
    level = min((nesting for nesting, _ in signs), default=0)
    splits = [place for nesting, place in signs if nesting == level]
    around = len(formula) - len(formula.lstrip("("))
    if around < level or (level and depth) or any(formula[place] != "∧" for place in splits):
        return [formula]
    ends = [*splits, len(formula) - level]
    return [formula[start:end].strip() for start, end in zip([level, *(at + 1 for at in splits)], ends, strict=True)]


def _matched(row: Annotation, count: int, gold: Formulas) -> tuple[list[str], str | None]:
    """Return a formula for each of so many sentences, or empty ones and why not.

    A sentence's formula may be a conjunction itself, with parentheses or without: the published one in its place tells.
    If people left all formulas but one as they were, that one has what is added; at either end it is the last or first.
    """
    lines = [line.strip() for line in row.published.splitlines() if line.strip()]
    problem = f"{count} sentences, {len(lines)} published formulas"
    if len(lines) == count and gold == "published":
        return lines, None
    if len(lines) == count:
        before, parts = [conjuncts(line) for line in lines], conjuncts(row.corrected)
        sizes = [len(pieces) for pieces in before]
        problem += f" of {sum(sizes)} conjuncts, but the correction has {len(parts)}"
        kept = _kept(before, parts), _kept([pieces[::-1] for pieces in before[::-1]], parts[::-1])
        if sum(kept) == count - 1 or kept in ((count, 0), (0, count)):
            sizes[min(kept[0], count - 1)] += len(parts) - sum(sizes)
        grouped: list[str] = []
        if sum(sizes) == len(parts):
            rest = iter(parts)
            grouped = [" ∧ ".join(islice(rest, max(0, size))) for size in sizes]
        elif len(parts) == count and all(
            len(old) == 1 or len(conjuncts(part)) > 1 for old, part in zip(before, parts, strict=True)
        ):
            grouped = parts
        if grouped:
            pairs = enumerate(zip(lines, grouped, strict=True))
            strange = [place for place, pair in pairs if set.isdisjoint(*map(_names, pair))]
            if not strange:
                return grouped, None
            problem = f"formulas {strange} have no name of the published ones in their places"
    return [""] * count, problem


def _kept(before: Sequence[list[str]], parts: Sequence[str]) -> int:
    """Return how many of the first formulas stand unchanged, but for spaces, at the beginning of a correction."""
    place = 0
    for count, pieces in enumerate(before):
        after = parts[place : place + len(pieces)]
        if [piece.split() for piece in pieces] != [part.split() for part in after]:
            return count
        place += len(pieces)
    return len(before)


def _names(formula: str) -> set[str]:
    return set(map(str.lower, _NAME.findall(formula)))
