"""Judge programs and formulas that models wrote, as others released them, and compare two such judgements.

    python benchmarks/released_programs.py judge FOLDER [FOLDER ...] OUT
    python benchmarks/released_programs.py compare BEFORE AFTER
    python benchmarks/released_programs.py readings JUDGED
    python benchmarks/released_programs.py draw JUDGED SEED
    python benchmarks/released_programs.py groups FOLDER [FOLDER ...]

A folder holds, at any depth, Logic-LM's files of programs (JSON lists of rows with ``id``, ``options``, ``answer``,
``raw_logic_programs``) and files of single formulas (JSON Lines with ``id``, ``text``). Programs are executed as by
``nlfol solve``, in the tolerant reading; formulas are read by the tolerant reader alone. ``judge`` writes one JSON line
for each; budgets are steps, so equal code gives equal bytes. ``compare`` counts the verdicts that changed, says how
many answers are the dataset's before and after, and shows each row whose verdict changed. ``readings`` counts, for each
file and language, the programs that are right read strictly and tolerantly, and those that took each liberty.
``draw`` names 400 programs to be read by eye: 50 of which nothing is forgiven but rules of dashes, 150 with other
liberties, and 200 that are refused. ``groups`` says of sentences that at least four models formalized how many of the
answers differ, blanks apart.

To see what a change of a reader does to real answers, judge the same folders with both versions of the code
(``PYTHONPATH`` names the library).

Measured: 20,287 programs and 2,371 formulas take a minute and a half of one core.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from nlfol.logic import FormulaSyntaxError, read_tolerantly, to_unicode
from nlfol.problems.programs import Policy, execute

SHOWN = 300
"""Characters of an error or of repairs that ``compare`` shows."""

_PREMISES = re.compile(r"(?im)^\W*premises?\W*$")
_DATASETS = {
    **dict.fromkeys(("ProofWriter", "ProntoQA"), "clauses"),
    "FOLIO": "formulas",
    "LogicalDeduction": "constraints",
    "AR-LSAT": "checks",
}
EXAMPLES = (
    "Rina is either a person who jokes about being addicted to caffeine or is unaware that caffeine is a drug.",
    "Jokes(rina) ⊕ Unaware(rina)",
    "Miroslav Venhoda loved music.",
    "A Czech person wrote a book in 1946.",
    "No choral conductor specialized in the performance of Renaissance.",
)
"""Questions of the examples in Logic-LM's prompt for FOLIO."""

_VERDICT = ("outcome", "failure", "answer", "formula")

Row = dict[str, Any]


def judged(folder: Path) -> Iterator[Row]:
    """Yield the judgement of each program and formula in a folder, by file; others are named on standard error."""
    for path in sorted(folder.rglob("*.json*")):
        file = str(path.relative_to(folder.parent))
        rows, language = rows_of(path)
        if path.suffix == ".jsonl" and rows and "text" in rows[0]:
            yield from ({"file": file, "id": row["id"], **formula(row["text"])} for row in rows)
        elif language is not None and rows and "raw_logic_programs" in rows[0]:
            yield from ({"file": file, "id": row["id"], **program(row, language)} for row in rows)
        else:
            print(f"{file}: no programs of a language of solve", file=sys.stderr)


def rows_of(path: Path) -> tuple[list[Row], str | None]:
    """Return the rows of a file, none if it is no list, and the language of its dataset by the file's name."""
    text = path.read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else json.loads(text)
    language = next((_DATASETS[name] for name in _DATASETS if name in path.name), None)
    return rows if isinstance(rows, list) else [], language


def program(row: Row, language: str) -> Row:
    """Return the execution of a row's program; one with premises is of formulas in any dataset."""
    text, language = source(row, language)
    question = f"{row.get('context')} {row.get('question')}"
    examples = () if "Miroslav" in question or "Rina" in question else EXAMPLES
    execution = execute(language, text, row["options"], Policy(explains=False, examples=examples))
    strict = execute(language, text, row["options"], Policy(explains=False, strict=True))
    return {
        "language": language,
        "outcome": execution.outcome,
        "failure": execution.failure,
        "answer": execution.answer,
        "strict": strict.answer,
        "label": row["answer"],
        "error": execution.error,
        "repairs": [f"{repair.kind}: {repair}" for repair in execution.repairs],
    }


def source(row: Row, language: str) -> tuple[str, str]:
    """Return the text of a row's program and its language, which is that of its dataset if it has no premises."""
    found = row["raw_logic_programs"]
    text = found if isinstance(found, str) else found[0]
    return text, "formulas" if _PREMISES.search(text) else language


def formula(text: str) -> Row:
    """Return the formula that a text is read as, or the error."""
    try:
        reading = read_tolerantly(text)
    except FormulaSyntaxError as error:
        return {"outcome": "unparsable", "text": text, "error": str(error)}
    return {
        "outcome": "read",
        "formula": to_unicode(reading.formula),
        "text": text,
        "repairs": [*reading.repairs, *(f"{each.kind}: {each.detail}" for each in reading.ambiguities)],
    }


