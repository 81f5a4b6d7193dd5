"""The parts of ``benchmarks/gpu.py``, each a generator of figures that calls what the workflow calls.

    python benchmarks/gpu_parts.py PART OUTPUT --work FOLDER [--device auto] [--tiny] [--model ...] [--requests N]

OUTPUT is written after each figure, so a part that is killed has told what it knew.
"""

import argparse
import json
import os
import platform
import resource
import shutil
import struct
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.gpu_answers import embeddings, engines, precision, train, training
from benchmarks.gpu_job import Figure, Job, LackingError, dialogue_model, short

from nlfol.models.entries import memory
from nlfol.models.local import loading, materialisation
from nlfol.models.local.devices import claimed, devices

GIB: Final = 2**30
SHAPES: Final[dict[str, dict[str, Any]]] = {
    "8B": {"hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "vocab_size": 128256},
    "32B": {"hidden_size": 5120, "intermediate_size": 25600, "num_hidden_layers": 64, "vocab_size": 151936}
    | {"num_attention_heads": 64},
    "70B": {"hidden_size": 8192, "intermediate_size": 28672, "num_hidden_layers": 80, "vocab_size": 128256}
    | {"num_attention_heads": 64},
}
"""Published sizes of Llama-3.1-8B, Qwen3-32B and Llama-3.1-70B, all with 8 key-value heads of 128."""
CARDS: Final = (24, 48, 80, 141)
"""Memory of GPUs, in GiB."""


def environment(job: Job) -> Iterator[Figure]:
    """Tell what this machine is."""
    import torch

    yield Figure("Python", platform.python_version())
    yield Figure("PyTorch", torch.__version__)
    yield Figure("PyTorch's CUDA", str(torch.version.cuda))
    if job.cuda:
        for number in range(torch.cuda.device_count()):
            name = "CUDA device" if number == 0 else f"CUDA device {number}"
            yield Figure(name, torch.cuda.get_device_name(number))
            yield Figure(f"memory of {name} (GiB)", torch.cuda.mem_get_info(number)[1] / GIB)
    yield Figure("CPU cores", len(os.sched_getaffinity(0)))
    yield Figure("memory of the machine (GiB)", os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIB)
    for name in ("transformers", "accelerate", "peft", "sentence-transformers", "llguidance", "gguf", "vllm"):
        try:
            yield Figure(name, metadata.version(name))
        except metadata.PackageNotFoundError:
            yield Figure(name, "not installed")


def weights(job: Job) -> Iterator[Figure]:
    """Materialise the dialogue model, as rule ``materialise_model`` does."""
    yield Figure("asked (MB)", memory.MATERIALISING)
    begin = time.perf_counter()
    entry, folder = dialogue_model(job)
    yield Figure("model", materialisation.content(folder).partition("#")[0])
    yield Figure("materialising (s)", time.perf_counter() - begin)
    yield Figure("weights (MB)", materialisation.megabytes(entry, folder) or 0)


def placement(job: Job, shape: str) -> Iterator[Figure]:
    """Compare accelerate's map of a shape with what is allocated when the workflow loads such a model in bfloat16."""
    import torch
    from accelerate.utils import compute_module_sizes, get_max_memory
    from transformers import AutoModelForCausalLM, LlamaConfig

    yield Figure("asked (MB)", memory.ASKING)
    sizes = {"num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, **SHAPES[shape]}
    if job.tiny:
        sizes |= {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "vocab_size": 512}
    config = LlamaConfig(**sizes, tie_word_embeddings=False)
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    yield Figure("parameters (10⁹)", sum(each.numel() for each in model.parameters()) / 1e9)
    size = compute_module_sizes(model, dtype=torch.bfloat16)
    yield Figure("weights (GiB)", size[""] / GIB)
    for card in CARDS:
        fitting = (count for count in range(1, 17) if {"cpu", "disk"}.isdisjoint(_map(model, _cards(card, count))))
        yield Figure(f"GPUs of {card} GiB that hold it", next(fitting, "more than 16"))
    there = get_max_memory() if job.cuda else {"cpu": get_max_memory()["cpu"]}
    foreseen = {str(at): 0.0 for at in _map(model, there)}
    for at, modules in _map(model, there).items():
        foreseen[str(at)] = sum(size[module] for module in modules)
    for at, many in foreseen.items():
        yield Figure(f"foreseen on {at} (GiB)", many / GIB)
    if foreseen.get("disk") or foreseen.get("cpu", 0) > there["cpu"] / 2:
        raise LackingError("it does not fit this machine, so it was not loaded")
    folder = job.work / f"shape-{shape}{'-tiny' * job.tiny}"
    write_zeros(model, config, folder)
    del model
    before = [torch.cuda.memory_allocated(at) for at in range(torch.cuda.device_count())] if job.cuda else []
    begin = time.perf_counter()
    offloaded = str(job.work / "offload")
    loaded = loading.load_model(folder, torch.bfloat16, cuda=job.cuda, offload_folder=offloaded)
    yield Figure("loading (s)", time.perf_counter() - begin)
    for at, earlier in enumerate(before):
        held = torch.cuda.memory_allocated(at) - earlier
        yield Figure(f"allocated on {at} (GiB)", held / GIB)
        if foreseen.get(str(at)):
            yield Figure(f"allocated to foreseen on {at}", held / foreseen[str(at)])
    if not job.cuda:
        held = sum(each.numel() * each.element_size() for each in (*loaded.parameters(), *loaded.buffers()))
        yield Figure("allocated to foreseen on cpu", held / foreseen["cpu"])
    found: dict[str, Any] = getattr(loaded, "hf_device_map", None) or {"": "cpu"}
    yield Figure("placed on", ", ".join(sorted({str(at) for at in found.values()})))
    with torch.inference_mode():
        first = next(each.device for each in loaded.parameters() if each.device.type != "meta")
        logits = loaded(input_ids=torch.zeros((1, 8), dtype=torch.int64, device=first)).logits
    shutil.rmtree(folder)
    yield Figure("reads 8 tokens", "yes" if bool(torch.isfinite(logits).all()) else "not finite")


def _cards(gib: int, count: int) -> dict[Any, int]:
    return {**dict.fromkeys(range(count), gib * GIB), "cpu": 2**50}


def _map(model: Any, there: dict[Any, int]) -> dict[Any, list[str]]:
    """Return accelerate's map, as transformers has it made: the modules of each device."""
    import torch
    from accelerate import infer_auto_device_map
    from accelerate.utils import get_balanced_memory

    kept = {"no_split_module_classes": list(model._no_split_modules or ()), "dtype": torch.bfloat16}
    balanced = get_balanced_memory(model, max_memory=dict(there), **kept)
    made: dict[Any, list[str]] = {}
    for module, at in infer_auto_device_map(model, max_memory=balanced, **kept).items():
        made.setdefault(at, []).append(module)
    return made


def write_zeros(model: Any, config: Any, folder: Path) -> None:
    """Write a model on the meta device as transformers saves it, all zeros in one sparse file, which takes no disk."""
    folder.mkdir(parents=True, exist_ok=True)
    config.architectures, config.dtype = [type(model).__name__], "bfloat16"
    config.save_pretrained(folder)
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, tensor in model.state_dict().items():
        begin, end = end, end + 2 * tensor.numel()
        header[name] = {"dtype": "BF16", "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with (folder / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + end)


PARTS: Final[dict[str, Callable[[Job], Iterator[Figure]]]] = {
    "environment": environment,
    "weights": weights,
    **{f"placement of {shape}": partial(placement, shape=shape) for shape in SHAPES},
    "precision": precision,
    "embeddings": embeddings,
    "training": training,
    "engines": engines,
}


def peaks() -> Iterator[Figure]:
    """Yield the largest resident set of this process or of a child, and the most that was allocated on GPUs."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    yield Figure("peak (MB)", max(resource.getrusage(each).ru_maxrss for each in whose) * 1024 // 10**6)
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        most = sum(torch.cuda.max_memory_allocated(at) for at in range(torch.cuda.device_count()))
        yield Figure("GPU peak (MB)", most // 10**6)


def measure(name: str, job: Job, output: Path) -> None:
    """Run a part, and keep its figures and what became of it."""
    figures: list[Figure] = []

    def keep(status: str, reason: str = "") -> None:
        temporary = output.with_suffix(".part")
        temporary.write_text(json.dumps({"status": status, "reason": reason, "figures": figures}))
        os.replace(temporary, output)

    keep("begun")
    status, reason = "ran", ""
    try:
        # As a job of the workflow: with one GPU, and of several placements all.
        with claimed(1 if name in ("precision", "embeddings", "training", "engines") else len(devices())):
            for figure in PARTS[name](job):
                figures.append(figure)
                keep("begun")
    except (LackingError, materialisation.ModelSourceError) as error:
        status, reason = "not run", str(error)
    except Exception as error:  # recorded; its traceback is in the log
        traceback.print_exc()
        within = (error, error.__cause__)
        full = any(isinstance(each, MemoryError) or type(each).__name__ == "OutOfMemoryError" for each in within)
        status, reason = ("out of memory" if full else "failed"), short(error)
    figures.extend(peaks())
    keep(status, reason)


def main() -> int:
    """Run one part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=[*PARTS, "train"])
    parser.add_argument("output", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--model", default="")
    parser.add_argument("--vllm", default="")
    parser.add_argument("--requests", type=int, default=0)
    parser.add_argument("--kill", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    job = Job(options.device, options.tiny, options.model, options.requests, options.vllm, options.work)
    if options.part == "train":
        train(job, options.output, options.kill)
    else:
        measure(options.part, job, options.output)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
