"""Summary of a report: who is ahead, a finding for each study, models, date and cost."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nlfol.facts import ALL, FACTS
from nlfol.mappings import JsonObject
from nlfol.results.analyses.reading import silence
from nlfol.results.statistics.contrasts import is_main
from nlfol.results.statistics.summary import COMPARED
from nlfol.results.tables.headlines import BEST, FEW_ITEMS, LEVEL, TIED, Question, Row, asked_of, own_errors
from nlfol.results.tables.opening import address
from nlfol.results.tables.table import P, Sample, Score, shown

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
class Finding:
    """A sentence on a study, the answers that it opens, and whether it tells anything or only what is missing."""

    said: str
    opens: str
    tells: bool = True


@dataclass(frozen=True, slots=True)
class Summary:
    """Summary at the head of a page: leaderboard, a finding by study, and about the run what the template says of it.

    ``cells`` are those by the first metric of each task, ``kinds`` of the models in their order. ``told`` are tasks and
    the least difference of two models that each tells, in points. ``questions`` are those with ranks, if there are any,
    ``models`` theirs by the number in which they are possibly best and by name, of one question by score, ``fewer``
    those that were asked fewer than half of them, ``every`` all questions; ``reading`` rows of ``reading.READING``;
    ``seen`` what was seen before.
    """

    manifest: JsonObject
    cells: Sequence[Row]
    kinds: Mapping[str, str]
    items: int
    answers: int
    told: Sequence[tuple[Row, float]]
    questions: Sequence[Question]
    models: Sequence[str]
    fewer: Sequence[str]
    every: Sequence[Question]
    findings: Mapping[str, Finding]
    reading: Sequence[Row]
    seen: Sequence[str]

    @property
    def own_errors(self) -> list[str]:
        """Return a line for each model and task with answers that nlfol failed to judge."""
        return own_errors(self.cells)


def summary(
    cells: Sequence[Row],
    questions: Sequence[Question],
    contrasts: Mapping[str, Sequence[Row]],
    manifest: JsonObject,
    *,
    items: int,
    answers: int,
    differences: Iterable[Row] = (),
    seen: Sequence[str] = (),
) -> Summary:
    """Sum a run up: its cells, who is ahead, rows of the analyses in ``_CONTRASTS``, its manifest, what it can tell."""
    scored = [cell for cell in cells if cell["mean"] is not None]
    first = [cell for cell in scored if cell["metric"] in FACTS[cell["task_kind"]].metrics[:1]]
    kept = [question for question in questions if question.ranked] or [
        question for question in questions if question.models
    ]
    asked = Counter(row["model"] for question in kept for row, _ in question.models)
    of_one = [row["model"] for row, _ in kept[0].models] if len(kept) == 1 else []
    names = of_one or sorted(asked, key=lambda name: (-_possibly_best(kept, name), name))
    fewer = [name for name in names if asked[name] * 2 < len(kept)]
    return Summary(
        manifest,
        first,
        {cell["model"]: cell["kind"] for cell in first},
        items,
        answers,
        [(row, 100 * row["detectable"]) for row in _widest(differences)],
        kept,
        [name for name in names if name not in fewer],
        fewer,
        questions,
        _findings(questions, contrasts),
        contrasts.get("reading", ()),
        seen,
    )


def _widest(differences: Iterable[Row]) -> list[Row]:
    """Return of each task, over its most items, the pair of models whose difference is told least."""
    widest: dict[tuple[str, str], Row] = {}
    for row in differences:
        key = row["dataset"], row["task"]
        if row["detectable"] is not None and is_main(row):
            widest[key] = max(widest.get(key, row), row, key=lambda pair: (pair["items"], pair["detectable"]))
    return list(widest.values())


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
    findings = {}
    for study, forms in STUDIES.items():
        analysis, *names = _CONTRASTS.get(study, ("",))
        if rows := [row for row in contrasts.get(analysis, ()) if _counts(row)]:
            findings[study] = _contrast(rows, *names)
        elif asked := [
            question for question in questions if question.models and FACTS[question.about["task_kind"]].form in forms
        ]:
            chosen = max(asked, key=lambda question: (bool(question.ranked), question.models[0][0]["items"]))
            text = f"{asked_of(chosen.about)}: {chosen.finding()}."
            findings[study] = Finding(text, opened(chosen.models[0][0]), bool(chosen.ranked))
    return findings


def _counts(row: Row) -> bool:
    first = FACTS[row["task_kind"]].metrics[0]
    return row.get("kind", "chat") in COMPARED and row.get("metric", first) == first


def _contrast(rows: Sequence[Row], *names: str) -> Finding:
    """Tell the median of the contrasts over most items in the first task: that of the least p would be the luckiest."""
    name, first, second, yes, no, other = names
    rows = [row for row in rows if row["low"] is not None] or rows
    rows = [row for row in rows if row["adjusted"] is not None] or rows
    most = max(row["items"] for row in rows)
    rows = [row for row in rows if row["items"] == most]
    about = rows[0]["dataset"], rows[0]["task"]
    rows = sorted((row for row in rows if (row["dataset"], row["task"]) == about), key=lambda row: row[name] or 0)
    best = rows[(len(rows) - 1) // 2]
    of = f"{asked_of(best)}: {best['model']}"
    if best["low"] is None:
        few = f"{FEW_ITEMS} to say whether it {yes}: {shown(Sample(best['items'], best['available']))} in common"
        return Finding(f"{of} has {few}.", opened(best), tells=False)
    clear = [row for row in rows if row["adjusted"] is not None and row["adjusted"] < LEVEL]
    verb = no if best not in clear else yes if best[name] > 0 else f"does better {other}"
    figures = f"{shown(best[first])} against {shown(best[second])} {other}"
    difference = shown(Score(best[name], None, best["low"], best["high"]))
    p = "" if best["adjusted"] is None else f", adjusted p {shown(P(best['adjusted']))}"
    share = f" The median of {len(rows)} comparisons; significant: {len(clear)}." if len(rows) > 1 else ""
    silent = f" {text}." if second == "score_blind" and (text := silence(best)) else ""
    text = f"{of} {verb}: {figures} (difference {difference}{p}, {best['items']:,} items)."
    text += f"{_beside_order(best)}{silent}{share}"
    return Finding(text, opened(best))


def _beside_order(row: Row) -> str:
    """Return how far a score is above the reference that reads words and their order, if there is that reference."""
    if row.get("above_order") is None:
        return ""
    above = Score(row["above_order"], None, row["above_order_low"], row["above_order_high"])
    p = "" if row["above_order_adjusted"] is None else f", adjusted p {shown(P(row['above_order_adjusted']))}"
    return f" Less order, which does no logic: {shown(above)}{p}."


def _possibly_best(questions: Sequence[Question], name: str) -> int:
    """Return the number of questions in which a model is best or tied."""
    states = [state for question in questions for row, state in question.models if row["model"] == name]
    return states.count(BEST) + states.count(TIED)


def opened(row: Row) -> str:
    """Return the address of the answers behind a row; a rate of several presentations is of all."""
    chosen = {name: row[name] for name in ("dataset", "task", "model", "presentation")}
    metric = FACTS[row["task_kind"]].metrics[0]
    return address({**chosen, "presentation": chosen["presentation"].replace(ALL, ""), "metric": metric})
