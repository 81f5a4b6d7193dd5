"""Programs as text in Logic-LM's form, by sentences: a line's gloss names its own, else words in common do."""

import re
from collections.abc import Sequence

from nlfol.problems.programs.language import QUERY, Lines, SolverLanguage
from nlfol.problems.programs.texts import Line, sections

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_NUMBER = re.compile(r"(?:[-*•]|\d{1,4}[.)]|\(\d{1,4}\))\s+(?=\S)")
_LABEL = re.compile(r"\(?([A-Za-z0-9])[).:] ?(?=\S)")
_STEM = 4
"""Letters by which words are compared, so that "chases" and "Chase" are one."""


def linked(language: SolverLanguage, text: str, sentences: Sequence[str]) -> Lines:
    """Return the lines of a program by sentences; raises ``ProgramError`` if it has no sections of the language."""
    found = sections(text, language.headings).lines
    stated = [line for name in language.stating for line in found.get(name, ())]
    places = _places(stated, sentences)
    lines: dict[str, tuple[str, ...]] = {}
    for line, place in zip(stated, places, strict=True):
        lines[place] = (*lines.get(place, ()), _NUMBER.sub("", line.text, count=1))
    asked: dict[str, str] = {}
    for line in found.get(language.asking, ()):
        if not language.asks_options:
            asked.setdefault(QUERY, line.text)
        elif label := _LABEL.match(line.text):
            asked.setdefault(label[1], line.text[label.end() :])
    return Lines(language, lines, asked, [line.text for line in found.get("variables", ())])


def _places(lines: Sequence[Line], sentences: Sequence[str]) -> list[str]:
    """Return the place of each line; ``line N`` if there is no sentence for it."""
    numbers: dict[str, list[int]] = {}
    for number, sentence in enumerate(sentences, 1):
        numbers.setdefault(_plain(sentence), []).append(number)
    places: list[int | None] = []
    for line in lines:
        same = numbers.get(_plain(line.gloss or ""), [])
        # Of sentences that are the same, each has a line; further lines go to the last.
        places.append(same.pop(0) if len(same) > 1 else same[0] if same else None)
    taken = {place for place in places if place is not None}
    words = {number: _words(sentence) for number, sentence in enumerate(sentences, 1) if number not in taken}
    for index, line in enumerate(lines):
        if places[index] is None and words:
            own = _words(f"{line.text} {line.gloss or ''}")
            likeness = {number: len(own & other) / len(own | other) for number, other in words.items()}
            best = max(likeness, key=lambda number, likeness=likeness: (likeness[number], -number))  # type: ignore[misc]
            if likeness[best]:
                places[index] = best
                del words[best]
    return [f"line {line.number}" if place is None else str(place) for line, place in zip(lines, places, strict=True)]


def _plain(text: str) -> str:
    return " ".join(text.casefold().strip(" .").split())


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold()[:_STEM] for word in _WORD.findall(text))
