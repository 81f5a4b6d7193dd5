"""A task and a table of another package, which names them as entry points."""

import shutil
from pathlib import Path
from typing import Any

from tests.unit.models.chat_server import HELD, ChatServer, Scripted, answered
from tests.workflow.checkout import CHANCE, Checkout, configuration, interface
from tests.workflow.test_api_experiment import GOLD

from nlfol.models.api.probing import QUESTION

TOY = Path(__file__).parent / "toy"

TABLE = """
from nlfol.analyses.topic import Topic

TOPIC = Topic(
    "lengths", "experiment", ("triples",), ("lengths",), ("lengths",), "experiment", module="toy_package.lengths"
)
"""

LENGTHS = """
from nlfol.analyses.analysis import Analysis, Rows
from nlfol.store.columns import counts, schema, texts
from nlfol.store.files import rows
from nlfol.store.schemas import TRIPLES
from nlfol.tables import columns
from nlfol.tables.table import TableForm

COLUMNS = columns.text("dataset"), columns.count("characters")
LENGTHS = schema("lengths", 1, *texts("dataset"), *counts("characters"))


def lengths(given):
    for dataset, path in given.by_dataset("triples").items():
        yield {"dataset": dataset, "characters": sum(len(row["text"]) for row in rows(path, TRIPLES))}


ANALYSIS = Analysis(
    (Rows(LENGTHS, lengths),),
    (TableForm("lengths", "Lengths", "Of texts.", COLUMNS, (), ("lengths",)),),
)
"""

POINTS = """\
[nlfol.tasks]
back_and_forth = toy_package.back_and_forth:BackAndForth
[nlfol.tables]
lengths = toy_package.table:TOPIC
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
    (code / "table.py").write_text(TABLE)
    (code / "lengths.py").write_text(LENGTHS)
    return folder


def _every(body: dict[str, Any]) -> Scripted:
    said = body["messages"][-1]["content"]
    return HELD if said == QUESTION else answered(GOLD.get(said, said))


def test_a_task_and_a_table_of_another_package_run_and_run_anew_when_it_changes(
    checkout: Checkout, tmp_path: Path
) -> None:
    site = package(tmp_path / "site")
    environment = {"PYTHONPATH": str(site)}
    with ChatServer(every=_every) as server:
        values = configuration(scripted=interface(server.url), chance=CHANCE)
        checkout.configure({**values, "tasks": {"back_and_forth": {}}})
        checkout.run("results/tables", environment=environment)
        asked = len(server.asked)
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


def test_what_cannot_be_registered_is_one_error_that_names_the_package(checkout: Checkout, tmp_path: Path) -> None:
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
