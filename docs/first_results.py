"""Tables of docs/first-results.md and of other pages, from what ``nlfol released`` made of released answers.

    python docs/first_results.py runs/all/results [JUDGED]    # records the tables of a run, and writes the pages
    python docs/first_results.py                              # writes the pages from what is recorded

A table stands in a page between ``<!-- NAME -->`` and ``<!-- end -->``. Recorded are tables as the run writes them, in
``resources/released/first_results``, and what ``benchmarks/released_programs.py judge`` found (JUDGED), counted.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import yaml

from nlfol_extras.analyses.named_comparisons import order

ROOT = Path(__file__).parent.parent
RECORDED = ROOT / "resources/released/first_results"
PAGES = (ROOT / "docs/first-results.md", ROOT / "docs/what-we-changed.md", ROOT / "README.md")
TABLES = ("released", "chains", "program_answers", "gold_votes", "levels")

MODELS = {
    "gpt-3.5-turbo": "GPT-3.5-turbo",
    "text-davinci-003": "text-davinci-003",
    "gemini-1.0-pro-vision-001": "Gemini 1.0 pro vision",
    "gemini-1.5-pro-preview-0514": "Gemini 1.5 pro",
    "llama-3.1-70b": "Llama-3.1-70B",
    "llama-3-70b": "Llama-3-70B",
    "llama-3-8b": "Llama-3-8B",
    "llama-2-70b": "Llama-2-70B",
    "mixtral-8x7b": "Mixtral-8x7B",
    "mistral-7b": "Mistral-7B",
    "qwen2.5-72b-instruct": "Qwen2.5-72B",
    "qwen2.5-32b-instruct": "Qwen2.5-32B",
}
"""Models of the first table, and what people call them."""

SHORT = (
    "gpt-3.5-turbo",
    "text-davinci-003",
    "gemini-1.5-pro-preview-0514",
    "llama-3-70b",
    "llama-3-8b",
    "mixtral-8x7b",
)
"""Those of README.md."""

DATASETS = {
    "folio_dev": "FOLIO",
    "proofwriter": "ProofWriter",
    "prontoqa": "ProntoQA",
    "logical_deduction": "LogicalDeduction",
    "ar_lsat": "AR-LSAT",
}
TRAINING = {"folio_train": "FOLIO, training"}

SPLITS = {
    "FOLIO_dev": "FOLIO, validation",
    "FOLIO_train": "FOLIO, training",
    **{name: name for name in DATASETS.values() if name != "FOLIO"},
}
"""Parts of file names, and the datasets that they stand for."""

FREE = 286
"""Released sets of most similar on FOLIO, of 1,565, whose only candidate is the right one."""

OPTIONS = {"FOLIO": 3, "ProofWriter": 3, "ProntoQA": 2}
"""Numbers of options, where all problems have equally many."""

Row = Mapping[str, Any]
Tables = Mapping[str, pl.DataFrame]


def recorded(folder: Path = RECORDED) -> Tables:
    """Return the tables of a folder, by name."""
    names = (*TABLES, "readings", "readings_by_file")
    return {name: pl.read_csv(folder / f"{name}.csv", infer_schema_length=None) for name in names}


def record(results: Path) -> None:
    """Keep the tables of a run, of answers by label those to FOLIO."""
    RECORDED.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        (RECORDED / f"{name}.csv").write_bytes((results / "tables" / f"{name}.csv").read_bytes())
    answers = pl.read_csv(RECORDED / "program_answers.csv", infer_schema_length=None).filter(dataset="folio_dev")
    answers.select("model", "label", "answered").write_csv(RECORDED / "program_answers.csv")


def draw(tables: Tables) -> None:
    """Draw the figure of published and sound accuracies."""
    from vl_convert import vegalite_to_svg

    from nlfol_extras.analyses.released import released_figure

    names = {"right_mean": "right", "executable_mean": "executable"}
    figure = released_figure(tables["released"].rename(names).with_columns(pl.col("dataset").replace(DATASETS)))
    assert figure is not None
    (ROOT / "docs/images/published-beside-sound.svg").write_text(
        vegalite_to_svg(figure.specification), encoding="utf-8"
    )


def record_readings(judged: Path) -> None:
    """Keep the counts of programs that run or are right, read strictly and tolerantly, by dataset and by file."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for line in judged.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "language" in row:
            named = {"strictly": row["strict"], "tolerantly": row["answer"]}
            runs = [f"run_{name}" for name, answer in named.items() if answer is not None]
            right = [name for name, answer in named.items() if answer == row["label"]]
            dataset = SPLITS[next(part for part in SPLITS if part in row["file"])]
            for place in ((dataset, row["file"]), (dataset, ""), ("all", "")):
                counts.setdefault(place, Counter()).update(["programs", *runs, *right])
    order = [*SPLITS.values(), "all"]
    columns = ("programs", "strictly", "tolerantly")
    rows = [
        {"dataset": dataset, "file": file, **{key: of[key] for key in (*columns, "run_strictly", "run_tolerantly")}}
        for (dataset, file), of in sorted(counts.items(), key=lambda pair: (order.index(pair[0][0]), pair[0][1]))
    ]
    table = pl.DataFrame(rows)
    table.filter(file="").select("dataset", *columns).write_csv(RECORDED / "readings.csv")
    table.filter(pl.col("file") != "").write_csv(RECORDED / "readings_by_file.csv")


