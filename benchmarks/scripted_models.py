"""A configuration run whole, with its models' answers scripted: which pairs are refused, which tables stay empty.

    python benchmarks/scripted_models.py FOLDER config/solt.yaml [--items 20] [--models gpt-4 deepseek-v3]

A server on the loopback answers in place of the models named (all that are asked, if none is): the first writes what
the reader does, but of every fifth item what ``merging`` does, and of every eleventh no JSON; the others drift by 0.3.
Translations are the gold formula, or its negation where the first merges, and for every seventh item of the others.
Rankings are made of the candidates' roles: right at both ends for two requests in five, and at the first, at the last
and at neither for one each; choices are right where the first end is. The scores of the run are compared with this:
the exit status is 1 if one differs.
Requests are told apart by their messages, so what is sent is what was planned. The models of the published rewriting
get one phrase for each expression, datasets have three problems an item at most, and MiniLM takes the place of other
embedding models. Printed are the seconds, the rows of tables, or why there are none, the refused pairs by table, and
the figures. Ten items each of ProofWriter and FOLIO, six tasks: 1,184 answers, none unforeseen, and no pair is refused.
Six items a dataset of ``config/round_trip.yaml``: 228 answers, none unforeseen either, and no pair is refused.
Generated sets have one item a value, of fifty. So ``config/autoeval.yaml``, five items a task and the three models of
OpenAI: 333 jobs, 675 requests, none unforeseen, and no pair is refused; 25 tables have rows, six say why not,
and there are 18 figures. Five of ``config/paper.yaml``:
2,760 requests, none unforeseen; tables without rows say why. Twelve, of two models: all 3,840 scores of choices and
rankings are as scripted, and the tables about them have rows of every outcome. One to three items and one to two models
of each other grid, none unforeseen: ``autoeval_reasoning`` 70 requests, ``autoeval_benchmarks`` 170, ``solt`` 750,
``solt_figures`` 154. Three of ``config/changed.yaml``, three models: 276 requests, none unforeseen, and no pair of the
named comparisons is refused; all 28 have a row in ``ranks``. A run takes a port of its own (``--port``).

With ``--train``, adapters are trained on answers of the served models, and a tiny random model answers in place of
those that are loaded. Two items of ``config/fine_tuning.yaml``, with a file in ProverQA's form: 121 requests, none
unforeseen; two adapters, of four steps each; no pair with the base is refused. All 36 accuracies of MenTaL's table 4
have a row in ``published``: 24 beside ours, 12 apart, as their other words are certified. Nothing that the tiny model
writes can be read, so all gains are 0, and there is no dispersion.
"""

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any, cast

import pyarrow.feather
import yaml

from nlfol.asking.asking import sample, usable_items
from nlfol.asking.questions import messages_of
from nlfol.config import read_configuration
from nlfol.facts import ACCURACY, BOTH, EQUIVALENCE, NEGATION, AnswerForm
from nlfol.models.api.probing import QUESTION
from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol.randomness import generator, label_digest
from nlfol.tasks.choice import ChoiceTask
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Prompts, Reply, Setting, Step
from nlfol.tasks.reference import Asked, Manner, Reference, as_agreed, reasoned
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.unit.models.chat_server import HELD, ChatServer, Scripted, completion
from tests.unit.models.conftest import save_model
from tests.workflow.checkout import MINILM, ROOT, Checkout
from tests.workflow.tiny_model import ENTRY

Answers = dict[tuple[str, str], str]
"""Answers by model and messages."""

Ends = tuple[bool, bool]

ENDS: tuple[Ends, ...] = ((True, True), (True, True), (True, False), (False, True), (False, False))
"""Ends of a ranking, first and last, that are right, drawn in equal shares."""

Expected = dict[tuple[str, str, str], dict[tuple[str, str, int], Ends | None]]
"""By dataset, task and model: by item, presentation and seed, the ends that are right; None of a refusal."""

REFUSAL = "I cannot say."
UNEXPECTED = "not as scripted"

