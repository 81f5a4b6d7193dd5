"""``nlfol align`` and ``nlfol drift``: a program's symbols by the concepts of the gold program, and what they show."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlfol.alignment import (
    Alignment,
    Extraction,
    Symbol,
    align,
    cause_of,
    extraction,
    linked,
    mean,
    measure,
    shown,
    symbols_of,
)
from nlfol.alignment import LineError as UnreadLineError
from nlfol.alignment.anchors import Glosses
from nlfol.cli.lines import LineError, id_of, text_of, usable
from nlfol.cli.solve import language_of, options_of
from nlfol.logic import Formula
from nlfol.programs import QUERY, Lines, Policy, ProgramError
from nlfol.programs.formulas.maps import read
from nlfol.programs.outcome import OptionsError

MAX_LINES = 2_000
"""Lines of a program that is aligned."""

MAX_FORMULAS = 200
"""Formulas of a record."""


def aligned(record: dict[str, Any] | LineError) -> dict[str, Any]:
    """Return the row for a record: the alignment of each sentence and the symbols of each concept."""
    if isinstance(record, dict) and "formulas" in record:
        return _of_formulas(record)
    row = {"id": id_of(record), "concepts": [], "sentences": [], "is_least": None, "error": None}
    try:
        found = _alignment(record)
    except (LineError, UnreadLineError, ProgramError) as error:
        return row | {"error": str(error)}
    images: dict[Symbol, dict[str, None]] = {}
    for sentence in found.sentences:
        for concept, image, _ in sentence.mentions:
            images.setdefault(concept, {})[shown(image)] = None
    concepts = [
        {"concept": each.name, "kind": each.kind.value, "arity": each.arity, "symbols": list(symbols)}
        for each, symbols in images.items()
    ]
    sentences = [
        {
            "sentence": each.place,
            "aligned_by": each.basis.value,
            "symbols": [None if image is None else shown(image) for image in each.images],
            "concepts": [concept.name for concept in each.concepts],
            "error": each.error,
        }
        for each in found.sentences
    ]
    return row | {"concepts": concepts, "sentences": sentences, "is_least": found.is_least}


def _of_formulas(record: dict[str, Any]) -> dict[str, Any]:
    names = ("outcome", "anchored", "why", "sentences", "concepts", "recall", "precision")
    row = {"id": id_of(record), **dict.fromkeys(names), "error": None}
    try:
        return row | aligned_formulas(record)
    except (LineError, UnreadLineError) as error:
        return row | {"error": str(error)}


def drifted(record: dict[str, Any] | LineError, policy: Policy) -> dict[str, Any]:
    """Return the row for a record: its measures and, with a right answer given, the cause of a wrong one."""
    row: dict[str, Any] = {"id": id_of(record), "measures": None, "consistent": None, "cause": None, "error": None}
    try:
        found = _alignment(record)
        assert not isinstance(record, LineError)
        cause = _cause(found, record, policy) if "answer" in record else None
    except (LineError, UnreadLineError, ProgramError, OptionsError) as error:
        return row | {"error": str(error)}
    measures = measure(found).values()
    consistent = measures.pop("problems") == 1
    return row | {"measures": measures, "consistent": consistent, "cause": cause}


class Summary:
    """The means of measures over problems, for people."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def counted(self, rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield rows unchanged while counting them."""
        for row in rows:
            self.rows.append({"measures": row["measures"], "cause": row["cause"] and row["cause"]["cause"]})
            yield row

    def show(self) -> None:
        """Write them to standard error."""
        known = [row["measures"] for row in self.rows if row["measures"] is not None]
        lines = [f"problems: {len(self.rows)}, aligned: {len(known)}"]
        for name in known[0] if known else ():
            value = mean(measures[name] for measures in known)
            lines.append(f"{name:20} {'-' if value is None else format(value, '.4f')}")
        causes = [row["cause"] for row in self.rows if row["cause"]]
        lines += [f"cause {cause}: {causes.count(cause)}" for cause in sorted(set(causes))]
        sys.stderr.write("\n".join(lines) + "\n")


def _alignment(record: dict[str, Any] | LineError) -> Alignment:
    record = usable(record)
    language = language_of(record)
    gold = _object(record, "gold")
    said = gold.get("lines")
    if not isinstance(said, list) or not all(line is None or isinstance(line, str) for line in said):
        raise LineError("'lines' of 'gold' must be a list with a text, or null, for each sentence")
    if len(said) > MAX_LINES:
        raise LineError(f"{len(said)} gold lines; at most {MAX_LINES} are aligned")
    lines = {str(number): (line,) for number, line in enumerate(said, 1) if line is not None}
    return align(Lines(language, lines, _asked(gold, "gold")), _program(record))


