"""ProverQA (Qi et al., ICLR 2025): sentences with formulas.

They are in ``nl2fol``, that of the question in ``conclusion_fol``. The set is published on a hub, without a licence:
the user gives its file.
"""

from dataclasses import replace
from typing import Literal

from typing_extensions import override

from nlfol.data.entries.problems import FileEntry, Problems, Record, options_of, sentences, text_of, with_formulas
from nlfol.problems.problem import Evidence, Problem, Reason, Statement, plain
from nlfol.store.records import SourceError, json_array


class ProverQAEntry(FileEntry):
    """A file of ProverQA; without ``nl2fol``, its problems have no gold program."""

    reader: Literal["proverqa"]

    @override
    def read(self, seed: int) -> Problems:
        path, content = self.content()
        return Problems([_problem(f"{path}: row {row}", record) for row, record in json_array(path, content)])


def _problem(location: str, record: Record) -> Problem:
    answer = text_of(location, record, "answer")
    context = text_of(location, record, "context")
    problem = Problem(
        text_of(location, record, "id"),
        "free",
        None,
        plain(sentences(context)),
        Statement(text_of(location, record, "question")),
        options_of(location, record, answer),
        answer,
        Evidence.PUBLISHED,
    )
    formulas = record.get("nl2fol")
    if formulas is None:
        return problem
    if not isinstance(formulas, dict) or not all(isinstance(formula, str) for formula in formulas.values()):
        raise SourceError(f"{location}: 'nl2fol' does not map sentences to formulas; correct it")
    by_text = {text.strip(): formula for text, formula in formulas.items()}
    texts = _covered(context, sorted(by_text, key=len, reverse=True))
    if isinstance(texts, str):
        return problem.refused(Reason.UNREAD, f"no formula for {texts[:80]!r} in 'nl2fol'")
    changed = replace(problem, statements=plain(texts))
    return with_formulas(changed, [by_text[text] for text in texts], text_of(location, record, "conclusion_fol"))


def _covered(context: str, texts: list[str]) -> list[str] | str:
    """Split the context into texts; if none of them comes next, return the rest of it."""
    parts = []
    rest = context.strip()
    while rest:
        text = next((text for text in texts if text and rest.startswith(text)), None)
        if text is None:
            return rest
        parts.append(text)
        rest = rest[len(text) :].lstrip()
    return parts
