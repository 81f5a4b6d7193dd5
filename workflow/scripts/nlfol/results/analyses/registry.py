"""All analyses, in the order of their tables; modules by name, as importing them would delay every start."""

from collections.abc import Mapping
from enum import StrEnum

from nlfol.mappings import JsonObject
from nlfol.plugins import in_order, registered
from nlfol.results.analyses.topic import Topic


class Subject(StrEnum):
    """Subject of an experiment; for tasks, the form of their answers (``facts.AnswerForm``)."""

    EXPERIMENT = "experiment"  # all are
    SENTENCES = "sentences"  # datasets that hold no problems
    PROBLEMS = "problems"  # datasets that do
    WORDINGS = "wordings"  # problems in other words
    FORMULAS = "formula"
    OWN_FORMULAS = "own_formula"
    CHAINS = "chain"
    VERDICTS = "verdict"
    PROGRAMS = "program"
    RATINGS = "rating"
    CANDIDATES = "candidates"  # tasks with candidate sets
    CONTROLS = "controls"  # tasks that are asked blind, too
    DIALOGUES = "dialogues"  # models that are asked in words, or have been
    CHOICES = "choices"  # candidates that these choose from
    COMPARISONS = "comparisons"  # that the experiment names
    GOLDS = "golds"  # problems with one gold and with another
    VERDICTS_OF = "verdicts_of"  # programs of which another solver's verdicts are given
    RELEASED = "released"  # answers that others released, with what they published of them
    TRAINED = "trained"  # models with adapters trained here
    READINGS = "readings"  # sentences of which several formulas are accepted
    LOGPROBS = "logprobs"  # models whose answers are to come with their log-probability
    TRANSLATIONS = "translations"  # formulas that these give for a dataset's sentences


def _topic(name: str, about: str, inputs: str, files: str, tables: str, *, always: bool = False) -> Topic:
    """Return a line of the registry; inputs, files and tables are names between blanks."""
    rows_about = Subject.EXPERIMENT if always else about
    needed, made, shown = (tuple(names.split()) for names in (inputs, files, tables))
    return Topic(name, about, needed, made, shown, rows_about, True, f"nlfol.results.analyses.{name}")


_S = Subject
_OURS: Mapping[str, Topic] = {
    topic.name: topic
    for topic in (
        _topic("translations", _S.FORMULAS, "", "", "logical_translation"),
        _topic("ceiling", _S.READINGS, "scores", "both_wrong", "ceiling both_wrong"),
        _topic("choices", _S.CANDIDATES, "", "", "dialogue embedding"),
        _topic("reading", _S.CONTROLS, "scores planned", "reading", "reading"),
        _topic("round_trip", _S.CHAINS, "scores", "stops few_shot", "round_trip few_shot", always=True),
        _topic("attribution", _S.CHAINS, "round_trip_scores measures", "attributions", "attribution"),
        _topic(
            *("verification", _S.VERDICTS, "verification_scores verification_items", "verifications"),
            "verification verification_strata",
        ),
        _topic("scores", _S.EXPERIMENT, "scores evidence", "cells", "scores above_chance"),
        _topic(
            "comparisons",
            _S.EXPERIMENT,
            "scores planned",
            "differences thinking ranks",
            "differences thinking agreement",
        ),
        _topic("task_agreement", _S.CANDIDATES, "scores", "task_agreements", "task_agreement", always=True),
        _topic("faults", _S.FORMULAS, "scores evidence", "correlations faults", "other_metrics faults", always=True),
        _topic(
            *("answers", _S.PROBLEMS, "scores problem_items", "classification depths"),
            "question_answering program_answers question_answering_depths depths",
            always=True,
        ),
        _topic("stability", _S.WORDINGS, "problem_scores programs wordings", "stability", "stability types"),
        _topic("drift", _S.PROGRAMS, "programs wordings", "drift causes", "drift consistency causes"),
        _topic("strategies", _S.PROGRAMS, "problem_scores programs wordings", "strategies", "strategies"),
        _topic("training", _S.TRAINED, "trained_scores trained_programs origins", "trained", "training"),
        _topic("rating", _S.RATINGS, "scores problem_items", "ratings", "rating", always=True),
        _topic("rewrites", _S.WORDINGS, "rewritten diversified wordings", "rewrites similarity", "rewrites similarity"),
        _topic("curves", _S.SENTENCES, "scores measures", "curves bounded", "curves"),
        _topic(
            *("benchmarks", _S.EXPERIMENT, "cells bounded verifications scores measures figures names ways"),
            *("benchmarks", "benchmarks"),
        ),
        _topic("formulas", _S.SENTENCES, "triples measures", "complexity corrections", "complexity corrections"),
        _topic("generated", _S.SENTENCES, "triples measures", "diversity counts", "diversity counts"),
        _topic("members", _S.CANDIDATES, "candidates", "edit_mix", "edit_mix set_sizes"),
        _topic("audit", _S.CANDIDATES, "", "", "audit"),
    )
}

TOPICS: Mapping[str, Topic] = in_order(_OURS, registered("tables", Topic, _OURS))
"""By name, those of other packages behind the topic that they name, or at the end."""

TABLES: Mapping[str, Topic] = {table: topic for topic in TOPICS.values() for table in topic.tables}
"""The topic of each table."""

FILES: Mapping[str, Topic] = {file: topic for topic in TOPICS.values() for file in topic.files if "." not in file}
"""The topic of each file of rows."""

SETTINGS: JsonObject = {
    **{
        name: {}
        for name in (
            "compared",
            "diversified",
            "names",
            "origins",
            "planned",
            "released_models",
            "scopes",
            "verdicts_of",
            "wordings",
        )
    },
    **{name: [] for name in ("datasets", "informalizers", "ways")},
}
"""Inputs that are no files but of the configuration, with what stands for them where there is none."""
