"""Programs that models wrote, in other markup: verdicts that stay, that are lost, and that change.

    python benchmarks/written_programs.py FOLDER [FOLDER ...] [--count N] [--seed SEED]

Draws released programs (see ``released_programs``) of formulas and clauses that are answered without markup, and writes
each in ways that say the same (``same``) and in ways that hide another conclusion, or another problem (``hidden``). Of
``same`` every verdict should stay; of ``hidden`` none should be other than that of what is asked first, and each that
stays is one that both readings agree on.

Measured: of 60 programs every verdict stays in all of ``same``; of ``hidden``, 27 to 29 stay where another query or
program may agree, none where it may not, and none is another.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.released_programs import rows_of, source

from nlfol.problems.programs import Policy, execute

Sections = dict[str, list[str]]
Write = Callable[[Sections, Sections], str]

_OTHER = {"Conclusion": "Query", "Query": "Conclusion"}


def _plain(sections: Sections) -> str:
    return "\n".join(line for name, lines in sections.items() for line in (f"{name}:", *lines))


def _each(written: Callable[[str, str], str]) -> Write:
    """Return how all lines are written, from formula and gloss."""

    def write(own: Sections, _: Sections) -> str:
        pairs = {name: [line.partition(":::") for line in lines] for name, lines in own.items()}
        return _plain({n: [written(line[0].strip(), line[2].strip()) for line in lines] for n, lines in pairs.items()})

    return write


def _asked(sections: Sections) -> str:
    return next(name for name in sections if name in _OTHER)


def _denied(sections: Sections) -> list[str]:
    """Return the opposite of what is asked."""
    line = sections[_asked(sections)][0].partition(":::")[0].strip()
    if _asked(sections) == "Conclusion":
        return [f"¬({line})"]
    return [re.sub("True|False", lambda value: str(value[0] == "False"), line)]


def _json(own: Sections, _: Sections, **more: list[str]) -> str:
    return json.dumps({**own, **more}, ensure_ascii=False, indent=1)


SAME: dict[str, Write] = {
    "fence": lambda own, _: f"Here it is:\n```\n{_plain(own)}\n```",
    "emphasis": _each(lambda line, gloss: f"* **{line}** ::: {gloss}" if gloss else f"* **{line}**"),
    "code": _each(lambda line, gloss: f"- `{line}`: the {gloss}" if gloss else f"- `{line}`"),
    "numbers": _each(lambda line, _: f"1. {line}"),
    "headings": lambda own, _: re.sub(r"(?m)^(\w+):$", r"## **\1:**", _plain(own)),
    "rules": lambda own, _: re.sub(r"(?m)^(\w+:)$", r"---\n\1", _plain(own)) + "\n------",
    "synonym": lambda own, _: _plain({_OTHER.get(name, name): lines for name, lines in own.items()}),
    "json": _json,
    "behind a rule": lambda own, other: f"{_plain(own)}\n------\nProblem:\nSo it is.\n{_plain(other)}",
    "twice": lambda own, _: f"{_plain(own)}\n\nOnce more:\n{_plain(own)}",
}
HIDDEN: dict[str, Write] = {
    "two conclusions": lambda own, _: "\n".join((_plain(own), *_denied(own))),
    "two sections": lambda own, _: "\n".join((_plain(own), f"**{_OTHER[_asked(own)]}:**", *_denied(own))),
    "two programs": lambda own, _: f"{_plain(own)}\n{_plain({**own, _asked(own): _denied(own)})}",
    "another program": lambda own, other: f"{_plain(own)}\n{_plain(other)}",
    "json, two": lambda own, other: _json(own, other, **{_OTHER[_asked(own)]: _denied(own)}),
    "json, unknown": lambda own, other: _json(own, other, **{"Final conclusion": _denied(own)}),
    "example first": lambda own, other: f"Example 1:\n{_plain(other)}\nProblem:\n{_plain(own)}",
    "example alone": lambda _, other: f"**Example 1**\n{_plain(other)}",
}


def sections_of(text: str) -> Sections | None:
    """Return the sections of a program in the plain form, None if it has another."""
    found: Sections = {}
    for line in filter(None, map(str.strip, text.split("\n"))):
        if re.fullmatch(r"[A-Z]\w+:", line) and line[:-1] not in found:
            found[line[:-1]] = []
        elif not found or (":::" not in line and not line.endswith(")")):
            return None
        else:
            found[list(found)[-1]].append(line)
    asked = [name for name in found if name in _OTHER]
    return found if len(asked) == 1 and len(found[asked[0]]) == 1 else None


def drawn(folders: list[Path], count: int, seed: int) -> list[tuple[str, Sections, list[str], str]]:
    """Return programs in the plain form with language, sections, options and answer, drawn uniformly."""
    found = []
    for path in sorted(path for folder in folders for path in folder.rglob("*.json")):
        rows, dataset = rows_of(path)
        for row in rows if dataset is not None and rows and "raw_logic_programs" in rows[0] else ():
            text, language = source(row, dataset or "")
            sections = sections_of(text) if language != "constraints" else None
            if sections is not None:
                found.append((language, sections, row["options"]))
    random.Random(seed).shuffle(found)
    answered = ((each, _answer(each[0], _plain(each[1]), each[2])) for each in found)
    return list(islice(((*each, answer) for each, answer in answered if answer is not None), count))


def _answer(language: str, text: str, options: list[str]) -> str | None:
    return execute(language, text, options, Policy(explains=False)).answer


def counted(programs: list[tuple[str, Sections, list[str], str]]) -> dict[str, Counter[str]]:
    """Return by way the verdicts: the same as written plainly, another, or none."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in (*SAME, *HIDDEN)}
    for place, (language, own, options, answer) in enumerate(programs):
        other = next(each[1] for each in programs[place - 1 :: -1] + programs if each[0] == language)
        for name, write in (SAME | HIDDEN).items():
            found = _answer(language, write(own, other), options)
            counts[name]["none" if found is None else "same" if found == answer else "other"] += 1
    return counts


def main() -> None:
    """Draw programs, write each in every way, and print the counts of verdicts."""
    parser = argparse.ArgumentParser(description="Verdicts on released programs that are written in other markup.")
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    programs = drawn(options.folders, options.count, options.seed)
    print(f"{len(programs)} programs\n{'':18}{'same':>6}{'none':>6}{'other':>6}")
    for name, found in counted(programs).items():
        kind = "says the same" if name in SAME else "hides another"
        print(f"{name:18}{found['same']:6}{found['none']:6}{found['other']:6}  {kind}")


if __name__ == "__main__":
    main()
