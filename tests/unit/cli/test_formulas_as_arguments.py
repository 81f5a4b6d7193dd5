"""Formulas as arguments, the way people type them; and what the command says on a terminal."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.cli.rows import COMMAND, ENVIRONMENT, rows_of, run, usage_error

import nlfol


@pytest.mark.parametrize(
    ("arguments", "status", "out", "notes"),
    [
        (("compare", "∀x P(x)", "¬∃x ¬P(x)"), 0, "equivalent (by normal form)", ""),
        (
            ("compare", "∀x (Cube(x) → Small(x))", "∃x (Cube(x) ∧ Small(x))"),
            0,
            (
                "not equivalent (by finite structure)\nneither entails the other\n"
                "counter-model: universe {0}; Cube = {}; Small = {}\n"
                "  board: medium block in row 4 from the back, column 4\n"
                "  reference is true: ∀x (Cube(x) → Small(x))\n  candidate is false: ∃x (Cube(x) ∧ Small(x))"
            ),
            "",
        ),
        (
            (
                "compare",
                "∃x (Tet(x) ∧ Larger(x, e) ∧ Smaller(x, f))",
                "∃x (Tet(x) ∧ Larger(x, e)) ∧ ∃x (Tet(x) ∧ Smaller(x, f))",
            ),
            0,
            (
                "not equivalent (by finite structure)\nthe candidate is weaker: the reference entails it\n"
                "counter-model: universe {0, 1}; e = 0; f = 1; Larger = {(1, 0)}; Smaller = {(0, 1)}; Tet = {0, 1}\n"
                "  board: e, medium tetrahedron in row 4 from the back, column 3; "
                "f, large tetrahedron in row 4 from the back, column 5\n"
            ),
            "",
        ),
        (
            ("compare", "--propositions", "p → q", "p"),
            0,
            (
                "not equivalent (by truth table)\nneither entails the other\n"
                "counter-model: universe {0}; p = {}; q = {}\n  reference is true: p → q\n  candidate is false: p"
            ),
            "",
        ),
        (("compare", "∀x P(x)", "P(x) and (Q("), 1, "invalid", "error: candidate: line 1, column 13: "),
        (
            ("compare", "--language", "regular", "100*", "1(0*)"),
            0,
            "not equivalent (by automata)\nthe shortest word that only one of them has, the candidate: '1'",
            "",
        ),
        (
            ("entails", "all x (Man(x) -> Mortal(x))", "Man(socrates)", "Mortal(socrates)"),
            0,
            "true: the premises entail the conclusion",
            "",
        ),
        (
            ("entails", "P(a)", "¬P(a)", "Q(a)"),
            0,
            "true: the premises entail the",
            "the premises contradict one another",
        ),
        (("parse", "forall x P(x)", "P(a) & Q(b)"), 0, "∀x P(x)\nP(a) ∧ Q(b)", ""),
        (("parse", r"P(a)\wedge Q(b)", "--to", "latex"), 0, r"\mathrm{P}(a) \land \mathrm{Q}(b)", ""),
        (("parse", "P(a) ^ Q(a)", "--to", "tptp"), 0, "(p(a) & q(a))", "ambiguous: "),
        (("parse", "P(a) and (Q("), 1, "", "error: expected a term, found the end\n  P(a) and (Q(\n              ^"),
    ],
)
def test_formula_arguments_get_plain_text_answers(
    arguments: tuple[str, ...], status: int, out: str, notes: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == status
    assert result.stdout.startswith(out)
    assert result.stderr.startswith(notes)
    assert notes or not result.stderr


def test_json_option_prints_rows_for_formula_arguments() -> None:
    (row,) = rows_of(run("compare", "--json", "∀x P(x)", "∃x P(x)"))
    assert (row["verdict"], row["relation"]) == ("not_equivalent", "weaker")
    first, second = rows_of(run("parse", "--json", "P(a)", "Every cube is small."))
    assert (first["ok"], second["ok"]) == (True, False)


def test_terminal_controls_in_arguments_are_escaped() -> None:
    result = run("parse", "P(a) \x1b[2J")
    assert (result.exit_code, "\x1b" in result.output) == (1, False)
    assert r"\x1b" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "∀x P(x)"), "compare needs two formulas, or one file of JSON Lines; 1 given: '∀x P(x)'"),
        (("compare", "P(a)", "P(b)", "P(c)"), "3 given"),
        (("compare", "one.jsonl", "other.jsonl"), "give one file alone, or formulas; 'one.jsonl' is a file"),
        (("entails", "P(a)"), "entails needs premises and then a conclusion"),
        (("parse", "missing.jsonl"), "no file missing.jsonl"),
    ],
)
def test_usage_error_names_missing_argument(arguments: tuple[str, ...], message: str) -> None:
    assert message in usage_error(*arguments)


def test_version_option_prints_version() -> None:
    assert run("--version").stdout == f"nlfol {nlfol.__version__}\n"


def test_interactive_stdin_prints_hint() -> None:
    ours, its = pty.openpty()
    command = [*COMMAND, "parse"]
    with subprocess.Popen(
        command, stdin=its, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        os.close(its)
        assert process.stderr is not None
        hint = process.stderr.readline().decode()
        os.write(ours, b'{"text": "P(a)"}\n\x04')
        out, _ = process.communicate()
    os.close(ours)
    assert "Ctrl-D" in hint
    assert json.loads(out)["formula"] == "P(a)"
    assert process.returncode == 0


def test_bash_completion_completes_commands_and_values(tmp_path: Path) -> None:
    command = tmp_path / "nlfol"
    command.write_text(f"#!{sys.executable}\nimport sys\nfrom nlfol.cli.main import main\nmain()\n")
    command.chmod(0o755)
    script = """
        eval "$(_NLFOL_COMPLETE=source_bash nlfol)"
        COMP_WORDS=(nlfol com) COMP_CWORD=1; _nlfol_completion nlfol; echo "${COMPREPLY[@]}"
        COMP_WORDS=(nlfol parse --to la) COMP_CWORD=3; _nlfol_completion nlfol; echo "${COMPREPLY[@]}"
        complete -p nlfol
    """
    environment = {**ENVIRONMENT, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True)
    commands, values, installed = done.stdout.splitlines()
    assert (commands, values) == ("compare", "latex")
    assert installed.endswith("-F _nlfol_completion nlfol")
