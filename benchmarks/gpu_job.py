"""Things that the parts of ``benchmarks/gpu.py`` share: settings, figures, the model and its requests."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import yaml

from nlfol.config import Configuration, read_configuration
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.local import loading, materialisation
from nlfol.tasks.plan import Step

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.unit.tasks.published_prompts import first_requests

ROOT: Final = Path(__file__).resolve().parents[1]


class Figure(NamedTuple):
    """A figure of a part, with its unit in its name."""

    name: str
    value: float | int | str


class LackingError(RuntimeError):
    """Something that a part needs and this machine does not have."""


@dataclass(frozen=True)
class Job:
    """Settings of a part: the device (``auto``, ``cpu``, ``cuda``), sizes, the model, and where weights are kept.

    ``requests`` of 0 are all; ``vllm`` is the command of one in another environment.
    """

    device: loading.Device
    tiny: bool
    model: str
    requests: int
    vllm: str
    work: Path

    @property
    def is_random(self) -> bool:
        """True if the dialogue model is a tiny one with random weights."""
        return self.tiny or self.model == "random"

    @property
    def cuda(self) -> bool:
        """True if CUDA is used."""
        return loading.on_cuda(self.device, "gpu")


def configuration() -> Configuration:
    """Return the default experiment."""
    return read_configuration(yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8")))


def dialogue_model(job: Job) -> tuple[LocalChatEntry, Path]:
    """Return the dialogue model's entry and its materialised weights."""
    said = configuration().models["smollm2-135m"].model_dump(mode="json", exclude_unset=True)
    folder, tokens = job.work / "weights", 24 if job.tiny else said["limits"]["tokens"]
    if job.is_random:
        from tests.unit.models.conftest import save_model

        said["source"], folder = {"path": str(job.work / "tiny")}, job.work / "weights-tiny"
        if not (job.work / "tiny").exists():
            save_model("llama", job.work / "tiny", max_position_embeddings=8192)
    elif job.model:
        name, _, revision = job.model.partition("@")
        said["source"] = {"hub": name, "revision": revision} if revision else {"path": job.model}
        folder = job.work / f"weights-{Path(name).name}"
    changed = {"device": job.device, "limits": {"tokens": tokens}}
    entry = LocalChatEntry.model_validate({**said, **changed})
    if not folder.exists():
        materialisation.materialise(entry, folder)
    return entry, folder


def steps(job: Job) -> list[Step]:
    """Return the first requests of the default experiment's tasks, of each dataset and presentation; few for tiny."""
    found = [request.step for request in first_requests(configuration())][:: 5 if job.tiny else 1]
    return found[: job.requests or len(found)]


def short(error: BaseException) -> str:
    """Return an error in a line, without where the checkout lies."""
    return f"{type(error).__name__}: {error}".replace(f"{ROOT}/", "").split("\n")[0][:300]
