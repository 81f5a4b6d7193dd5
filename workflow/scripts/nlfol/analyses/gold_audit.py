"""Gold formulas that all dialogue models contradict while they agree."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.gold_audit import gold_audit, proposals
from nlfol.store.analysis_schemas import GOLD_AUDIT
from nlfol.tables import gold
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(
        Rows(GOLD_AUDIT, lambda given: gold_audit(given.loaded("translation_scores"), given.by_dataset("sentences"))),
    ),
    tables=(DrawnForm("gold_audit", ("gold_audit",), gold.gold_audit),),
    texts={"gold_audit.jsonl": lambda given: proposals(given.made["gold_audit"])},
)
