"""``nlfol audit``: faults of candidate sets."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import Any

from nlfol.cli.formula_rows import Judging
from nlfol.cli.lines import Line, LineError, opened, records, usable
from nlfol.cli.options import refusing
from nlfol.logic import Formula, parse, read_decided
from nlfol.mappings import AnyRow, JsonDict
from nlfol.sets.audit import Tally, audit, report
from nlfol.sets.audit_checks import Item, ItemError, PublishedRole
from nlfol.sets.distances import nearness
from nlfol.sets.released import ReleasedError, released_sets
from nlfol.store.files import FIGURES
from nlfol.tasks.choice import probability_ends
from nlfol.tasks.reference import Shown, expected_grades
from nlfol.validation import printable

MAX_EXAMPLES = 10
"""Faults of one check that are shown."""

_SHARES = ("chance", "medoid", "surface", "symmetric")

_FIRST = (PublishedRole.PHI, PublishedRole.EQUIVALENT)

MAX_SHOWN = 300
"""Characters of a text that are shown to people; programs get the whole."""


_READERS: Mapping[str, Callable[[str], Formula]] = {
    "strict": parse,
    "tolerant": lambda text: read_decided(text).formula,
}


@contextmanager
def opened_sets(path: Path | None) -> Iterator[Iterator[Line]]:
    """Open sets in JSON Lines, or in a folder of released ones; ends the command if that holds none."""
    if path is not None and path.is_dir():
        with refusing(ReleasedError):
            yield released_sets(path)
        return
    with opened(path) as source:
        yield records(source)


def audited(records: Iterable[Line], judging: Judging, notation: str, jobs: int) -> JsonDict:
    """Return the one row for all records ``{"id", "formulas", "roles", "renderings"}``."""
    items: list[Item] = []
    unusable = []
    for number, record in enumerate(records, 1):
        try:
            items.append(read_item(record))
        except (LineError, ItemError) as error:
            unusable.append({"line": number, "reason": str(error)})
    checked = audit(items, reader=_READERS[notation], jobs=jobs, budget=judging.budget)
    counted = report(checked)
    return {
        "items": counted.items,
        "sets_with_faults": counted.sets_with_faults,
        "checks": {check.value: _tally(tally) for check, tally in counted.checks.items()},
        "unknown": _tally(counted.unknown),
        "guesses": list(guesses(items)),
        "unusable_lines": unusable,
    }


def guesses(items: Sequence[Item]) -> Iterator[JsonDict]:
    """Yield what is guessed right without the sentence, by task and presentation.

    The gold formula is to be found, in sets with an equivalent both. ``medoid`` takes those nearest to all others,
    ``surface`` what trees that learnt from other sets take for them (null for one set alone); ``symmetric`` is the
    share of sets whose members are all equally near to the others.
    """
    tasks: dict[tuple[str, str], list[tuple[Item, Sequence[str]]]] = {}
    for item in items:
        kind = "ranking" if PublishedRole.EQUIVALENT in item.roles else "most_similar"
        english = [text for text in item.renderings or () if text]
        for presentation, texts in (("formula", item.formulas), ("english", english)):
            if PublishedRole.PHI in item.roles and len(texts) == len(item.roles):
                tasks.setdefault((kind, presentation), []).append((item, texts))
    for (kind, presentation), sets in tasks.items():
        shown = [Shown(str(item.id), texts, [int(role in _FIRST) for role in item.roles]) for item, texts in sets]
        away = [nearness(texts) for _, texts in sets]
        yield {
            "task": kind,
            "presentation": presentation,
            "sets": len(sets),
            "chance": _guessed(shown, [[0.0] * len(one.texts) for one in shown]),
            "medoid": _guessed(shown, [[-float(far) for far in distances] for distances in away]),
            "surface": _guessed(shown, expected_grades(shown)) if len({one.story for one in shown}) > 1 else None,
            "symmetric": fmean(len(set(distances)) == 1 for distances in away),
        }


def _guessed(sets: Sequence[Shown], similarities: Sequence[Sequence[float]]) -> float:
    """Return the mean probability that the members with grade 1 take the first places, equals being drawn."""
    first = [[index for index, grade in enumerate(shown.grades) if grade] for shown in sets]
    return fmean(probability_ends(values, of_set, ()) for values, of_set in zip(similarities, first, strict=True))


def as_figures(row: AnyRow, dataset: str) -> str:
    """Return the guesses of a row as CSV, in the form of ``resources/published``, for the key ``published``."""
    output = io.StringIO()
    writer = csv.DictWriter(output, FIGURES, restval="", lineterminator="\n")
    writer.writeheader()
    for guess in row["guesses"]:
        about = {"table": "audit", "dataset": dataset, "items": guess["sets"]}
        shown = {"task": guess["task"], "presentation": guess["presentation"]}
        metric = "equivalence" if guess["task"] == "ranking" else "accuracy"
        for model in ("chance", "medoid", "surface"):
            if guess[model] is not None:
                writer.writerow({**about, **shown, "metric": metric, "model": model, "mean": f"{guess[model]:.4f}"})
    return output.getvalue()


def _tally(tally: Tally) -> dict[str, object]:
    return {"items": tally.items, "pairs": tally.pairs, "examples": tally.examples(MAX_EXAMPLES)}


def read_item(record: Line) -> Item:
    """Return a set as the audit takes it; raises ``LineError`` or ``ItemError`` if it is none."""
    record = usable(record)
    missing = [key for key in ("id", "formulas", "roles") if key not in record]
    if missing:
        there = ", ".join(map(repr, record)) or "none"
        raise LineError(f"missing key {', '.join(map(repr, missing))}; found {there}")
    name = record["id"]
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise LineError("'id' must be a text or a whole number")
    renderings = record.get("renderings")
    return Item(
        name,
        tuple(_texts("formulas", record["formulas"])),
        tuple(_role(number, text) for number, text in enumerate(_texts("roles", record["roles"]))),
        None if renderings is None else tuple(_texts("renderings", renderings, missing=True)),
    )


def _texts(key: str, values: object, *, missing: bool = False) -> Sequence[Any]:
    """Return the texts of a list, with None for missing ones if these are allowed."""
    if not isinstance(values, list):
        raise LineError(f"{key!r} must be a list")
    for number, value in enumerate(values):
        if not (isinstance(value, str) or (missing and value is None)):
            raise LineError(f"{key}[{number}] must be a text{' or null' if missing else ''}")
    return values


def _role(number: int, text: str) -> PublishedRole:
    try:
        return PublishedRole(text)
    except ValueError:
        raise LineError(f"roles[{number}]: unknown role {text!r}; use one of {', '.join(PublishedRole)}") from None


def show(row: AnyRow) -> None:
    """Write a table of the checks with examples to standard error, for people."""
    # A fifth of the start of every other command.
    from rich.console import Console
    from rich.table import Table

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    table = Table("check", title=f"{row['items']} sets, {row['sets_with_faults']} of them with faults")
    for header in ("items", "pairs or members"):
        table.add_column(header, justify="right")
    tallies = {**row["checks"], "unknown": row["unknown"]}
    for name, tally in tallies.items():
        table.add_row(name, f"{tally['items']:,}", f"{tally['pairs']:,}")
    console.print(table)

    given_away = Table("guessed without the sentence", "shown as", title="What the sets give away")
    for header in ("sets", *_SHARES):
        given_away.add_column(header, justify="right")
    for guess in row["guesses"]:
        shares = ("–" if guess[name] is None else f"{guess[name]:.3f}" for name in _SHARES)
        given_away.add_row(guess["task"], guess["presentation"], f"{guess['sets']:,}", *shares)
    console.print(given_away)

    def line(text: str) -> None:
        console.print(printable(text[:MAX_SHOWN]) + "…" * (len(text) > MAX_SHOWN), soft_wrap=True)

    for name, tally in tallies.items():
        if tally["examples"]:
            console.print()
            line(f"{name}: {len(tally['examples'])} of {tally['pairs']}")
        for example in tally["examples"]:
            detail = example["detail"]
            line(f"  {example['id']}: {detail if isinstance(detail, str) else json.dumps(detail)}")
            for member, formula in zip(example["members"], example["formulas"], strict=True):
                line(f"    [{member}] {formula}")
    if row["unusable_lines"]:
        console.print()
        line(f"{len(row['unusable_lines'])} lines are no item and were not audited")
        for unusable in row["unusable_lines"][:MAX_EXAMPLES]:
            line(f"  line {unusable['line']}: {unusable['reason']}")
