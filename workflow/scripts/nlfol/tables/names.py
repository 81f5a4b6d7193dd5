"""The names of all tables, and what an experiment must be about to have them.

They stand apart from what draws tables, whose import would delay every start of Snakemake.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Subject(StrEnum):
    """What an experiment can be about, beside the kinds of its tasks, which go by their own names."""

    EXPERIMENT = "experiment"  # all are
    SENTENCES = "sentences"  # datasets that hold no problems
    PROBLEMS = "problems"  # datasets that do
    WORDINGS = "wordings"  # problems in other words
    FORMULAS = "formulas"  # tasks whose answers are formulas
    CANDIDATES = "candidates"  # tasks with candidate sets
    DIALOGUES = "dialogues"  # models that are asked in words, or have been
    CHOICES = "choices"  # candidates that these choose from
    TRAINED = "trained"  # models with adapters trained here
    TRANSLATIONS = "translations"  # formulas that these give for a dataset's sentences


TABLE_NAMES: Mapping[str, str] = {
    "logical_translation": "logical_translation",
    "dialogue": Subject.CANDIDATES,
    "embedding": Subject.CANDIDATES,
    "round_trip": "round_trip",
    "few_shot": "round_trip",
    "attribution": "round_trip",
    "crossed": "round_trip",
    "verification": "verification",
    "verification_strata": "verification",
    "scores": Subject.EXPERIMENT,
    "above_chance": Subject.EXPERIMENT,
    "claims": Subject.EXPERIMENT,
    "differences": Subject.EXPERIMENT,
    "thinking": Subject.EXPERIMENT,
    "agreement": Subject.EXPERIMENT,
    "task_agreement": Subject.CANDIDATES,
    "repetitions": Subject.DIALOGUES,
    "variances": Subject.DIALOGUES,
    "difficulty": Subject.SENTENCES,
    "other_metrics": Subject.FORMULAS,
    "faults": Subject.FORMULAS,
    "ontologies": "ontology_extraction",
    "question_answering": Subject.PROBLEMS,
    "question_answering_depths": Subject.PROBLEMS,
    "solvers": "program",
    "depths": Subject.PROBLEMS,
    "stability": Subject.WORDINGS,
    "types": Subject.WORDINGS,
    "drift": "program",
    "consistency": "program",
    "causes": "program",
    "transitions": "program",
    "training": Subject.TRAINED,
    "rating": "rating",
    "rewrites": Subject.WORDINGS,
    "similarity": Subject.WORDINGS,
    "published": Subject.EXPERIMENT,
    "curves": Subject.SENTENCES,
    "benchmarks": Subject.EXPERIMENT,
    "complexity": Subject.SENTENCES,
    "diversity": Subject.SENTENCES,
    "counts": Subject.SENTENCES,
    "positions": Subject.CHOICES,
    "edit_mix": Subject.CANDIDATES,
    "set_sizes": Subject.CANDIDATES,
    "costs": Subject.DIALOGUES,
    "funnel": Subject.EXPERIMENT,
    "refused": Subject.EXPERIMENT,
    "refused_rows": Subject.EXPERIMENT,
    "audit": Subject.CANDIDATES,
    "corrections": Subject.SENTENCES,
    "gold_audit": Subject.TRANSLATIONS,
    "without_suspects": Subject.TRANSLATIONS,
}
"""In the order in which they are shown, each with its subject; ``registry`` draws them."""

SOURCES: Mapping[str, str] = {
    "cells": Subject.EXPERIMENT,
    "refusals": Subject.EXPERIMENT,
    "positions": Subject.CHOICES,
    "edit_mix": Subject.CANDIDATES,
    "costs": Subject.DIALOGUES,
    "complexity": Subject.SENTENCES,
    "corrections": Subject.SENTENCES,
    "diversity": Subject.SENTENCES,
    "counts": Subject.SENTENCES,
    "curves": Subject.SENTENCES,
    "bounded": Subject.SENTENCES,
    "difficulty": Subject.SENTENCES,
    "gold_audit": Subject.TRANSLATIONS,
    "without_suspects": Subject.TRANSLATIONS,
    "verifications": "verification",
    "attributions": "round_trip",
    "crossed": "round_trip",
    "benchmarks": Subject.EXPERIMENT,
    "drift": "program",
    "causes": "program",
    "stability": Subject.WORDINGS,
    "transitions": "program",
    "trained": Subject.TRAINED,
    "ontologies": "ontology_extraction",
    "rewrites": Subject.WORDINGS,
    "similarity": Subject.WORDINGS,
}
"""Files of rows that tables are drawn from, beside those that one job makes of all scores, each with its subject."""