def filled(page: str, tables: Tables) -> str:
    """Return a page with its tables."""

    def table(match: re.Match[str]) -> str:
        return f"<!-- {match[1]} -->\n{MAKERS[match[1]](tables)}\n<!-- end -->"

    return re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", table, page, flags=re.DOTALL)


def _markdown(headers: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(headers)
    rule = ["---", *["--:"] * (len(names) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (names, rule, *map(list, rows)))


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(row: Row, name: str) -> str:
    if row[f"{name}_mean"] is None:
        return "–"
    return f"{row[f'{name}_mean']:.3f} [{row[f'{name}_low']:.2f}, {row[f'{name}_high']:.2f}]"


def _beside(row: Row | None) -> str:
    if row is None:
        return ""
    before = "" if row["published"] is None else f"{row['published']:.3f} → "
    return before + f"**{row['right_mean']:.3f}** [{row['right_low']:.2f}, {row['right_high']:.2f}]"


def _by_place(tables: Tables) -> Mapping[tuple[str, str], Row]:
    return {(row["dataset"], row["model"]): row for row in tables["released"].to_dicts()}


def known(tables: Tables) -> str:
    """Models that people know, a row each."""
    places, names = _by_place(tables), {**DATASETS, **TRAINING}
    rows = ([name, *(_beside(places.get((data, key))) for data in names)] for key, name in MODELS.items())
    return _markdown(["published → **sound**", *names.values()], rows)


def adapters(tables: Tables) -> str:
    """Models without and with an adapter."""
    places = _by_place(tables)
    rows = (
        [DATASETS[data], model.removesuffix("-lora"), *(_interval(places[data, name], "right") for name in pair)]
        for data, model in places
        if model.endswith("-lora")
        for pair in [(model.removesuffix("-lora"), model)]
    )
    return _markdown(("dataset", "model", "without", "with adapter"), rows)


def short(tables: Tables) -> str:
    """Some of them, a row a dataset."""
    places = _by_place(tables)
    rows = ([name, *(_beside(places.get((data, key))) for key in SHORT)] for data, name in DATASETS.items())
    return _markdown(["published → **sound**", *(MODELS[key] for key in SHORT)], rows)


def every(tables: Tables) -> str:
    """All files, a row each."""
    names = {**DATASETS, **TRAINING}
    headers = ("dataset", "model", "date", "prompt", "n", "published", "in place of the others", "sound", "runs")
    rows = (
        [
            names[row["dataset"]],
            row["model"],
            str(row["date"]),
            f"{row['prompt']}, {row['examples']}",
            str(row["items"]),
            _share(row["published"]),
            row["fallback"] or ("not said" if row["published"] is not None else ""),
            _interval(row, "right"),
            _share(row["executable_mean"]),
        ]
        for data in names
        for row in tables["released"].filter(pl.col("dataset") == data).sort("right_mean", descending=True).to_dicts()
    )
    return _markdown(headers, rows)


def chains(tables: Tables) -> str:
    """Rows of the same programs by another solver."""
    headers = ("dataset", "model, their solver", "programs", "executed", "right", "same answer", "label sides with")
    rows = (
        [
            DATASETS[row["dataset"]],
            row["chain"].replace(".pyke", ", PyKE").replace(".prover9", ", Prover9").replace(".python", ", python"),
            str(row["programs"]),
            row["executed"],
            row["right"],
            row["same answer"],
            row["label"],
        ]
        for row in tables["chains"].to_dicts()
    )
    return _markdown(headers, rows)


def lost(tables: Tables) -> str:
    """Answers to FOLIO's definite labels, of programs that run."""
    models = set(tables["released"]["model"])
    counts: dict[str, Counter[str]] = {}
    for row in tables["program_answers"].to_dicts():
        if row["model"] in models and row["label"] in ("true", "false"):
            for part in (row["answered"] or "").split(", "):
                answer, _, count = part.rpartition(" ")
                if answer in ("true", "false", "uncertain"):
                    kind = "right" if answer == row["label"] else "uncertain" if answer == "uncertain" else "opposite"
                    for name in (row["model"], "**all**"):
                        counts.setdefault(name, Counter())[kind] += int(count)
    rows = (
        [
            model,
            f"{of.total():,}",
            *(f"{of[name]:,} ({of[name] / of.total():.2f})" for name in ("right", "uncertain", "opposite")),
        ]
        for model, of in sorted(counts.items(), key=lambda pair: pair[0] == "**all**")
    )
    return _markdown(("model", "programs that run", "right", "uncertain", "the opposite"), rows)


def votes(tables: Tables) -> str:
    """Lines at premises that our corrections change."""
    headers = ("model", "lines", "for the published", "for the corrected", "share for the corrected")
    rows = (
        [row["model"], *(str(row[name]) for name in ("lines", "for_first", "for_second")), _interval(row, "share")]
        for row in tables["gold_votes"].to_dicts()
    )
    return _markdown(headers, rows)


def levels(tables: Tables) -> str:
    """Right problems by the share of lines that are equivalent to gold."""
    bins = ("none", "below half", "half or more", "every")
    shown = tables["levels"].filter(dataset="folio_train_corrected")
    rows = []
    for model in dict.fromkeys(shown["model"]):
        of = {row["level"]: row for row in shown.filter(model=model).to_dicts()}
        cells = (f"{of[name]['right_mean']:.2f} ({of[name]['programs']})" if name in of else "–" for name in bins)
        rows.append(
            [model, _share(of["all"]["lines"]), _interval(of["all"], "right"), *cells, _share(of["all"]["within"])]
        )
    across = next(iter(shown.filter(level="all")["across"]))
    return (
        f"{_markdown(('model', 'lines', 'right', *bins, 'r within'), rows)}\n\nAcross these models, ρ = {across:.2f}."
    )


def readings(tables: Tables) -> str:
    """Right programs, read strictly and tolerantly."""
    rows = (
        [row["dataset"], f"{row['programs']:,}"]
        + [f"{row[name]:,} ({row[name] / row['programs']:.2f})" for name in ("strictly", "tolerantly")]
        for row in tables["readings"].to_dicts()
    )
    return _markdown(("dataset", "programs", "right, strictly", "right, tolerantly"), rows)


def moves(tables: Tables) -> str:
    """Shares of right programs, and the order of models, with and without each difference that needs no request."""
    files = {name: tables["readings_by_file"].filter(dataset=name).to_dicts() for name in SPLITS.values()}
    released, levels_of = tables["released"], tables["levels"].filter(level="all")
    pairs: list[tuple[str, str, Sequence[tuple[float, float]]]] = []
    for name, of in files.items():
        pairs += [("reading: strict → tolerant", name, [_of(row, "strictly", "tolerantly") for row in of])]
    for name, of in files.items():
        ran = [row for row in of if row["run_tolerantly"]]
        shares = [(row["tolerantly"] / row["programs"], row["tolerantly"] / row["run_tolerantly"]) for row in ran]
        pairs += [("out of: all → those that run", name, shares)]
    for name, of in files.items():
        if options := OPTIONS.get(name.partition(",")[0]):
            lost = [(row["tolerantly"], row["programs"] - row["run_tolerantly"], row["programs"]) for row in of]
            shares = [(right / all_of, (right + rest / options) / all_of) for right, rest, all_of in lost]
            pairs += [("programs that do not run: wrong → a random option", name, shares)]
    for key, name in DATASETS.items():
        rows = released.filter(pl.col("dataset") == key, pl.col("published").is_not_null()).to_dicts()
        pairs += [("chain: published → sound", name, [(row["published"], row["right_mean"]) for row in rows])]
    gold = {key: levels_of.filter(dataset=key).sort("model") for key in ("folio_train", "folio_train_corrected")}
    for column, name in (("lines", "FOLIO, training: lines"), ("right_mean", "FOLIO, training: programs")):
        pairs += [("gold: published → corrected", name, list(zip(*(of[column] for of in gold.values()), strict=True)))]
    headers = ("what differs", "dataset", "files", "mean", "changes by", "pairs in another order", "τ")
    return _markdown(headers, (_moved(*row) for row in pairs if len(row[2]) > 2))


def free_points(_: Tables) -> str:
    """Published shares of most similar on FOLIO, of all released sets and of those with a wrong candidate."""
    published = pl.read_csv(ROOT / "resources/published/nl_fol_lt.csv", infer_schema_length=None).filter(
        dataset="folio", task="most_similar"
    )
    rows: dict[str, dict[str, str]] = {}
    for row in published.to_dicts():
        rest = (row["mean"] * row["items"] - FREE) / (row["items"] - FREE)
        rows.setdefault(row["model"], {})[row["presentation"]] = f"{row['mean']:.2f} → {rest:.2f}"
    shown = ("formula", "english")
    return _markdown(("model", *shown), ([model, *(of[name] for name in shown)] for model, of in rows.items()))


def _of(row: Row, *names: str) -> tuple[float, float]:
    first, second = (row[name] / row["programs"] for name in names)
    return first, second


def _moved(what: str, dataset: str, shares: Sequence[tuple[float, float]]) -> list[str]:
    """Return a row of ``moves``; pairs that are tied in either way are in no other order."""
    before, after = zip(*shares, strict=True)
    changes = [second - first for first, second in shares]
    turned, pairs, tau = order(shares)
    return [
        what,
        dataset,
        str(len(shares)),
        f"{sum(before) / len(before):.3f} → {sum(after) / len(after):.3f}",
        f"{min(changes):+.3f} to {max(changes):+.3f}".replace("-", "−"),
        f"{turned} of {pairs}",
        "–" if tau is None else f"{tau:.2f}".replace("-", "−"),
    ]


def arms(_: Tables) -> str:
    """Pairs of entries in config/changed.yaml, and the key in which they differ."""
    values = yaml.safe_load((ROOT / "config/changed.yaml").read_text(encoding="utf-8"))
    rows = []
    for name, compared in values["comparisons"].items():
        for kind, key in (("tasks", "tasks"), ("models", "pairs")):
            for first, second in compared.get(key, ()):
                one, other = values[kind][first], values[kind][second]
                (differ,) = {part for part in one.keys() | other.keys() if one.get(part) != other.get(part)} - {
                    "models"
                }
                cells = (_value(entry.get(differ)) for entry in (one, other))
                rows.append([name, first, second, f"`{differ}`", *cells])
    return _markdown(("comparison", "first entry", "second entry", "key", "of the first", "of the second"), rows)


def _value(value: Any) -> str:
    return "as it is" if value is None else "`" + re.sub(r'[{}"]', "", json.dumps(value)) + "`"


MAKERS: Mapping[str, Callable[[Tables], str]] = {
    maker.__name__: maker
    for maker in (known, short, adapters, every, chains, lost, votes, levels, readings, moves, arms, free_points)
}

if __name__ == "__main__":
    if sys.argv[1:]:
        record(Path(sys.argv[1]))
        draw(recorded())
    if sys.argv[2:]:
        record_readings(Path(sys.argv[2]))
    for path in PAGES:
        path.write_text(filled(path.read_text(encoding="utf-8"), recorded()), encoding="utf-8")
