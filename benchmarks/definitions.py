"""Programs of real models in symbols of their own against FOLIO's gold: what definitions accept, and errors planted.

    NLFOL_DATA=FOLDER python benchmarks/definitions.py [--part N] [--unseen] [--mentions] [--show N] [MODEL ...]

The folder has FOLIO's files, readings of its premises and conclusions, the published ontologies with their glosses, and
programs that models wrote, as others released them. Of each file of programs that has one of the words MODEL in its
name, and of each story (or one in N), counted are

- mentions of gold's concepts in its first program: those that the alignment behind drift aligns (by structure: in lines
  that some symbols make equivalent), those in anchored lines, and both together; alone with ``--mentions``;
- lines of its first program, by verdict, and those that need more than other symbols (``defined``);
- edits that are accepted: in each accepted line one of each kind, drawn at random, in the program's symbols. One that
  makes the line another accepted reading is not counted;
- lines of another story's gold, those of the same sentence apart, and of trivial answers, that are accepted; answers to
  ``tarski`` with two symbols exchanged, or a relation or a conditional turned round, in gold's names and in others;
- problems answered right, by how much of them is accepted, the conclusion included, where gold gives the label; with
  intervals at 95 % by bootstrap over stories. Of those accepted whole also by the readings taken: gold lists several
  readings of some sentences, and the answer should be what follows from those that the program's lines take.

``--unseen`` takes half of FOLIO's validation split, whose stories nothing was tuned on; there are no glosses of gold.

Measured with ``--unseen gemini-1.5-pro-preview-0514 gemini-1.0 Llama-3 Mixtral``: of 862 lines 395 are anchored and 105
unanchored; of 2,852 edits and of 984 lines of another story's gold none is accepted; all 38 problems anchored whole
are answered right.

With ``--part 2 Qwen2.5-72B Llama-3-70B Mixtral Llama-2-70b``: of 2,811 lines 1,521 are anchored and 335 unanchored; of
10,765 edits and of 2,724 lines of another story's gold none is accepted. Of 240 problems anchored whole .929 [.868,
.979] are answered right, and .988 [.958, 1] by the readings taken: for 17 the label follows from another listed reading
of "or"; of these three take readings that contradict one another, and have no answer.

Aligned of the mentions in all training stories, by the alignment → and definitions: Llama-3-70B .696 → .726,
Qwen2.5-72B .633 → .646, Qwen2.5-32B .592 → .602, Mixtral-8x7B .591 → .613, Llama-2-70b .458 → .479, Llama-3-8B .370 →
.385; in anchored lines .456, .443, .423, .345, .284 and .212. ``--unseen``, without glosses, at most .020 are added.
"""

import argparse
import json
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.folio_stories import FORMULAS, Gold, letters, lines_of, training, validation
from benchmarks.own_ontologies import exchanges, tarski

from nlfol.logic import Formula, Outcome, equivalence, to_unicode
from nlfol.logic import syntax as fol
from nlfol.logic.rewriting import edits
from nlfol.problems.alignment import Known, align
from nlfol.problems.alignment.own import OwnProgram, read_own_program
from nlfol.problems.programs import Policy, execute
from nlfol.problems.programs.formulas.maps import numbered, written
from nlfol.problems.programs.outcome import ProgramError
from nlfol.problems.programs.symbols import Conjunct, Symbol, SymbolKind, identity
from nlfol.randomness import generator

ANCHORED = Known.ANCHORED


def planted(formula: Formula, known: Sequence[Symbol], *labels: str) -> Iterator[tuple[str, Formula]]:
    """Yield a formula with one error of each kind, drawn at random; ``known`` are the symbols of the whole program."""
    random = generator("planted", *labels)
    own = numbered(formula).symbols
    same = {symbol: identity(symbol) for symbol in own}
    found: dict[str, list[Formula]] = defaultdict(list)
    for edit in edits(formula):
        found[edit.kind].append(edit.formula)
    found["converse"] = [
        fol.fold(
            formula, lambda node, parts: fol.with_children(node, parts[::-1] if type(node) is fol.Implies else parts)
        )
    ]
    for symbol in own:
        arity, name = symbol.arity, "name" if symbol.kind is SymbolKind.CONSTANT else "predicate"
        if symbol.kind is SymbolKind.PREDICATE:
            found["denied"].append(written(formula, {symbol: (Conjunct(symbol, tuple(range(arity)), value=False),)}))
            found["invented"].append(written(formula, same | {symbol: identity(symbol._replace(name="Zorbs"))}))
            if arity > 1:
                turned = (1, 0, *range(2, arity))
                found["arguments"].append(written(formula, {symbol: (Conjunct(symbol, turned),)}))
        for other in known:
            if other != symbol and (other.kind, other.arity) == (symbol.kind, arity):
                found[f"{name} replaced"].append(written(formula, {symbol: identity(other)}))
                if other in own:
                    exchanged = {symbol: identity(other), other: identity(symbol)}
                    found[f"{name}s exchanged"].append(written(formula, exchanged))
    for kind, formulas in found.items():
        changed = random.choice(formulas)
        if equivalence(changed, formula).outcome is Outcome.NOT_EQUIVALENT:
            yield kind, changed


