"""Prompts from the Jinja templates of ``resources/prompts``: a system and a user template for each kind of task.

Templates see: ``presentation``; ``text`` (the sentence); ``predicates``, ``functions`` and ``constants`` of the
ontology with their glosses; ``candidates`` (as shown, in order); ``limits``. Nothing that a dataset holds is ever
itself taken as a template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2

from nlfol.ontology.phrases import fill
from nlfol.tasks.answers import Limits
from nlfol.tasks.task import Item


@dataclass(frozen=True, slots=True)
class Prompt:
    """The two turns that open a dialogue."""

    system: str
    user: str


class Prompts:
    """The templates of one folder."""

    def __init__(self, folder: Path) -> None:
        self.environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(folder),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,  # noqa: S701 - prompts are plain text
        )

    def render(self, kind: str, item: Item, presentation: str, order: Sequence[int], limits: Limits) -> Prompt:
        """The prompt for one item.

        Raises:
            jinja2.TemplateError: if a template is missing, malformed, or uses an unknown name.
        """
        values = {
            "presentation": presentation,
            "text": item.text,
            "predicates": [_predicate(p.name, p.arity, p.positive) for p in item.ontology.predicates],
            "functions": [_predicate(f.name, f.arity, f.meaning) for f in item.ontology.functions],
            "constants": [{"name": c.name, "meaning": c.meaning} for c in item.ontology.constants],
            "candidates": [item.members[place].shown(presentation) for place in order],
            "limits": limits,
        }
        system, user = (
            self.environment.get_template(f"{kind}/{part}.jinja").render(values).strip() for part in ("system", "user")
        )
        return Prompt(system, user)


def argument_names(arity: int) -> list[str]:
    """Names for the argument places of a gloss."""
    return ["x", "y", "z", "u", "v", "w"][:arity] if arity <= 6 else [f"x{place}" for place in range(1, arity + 1)]


def _predicate(name: str, arity: int, gloss: str) -> dict[str, str]:
    names = argument_names(arity)
    return {"form": f"{name}({', '.join(names)})", "gloss": fill(gloss, names)}
