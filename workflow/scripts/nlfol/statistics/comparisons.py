"""Every two models of one kind on the questions that both were asked.

The p-values of one table, that is of all models of one kind over all its datasets and columns, are one family and are
adjusted together (``differences.holm``).
"""

import polars as pl

from nlfol.statistics.summary import Origin
from nlfol.tasks.task import AnswerForm


def table_of(source: Origin) -> str:
    """Return the table in which scores are shown, whose comparisons are one family."""
    if source.asked.form is AnswerForm.FORMULA:
        return "logical_translation"
    if source.asked.has_candidates():
        return "embedding" if source.kind == "embedding" else "dialogue"
    return "scores"


def significantly_best(differences: pl.DataFrame, level: float = 0.05) -> set[tuple[str, str, str, str, str]]:
    """Return the models that beat every other at a question: (dataset, task, metric, presentation, model).

    Args:
        differences: rows of ``analyses.comparisons.DIFFERENCES``.
        level: of the adjusted p-values.
    """
    beaten: dict[tuple[str, str, str, str], dict[str, list[bool]]] = {}
    for row in differences.to_dicts():
        models = beaten.setdefault((row["dataset"], row["task"], row["metric"], row["presentation"]), {})
        significant = row["adjusted"] < level
        models.setdefault(row["first"], []).append(significant and row["difference"] > 0)
        models.setdefault(row["second"], []).append(significant and row["difference"] < 0)
    return {(*question, model) for question, models in beaten.items() for model, wins in models.items() if all(wins)}
