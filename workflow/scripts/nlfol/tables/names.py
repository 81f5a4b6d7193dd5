"""The names of all tables, for whoever need not draw them: importing this takes no time."""

TABLE_NAMES = (
    "logical_translation",
    "dialogue",
    "embedding",
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
