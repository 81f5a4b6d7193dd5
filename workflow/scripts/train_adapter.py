"""Train a LoRA adapter on a set of examples (``nlfol.training.lora``)."""

import json
import shutil
from pathlib import Path

from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.local.devices import claimed
from nlfol.models.local.materialisation import adapter_digest
from nlfol.models.providers.registry import read_entry
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from
from nlfol.store.training_schemas import LOSSES
from nlfol.training.entry import Settings
from nlfol.training.lora import SAVED_EVERY, read_dialogues, train


def main(
    training_json: str,
    model_json: str,
    examples: Path,
    weights: Path,
    *,
    training: str,
    adapter: Path,
    losses: Path,
    saved_every: int = SAVED_EVERY,
) -> None:
    """Train an adapter on the materialised model in ``weights``; one that was killed goes on from its last checkpoint.

    Raises ``TypeError`` if the model does not run here, and as ``train``.
    """
    settings, base = Settings.model_validate_json(training_json), read_entry(model_json)
    if not isinstance(base, LocalChatEntry):
        raise TypeError(f"{base.identity}: no dialogue model that runs here")
    done = train(settings, base, weights, read_dialogues(examples), adapter, saved_every=saved_every)
    for index, tokens in done.left_out:
        LOGGER.warning(
            f"warning: training.{training}: left out: example {index + 1} of {tokens} tokens exceeds the context"
        )
    about = {
        "training": training,
        "settings": settings.model_dump_json(),
        "base": done.base,
        "adapter": adapter_digest(adapter),
        "examples": files.digest(examples),
        "learnt": str(done.learnt),
        "left_out": json.dumps(done.left_out),
        "engine": done.engine,
        **made_from(examples),
    }
    files.write(losses, LOSSES, done.losses, about)
    shutil.rmtree(done.work)


if __name__ == "__main__":
    run_job(main, claimed)
