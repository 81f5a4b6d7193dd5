"""Several entries of one kind of task, run beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.workflow.checkout import SENTENCES, Checkout, configuration

from nlfol.logic.equivalence import equivalence
from nlfol.logic.reading import parse
from nlfol.logic.structures import Structure, holds
from nlfol.store import files, schemas

TASKS: dict[str, dict[str, Any]] = {
    "most_similar": {"presentations": ["formula"]},
    "most_similar_k3": {"task": "most_similar", "perturbations": 3, "presentations": ["formula"]},
    "most_similar_paper": {"task": "most_similar", "protocol": "paper", "presentations": ["formula"]},
    "ranking": {"presentations": ["formula"]},
    "ranking_paper": {"task": "ranking", "protocol": "paper", "presentations": ["formula"]},
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    checkout = Checkout.make(tmp_path_factory.mktemp("entries") / "checkout")
    checkout.configure({**configuration(), "tasks": TASKS})
    run = checkout.snakemake(*[f"results/items/mine/{name}.arrow" for name in TASKS], cores=2)
    assert run.status == 0, run.output
    return checkout


def candidates(checkout: Checkout, task: str) -> dict[str, dict[str, Any]]:
    path = checkout.folder / f"results/items/mine/{task}.arrow"
    return {row["item"]: row for row in files.rows(path, schemas.ITEMS)}


def test_a_set_with_fewer_perturbations_is_a_part_of_the_larger_one(finished: Checkout) -> None:
    larger, smaller = candidates(finished, "most_similar"), candidates(finished, "most_similar_k3")
    for item, row in smaller.items():
        shown = [member["formula"] for member in row["candidates"]]
        assert shown == [member["formula"] for member in larger[item]["candidates"]][: len(shown)]
    assert {len(row["candidates"]) for row in smaller.values()} == {2, 4}


def test_the_paper_refuses_nothing_and_certifies_nothing(finished: Checkout) -> None:
    for task in ("most_similar_paper", "ranking_paper"):
        rows = candidates(finished, task)
        assert {row["status"] for row in rows.values()} == {"usable"}
        assert {member["certificates"] is None for row in rows.values() for member in row["candidates"]} == {True}
    assert candidates(finished, "ranking")["pets:3"]["reason"] == "too_few_perturbations"


def test_every_certificate_in_the_files_holds(finished: Checkout) -> None:
    checked = 0
    for task in ("most_similar", "most_similar_k3", "ranking"):
        for row in candidates(finished, task).values():
            formulas = [parse(member["formula"]) for member in row["candidates"]]
            for formula, member in zip(formulas, row["candidates"], strict=True):
                for certificate in member["certificates"]:
                    other = formulas[certificate["to"]]
                    if certificate["verdict"] == "equivalent":
                        assert equivalence(other, formula).outcome == "equivalent"
                    else:
                        model = Structure.from_json(certificate["counter_model"])
                        assert holds(formula, model) != holds(other, model)
                    checked += 1
    assert checked > 200


def test_sets_depend_on_neither_their_entry_nor_other_items_nor_cores_nor_hash_seed(
    finished: Checkout, tmp_path: Path
) -> None:
    checkout = finished.copy(tmp_path / "checkout")
    header, *rows = SENTENCES.splitlines(keepends=True)
    checkout.write("mine/sentences.csv", "".join([header, *rows[4:], *rows[:3]]))
    renamed = {f"other_{name}": {"task": name.split("_paper")[0].split("_k3")[0], **TASKS[name]} for name in TASKS}
    checkout.configure({**configuration(), "tasks": renamed})
    targets = [f"results/items/mine/{name}.arrow" for name in renamed]
    run = checkout.snakemake(*targets, cores=1, environment={"PYTHONHASHSEED": "5"})
    assert run.status == 0, run.output
    for name in TASKS:
        before, after = (
            {row["text"]: row["candidates"] for row in candidates(where, task).values()}
            for where, task in ((finished, name), (checkout, f"other_{name}"))
        )
        assert len(after) == len(before) - 1
        assert {text: before[text] for text in after} == after
