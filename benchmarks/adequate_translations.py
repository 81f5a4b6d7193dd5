"""FOLIO's stories with what models wrote about them: wrong formulas, pairs of model and story, and misreadings.

Used by ``adequate_problems``. A formula is wrong if it is equivalent to no accepted reading of its sentence. Symbols
that differ from gold's in capitals and underscores alone count as gold's.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.definitions import first_programs, read_programs
from benchmarks.folio_stories import Gold, lines_of
from benchmarks.typed_distance import ROOT, closed, key, lines

from nlfol.logic import Formula, LogicError, Outcome, entails, equivalence
from nlfol.logic import syntax as fol
from nlfol.logic.decision.satisfiability import SMALL_BUDGET
from nlfol.problems.alignment import Known, align
from nlfol.problems.alignment.own import OwnProgram
from nlfol.problems.programs.formulas.maps import numbered, written
from nlfol.problems.programs.symbols import LineError, Symbol, SymbolKind, identity
from nlfol.randomness import generator


class Told(NamedTuple):
    """A story: premises, wrong formulas by place, FOLIO's own conclusions, and the gold that judges programs."""

    name: str
    premises: tuple[Formula, ...]
    errors: tuple[tuple[int, Formula], ...]
    own: tuple[Formula, ...]
    gold: Gold


class Pair(NamedTuple):
    """A model's translation of a story: the shares of right formulas, and of right answers by kind of conclusion."""

    model: str
    story: str
    formulas: float
    answers: tuple[float, ...]


def label(premises: Sequence[Formula], conclusion: Formula) -> str:
    """Return the label that premises give a conclusion."""
    try:
        found = entails(list(premises), conclusion, budget=SMALL_BUDGET, with_evidence=False)
    except LogicError:
        return "invalid"
    return "contradictory" if found.inconsistent else found.label.value


def told(problems: dict[str, tuple[Gold, str]], data: Path, files: str) -> Iterator[Told]:
    """Yield the stories of which each premise has a formula, with errors of files of programs and of second readers."""
    stories: dict[str, Gold] = {}
    own: dict[str, list[Formula]] = defaultdict(list)
    for gold, _ in problems.values():
        stories.setdefault(gold.story, gold._replace(sentences=gold.sentences[:-1], readings=gold.readings[:-1]))
        own[gold.story] += gold.readings[-1][:1]
    wrong = _wrong(stories, data, files)
    for name, gold in stories.items():
        if all(gold.readings):
            premises = tuple(readings[0] for readings in gold.readings)
            yield Told(name, premises, tuple(wrong[name]), tuple(dict.fromkeys(own[name])), gold)


