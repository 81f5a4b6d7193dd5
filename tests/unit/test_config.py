from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.examples import ROOT, default

from nlfol.config import ConfigurationError, as_json, check_folders, experiment_json, read_configuration
from nlfol.tasks.registry import build_task


@pytest.mark.parametrize("path", [ROOT / "config.yaml", *sorted((ROOT / "config").glob("*.yaml"))], ids=str)
def test_shipped_configurations_are_valid(path: Path) -> None:
    read_configuration(yaml.safe_load(path.read_text()))


@pytest.mark.parametrize(
    ("place", "key", "meant"),
    [
        ("", "sead", "seed"),
        ("tasks.ranking", "pertubations", "perturbations"),
        ("models.smollm2-135m.limits", "token", "tokens"),
        ("models.smollm2-135m", "resources={slurm_partion: x}", "slurm_partition"),
        ("datasets.tarski", "ontolgy", "ontology"),
        ("datasets.tarski", "reader=tabel", "table"),
        ("models.minilm", "kind=embeding", "embedding"),
        ("models.smollm2-135m", "backend=transformer", "transformers"),
        ("tasks", "rankin={}", "ranking"),
        ("tasks.ranking", "models=[minilmm]", "minilm"),
    ],
)
def test_misspelt_key_error_suggests_nearest(place: str, key: str, meant: str) -> None:
    values = default()
    at = values
    for step in filter(None, place.split(".")):
        at = at[step]
    name, _, value = key.partition("=")
    at[name] = yaml.safe_load(value or "1")
    with pytest.raises(ConfigurationError, match=rf"\(did you mean {meant}\?\)"):
        read_configuration(values)


def test_unknown_reader_error_lists_readers() -> None:
    values = default()
    values["datasets"]["tarski"]["reader"] = "csv"
    with pytest.raises(
        ConfigurationError,
        match=r"datasets\.tarski: no reader is called 'csv' \(did you mean table\?\); there are folio, table, ",
    ):
        read_configuration(values)


@pytest.mark.parametrize(
    ("place", "key", "value", "message"),
    [
        ("models.smollm2-135m", "seeds", 3, "models.smollm2-135m.seeds: must be a list: [3]"),
        ("tasks.ranking", "datasets", "zoo", "tasks.ranking.datasets: must be a list: [zoo]"),
        ("tasks.ranking", "datasets", "x" * 99, "tasks.ranking.datasets: must be a list\n"),
        ("models.smollm2-135m", "temperature", 1, "correct its name (did you mean sampling.temperature?)"),
        ("datasets", "more", {"path": "x"}, "datasets.more: the key reader is missing; give one of folio, table, "),
        ("models", "more", {"model": "x"}, "models.more: the key kind is missing; give one of chat, embedding, "),
        (
            "models",
            "more",
            {"kind": "chat"},
            "models.more: the key backend is missing; give one of transformers, openai",
        ),
        ("models.smollm2-135m.limits", "tokens", 0, "models.smollm2-135m.limits.tokens: must be greater"),
    ],
)
def test_configuration_fault_is_located_as_in_file(place: str, key: str, value: object, message: str) -> None:
    values = default()
    at = values
    for step in place.split("."):
        at = at[step]
    at[key] = value
    with pytest.raises(ConfigurationError) as error:
        read_configuration(values)
    assert message in f"{error.value}\n"


