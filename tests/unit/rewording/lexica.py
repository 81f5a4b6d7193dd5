"""Miniature lexica in the formats of the real ones."""

from collections.abc import Mapping, Sequence
from pathlib import Path

_TYPES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_LICENCE = "  1 This file is a miniature in the format of WordNet's.  \n"


def write_wordnet(folder: Path, synsets: Mapping[str, Sequence[Sequence[str]]]) -> Path:
    """Write synsets, given by part of speech and each by its lemmas, as ``man 5 wndb`` has it."""
    folder.mkdir(parents=True)
    for part, kind in _TYPES.items():
        data, places = _LICENCE, dict[str, list[int]]()
        for lemmas in synsets.get(part, ()):
            offset = len(data)
            words = " ".join(f"{lemma.replace(' ', '_')} 0" for lemma in lemmas)
            data += f"{offset:08d} 00 {kind} {len(lemmas):02x} {words} 001 & 00001740 {kind} 0000 | made up  \n"
            for lemma in lemmas:
                places.setdefault(lemma.partition("(")[0].replace(" ", "_").lower(), []).append(offset)
        index = "".join(
            f"{lemma} {kind} {len(found)} 1 & {len(found)} 0 {' '.join(f'{each:08d}' for each in found)}  \n"
            for lemma, found in sorted(places.items())
        )
        (folder / f"data.{part}").write_text(data, encoding="utf-8")
        (folder / f"index.{part}").write_text(_LICENCE + index, encoding="utf-8")
    return folder


def write_ppdb(path: Path, paraphrases: Sequence[tuple[str, str, float]]) -> Path:
    lines = (
        f"[JJ] ||| {phrase} ||| {other} ||| PPDB2.0Score={score} PPDB1.0Score=3.2 ||| 0-0 ||| Equivalence\n"
        for phrase, other, score in paraphrases
    )
    path.write_text("".join(lines), encoding="utf-8")
    return path
