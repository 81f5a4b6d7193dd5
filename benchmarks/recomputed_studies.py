"""Tables of round trips and problems, computed again for ``recomputed_tables``.

Nothing of nlfol is imported.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict

import polars as pl
from benchmarks.recomputed_run import Cells, Run, Shown, estimated, kind_of, sample, scored, seeds, table
from benchmarks.recomputed_statistics import ratio

ENDS = ("completed", "not_equivalent", "unknown", "invalid", "unparsable", "copied")
SMALL = {
    "truth_operators_6": ("operators_published", 6),
    "truth_operators_30": ("operators_published", 30),
    "truth_depth_7": ("depth", 7),
}


@table("round_trip", "dataset task model presentation source round")
def _round_trip(run: Run, row: Shown) -> Cells:
    """Scores of a round; of the first one those of small generated items, too, and why chains ended."""
    if row["source"] == "published":
        return {}
    if (nothing := run.nothing_asked(row)) is not None:
        return nothing
    answers = run.of(row, "dataset task model presentation", round=int(row["round"]))
    end = "" if row["round"] == "1" else f"@{row['round']}"
    cells = {**sample(answers), "seeds": seeds(answers)}
    for metric in ("truth_uncopied", "truth", "compliance", "copied"):
        cells |= scored(metric, answers.filter(metric=metric + end))
    if end:
        return cells
    for metric in ("bleu", "chrf", "rouge_l", "meteor", "bertscore"):
        cells |= scored(metric, answers.filter(metric=metric))
    sizes = run.of_dataset(row["dataset"], "measures")
    is_generated = "category" in sizes.columns and sizes["category"].count()
    for name, (measure, most) in SMALL.items():
        small = sizes.filter(pl.col(measure) <= most)["item"].to_list() if is_generated else []
        cells |= scored(name, answers.filter(pl.col("item").is_in(small), metric="truth"))
    stops = Counter(answers.filter(metric="truth_uncopied")["stop"].drop_nulls())
    if stops:
        cells |= {f"stop_{stop}": stops[stop] for stop in ENDS}
        cells["stop_lost"] = sum(count for stop, count in stops.items() if stop not in ENDS)
        if "encoded" in row:
            cells["encoded"] = answers.filter(metric="copied", fault="encoded").height
    return cells


WORDS = {"true", "false", "unknown", "uncertain", "yes", "no"}


def problems(run: Run, row: Shown) -> dict[str, Cells]:
    """The problems that a task asks about: story, right label and labels."""
    file = run.stage("items", row, "dataset", "task")
    usable = file.rows.filter(status="usable").select("item", "story", "formula", "problem")
    found = {}
    for item, story, right, problem in usable.iter_rows():
        words = [option["text"].lower() for option in json.loads(problem)["options"]]
        plain = len(set(words)) == len(words) and set(words) <= WORDS
        labels = words if plain else [chr(ord("A") + place) for place in range(len(words))]
        found[item] = {"story": story, "right": right, "labels": labels}
    return found


@table("question_answering", "dataset task presentation model label")
def _question_answering(run: Run, row: Shown) -> Cells:
    """A label against all others; “always X” gives one label to each item that has it."""
    asked, label, kind = problems(run, row), row["label"], "constant"
    if row["model"].startswith("always "):
        said: list[tuple[str, str | None]] = [
            (item, label) for item, problem in asked.items() if label in problem["labels"]
        ]
    else:
        answers = run.of(row, "dataset task presentation model", metric="right")
        rows, kind = answers.select("item", "outcome", "answer").iter_rows(), kind_of(answers)
        said = [(item, answer if outcome == "answered" else None) for item, outcome, answer in rows]
    cases: dict[str, Counter[str]] = defaultdict(Counter)
    for item, answer in said:
        case = ("ip", "in") if answer is None else ("tp", "fp") if answer == label else ("fn", "tn")
        cases[case[asked[item]["right"] != label]][item] += 1
    items = list(dict.fromkeys(item for item, _ in said))

    def share(name: str, part: str, whole: str) -> Cells:
        parts, wholes = (
            [sum(cases[case][item] for case in names.split()) for item in items] for names in (part, whole)
        )
        return estimated(name, ratio(parts, wholes, [asked[item]["story"] for item in items]), kind)

    counts = {case: cases[case].total() for case in ("tp", "fp", "tn", "fn", "ip", "in")}
    confused = Counter(answer for item, answer in said if asked[item]["right"] == label)
    every = dict.fromkeys(label for item, _ in said for label in asked[item]["labels"])
    answered = ", ".join(f"{each or 'unread'} {confused[each]}" for each in (*every, None) if confused[each])
    return {
        "answers": counts["tp"] + counts["fn"] + counts["ip"],
        "answered": answered,
        **counts,
        **share("precision", "tp", "tp fp"),
        **share("recall", "tp", "tp fn ip"),
        **share("tnr", "tn", "tn fp in"),
        **share("f1", "tp tp", "tp tp fp fn ip"),
    }


table("program_answers", "dataset task presentation model label")(_question_answering)