def test_dissimilar_key_error_omits_suggestion() -> None:
    with pytest.raises(ConfigurationError) as error:
        read_configuration(default() | {"xyz": 1})
    assert "did you mean" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"sead": 1}, r"sead: .*remove the key or correct its name"),
        ({"seed": -1}, "seed: "),
        ({"seed": True}, "seed: a number is needed, not true"),
        ({"seed": 10**4000}, "seed: must be less than 9223372036854775808"),
        (
            {"models": {True: {"kind": "chance"}, False: {"kind": "chance"}}},
            r"models: entry 1 is called yes, on or true, .* quote its name\n  models: entry 2 is called no, off",
        ),
        (
            {"tasks": {12: {"task": "ranking"}}},
            "tasks: entry 1 is called 12, which YAML reads as no text; quote its name",
        ),
        (
            {"models": {"m" * 300: {"kind": "chance"}}},
            "models: entry 1 has a name of 300 characters, m{20}…; give it one",
        ),
        (
            {"models": {"Qwen": {"kind": "chance"}, "qwen": {"kind": "chance"}}},
            r"models\.qwen: Qwen differs in case alone, .*; rename one",
        ),
        ({"tasks": {"round_trip": {"rounds": True}}}, r"tasks\.round_trip\.rounds: a number is needed, not true"),
        ({"journal": "results"}, "journal: results and results: results lie one in the other.*side by side"),
        ({"journal": "results/journal"}, "lie one in the other"),
        ({"results": "./journal/../journal/results"}, "lie one in the other"),
        ({"datasets": {}}, "datasets: "),
        ({"datasets": {"a/b": {"reader": "table", "path": "x.csv"}}}, "a/b"),
        (
            {"datasets": {"mine": {"reader": "table", "path": ""}}},
            r"datasets.mine.path: .*pattern '\^\[\^{}\]\+\$'",
        ),
        ({"datasets": {"mine": {"reader": "table", "path": "{b}.csv"}}}, "datasets.mine.path: "),
        ({"datasets": {"mine": {"reader": "table", "path": "a", "ontology": ""}}}, "datasets.mine.ontology: "),
        ({"datasets": {"mine": {"reader": "folio", "ontology": ""}}}, "datasets.mine.ontology: "),
        ({"datasets": {"mine": {"reader": "folio", "patches": ""}}}, "datasets.mine.patches: "),
        ({"datasets": {"mine": {"reader": "spreadsheet", "path": "x.csv"}}}, "datasets.mine: .*folio, table"),
        ({"tasks": {}}, "tasks: Dictionary should have at least 1 item"),
        (
            {"tasks": {"translation": {}}},
            r"tasks\.translation: the key task is missing; give one of logical_translation, .*correct the name",
        ),
        ({"tasks": {"mine": {"task": "most_simular"}}}, r"tasks\.mine: .*logical_translation, most_similar, ranking"),
        ({"tasks": {"a/b": {"task": "ranking"}}}, "a/b"),
        ({"tasks": {"round_trip": {"rounds": 0}}}, r"tasks\.round_trip\.rounds: .*greater than or equal to 1"),
        (
            {"tasks": {"round_trip": {"presentations": ["few_shot", "few_shot"]}}},
            r"tasks\.round_trip\.presentations: must be one or more, each once",
        ),
        ({"tasks": {"round_trip": {"copies": True}}}, r"tasks\.round_trip\.copies: .*'count' or 'stop'"),
        ({"tasks": {"verification": {"pairs": "random"}}}, r"tasks\.verification\.pairs.*'certified'"),
        ({"models": {"always": {"kind": "constant"}}}, r"models\.always\..*answer: is missing"),
        ({"models": {"drifting": {"kind": "drifting", "probability": 2}}}, r"models\.drifting\..*probability: "),
        ({"models": {"always": {"kind": "constant", "answer": True}}}, r"models\.always\..*'yes', 'no' or 'commonest'"),
        ({"tasks": {"ranking": {"protocol": "paper", "minimum": 2}}}, r"tasks\.ranking: .*is of protocol audited"),
        ({"tasks": {"ranking": {"protocol": "paper", "forms": "plain"}}}, r"tasks\.ranking: .*is of protocol fair"),
        ({"tasks": {"ranking": {"english": "prose"}}}, r"tasks\.ranking\.english: .*'paper'"),
        ({"tasks": {"most_similar": {"perturbations": -8}}}, "tasks.most_similar.perturbations: "),
        ({"tasks": {"most_similar": {"perturbations": 2, "minimum": 3}}}, r"minimum \(3\) is above perturbations"),
        ({"tasks": {"ranking": {"presentations": ["formula", "formula"]}}}, "presentations"),
        (
            {"models": {"gpt": {"kind": "dialogue"}}},
            "models.gpt: .*chat, embedding, answers, reader, surface, medoid, words, order, learner, echo",
        ),
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
def test_configuration_error_names_faulty_key(change: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigurationError, match=named):
        read_configuration(default() | change)


def test_task_entries_keep_names_and_file_order() -> None:
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


MODELS: dict[str, Any] = {
    "talker": {"kind": "chat", "backend": "openai", "model": "m"},
    "vectors": {"kind": "embedding", "backend": "openai", "model": "v"},
    "reader": {"kind": "reader"},
    "chance": {"kind": "chance"},
}
DATASETS = {name: {"reader": "table", "path": f"{name}.csv"} for name in ("one", "other")}
RULES = {"rules": {"reader": "family", "family": "rules"}}


def grid(tasks: dict[str, Any]) -> dict[str, Any]:
    """Two datasets, and a model of each kind."""
    return {"seed": 7, "datasets": DATASETS, "tasks": tasks, "models": MODELS}


def test_missing_seed_defaults_to_shipped_seed() -> None:
    values = grid({"ranking": {}})
    del values["seed"]
    assert read_configuration(values).seed == default()["seed"]


