"""The digest of a stage's code is that of what its script imports, and of nothing else."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import grimp
import pytest

from nlfol.config import code, code_behind, code_digest, source_digest
from nlfol.config.code import OPERATIONAL
from nlfol.data.entry import ENTRIES
from nlfol.results.analyses.registry import TOPICS
from nlfol.tasks.registry import TASKS

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
LIBRARY = SCRIPTS / "nlfol"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A small library with a script `run` beside it."""
    written = {
        "run.py": "from nlfol.a import f\nfrom nlfol.store.logs import job_log\nimport beside\n",
        "beside.py": "import nlfol.late as late\n",
        "unused.py": "import nlfol.unused\n",
        "nlfol/__init__.py": "",
        "nlfol/a/__init__.py": "from nlfol.a import inner\n",
        "nlfol/a/inner.py": "def f():\n    from ..late import g\n    return g, 'program.py', 'absent.py'\n",
        "nlfol/a/program.py": "",
        "nlfol/late.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from nlfol.unused import X\n",
        "nlfol/unused.py": "",
        "nlfol/store/logs.py": "import nlfol.unused\n",
    }
    for name, text in written.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "nlfol"


def test_code_closure_includes_late_imports(library: Path) -> None:
    found = {path.relative_to(library.parent).as_posix() for path in code_behind("run", library=library)}
    assert found == {
        "run.py",
        "beside.py",
        "nlfol/a/__init__.py",
        "nlfol/a/inner.py",
        "nlfol/a/program.py",
        "nlfol/late.py",
    }


@pytest.mark.parametrize(
    ("name", "changes"), [("nlfol/a/inner.py", True), ("beside.py", True), ("nlfol/unused.py", False)]
)
def test_code_digest_changes_only_with_imported_code(tmp_path: Path, library: Path, name: str, changes: bool) -> None:
    same, changed = (
        shutil.copytree(library.parent, tmp_path / copy, ignore=shutil.ignore_patterns("same", "changed"))
        for copy in ("same", "changed")
    )
    with (changed / name).open("a") as file:
        file.write("NEW = 1\n")
    digest = code_digest("run", library=library)
    assert code_digest("run", library=same / "nlfol") == digest
    assert (code_digest("run", library=changed / "nlfol") != digest) is changes


def test_code_digest_rejects_missing_script(library: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.py"):
        code_digest("none", library=library)


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    """The imports of the library as grimp reads them, without operational modules."""
    graph = grimp.build_graph("nlfol", "nlfol_extras", exclude_type_checking_imports=True, cache_dir=None)
    for name in OPERATIONAL:
        for module in [name, *graph.find_descendants(name)]:
            graph.remove_module(module)
    return graph


@pytest.mark.parametrize("script", sorted(path.stem for path in SCRIPTS.glob("*.py")))
def test_code_closure_matches_import_graph(script: str, imports: grimp.ImportGraph) -> None:
    """Grimp sees no programs that are run, and of packages counts each on the way."""
    found = {path for path in code_behind(script) if path.parent != SCRIPTS}
    named = {".".join(path.relative_to(SCRIPTS).with_suffix("").parts).removesuffix(".__init__") for path in found}
    reached = {name for name in named if name in imports.modules}
    assert set().union(*(imports.find_upstream_modules(name) for name in reached)) <= reached | {
        "nlfol",
        "nlfol_extras",
    }


@pytest.mark.parametrize(
    ("module", "scripts"),
    [
        ("sets/sensitivity.py", {"measure_items"}),
        ("models/local/generation.py", {"ask_chat"}),
        (
            "models/vectors/similarity.py",
            {"ask_embedding", "compare_glosses", "compare_wordings", "offer_rewrites", "estimate_costs"},
        ),
        ("report/boards.py", set()),
        ("../render_tables.py", {"render_tables"}),
        ("../nlfol_extras/batches/chat.py", {"ask_chat"}),
        # They decide how and when, and no result.
        ("models/api/rate_limit.py", set()),
        ("store/locks.py", set()),
    ],
)
def test_changed_module_reruns_importing_scripts(module: str, scripts: set[str]) -> None:
    changed = (LIBRARY / module).resolve()
    assert changed.is_file()
    names = {path.stem for path in SCRIPTS.glob("*.py")}
    assert {name for name in names if changed in code_behind(name)} == scripts


def test_registered_proofs_are_behind_whatever_decides_formulas() -> None:
    for script in SCRIPTS.glob("*.py"):
        decides = LIBRARY / "logic/decision/satisfiability.py" in (behind := code_behind(script.stem))
        for module in ("completion.py", "arithmetic.py"):
            assert (SCRIPTS / "nlfol_extras/proving" / module in behind) is decides


def test_operational_modules_exist() -> None:
    for name in OPERATIONAL:
        place = SCRIPTS.joinpath(*name.split("."))
        assert place.is_dir() or place.with_suffix(".py").is_file(), name


@pytest.mark.parametrize("kind", sorted(TASKS))
def test_code_closure_includes_own_task_only(kind: str) -> None:
    modules = {name: _file(task.__module__) for name, task in TASKS.items()}
    assert code_behind("judge_answers") >= {*modules.values()}
    found = code_behind("judge_answers", kind=kind)
    assert found & {*modules.values()} == {modules[kind]}
    assert LIBRARY / "tasks/registry.py" not in found
    assert {LIBRARY / "tasks/task.py", LIBRARY / "tasks/judging.py"} <= found
    # Nothing of a task is behind a script that knows none.
    assert code_behind("audit_candidates", kind=kind) == code_behind("audit_candidates")


@pytest.mark.parametrize("topic", sorted(TOPICS))
def test_code_closure_includes_own_analysis_only(topic: str) -> None:
    modules = {name: _file(of.module) for name, of in TOPICS.items()}
    assert code_behind("render_tables") >= {*modules.values()}
    found = code_behind("analyse", topic=topic)
    assert modules[topic] in found
    assert found & {*modules.values()} <= {modules[topic], *_imported_topics(modules[topic])}
    assert LIBRARY / "results/analyses/analysis.py" in found
    assert SCRIPTS / "nlfol_extras/topics.py" not in found
    assert not {path for path in found if path.parent.name == "tables"}


def test_analyses_have_small_code_closure() -> None:
    """At most 5,400 lines, except where formulas are decided; no reader of models' answers in any."""
    behind = {topic: code_behind("analyse", topic=topic) for topic in TOPICS}
    lines = {topic: sum(path.read_text(encoding="utf-8").count("\n") for path in behind[topic]) for topic in TOPICS}
    large = {topic for topic, count in lines.items() if count > 5_400}
    assert large == {"formulas", "gold_audit", "reading_sets"}
    assert max(lines.values()) <= 9_900
    behind["tables"] = code_behind("render_tables")
    assert sum(path.read_text(encoding="utf-8").count("\n") for path in behind["tables"]) <= 25_550
    for needless in ("problems/dialects/taxonomy.py", "logic/reading/tolerant/reading.py", "data/sentences.py"):
        assert (LIBRARY / needless).is_file()
        assert not [name for name, files in behind.items() if LIBRARY / needless in files]


def _imported_topics(module: Path) -> set[Path]:
    names = {node.module for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.ImportFrom)}
    return {_file(topic.module) for topic in TOPICS.values() if topic.module in names}


