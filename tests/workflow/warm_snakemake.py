"""A process that has imported Snakemake and forks for each run, and in it for each job: that saves most of every start.

It reads runs from standard input, a line of JSON each, and answers with two lines: the process of the run, and its exit
status once it has ended. Nothing of nlfol stays imported here, so that a run has the library of its own checkout; kept
is what takes long and depends on text alone: compiled regular expressions, and what Snakemake's parser makes of rules.
"""

import gc
import json
import os
import re
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import altair  # noqa: F401
import jinja2  # noqa: F401
import openai  # noqa: F401
import polars  # noqa: F401
import pyarrow.pandas_compat  # noqa: F401
import pydantic.types  # noqa: F401
import scipy.stats  # noqa: F401
import smart_open  # type: ignore[import-untyped]  # noqa: F401
import snakemake.cli
import snakemake.report
import snakemake.script
import snakemake.workflow
import yaml  # noqa: F401
from snakemake.sourcecache import LocalSourceFile, SourceFile
from snakemake.workflow import Workflow
from tests.workflow import warm_jobs

ROOT = Path(__file__).parents[2]


def compile_patterns() -> None:
    """Import the library for its regular expressions alone, of which ``re`` then knows all."""
    vars(re)["_MAXCACHE"] = 100_000
    sys.path.insert(0, str(ROOT / "workflow/scripts"))
    for script in warm_jobs.SHARED:
        with suppress(Exception):
            __import__(script)
    del sys.path[0]
    for name in [
        name for name in sys.modules if name.partition(".")[0] in ("nlfol", "nlfol_extras", *warm_jobs.SHARED)
    ]:
        del sys.modules[name]


def parse_ahead() -> None:
    """Have Snakemake's parser read each file of rules once; a checkout's with another text it reads as ever."""
    parse = snakemake.workflow.parse
    parsed: dict[tuple[str, int], tuple[str, dict[int, int], int]] = {}
    files = SimpleNamespace(sourcecache=SimpleNamespace(open=lambda file: StringIO(Path(str(file)).read_text("utf-8"))))
    # In the order in which they are included: rules without names have numbers.
    names = re.findall(r'^include: "(.*)"$', (ROOT / "Snakefile").read_text(encoding="utf-8"), re.MULTILINE)
    count = 0
    for name in ("Snakefile", *names):
        lines: dict[int, int] = {}
        # Whatever is wrong with it is for a run to say.
        with suppress(SyntaxError):
            code, after = parse(LocalSourceFile(str(ROOT / name)), files, lines, rulecount=count)
            parsed[(ROOT / name).read_text(encoding="utf-8"), count] = code, lines, after
            count = after

    def recall(path: SourceFile, workflow: Workflow, linemap: dict[int, int], rulecount: int) -> tuple[str, int]:
        with workflow.sourcecache.open(path) as file:
            text = file.read()
        code: str
        if (text, rulecount) not in parsed:
            code, after = parse(path, workflow, linemap, rulecount=rulecount)
            return code, after
        code, lines, after = parsed[text, rulecount]
        linemap.update(lines)
        # Of where the file lies the code says only in which file a rule stands.
        return re.sub(r"snakefile='[^']*'\)", lambda _: f"snakefile={str(path)!r})", code), after

    snakemake.workflow.parse = recall


def serve() -> list[str] | None:
    """Fork for each run; returns its arguments in its process, and None in this one when nobody asks any more."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    gc.freeze()
    for line in sys.stdin:
        run = json.loads(line)
        process = os.fork()
        if not process:
            # A session first: who knows the process may kill all of it.
            os.setsid()
            print(os.getpid(), file=answers)
            become(**run)
            return list(run["arguments"])
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), file=answers)
    return None


def become(arguments: Sequence[str], folder: str, environment: dict[str, str], output: str) -> None:
    """Make this process what ``python -m snakemake`` would be in a folder: environment, path and output."""
    # Garbage is hardly worth collecting in a process that short: that takes half a second.
    gc.disable()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = [folder, *warm_jobs.added(environment), *warm_jobs.PATH]
    sys.argv = [os.path.join(os.path.dirname(snakemake.__file__), "__main__.py"), *arguments]  # noqa: PTH118, PTH120
    written = os.open(output, os.O_WRONLY | os.O_APPEND)
    for stream, replacement in enumerate((os.open(os.devnull, os.O_RDONLY), written, written)):
        os.dup2(replacement, stream)


def run(arguments: list[str], loaded: socket.socket) -> None:
    """Run Snakemake, or a job of it in the process that forked for that."""
    warm_jobs.import_library()
    sockets = warm_jobs.started(loaded)
    if sockets is None:
        return
    warm_jobs.fork_scripts(sockets)
    warm_jobs.end_after(lambda: snakemake.cli.main(arguments))


if __name__ == "__main__":
    compile_patterns()
    parse_ahead()
    snakemake.cli.get_argument_parser()
    loaded = warm_jobs.models()
    asked = serve()
    if asked is not None:
        run(asked, loaded)
