"""Precision and recall of the rules of ``nlfol lint``, false alarms on certified English, and planted faults.

    NLFOL_DATA=FOLDER python benchmarks/lint.py [--generated N] [--planted N] [--strongest N] [--write] [FILE ...]

Verdicts on FOLIO's published formulas are in ``resources/datasets/folio/verdicts.csv``. Wrong formulas are to be found;
coarse and arguable ones are neither found nor false alarms. Intervals at 95 %, stories go together.

The rules were written with the training premises in view, so these say how well they describe what is known to be
wrong. ``chosen apart``: each of five parts of the stories is judged by the rules that are right on the other four,
(wrong + 1) / (wrong + faithful + 2) ≥ .75; for five divisions. Validation stories were judged twice by readers who had
not seen the rules, before these were run on them.

With ``--write``, what the rules find in the training premises becomes ``nlfol_extras/lint/measured.csv`` and the table
of ``docs/lint.md``. FILE: JSON Lines of formulas that models wrote, ``text``, with their ``sentence``; findings are
counted, and with ``--strongest`` shown.
"""

import argparse
import csv
import hashlib
import json
import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.planted_faults import FAULTS, planted
from benchmarks.verified_gold import Entry, curve, read_until, surely

from nlfol.data.entries.grammar import GrammarEntry
from nlfol.data.generation import generated
from nlfol.results.statistics.clusters import clustered_mean
from nlfol_extras.lint import RULES, Level, Statement, Story, lint
from nlfol_extras.lint.rules import MEASURED

ROOT = Path(__file__).parents[1]
VERDICTS = ROOT / "resources/datasets/folio/verdicts.csv"
PAGE = ROOT / "docs/lint.md"
FOLDS = 5
GENERATED = {
    "first_order": {"vocabulary": "english", "quantifiers": [1, 3]},
    "propositional": {},
    "first_order_full": {"vocabulary": "english", "quantifiers": [1, 3]},
}


class Judged(NamedTuple):
    """Stories of FOLIO, and verdicts by statement; without one a formula is faithful."""

    stories: Mapping[str, Story]
    verdicts: Mapping[str, str]

    def of(self, verdict: str) -> set[str]:
        """Return the statements with a verdict."""
        named = (each.id for story in self.stories.values() for each in story.statements)
        return {name for name in named if self.verdicts.get(name, "faithful") == verdict}


def folio(folder: Path, part: str, *, uneven: bool = False) -> Judged:
    """Read the training premises, or validation stories with their conclusions, with the verdicts on them.

    Only those with as many formulas as sentences; or only the others, by place.
    """
    name = {"train": "folio-train.jsonl", "validation": "folio-validation-half.jsonl"}[part]
    with next(folder.rglob(name)).open(encoding="utf-8") as file:
        problems = [json.loads(line) for line in file]
    with VERDICTS.open(encoding="utf-8", newline="") as table:
        known = {row["digest"]: row["verdict"] for row in csv.DictReader(table) if row["part"] == part}
    of_story: dict[str, list[dict[str, str]]] = defaultdict(list)
    for problem in problems:
        of_story[str(problem.get("story_id", problem["premises"]))].append(problem)
    stories, verdicts = {}, {}
    for number, asked in enumerate(of_story.values()):
        story = str(asked[0].get("story_id", number))
        premises = asked[0]["premises"]
        pairs = list(zip(premises, asked[0]["premises-FOL"], strict=False))
        if (len(premises) != len(asked[0]["premises-FOL"])) is not uneven:
            continue  # it is not known which sentence a formula is of
        ends = [(each["conclusion"], each["conclusion-FOL"]) for each in asked] if part == "validation" else []
        statements = [
            Statement(f"{story}:{'c' * (place >= len(pairs))}{place}", text, formula, place, place >= len(pairs))
            for place, (text, formula) in enumerate([*pairs, *ends])
        ]
        stories[story] = Story(statements)
        for each in statements:
            strict = each.text if part == "train" else each.text.strip()
            verdicts[each.id] = known.get(digest(strict, each.written), "faithful")
    return Judged(stories, verdicts)


def digest(text: str, formula: str) -> str:
    """Return what names a sentence with its formula."""
    return hashlib.sha256(f"{text}\n{formula}".encode()).hexdigest()[:16]


def found(stories: Iterable[Story], level: Level = Level.ALL) -> dict[str, set[str]]:
    """Return what each rule of a level finds."""
    findings: dict[str, set[str]] = {name: set() for name, rule in RULES.items() if rule.level in level}
    for story in stories:
        for finding in lint(story, level):
            findings[finding.rule.name].add(finding.statement.id)
    return findings


def share(hits: Collection[str], of: Collection[str]) -> str:
    """Return the share of some statements that are among others, with its interval."""
    if not of:
        return "–"
    names = sorted(of)
    mean = clustered_mean([float(name in hits) for name in names], [name.split(":")[0] for name in names])
    bounds = "" if mean.low is None or mean.high is None else f" ({mean.low:.2f} to {mean.high:.2f})"
    return f"{mean.mean:.2f}{bounds}"


