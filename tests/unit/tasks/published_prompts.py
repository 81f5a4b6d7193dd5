"""The checklist of published prompts, and the first requests of shipped grids that it is read against.

Items are stand-ins: a sentence, a formula, an expression or a problem of the kind that a dataset holds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import yaml
from tests import examples
from tests.examples import CATS, CUBES, ROOT, WEATHER
from tests.unit.tasks.problem_items import items

from nlfol.config import Configuration, read_configuration
from nlfol.data.entries.block import Block
from nlfol.data.entries.folio_questions import OPTIONS
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.logic.reading import parse
from nlfol.problems.problem import Problem, plain
from nlfol.tasks.item import Exemplar, Item, Member, labels
from nlfol.tasks.plan import Prompts, Setting, Step
from nlfol.tasks.registry import build_task, task_of
from nlfol.tasks.task import AnyTask

GRIDS = {
    "paper": "nl_fol_lt",
    "autoeval": "autoeval",
    "autoeval_benchmarks": "autoeval",
    "autoeval_reasoning": "autoeval",
    "solt": "solt",
    "fine_tuning": "solt",
}
"""The papers of the grids in ``config``."""

SETTING = Setting(7, Prompts(ROOT / "resources/prompts"))

_ROLES = (("gold", CUBES), ("equivalent", "¬∃x (Cube(x) ∧ ¬Small(x))"), ("perturbation", "∃x (Cube(x) → Small(x))"))
_MEMBERS = tuple(Member(formula, f"English of {role}.", role) for role, formula in _ROLES)
_STORY = derive([parse(CUBES), parse("∃x (Tet(x) ∧ Large(x))"), parse("Larger(a, b)")])
_RELATED = Ontology(
    tuple(
        Predicate(f"pred{number}", 2, f"{{}} stands in relation {number} to {{}}", f"{{}} and {{}}: not {number}")
        for number in (1, 2)
    ),
    (),
    (ConstantSymbol("p1", "object 1"), ConstantSymbol("p2", "object 2")),
)
SENTENCE = replace(
    examples.item(CUBES, "Every cube is small.", ontology=_STORY),
    members=_MEMBERS,
    exemplars=(Exemplar("Some tetrahedron is large.", "∃x (Tet(x) ∧ Large(x))"),),
)
LETTERS = Item("p:0", "p", "It rains or it snows.", "p1 ∨ p2", WEATHER, (), "propositional", 1)
RELATIONS = Item("f:0", "f", "Of every thing.", "∀x pred1(x, p1)", _RELATED, (), "first_order", 1)
WORDS = Item("r:0", "r", "", "(01)*", Ontology(alphabet="01"), (), "regular", 2)

YES_NO = replace(CATS, language=None, options=plain(("yes", "no")))
FOLIO = replace(CATS, options=plain(OPTIONS), answer="A")
_FAMILIES = {"prontoqa": "taxonomy", "proofwriter": "rules", "logical_deduction": "order"}
_DRAWN = Exemplar("There is one.", "∃x pred1(x, p2)"), Exemplar("A 0, then 1s.", "0(1)*")


@dataclass(frozen=True, slots=True)
class Check:
    """Words that the first request of a task must hold, in this order, and words that it must not hold."""

    paper: str
    appendix: str
    of: Mapping[str, Any]
    says: Sequence[str]
    omits: Sequence[str]

    def faults(self, text: str) -> list[str]:
        """Return what is missing or out of its place in a request, and what should not be there."""
        found, start = [], 0
        for words in self.says:
            place = text.find(words, start)
            found += [f"does not say {words!r}, or says it too early"] if place < 0 else []
            start = max(place, start)
        return [*found, *(f"says {words!r}" for words in self.omits if words in text)]


@dataclass(frozen=True, slots=True)
class Request:
    """The first request of a task about a dataset, and what tells it from others."""

    name: str
    about: Mapping[str, Any]
    step: Step

    @property
    def text(self) -> str:
        """The whole text."""
        return f"{self.step.system}\n\n{self.step.user}"

    def checks(self, papers: Sequence[str]) -> list[Check]:
        """Return the checks of papers that are about such a request."""
        return [
            check
            for check in checklist()
            if check.paper in papers and all(self.about.get(key) == value for key, value in check.of.items())
        ]


@cache
def checklist() -> tuple[Check, ...]:
    """The checks of all papers."""
    rows = yaml.safe_load((ROOT / "tests/unit/tasks/published_prompts.yaml").read_text(encoding="utf-8"))
    return tuple(Check(**row) for row in rows)


def _sentence(block: Block, task: AnyTask) -> Item:
    if block.reader != "grammar":
        return SENTENCE
    grammar = block.model_dump()["grammar"]
    of_logic = RELATIONS if grammar.startswith("first_order") else LETTERS
    drawn = WORDS if grammar.startswith("regular") else of_logic
    written = (("p1 ∨ p2", "p2 ∨ p1") if drawn is LETTERS else (drawn.formula,) * 2) * 2
    roles = ("gold", "equivalent", "perturbation", "corner")
    members = [Member(formula, "", role) for formula, role in zip(written, roles, strict=True)]
    return replace(drawn, members=tuple(members), exemplars=_DRAWN)


def _problem(block: Block, blocks: Mapping[str, Block]) -> Problem:
    values = block.model_dump()
    if values.get("of"):
        return _problem(blocks[values["of"]], blocks)
    if block.reader == "logieval":
        return YES_NO
    if block.reader == "folio_questions":
        return FOLIO
    name = values.get("family") or _FAMILIES.get(block.reader)
    return examples.family(name)[0] if name else CATS


def about(task: AnyTask, item: Item, presentation: str) -> dict[str, Any]:
    """Return what tells the request of a task from others."""
    entry, problem = task.entry.model_dump(), item.problem
    spoken = item.language if problem is None else entry.get("language") or problem.language
    return {
        "task": task.kind,
        "prompt": entry.get("prompt"),
        "strategy": entry.get("strategy"),
        "language": spoken,
        "presentation": presentation,
        "generated": item.category is not None if problem is None else None,
        "words": None if problem is None else ", ".join(labels(problem).values()),
    }


def stand_in(configuration: Configuration, dataset: str, task: AnyTask) -> Item:
    """Return an item of the kind that a task asks of a dataset."""
    blocks = configuration.datasets
    if blocks[dataset].holds != "problems":
        return _sentence(blocks[dataset], task)
    problem = _problem(blocks[dataset], blocks)
    (item,) = items([problem], task) if task.kind != "rating" else [_rated(problem)]
    return item


def first_requests(configuration: Configuration) -> Iterator[Request]:
    """Yield the first request of each task about each dataset, under each presentation."""
    for dataset, name in configuration.pairs():
        task = task_of(configuration.tasks[name])
        item = stand_in(configuration, dataset, task)
        for presentation in task.entry.shown_as:
            if presentation in item.unasked:
                continue
            step = task.plan(SETTING).following(item, presentation, 1, [])
            assert isinstance(step, Step)
            label = " ".join(filter(None, (dataset, name, presentation)))
            yield Request(label, about(task, item, presentation), step)


@cache
def requests_of(grid: str) -> tuple[Request, ...]:
    """Return the first requests of a grid in ``config``."""
    values = yaml.safe_load((ROOT / f"config/{grid}.yaml").read_text(encoding="utf-8"))
    return tuple(first_requests(read_configuration(values)))


def _rated(problem: Problem) -> Item:
    (item,) = items([problem], build_task('{"task": "question_answering"}'))
    return replace(item, text=f"Original:\n{item.text}\n\nIn other words:\n{item.text}")
