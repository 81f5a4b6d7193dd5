"""Fine-tuned models: the score of a model with its adapter less that of its base, by item (MenTaL, table 4)."""

from collections.abc import Iterable, Mapping, Sequence

from nlfol.facts import RIGHT
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.drift import COVERED
from nlfol.results.statistics.aligned import Aligned, dispersions
from nlfol.results.statistics.contrasts import adjust, paired
from nlfol.results.statistics.pairing import COMPARISONS
from nlfol.results.statistics.summary import Series
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import Interval, Pairing, TaskColumns, Tested, row_schema, with_ends


class _Trained(TaskColumns):
    presentation: str
    strategy: str | None  # of a task of programs
    # with the adapter, what trained it, and the model that was trained
    model: str
    training: str
    base: str
    base_task: str  # that the base's answers are to: the same, or the first of its kind
    items: int
    available: int
    stories: int
    right_base: float | None
    right: float | None
    gain: float | None


class TrainedRow(_Trained, Tested, Pairing):
    """One row a dataset, task on problems, presentation and model with a trained adapter, beside its base."""

    # pooled, over the items of which both programs are aligned
    dispersion_base: Interval
    dispersion: Interval
    aligned: int | None  # these items; null without a solver, as the dispersions


TRAINED = row_schema("trained", 3, TrainedRow)


def trained(
    series: Iterable[Series], loaded: Iterable[Aligned], origins: Mapping[str, Sequence[str]]
) -> list[TrainedRow]:
    """Return the rows of ``TRAINED``, in the order of the series.

    Beside the answers of the base to the same task stand those to the first task of the kind whose programs have the
    same language: so a model that was trained to write a table of concepts first is compared with its base model, which
    writes none. ``origins`` names the training and the base of each model with a trained adapter.
    """
    programs = {(job.about["dataset"], job.about["task"], job.about["model"]): job for job in loaded}
    languages = {key: job.languages for key, job in programs.items()}
    asked = {
        (one.source.dataset, one.source.task, one.source.model, one.presentation): one
        for one in series
        if one.metric == RIGHT
    }
    rows: list[TrainedRow] = []
    for (dataset, task, model, presentation), one in asked.items():
        if model not in origins:
            continue
        training, base = origins[model]
        of_base = [
            key[1]
            for key, other in asked.items()
            if (key[0], key[2], key[3]) == (dataset, base, presentation)
            and other.source.task_kind == one.source.task_kind
            and languages.get(key[:3]) == languages.get((dataset, task, model))
        ]
        for base_task in dict.fromkeys([*([task] if task in of_base else []), *of_base[:1]]):
            comparison = "training" if task == base_task else "training_strategy"
            of_base_model = asked[dataset, base_task, base, presentation]
            figures = paired(one, of_base_model, comparison)
            own, other = (programs.get(key) for key in ((dataset, task, model), (dataset, base_task, base)))
            dispersion_base, dispersion, aligned = dispersions(other, own)
            row: TrainedRow = {
                **one.source.of_task,
                "model": model,
                "presentation": presentation,
                "strategy": None if own is None else own.about["strategy"],
                "training": training,
                "base": base,
                "base_task": base_task,
                "right": figures.first,
                "right_base": figures.second,
                "gain": figures.difference,
                **figures.columns,
                "dispersion_base": dispersion_base,
                "dispersion": dispersion,
                "aligned": aligned,
            }
            rows.append(with_ends(TrainedRow, row))
    adjust(rows)
    return rows


_GAIN = (
    "Gain: the tuned model less its base, item by item, with the interval at 95 % (clusters: stories). Base, task: the "
    "same, and the first of its kind and language where that is another."
)

TABLE = TableForm(
    "training",
    "Fine-tuned models",
    "Share of right answers, and dispersion of symbols, with an adapter that was trained and without.",
    (
        *columns.texts("dataset", "task", "model", "training", "base"),
        columns.text("base_task", "Base, task"),
        columns.text("presentation"),
        columns.sample(),
        columns.share("right_base", "Right, base"),
        columns.share("right", "Right, tuned"),
        *columns.contrast("gain", "Gain"),
        *columns.pairing("tuned", "base"),
        columns.interval("dispersion_base", "Dispersion, base"),
        columns.interval("dispersion", "Dispersion, tuned"),
        columns.count("aligned", "Items, dispersion"),
    ),
    (
        _GAIN,
        columns.PAIRING,
        *(COMPARISONS[name].note for name in ("training", "training_strategy")),
        columns.TEST,
        "Adjusted: by Holm over all rows of this table. Bold: adjusted p below 0.05.",
        f"Dispersion: as in the table of stability, of items whose programs are both aligned; {COVERED}",
        columns.SAMPLE,
    ),
    ("trained",),
    opens=nothing,
)

ANALYSIS = Analysis(
    rows=(
        Rows(
            TRAINED,
            lambda given: trained(
                given.series("trained_scores"), given.programs("trained_programs"), given.setting("origins")
            ),
        ),
    ),
    tables=(TABLE,),
)
