"""``nlfol export --table``: a table of a run for print: some models and columns, in words, best first.

Bold are the models that are best, or tied, by the ranks of the run (``headlines``); no table is read by eye. Columns
that say the same of every row are said once, in the caption.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from math import inf
from pathlib import Path

from nlfol.cli.again import configured
from nlfol.config import read_configuration
from nlfol.provenance.manifest import read
from nlfol.report.sheets import IDENTIFIERS
from nlfol.results.analyses.analysis import Given
from nlfol.results.analyses.drawing import build
from nlfol.results.analyses.registry import FILES
from nlfol.results.statistics.summary import COMPARED
from nlfol.results.tables.headlines import BEST, TIED, Question, standings, worded
from nlfol.results.tables.latex import COLUMN, PAGE, to_latex
from nlfol.results.tables.rendering import to_csv, to_markdown
from nlfol.results.tables.table import Cell, Column, Kind, Score, Table, TableError, Written, shown

_COUNTED = {Kind.COUNT, Kind.SAMPLE}
_NAMES = ("model", "first", "second")
"""Columns of models."""

_RANK = (
    "Bold: best of all models of the run on these items, or tied with it, and above the best score without reading. "
    "Rank: the places that are possible."
)

_CAPTION = "Mean score of each model, by metric."

Key = tuple[Cell, ...]


class Run:
    """A finished run: its folder of results, manifest, configuration, and the rows behind its tables as ``given``.

    ``digest`` and ``root`` are those by which it can be known again, as short as in the notes of its tables.
    """

    def __init__(self, folder: Path) -> None:
        """Read a folder of results; raises ``ValueError`` (``StoreError`` among them) if it has no usable manifest."""
        self.folder, self.manifest = folder, read(folder / "manifest.json")
        self.digest = str(self.manifest["digest"])[:12]
        self.root = str(self.manifest["environment"].get("root") or "")[:32]
        self.configuration = read_configuration(configured(folder))
        files = {name: [path] for name in FILES if (path := folder / f"tables/{name}.arrow").is_file()}
        files |= {"audits": [*folder.glob("audits/*/*.arrow")], "figures": [*map(Path, self.configuration.figures)]}
        settings = {"names": self.configuration.published_names, "ways": self.configuration.ways}
        self.given = Given(files, {**settings, "planned": self.configuration.planned})

    @property
    def kinds(self) -> dict[str, str]:
        """Return the kind of each model with scores."""
        return dict(self.given.frame("cells").select("model", "kind").iter_rows())

    def questions(self) -> dict[Key, Question]:
        """Return the questions of the leaderboard by dataset, task and presentation."""
        rows = [self.given.frame(name).to_dicts() for name in ("cells", "ranks", "verifications")]
        names = ("dataset", "task", "presentation")
        asked = standings(*rows, board=self.given.planned.models)
        return {tuple(question.about[name] for name in names): question for question in asked}

    def chosen(self, models: Collection[str]) -> set[str]:
        """Return the models to show, by default all but written examples; raises ``TableError`` if one is not there."""
        for name in models:
            if name not in self.kinds:
                raise TableError(f"no model {name!r} in {self.folder}; there are {', '.join(self.kinds)}")
        return set(models) or {model for model, kind in self.kinds.items() if kind != "written"}

    def table(self, name: str) -> Table:
        """Return a table of the run, or of a task its scores with a column for each metric.

        Raises ``TableError`` if there is none of this name.
        """
        tables = sorted(path.stem for path in (self.folder / "tables").glob("*.csv"))
        if name in tables:
            return build(name, self.given)
        tasks = self.given.frame("cells")["task"].unique(maintain_order=True).to_list()
        if name not in tasks:
            others = [task for task in tasks if task not in tables]
            raise TableError(f"no table {name!r} in {self.folder}; there are {', '.join([*tables, *others])}")
        return _by_metric(build("scores", self.given), name)


def _by_metric(scores: Table, task: str) -> Table:
    """Return the rows of a task of the table of all scores, with its metrics side by side."""
    place = {column.name: index for index, column in enumerate(scores.columns)}
    named = [place[name] for name in ("dataset", "task", "protocol", "presentation", "model", "items", "seeds")]
    rows: dict[Key, dict[str, Cell]] = {}
    for row in scores.rows:
        if row[place["task"]] == task:
            metric = str(row[place["metric"]])
            rows.setdefault(tuple(row[index] for index in named), {})[metric] = row[place["score"]]
    metrics = dict.fromkeys(metric for of_row in rows.values() for metric in of_row)
    columns = [scores.columns[index] for index in named]
    columns += [Column(metric, _headed(metric), Kind.SCORE) for metric in metrics]
    cells = tuple((*row, *(of_row.get(metric) for metric in metrics)) for row, of_row in rows.items())
    return replace(scores, name=task, title=_headed(task), caption=_CAPTION, columns=tuple(columns), rows=cells)


def _headed(name: str) -> str:
    words = worded(name)
    return words[:1].upper() + words[1:]


def printed(run: Run, name: str, models: Sequence[str] = (), columns: Sequence[str] = ()) -> Table:
    """Return a table, or the scores of a task, for print; by default with the first count and all measures.

    Raises ``TableError`` if there is no such table, model or column, or no row is left.
    """
    table, shown_models = run.table(name), run.chosen(models)
    named = [index for index, column in enumerate(table.columns) if column.name in _NAMES]
    kept = [row for row in table.rows if all(row[index] in (None, *shown_models) for index in named)]
    if not kept:
        raise TableError(f"table {name!r} has no row{' of ' + ', '.join(models) if models else ''}")
    ranked = _ranked(replace(table, rows=tuple(kept)), run.questions())
    return _reduced(_ordered(ranked, run.kinds), columns, run)


def _ranked(table: Table, questions: Mapping[Key, Question]) -> Table:
    """Return the table with the best models bold, and their ranks behind the scores that they are ranked by."""
    names = [column.name for column in table.columns]
    rows = [list(row) for row in table.rows]
    ranks: dict[int, list[str]] = {}
    for number, row in enumerate(table.rows):
        values = dict(zip(names, row, strict=True))
        for index, question in _questions(values, names, questions):
            state = {model["model"]: state for model, state in question.models}.get(str(values["model"]), "")
            cell = row[index]
            if isinstance(cell, Score):
                rows[number][index] = replace(cell, best=state in (BEST, TIED))
                ranks.setdefault(index, [""] * len(rows))[number] = question.rank_of(str(values["model"]))
    columns = list(table.columns)
    for index in sorted((index for index, texts in ranks.items() if any(texts)), reverse=True):
        prefix = "" if len(ranks) == 1 else f"{names[index]}_"
        columns.insert(index + 1, Column(f"{prefix}rank", "Rank", Kind.TEXT))
        for number, of_row in enumerate(rows):
            of_row.insert(index + 1, ranks[index][number] or None)
    is_led = any(isinstance(cell, Score) and cell.best for row in rows for cell in row)
    notes = (_RANK, *table.notes) if is_led and ranks else table.notes
    return replace(table, columns=tuple(columns), rows=tuple(map(tuple, rows)), notes=notes)


def _questions(
    values: Mapping[str, Cell], names: Sequence[str], questions: Mapping[Key, Question]
) -> Iterator[tuple[int, Question]]:
    """Yield the places of scores by which models are ranked, in a row that is of one task or of several."""
    tasks = {"": values.get("task")}
    tasks |= {name.removesuffix("task"): values[name] for name in names if name.endswith("_task")}
    for prefix, task in tasks.items() if "model" in values else ():
        question = questions.get((values.get("dataset"), task, values.get("presentation") or ""))
        if question is not None:
            metric = question.about["metric"]
            column = "score" if values.get("metric") == metric else f"{prefix}{metric}"
            if column in names:
                yield names.index(column), question


def _ordered(table: Table, kinds: Mapping[str, str]) -> Table:
    """Return the table with what rows have in common before their models, and these by score, references last."""
    led = _led(table)
    order = sorted(range(led), key=lambda index: table.columns[index].name in _NAMES)
    order += range(led, len(table.columns))
    score = next((index for index, column in enumerate(table.columns) if column.kind is Kind.SCORE), None)
    model = next((index for index, column in enumerate(table.columns) if column.name == "model"), None)
    rows = list(table.rows)
    if score is not None and model is not None:
        blocks = [tuple(row[index] for index in order[:led] if index != model) for row in rows]

        def place(number: int) -> tuple[int, bool, float]:
            cell = rows[number][score]
            mean = cell.mean if isinstance(cell, Score) else -inf
            return blocks.index(blocks[number]), kinds.get(str(rows[number][model])) not in COMPARED, -mean

        rows = [rows[number] for number in sorted(range(len(rows)), key=place)]
    columns = tuple(table.columns[index] for index in order)
    return replace(table, columns=columns, rows=tuple(tuple(row[index] for index in order) for row in rows))


def _reduced(table: Table, wanted: Sequence[str], run: Run) -> Table:
    """Return the table in words, with the columns that are wanted and differ, and what the others say as a sentence."""
    names = [column.name for column in table.columns]
    led = _led(table)
    for name in wanted:
        if name not in names:
            raise TableError(f"table {table.name!r} has no column {name!r}; there are {', '.join(names)}")
    kinds = run.kinds
    counts = [index for index in range(led, len(names)) if table.columns[index].kind in _COUNTED]
    asked = [names.index(name) for name in wanted if names.index(name) >= led]
    if not wanted:
        asked = sorted(
            [*counts[:1], *(index for index in range(led, len(names)) if _is_measured(table.columns[index]))]
        )
    told, kept = list[str](), list[int]()
    for index in dict.fromkeys([*range(led), *counts, *asked]):
        column = table.columns[index]
        cells = {shown(_word(column, row[index], kinds)) for row in table.rows if row[index] is not None}
        if len(cells) > 1 or (cells and (_is_measured(column) or column.name in _NAMES)):
            kept += [index] if index < led or index in asked else []
        elif not cells and column.name in wanted:
            raise TableError(f"table {table.name!r}: column {column.name!r} has no value for these models")
        elif not column.name.endswith("_task"):
            told += [f"{column.header.lower()} {cell}" for cell in cells - {"0"}]
    kept.sort(key=lambda index: (index >= led, asked.index(index) if index in asked else index))
    drawn = tuple(table.columns[index] for index in kept)
    rows = tuple(
        tuple(_word(column, row[index], kinds) for column, index in zip(drawn, kept, strict=True)) for row in table.rows
    )
    headers = [column.header for column in drawn]
    if any(isinstance(cell, Score) and cell.best for row in rows for cell in row):
        headers.append("Bold")
    said = [text for text in table.notes[1:] if any(text.startswith(f"{header}:") for header in headers)]
    caption = f"{table.caption} All rows: {'; '.join(told)}." if told else table.caption
    known = f"nlfol {run.manifest['environment']['packages']['nlfol']}; run {run.digest}; root {run.root or 'unknown'}."
    notes = (*table.notes[: 2 if table.notes[:1] == (_RANK,) else 1], *said, known)
    return replace(table, caption=caption, columns=drawn, rows=rows, notes=notes)


def _led(table: Table) -> int:
    """Return the number of the first columns that name what a row is of."""
    return len([*takewhile(lambda column: column.kind is Kind.TEXT, table.columns)])


def _is_measured(column: Column) -> bool:
    return column.kind in (Kind.SCORE, Kind.SHARE) or column.name.rpartition("_")[2] == "rank"


def _word(column: Column, cell: Cell, kinds: Mapping[str, str]) -> Cell:
    """Return a cell in words: identifiers, and the names of references; those of models stay as they are."""
    is_ours = column.name in {*IDENTIFIERS, "dataset"} or (
        column.name in _NAMES and kinds.get(str(cell)) not in COMPARED
    )
    if not is_ours or not isinstance(cell, str):
        return cell
    return Written(worded(cell)) if isinstance(cell, Written) else worded(cell)


def rendered(
    run: Run, name: str, models: Sequence[str], columns: Sequence[str], *, form: str, width: str | None = None
) -> tuple[str, list[str]]:
    """Return a table as "latex", "markdown" or "csv", and the columns that found no room, none that was asked for.

    A LaTeX table without a ``width``, "column" or "page", has the first that has room. Raises ``TableError`` as
    ``printed``, and if the columns do not fit.
    """
    table, left_out = printed(run, name, models, columns), list[str]()
    if form != "latex":
        return (to_csv if form == "csv" else to_markdown)(table), left_out
    while True:
        for room in {"column": [COLUMN], "page": [PAGE]}.get(width or "", [COLUMN, PAGE]):
            try:
                return to_latex(table, room), left_out
            except TableError as error:
                last = error
        *kept, gone = [column.name for column in table.columns]
        if columns or sum(map(_is_measured, table.columns)) < 2:
            others = ", or give --width page" if width == "column" else ""
            raise TableError(f"{last}; choose with --columns, --models or a task{others}")
        left_out.insert(0, gone)
        table = printed(run, name, models, kept)
