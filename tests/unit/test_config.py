from pathlib import Path
from typing import Any

import pytest
import yaml

import nlfol
from nlfol.config import (
    ConfigurationError,
    as_json,
    code_digest,
    experiment_json,
    read_configuration,
    settle_capabilities,
    source_digest,
)
from nlfol.tasks.registry import build_task

ROOT = Path(__file__).parents[2]


def default() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "config.yaml").read_text())
    return loaded


@pytest.mark.parametrize("path", [ROOT / "config.yaml", *sorted((ROOT / "config").glob("*.yaml"))], ids=str)
def test_every_configuration_that_is_shipped_is_valid(path: Path) -> None:
    read_configuration(yaml.safe_load(path.read_text()))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"sead": 1}, r"sead: .*remove the key or correct its name"),
        ({"seed": -1}, "seed: "),
        ({"datasets": {}}, "datasets: "),
        ({"datasets": {"a/b": {"reader": "table", "path": "x.csv"}}}, "a/b"),
        (
            {"datasets": {"mine": {"reader": "table", "path": ""}}},
            r"datasets.mine.table.path: .*pattern '\^\[\^{}\]\+\$'",
        ),
        ({"datasets": {"mine": {"reader": "table", "path": "{b}.csv"}}}, "datasets.mine.table.path: "),
        ({"datasets": {"mine": {"reader": "table", "path": "a", "ontology": ""}}}, "datasets.mine.table.ontology: "),
        ({"datasets": {"mine": {"reader": "folio", "ontology": ""}}}, "datasets.mine.folio.ontology: "),
        ({"datasets": {"mine": {"reader": "folio", "patches": ""}}}, "datasets.mine.folio.patches: "),
        ({"datasets": {"mine": {"reader": "spreadsheet", "path": "x.csv"}}}, "datasets.mine: .*'folio', 'table'"),
        ({"tasks": {}}, "tasks: Dictionary should have at least 1 item"),
        ({"tasks": {"translation": {}}}, r"tasks\.translation: .*give the key 'task'"),
        (
            {"tasks": {"mine": {"task": "most_simular"}}},
            r"tasks\.mine: .*'logical_translation', 'most_similar', 'ranking'",
        ),
        ({"tasks": {"a/b": {"task": "ranking"}}}, "a/b"),
        ({"tasks": {"ranking": {"protocol": "paper", "minimum": 0}}}, r"tasks\.ranking: .*are of protocol audited"),
        ({"tasks": {"ranking": {"english": "prose"}}}, r"tasks\.ranking\.english: .*'paper'"),
        ({"tasks": {"most_similar": {"perturbations": -8}}}, "tasks.most_similar.perturbations: "),
        ({"tasks": {"most_similar": {"perturbations": 2, "minimum": 3}}}, r"minimum \(3\) is above perturbations"),
        ({"tasks": {"ranking": {"presentations": ["formula", "formula"]}}}, "presentations"),
        ({"models": {"gpt": {"kind": "dialogue"}}}, "models.gpt: .*'chat', 'embedding', 'reader', 'chance'"),
        ({"results": "has blank"}, "results: "),
        (
            {
                "datasets": {name: {"reader": "table", "path": "x.csv"} for name in ("a", "a.b")},
                "tasks": {"b.ranking": {"task": "ranking"}, "ranking": {}},
            },
            r"dataset a\.b with task ranking .* journal of dataset a with task b\.ranking: rename one",
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_key(change: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigurationError, match=named):
        read_configuration(default() | change)


def test_a_task_has_entries_by_name_in_the_order_of_the_file() -> None:
    entries = {
        "most_similar_paper": {"task": "most_similar", "protocol": "paper"},
        "most_similar": {},
        "most_similar_k3": {"task": "most_similar", "perturbations": 3},
        "strict": {"task": "logical_translation", "reading": "strict"},
    }
    tasks = read_configuration(default() | {"tasks": entries}).tasks
    assert list(tasks) == list(entries)
    assert [task.task for task in tasks.values()] == ["most_similar"] * 3 + ["logical_translation"]
    assert [build_task(as_json(task)).entry for task in tasks.values()] == list(tasks.values())


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(default() | {"seed": -1, "sead": 1, "tasks": {}})
    assert len(str(caught.value).splitlines()) == 4


def test_a_key_pasted_into_the_configuration_is_not_echoed() -> None:
    secret = "sk-do-not-show-me-1234567890"
    entry = {"kind": "chat", "backend": "openai", "model": "m", "api_key_env": secret, "api_key": secret}
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(default() | {"models": {"gpt": entry}})
    assert "api_key_env" in str(caught.value)
    assert secret not in str(caught.value)
    assert caught.value.__cause__ is None


def test_equal_meaning_is_equal_text() -> None:
    first = default()
    second = {key: first[key] for key in reversed(first)}
    name = "smollm2-135m"
    second["models"] = {name: dict(reversed(first["models"][name].items()))}
    second["models"][name]["sampling"] = {"top_p": 1, "temperature": 0}
    first["models"] = {name: first["models"][name] | {"sampling": {"temperature": 0.0, "top_p": 1.0}}}
    texts = {as_json(read_configuration(values).models[name]) for values in (first, second)}
    assert len(texts) == 1


def test_what_a_rule_does_not_depend_on_can_be_left_out() -> None:
    values = default()
    name = "smollm2-135m"
    plain = as_json(read_configuration(values).models[name], without={"resources"})
    values["models"][name]["resources"] = {"gpu": 1, "runtime": 30}
    entry = read_configuration(values).models[name]
    assert as_json(entry, without={"resources"}) == plain != as_json(entry)


def test_what_says_only_how_an_experiment_is_run_is_no_part_of_it() -> None:
    plain, other = default(), default()
    other["datasets"]["tarski"]["shards"] = 8
    other |= {"results": "elsewhere", "journal": "kept", "budget": {"total": 1}}
    assert experiment_json(read_configuration(other)) == experiment_json(read_configuration(plain))
    other["datasets"]["tarski"]["ontology"] = None
    assert experiment_json(read_configuration(other)) != experiment_json(read_configuration(plain))


def test_a_code_digest_covers_scripts() -> None:
    assert len({code_digest(["../ask_chat.py"]), code_digest(["../ask_embedding.py"]), code_digest([])}) == 3


def test_a_code_digest_covers_packages_and_modules() -> None:
    assert code_digest(["logic"]) != code_digest(["logic", "store/files.py"])
    library = Path(nlfol.__file__).parent
    modules = sorted(path.relative_to(library).as_posix() for path in (library / "store").glob("*.py"))
    kept = [module for module in modules if module != "store/files.py"]
    assert len(kept) == len(modules) - 1
    assert code_digest(["store", "!store/files.py"]) == code_digest(kept)
    with pytest.raises(FileNotFoundError):
        code_digest(["no_such_package"])
    with pytest.raises(FileNotFoundError):
        code_digest(["store", "!store/no_such_package"])


def test_comments_docstrings_and_layout_change_no_digest(tmp_path: Path) -> None:
    plain, dressed, other = (tmp_path / name for name in ("plain.py", "dressed.py", "other.py"))
    plain.write_text("LIMIT = 3\ndef f(x):\n    return x + LIMIT\n")
    dressed.write_text('"""M."""\n\nLIMIT = 3  # three\n"""L."""\n\ndef f(x):\n    """F."""\n    return (x + LIMIT)\n')
    other.write_text("LIMIT = 4\ndef f(x):\n    return x + LIMIT\n")
    digests = [source_digest(path.read_text()) for path in (plain, dressed, other)]
    assert digests[0] == digests[1] != digests[2]


def test_what_models_behind_interfaces_accept_is_settled_and_faults_are_named_together(tmp_path: Path) -> None:
    api = {"kind": "chat", "backend": "openai", "model": "o3-mini"}
    table = ROOT / "resources" / "capabilities.yaml"
    values = default() | {"models": {"one": api, "chance": {"kind": "chance"}}}
    settled = settle_capabilities(read_configuration(values), table)
    assert '"temperature": false' in as_json(settled.models["one"])
    assert settled.models["chance"] == read_configuration(values).models["chance"]
    wrong = api | {"sampling": {"temperature": 0}}
    configuration = read_configuration(values | {"models": {"one": wrong, "two": wrong, "three": api}})
    with pytest.raises(ConfigurationError) as caught:
        settle_capabilities(configuration, table)
    assert [line.partition(" is given")[0].strip() for line in str(caught.value).splitlines()[1:]] == [
        "models.one: sampling.temperature",
        "models.two: sampling.temperature",
    ]
    with pytest.raises(ConfigurationError, match=r"none\.yaml: cannot be read"):
        settle_capabilities(configuration, tmp_path / "none.yaml")
