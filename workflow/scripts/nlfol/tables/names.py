"""The names of all tables. They stand apart from what draws them, whose import would delay every start of Snakemake."""

TABLE_NAMES = (
    "logical_translation",
    "dialogue",
    "embedding",
    "scores",
    "differences",
    "thinking",
    "agreement",
    "task_agreement",
    "repetitions",
    "other_metrics",
    "faults",
    "published",
    "complexity",
    "positions",
    "edit_mix",
    "set_sizes",
    "costs",
    "funnel",
    "refused",
    "refused_rows",
    "audit",
    "corrections",
    "gold_audit",
)
"""In the order in which they are shown; ``registry`` draws them."""
