"""ProverQA (Qi et al., ICLR 2025): sentences with formulas.

They are in ``nl2fol``, that of the question in ``conclusion_fol``. The set is published on a hub, without a licence:
the user gives its file.
"""

from __future__ import annotations

from dataclasses import replace

from nlfol.problems.errors import SourceError
from nlfol.problems.problem import Evidence, Problem, Reason, Statement, plain
from nlfol.problems.sources.formulas import with_formulas
from nlfol.problems.sources.records import Published, Record, options_of, read_array, sentences, text_of


def read_proverqa(path: str, content: bytes) -> Published:
    """The problems of ProverQA; without ``nl2fol`` they can be answered, and no more.

    Raises:
        SourceError: if the file is not of ProverQA's form.
    """
    records = read_array(path, content)
    return Published(tuple(_problem(f"{path}: row {row}", each) for row, each in enumerate(records, 1)))


def _problem(place: str, record: Record) -> Problem:
    answer = text_of(place, record, "answer")
    context = text_of(place, record, "context")
    problem = Problem(
        text_of(place, record, "id"),
        "free",
        None,
        plain(sentences(context)),
        Statement(text_of(place, record, "question")),
        options_of(place, record, answer),
        answer,
        Evidence.PUBLISHED,
    )
    formulas = record.get("nl2fol")
    if formulas is None:
        return problem
    if not isinstance(formulas, dict) or not all(isinstance(formula, str) for formula in formulas.values()):
        raise SourceError(f"{place}: 'nl2fol' is no object of sentences and formulas")
    by_text = {text.strip(): formula for text, formula in formulas.items()}
    texts = _covered(context, sorted(by_text, key=len, reverse=True))
    if isinstance(texts, str):
        return problem.refused(Reason.UNREAD, f"no formula for {texts[:80]!r} in 'nl2fol'")
    changed = replace(problem, statements=plain(texts))
    return with_formulas(changed, [by_text[text] for text in texts], text_of(place, record, "conclusion_fol"))


def _covered(context: str, texts: list[str]) -> list[str] | str:
    """The context as a sequence of texts, or what remains where none of them begins."""
    found = []
    rest = context.strip()
    while rest:
        text = next((text for text in texts if text and rest.startswith(text)), None)
        if text is None:
            return rest
        found.append(text)
        rest = rest[len(text) :].lstrip()
    return found