def _wrong(stories: dict[str, Gold], data: Path, files: str) -> dict[str, dict[tuple[int, Formula], None]]:
    places = {
        key(sentence): (name, place) for name, gold in stories.items() for place, sentence in enumerate(gold.sentences)
    }
    said = {(key(sentence), text) for _, sentence, text in lines(data, files) if key(sentence) in places}
    given = [(*places[sentence], text) for sentence, text in sorted(said)]
    for line in (ROOT / "resources/answers/second_reading/folio.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name, _, place = row["item"].rpartition(":")
        if "train" in files and name in stories and int(place) < len(stories[name].readings):
            given.append((name, int(place), row["answer"]))
    found: dict[str, dict[tuple[int, Formula], None]] = defaultdict(dict)
    for name, place, text in given:
        readings = stories[name].readings
        answer = closed(text)
        if answer is None or not all(readings):
            continue
        known = {_spelled(symbol): symbol for each in readings for symbol in numbered(each[0]).symbols}
        own = numbered(answer).symbols
        if any(_spelled(symbol) not in known for symbol in own):
            continue
        answer = written(answer, {symbol: identity(known[_spelled(symbol)]) for symbol in own})
        verdicts = [equivalence(reading, answer, budget=SMALL_BUDGET).outcome for reading in readings[place]]
        if all(verdict is Outcome.NOT_EQUIVALENT for verdict in verdicts):
            found[name][place, answer] = None
    return found


def _spelled(symbol: Symbol) -> tuple[SymbolKind, str, int]:
    return symbol.kind, symbol.name.casefold().replace("_", ""), symbol.arity


def pairs(
    problems: dict[str, tuple[Gold, str]],
    programs: dict[str, list[dict[str, object]]],
    questions: Mapping[str, tuple[Sequence[Formula], ...]],
    gold: Mapping[str, Sequence[Formula]],
) -> Iterator[Pair]:
    """Yield each model's translation of each story that has questions of each kind."""
    for model, rows in programs.items():
        wanted = [row for row in rows if row.get("raw_logic_programs")]
        for of_story, program in first_programs(read_programs(wanted, problems, 1)):
            if of_story.story in questions and all(questions[of_story.story]):
                answers = _answers(of_story, program, questions[of_story.story], gold[of_story.story])
                if answers is not None:
                    yield Pair(model, of_story.story, *answers)


def _answers(
    of_story: Gold, program: OwnProgram, questions: Sequence[Sequence[Formula]], gold: Sequence[Formula]
) -> tuple[float, tuple[float, ...]] | None:
    """Return the shares of right formulas and answers; None where no line is read."""
    formulas = program.by_sentence(of_story.sentences)
    there = [formula for formula in formulas if formula is not None]
    if not there:
        return None
    verdict = of_story.judged(program, formulas)
    try:
        images = align(lines_of(gold), lines_of(formulas)).most_frequent()
    except (LineError, LogicError):
        return None
    shares = []
    for asked in questions:
        lost = {
            symbol: identity(symbol._replace(name=f"gold{symbol.name}"))
            for one in asked
            for symbol in numbered(one).symbols
        }
        shares.append(fmean(label(there, written(one, lost | images)) == label(gold, one) for one in asked))
    return fmean(line is Known.ANCHORED for line in verdict.lines), tuple(shares)


def predicted(found: Sequence[Pair], kind: int, draws: int = 1_000) -> str:
    """Return the correlation within models and the AUC of all formulas right by share of answers, with intervals."""
    models, stories = sorted({one.model for one in found}), sorted({one.story for one in found})
    model = np.array([models.index(one.model) for one in found])
    story = np.array([stories.index(one.story) for one in found])
    formulas = np.array([one.formulas for one in found])
    answers = np.array([one.answers[kind] for one in found])
    random = np.random.default_rng(1)
    values = np.array([_measures(model, formulas, answers, np.ones(len(found)))])
    weights = [
        np.bincount(random.integers(len(stories), size=len(stories)), minlength=len(stories)) for _ in range(draws)
    ]
    drawn = np.array([_measures(model, formulas, answers, weight[story]) for weight in weights])
    low, high = np.nanpercentile(drawn, [2.5, 97.5], axis=0)
    return ", ".join(
        f"{name} {value:.2f} [{a:.2f}, {b:.2f}]"
        for name, value, a, b in zip(
            ("r", "AUC", "whole if all answers right", "whole if not"), values[0], low, high, strict=True
        )
    )


def _measures(model: np.ndarray, formulas: np.ndarray, answers: np.ndarray, weight: np.ndarray) -> tuple[float, ...]:
    """Return r of deviations from each model's means, the AUC within models, and shares of stories that are whole."""
    a, b = formulas.astype(float).copy(), answers.astype(float).copy()
    wins = couples = 0.0
    for each in np.unique(model):
        of = (model == each) & (weight > 0)
        if not of.any():
            continue
        a[of] -= np.average(a[of], weights=weight[of])
        b[of] -= np.average(b[of], weights=weight[of])
        whole, rest = of & (formulas == 1), of & (formulas < 1)
        difference = answers[whole][:, None] - answers[rest][None, :]
        product = weight[whole][:, None] * weight[rest][None, :]
        wins += float((product * ((difference > 0) + 0.5 * (difference == 0))).sum())
        couples += float(product.sum())
    norm = float(np.sqrt((weight * a * a).sum() * (weight * b * b).sum()))
    right = answers == 1
    shares = [
        float((weight * (formulas == 1))[of].sum() / weight[of].sum()) if weight[of].sum() else float("nan")
        for of in (right, ~right)
    ]
    return float((weight * a * b).sum()) / norm if norm else 0.0, wins / couples if couples else float("nan"), *shares


def _converse(node: fol.Formula, parts: tuple[Formula, ...]) -> Formula:
    return fol.with_children(node, parts[::-1] if isinstance(node, fol.Implies) else parts)


def _exchanged(old: type[Formula], new: Callable[[Formula, Formula], Formula]) -> Callable[..., Formula]:
    return lambda node, parts: new(*parts) if isinstance(node, old) else fol.with_children(node, parts)


def _other_quantifier(node: Formula, parts: tuple[Formula, ...]) -> Formula:
    if not isinstance(node, fol.Quantified):
        return fol.with_children(node, parts)
    return (fol.Exists if isinstance(node, fol.ForAll) else fol.ForAll)(node.variable, parts[0])


def _under(
    kind: type[Formula], old: type[Formula], new: Callable[[Formula, Formula], Formula]
) -> Callable[..., Formula]:
    def step(node: Formula, parts: tuple[Formula, ...]) -> Formula:
        if isinstance(node, kind) and isinstance(body := parts[0], old):
            return fol.with_children(node, (new(*fol.children(body)),))
        return fol.with_children(node, parts)

    return step


def _first_condition(node: Formula, parts: tuple[Formula, ...]) -> Formula:
    if isinstance(node, fol.Implies) and isinstance(parts[0], fol.And):
        return fol.Implies(parts[0].left, parts[1])
    return fol.with_children(node, parts)


MISREAD: dict[str, Callable[..., Formula]] = {
    "→ the wrong way round": _converse,
    "→ as ↔": _exchanged(fol.Implies, fol.Iff),
    "∀ … → as ∀ … ∧": _under(fol.ForAll, fol.Implies, fol.And),
    "∃ … ∧ as ∃ … →": _under(fol.Exists, fol.And, fol.Implies),
    "∀ as ∃, ∃ as ∀": _other_quantifier,
    "∨ as ⊕": _exchanged(fol.Or, fol.ExclusiveOr),
    "⊕ as ∨": _exchanged(fol.ExclusiveOr, fol.Or),
    "∧ as ∨": _exchanged(fol.And, fol.Or),
    "a condition left out": _first_condition,
}


def misreadings(premises: Sequence[Formula]) -> Iterator[tuple[str, Callable[[Formula], Formula]]]:
    """Yield ways to misread all sentences of a story alike; mixed symbols are drawn by its formulas."""
    for name, step in MISREAD.items():
        yield name, partial(fol.fold, step=step)
    symbols = dict.fromkeys(symbol for each in premises for symbol in numbered(each).symbols)
    for what, kind in (("two predicates", SymbolKind.PREDICATE), ("two names", SymbolKind.CONSTANT)):
        by_arity: dict[int, list[Symbol]] = defaultdict(list)
        for symbol in symbols:
            if symbol.kind is kind:
                by_arity[symbol.arity].append(symbol)
        several = [each for each in by_arity.values() if len(each) > 1]
        if several:
            one, other = generator("mixed", str(premises)).sample(max(several, key=len), 2)
            yield f"{what} as one", partial(written, images={other: identity(one)})
            yield f"{what} exchanged", partial(written, images={one: identity(other), other: identity(one)})


def misread(premises: Sequence[Formula], asked: Sequence[Formula]) -> Iterator[tuple[str, float, float]]:
    """Yield ways to misread the premises, with the shares of answers that stay, conclusions misread alike and not."""
    before = [label(premises, one) for one in asked]
    for name, read in misreadings(premises):
        others = [read(one) for one in premises]
        if any(
            equivalence(one, other, budget=SMALL_BUDGET).outcome is Outcome.NOT_EQUIVALENT
            for one, other in zip(premises, others, strict=True)
        ):
            alike = fmean(label(others, read(one)) == answer for one, answer in zip(asked, before, strict=True))
            alone = fmean(label(others, one) == answer for one, answer in zip(asked, before, strict=True))
            yield name, alike, alone
