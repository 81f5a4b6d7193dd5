"""Tasks of inspect_ai: ``inspect eval nlfol/logical_translation --model openai/gpt-4o-mini``.

Each task takes what ``questions`` does as ``-T`` options, and ``plain`` for models that are asked for plain text. Its
solver goes through all steps of a dialogue; its scorer is ``nlfol.score``. An epoch is a seed: candidates are shown in
another order. Standard errors are clustered by story.
"""

from math import isnan
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ModelOutput,
    ResponseSchema,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

import nlfol
from nlfol.harnesses.questions import name_of, questions
from nlfol.mappings import JsonDict
from nlfol.tasks.scoring import Question
from nlfol.tasks.task import Judgement

_MESSAGES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
_ENDINGS = {"max_tokens": "truncated", "model_length": "truncated", "content_filter": "refused"}
_EVIDENCE = (
    *("outcome", "verdict", "means", "relation", "fault", "distance", "edits", "on_boards", "word", "stop", "detail"),
    *("formula", "repairs", "ambiguities", "liberties"),
)


@solver
def dialogue(plain: bool = False) -> Solver:
    """Ask every step of a row's dialogue; the replies go to the sample's metadata."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        row, replies = _row(state), list[JsonDict]()
        while not state.completed and (question := nlfol.dialogue(row, replies, plain=plain)) is not None:
            state.messages = _messages(question)
            schema = ResponseSchema(name="answer", json_schema=JSONSchema.model_validate(question.schema))
            state = await generate(state, **({} if plain else {"response_schema": schema}))
            replies.append(_reply(question, state.output))
        state.metadata["replies"] = replies
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr(cluster="story")]})
def judge(plain: bool = False) -> Scorer:
    """Judge the replies with ``nlfol.score``; a metric without a value, such as BLEU of what is no formula, is NaN."""

    async def score(state: TaskState, _target: Target) -> Score:
        judged = nlfol.score(_row(state), state.metadata.get("replies", []), plain=plain, explain=True)
        model = judged.counter_model
        evidence = {name: value for name in _EVIDENCE if (value := getattr(judged, name))}
        if model is not None:
            evidence["counter_model"] = model.as_data()
        return Score(value=dict(judged.scores), answer=judged.answer, explanation=_told(judged), metadata=evidence)

    return score


def _row(state: TaskState) -> JsonDict:
    """Return the row of a sample in an epoch, whose seed is its own."""
    row: JsonDict = state.metadata["row"]
    return {**row, "seed": row["seed"] + state.epoch - 1}


def _messages(question: Question) -> list[ChatMessage]:
    return [_MESSAGES[message["role"]](content=message["content"]) for message in question.messages]


def _reply(question: Question, output: ModelOutput) -> JsonDict:
    """Return a reply as ``nlfol.score`` takes it, with usage as files of answers have it."""
    reply: JsonDict = {"part": question.part, "order": list(question.order), "served_model": output.model or None}
    if output.error is not None or not output.choices:
        return {**reply, "answer": None, "outcome": "failed", "error": output.error or "there is no choice"}
    reply |= {"answer": output.completion, "finish_reason": output.stop_reason, "seconds": output.time}
    if (outcome := _ENDINGS.get(output.stop_reason)) is not None:
        reply["outcome"] = outcome
    if (usage := output.usage) is not None:
        cached = usage.input_tokens_cache_read
        reply |= {
            "prompt_tokens": usage.input_tokens + (cached or 0) + (usage.input_tokens_cache_write or 0),
            "cached_tokens": cached,
            "completion_tokens": usage.output_tokens,
            "reasoning_tokens": usage.reasoning_tokens,
            "cost": usage.total_cost,
        }
    return reply


def _told(judged: Judgement) -> str:
    """Return a judgement in lines: scores, and what speaks for them."""
    scores = ", ".join(f"{name} {score:.3g}" for name, score in judged.scores.items() if not isnan(score))
    model = None if judged.counter_model is None else judged.counter_model.to_json()
    lines = {
        "scores": scores,
        "outcome": judged.outcome,
        "verdict": judged.verdict,
        "formula": judged.formula,
        "relation": judged.relation,
        "fault": judged.fault,
        "distance": judged.distance,
        "because": judged.detail,
        "counter-model": model,
    }
    return "\n".join(f"{name}: {line}" for name, line in lines.items() if line)


def _task(kind: str, plain: bool, options: JsonDict) -> Task:
    asked = questions(kind, **options)
    samples = [
        Sample(
            id=name_of(row),
            input=_messages(nlfol.dialogue(row, plain=plain) or Question((), {}, "", ())),
            target=row["formula"],
            metadata={
                **{name: row[name] for name in ("item", "story")},
                "presentation": row.get("presentation", ""),
                "dataset": asked.dataset,
                "task": asked.task,
                "row": row,
            },
        )
        for row in asked.rows
    ]
    return Task(
        dataset=MemoryDataset(samples, name=asked.dataset),
        solver=dialogue(plain),
        scorer=judge(plain),
        version=asked.version,
        metadata={"dataset": asked.dataset, "task": asked.task, "plain": plain, "refused": dict(asked.refused)},
    )


@task
def logical_translation(plain: bool = False, **options: Any) -> Task:
    """Translate a sentence into a formula over given symbols."""
    return _task("logical_translation", plain, options)


@task
def ontology_extraction(plain: bool = False, **options: Any) -> Task:
    """Translate a sentence into a formula over symbols of the model's own."""
    return _task("ontology_extraction", plain, options)


@task
def most_similar(plain: bool = False, **options: Any) -> Task:
    """Choose the candidate that means the same as a sentence."""
    return _task("most_similar", plain, options)


@task
def ranking(plain: bool = False, **options: Any) -> Task:
    """Order candidates by how near they are to a sentence."""
    return _task("ranking", plain, options)


@task
def round_trip(plain: bool = False, **options: Any) -> Task:
    """Put a formula into English and back, in two steps or more."""
    return _task("round_trip", plain, options)


@task
def verification(plain: bool = False, **options: Any) -> Task:
    """Say if two formulas mean the same."""
    return _task("verification", plain, options)


@task
def question_answering(plain: bool = False, **options: Any) -> Task:
    """Answer a question about a problem, without a solver."""
    return _task("question_answering", plain, options)


@task
def program(plain: bool = False, **options: Any) -> Task:
    """Write a program for a solver that answers a problem."""
    return _task("program", plain, options)


@task
def rating(plain: bool = False, **options: Any) -> Task:
    """Rate a problem in other words."""
    return _task("rating", plain, options)
