"""A training that is killed, as by a scheduler, when it is to see its twelfth batch: ``killed.py FOLDER MODEL``."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

from tests.unit.training.learning import train

from nlfol.training import lora

KILLED_AT = 12


def main(folder: Path, model: Path) -> None:
    seen, collate = 0, lora.collate

    def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal seen
        seen += 1
        if seen == KILLED_AT:
            os.kill(os.getpid(), signal.SIGKILL)
        return collate(*arguments, **named)

    setattr(lora, "collate", counted)  # noqa: B010 - another module's name
    train(folder, model, epochs=6, saved_every=3, dropout=0.1, batch=5)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
