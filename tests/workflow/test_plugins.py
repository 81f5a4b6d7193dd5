"""A task, a table, a reader, a provider and rules of another package, which names them as entry points."""

import shutil
from pathlib import Path
from typing import Any

from tests.unit.models.chat_server import HELD, ChatServer, Scripted, answered
from tests.workflow.checkout import CHANCE, Checkout, configuration, interface
from tests.workflow.test_api_experiment import GOLD

from nlfol.models.api.probing import QUESTION

TOY = Path(__file__).parent / "toy"

TABLE = """
from nlfol.results.analyses.topic import Topic

TOPIC = Topic(
    "lengths", "experiment", ("triples",), ("lengths",), ("lengths",), "experiment", module="toy_package.lengths"
)
"""

LENGTHS = """
from typing import TypedDict

from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.store.columns import row_schema
from nlfol.store.files import rows
from nlfol.store.schemas import TRIPLES
from nlfol.results.tables import columns
from nlfol.results.tables.table import TableForm

COLUMNS = columns.text("dataset"), columns.count("characters")

class LengthRow(TypedDict):
    dataset: str
    characters: int


LENGTHS = row_schema("lengths", 1, LengthRow)


def lengths(given):
    for dataset, path in given.by_dataset("triples").items():
        yield {"dataset": dataset, "characters": sum(len(row["text"]) for row in rows(path, TRIPLES))}


ANALYSIS = Analysis(
    (Rows(LENGTHS, lengths),),
    (TableForm("lengths", "Lengths", "Of texts.", COLUMNS, (), ("lengths",)),),
)
"""

LINES = """
import hashlib
from pathlib import Path
from typing import Literal

from nlfol.data.entries.sentences import SentencesEntry
from nlfol.data.repairing import attempt
from nlfol.data.sentences import Dataset, Sentence


class LinesEntry(SentencesEntry):
    reader: Literal["lines"]
    path: str
    ontology: str | None = None

    @property
    def source_files(self):
        return [self.path]

    def read(self):
        content = Path(self.path).read_bytes()
        pairs = [line.split(" = ") for line in content.decode().splitlines()]
        found = (Sentence.of("pets", at, text, said, attempt(said).formula) for at, (text, said) in enumerate(pairs))
        return Dataset(tuple(found), hashlib.sha256(content).hexdigest())
"""

PROVIDER = """
from typing import Literal

from nlfol.models.providers.openai import OpenaiChat, OpenaiChatEntry


class HouseEntry(OpenaiChatEntry):
    backend: Literal["house"]
    desk: str


class HouseChat(OpenaiChat):
    entry_type = HouseEntry
    path = "/house/completions"

    def body(self, request):
        return {**super().body(request), "desk": self.entry.desk}
"""

RULES = """
rule copy_lengths:
    input:
        f"{RESULTS}/tables/lengths.csv",
    output:
        f"{RESULTS}/copied.csv",
    shell:
        "cp {input} {output}"
"""

POINTS = """\
[nlfol.tasks]
back_and_forth = toy_package.back_and_forth:BackAndForth
[nlfol.tables]
lengths = toy_package.table:TOPIC
[nlfol.readers]
lines = toy_package.lines:LinesEntry
[nlfol.models]
house = toy_package.provider:HouseChat
[nlfol.rules]
copies = toy_package.rules:RULES
"""


def package(folder: Path, points: str = POINTS, version: str = "1.0") -> Path:
    """Build a package as it lies where it is installed."""
    info, code = folder / f"toy_package-{version}.dist-info", folder / "toy_package"
    shutil.rmtree(folder, ignore_errors=True)
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: toy-package\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(points)
    shutil.copytree(TOY / "prompts", code / "prompts/back_and_forth")
    shutil.copy(TOY / "back_and_forth.py", code)
    (code / "__init__.py").write_text("")
    (code / "rules.py").write_text("from pathlib import Path\nRULES = Path(__file__).with_suffix('.smk')\n")
    (code / "rules.smk").write_text(RULES)
    for name, text in (("table", TABLE), ("lengths", LENGTHS), ("lines", LINES), ("provider", PROVIDER)):
        (code / f"{name}.py").write_text(text)
    return folder


