"""Forms in which others release what models wrote, as rows of answers.

* Logic-LM's records (Pan et al., Findings of EMNLP 2023): ``id``, ``context``, ``question``, ``options`` and
  ``raw_logic_programs``, a text or a list of texts, one a seed; or ``predicted_answer``, what their solver made of it,
  and ``flag``, which is ``success`` where the program was executed;
* LINC's generations (Olausson et al., EMNLP 2023): a JSON list with a list of draws for each problem, each draw pairs
  of lines ``TEXT:`` and ``FOL:``, the conclusion last;
* a table of formulas: ``premises``, a list or one a line, and ``conclusion``; or ``premises-FOL`` and
  ``conclusion-FOL`` behind any prefix, with the sentences in ``premises`` and ``conclusion``.

An answer is the program as text. ``about`` is what the problem says, by which its item is found.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from nlfol.mappings import JsonDict, JsonObject
from nlfol.store.records import SourceError, Table

_PAIR = re.compile(r"TEXT:[ \t]*(.*)\n\s*FOL:[ \t]*(.*)")
_FORMULAS = re.compile(r"(.*)(premises|conclusion)(-FOL)?")

COLUMNS = ("item", "answer", "seed", "about", "options", "outcome", "error")

Row = JsonDict


def from_released(path: object, table: Table) -> Table | None:
    """Return the rows of answers of a table in a released form; None if it is in none of these.

    Raises ``SourceError`` if a record has no text where one is needed.
    """
    names = set(table.columns)
    if "item" in names and "answer" in names:
        return None
    for key in ("raw_logic_programs", "predicted_answer"):
        if key in names:
            return _table(
                row for location, record in table.rows for row in _of_record(f"{path}: {location}", record, key)
            )
    matches = [match for name in table.columns if (match := _FORMULAS.fullmatch(name))]
    stems = {(match[1], match[3] or "") for match in matches if match[2] == "premises"}
    both = [stem for stem in stems if f"{stem[0]}conclusion{stem[1]}" in names]
    if not both or "answer" in names:
        return None
    # Beside gold formulas and sentences, those behind a prefix are the model's.
    stem = max(both, key=lambda pair: (pair[0] != "", pair[1] != "", pair))
    return _table((location, _of_formulas(f"{path}: {location}", record, stem)) for location, record in table.rows)


def from_draws(path: object, value: Any) -> Table | None:
    """Return the rows of LINC's lists of draws; None if the value is something else."""
    if not isinstance(value, list) or not value or not all(isinstance(draws, list) for draws in value):
        return None
    if not all(isinstance(draw, str) for draws in value for draw in draws):
        raise SourceError(f"{path}: a list of lists that do not hold texts; name a file of generations")
    return _table(_of_draws(value))


def _table(rows: Iterable[tuple[str, Row]]) -> Table:
    return Table([*COLUMNS], list(rows))


def _of_record(location: str, record: JsonObject, key: str) -> Iterator[tuple[str, Row]]:
    texts = _texts(location, record, key)
    flags = _texts(location, record, "flag") if "flag" in record else []
    about = " ".join(str(record[name]) for name in ("context", "question") if record.get(name))
    options = record.get("options")
    row = {"item": record.get("id"), "about": about or None, "options": options if isinstance(options, list) else None}
    for seed, text in enumerate(texts or [None]):
        fallen_back = seed < len(flags) and flags[seed] != "success"
        failed = {"outcome": "failed", "error": flags[seed]} if fallen_back else {}
        yield location.rpartition(": ")[2], {**row, "answer": None if fallen_back else text, "seed": seed, **failed}


def _texts(location: str, record: JsonObject, key: str) -> list[str | None]:
    given = record.get(key)
    texts = [given] if given is None or isinstance(given, str) else given
    if not isinstance(texts, list) or not all(text is None or isinstance(text, str) for text in texts):
        raise SourceError(f"{location}: {key!r} is no text and no list of texts; correct the record")
    return texts


def _of_draws(problems: Sequence[Sequence[str]]) -> Iterator[tuple[str, Row]]:
    for number, draws in enumerate(problems):
        pairs = [_PAIR.findall(draw) for draw in draws]
        texts = [" ".join(sentence for sentence, _ in lines) for lines in pairs]
        # Draws misspell now and then what they repeat; each is about the same problem.
        about = max(texts, key=texts.count, default="")
        for seed, (draw, lines) in enumerate(zip(draws, pairs, strict=True)):
            answer = program([f"{formula} ::: {sentence}" for sentence, formula in lines]) if len(lines) > 1 else draw
            row = {"item": f"the one of problem {number}", "answer": answer, "seed": seed, "about": about or None}
            yield f"problem {number}, draw {seed}", row


def _of_formulas(location: str, record: JsonObject, stem: tuple[str, str]) -> Row:
    names = ("premises", "conclusion")
    formulas = [_lines(location, record, f"{stem[0]}{name}{stem[1]}") for name in names]
    sentences = [_lines(location, record, name) for name in names] if any(stem) else []
    item = next((str(record[name]) for name in ("item", "id", "example_id") if record.get(name) is not None), None)
    about = " ".join(sentence for lines in sentences for sentence in lines)
    answer = program([line for lines in formulas for line in lines]) if all(formulas) else None
    return {"item": item or f"the one of {location}", "answer": answer, "about": about or None}


def program(lines: Sequence[str]) -> str:
    """Return a program of formulas whose last line is the conclusion."""
    *premises, conclusion = lines
    return "\n".join(["Premises:", *premises, "Conclusion:", conclusion])


def _lines(location: str, record: JsonObject, name: str) -> list[str]:
    value = record.get(name)
    if isinstance(value, str):
        value = value.split("\n")
    if value is not None and not (isinstance(value, list) and all(isinstance(line, str) for line in value)):
        raise SourceError(f"{location}: {name!r} is no text and no list of texts; correct the record")
    return [line.strip() for line in value or () if line.strip()]