def planted_edits(gold: Gold, program: OwnProgram) -> Iterator[tuple[str, bool, bool]]:
    """Yield for each edit of an accepted line its kind, whether only definitions accept the line, and the edit."""
    formulas = program.by_sentence(gold.sentences)
    verdict = gold.judged(program, formulas)
    known = list(dict.fromkeys(symbol for each in formulas if each for symbol in numbered(each).symbols))
    for place, formula in enumerate(formulas):
        if formula is None or verdict.lines[place] is not ANCHORED:
            continue
        for kind, changed in planted(formula, known, gold.story, str(place)):
            other = [*formulas[:place], changed, *formulas[place + 1 :]]
            passes = gold.judged(program, other).lines[place] is ANCHORED
            if passes and _is_another_reading(gold, program, formulas, other, place):
                continue
            yield kind, verdict.defined[place], passes


def _is_another_reading(
    gold: Gold, program: OwnProgram, before: Sequence[Formula | None], after: Sequence[Formula | None], place: int
) -> bool:
    """Return whether a changed line is accepted by another reading of the sentence than the line was."""
    return not any(
        gold.accepts(reading, program, before, place) and gold.accepts(reading, program, after, place)
        for reading in gold.readings[place]
    )


@dataclass
class Counted:
    """Counts over the programs of some files, by kind.

    Attributes:
        lines: verdicts on lines of each story's first program, ``defined`` those that need more than other symbols.
        edits: planted errors and those accepted, by kind, then of lines that only definitions accept.
        others: lines of other stories' gold and of trivial answers, and those accepted.
        problems: by how much is accepted, for each story whether its problems are answered right.
        examples: lines that only definitions accept, with their definitions.
    """

    lines: Counter[str] = field(default_factory=Counter)
    edits: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    others: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    problems: dict[str, dict[str, list[bool]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    examples: list[str] = field(default_factory=list)


Read = tuple[Gold, str, OwnProgram, dict[str, Any]]


def read_programs(
    programs: Sequence[dict[str, Any]], problems: dict[str, tuple[Gold, str]], part: int
) -> Iterator[Read]:
    """Yield the gold and label of each program that is read, of one story in ``part``, the program and its row."""
    known = dict.fromkeys(gold.story for gold, _ in problems.values())
    stories = {story: number for number, story in enumerate(known)}
    for row in programs:
        problem = problems.get(row["id"]) or problems.get(
            letters(row["context"] + str(row["question"]).partition("?")[2])
        )
        if problem is None or stories[problem[0].story] % part:
            continue
        text = row["raw_logic_programs"]
        with suppress(ProgramError):
            yield (*problem, read_own_program(text if isinstance(text, str) else text[0]), row)


def first_programs(read: Iterable[Read]) -> list[tuple[Gold, OwnProgram]]:
    """Return each story's first program, with gold's premises."""
    firsts: dict[str, tuple[Gold, OwnProgram]] = {}
    for gold, _, program, _ in read:
        premises = gold._replace(sentences=gold.sentences[:-1], readings=gold.readings[:-1])
        firsts.setdefault(gold.story, (premises, program))
    return [*firsts.values()]


def count_mentions(firsts: Iterable[tuple[Gold, OwnProgram]]) -> Counter[str]:
    """Count the mentions of gold's concepts: those that alignment aligns, and those in lines that are anchored."""
    counts: Counter[str] = Counter()
    for gold, program in firsts:
        formulas = program.by_sentence(gold.sentences)
        lines = gold.judged(program, formulas).lines
        usual = [readings[0] if readings else None for readings in gold.readings]
        for sentence in align(lines_of(usual), lines_of(formulas)).sentences:
            is_anchored = lines[int(sentence.place) - 1] is ANCHORED
            for image in sentence.images:
                counts["mentions"] += 1
                counts["aligned"] += image is not None
                counts["by structure"] += sentence.fits and image is not None
                counts["anchored"] += is_anchored
                counts["either"] += is_anchored or image is not None
    return counts


LETTERS = {"true": "A", "false": "B", "unknown": "C", "uncertain": "C"}


def count(programs: Sequence[dict[str, Any]], problems: dict[str, tuple[Gold, str]], part: int, found: Counted) -> None:
    """Add the programs of a file.

    Args:
        programs: rows with ``id`` and ``raw_logic_programs``.
        problems: gold and label by the id of a row, or by its context.
        part: one story in so many is taken.
        found: what is added to.
    """
    read = [*read_programs(programs, problems, part)]
    for gold, label, program, row in read:
        _count_problem(gold, program, row, label, found)
    firsts = first_programs(read)
    for number, (gold, program) in enumerate(firsts):
        _count_lines(gold, program, found)
        for kind, is_defined, passes in planted_edits(gold, program):
            for name in (kind, f"{kind}, defined") if is_defined else (kind,):
                found.edits[name]["n"] += 1
                found.edits[name]["accepted"] += passes
        count_foreign(gold, firsts[number - 1][0], found)
        own = program.by_sentence(gold.sentences)
        for kind, formulas in trivial(program):
            given = [None if each == line else each for each, line in zip(formulas, own, strict=False)]
            found.others[kind]["n"] += sum(each is not None for each in given)
            found.others[kind]["accepted"] += gold.judged(program, given).lines.count(ANCHORED)


def count_foreign(gold: Gold, other: Gold, found: Counted) -> None:
    """Answer with another story's gold in its symbols, glossed; lines of the same sentence are counted apart."""
    formulas = [readings[0] if readings else None for readings in other.readings]
    given = [*formulas, *[None] * len(gold.sentences)][: len(gold.sentences)]
    verdict = gold.judged(OwnProgram(other.glosses, (), None), given)
    for ours, theirs, formula, known in zip(gold.sentences, other.sentences, given, verdict.lines, strict=False):
        if formula is not None:
            kind = "gold of the same sentence" if is_same_sentence(ours, theirs) else "gold of another story"
            found.others[kind]["n"] += 1
            found.others[kind]["accepted"] += known is ANCHORED


def is_same_sentence(ours: str, theirs: str) -> bool:
    """Return whether two sentences have the same words in one order, but for articles, "be", "have", "with", "then"."""

    def words(text: str) -> list[str]:
        said = re.sub(r"\b(?:an?|the|is|are|was|were|has|have|had|with|then)\b", " ", text.casefold())
        return re.findall(r"[^\W_]+", said)

    return words(ours) == words(theirs)


def trivial(program: OwnProgram) -> Iterator[tuple[str, list[Formula]]]:
    """Yield answers that say nothing, by kind: a line of each for all sentences."""
    predicates = [symbol for symbol in program.declared if symbol.arity == 1] or [Symbol(SymbolKind.PREDICATE, "P", 1)]
    x, name = fol.Variable("x"), fol.Constant("a")
    first = fol.Atom(predicates[0].name, (x,))
    true, false = fol.ForAll(x, fol.Equality(x, x)), fol.Exists(x, fol.Not(fol.Equality(x, x)))
    fact = fol.Atom(predicates[0].name, (name,))
    kinds: dict[str, Formula] = {
        "true": true,
        "false": false,
        "tautology": fol.ForAll(x, fol.Implies(first, first)),
        "fact": fact,
    }
    kinds["one atom"] = fol.ForAll(x, first)
    for kind, formula in kinds.items():
        yield kind, [formula] * 50


def _count_lines(gold: Gold, program: OwnProgram, found: Counted) -> None:
    formulas = program.by_sentence(gold.sentences)
    verdict = gold.judged(program, formulas)
    for known, is_defined, formula, readings, sentence in zip(
        verdict.lines, verdict.defined, formulas, gold.readings, gold.sentences, strict=True
    ):
        if formula is None:
            found.lines["missing"] += 1
            continue
        found.lines["read"] += 1
        found.lines[known] += 1
        if is_defined:
            found.lines[f"{known}, defined"] += 1
            if known is ANCHORED:
                shown = (sentence, *map(to_unicode, readings), to_unicode(formula), "; ".join(verdict.definitions))
                found.examples.append("\n    ".join(shown))


def _count_problem(gold: Gold, program: OwnProgram, row: dict[str, Any], label: str, found: Counted) -> None:
    letter = LETTERS.get(label.lower())
    if letter is None or letter != row["answer"]:
        return
    text = row["raw_logic_programs"]
    execution = execute("formulas", text if isinstance(text, str) else text[0], row["options"], Policy(explains=False))
    formulas = [*program.by_sentence(gold.sentences[:-1]), program.conclusion]
    verdict = gold.judged(program, formulas)
    share = verdict.lines.count(ANCHORED) / len(verdict.lines)
    group = "some" if share else "none"
    if share >= HALF:
        group = "at least half"
    if verdict.lines[:-1].count(ANCHORED) == len(verdict.lines) - 1:
        group = "all" if verdict.lines[-1] is ANCHORED else "all premises"
    right = execution.answer == letter
    found.problems[group][gold.story].append(right)
    if letter != "C":
        found.problems[f"{group}, definite"][gold.story].append(right)
    if group == "all" and any(verdict.defined):
        found.problems["all, by definitions"][gold.story].append(right)
    if group == "all":
        taken = gold.taken(program, formulas)
        follows = FORMULAS.execute(lines_of(taken[:-1], taken[-1]).text, row["options"], Policy(explains=False)).answer
        found.problems["all, by the readings taken"][gold.story].append(
            follows is not None and execution.answer == follows
        )
        found.lines["label is of other readings"] += follows != letter


HALF = 0.5


def interval(by_story: dict[str, list[bool]]) -> tuple[float, float, float]:
    """Return a mean over problems, and its interval at 95 % by bootstrap over stories."""
    random = generator("bootstrap")
    stories = list(by_story.values())
    means = []
    for _ in range(1_000):
        drawn = random.choices(stories, k=len(stories))
        means.append(sum(map(sum, drawn)) / sum(map(len, drawn)))
    means.sort()
    return sum(map(sum, stories)) / sum(map(len, stories)), means[25], means[974]


def main() -> None:
    """Print all counts."""
    parser = argparse.ArgumentParser(description="Programs in symbols of their own, judged by definitions.")
    parser.add_argument("models", nargs="*", default=["Qwen2.5", "Llama-3-70B", "Mixtral", "Llama-2-70b"])
    parser.add_argument("--part", type=int, default=1, help="one story in so many")
    parser.add_argument("--unseen", action="store_true", help="half of FOLIO's validation split")
    parser.add_argument("--mentions", action="store_true", help="count aligned mentions alone")
    parser.add_argument("--show", type=int, default=0, help="lines to show that only definitions accept")
    options = parser.parse_args()
    folder = Path(os.environ["NLFOL_DATA"])
    split, problems = ("dev", validation(folder)) if options.unseen else ("train", training(folder))
    found = Counted()
    for path in sorted((folder / "released").rglob(f"FOLIO_{split}_*.json")):
        if any(model in path.name for model in options.models):
            rows = [row for row in json.loads(path.read_text(encoding="utf-8")) if "raw_logic_programs" in row]
            mentions = count_mentions(first_programs(read_programs(rows, problems, options.part)))
            total = mentions["mentions"]
            shares = (f"{name} {number / total:.3f}" for name, number in mentions.items() if name != "mentions")
            print(f"{path.stem}: {total} mentions, {', '.join(shares)}", flush=True)
            if not options.mentions:
                count(rows, problems, options.part, found)
    if options.mentions:
        return
    print(", ".join(f"{name} {number}" for name, number in sorted(found.lines.items())))
    for table in (found.edits, found.others, exchanges(tarski())):
        for kind, counts in sorted(table.items()):
            print(f"{kind}: {counts['accepted']} of {counts['n']}")
    for group, by_story in sorted(found.problems.items()):
        mean, low, high = interval(by_story)
        print(f"{group}: {mean:.3f} [{low:.3f}, {high:.3f}] of {sum(map(len, by_story.values()))}")
    generator("shown").shuffle(found.examples)
    print("\n".join(found.examples[: options.show]))


if __name__ == "__main__":
    main()
