"""Fine-tuned models beside their bases."""

from __future__ import annotations

from typing import Any

from nlfol.analyses.analysis import Analysis, Given, Rows
from nlfol.statistics.trained import Origin, trained
from nlfol.store.training_schemas import TRAINED
from nlfol.tables import training as tables
from nlfol.tables.forms import DrawnForm


def _trained(given: Given) -> list[dict[str, Any]]:
    origins = {model: Origin(*origin) for model, origin in given.settings["origins"].items()}
    return trained(given.series("trained_scores"), given.programs("trained_programs"), origins)


ANALYSIS = Analysis(
    rows=(Rows(TRAINED, _trained),),
    tables=(DrawnForm("training", ("trained",), tables.training),),
)