def figures(named: Collection[str], judged: Judged) -> str:
    """Return precision and recall of some findings."""
    wrong, faithful = judged.of("wrong"), judged.of("faithful")
    clear = set(named) & (wrong | faithful)
    return f"{len(clear & wrong)} of {len(clear)}: precision {share(wrong, clear)}, recall {share(set(named), wrong)}"


def by_level(findings: Mapping[str, set[str]]) -> dict[Level, set[str]]:
    """Return what the rules of each level find together."""
    return {
        level: set().union(*(named for name, named in findings.items() if RULES[name].level in level))
        for level in Level
    }


def chosen_apart(findings: Mapping[str, set[str]], judged: Judged, seed: int, least: float = 0.75) -> set[str]:
    """Return what is found in each part of the stories by the rules that are right on the other parts."""
    stories = sorted(judged.stories)
    random.Random(seed).shuffle(stories)
    part = {story: place % FOLDS for place, story in enumerate(stories)}
    wrong, faithful = judged.of("wrong"), judged.of("faithful")
    taken: set[str] = set()
    for fold in range(FOLDS):
        for named in findings.values():
            apart = {name for name in named if part[name.split(":")[0]] != fold}
            right, alarms = len(apart & wrong), len(apart & faithful)
            if (right + 1) / (right + alarms + 2) >= least:
                taken |= named - apart
    return taken


def as_entries(judged: Judged) -> dict[str, list[Entry]]:
    """Return what is judged as entries to read: statements; and stories' premises, with conclusions alone."""
    wrong = judged.of("wrong")
    statements, blocks = [], []
    for name, story in judged.stories.items():
        rules: defaultdict[str, set[tuple[str, float]]] = defaultdict(set)
        for finding in lint(story, Level.ALL):
            rules[finding.statement.id].add((finding.rule.name, finding.rule.confidence))
        together: defaultdict[str, list[str]] = defaultdict(list)
        for each in story.statements:
            statements.append(Entry(name, each.id in wrong, surely(confidence for _, confidence in rules[each.id])))
            together[each.id if each.is_conclusion else ""].append(each.id)
        for ids in together.values():
            found_here = set().union(*(rules[each] for each in ids))
            confidence = surely(confidence for _, confidence in found_here)
            blocks.append(Entry(name, not wrong.isdisjoint(ids), confidence, len(ids)))
    return {"statements": statements, "blocks": blocks}


def shifts(stories: Iterable[Story], length: int = 3) -> tuple[int, int]:
    """Return how many planted shifts are found, and how many were planted.

    From some premise on, ``length`` or more of them up to the last, each has the formula before or after its own; the
    one that is left without has a formula that cannot be read.
    """
    hits = total = 0
    for story in stories:
        stated = [each for each in story.statements if not each.is_conclusion]
        written = [each.written for each in stated]
        for start in range(len(stated) - length + 1):
            for moved in ([*written[start + 1 :], ""], ["", *written[start:-1]]):
                others = [
                    Statement(each.id, each.text, formula)
                    for each, formula in zip(stated, written[:start] + moved, strict=True)
                ]
                total += 1
                hits += bool(Story(others).shifted[0])
    return hits, total