def test_jobs_are_grouped_by_dataset_and_model_capability() -> None:
    tasks = {"ranking": {}, "logical_translation": {}, "paper": {"task": "most_similar", "protocol": "paper"}}
    configuration = read_configuration(grid(tasks))
    assert configuration.pairs() == [(dataset, task) for dataset in DATASETS for task in tasks]
    able = {
        "talker": ["ranking", "logical_translation", "paper"],
        "vectors": ["ranking", "paper"],
        # It cannot read the paper's English.
        "reader": ["ranking"],
        "chance": ["ranking", "logical_translation", "paper"],
    }
    expected = [(dataset, task, model) for dataset in DATASETS for model in MODELS for task in able[model]]
    assert configuration.jobs() == expected
    assert configuration.jobs("chat", "chance") == [job for job in expected if job[2] in ("talker", "chance")]
    assert configuration.jobs("embedding") == [job for job in expected if job[2] == "vectors"]


def test_reader_jobs_require_english_presentation() -> None:
    tasks = {"ranking": {"presentations": ["formula"]}, "most_similar": {"presentations": ["english"]}}
    assert read_configuration(grid(tasks)).jobs("reader") == [
        ("one", "most_similar", "reader"),
        ("other", "most_similar", "reader"),
    ]


def test_task_entry_restricts_datasets_and_models() -> None:
    narrowed = {"datasets": ["other"], "models": ["chance", "talker", "vectors"]}
    configuration = read_configuration(grid({"ranking": {}, "logical_translation": narrowed}))
    assert configuration.pairs() == [("one", "ranking"), ("other", "ranking"), ("other", "logical_translation")]
    # In the order of the models, and still of those that can do it alone.
    assert [job for job in configuration.jobs() if job[1] == "logical_translation"] == [
        ("other", "logical_translation", "talker"),
        ("other", "logical_translation", "chance"),
    ]
    assert [model for _, task, model in configuration.jobs() if task == "ranking"] == [*MODELS] * 2


def test_answers_entry_restricts_jobs_to_its_datasets_and_tasks() -> None:
    entry = {"kind": "answers", "path": "mine.jsonl", "datasets": ["other"], "tasks": ["logical_translation"]}
    values = grid({"ranking": {}, "again": {"task": "logical_translation"}})
    values["models"] = {**MODELS, "mine": entry}
    read = read_configuration(values)
    assert read.jobs("answers") == [("other", "again", "mine")]
    assert read.dialogues()[-1] == ("other", "again", "mine")
    values["models"]["mine"] = entry | {"reference": True}
    assert "mine" not in {model for _, _, model in read_configuration(values).dialogues()}
    values["models"]["mine"] = entry | {"tasks": ["translation"]}
    with pytest.raises(ConfigurationError, match=r"models\.mine\.tasks names translation, but tasks has no such entry"):
        read_configuration(values)


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        (
            {"ranking": {"datasets": ["one", "onne", "third"]}},
            "tasks.ranking.datasets names onne, third, but datasets has no such entry; correct the name",
        ),
        (
            {"ranking": {"models": ["taker"]}},
            "tasks.ranking.models names taker, but models has no such entry; correct the name",
        ),
        ({"ranking": {"datasets": []}}, "tasks.ranking.datasets: Tuple should have at least 1 item"),
        ({"ranking": {"models": []}}, "tasks.ranking.models: Tuple should have at least 1 item"),
        ({"ranking": {"items": 0}}, "tasks.ranking.items: must be greater than 0"),
        (
            {"ranking": {"datasets": ["rules"]}},
            "tasks.ranking.datasets names rules, which holds problems; ranking takes formulas or sentences: ",
        ),
        (
            {"asked": {"task": "question_answering", "datasets": ["rules", "one"]}},
            "tasks.asked.datasets names one, which holds sentences; question_answering takes problems: ",
        ),
        ({"program": {"datasets": ["other"]}}, "tasks.program.datasets names other, which holds sentences; "),
    ],
)
def test_impossible_task_restriction_is_rejected(tasks: dict[str, Any], said: str) -> None:
    values = grid(tasks)
    values["datasets"] = {**DATASETS, **RULES}
    with pytest.raises(ConfigurationError, match=said):
        read_configuration(values)


def test_sentence_task_rejects_problem_only_datasets() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(grid({"mine": {"task": "ranking"}}) | {"datasets": RULES})
    assert (
        "tasks.mine has no dataset: it takes formulas or sentences, which no dataset that it is narrowed to holds; "
        "add one under datasets, or remove the task"
    ) in str(caught.value)


def test_limits_belong_to_tasks_and_formula_limit_to_translation() -> None:
    tasks = {"logical_translation": {"limits": {"formula": 6}}, "ranking": {}}
    read = read_configuration(grid(tasks)).tasks
    assert [task.limits.model_dump() for task in read.values()] == [{"formula": 6}, {}]
    with pytest.raises(ConfigurationError, match=r"tasks\.ranking\.limits\.formula: .*remove the key"):
        read_configuration(grid({"ranking": {"limits": {"formula": 6}}}))
    moved = grid(tasks) | {"models": {"talker": {**MODELS["talker"], "limits": {"formula": 9}}}}
    with pytest.raises(ConfigurationError, match=r"models\.talker\.limits\.formula: .*remove the key"):
        read_configuration(moved)


