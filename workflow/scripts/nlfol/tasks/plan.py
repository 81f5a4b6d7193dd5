"""A task as a dialogue: what is asked next, given the replies so far, and the prompts that ask it.

A plan is pure: it has no clock, no network and no state, so that a job that was stopped replays its dialogues from the
journal, and asks only what is missing there.

Prompts are the Jinja templates of ``resources/prompts``, a folder for each kind of task. Templates see
``presentation``; ``text`` (the sentence); ``language`` (of the formula); ``predicates``, ``functions`` and
``constants`` of the ontology with their glosses; ``candidates`` (as shown, in order); ``limits``; the budget of
``reasoning``; and what a task gives beside them. Nothing that a dataset holds or a model writes is ever itself taken as
a template.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from typing_extensions import override

from nlfol.logic.ontology.ontology import Ontology, fill
from nlfol.mappings import JsonObject
from nlfol.plugins import prompts
from nlfol.tasks.answers import CHARACTERS_A_TOKEN, AnswerError
from nlfol.tasks.envelopes.writing import in_plain_text
from nlfol.tasks.item import Item
from nlfol.tasks.shown import mark, render
from nlfol.validation import nearest


class PromptError(ValueError):
    """A prompt that is not there."""


class Prompts:
    """The templates of a folder and of other packages; ``plain`` if they ask for plain text, not a JSON object."""

    def __init__(self, folder: Path, *, plain: bool = False) -> None:
        import jinja2  # as late as this, since judging needs no prompts

        self._folder = folder
        self.environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader([folder, *prompts()]),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,  # noqa: S701 - prompts are plain text
        )
        mark(self.environment)
        self.environment.globals |= {"plain": plain, "characters_a_token": CHARACTERS_A_TOKEN}
        self.environment.filters["answered"] = in_plain_text if plain else str

    def render(self, name: str, item: Item, presentation: str = "", order: Sequence[int] = (), **more: Any) -> str:
        """Return the text of a template, named without suffix such as ``ranking/user``, for one item: ``Shown``.

        ``order`` says which candidates are shown, and in which order. Raises ``PromptError`` if the template is
        missing, ``jinja2.TemplateError`` if it is malformed, or uses an unknown name.
        """
        from jinja2 import TemplateNotFound

        values = {
            "presentation": presentation,
            "text": item.text,
            "language": item.language,
            **symbols(item.ontology),
            "candidates": [item.members[index].shown(presentation) for index in order],
            **more,
        }
        try:
            template = self.environment.get_template(f"{name}.jinja")
        except TemplateNotFound as error:
            there = nearest(f"{name}.jinja", self.environment.list_templates())
            raise PromptError(f"no prompt {error.name} in {self._folder}{there}; put it there") from error
        return render(template, values)

    def turns(
        self, prefix: str, item: Item, presentation: str = "", order: Sequence[int] = (), **more: Any
    ) -> tuple[str, str]:
        """Return the texts of two templates, ``system`` and ``user`` behind a prefix such as ``ranking/``."""
        system, user = (
            self.render(f"{prefix}{turn}", item, presentation, order, **more) for turn in ("system", "user")
        )
        return system, user


class NoPrompts(Prompts):
    """Empty prompts, for references, which are asked nothing in words."""

    def __init__(self) -> None:
        """Make prompts without templates."""

    @override
    def render(self, name: str, item: Item, presentation: str = "", order: Sequence[int] = (), **more: Any) -> str:
        return ""


def symbols(ontology: Ontology) -> dict[str, list[dict[str, str]]]:
    """Return the names that the template ``symbols.jinja`` uses."""
    return {
        "predicates": [_predicate(p.name, p.arity, p.positive) for p in ontology.predicates],
        "functions": [_predicate(f.name, f.arity, f.meaning) for f in ontology.functions],
        "constants": [{"name": c.name, "meaning": c.meaning} for c in ontology.constants],
    }


def _predicate(name: str, arity: int, gloss: str) -> dict[str, str]:
    names = list("xyzuvw"[:arity]) if arity <= 6 else [f"x{index}" for index in range(1, arity + 1)]
    return {"form": f"{name}({', '.join(names)})" if names else name, "gloss": fill(gloss, names)}


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier turn of a dialogue that a step goes on with."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Step:
    """A question of a dialogue; its ``schema`` is a neutral JSON schema of the answer (``nlfol.models.request``).

    ``part`` names its part of the plan, "" in plans of one step. ``order`` has the candidate shown at each place;
    ``earlier`` the turns between the instructions and the question. ``draw`` tells apart answers to equal requests,
    each a draw of its own where answers are sampled.
    """

    part: str
    system: str
    user: str
    schema: JsonObject
    order: tuple[int, ...] = ()
    earlier: tuple[Turn, ...] = ()
    draw: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of a dialogue, with the reason in a snake_case word."""

    reason: str = "completed"


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a step; ``part`` and ``order`` are those of the step.

    ``outcome`` is ``answered``, ``truncated``, ``empty``, ``blank``, ``refused`` or ``failed``; ``text`` is the answer;
    ``error`` says why there is none. Where the envelope was opened (``envelopes``), ``written`` is what was written,
    ``liberties`` are those taken. If an answer contradicts itself or takes too long to read, the text is empty, and
    ``fault`` says why.
    """

    part: str
    outcome: str
    text: str | None
    order: tuple[int, ...] = ()
    error: str | None = None
    written: str | None = None
    liberties: tuple[str, ...] = ()
    fault: str | None = None

    @property
    def said(self) -> str:
        """Return what the model wrote, as later turns show it."""
        return self.written or self.text or ""

    @property
    def answer(self) -> str:
        """Return the text to be read; raises ``AnswerError`` if the answer contradicts itself."""
        if self.fault is not None:
            raise AnswerError(self.fault)
        return self.text or ""


class Plan(Protocol):
    """The dialogues of a task with one model over one dataset."""

    def most_steps(self, item: Item) -> int:
        """Return the largest number of steps of a dialogue about an item."""

    def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
        """Return what is asked after the replies to all steps so far; ``presentation`` is "" without candidates."""


@dataclass(frozen=True, slots=True)
class OneStep(Plan):
    """The plan of a task that asks once."""

    step: Callable[[Item, str, int], Step]
    """Returns the step for an item, a presentation and a seed."""

    @override
    def most_steps(self, item: Item) -> int:
        return 1

    @override
    def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
        return Stop() if replies else self.step(item, presentation, seed)


@dataclass(frozen=True, slots=True)
class Setting:
    """The experiment's seed and the prompts of a plan."""

    seed: int
    prompts: Prompts