def certified(count: int) -> list[Story]:
    """Return generated formulas with their certified English, each a story of its own with its ontology."""
    stories = []
    for grammar, more in GENERATED.items():
        values = {"from": 1, "to": 10}
        each = max(1, -(-count // (9 * len(GENERATED))))  # short formulas are few
        entry = {"reader": "grammar", "grammar": grammar, "values": values, "count": each, "distinct": "trees", **more}
        for row, ontology in generated(GrammarEntry.model_validate(entry), 1):
            if row["reason"] is None:
                stories.append(Story([Statement(row["item"], row["text"], row["formula"] or "")], ontology))
    return stories[:count]


def written_by_models(path: Path) -> Iterator[Story]:
    """Yield the problems of a file of models' formulas; ids are ``PROBLEM/part/line``."""
    problems: dict[str, list[Statement]] = defaultdict(list)
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            row = json.loads(line)
            problem, part, _ = row["id"].split("/")
            statement = Statement(row["id"], row["sentence"], row["text"], number, part != "premises")
            problems[problem].append(statement)
    yield from map(Story, problems.values())


def rule_rows(findings: Mapping[str, set[str]], judged: Judged) -> list[tuple[str, int, int, int]]:
    """Return of each rule how many wrong, faithful, and coarse or arguable formulas it finds."""
    wrong, faithful = judged.of("wrong"), judged.of("faithful")
    return [
        (name, len(named & wrong), len(named & faithful), len(named - wrong - faithful))
        for name, named in findings.items()
    ]


def write(findings: Mapping[str, set[str]], judged: Judged) -> None:
    """Write what the rules found, and the page's table of rules."""
    with MEASURED.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("rule", "wrong", "faithful", "other"))
        writer.writerows(rule_rows(findings, judged))
    page = PAGE.read_text(encoding="utf-8")
    before, start, rest = page.partition("<!-- rules -->\n")
    _, end, after = rest.partition("<!-- end of rules -->")
    PAGE.write_text(before + start + table(findings, judged, examples(page)) + end + after, encoding="utf-8")


def examples(page: str) -> dict[str, str]:
    """Return the page's example of each rule: statements with their formulas, the one that is found first."""
    cells = (line.split(" | ") for line in page.splitlines() if line.startswith("| `"))
    return {row[0].split("`")[1]: row[2] for row in cells if len(row) > 4}


def story_of(example: str) -> Story:
    """Return the story of an example."""
    pairs = (each.split(" `") for each in example.split("`; "))
    return Story([Statement(str(place), text, rest.rstrip("`")) for place, (text, rest) in enumerate(pairs)])


def table(findings: Mapping[str, set[str]], judged: Judged, shown: Mapping[str, str]) -> str:
    """Return the rules as a table: what they find, an example, and what was measured."""
    lines = ["| rule | finds | example | right, false | precision | recall |", "|---|---|---|--:|--:|--:|"]
    wrong, faithful = judged.of("wrong"), judged.of("faithful")
    for name, named in findings.items():
        rule = RULES[name]
        mark = "" if rule.level is Level.PRECISE else f" ({rule.level.value})"
        counts = f"{len(named & wrong)}, {len(named & faithful)}"
        precision, recall = share(wrong, named & (wrong | faithful)), share(named, wrong)
        lines.append(
            f"| `{name}`{mark} | {rule.check.__doc__} | {shown.get(name, '')} | {counts} | {precision} | {recall} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--generated", type=int, default=2000)
    parser.add_argument("--planted", type=int, default=200, help="faults of each kind")
    parser.add_argument("--strongest", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    data = Path(os.environ["NLFOL_DATA"])

    start = process_time()
    training = folio(data, "train")
    for story in training.stories.values():
        list(lint(story))
    print(f"training premises, precise: {process_time() - start:.1f} s of CPU")
    training = folio(data, "train")
    findings = found(training.stories.values())
    rows = rule_rows(findings, training)
    for row in rows:
        print(f"  {row[0]:28}{RULES[row[0]].level.value:10}{row[1]:5}{row[2]:5}{row[3]:5}")
    for level, named in by_level(findings).items():
        print(f"training, {level.value}: {figures(named, training)}")
    for seed in range(FOLDS):
        print(f"training, rules chosen apart: {figures(chosen_apart(findings, training, seed), training)}")
    validation = folio(data, "validation")
    for level, named in by_level(found(validation.stories.values())).items():
        print(f"validation, {level.value}: {figures(named, validation)}")
    for part, judged in (("train", training), ("validation", validation)):
        counts = [
            (sum(bool(story.shifted[0]) for story in stories.values()), len(stories))
            for stories in (judged.stories, folio(data, part, uneven=True).stories)
        ]
        print(f"{part}, shifted, and of uneven stories: {counts}; planted: {shifts(judged.stories.values())}")
        for name, entries in as_entries(judged).items():
            until = [round(read, 3) for read in read_until(entries)]
            print(f"{part}, {name}, read until .9 are right, in order, in none, in the best: {until}")
            for by_sentences in (False, True):
                reached = curve(entries, by_sentences=by_sentences)
                print(f"  wrong ones found by share of {'sentences' if by_sentences else 'entries'} read: {reached}")
    if options.write:
        write(findings, training)

    stories = certified(options.generated)
    for what, made in (("with", stories), ("without", [Story(each.statements) for each in stories])):
        alarms = sum(bool(list(lint(each))) for each in made)
        print(f"certified English, {what} its ontology: {alarms} of {len(made)} found")
    clean = [story for story in training.stories.values() if not list(lint(story))]
    for kind, fault in FAULTS.items():
        counts = [planted(where, options.planted, fault, 1) for where in (clean, stories)]
        counts.append(planted([Story(each.statements) for each in stories], options.planted, fault, 1))
        text = ", ".join(f"{hits} of {total}" for hits, total in counts)
        print(f"planted, {kind}: FOLIO, certified English with and without ontology: {text}")

    for path in options.files:
        problems = list(written_by_models(path))
        by_rule = Counter(finding.rule.name for story in problems for finding in lint(story))
        print(
            f"{path.name}: {sum(len(story.statements) for story in problems)} formulas, {dict(by_rule.most_common())}"
        )
        strongest = sorted(
            (finding for story in problems for finding in lint(story)), key=lambda each: -each.rule.confidence
        )
        shown: set[tuple[str, str]] = set()
        for finding in strongest:
            pair = finding.statement.text, finding.statement.written
            if pair not in shown and len(shown) < options.strongest:
                shown.add(pair)
                print(f"  {finding.rule.name}: {pair[0]} | {pair[1]} | {finding.message}")


if __name__ == "__main__":
    main()
