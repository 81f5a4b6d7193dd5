"""``nlfol audit --problems``: what is wrong with problems in other words."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nlfol.cli.lines import LineError, id_of, opened, records, text_of, usable
from nlfol.datasets.entries.problems import options_of, shipped_forms, shipped_lexicon
from nlfol.diversification.audit import MAX_STATEMENTS, audit
from nlfol.diversification.certificate import read_original
from nlfol.diversification.others import with_wordnet, with_words
from nlfol.problems import Lexicon, LexiconError, Problem, Statement
from nlfol.problems.dialects import concepts_of
from nlfol.problems.dialects.words import DialectError
from nlfol.problems.forms import read_forms
from nlfol.problems.problem import plain
from nlfol.store import files
from nlfol.store.origins import metadata_at, place_of
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.records import SourceError

TEXTS = ("statements", "options")


@contextmanager
def opened_pairs(path: Path | None) -> Iterator[Iterator[dict[str, Any] | LineError]]:
    """Open records of JSON Lines, or of a rewritten dataset's ``problems.arrow``; ``StoreError`` without originals."""
    if path is not None and path.suffix == ".arrow":
        yield iter(_of_run(path))
        return
    with opened(path) as source:
        yield records(source)


def _of_run(path: Path) -> list[dict[str, Any] | LineError]:
    entry = json.loads(metadata_at(path).get("entry", "{}"))
    if "of" not in entry:
        raise files.StoreError(
            f"{path}: no problems in other words; name the file of a dataset of reader 'diversified'"
        )
    originals = {row["item"]: row for row in files.rows(place_of(f"problems/{entry['of']}", path.parents[2]), PROBLEMS)}
    return [
        {
            "id": row["item"],
            "family": row["family"],
            "original": _texts(Problem.from_row(originals[row["item"]])),
            "rewritten": _texts(Problem.from_row(row)),
        }
        for row in files.rows(path, PROBLEMS)
        if row["status"] == "usable" and row["item"] in originals
    ]


def _texts(problem: Problem) -> dict[str, Any]:
    return {
        "statements": [statement.text for statement in problem.statements],
        "question": problem.question.text,
        "options": problem.lettered,
        "answer": problem.answer,
    }


class Auditor:
    """Audits records with the words of a lexicon."""

    def __init__(self, forms: Path | None, wordnet: Path | None = None) -> None:
        """Read the words, ``forms`` in place of those that are shipped, and WordNet's synonyms; ``LexiconError``."""
        self._words: Lexicon = shipped_lexicon()
        self._forms = shipped_forms() if forms is None else read_forms(self._words, forms)
        if wordnet is not None:
            self._forms = with_wordnet(self._forms, wordnet)

    def row(self, record: dict[str, Any] | LineError) -> dict[str, Any]:
        """Return the row for two problems with their texts; the findings are null where the record is unusable.

        ``words`` of the record, if it has any, are expressions by concept.
        """
        row: dict[str, Any] = {"id": id_of(record), "findings": None, "error": None}
        try:
            record = usable(record)
            original = read_original(problem_of(record, "original"), self._words)
            if not original.is_usable:
                raise LineError(f"the original is refused: {original.reason}: {original.detail}")
            forms = with_words(self._forms.of(concepts_of(original, self._forms)), words_of(record))
            found = audit(original, problem_of(record, "rewritten"), forms)
        except (LineError, LexiconError, DialectError) as error:
            return row | {"error": str(error)}
        return row | {"findings": [each._asdict() for each in found]}


def words_of(record: dict[str, Any]) -> dict[str, list[str]]:
    """Return the expressions of a record by concept; raises ``LineError`` if they are none."""
    words = record.get("words", {})
    if not isinstance(words, dict):
        raise LineError("'words' must be an object of concepts, each with a list of expressions")
    for concept, expressions in words.items():
        if not isinstance(expressions, list) or not all(isinstance(each, str) for each in expressions):
            raise LineError(f"words: {concept!r} must have a list of texts")
    return words


def problem_of(record: dict[str, Any], key: str) -> Problem:
    """Return a problem of a record; raises ``LineError`` if the record has none there."""
    given = record.get(key)
    if not isinstance(given, dict):
        raise LineError(f"{key!r} must be an object with 'statements', 'question', 'options' and 'answer'")
    for name in TEXTS:
        texts = given.get(name)
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise LineError(f"{key}: {name!r} must be a list of texts")
        if len(texts) > MAX_STATEMENTS:
            raise LineError(f"{key}: {len(texts)} {name}; at most {MAX_STATEMENTS} are read")
    answer = text_of(given, "answer")
    try:
        options = options_of(key, given, answer)
    except SourceError as error:
        raise LineError(str(error)) from error
    question = Statement(text_of(given, "question"))
    return Problem("", text_of(record, "family"), None, plain(given["statements"]), question, options, answer)
