"""One recorded file of answers in three harnesses: nlfol.score, inspect_ai and lm-evaluation-harness, item by item.

    python benchmarks/harnesses.py [--count 60] [--dataset NAME] [--inspect PYTHON] [--lm-eval PYTHON]
    PYTHON benchmarks/harnesses.py --weights FOLDER [--count 60] [--dataset NAME] [--tasks KIND ...]

Up to ``count`` rows of every task are answered: right, by the reference that reads English; wrong, with the right
answer to another row; and broken, cut off or in prose. In round trips some replies are truncated or refused. The
answers are replayed as a model of each harness, in its own environment: ``PYTHON`` is an interpreter there, with what
nlfol needs. The logs go through ``nlfol import`` as well, and are judged again. By likelihood the recorded answer is
the likeliest option, and the row has no reasoning. A harness fails if it sends other messages than ``nlfol.dialogue``.
With ``--weights`` a real model chooses in lm-eval (``hf``) and here (``answer: likelihood``), both in float32 on the
CPU; ``PYTHON`` has lm_eval, torch and transformers.
"""

import argparse
import json
import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import fsum, isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nlfol
from nlfol.facts import FACTS, FIRST, LAST, OPTIONED
from nlfol.harnesses.questions import name_of, questions
from nlfol.models.likelihood import options_of
from nlfol.tasks.item import Item
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.reference import dialogue
from nlfol.tasks.registry import TASKS, build_task

BROKEN = ("", "I cannot say.", "∀x", "{", "```json\n{}\n```")
SEVERAL_STEPS = ("round_trip",)
CHOICES = tuple(kind for kind, facts in FACTS.items() if facts.form in OPTIONED)
READ = "read"
"""The share of answers of the agreed form, which lm-eval shows beside the metrics."""
Reply = Mapping[str, Any]


@dataclass(frozen=True)
class Recorded:
    """A row of a task with the replies to its steps, and its scores here, JSON's null for NaN."""

    kind: str
    name: str
    row: dict[str, Any]
    replies: list[dict[str, Any]]
    scores: dict[str, float | None]


def asked(messages: Iterable[Mapping[str, str]]) -> str:
    """Return messages as one text, by which a reply is found again."""
    return json.dumps([[message["role"], message["content"]] for message in messages])


def about(kind: str, dataset: str | None) -> str | None:
    """Return the dataset of a task, if it takes sentences."""
    return dataset if "sentences" in TASKS[kind].takes else None


def record(kind: str, count: int, dataset: str | None = None) -> Iterator[Recorded]:
    """Yield answered rows of a task; equal questions have equal replies."""
    said: dict[str, dict[str, Any]] = {}
    before: list[str] = ["{}"]
    for number, row in enumerate(islice(questions(kind, about(kind, dataset)).rows, count)):
        right = right_replies(row)
        replies: list[dict[str, Any]] = []
        while (question := nlfol.dialogue(row, replies)) is not None:
            step = len(replies)
            texts = (right[min(step, len(right) - 1)], before[min(step, len(before) - 1)], BROKEN[number % len(BROKEN)])
            # Four first steps of five are right, or else few dialogues would have others.
            is_first = step == 0 and kind in SEVERAL_STEPS
            chosen = 2 * (number % 5 == 4) if is_first else (number + step) % 3
            reply: dict[str, Any] = {"answer": texts[chosen]}
            if kind in SEVERAL_STEPS and number % 7 == 6:
                reply["outcome"] = ("truncated", "refused")[number % 2]
            replies.append(said.setdefault(asked(question.messages), reply))
        before = right
        yield Recorded(kind, name_of(row), row, replies, plain_scores(nlfol.score(row, replies, explain=True).scores))


def record_choices(kind: str, count: int, dataset: str | None = None) -> Iterator[Recorded]:
    """Yield rows of a choice without reasoning, answered by the right option or by a wrong one.

    Which one goes by the question: equal questions have equal replies.
    """
    for row in islice(questions(kind, about(kind, dataset)).rows, count):
        row["task"]["reasoning"] = 0
        question = nlfol.dialogue(row)
        assert question is not None
        scores = {option: nlfol.score(row, option).scores for option in options_of(question.schema)}
        right_first = sorted(scores, key=lambda option: -scores[option][FACTS[kind].shown_first])
        answer = right_first[sum(asked(question.messages).encode()) % 2]
        yield Recorded(kind, name_of(row), row, [{"answer": answer}], plain_scores(scores[answer]))


