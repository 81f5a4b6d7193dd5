"""Summary of a report: who is ahead, a finding for each study, models, date and cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from nlfol.statistics.differences import POWER
from nlfol.statistics.pilots import Pilot
from nlfol.statistics.planning import detectable
from nlfol.statistics.summary import COMPARED
from nlfol.tables.headlines import FEW_ITEMS, LEVEL, Question, Row, asked_of
from nlfol.tables.opening import address
from nlfol.tables.table import P, Sample, Score, shown
from nlfol.tasks.registry import TASKS

STUDIES: Mapping[str, frozenset[str]] = {
    title: frozenset(subjects.split())
    for title, subjects in (
        ("Translation", "formula readings translations"),
        ("Ontologies of models' own", "own_formula"),
        ("Choosing and ranking", "choice order candidates choices"),
        ("Reading", "controls"),
        ("Round trips", "chain"),
        ("Verification", "verdict"),
        ("Problems and programs", "label program problems trained"),
        ("Problems in other words", "wordings rating"),
        ("All tasks", "experiment dialogues other"),
        ("Sentences and formulas", "sentences"),
    )
}
"""The studies of a report: their subjects (``registry.Subject``), and the forms of answers to their tasks."""


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard of questions: names of models and references in their order; in words, questions ``left`` out.

    Those are left out in which no model has a rank, if any has one elsewhere.
    """

    questions: Sequence[Question]
    models: Sequence[str]
    references: Sequence[str]
    left: Sequence[str]


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence on a study, the answers that it opens, and whether it tells anything or only what is missing."""

    said: str
    opens: str
    tells: bool = True


@dataclass(frozen=True, slots=True)
class Summary:
    """What a page begins with: the leaderboard, a finding by study, and about the run what the template says of it.

    ``cells`` are those by the first metric of each task, ``kinds`` of the models in their order. ``told`` are tasks and
    the least difference of two models that each tells, in points; ``reading`` rows of ``reading.READING``, ``written``
    cells of answers that were written as examples.
    """

    manifest: Mapping[str, Any]
    cells: Sequence[Row]
    kinds: Mapping[str, str]
    items: int
    answers: int
    told: Sequence[tuple[Pilot, float]]
    board: Board | None
    findings: Mapping[str, Finding]
    reading: Sequence[Row]
    written: Sequence[Row]
    cost: str


def summary(
    cells: Sequence[Row],
    questions: Sequence[Question],
    contrasts: Mapping[str, Sequence[Row]],
    manifest: Mapping[str, Any],
    *,
    items: int,
    answers: int,
    told: Iterable[Pilot] = (),
) -> Summary:
    """Sum a run up: its cells, who is ahead, rows of the analyses in ``_CONTRASTS``, its manifest, what it can tell."""
    scored = [cell for cell in cells if cell["mean"] is not None]
    first = [cell for cell in scored if cell["metric"] in TASKS[cell["task_kind"]].metrics[:1]]
    return Summary(
        manifest,
        first,
        {cell["model"]: cell["kind"] for cell in first},
        items,
        answers,
        [(each, 100 * detectable(each.items, each.models, each.seeds, POWER, each.given)) for each in told],
        _board(questions),
        _findings(questions, contrasts),
        contrasts.get("reading", ()),
        [row for each in questions for row in each.others if row["kind"] == "written"],
        _cost(manifest["environment"]),
    )


def _cost(environment: Mapping[str, Any]) -> str:
    """Sum costs by currency, and name the models of unknown cost."""
    sums: dict[str, float] = {}
    for model, said in environment["answers"].items():
        if said["cost"] is not None and model in environment["prices"]:
            currency = environment["prices"][model]["currency"]
            sums[currency] = sums.get(currency, 0) + said["cost"]
    known = [f"{total:,.2f} {currency}" for currency, total in sums.items()]
    unknown = [model for model, said in environment["answers"].items() if said["cost"] is None]
    return ", ".join([*known, *([f"unknown of {', '.join(unknown)}"] if unknown else [])])


_CONTRASTS = {
    "Reading": ("reading", "difference", "score", "score_blind", "reads", "shows no reading", "without the sentence"),
    "Problems in other words": (
        *("stability", "drop", "right_original", "right"),
        *("solves fewer", "loses nothing that shows", "in other words"),
    ),
    "Problems and programs": (
        *("trained", "gain", "right", "right_base"),
        *("gains by training", "shows no gain by training", "untrained"),
    ),
}
"""By study: an analysis, the names of its difference and the two sides, what to say of it, and of the second side."""


def _findings(questions: Sequence[Question], contrasts: Mapping[str, Sequence[Row]]) -> dict[str, Finding]:
    """Return a finding of each study that has data: of its paired contrasts, or of the question with most items."""
    found = {}
    for study, forms in STUDIES.items():
        analysis, *names = _CONTRASTS.get(study, ("",))
        if rows := [row for row in contrasts.get(analysis, ()) if _counts(row)]:
            found[study] = _contrast(rows, *names)
        elif asked := [each for each in questions if each.models and TASKS[each.about["task_kind"]].form in forms]:
            chosen = max(asked, key=lambda each: (bool(each.ranked), each.models[0][0]["items"]))
            said = f"{asked_of(chosen.about)}: {chosen.finding()}."
            found[study] = Finding(said, opened(chosen.models[0][0]), bool(chosen.ranked))
    return found


def _counts(row: Row) -> bool:
    first = TASKS[row["task_kind"]].metrics[0]
    return row.get("kind", "chat") in COMPARED and row.get("metric", first) == first


def _contrast(rows: Sequence[Row], *names: str) -> Finding:
    """Tell the contrast over most items, and of these the one with the least p."""
    name, first, second, yes, no, other = names
    rows = [row for row in rows if row["low"] is not None] or rows
    best = max(rows, key=lambda row: (row["items"], -(row["adjusted"] or 0)))
    of = f"{asked_of(best)}: {best['model']}"
    if best["low"] is None:
        few = f"{FEW_ITEMS} to say whether it {yes}: {shown(Sample(best['items'], best['available']))} in common"
        return Finding(f"{of} has {few}.", opened(best), tells=False)
    clear = [row for row in rows if row["adjusted"] is not None and row["adjusted"] < LEVEL]
    verb = no if best not in clear else yes if best[name] > 0 else f"does better {other}"
    figures = f"{shown(best[first])} against {shown(best[second])} {other}"
    difference = shown(Score(best[name], None, best["low"], best["high"]))
    p = "" if best["adjusted"] is None else f", adjusted p {shown(P(best['adjusted']))}"
    share = f" So in {len(clear)} of {len(rows)} comparisons." if len(rows) > 1 and best in clear else ""
    said = f"{of} {verb}: {figures} (difference {difference}{p}, {best['items']:,} items).{share}"
    return Finding(said, opened(best))


def _board(questions: Sequence[Question]) -> Board | None:
    """Return the leaderboard; None where no model was asked."""
    asked = [each for each in questions if each.models]
    kept = [each for each in asked if each.ranked] or asked
    names = dict.fromkeys(row["model"] for each in kept for row, _ in each.models)
    others = dict.fromkeys(row["model"] for each in kept for row in each.others if row["kind"] != "written")
    models = sorted(names, key=lambda name: _rank(kept, name))
    left = [asked_of(each.about) for each in asked if each not in kept]
    return Board(kept, models, list(others), left) if kept else None


def _rank(questions: Sequence[Question], name: str) -> tuple[float, float]:
    """Return the negative mean shares of rivals with lower scores, and mean scores above the floor, over questions."""
    won, above = [0.0], [-1.0]
    for each in questions:
        means = {row["model"]: row["mean"] for row, _ in each.ranked}
        own = means.pop(name, None)
        if own is not None:
            above.append(own - (0 if each.floor is None else each.floor["mean"]))
            won += [fmean((mean < own) + (mean == own) / 2 for mean in means.values())] if means else []
    return -fmean(won[1:] or won), -fmean(above[1:] or above)


def opened(row: Row) -> str:
    """Return the address of the answers behind a row; a rate of several presentations is of all."""
    names = ("dataset", "task", "model", "presentation")
    return address({**{name: row[name] for name in names}, "metric": TASKS[row["task_kind"]].metrics[0]})
