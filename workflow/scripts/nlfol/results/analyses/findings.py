"""Titles of figures that say what the data show, where intervals or tests carry it; else the title given."""

from collections.abc import Iterable

from nlfol.mappings import AnyRow
from nlfol.results.tables.headlines import BEST, NOT_ABOVE, TIED, Question, asked_of, listed

Row = AnyRow


def leader(questions: Iterable[Question], title: str) -> str:
    """Return who is best, tied or above the floor in the first question in which models have a rank."""
    for question in (question for question in questions if question.ranked):
        (row, state), *others = question.ranked
        sentence = f"{row['model']} reaches {said(row['mean'])}"
        reached = question.floor_of(row)
        floor = f", {reached['model']} {said(reached['mean'])}" if reached else ""
        tied = [other["model"] for other, of in others if of == TIED]
        if state == TIED:
            sentence = f"{listed([row['model'], *tied], 3)} are tied" if tied else f"{sentence}, apart from no other"
        elif state == BEST:
            sentence = f"{row['model']} is best with {said(row['mean'])}"
        elif state == NOT_ABOVE:
            sentence, floor = f"No model is above {floor[2:]}", ""
        return f"{sentence}{floor}: {asked_of(question.about)}"
    return title


def trend(marks: Iterable[Row], axis: str, over: str, title: str) -> str:
    """Return how the model changes whose intervals at its least and greatest ``axis`` are the furthest apart."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for mark in marks:
        if mark["low"] is not None:
            groups.setdefault((mark["panel"], mark["model"]), []).append(mark)
    trends = []
    for (panel, model), rows in groups.items():
        first, last = min(rows, key=lambda row: row[axis]), max(rows, key=lambda row: row[axis])
        gap = max(first["low"] - last["high"], last["low"] - first["high"])
        verb = "falls" if first["mean"] > last["mean"] else "rises"
        trends.append((gap, f"{model} {verb} from {said(first['mean'])} to {said(last['mean'])} with {over} ({panel})"))
    return max(trends)[1] if trends and max(trends)[0] > 0 else title


def difference(rows: Iterable[Row], title: str) -> str:
    """Return the greatest difference whose adjusted p is below 0.05."""
    apart = [row for row in rows if row["adjusted"] is not None and row["adjusted"] < 0.05]
    if not apart:
        return title
    row = max(apart, key=lambda row: abs(row["difference"]))
    first, second = (row["first"], row["second"]) if row["difference"] > 0 else (row["second"], row["first"])
    return f"{first} scores {said(abs(row['difference']))} above {second} ({row['task']}: {row['metric']})"


def said(value: float) -> str:
    """Return a score with two decimals, without the 0 before the point."""
    return f"{value:.2f}".removeprefix("0")