def _program(record: dict[str, Any]) -> Lines:
    language = language_of(record)
    program = record.get("program")
    if isinstance(program, str):
        sentences = record.get("sentences")
        if not isinstance(sentences, list) or not all(isinstance(each, str) for each in sentences):
            raise LineError("with a text as 'program', 'sentences' must be the list of the problem's sentences")
        found = linked(language, program, sentences)
        if sum(map(len, found.lines.values())) > MAX_LINES:
            raise LineError(f"more than {MAX_LINES} lines; no more are aligned")
        return found
    program = _object(record, "program")
    lines: dict[str, tuple[str, ...]] = {}
    given = program.get("lines")
    if not isinstance(given, list) or len(given) > MAX_LINES:
        raise LineError(f"'lines' of 'program' must be a list of at most {MAX_LINES}")
    for each in given:
        if not isinstance(each, dict) or type(each.get("sentence")) is not int or not isinstance(each.get("line"), str):
            raise LineError("each of 'lines' of 'program' must be an object with 'sentence', a number, and 'line'")
        place = str(each["sentence"])
        lines[place] = (*lines.get(place, ()), each["line"])
    variables = program.get("variables", [])
    if not isinstance(variables, list) or not all(isinstance(each, str) for each in variables):
        raise LineError("'variables' of 'program' must be a list of texts such as 'book [IN] [1, 2, 3]'")
    return Lines(language, lines, _asked(program, "program"), variables)


def _object(record: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = record.get(key)
    if not isinstance(value, dict):
        raise LineError(f"{key!r} must be an object with 'lines' and 'query'")
    return value


def _asked(of: Mapping[str, Any], key: str) -> dict[str, str]:
    query = of.get("query")
    if isinstance(query, str):
        return {QUERY: query}
    if isinstance(query, dict) and all(isinstance(line, str) for line in query.values()):
        return query
    raise LineError(f"'query' of {key!r} must be a text, or of constraints an object with a text for each letter")


def _cause(found: Alignment, record: dict[str, Any], policy: Policy) -> dict[str, Any]:
    program = record["program"] if isinstance(record["program"], str) else None
    why = cause_of(found, text_of(record, "answer"), options_of(record), program=program, policy=policy)
    return {
        "cause": why.cause.value,
        "answer": why.execution.answer,
        "answers": {cause.value: answer for cause, answer in why.tried.items()},
        "sentence": why.place,
        "lines": list(why.lines),
        "gold": list(why.gold),
        "difference": why.difference,
    }


def aligned_formulas(record: dict[str, Any]) -> dict[str, Any]:
    """Align formulas with gold formulas by one map of symbols; return verdicts, the map and its recall.

    With ``symbols``, some formulas may be unreadable: ``error`` has why. Raises ``LineError`` if there are not as many
    of both, or a symbol is malformed; ``UnreadLineError`` if a formula cannot be read.
    """
    gold, given = (_texts(record, key) for key in ("gold", "formulas"))
    if len(gold) != len(given):
        raise LineError(f"{len(given)} 'formulas' for {len(gold)} of 'gold'")
    wanted = [read((text,)) for text in gold]
    if "symbols" in record:
        return _of_glossed(record, wanted, given)
    formulas = [read((text,)) for text in given]
    return _shown(extraction(wanted, formulas, dict.fromkeys(symbols_of(formulas), "")))


def glossed(record: Mapping[str, Any]) -> tuple[Glosses, Glosses]:
    """Return the concepts and the symbols of a record with their glosses; raises ``LineError`` if one is malformed."""
    from nlfol.tasks.answers import AnswerError
    from nlfol.tasks.own_vocabulary import read_own

    found = []
    for key in ("concepts", "symbols"):
        try:
            symbols, _ = read_own(json.dumps({"reasoning": "", "symbols": record.get(key), "answer": ""}), None)
        except AnswerError as error:
            raise LineError(f"{key!r}, glossed symbols as answers have them: {error}") from error
        found.append(dict(symbols))
    concepts, declared = found
    return concepts, declared


def _of_glossed(record: Mapping[str, Any], gold: Sequence[Formula], given: Sequence[str]) -> dict[str, Any]:
    """Judge as an experiment does."""
    from nlfol.tasks.ontology_extraction import OntologyExtraction, OntologyExtractionEntry, faults

    concepts, declared = glossed(record)
    if missing := [each.name for each in symbols_of(gold) if each not in concepts]:
        raise LineError(f"'concepts' lacks {', '.join(missing)} of 'gold'")
    task = OntologyExtraction(OntologyExtractionEntry())
    found, _, _, wrong = task.extracted(gold, concepts, declared, given)
    error = {"error": faults(wrong, len(given))} if wrong else {}
    return error if found is None else _shown(found) | error


def _shown(found: Extraction) -> dict[str, Any]:
    return {
        "outcome": found.outcome.value,
        "anchored": found.anchored.value,
        "why": found.why and found.why.value,
        "sentences": [
            {"sentence": str(number), "outcome": outcome.value, "fits": fits}
            for number, (outcome, fits) in enumerate(zip(found.sentences, found.fitting, strict=True), 1)
        ],
        "concepts": [
            {"concept": each.name, "kind": each.kind.value, "arity": each.arity, "symbols": [shown(image)]}
            for each, image in found.images.items()
        ],
        "recall": found.concepts.recall,
        "precision": found.concepts.precision,
    }


def _texts(record: dict[str, Any], key: str) -> list[str]:
    texts = record.get(key)
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise LineError(f"{key!r} must be a list of formulas")
    if len(texts) > MAX_FORMULAS:
        raise LineError(f"{len(texts)} of {key!r}; at most {MAX_FORMULAS} are aligned")
    return texts
