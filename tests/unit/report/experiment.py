"""A small experiment with every outcome: recorded responses to sentences of Tarski's World, scored for real."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

from tests.analysing import analyse_all, explain

import attach_ontology
import audit_candidates
import build_items
import ingest_dataset
import judge_answers
import measure_items
import write_report
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.questions import dialogues
from nlfol.asking.responses import response_row, write_responses
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.entries.prices import Price
from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatReply, ChatRequest, Ending
from nlfol.provenance.manifest import Inputs, manifest, to_text
from nlfol.randomness import generator
from nlfol.report.answers import Answers, read_answers
from nlfol.report.items import Collection
from nlfol.results.analyses.analysis import Given
from nlfol.results.analyses.registry import FILES
from nlfol.store import files, schemas
from nlfol.store.evidence import files_of_evidence
from nlfol.store.origins import made_from, metadata_at
from nlfol.store.schemas import ResponseRow
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Step
from nlfol.tasks.registry import build_task

ROOT = Path(__file__).parents[3]
FIGURES = sorted((ROOT / "resources/published").glob("*.csv"))
TASKS: dict[str, dict[str, Any]] = {
    "logical_translation": {"task": "logical_translation"},
    "most_similar": {
        "task": "most_similar",
        "protocol": "audited",
        "perturbations": 4,
        "presentations": ["formula", "english"],
    },
    "ranking": {"task": "ranking", "protocol": "audited", "perturbations": 2, "presentations": ["formula"]},
}
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=\"alert('seen')\"><b>bold</b>"
"""Text that a model might write to run code on the page."""

PRICE = Price(prompt=1, completion=2)
"""Price of dialogue models."""

REFUSED = ("w99,This line is broken.,∀x (Cube(x)", "w99,f is a cube.,Cube(f)")
"""Sentences of which one cannot be read, and one has too few perturbations."""

SEEDS = (3, 12)

ENTRY = LocalChatEntry.model_validate(
    {"kind": "chat", "backend": "transformers", "source": {"path": "nowhere"}, "context": 8192, "seeds": SEEDS}
)
"""Entry of dialogue models: requests are real, answers are made up."""

TEMPLATES = sorted((ROOT / "resources/prompts").rglob("*.jinja"))

Asked = Mapping[tuple[str, str, int], tuple[Step, ChatRequest]]
"""Questions by item, presentation and seed."""

Of = tuple[str, str]
"""A model and a task."""

ROLES = ("gold", "equivalent", "perturbation", "negation", "negation_normal_form", "negation_equivalent")
"""Roles of the members of a candidate set, from the top of a ranking to its end."""


def reply(answer: object, reasoning: str = "Word by word.") -> str:
    return json.dumps({"reasoning": reasoning, "answer": answer}, ensure_ascii=False)


def translations(item: Item) -> Iterator[dict[str, Any]]:
    # One of each kind.
    yield {"answer": reply(item.formula)}
    yield {"answer": reply("∀x (Cube(x) → Small(x))", HOSTILE)}
    yield {"answer": reply("∃x (Tet(x) ∧ LeftOf(x, b) ∧ ¬Large(x))")}
    yield {"answer": reply("∀x (Block(x) → Small(x))")}
    yield {"answer": reply("Cube(b) ∧ Cube(x)")}
    yield {"answer": reply(HOSTILE)}
    yield {"answer": HOSTILE}
    yield {"answer": '{"reasoning": "and then', "outcome": "truncated"}
    yield {"answer": "", "thinking": f"All in my head {HOSTILE}", "outcome": "empty"}
    yield {"answer": "   \n  ", "outcome": "blank"}
    yield {"answer": "I cannot help with that.", "outcome": "refused"}
    yield {"outcome": "failed", "error": "503 after 5 attempts"}


@dataclass(frozen=True, slots=True)
class Experiment:
    """The files of an experiment; its sources are there once analysed."""

    folder: Path
    tasks: Mapping[str, Mapping[str, Any]]
    candidates: list[Path]
    answers: list[tuple[Path, Path]]
    manifest: Path
    journals: Path
    sources: dict[str, list[Path]]
    programs: Mapping[str, Path] = field(default_factory=dict)

    def collection(self) -> Collection:
        collection = Collection()
        for path in self.candidates:
            collection.add_candidates(path)
        return collection

    def answers_of(self, name: str) -> Answers:
        pair = next(pair for pair in self.answers if name in pair[0].name)
        return read_answers(*pair, evidence=files_of_evidence(self.sources["evidence"]))

    def analysed(self) -> dict[str, list[Path]]:
        """Analyse the scores and audit the candidates: the sources of tables."""
        _analyse(self)
        return self.sources

    def report(self, output: Path) -> Path:
        more: dict[str, Any] = {"programs": self.programs, "title": "A small experiment"}
        more |= {"manifest": self.manifest, "journals": self.journals, "of_figures": output.with_name("figures.json")}
        write_report.main(Given({**self.sources, "figures": FIGURES}), self.candidates, self.answers, output, **more)
        return output


def experiment(
    folder: Path, sentences: int = 16, *, models: tuple[str, ...] = ("talker", "rival"), reasoning: int = 0
) -> Experiment:
    """Make it: so many sentences, repeated if needed, beside ``REFUSED``; dialogue models, an embedding one, chance.

    Dialogue models give so many characters of reasoning that no other answer has.
    """
    lines = (ROOT / "resources/datasets/tarski/sentences.csv").read_text(encoding="utf-8").splitlines()
    header, every = lines[0], lines[1:]
    rounds = (f"{number // len(every) or ''}{every[number % len(every)]}" for number in range(sentences))
    (folder / "sentences.csv").write_text("\n".join([header, *rounds, *REFUSED, ""]), encoding="utf-8")
    ontology = str(ROOT / "resources/datasets/tarski/ontology.yaml")
    entry = json.dumps({"reader": "table", "path": str(folder / "sentences.csv"), "ontology": ontology})
    ingest_dataset.main(entry, "tarski", folder / "sentences.arrow")
    attach_ontology.main(entry, folder / "sentences.arrow", folder / "triples.arrow")
    for task, task_entry in TASKS.items():
        build_items.main(
            folder / "triples.arrow",
            dataset="tarski",
            task=task,
            task_json=json.dumps(task_entry),
            seed=7,
            output=folder / f"{task}.arrow",
        )
    answers = [
        _answered(folder, model, kind, task, reasoning)
        for model, kind in (*((model, "chat") for model in models), ("vectors", "embedding"), ("chance", "chance"))
        for task in TASKS
        if (kind, task) != ("embedding", "logical_translation")
    ]
    candidates = [folder / f"{task}.arrow" for task in TASKS]
    inputs = Inputs(
        sentences=[folder / "sentences.arrow"],
        triples=[folder / "triples.arrow"],
        items=candidates,
        responses=[responses for responses, _ in answers],
        scores=[scores for _, scores in answers],
        prompts=TEMPLATES,
        figures=FIGURES,
    )
    translated = [scores for _, scores in answers if scores.name.startswith("logical_translation")]
    evidence = explain(candidates[0], translated, json.dumps(TASKS["logical_translation"]))
    said = manifest(inputs, given={}, resolved={}, code={}, written="2026-01-02T03:04:05+00:00")
    (folder / "manifest.json").write_text(to_text(said), encoding="utf-8")
    sources = {**_paths(folder), "evidence": [evidence]}
    return Experiment(folder, TASKS, candidates, answers, folder / "manifest.json", folder / "journal", sources)


def _answered(folder: Path, model: str, kind: str, task: str, reasoning: int) -> tuple[Path, Path]:
    entry, made = json.dumps(TASKS[task]), folder / f"{task}.arrow"
    responses, scores = folder / f"{task}.{model}.responses.arrow", folder / f"{task}.{model}.scores.arrow"
    asking = Asking(Offered.read(made), "tarski", task, build_task(entry), model, "{}", 7, responses)
    asked = _asked(asking, model) if kind == "chat" else {}
    rows = [
        row
        for presentation in asking.presentations
        for number, item in enumerate(asking.items(None))
        for row in _MAKERS[kind](asked, (model, task), item, presentation, number)
    ]
    for number, row in enumerate(rows):
        if reasoning and row["answer"]:
            row["answer"] = row["answer"].replace("Word by word.", _words(reasoning, f"{model} {task} {number}"), 1)
        if kind == "chat":
            row |= {"prompt_tokens": 100, "completion_tokens": 10, "cost": PRICE.of(100, 0, 10, batch=False)}
    if asked:
        keys = ((str(row["request"]), row) for row in rows)
        replies = {key: ChatReply(key, Ending(row["outcome"]), row["answer"]) for key, row in keys}
        with Journal(folder / "journal" / model / f"tarski.{task}.jsonl") as journal:
            journal.append((request, replies[request.key]) for _, request in asked.values())
    write_responses(asking, kind, model, rows, {"price": PRICE.model_dump_json()} if kind == "chat" else {})
    judge_answers.main(made, responses, entry, scores)
    return responses, scores


def _asked(asking: Asking, model: str) -> Asked:
    every = [*dialogues(asking, ENTRY, ROOT / "resources/prompts", model)]
    for dialogue in every:
        dialogue.advance()
    return {(each.item.item, each.presentation, each.seed): each.pending for each in every}


def _words(length: int, label: str) -> str:
    draw = generator("words", label)
    text = " ".join(draw.choice(_VOCABULARY) for _ in range(length // 4))
    return text[:length]


_VOCABULARY = (ROOT / "resources/datasets/tarski/README.md").read_text(encoding="utf-8").replace('"', "").split()


def _said(asked: Asked, of: Of, item: Item, presentation: str, number: int) -> Iterator[ResponseRow]:
    model, task = of
    for seed in SEEDS:
        draw = generator("report", model, task, item.item, presentation, str(seed))
        step, request = asked[item.item, presentation, seed]
        order = list(step.order)
        if task == "logical_translation":
            every = cycle(translations(item))
            values = [next(every) for _ in range(number * len(SEEDS) + SEEDS.index(seed) + 1)][-1]
            counted = item.text == "Exactly one dodecahedron is large."
            if counted:
                values = {"answer": reply("∃x (Dodec(x) ∧ Large(x))")}
            if item.text == "Some cube is neither small nor in the same column as b.":
                # As the sentence on every board, and by logic alone not.
                values = {"answer": reply("∃x (Cube(x) ∧ ¬Small(x) ∧ (LeftOf(x, b) ∨ RightOf(x, b)))")}
            # The second model is right more often.
            values = {"answer": reply(item.formula)} if model == "rival" and (counted or number % 2) else values
        elif task == "most_similar":
            right = draw.random() < (0.8 if model == "rival" else 0.4)
            values = {"answer": reply(order.index(0) + 1 if right else draw.randint(1, len(order)))}
        else:
            wanted = sorted(range(len(order)), key=lambda place: ROLES.index(item.members[order[place]].role))
            if model != "rival" and number % 3 == 0:
                wanted.reverse()
            values = {"answer": reply([place + 1 for place in wanted])}
        yield response_row(item, presentation, seed=seed, order=order, request=request.key, **values)


def _compared(_: Asked, of: Of, item: Item, presentation: str, number: int) -> Iterator[ResponseRow]:
    draw = generator("report", *of, item.item, presentation)
    # To two digits: ties occur.
    yield response_row(item, presentation, similarities=[round(draw.uniform(0.9, 1), 2) for _ in item.members])


def _drawn(_: Asked, of: Of, item: Item, presentation: str, number: int) -> Iterator[ResponseRow]:
    yield response_row(item, presentation)


_MAKERS: Mapping[str, Callable[[Asked, Of, Item, str, int], Iterator[ResponseRow]]] = {
    "chat": _said,
    "embedding": _compared,
    "chance": _drawn,
}


def _paths(folder: Path) -> dict[str, list[Path]]:
    audits = [folder / f"{task}.audit.arrow" for task in TASKS if task != "logical_translation"]
    return {**{name: [folder / f"{name}.arrow"] for name in FILES}, "audits": audits}


def _analyse(experiment: Experiment) -> None:
    folder, candidates = experiment.folder, experiment.candidates
    scores = [scores for _, scores in experiment.answers]
    triples, measures = folder / "triples.arrow", folder / "measures.arrow"
    measure_items.main(triples, dataset="tarski", sensitivity=2, seed=7, output=measures)
    # As if the sentences had been generated, by number of operators.
    rows = files.rows(measures, schemas.MEASURES)
    said = {"dataset": "tarski", **made_from(triples)}
    stratified = [row | {"category": row["operators"]} for row in rows]
    files.write(measures, schemas.MEASURES, stratified, said)
    analyse_all(
        folder,
        {"datasets": ["tarski"]},
        scores=scores,
        evidence=experiment.sources["evidence"],
        choice_scores=scores,
        choice_items=candidates,
        candidates=candidates,
        item_files=candidates,
        responses=[path for path, _ in experiment.answers if metadata_at(path)["kind"] == "chat"],
        sentences=[folder / "sentences.arrow"],
        triples=[triples],
        measures=[measures],
        figures=FIGURES,
        translation_scores=[path for path in scores if path.name.startswith("logical_translation")],
    )
    for path, output in zip(candidates[1:], experiment.sources["audits"], strict=True):
        audit_candidates.main(path, dataset="tarski", task=path.stem, output=output)
