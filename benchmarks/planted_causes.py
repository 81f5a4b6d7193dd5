"""Programs with one fault by which their answer is wrong, and what the fault is named."""

import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from nlfol.problems import Problem, read_lexicon
from nlfol.problems.alignment import Cause, Image, Symbol, SymbolKind, align, cause_of, rewritten
from nlfol.problems.families import FAMILIES, generate
from nlfol.problems.gold import gold_lines
from nlfol.problems.programs import Lines, Outcome
from nlfol.problems.programs.symbols import identity
from nlfol.randomness import generator

SEED = 2026

ROUNDS = 60
"""Draws for each problem before planting a cause is given up."""

PLANTED = (Cause.DRIFT, Cause.COLLISION, Cause.DRIFT_AND_COLLISION, Cause.QUERY, Cause.LOGIC)


def name_causes(count: int) -> Counter[tuple[Cause, Cause]]:
    """Pairs of planted and named cause; each cause as often, in problems of all families by turns."""
    found: Counter[tuple[Cause, Cause]] = Counter()
    lexicon = read_lexicon(Path(__file__).parents[1] / "resources/lexicon/problems.yaml")
    known = {name: generate(name, seed=SEED, count=-(-count // len(FAMILIES)), lexicon=lexicon) for name in FAMILIES}
    pools = [problem for together in zip(*known.values(), strict=True) for problem in together]
    for cause in PLANTED:
        left = count // len(PLANTED)
        for number, problem in enumerate(pools * ROUNDS):
            if not left:
                break
            gold = gold_lines(problem)
            random = generator("causes", cause, number)
            program = _with_cause(cause, gold, problem, random)
            if program is None:
                continue
            left -= 1
            found[cause, cause_of(align(gold, program), problem.answer, problem.lettered).cause] += 1
        if left:
            raise AssertionError(f"{left} more of {cause} were to be planted")
    return found


def _is_wrong(program: Lines, problem: Problem) -> bool:
    """Return whether a program is executed, with another answer."""
    found = program.language.execute(program.text, problem.lettered)
    return found.outcome in (Outcome.ANSWERED, Outcome.NO_ANSWER) and found.answer != problem.answer


def _is_right(program: Lines, problem: Problem) -> bool:
    return program.language.execute(program.text, problem.lettered).answer == problem.answer


def _with_cause(cause: Cause, gold: Lines, problem: Problem, random: Random) -> Lines | None:
    """A program with one fault, by which its answer is wrong; none where the draw gives none."""
    mentions: list[Symbol] = []

    def noted(_: str, concept: Symbol) -> Image:
        mentions.append(concept)
        return identity(concept)

    rewritten(gold, noted)
    drifting, merging = _drift_of(mentions, random), _merging_of(mentions, random)
    match cause:
        case Cause.DRIFT:
            program = _by_mention(gold, drifting, {})
        case Cause.COLLISION:
            program = _by_mention(gold, {}, merging)
        case Cause.DRIFT_AND_COLLISION:
            program = _by_mention(gold, drifting, merging)
            if any(
                _is_right(each, problem) for each in (_by_mention(gold, drifting, {}), _by_mention(gold, {}, merging))
            ):
                return None
            if {mentions[place] for place in drifting} & {*merging, *merging.values()}:
                return None
        case Cause.QUERY:
            program = Lines(
                gold.language, gold.lines, {place: _other(gold, line) for place, line in gold.asked.items()}
            )
            program = _by_mention(program, {}, {})
        case _:
            changed = _with_fault(gold, random)
            program = _by_mention(changed, {}, {})
    return program if _is_wrong(program, problem) else None


def _drift_of(mentions: list[Symbol], random: Random) -> dict[int, str]:
    """Fresh names for some mentions of one concept, and not for all."""
    repeated = sorted(concept for concept, number in Counter(mentions).items() if number > 1)
    concept = random.choice(repeated)
    places = [place for place, each in enumerate(mentions) if each == concept]
    some = random.sample(places, random.randint(1, len(places) - 1))
    return {place: f"fresh{place}" for place in some}


def _merging_of(mentions: list[Symbol], random: Random) -> dict[Symbol, Symbol]:
    """Another concept's symbol for one concept."""
    concepts = sorted(set(mentions))
    one = random.choice(concepts)
    others = [each for each in concepts if each[::2] == one[::2] and each != one]
    return {one: random.choice(others)} if others else {}


def _by_mention(gold: Lines, fresh: dict[int, str], others: dict[Symbol, Symbol]) -> Lines:
    place = -1

    def image(_: str, concept: Symbol) -> Image:
        nonlocal place
        place += 1
        if place in fresh:
            name = fresh[place]
            return identity(concept._replace(name=name.capitalize() if concept.kind is SymbolKind.PREDICATE else name))
        return identity(others.get(concept, concept))

    return rewritten(gold, image)


def _other(gold: Lines, line: str) -> str:
    """A query that asks for something else, in the same symbols."""
    match gold.language.name:
        case "clauses":
            return line.replace("True)", "?").replace("False)", "True)").replace("?", "False)")
        case "formulas":
            return line[1:] if line.startswith("¬") else f"¬{line}"
        case _:
            thing, _, place = line.partition(" == ")
            return f"{thing} == {int(place) - 1 or 3}"


def _with_fault(gold: Lines, random: Random) -> Lines:
    """A line that is left out, has a condition less or more, or another place or quantifier."""
    place = random.choice(sorted(gold.lines))
    (line,) = gold.lines[place]
    left_out = {each: lines for each, lines in gold.lines.items() if each != place}
    changed = _faulty(gold.language.name, line, random)
    if changed is None or random.random() < 0.3:
        if line.startswith("All"):
            return gold
        return Lines(gold.language, left_out, gold.asked)
    return Lines(gold.language, {**left_out, place: (changed,)}, gold.asked)


def _faulty(language: str, line: str, random: Random) -> str | None:
    match language:
        case "clauses" if " && " in line:
            body, _, head = line.partition(" >>> ")
            conditions = body.split(" && ")
            del conditions[random.randrange(len(conditions))]
            return f"{' && '.join(conditions)} >>> {head}"
        case "formulas" if line.startswith("∀x"):
            return f"∃x{line[2:]}"
        case "constraints" if " == " in line:
            thing, _, place = line.partition(" == ")
            return f"{thing} == {int(place) - 1 or 2}"
        case _:
            return None
