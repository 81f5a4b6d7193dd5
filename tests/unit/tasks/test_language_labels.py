"""Labels of gold programs in another language are checked once, for all tasks with such programs."""

from pathlib import Path

from tests.examples import CATS
from tests.unit.tasks.test_program import BACKWARDS

import build_items
import check_language_labels
from nlfol.problems.programs import Policy, solver_language
from nlfol.store import files, schemas
from nlfol.store.problem_schemas import LANGUAGE_LABELS, PROBLEMS
from nlfol.tasks.program import ProgramEntry

FORMULAS = solver_language("formulas")


def test_item_bytes_are_independent_from_precomputed_label_faults(tmp_path: Path) -> None:
    problems, faults, forged = tmp_path / "problems.arrow", tmp_path / "labels.arrow", tmp_path / "forged.arrow"
    files.write(problems, PROBLEMS, [each.to_row() for each in (BACKWARDS, CATS)], {"dataset": "toy"})
    check_language_labels.main(problems, "formulas", faults)
    found = {row["item"]: row["fault"] for row in files.rows(faults, LANGUAGE_LABELS)}
    said = "the gold program in formulas gives false, its label is unknown"
    assert found == {BACKWARDS.name: said, CATS.name: None}
    rows = [{"item": name, "fault": "so it is said"} for name in found]
    files.write(forged, LANGUAGE_LABELS, rows, {"language": "formulas"})

    built = {}
    for name, labels in (("none", None), ("faults", faults), ("forged", forged)):
        built[name] = tmp_path / f"{name}.items.arrow"
        entry = ProgramEntry(language="formulas").model_dump_json()
        output, seed = built[name], 7
        build_items.main(
            problems, dataset="toy", task="t", task_json=entry, seed=seed, output=output, language_labels=labels
        )
    assert built["faults"].read_bytes() == built["none"].read_bytes()
    assert [row["detail"] for row in files.rows(built["forged"], schemas.ITEMS)] == ["so it is said", None]


def test_unexplained_execution_gives_same_answer_without_trace() -> None:
    text = "Premises:\nCold(bob)\nCold(bob) → Sad(bob)\nConclusion:\n"
    for conclusion, label in (("Sad(bob)", "A"), ("¬Sad(bob)", "B"), ("Red(bob)", "C")):
        explained, short = (FORMULAS.execute(text + conclusion, (), Policy(explains=each)) for each in (True, False))
        assert explained.answer == short.answer == label
        assert short.trace["used"] is None
        assert short.trace["models"] == {"affirmed": None, "denied": None}
        assert (explained.trace["used"] is None) is (label == "C")
