"""The topics of ``nlfol_extras``, each behind the one whose tables its own follow."""

from nlfol.results.analyses.topic import Topic


def _topic(name: str, inputs: str, files: str, tables: str, *, about: str, after: str, always: bool = False) -> Topic:
    """Return a topic; inputs, files and tables are names between blanks."""
    needed, made, shown = (tuple(names.split()) for names in (inputs, files, tables))
    rows_about, is_small = "experiment" if always else about, name not in ("gold_audit", "reading_sets")
    return Topic(name, about, needed, made, shown, rows_about, is_small, f"nlfol_extras.analyses.{name}", after)


CLAIMS = _topic(
    *("claims", "scores thinking stability strategies programs wordings measures", "claims", "claims"),
    about="experiment",
    after="scores",
)
NAMED_COMPARISONS = _topic(
    *("named_comparisons", "scores compared planned", "named", "named_comparisons ranks"),
    about="comparisons",
    after="comparisons",
)
SEEDS = _topic("seeds", "scores", "repetitions", "repetitions", about="dialogues", after="task_agreement", always=True)
FACETS = _topic("facets", "scores", "facets", "facets", about="dialogues", after="seeds", always=True)
DIFFICULTY = _topic(
    "difficulty", "scores measures", "difficulty", "difficulty unsolved", about="sentences", after="facets"
)
SOLVERS = _topic("solvers", "scores problem_items", "solvers", "solvers", about="program", after="answers", always=True)
READINGS = _topic("readings", "scores", "readings", "readings", about="dialogues", after="solvers")
READING_SETS = _topic(
    "reading_sets", "translation_scores triples", "reading_sets", "reading_sets", about="readings", after="readings"
)
CROSSED = _topic("crossed", "crossed_scores informalizers", "crossed", "crossed", about="chain", after="attribution")
ONTOLOGIES = _topic(
    *("ontologies", "own_scores given_scores own_items scopes", "ontologies", "ontologies"),
    about="own_formula",
    after="faults",
)
WORDS = _topic("words", "problem_items examples", "words", "words", about="wordings", after="strategies")
TRANSITIONS = _topic(
    *("transitions", "problem_scores programs wordings origins", "transitions", "transitions"),
    about="program",
    after="words",
)
CHAINS = _topic("chains", "problem_scores verdicts_of", "chains", "chains", about="verdicts_of", after="transitions")
RELEASED = _topic("released", "solvers released_models", "released", "released", about="released", after="chains")
LEVELS = _topic("levels", "programs", "levels", "levels", about="program", after="released")
GOLD_VOTES = _topic("gold_votes", "programs problem_items", "gold_votes", "gold_votes", about="golds", after="levels")
SUSPECT_GOLD = _topic(
    *("suspect_gold", "programs problem_items", "suspect_gold", "suspect_gold"), about="program", after="gold_votes"
)
VALIDITY = _topic(
    "validity", "cells figures", "validity", "validity", about="experiment", after="benchmarks", always=True
)
PUBLISHED = _topic("published", "", "", "published", about="experiment", after="rewrites")
_CHOSEN = "choice_scores choice_items"
POSITIONS = _topic("positions", _CHOSEN, "positions", "positions", about="choices", after="generated")
DIMENSIONS = _topic("dimensions", _CHOSEN, "dimensions", "dimensions", about="choices", after="positions")
MISRANKED = _topic("misranked", "scores candidates", "misranked", "misranked", about="candidates", after="dimensions")
CONFIDENCE = _topic(
    *("confidence", "scores responses", "confidence calibration", "confidence"), about="logprobs", after="members"
)
COSTS = _topic("costs", "responses", "costs", "costs", about="dialogues", after="members")
REFUSALS = _topic(
    *("refusals", "datasets sentences triples problems item_files answers examples", "refusals"),
    "funnel refused refused_rows",
    about="experiment",
    after="costs",
)
GOLD_AUDIT = _topic(
    *("gold_audit", "translation_scores evidence sentences", "gold_audit gold_audit.jsonl", "gold_audit"),
    about="translations",
    after="audit",
)