def test_configuration_reports_all_errors_at_once() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(default() | {"seed": -1, "sead": 1, "tasks": {}})
    assert len(str(caught.value).splitlines()) == 4


def test_configuration_error_hides_pasted_api_key() -> None:
    secret = "sk-do-not-show-me-1234567890"
    entry = {"kind": "chat", "backend": "openai", "model": "m", "api_key_env": secret, "api_key": secret}
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(default() | {"models": {"gpt": entry}})
    assert "api_key_env" in str(caught.value)
    assert secret not in str(caught.value)
    assert caught.value.__cause__ is None


def test_equivalent_configurations_serialize_identically() -> None:
    first = default()
    first["tasks"] = {name: entry for name, entry in first["tasks"].items() if "models" not in entry}
    second = {key: first[key] for key in reversed(first)}
    name = "smollm2-135m"
    second["models"] = {name: dict(reversed(first["models"][name].items()))}
    second["models"][name]["sampling"] = {"top_p": 1, "temperature": 0}
    first["models"] = {name: first["models"][name] | {"sampling": {"temperature": 0.0, "top_p": 1.0}}}
    texts = {as_json(read_configuration(values).models[name]) for values in (first, second)}
    assert len(texts) == 1


def test_serialization_omits_irrelevant_keys() -> None:
    values = default()
    name = "smollm2-135m"
    plain = as_json(read_configuration(values).models[name], without={"resources"})
    values["models"][name]["resources"] = {"gpu": 1, "runtime": 30}
    entry = read_configuration(values).models[name]
    assert as_json(entry, without={"resources"}) == plain != as_json(entry)


def test_experiment_json_excludes_execution_settings() -> None:
    plain, other = default(), default()
    other["datasets"]["tarski"]["shards"], other["models"]["smollm2-135m"]["shards"] = 8, 4
    other |= {"results": "elsewhere", "journal": "kept", "budget": {"total": 1}}
    assert experiment_json(read_configuration(other)) == experiment_json(read_configuration(plain))
    other["datasets"]["tarski"]["ontology"] = None
    assert experiment_json(read_configuration(other)) != experiment_json(read_configuration(plain))


def test_overlong_name_is_shortened_in_error() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_configuration({"seed": 1, "datasets": {}, "tasks": {}, "models": {}, "x" * 10_000: 1})
    assert len(str(caught.value)) < 2_000


def test_reasoning_budget_is_overridable_per_task() -> None:
    tasks = {"logical_translation": {}, "ranking": {"reasoning": "none"}}
    assert [task.reasoning for task in read_configuration(grid(tasks)).tasks.values()] == [250, 0]
    assert [task.reasoning for task in read_configuration({**grid(tasks), "reasoning": 40}).tasks.values()] == [40, 0]
    with pytest.raises(ConfigurationError, match=r"tasks\.ranking\.limits\.reasoning: .*remove the key"):
        read_configuration(grid({"ranking": {"limits": {"reasoning": 500}}}))
    with pytest.raises(ConfigurationError, match=r"tasks\.ranking.*reasoning: .*0 or none asks for no reasoning"):
        read_configuration(grid({"ranking": {"reasoning": True}}))


def test_local_model_context_must_fit_prompt_beside_reasoning() -> None:
    values = default()
    values["models"]["smollm2-135m"] |= {"context": 1200, "limits": {"tokens": 900}}
    values["tasks"] = {"most_similar": {}}
    assert read_configuration({**values, "reasoning": 299})
    match = r"900 tokens and the 300 of reasoning of tasks\.most_similar leave no room for a prompt in 1200"
    with pytest.raises(ConfigurationError, match=match):
        read_configuration({**values, "reasoning": 300})


@pytest.mark.parametrize("key", ["results", "journal"])
@pytest.mark.parametrize("folder", ["taken", "taken/below"])
def test_file_at_folder_path_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken").write_text("", encoding="utf-8")
    configuration = read_configuration(default() | {key: folder})
    with pytest.raises(ConfigurationError, match=f"{key}: taken is no folder; move it away, or name another folder"):
        check_folders(configuration)


def test_released_sets_of_corrected_gold_are_refused() -> None:
    entry = {"task": "most_similar", "protocol": "released", "candidates": "sets", "datasets": ["folio"]}
    folio = {"reader": "folio", "ontology": "published", "gold": "corrected"}
    values = default() | {
        "datasets": {"folio": folio},
        "tasks": {"released": entry},
        "models": {"chance": {"kind": "chance"}},
    }
    with pytest.raises(ConfigurationError, match=r"tasks\.released: folio has gold: corrected"):
        read_configuration(values)
    folio["gold"] = "accepted"
    read_configuration(values)
