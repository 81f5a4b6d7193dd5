"""Summary of a report: models, tasks, date, best scores and cost."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from nlfol.report.sheets import sheet
from nlfol.statistics.differences import POWER
from nlfol.statistics.pilots import Pilot
from nlfol.statistics.planning import detectable
from nlfol.statistics.summary import COMPARED
from nlfol.tables import columns
from nlfol.tables.headlines import Headline, best_scores
from nlfol.tables.opening import address
from nlfol.tables.table import Cell, Column, Kind, Sample, Score, Table, TableForm, Written, shown
from nlfol.tasks.registry import TASKS

Cells = Sequence[Mapping[str, Any]]
"""Rows of ``schemas.CELLS``."""

_KINDS = {"chat": "dialogue", "embedding": "embedding"}
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Summary:
    """The beginning of a page: the run in a sentence, facts by terms, and the best model of each dataset and task.

    ``told`` says which differences of two models its items tell; it is empty where no two were asked. ``scores`` is a
    sheet of every model's scores by the first metric of each task, ``asked`` one of the models and what asking took.
    """

    lead: str
    facts: list[tuple[str, str]]
    told: str
    headlines: list[dict[str, Any]]
    scores: dict[str, Any] | None
    asked: dict[str, Any] | None


def summary(
    cells: Cells,
    best: set[tuple[str, str, str, str, str]],
    manifest: Mapping[str, Any],
    *,
    items: int,
    answers: int,
    told: Iterable[Pilot] = (),
) -> Summary:
    """Sum a run up: its scores, which are significantly the best, its manifest, and differences that it tells."""
    scored = [cell for cell in cells if cell["mean"] is not None]
    first = [cell for cell in scored if cell["metric"] in TASKS[cell["task_kind"]].metrics[:1]]
    kinds = {cell["model"]: cell["kind"] for cell in first}
    took = manifest["environment"]["answers"]
    datasets, tasks = ({cell[name] for cell in first} for name in ("dataset", "task"))
    lead = (
        f"{_models(kinds)} answered {_counted(len(tasks), 'task')} on {_counted(len(datasets), 'dataset')}: "
        f"{_counted(answers, 'answer')} to {_counted(items, 'item')}."
    )
    return Summary(
        lead,
        _facts(manifest),
        _told(told),
        [_headline(found) for found in best_scores(cells)],
        _scores(first, best),
        _asked(first, kinds, manifest["experiment"]["models"], took),
    )


_MOST_TOLD = 50
"""Points up to which a difference is worth saying."""


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _models(kinds: Mapping[str, str]) -> str:
    counts = [(name, sum(kind == each for each in kinds.values())) for kind, name in _KINDS.items()]
    others = sum(kind not in COMPARED for kind in kinds.values())
    said = [_counted(count, f"{name} model") for name, count in counts if count]
    said += [_counted(others, "reference")] if others else []
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said) or "Nobody"


def _facts(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    about = manifest["environment"]
    took = about["answers"].values()
    written = datetime.fromisoformat(about["written"]).astimezone(UTC)
    tokens = [_sum(said["prompt_tokens"] for said in took), _sum(said["completion_tokens"] for said in took)]
    commit = about["git"]["commit"] if about.get("git") else None
    code = f"nlfol {about['packages']['nlfol']}" if "nlfol" in about.get("packages", {}) else None
    code = " at ".join(filter(None, (code, commit[:_SHOWN] if commit else None)))
    changed = ", with local changes" if commit and about["git"]["dirty"] else ""
    return [
        (term, said)
        for term, said in (
            ("Finished", f"{written.day} {written:%B %Y, %H:%M} UTC"),
            ("Requests", f"{sum(said['requests'] for said in took):,}" if took else ""),
            ("Tokens", f"{tokens[0]:,} read, {tokens[1]:,} written" if None not in tokens and took else ""),
            ("Cost", _cost(about["answers"], about["prices"]) if took else ""),
            ("Experiment", manifest["digest"][:_SHOWN]),
            ("Code", f"{code}{changed}"),
        )
        if said
    ]


def _told(pilots: Iterable[Pilot]) -> str:
    """Say which differences of two models the items of each task tell, of at most ``_MOST_TOLD`` points."""
    told, others = [], 0
    for pilot in pilots:
        points = 100 * detectable(pilot.items, pilot.models, pilot.seeds, POWER, pilot.given)
        if points <= _MOST_TOLD:
            told.append(f"{points:.0f} points in {pilot.task} on {pilot.dataset} ({_counted(pilot.items, 'item')})")
        else:
            others += 1
    if not told and not others:
        return ""
    said = f"Two models are told apart with probability {POWER}, at 5 % over all pairs, where they differ by "
    rest = f"more than {_MOST_TOLD} points in {_counted(others, 'other task' if told else 'task')}"
    return said + ", ".join([*told, *([rest] if others else [])]) + "."


def _sum(values: Any) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _cost(took: Mapping[str, Mapping[str, Any]], prices: Mapping[str, Mapping[str, Any]]) -> str:
    """Sum costs by currency, and name the models of unknown cost."""
    sums: dict[str, float] = {}
    for model, said in took.items():
        if said["cost"] is not None and model in prices:
            currency = prices[model]["currency"]
            sums[currency] = sums.get(currency, 0) + said["cost"]
    known = [f"{total:,.2f} {currency}" for currency, total in sums.items()]
    unknown = [model for model in took if took[model]["cost"] is None]
    return ", ".join([*known, *([f"unknown of {', '.join(unknown)}"] if unknown else [])])


def _headline(found: Headline) -> dict[str, Any]:
    best = found.best
    score, _, interval = shown(Score(best["mean"], None, best["low"], best["high"])).partition(" [")
    low, high = ((best[name] if best[name] is not None else best["mean"]) for name in ("low", "high"))
    return {
        **{name: best[name] for name in ("dataset", "task", "model", "presentation", "metric")},
        "items": shown(Sample(best["items"], best["available"])),
        "score": score,
        "interval": f"[{interval}" if interval else "",
        "opens": _address(best),
        "chance": None if found.chance is None else shown(float(found.chance)),
        # In per cent of the scale from 0 to 1.
        "bar": {"low": _percent(low), "width": _percent(high - low), "mean": _percent(best["mean"])},
        "mark": None if found.chance is None else _percent(found.chance),
    }


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"


def _scores(cells: Cells, best: set[tuple[str, str, str, str, str]]) -> dict[str, Any] | None:
    """Lay out a row per model and a column per task, dataset and presentation; None for one column."""
    names = ("task", "dataset", "presentation")
    tasks = list(dict.fromkeys(cell["task"] for cell in cells))
    keys = sorted(
        dict.fromkeys(tuple(cell[name] for name in names) for cell in cells), key=lambda key: tasks.index(key[0])
    )
    if len(keys) < 2:
        return None
    metrics = {cell["task"]: cell["metric"] for cell in cells}
    of_keys = [
        Column(
            " ".join(key),
            f"{key[0].replace('_', ' ')} ({metrics[key[0]].replace('_', ' ')}): {' · '.join(filter(None, key[1:]))}",
            Kind.SCORE,
        )
        for key in keys
    ]
    of_model: defaultdict[str, dict[tuple[str, ...], Mapping[str, Any]]] = defaultdict(dict)
    for cell in cells:
        of_model[cell["model"]][tuple(cell[name] for name in names)] = cell
    rows: list[tuple[Cell, ...]] = []
    opened: list[list[tuple[str | None]]] = []
    for model, own in of_model.items():
        found = [own.get(key) for key in keys]
        written = any(cell["kind"] == "written" for cell in own.values())
        name = Written(model) if written else model
        rows.append((name, *(None if cell is None else _score(cell, best) for cell in found)))
        opened.append([(None,), *((None if cell is None else _address(cell),) for cell in found)])
    caption = "Mean score of each model by the first metric of each task, with the interval at 95 %; chance has none."
    table = Table("overview", "All models", caption, (columns.text("model"), *of_keys), tuple(rows))
    return sheet(table, opened)


def _score(cell: Mapping[str, Any], best: set[tuple[str, str, str, str, str]]) -> Score:
    exact = cell["kind"] == "chance"
    low, high = (None, None) if exact else (cell["low"], cell["high"])
    question = (cell["dataset"], cell["task"], cell["metric"], cell["presentation"], cell["model"])
    return Score(cell["mean"], None, low, high, best=question in best)


def _address(cell: Mapping[str, Any]) -> str:
    return address({name: cell[name] for name in ("dataset", "task", "model", "presentation", "metric")})


_ASKED = TableForm(
    "asked",
    "Who was asked",
    "A task on one dataset counts once. Answers: items × seeds × ways to show them.",
    (
        *columns.texts("model", "kind"),
        columns.column("identity", "What it is", Kind.PROSE),
        *columns.counts("tasks", "answers", "requests"),
        columns.count("prompt_tokens", "Tokens: read"),
        columns.count("completion_tokens", "Tokens: written"),
        columns.share("cost"),
    ),
    (),
    (),
    list,
)


def _asked(
    cells: Cells, kinds: Mapping[str, str], identities: Mapping[str, str], took: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any] | None:
    rows = []
    for model, kind in kinds.items():
        own = [cell for cell in cells if cell["model"] == model]
        said = took.get(model, {})
        cost = said.get("cost")
        rows.append(
            {
                "model": model,
                "kind": _KINDS.get(kind, kind),
                "identity": _short(identities.get(model, "")) if kind in COMPARED else None,
                "tasks": len({(cell["dataset"], cell["task"]) for cell in own}),
                "answers": sum(cell["items"] * cell["seeds"] for cell in own),
                **{name: said.get(name) for name in ("requests", "prompt_tokens", "completion_tokens")},
                "cost": None if cost is None else float(cost),
            }
        )
    return sheet(_ASKED.table(rows), [[(None,)] * len(_ASKED.columns)] * len(rows)) if rows else None


def _short(identity: str) -> str:
    """Return an identity with digests cut to their first characters."""
    source, *more = identity.split(";")
    place, mark, digest = source.partition("#sha256:")
    return "; ".join([f"{place}{' ' + digest[:_SHOWN] if mark else ''}", *more])
