"""Every table by name: to add one, write its function and name it here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import polars as pl

from nlfol.statistics.comparisons import significantly_best
from nlfol.tables import (
    audits,
    benchmarks,
    candidates,
    claims,
    comparisons,
    costs,
    difficulty,
    generated,
    gold,
    ontologies,
    problems,
    published,
    rating,
    refusals,
    rewrites,
    round_trip,
    scores,
    stability,
    training,
    translations,
    verification,
)
from nlfol.tables.table import Table, TableError, Written


@dataclass(frozen=True, slots=True)
class Sources:
    """What tables are drawn from.

    Attributes:
        cells: rows of ``schemas.CELLS``.
        refusals: rows of ``schemas.REFUSALS``.
        audits: rows of ``schemas.AUDITS``.
        differences: rows of ``analysis_schemas.DIFFERENCES``, and so on.
        figures: the published figures, see ``resources/published``.
        positions: rows of ``claim_schemas.POSITIONS``.
        edit_mix: rows of ``schemas.EDIT_MIX``.
        corrections: rows of ``analysis_schemas.CORRECTIONS``.
        gold_audit: rows of ``analysis_schemas.GOLD_AUDIT``.
        costs: rows of ``analysis_schemas.COSTS``.
        diversity: rows of ``analysis_schemas.DIVERSITY``.
        counts: rows of ``analysis_schemas.COUNTS``.
        curves: rows of ``analysis_schemas.CURVES``.
        claims: rows of ``claim_schemas.CLAIMS``, and so on.
        bounded: rows of ``round_trip_schemas.BOUNDED``, and so on.
        solvers: rows of ``problem_schemas.SOLVERS``.
        classification: rows of ``problem_schemas.CLASSIFICATION``.
        depths: rows of ``problem_schemas.DEPTHS``.
        drift: rows of ``stability_schemas.DRIFT``.
        causes: rows of ``stability_schemas.CAUSES``.
        stability: rows of ``stability_schemas.STABILITY``.
        transitions: rows of ``stability_schemas.TRANSITIONS``.
        ontologies: rows of ``analysis_schemas.ONTOLOGIES``.
        ratings: rows of ``problem_schemas.RATINGS``.
        rewrites: rows of ``rewrite_schemas.REWRITES``.
        similarity: rows of ``rewrite_schemas.SIMILARITY``.
        trained: rows of ``training_schemas.TRAINED``.
    """

    cells: pl.DataFrame
    refusals: pl.DataFrame
    audits: pl.DataFrame
    differences: pl.DataFrame
    thinking: pl.DataFrame
    task_agreements: pl.DataFrame
    repetitions: pl.DataFrame
    correlations: pl.DataFrame
    faults: pl.DataFrame
    complexity: pl.DataFrame
    figures: pl.DataFrame

    @property
    def measured(self) -> published.Measured:
        """What there is to set beside the published figures."""
        return published.Measured(
            self.cells,
            self.bounded,
            self.differences,
            self.task_agreements,
            self.correlations,
            self.complexity,
            self.diversity,
            self.classification,
            self.drift,
            self.stability,
            self.ratings,
        )

    @property
    def best(self) -> set[tuple[str, str, str, str, str]]:
        """The scores that are significantly the best of their column."""
        return significantly_best(self.differences)

    positions: pl.DataFrame
    edit_mix: pl.DataFrame
    corrections: pl.DataFrame
    gold_audit: pl.DataFrame
    costs: pl.DataFrame
    diversity: pl.DataFrame
    counts: pl.DataFrame
    curves: pl.DataFrame
    claims: pl.DataFrame
    variances: pl.DataFrame
    difficulty: pl.DataFrame
    without_suspects: pl.DataFrame
    bounded: pl.DataFrame
    stops: pl.DataFrame
    few_shot: pl.DataFrame
    verifications: pl.DataFrame
    attributions: pl.DataFrame
    crossed: pl.DataFrame
    benchmarks: pl.DataFrame
    solvers: pl.DataFrame
    classification: pl.DataFrame
    depths: pl.DataFrame
    drift: pl.DataFrame
    causes: pl.DataFrame
    stability: pl.DataFrame
    transitions: pl.DataFrame
    ontologies: pl.DataFrame
    ratings: pl.DataFrame
    rewrites: pl.DataFrame
    similarity: pl.DataFrame
    trained: pl.DataFrame


TABLES: Mapping[str, Callable[[Sources], Table]] = {
    "logical_translation": lambda sources: scores.logical_translation(sources.cells, sources.best),
    "dialogue": lambda sources: scores.dialogue(sources.cells, sources.best),
    "embedding": lambda sources: scores.embedding(sources.cells, sources.best),
    "round_trip": lambda sources: round_trip.round_trip(
        sources.cells, sources.bounded, sources.stops, sources.figures, sources.best
    ),
    "few_shot": lambda sources: round_trip.few_shot(sources.few_shot),
    "attribution": lambda sources: round_trip.attribution(sources.attributions),
    "crossed": lambda sources: round_trip.crossed(sources.crossed),
    "verification": lambda sources: verification.verification(sources.verifications),
    "verification_strata": lambda sources: verification.verification_strata(sources.verifications),
    "scores": lambda sources: scores.every_score(sources.cells, sources.best),
    "above_chance": lambda sources: claims.above_chance(sources.cells),
    "claims": lambda sources: claims.claims(sources.claims),
    "differences": lambda sources: comparisons.differences(sources.differences),
    "thinking": lambda sources: comparisons.thinking(sources.thinking),
    "agreement": lambda sources: comparisons.agreement(sources.differences),
    "task_agreement": lambda sources: comparisons.task_agreement(sources.task_agreements),
    "repetitions": lambda sources: comparisons.repetitions(sources.repetitions),
    "variances": lambda sources: difficulty.variances(sources.variances),
    "difficulty": lambda sources: difficulty.difficulty(sources.difficulty),
    "other_metrics": lambda sources: translations.other_metrics(sources.cells, sources.correlations),
    "faults": lambda sources: translations.faults(sources.faults),
    "ontologies": lambda sources: ontologies.ontologies(sources.ontologies),
    "question_answering": lambda sources: problems.question_answering(sources.classification),
    "question_answering_depths": lambda sources: problems.question_answering_depths(sources.classification),
    "solvers": lambda sources: problems.solvers(sources.solvers),
    "depths": lambda sources: problems.depths(sources.depths),
    "stability": lambda sources: stability.stability(sources.stability),
    "types": lambda sources: stability.types(sources.stability),
    "drift": lambda sources: stability.drift(sources.drift),
    "consistency": lambda sources: stability.consistency(sources.drift),
    "causes": lambda sources: stability.causes(sources.causes),
    "transitions": lambda sources: stability.transitions(sources.transitions),
    "training": lambda sources: training.training(sources.trained),
    "rating": lambda sources: rating.rating(sources.ratings, sources.figures),
    "rewrites": lambda sources: rewrites.rewrites(sources.rewrites),
    "similarity": lambda sources: rewrites.similarity(sources.similarity),
    "published": lambda sources: published.published(sources.figures, sources.measured),
    "curves": lambda sources: generated.curves(sources.curves),
    "benchmarks": lambda sources: benchmarks.benchmarks(sources.benchmarks),
    "complexity": lambda sources: candidates.complexity(sources.complexity),
    "diversity": lambda sources: generated.diversity(sources.diversity, sources.figures),
    "counts": lambda sources: generated.counts(sources.counts),
    "positions": lambda sources: candidates.positions(sources.positions),
    "edit_mix": lambda sources: candidates.edit_mix(sources.edit_mix),
    "set_sizes": lambda sources: candidates.set_sizes(sources.edit_mix),
    "costs": lambda sources: costs.costs(sources.costs),
    "funnel": lambda sources: refusals.funnel(sources.refusals),
    "refused": lambda sources: refusals.refused(sources.refusals),
    "refused_rows": lambda sources: refusals.refused_rows(sources.refusals),
    "audit": lambda sources: audits.audit(sources.audits),
    "corrections": lambda sources: gold.corrections(sources.corrections),
    "gold_audit": lambda sources: gold.gold_audit(sources.gold_audit),
    "without_suspects": lambda sources: gold.without_suspects(sources.without_suspects),
}


def build(name: str, sources: Sources) -> Table:
    """Draw a table.

    Raises:
        TableError: if there is no table of that name.
    """
    if name not in TABLES:
        raise TableError(f"no table {name!r}; choose from {', '.join(TABLES)}")
    return _labelled(TABLES[name](sources), sources.cells)


def _labelled(table: Table, cells: pl.DataFrame) -> Table:
    """A table whose models that were not asked say so."""
    written = set(cells.filter(pl.col("kind") == "written")["model"])
    models = [place for place, column in enumerate(table.columns) if column.name == "model"]
    if not written or not models:
        return table
    (place,) = models
    rows = (
        (*row[:place], Written(row[place]), *row[place + 1 :]) if row[place] in written else row for row in table.rows
    )
    return replace(table, rows=tuple(rows))