def right_replies(row: dict[str, Any]) -> list[str]:
    """Return the replies of the reader; where it cannot read the sentence, or does no such task, one from gold."""
    task, item = build_task(json.dumps(row["task"])), Item.from_row(row)
    if task.is_done_by("reader"):
        plan, reader = task.plan(Setting(row["experiment_seed"], NoPrompts())), task.reference("reader", [item])
        exchanged = dialogue(plan, reader, item, row.get("presentation", ""), row["seed"])
        if all(reply.text for _, reply in exchanged):
            return [reply.text or "" for _, reply in exchanged]
    question = nlfol.dialogue(row)
    assert question is not None
    if question.order:
        roles = [row["candidates"][place]["role"] for place in question.order]
        places = sorted(range(len(roles)), key=lambda place: (roles[place] in LAST) - (roles[place] in FIRST))
        is_choice = question.schema["properties"]["answer"]["type"] == "integer"
        ordered = [place + 1 for place in places]
        return [json.dumps({"reasoning": "", "answer": ordered[0] if is_choice else ordered})]
    of_type = {"integer": 4, "string": row["formula"]}
    return [json.dumps({name: of_type.get(part["type"], []) for name, part in question.schema["properties"].items()})]


def plain_scores(scores: Mapping[str, float]) -> dict[str, float | None]:
    """Return scores as JSON has them."""
    return {name: None if isnan(score) else score for name, score in scores.items()}


def replayed_in_inspect(recorded: Sequence[Recorded], dataset: str | None, folder: Path) -> dict[str, Any]:
    """Return the scores of every row in inspect_ai, by kind and name; the logs go to the folder."""
    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from nlfol.harnesses import inspect_tasks

    known, endings = _by_question(recorded), {"truncated": "max_tokens", "refused": "content_filter"}

    def answer(messages: Any, *_: Any) -> ModelOutput:
        reply = known[asked({"role": message.role, "content": message.text} for message in messages)]
        ending = endings.get(reply.get("outcome", ""), "stop")
        output = ModelOutput.from_content("replayed", reply["answer"], stop_reason=ending)
        output.usage = ModelUsage(input_tokens=7, output_tokens=3, total_tokens=10)
        return output

    found: dict[str, Any] = {}
    for kind in dict.fromkeys(part.kind for part in recorded):
        names = [part.name for part in recorded if part.kind == kind]
        model = get_model("mockllm/replayed", custom_outputs=answer)
        task = getattr(inspect_tasks, kind)(dataset=about(kind, dataset))
        (log,) = evaluate(task, model=model, sample_id=names, log_dir=str(folder), display="none")
        if log.status != "success" or log.samples is None:
            raise RuntimeError(f"{kind}: {log.error}")
        for sample in log.samples:
            found[f"{kind} {sample.id}"] = plain_scores(sample.scores["judge"].value)
    return found


def samples(model: Any, name: str, dataset: str | None, count: int, folder: Path | None = None) -> list[dict[str, Any]]:
    """Return lm-eval's samples of a task, and write them to a folder as its command does."""
    from lm_eval import simple_evaluate
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    from nlfol.harnesses import LM_EVAL

    manager = TaskManager(include_path=str(LM_EVAL), include_defaults=False, metadata={"dataset": dataset})
    options = {"log_samples": True, "bootstrap_iters": 0, "limit": count, "apply_chat_template": True}
    found: list[dict[str, Any]] = simple_evaluate(model, tasks=[name], task_manager=manager, **options)["samples"][name]
    if folder is not None:
        tracker = EvaluationTracker(output_path=str(folder))
        # The first gives both files their time.
        tracker.save_results_aggregated({"config": {"model": "replayed"}, "results": {}})
        tracker.save_results_samples(name, found)
    return found


def replaying(recorded: Sequence[Recorded]) -> Any:
    """Return a model of lm-eval that says the recorded answers; ``KeyError`` if a prompt is not that of a row."""
    from lm_eval.api.model import LM

    known = _by_question(recorded)

    class Replayed(LM):  # type: ignore[misc]
        tokenizer_name = "replayed"

        def chat_template(self, *_: Any) -> str:
            return "messages"

        def apply_chat_template(self, turns: Any, add_generation_prompt: bool = True) -> str:
            return asked(turns)

        def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
            return [known[request.args[0]]["answer"] for request in requests]

        def loglikelihood(self, requests: Any, disable_tqdm: bool = False) -> list[tuple[float, bool]]:
            return [(-1.0 - (known[request.args[0]]["answer"] != request.args[1]), False) for request in requests]

        def loglikelihood_rolling(self, requests: Any, disable_tqdm: bool = False) -> list[float]:
            raise NotImplementedError

    return Replayed()