TINY: dict[str, Any] = {
    **ENTRY,
    "source": {"path": "mine/tiny"},
    "device": "cpu",
    "context": 32768,
    "limits": {"tokens": 400},
    "seeds": [0],
}
"""A model that is loaded; a byte or two are a token to it, and five solved problems long."""

CACHE = {"XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))}
CACHE |= {"NLFOL_DATA": os.environ["NLFOL_DATA"]} if "NLFOL_DATA" in os.environ else {}


def scripted(
    values: dict[str, Any], url: str, items: int, names: Sequence[str], *, trains: bool = False
) -> dict[str, Any]:
    """Return a configuration whose dialogue models are served at an address; the others are left out.

    If it ``trains``, models that are loaded are tiny ones, with their adapters.
    """
    models = {}
    for name, entry in values["models"].items():
        if entry["kind"] == "embedding":
            models[name] = MINILM
        elif entry["kind"] != "chat":
            models[name] = entry
        elif trains and name in names and entry["backend"] == "transformers":
            models[name] = TINY | {key: entry[key] for key in ("adapter",) if key in entry} | {"items": items}
        elif name in names:
            taken = {key: entry[key] for key in ("structured", "sampling", "seeds") if key in entry}
            served = {"backend": "openai", "model": name, "base_url": url, "api_key_env": None, "concurrency": 8}
            models[name] = {"kind": "chat", **served, **taken, "limits": {"tokens": 4096}, "items": items}
    for dataset in values["datasets"].values():
        dataset |= {key: min(dataset[key], 3 * items) for key in ("sample", "count") if key in dataset}
        if dataset["reader"] == "grammar":
            # Of fifty a value.
            dataset |= {"count": 1, "shards": 1}
    for task in values["tasks"].values():
        if "models" in task:
            task["models"] = [name for name in task["models"] if name in models]
        # With no item left out, references are asked the same.
        task["items"] = min(task.get("items", items), items)
    for named in values.get("comparisons", {}).values():
        named["pairs"] = [pair for pair in named.get("pairs", ()) if models.keys() >= {*pair}]
    # Otherwise models with an adapter are served, too.
    training = {name: {**entry, "count": 2 * items, "epochs": 1} for name, entry in values.get("training", {}).items()}
    return values | {"models": models, "training": training if trains else {}}


def planned(checkout: Checkout, values: dict[str, Any], names: Sequence[str], answers: Answers) -> Expected:
    """Add the answers to all requests for the items that were built; return what rankings and choices get right."""
    expected: Expected = {}
    configuration = read_configuration(values)
    folder, seed = checkout.folder / configuration.results, configuration.seed
    for dataset, task_name, model in configuration.jobs("chat"):
        entry, asked = configuration.tasks[task_name], configuration.models[model]
        if not isinstance(asked, OpenaiChatEntry):
            continue
        task = build_task(entry.model_dump_json())
        path = folder / f"items/{dataset}/{task_name}.arrow"
        if not path.exists():
            continue
        items = usable_items(path)
        most = min(filter(None, (asked.items, entry.items)))
        chosen = items if task.asks_all else sample(items, most, seed)
        plain = asked.structured == "none" and entry.envelope == "tolerant"
        setting = Setting(seed, Prompts(ROOT / "resources/prompts", plain=plain))
        said = partial(answered, task, chosen, model=model, is_first=model == names[0], seed=seed)
        ends = expected.setdefault((dataset, task_name, model), {}) if isinstance(task, ChoiceTask) else {}
        for item, shown, run in product(chosen, entry.shown_as, asked.seeds):
            if shown in item.unasked:
                continue
            following = partial(task.plan(setting).following, item, shown, run)
            replies: tuple[Reply, ...] = ()
            while isinstance(step := following(replies), Step):
                # Two tasks that ask the same get one answer: a round trip formalizes as the task of formalization does.
                text = answers.setdefault((model, _key(messages_of(step))), said(Asked(item, shown, step, replies)))
                replies = *replies, task.opened(item, Reply(step.part, "answered", text, step.order))
                ends[item.item, shown, run] = None if text == REFUSAL else _ends(step, model)
    return expected


def answered(task: AnyTask, items: Sequence[Item], asked: Asked, *, model: str, is_first: bool, seed: int) -> str:
    """Return what a model says."""
    lot = _number(seed, asked.item.source, "scripted" if is_first else model)
    kind = ("merging" if lot % 5 == 0 else "reader") if is_first else "drifting"
    if is_first and lot % 11 == 0:
        return REFUSAL
    if isinstance(task, ChoiceTask):
        return as_agreed(_ordered(task, asked, model), asked.step)
    if task.form is AnswerForm.FORMULA:
        # No reference translates.
        is_wrong = lot % (5 if is_first else 7) == 0
        formula = f"¬({asked.item.formula})" if is_wrong else asked.item.formula
        return as_agreed(reasoned("As it is.", formula), asked.step)
    for one in (kind, "reader"):
        if task.is_done_by(one):
            try:
                return as_agreed(_reference(task, items, one, seed)(asked), asked.step)
            except ValueError:  # a question that the reference leaves open
                break
    return json.dumps(least(asked.step.schema), ensure_ascii=False)


def _number(seed: int, *labels: str) -> int:
    return int.from_bytes(label_digest(seed, *labels)[:4])


def _ends(step: Step, model: str) -> Ends:
    # By what is sent, as two tasks that ask the same get one answer.
    return ENDS[_number(0, _key(messages_of(step)), model) % len(ENDS)]


def _ordered(task: ChoiceTask[Any], asked: Asked, model: str) -> str:
    """Return the answer of a model that puts one candidate to another end, or into the middle, for each wrong end."""
    members = [asked.item.members[place] for place in asked.step.order]
    grades: list[float] = [task.grade(member) for member in members]
    draw = generator(0, _key(messages_of(asked.step)), model, "exchanged")
    of_grade = {grade: [place for place, value in enumerate(grades) if value == grade] for grade in (1, 0, -1)}
    first, middle, last = (draw.choice(places) if places else None for places in of_grade.values())
    is_first_right, is_last_right = _ends(asked.step, model)
    # A choice has no last.
    wrong = [] if is_first_right else [first]
    wrong += [] if is_last_right or last is None else [last]
    if wrong:
        one, other = cast("tuple[int, int]", (*wrong, middle)[:2])
        grades[one], grades[other] = grades[other], grades[one]
    return task.answer_of_grades(grades)


def unexpected(results: Path, expected: Expected) -> Iterator[str]:
    """Yield the shares of right ends by task and model, and a line for each score that is not as scripted."""
    for (dataset, task, model), ends in expected.items():
        rows = pyarrow.feather.read_table(results / f"scores/{dataset}/{task}/{model}.arrow").to_pylist()
        for row in rows:
            first, last = ends[row["item"], row["presentation"], row["seed"]] or (False, False)
            right = {ACCURACY: first, EQUIVALENCE: first, NEGATION: last, BOTH: first and last}[row["metric"]]
            if row["score"] != right:
                yield f"{UNEXPECTED}: {dataset} {task} {model} {row}"
        shares = Counter(ends.values())
        yield f"{dataset} {task} {model}: {len(rows)} scores; {dict(shares)}"


def _reference(task: AnyTask, items: Sequence[Item], kind: str, seed: int) -> Reference:
    return task.reference(kind, items, Manner(probability=0.3, labels=(seed,)))


def least(schema: Mapping[str, Any]) -> Any:
    """Return a small value of a schema."""
    if "enum" in schema:
        return schema["enum"][len(schema["enum"]) // 2]
    match schema["type"]:
        case "object":
            return {name: least(each) for name, each in schema["properties"].items()}
        case "array":
            return [least(schema["items"])] * schema.get("minItems", 0)
        case "integer":
            return schema.get("minimum", 1)
        case _:
            return "A."


def _key(messages: Sequence[Any]) -> str:
    return json.dumps([[each.role, each.content] for each in messages], ensure_ascii=False)


def rewritten(user: str) -> str | None:
    """Return the answer to a request for rewrites, or for choices of them; None of another one."""
    if found := re.search(r"^Sentence: (.*)\nExpressions: (.*)$", user, re.MULTILINE):
        each = re.findall(r'"([^"]*)"', found[2] + user[found.end() :])
        rows = [(one, f"so-called {one}", found[1].replace(one, f"so-called {one}")) for one in dict.fromkeys(each)]
        fields = ("expression", "replacement", "sentence")
        kind = "phrase" if "Other words are needed for" in user else "reference"
        return json.dumps({"rewrites": [{"type": kind, **dict(zip(fields, row, strict=True))} for row in rows[:10]]})
    if found := re.search(r"^Choose for: (.*)$", user, re.MULTILINE):
        return json.dumps({"choices": [{"statement": int(one), "sentence": 2} for one in found[1].split(", ")]})
    return None


def report(folder: Path) -> Iterator[str]:
    """Yield a line for each table, with its rows and its refused pairs by reason, and for each figure."""
    for path in sorted((folder / "tables").glob("*.csv")):
        rows = len(path.read_text(encoding="utf-8").splitlines()) - 1
        why = "" if rows else path.with_suffix(".md").read_text(encoding="utf-8").split("**")[1]
        yield f"{path.stem}: {rows} rows {why}".rstrip()
    for path in sorted((folder / "tables").glob("*.arrow")):
        found = [row for row in pyarrow.feather.read_table(path).to_pylist() if row.get("refusal") is not None]
        reasons = Counter((row["refusal"], row.get("task"), row.get("dataset")) for row in found)
        yield from (f"refused in {path.stem}: {count} rows, {reason}" for reason, count in reasons.items())
    drawn = json.loads((folder / "report/figures.json").read_text(encoding="utf-8"))
    yield f"figures: {', '.join(figure['name'] for figure in drawn)}"


def main() -> None:
    """Run the experiment and print what became of it."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("config", type=Path)
    arguments.add_argument("--items", type=int, default=20)
    arguments.add_argument("--models", nargs="*")
    arguments.add_argument("--port", type=int, default=8731)
    arguments.add_argument("--train", action="store_true", help="train adapters, on a tiny model")
    given = arguments.parse_args()
    values = yaml.safe_load(given.config.read_text(encoding="utf-8"))
    names = given.models or [name for name, entry in values["models"].items() if entry["kind"] == "chat"]
    answers: Answers = {}
    expected: Expected = {}
    unknown: Counter[str] = Counter()

    def every(body: dict[str, Any]) -> Scripted:
        messages = body["messages"]
        if messages[-1]["content"] == QUESTION:
            return HELD
        key = json.dumps([[each["role"], each["content"]] for each in messages], ensure_ascii=False)
        text = answers.get((body["model"], key)) or rewritten(messages[-1]["content"])
        unknown[body["model"]] += text is None
        return Scripted(body=completion(text or REFUSAL))

    start = perf_counter()
    checkout = Checkout(given.folder) if given.folder.exists() else Checkout.make(given.folder)
    with ChatServer(every=every, port=given.port) as server:
        if given.train:
            save_model("qwen3", checkout.folder / "mine/tiny", max_position_embeddings=TINY["context"])
        values = scripted(values, server.url, given.items, names, trains=given.train)
        checkout.configure(values)
        configuration = read_configuration(values)
        results = configuration.results
        # Items about a model's answers are made of them, so these come first.
        for is_taken in (False, True):
            items = {
                f"{results}/items/{dataset}/{task}.arrow"
                for dataset, task, _ in configuration.jobs("chat")
                if (configuration.tasks[task].taken is not None) is is_taken
            }
            if items:
                checkout.run(*sorted(items), environment=CACHE, timeout=7200)
                print(f"items: {perf_counter() - start:.0f} s", flush=True)
                expected |= planned(checkout, values, names, answers)
                print(f"{len(answers)} answers: {perf_counter() - start:.0f} s", flush=True)
        checkout.run(f"{results}/tables", f"{results}/report", environment=CACHE, timeout=7200)
    print(
        f"report: {perf_counter() - start:.0f} s; {len(server.bodies)} requests, {unknown.total()} unknown", flush=True
    )
    lines = [*report(checkout.folder / results), *unexpected(checkout.folder / results, expected)]
    print("\n".join(lines))
    sys.exit(any(line.startswith(UNEXPECTED) for line in lines))


if __name__ == "__main__":
    main()