def _file(module: str) -> Path:
    return SCRIPTS.joinpath(*module.split(".")).with_suffix(".py")


@pytest.mark.parametrize("script", ["ingest_dataset", "attach_ontology", "ingest_problems"])
@pytest.mark.parametrize("entry", ["folio", "grammar", "logic_lm"])
def test_code_closure_includes_own_dataset_reader_only(script: str, entry: str) -> None:
    datasets = LIBRARY / "data"
    modules = {datasets / "entries" / f"{each.__module__.rpartition('.')[2]}.py" for each in ENTRIES}
    assert code_behind(script) >= modules
    found = code_behind(script, entry=entry)
    assert found & modules == {datasets / "entries" / f"{entry}.py"}
    assert datasets / "entry.py" not in found
    assert (datasets / "generation.py" in found) == (entry == "grammar" and script != "ingest_problems")


def test_source_digest_ignores_comments_docstrings_and_layout() -> None:
    plain = "LIMIT = 3\ndef f(x):\n    return x + LIMIT\n"
    dressed = '"""M."""\n\nLIMIT = 3  # three\n"""L."""\n\ndef f(x):\n    """F."""\n    return (x + LIMIT)\n'
    assert source_digest(plain) == source_digest(dressed)


@pytest.mark.parametrize(
    "other",
    [
        "LIMIT = 4\ndef f(x):\n    return x + LIMIT\n",
        "LIMIT = '3'\ndef f(x):\n    return x + LIMIT\n",
        "LIMIT = 3\ndef f(x):\n    return x - LIMIT\n",
        "LIMIT = 3\ndef f(x):\n    pass\nx + LIMIT\n",
        "LIMIT = 3\ndef f(*x):\n    return x + LIMIT\n",
    ],
)
def test_source_digest_changes_with_code(other: str) -> None:
    assert source_digest(other) != source_digest("LIMIT = 3\ndef f(x):\n    return x + LIMIT\n")


def test_module_cache_is_reused_for_unchanged_texts_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "modules.json"
    digest = code_digest("judge_answers", kind="ranking")
    code.remember_modules(tmp_path / "nowhere" / "modules.json")
    code.remember_modules(place)
    monkeypatch.setattr(code, "_MODULES", {})
    code._read.cache_clear()
    code.code_digest.cache_clear()
    code.recall_modules(place)
    with monkeypatch.context() as patch:
        patch.setattr(code, "_parse", None)
        assert code_digest("judge_answers", kind="ranking") == digest
    place.write_text("{", encoding="utf-8")
    code.recall_modules(place)