def replayed_in_lm_eval(recorded: Sequence[Recorded], dataset: str | None, folder: Path) -> dict[str, Any]:
    """Return the scores of every row of a single step in lm-eval, by kind and name; samples go to the folder."""
    model, found = replaying(recorded), dict[str, Any]()
    for kind in dict.fromkeys(part.kind for part in recorded if part.kind not in SEVERAL_STEPS):
        for sample in samples(model, f"nlfol_{kind}", about(kind, dataset), _most(recorded, kind), folder):
            row = json.loads(sample["doc"]["row"])
            found[f"{kind} {name_of(row)}"] = {metric: sample[metric] for metric in sample["metrics"]}
    return found


def replayed_by_likelihood(recorded: Sequence[Recorded], dataset: str | None, folder: Path) -> dict[str, Any]:
    """Return the scores of every row of a choice by likelihood in lm-eval, by kind and name; samples go to the folder.

    Raises ``ValueError`` if the options are other ones.
    """
    model, found = replaying(recorded), dict[str, Any]()
    for kind in dict.fromkeys(part.kind for part in recorded):
        name, most = f"nlfol_{kind}_likelihood", _most(recorded, kind)
        for sample in samples(model, name, about(kind, dataset), most, folder):
            row = json.loads(sample["doc"]["row"])
            question = nlfol.dialogue(row)
            assert question is not None
            if (options := sample["doc"]["options"]) != [*options_of(question.schema)]:
                raise ValueError(f"{kind} {name_of(row)}: other options: {options}")
            found[f"{kind} {name_of(row)}"] = {FACTS[kind].shown_first: sample["acc"]}
    return found


def compare_choices(folder: Path, kinds: Sequence[str], count: int, dataset: str | None) -> None:
    """Print for each kind of choice how many items have equal prompts and equal choices in lm-eval and here.

    The gap is that between the log-probabilities of an item's options, in nats: lm-eval counts the whitespace at the
    end of the prompt among the tokens of each.
    """
    import torch
    from lm_eval.models.huggingface import HFLM

    from nlfol.models.entries.chat import LocalChatEntry
    from nlfol.models.local.loading import prompt_tokens
    from nlfol.models.local.option_likelihoods import LocalOptions
    from nlfol.models.request import JobFiles, Message

    said = {"kind": "chat", "backend": "transformers", "answer": "likelihood", "dtype": "float32", "device": "cpu"}
    entry = LocalChatEntry.model_validate({**said, "source": {"path": str(folder)}})
    torch.set_num_threads(1)  # more threads wait for one another on a busy machine
    own = LocalOptions.open(entry, JobFiles(folder, weights=folder))
    theirs = HFLM(pretrained=str(folder), dtype="float32", device="cpu", batch_size=1, enable_thinking=False)
    print("| task | items | equal prompts | equal choices | choices made | largest gap |\n|---|--:|--:|--:|--:|--:|")
    for kind in kinds:
        prompts, choices, gap = 0, list[tuple[str, str]](), 0.0
        name = f"nlfol_{kind}_likelihood"
        for sample in samples(theirs, name, about(kind, dataset), count):
            question = nlfol.dialogue(json.loads(sample["doc"]["row"]))
            assert question is not None
            options = options_of(question.schema)
            turns: Any = question.messages
            messages = [Message(**turn) for turn in turns]
            prompt = prompt_tokens(own.tokenizer, messages, entry.variables, own.identity)
            prompts += prompt == own.tokenizer(sample["arguments"][0][0], add_special_tokens=False)["input_ids"]
            tokens = [own.tokenizer(option, add_special_tokens=False)["input_ids"] for option in options]
            here = [fsum(told) for told in own.logprobs(prompt, tokens)]
            there = [float(told[0][0]) for told in sample["resps"]]
            gaps = [one - other for one, other in zip(there, here, strict=True)]
            gap = max(gap, max(gaps) - min(gaps))
            first, second = (options[scores.index(max(scores))] for scores in (there, here))
            choices.append((first, second))
        equal = sum(first == second for first, second in choices)
        print(f"| `{kind}` | {len(choices)} | {prompts} | {equal} | {len({*choices})} | {gap:.1g} |", flush=True)


def imported(folder: Path, recorded: Sequence[Recorded]) -> dict[str, Any]:
    """Return the scores of what ``nlfol import`` makes of logs, by kind and name."""
    from nlfol_extras.commands.imports import answers_of

    logs = sorted([*folder.rglob("*.eval"), *folder.rglob("samples_*.jsonl")])
    replies: dict[str, list[Any]] = {}
    for row in (row for log in logs for row in answers_of(log)):
        replies.setdefault(f"{row['task']} {name_of(row)}", []).append(row)
    return {
        key: plain_scores(nlfol.score(part.row, replies[key], explain=True).scores)
        for part in recorded
        if (key := f"{part.kind} {part.name}") in replies
    }


def _most(recorded: Sequence[Recorded], kind: str) -> int:
    return sum(part.kind == kind for part in recorded)


