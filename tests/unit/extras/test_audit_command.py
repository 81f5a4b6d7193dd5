"""``nlfol audit`` as a process: both of its streams, its exit status, and what stands in its way."""

import json
import subprocess
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.stored import frame
from tests.unit.cli.rows import COMMAND, ENVIRONMENT, process, status
from tests.unit.logic.hard_pairs import FOR_PROVERS
from tests.unit.released_stand_in import stand_in_for_released
from tests.unit.results.worked_out import published_beside

from nlfol.sets.audit_checks import MAX_MEMBERS, Check
from nlfol.store.files import read_figures
from nlfol.store.schemas import CELLS

SETS = Path(__file__).parents[1] / "sets/faulty_sets.jsonl"

CLEAN = {
    "id": "clean",
    "formulas": ["∀x (Cube(x) → Small(x))", "∃x (Cube(x) → Small(x))"],
    "roles": ["phi", "perturbation"],
    "renderings": None,
}


def run(*arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    return process("audit", *arguments, lines=lines)


def audited(*arguments: str, lines: str = "") -> dict[str, Any]:
    done = run(*arguments, lines=lines)
    assert done.stdout.count("\n") == 1
    row: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == status([row]), done.stderr
    assert list(row) == ["items", "sets_with_faults", "checks", "unknown", "guesses", "unusable_lines"]
    return row


@pytest.fixture(scope="module")
def shipped() -> subprocess.CompletedProcess[str]:
    """The audit of all faulty sets, in one process."""
    return run(str(SETS), "--rlimit", "10")


def test_audit_prints_json_line_and_table(shipped: subprocess.CompletedProcess[str]) -> None:
    done = shipped
    row = json.loads(done.stdout)
    assert done.returncode == status([row]) == 1
    assert done.stdout == json.dumps(row, ensure_ascii=False) + "\n"
    assert (row["items"], row["sets_with_faults"]) == (31, 27)
    assert list(row["checks"]) == [check.value for check in Check]
    assert all(tally["items"] >= 1 for tally in [*row["checks"].values(), row["unknown"]])
    assert row["checks"]["distractor_equivalent_to_gold"] == {
        "items": 2,
        "pairs": 2,
        "examples": [
            {
                "id": "distractor is gold",
                "members": [0, 1],
                "formulas": ["Works(jill) ∨ Reads(jill) → Works(jill)", "Works(jill) ∨ Reads(jill) ↔ Works(jill)"],
                "detail": "equivalent by normal_form",
            },
            {
                "id": "parentheses lost",
                "members": [0, 2],
                "formulas": ["Real(six) ∧ Real(seven) ∧ Real(eight)", "Real(six) ∧ Real(eight) ∧ Real(seven)"],
                "detail": "equivalent by normal_form",
            },
        ],
    }
    shown = done.stderr
    assert "31 sets, 27 of them with faults" in shown
    for name, tally in {**row["checks"], "unknown": row["unknown"]}.items():
        (line,) = (line for line in shown.splitlines() if line.startswith(f"│ {name} "))
        assert [cell.strip() for cell in line.strip("│").split("│")] == [name, str(tally["items"]), str(tally["pairs"])]
    assert "distractor is gold: equivalent by normal_form\n    [0] Works(jill)" in shown
    assert "5 lines are no item" in shown
    assert "line 34: no key 'roles'" not in shown
    assert "line 33: missing key 'roles'" in shown


def test_guesser_finds_star_medoid_but_guesses_cube_at_chance() -> None:
    star = ["Cube(a) ∧ Cube(b) ∧ Cube(c)", *(f"Cube({a}) ∧ Cube({b}) ∧ Cube({c})" for a, b, c in ("dbc", "adc", "abd"))]
    cube = [f"Cube({a}) ∧ Tet({b})" for a in "ab" for b in "cd"]
    roles = ["phi", "perturbation", "perturbation", "perturbation"]
    for formulas, medoid, symmetric in ((star, 1.0, 0.0), (cube, 0.25, 1.0)):
        sets = [{"id": number, "formulas": formulas, "roles": roles} for number in range(3)]
        (guess,) = audited(lines="".join(json.dumps(each) + "\n" for each in sets))["guesses"]
        assert (guess["task"], guess["presentation"], guess["sets"]) == ("most_similar", "formula", 3)
        assert (guess["chance"], guess["medoid"], guess["symmetric"]) == (0.25, medoid, symmetric)
        # Trees that see nearness learn the middle of stars from others.
        assert guess["surface"] == medoid


def test_audit_lists_unusable_lines_and_checks_others() -> None:
    many = {"id": 1, "formulas": ["Cube(a)"] * (MAX_MEMBERS + 1), "roles": ["phi"] * (MAX_MEMBERS + 1)}
    wrong: list[tuple[object, str]] = [
        ([], "not a JSON object"),
        ({}, "missing key 'id', 'formulas', 'roles'; found none"),
        (CLEAN | {"id": None}, "'id' must be a text or a whole number"),
        (CLEAN | {"id": True}, "'id' must be"),
        (CLEAN | {"formulas": "Cube(a)"}, "'formulas' must be a list"),
        (CLEAN | {"formulas": ["Cube(a)", 3]}, "formulas[1] must be a text"),
        (CLEAN | {"roles": ["phi"]}, "2 formulas, but 1 roles"),
        (
            CLEAN | {"roles": ["gold", "perturbation"]},
            "roles[0]: unknown role 'gold'; use one of phi, perturbation",
        ),
        (CLEAN | {"renderings": ["It is."]}, "2 formulas, but 1 renderings"),
        (CLEAN | {"renderings": ["It is.", 3]}, "renderings[1] must be a text or null"),
        (many, f"at most {MAX_MEMBERS} are audited"),
    ]
    lines = ["not JSON\n", "\n", *(json.dumps(record) + "\n" for record, _ in wrong), json.dumps(CLEAN)]
    row = audited(lines="".join(lines))
    assert (row["items"], row["sets_with_faults"]) == (1, 0)
    assert [unusable["line"] for unusable in row["unusable_lines"]] == list(range(1, len(lines)))
    messages = ["not JSON: ", "not JSON: ", *(message for _, message in wrong)]
    for unusable, message in zip(row["unusable_lines"], messages, strict=True):
        assert message in unusable["reason"]


def test_empty_input_yields_zero_counts() -> None:
    row = audited()
    assert (row["items"], row["unusable_lines"]) == (0, [])
    assert all(tally == {"items": 0, "pairs": 0, "examples": []} for tally in row["checks"].values())


def test_audit_shows_ten_examples_but_counts_all_faults() -> None:
    gold_only = {"id": 3, "formulas": ["Cube(a)"], "roles": ["phi"]}
    tally = audited(lines=(json.dumps(gold_only) + "\n") * 12)["checks"]["no_distractor"]
    assert (tally["items"], tally["pairs"], len(tally["examples"])) == (12, 12, 10)


def test_audit_output_is_independent_from_job_count(shipped: subprocess.CompletedProcess[str]) -> None:
    assert audited(str(SETS), "--jobs", "2", "--rlimit", "10") == json.loads(shipped.stdout)


def test_budget_limits_decided_pairs() -> None:
    line = json.dumps(CLEAN | {"formulas": FOR_PROVERS["syllogism by detachment"]})
    assert audited("--rlimit", "10", lines=line)["unknown"]["pairs"] == 1


def test_tolerant_notation_option_reads_other_notations() -> None:
    lines = json.dumps(CLEAN | {"formulas": ["forall x. (A(x) -> B(x))", "exists x. (A(x) -> B(x))"]})
    assert audited(lines=lines)["checks"]["malformed"]["pairs"] == 2
    assert audited("--notation", "tolerant", lines=lines)["sets_with_faults"] == 0


def test_terminal_controls_and_surrogates_are_escaped() -> None:
    record = CLEAN | {"id": "\x1b[2J\u202e\x9b", "formulas": ["Cube(a) \ud800 \x1b]0;", "Cube(a)\x07"]}
    done = run(lines=json.dumps(record))
    assert done.returncode == 0, done.stderr
    assert not {"\x1b", "\x9b", "\x07", "\u202e"} & set(done.stderr)
    assert r"\x1b[2J\u202e\x9b" in done.stderr
    assert json.loads(done.stdout)["checks"]["malformed"]["pairs"] == 2


def test_markup_in_formulas_is_printed_literally() -> None:
    done = run(lines=json.dumps(CLEAN | {"id": "[bold]:smile:[/bold]", "formulas": ["[red]", "[/red]"]}))
    assert done.returncode == 0, done.stderr
    assert "[bold]:smile:[/bold]: " in done.stderr
    assert "[1] [/red]" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("no_such_file.jsonl",),
        ("--jobs", "0"),
        ("--rlimit", "none"),
        ("--notation", "loose"),
    ],
)
def test_unusable_arguments_exit_with_status_2(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_closed_output_pipe_ends_audit_without_traceback(tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.jsonl"
    faulty.write_text(json.dumps(CLEAN | {"formulas": ["Cube(a)", "Cube(a)"]}) + "\n", encoding="utf-8")
    with subprocess.Popen(
        [*COMMAND, "audit", str(faulty)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        shown = running.stderr.read().decode()
    assert running.returncode == 1
    assert "Traceback" not in shown


STAR = ["P(a) ∧ P(b) ∧ P(c)", "P(d) ∧ P(b) ∧ P(c)", "P(a) ∧ P(d) ∧ P(c)", "P(a) ∧ P(b) ∧ P(d)"]


def test_released_set_guesses_appear_beside_computed_ones(tmp_path: Path) -> None:
    folder = stand_in_for_released(tmp_path / "Most_similar", "ms", {7: [STAR, STAR]}, {7: [STAR]})
    done = run(str(folder), "--figures", "folio")
    (tmp_path / "released.csv").write_text(done.stdout)
    found = read_figures(tmp_path / "released.csv")
    shown = [tuple(row[name] for name in ("presentation", "model", "mean", "items")) for row in found.to_dicts()]
    # One set alone has English, so no trees learn from others.
    assert shown == [
        *(("formula", "chance", 0.25, 2), ("formula", "medoid", 1.0, 2), ("formula", "surface", 1.0, 2)),
        *(("english", "chance", 0.25, 1), ("english", "medoid", 1.0, 1)),
    ]
    ours = {"dataset": "folio", "task": "sets", "task_kind": "most_similar", "metric": "accuracy"}
    about = {"presentation": "formula", "model": "medoid", "mean": 0.9, "protocol": "paper", "items": 5, "of": 5}
    cells = pl.concat([frame(CELLS), pl.DataFrame([{**ours, **about}])], how="diagonal_relaxed")
    (row,) = published_beside(found, cells=cells)
    assert (row["paper"], row["published"].mean, row["ours"].mean) == ("released", 1.0, 0.9)


def test_released_ranking_sets_read_with_their_roles(tmp_path: Path) -> None:
    ranking = ["P(a) → P(b)", "¬P(a) ∨ P(b)", "P(a) ∧ P(b)", "¬(P(a) → P(b))", "P(a) ∧ ¬P(b)"]
    row = audited(str(stand_in_for_released(tmp_path / "Ranking", "r", {7: [ranking]}, {7: [ranking]})))
    assert (row["items"], row["sets_with_faults"]) == (1, 0)
    assert {guess["task"] for guess in row["guesses"]} == {"ranking"}


class Planted:
    """Runs a command when it is loaded as pickles usually are."""

    def __init__(self, formula: str) -> None:
        self.formula = formula

    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("run",))


def test_released_pickle_with_foreign_names_is_refused_without_execution(tmp_path: Path) -> None:
    done = run(str(stand_in_for_released(tmp_path / "Most_similar", "ms", {7: [STAR]}, {7: [STAR]}, Planted)))
    assert done.returncode == 2
    assert done.stdout == ""
    assert "it names builtins.print" in " ".join(done.stderr.split())
    assert "no list_modifications_ms_FOLIO.pkl" in " ".join(run(str(tmp_path)).stderr.split())