def _last(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


def _every(body: dict[str, Any]) -> Scripted:
    said = _last(body)
    return HELD if said == QUESTION else answered(GOLD.get(said, said))


def test_plugin_task_table_and_rules_run_and_rerun_on_change(checkout: Checkout, tmp_path: Path) -> None:
    site = package(tmp_path / "site")
    environment = {"PYTHONPATH": str(site)}
    with ChatServer(every=_every) as server:
        values = configuration(scripted=interface(server.url), chance=CHANCE)
        checkout.configure({**values, "tasks": {"back_and_forth": {}}})
        checkout.run("results/tables", "results/copied.csv", environment=environment, cold=True)
        asked = len(server.asked)
    assert checkout.read("results/copied.csv") == checkout.read("results/tables/lengths.csv")
    (row,) = checkout.table("lengths")
    assert (row["dataset"], row["characters"] > 100) == ("mine", True)
    assert {row["task"] for row in checkout.table("scores")} == {"back_and_forth"}
    assert asked
    assert checkout.snakemake("-n", "results/tables", environment=environment).jobs == {}

    with (site / "toy_package/lengths.py").open("a") as file:
        file.write("NEW = 1\n")
    changed = checkout.snakemake("-n", "results/tables", environment=environment).jobs
    assert {"ask_api", "judge_answers", "analyse_lengths", "render_tables"} <= changed.keys()
    assert "ingest_dataset" not in changed
    newer = package(site, version="1.1")
    assert "ask_api" in checkout.snakemake("-n", "results/tables", environment={"PYTHONPATH": str(newer)}).jobs


def test_plugin_reader_and_provider_run_and_rerun_on_change(checkout: Checkout, tmp_path: Path) -> None:
    site = package(tmp_path / "site")
    environment = {"PYTHONPATH": str(site)}
    (checkout.folder / "mine/lines.txt").write_text("Tom sleeps. = Sleeps(tom)\nTom is a cat. = Cat(tom)\n")
    said = {"Tom sleeps.": "Sleeps(tom)", "Tom is a cat.": "¬Cat(tom)"}
    with ChatServer(every=lambda body: answered(said[_last(body).partition("Sentence: ")[2]])) as server:
        values = configuration(house=interface(server.url, backend="house", desk="logic", structured="none"))
        values["datasets"]["mine"] = {"reader": "lines", "path": "mine/lines.txt"}
        checkout.configure({**values, "tasks": {"logical_translation": {}}})
        checkout.run("results/tables", environment=environment)
        assert {body["desk"] for body in server.bodies} == {"logic"}
        assert all("/house/completions" in head for head in server.heads)
    (row,) = (row for row in checkout.table("scores") if row["metric"] == "equivalence")
    assert (row["model"], row["items"], row["score_mean"]) == ("house", 2, 0.5)
    assert checkout.snakemake("-n", "results/tables", environment=environment).jobs == {}

    with (site / "toy_package/lines.py").open("a") as file:
        file.write("NEW = 1\n")
    changed = checkout.snakemake("-n", "results/tables", environment=environment).jobs
    assert {"ingest_dataset", "ask_api"} <= changed.keys()


def test_invalid_plugin_registration_error_names_package(checkout: Checkout, tmp_path: Path) -> None:
    for points, message in (
        ("[nlfol.tasks]\nranking = toy_package.back_and_forth:BackAndForth\n", "the name is taken; rename it"),
        ("[nlfol.tables]\nlengths = toy_package.table:__file__\n", "toy_package.table:__file__ is no Topic"),
        (
            "[nlfol.readers]\nmine = toy_package.absent:X\n",
            "No module named 'toy_package.absent'; mend the package",
        ),
    ):
        site = package(tmp_path / "site", points)
        run = checkout.fail("-n", "results/tables", environment={"PYTHONPATH": str(site)})
        group, name = points[1:].split(" ")[0].split("]\n")
        (line,) = [line for line in run.output.splitlines() if line.startswith("error: ")]
        assert line.startswith(f"error: package toy-package 1.0, {group}, {name}: ")
        assert message in line