def _by_question(recorded: Sequence[Recorded]) -> dict[str, Reply]:
    """Return the replies by what is asked."""
    known: dict[str, Reply] = {}
    for part in recorded:
        for step, reply in enumerate(part.replies):
            question = nlfol.dialogue(part.row, part.replies[:step])
            assert question is not None
            known[asked(question.messages)] = reply
    return known


def differing(recorded: Sequence[Recorded], found: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a line for each row that has another score in a harness, or none."""
    lines = []
    for part in recorded:
        theirs = found.get(f"{part.kind} {part.name}", {})
        pairs = {name: (part.scores.get(name, "none"), score) for name, score in theirs.items() if name != READ}
        other = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
        if other or not theirs:
            lines.append(f"{part.kind} {part.name}: {other or 'not judged'}")
    return lines


def in_environment(python: str, harness: str, recorded: Sequence[Recorded], dataset: str | None, folder: Path) -> Any:
    """Return what ``replayed_in_…`` does in another environment, and leave its logs in the folder."""
    folder.mkdir(parents=True)
    given, made = folder / "recorded.json", folder / "scores.json"
    given.write_text(json.dumps([vars(part) for part in recorded]), encoding="utf-8")
    command = [python, __file__, "--replay", harness, str(given), str(made)]
    command += ["--dataset", dataset] if dataset else []
    library = Path(nlfol.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": f"{library}", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{harness}: {done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return json.loads(made.read_text(encoding="utf-8"))


REPLAYED = {
    "inspect": replayed_in_inspect,
    "lm_eval": replayed_in_lm_eval,
    "likelihood": replayed_by_likelihood,
}


def main() -> None:
    """Print how many rows of each task have equal scores, and those that differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60, help="rows of each task")
    parser.add_argument("--dataset", help="of tasks about sentences")
    parser.add_argument("--tasks", nargs="+", default=list(TASKS), choices=list(TASKS))
    parser.add_argument("--inspect", metavar="PYTHON", help="an interpreter with inspect_ai")
    parser.add_argument("--lm-eval", metavar="PYTHON", help="an interpreter with lm_eval")
    parser.add_argument("--weights", metavar="FOLDER", type=Path, help="compare choices by a model's likelihoods")
    parser.add_argument("--replay", nargs=3, metavar=("HARNESS", "RECORDED", "SCORES"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.replay:
        harness, given, made = options.replay
        recorded = [Recorded(**part) for part in json.loads(Path(given).read_text(encoding="utf-8"))]
        found = REPLAYED[harness](recorded, options.dataset, Path(made).parent / "logs")
        again = imported(Path(made).parent / "logs", recorded)
        Path(made).write_text(json.dumps({"scores": found, "imported": again}), encoding="utf-8")
        return
    if options.weights:
        kinds = [kind for kind in options.tasks if kind in CHOICES]
        compare_choices(options.weights, kinds, options.count, options.dataset)
        return
    recorded = [part for kind in options.tasks for part in record(kind, options.count, options.dataset)]
    columns, told = {}, []
    with TemporaryDirectory() as made:
        pythons = {"inspect": options.inspect, "lm_eval": options.lm_eval, "likelihood": options.lm_eval}
        for harness, python in pythons.items():
            if python is None:
                continue
            able = [part for part in recorded if harness == "inspect" or part.kind not in SEVERAL_STEPS]
            if harness == "likelihood":
                chosen = [kind for kind in options.tasks if kind in CHOICES]
                able = [part for kind in chosen for part in record_choices(kind, options.count, options.dataset)]
            for name, found in in_environment(python, harness, able, options.dataset, Path(made, harness)).items():
                columns[f"{harness}, {name}"] = {
                    kind: len(of_kind) - len(differing(of_kind, found)) for kind, of_kind in by_kind(able).items()
                }
                told += differing(able, found)[:20]
    print("| task | dialogues | right |", " | ".join(columns), "|")
    print("|---|--:|--:|" + "--:|" * len(columns))
    for kind, parts in [*by_kind(recorded).items(), ("all", recorded)]:
        right = sum(next(iter(part.scores.values())) == 1 for part in parts)
        equal = [sum(column.values()) if kind == "all" else column.get(kind, "refused") for column in columns.values()]
        print(f"| `{kind}` | {len(parts)} | {right} |", " | ".join(map(str, equal)), "|")
    print(*told, sep="\n")


def by_kind(recorded: Sequence[Recorded]) -> dict[str, list[Recorded]]:
    """Return the dialogues of each kind of task."""
    return {kind: [part for part in recorded if part.kind == kind] for kind in {part.kind: 0 for part in recorded}}


if __name__ == "__main__":
    main()