def compared(before: Iterable[Row], after: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a comparison: counts, then each row with another verdict."""
    old, new = ({(row["file"], row["id"]): row for row in rows} for rows in (before, after))
    both = [(old[key], new[key]) for key in old if key in new]
    changed = [(one, other) for one, other in both if _verdict(one) != _verdict(other)]
    told = sum(one.get("repairs") != other.get("repairs") for one, other in both)
    yield f"{len(both)} rows in both, {len(old) - len(both)} only before, {len(new) - len(both)} only after"
    yield f"{len(changed)} verdicts changed; {told} rows have other repairs"
    yield f"right: {_right(old.values())} before, {_right(new.values())} after"
    for names, count in Counter((_named(one), _named(other)) for one, other in changed).most_common():
        yield f"{count:6} {names[0]} -> {names[1]}"
    for one, other in changed:
        yield f"\n{one['file']} {one['id']} (label {one.get('label', '-')}) {one.get('text', '')}"
        yield from (f"  {name}: {_shown(row)}" for name, row in (("before", one), ("after ", other)))


def readings(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a line for each file and language: programs, right strictly, right tolerantly, liberties by kind."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        if "language" in row:
            liberties = {repair.partition(":")[0] for repair in row["repairs"]}
            right = [name for name in ("strict", "answer") if row[name] is not None and row[name] == row["label"]]
            counts[row["file"], row["language"]].update(["programs", *right, *liberties])
    yield "\t".join(("file", "language", "programs", "strict", "tolerant", "liberties"))
    for (file, language), found in counts.items():
        shares = (f"{found.pop(name, 0) / found['programs']:.3f}" for name in ("strict", "answer"))
        line = (file, language, str(found["programs"]), *shares)
        named = ", ".join(f"{name} {count}" for name, count in found.most_common() if name != "programs")
        yield "\t".join((*line, named))


STRATA = {"separator": 50, "repaired": 150, "refused": 200}
"""Programs that are drawn of each stratum."""


def stratum(row: Row) -> str | None:
    """Return the stratum of a program, but for checks; None if nothing beside order is forgiven."""
    if row.get("language", "checks") == "checks":
        return None
    if row["outcome"] == "unparsable" or row["failure"] == "ambiguous":
        return "refused"
    kinds = {repair.partition(":")[0] for repair in row["repairs"]} - {"heading", "section", "misplaced"}
    return ("separator" if kinds == {"separator"} else "repaired") if kinds else None


def by_eye(rows: Iterable[Row], seed: int) -> Iterator[str]:
    """Yield a line for each program that is drawn: its stratum, file and id."""
    found: dict[str | None, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        found[stratum(row)].append((row["file"], row["id"]))
    draw = random.Random(seed)
    for name, count in STRATA.items():
        chosen = draw.sample(sorted(found[name]), min(count, len(found[name])))
        yield from ("\t".join((name, *key)) for key in chosen)


def groups(folders: Iterable[Path], least: int = 4) -> Iterator[str]:
    """Yield a line for each dataset: sentences with so many answers, their answers, and the share that is distinct."""
    found: dict[str, dict[tuple[str, str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted(path for folder in folders for path in folder.rglob("*.json")):
        rows, language = rows_of(path)
        if language is None or not rows or "raw_logic_programs" not in rows[0]:
            continue
        dataset = next(name for name in _DATASETS if name in path.name)
        for row in rows:
            lines = (line.rpartition(":::") for line in source(row, language)[0].splitlines() if ":::" in line)
            said = {" ".join(sentence.split()).strip(" .").lower(): formula for formula, _, sentence in lines}
            for sentence, formula in said.items():
                found[dataset][row["id"], sentence].append(re.sub(r"\s", "", formula))
    yield "\t".join(("dataset", "sentences", "answers", "distinct"))
    for dataset, of_sentence in found.items():
        several = [answers for answers in of_sentence.values() if len(answers) >= least]
        count = sum(map(len, several))
        yield f"{dataset}\t{len(several)}\t{count}\t{sum(len(set(answers)) for answers in several) / max(1, count):.3f}"


def _verdict(row: Row) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in _VERDICT)


def _named(row: Row) -> str:
    return " ".join(str(row[name]) for name in ("outcome", "failure", "answer") if row.get(name))


def _right(rows: Iterable[Row]) -> int:
    return sum(row.get("answer") is not None and row["answer"] == row["label"] for row in rows)


def _shown(row: Row) -> str:
    parts = [_named(row), row.get("formula") or "", row.get("error") or "", "; ".join(row.get("repairs", ()))]
    return " | ".join(part[:SHOWN] for part in parts if part)


def _read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Judge folders, or compare two judgements."""
    parser = argparse.ArgumentParser(description="Verdicts on released programs and formulas, and what changed.")
    commands = parser.add_subparsers(dest="command", required=True)
    judge = commands.add_parser("judge", help="write a line for each program and formula")
    judge.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    judge.add_argument("out", type=Path, metavar="OUT")
    compare = commands.add_parser("compare", help="show which verdicts changed")
    compare.add_argument("before", type=Path, metavar="BEFORE")
    compare.add_argument("after", type=Path, metavar="AFTER")
    shown = commands.add_parser("readings", help="count what is right strictly and tolerantly, and liberties")
    shown.add_argument("judged", type=Path, metavar="JUDGED")
    draw = commands.add_parser("draw", help="name programs to be read by eye")
    draw.add_argument("judged", type=Path, metavar="JUDGED")
    draw.add_argument("seed", type=int, metavar="SEED")
    grouped = commands.add_parser("groups", help="count how many answers to one sentence differ")
    grouped.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    if options.command == "groups":
        print("\n".join(groups(options.folders)))
        return
    if options.command == "draw":
        print("\n".join(by_eye(_read(options.judged), options.seed)))
        return
    if options.command == "readings":
        print("\n".join(readings(_read(options.judged))))
        return
    if options.command == "compare":
        print("\n".join(compared(_read(options.before), _read(options.after))))
        return
    with options.out.open("w", encoding="utf-8") as out:
        for folder in options.folders:
            for row in judged(folder):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
