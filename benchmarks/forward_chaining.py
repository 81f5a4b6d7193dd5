"""Clause programs that models wrote, run by a forward chainer apart from the library, against ``nlfol solve``.

    python benchmarks/forward_chaining.py FOLDER [FOLDER ...]

The folders are those of ``released_programs.py``. The chainer has a reader and a procedure of its own: ground atoms
with the truth value that they were written with, and rules applied until nothing new follows. It never reasons by
contradiction or by cases, so where the two differ it should be the one that leaves a query open. Rows where they differ
are printed with the dataset's label.

Measured on Logic-LM's and a fork's programs for ProofWriter that ``solve`` reads, of four models: 2,136 of 2,136 have
the same answer; five are in no form that the chainer reads.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.released_programs import program, released_rows

Atom = tuple[str, ...]
Rule = tuple[list[Atom], list[Atom]]

_ATOM = re.compile(r"([!¬~]|\b[Nn]ot\b\s*\(?)?\s*([\w'-]+)\s*\(([^()]*)\)")
_SECTION = re.compile(r"(?i)^\W*(predicates|facts|rules|query)\W*$")
_LETTERS = {"true": "A", "false": "B", "open": "C"}


def atoms(text: str) -> list[Atom]:
    """Return the atoms of a line, each its predicate and arguments, the last of which is its truth value."""
    listed = []
    for sign, name, inner in _ATOM.findall(text):
        atom = (name, *(part.strip() for part in inner.split(",")))
        if atom[-1].lower() in ("unknown", "bool", "x", "?"):  # a query whose value is asked for
            atom = (*atom[:-1], "True")
        atom = atom if atom[-1] in ("True", "False") else (*atom, "True")
        listed.append(denied(atom) if sign else atom)
    return listed


def sections(text: str) -> dict[str, list[str]]:
    """Return the lines of a program by section, without glosses."""
    lines: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.splitlines():
        if found := _SECTION.match(line):
            current = lines.setdefault(found[1].lower(), [])
        elif line.strip():
            current.append(line.split(":::")[0].strip())
    return lines


def denied(atom: Atom) -> Atom:
    """Return an atom with the other truth value."""
    return (*atom[:-1], "False" if atom[-1] == "True" else "True")


def instances(rule: Rule, names: list[str]) -> list[Rule]:
    """Return the rule with names for its variables, in every way."""
    variables = sorted({part for side in rule for atom in side for part in atom[1:] if part.startswith("$")})

    def put(side: list[Atom], values: dict[str, str]) -> list[Atom]:
        return [tuple(values.get(part, part) for part in atom) for atom in side]

    every = (dict(zip(variables, chosen, strict=True)) for chosen in product(names, repeat=len(variables)))
    return [(put(rule[0], values), put(rule[1], values)) for values in every]


def chained(text: str) -> str:
    """Return whether a program's query follows (``true``), its denial (``false``), both (``both``) or neither."""
    lines = sections(text)
    known: set[Atom] = set()
    rules: list[Rule] = []
    for line in lines["facts"] + lines.get("rules", []):
        before, arrow, after = line.partition(">>>")
        if arrow:
            rules.append((atoms(before), atoms(after)))
        else:
            known.update(atoms(before))
    (query,) = [atom for line in lines["query"] for atom in atoms(line)]
    parts = {part for atom in (*known, query, *(a for rule in rules for s in rule for a in s)) for part in atom[1:-1]}
    names = sorted(part for part in parts if not part.startswith("$"))
    ground = [one for rule in rules for one in instances(rule, names)]
    while new := {atom for before, after in ground if known.issuperset(before) for atom in after} - known:
        known |= new
    follows, fails = query in known, denied(query) in known
    return "both" if follows and fails else "true" if follows else "false" if fails else "open"


def compared(rows: Iterable[dict[str, Any]]) -> tuple[Counter[str], list[str]]:
    """Return the counts of clause programs that ``solve`` reads, by outcome, and a line for each that differs."""
    counts: Counter[str] = Counter()
    lines = []
    for row in rows:
        ours = program(row, "clauses")
        if ours["language"] != "clauses" or ours["outcome"] != "answered":
            continue
        found = row["raw_logic_programs"]
        try:
            other = chained(found if isinstance(found, str) else found[0])
        except (KeyError, ValueError):
            counts["in no form that the chainer reads"] += 1
            continue
        differs = _LETTERS.get(other) != ours["answer"]
        counts["different" if differs else "equal"] += 1
        if differs:
            lines.append(f"{row['id']}: chained {other}, solved {ours['answer']}, labelled {row['answer']}")
    return counts, lines


def main() -> None:
    """Print the counts by file, and the rows that differ."""
    parser = argparse.ArgumentParser(description="Released clause programs, by a forward chainer and by nlfol solve.")
    parser.add_argument("folders", type=Path, nargs="+", help="folders of Logic-LM's files of programs")
    for file, rows in released_rows(parser.parse_args().folders):
        if "ProofWriter" in file and "raw_logic_programs" in rows[0]:
            counts, lines = compared(rows)
            print(file, dict(counts), *lines, sep="\n  ")


if __name__ == "__main__":
    main()
