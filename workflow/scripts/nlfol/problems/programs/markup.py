"""The text of a program as models write it: Markdown, JSON, sections by other names, several programs in one answer.

All becomes the plain form that ``texts`` divides into sections; line numbers stay, but in JSON, where each entry is a
line. Nothing is decided by its place alone: what an answer writes besides its first program, or asks besides its first
query, is another reading, and must end as the first does.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from nlfol.problems.programs.outcome import ProgramError, Repair, RepairKind
from nlfol.problems.programs.texts import MAX_CHARACTERS, MAX_LINE, heading, quoted

MAX_READINGS = 50
"""Programs and queries of an answer that are read; one with more is ambiguous."""

MAX_COLONS = 5
"""Colons of a line at which a gloss may begin."""

STATING = frozenset(("premises", "premise", "facts", "fact", "rules", "rule", "axioms", "constraints"))
"""Headings of what is stated, in the languages of solvers; each takes those of the others."""

MAX_DEPTH = 2
"""Levels of JSON: sections, and their lines."""

ASKING = frozenset(("query", "queries", "conclusion", "conclusions", "hypothesis", "goal"))
"""Headings of what is asked, in languages that ask one thing."""

IGNORED_NAME = "notes"
"""The heading of what is no part of a program."""

_NAMING = frozenset(("constants", "constant", "individuals", "entities"))
_RULE = re.compile(r"([-=_*~—–])\1{2,}")
_PROBLEM = re.compile(r"\W*(?:new )?(?:problem|example)s?\b\W*(\d{1,3})?\W*", re.IGNORECASE)
_BEFORE = re.compile(r"(?:[-*•]|\d{1,4}[.)]|\(\d{1,4}\)|\(?[A-Z][).:])\s+(?=\S)")
_MARKED = re.compile(r"(`{1,2}|\*\*|__)((?:(?!\1).)+)\1\s*(.*)")
_GLOSS = re.compile(r"(?:::?=?|[-–—])\s+(\S.*)")
_QUERY = re.compile(rf"^\W*(?:{'|'.join(sorted(ASKING, key=len, reverse=True))}):\s*", re.IGNORECASE)
_CUT_GLOSS = re.compile(r"(?<=[\w)])\s+::?$")
_CUT_PROBLEM = re.compile(r"Pr(?:o(?:b(?:l(?:e(?:m)?)?)?)?)?")
_COLON = re.compile(r"(?<!:)(::?=?)(?![:=])\s+")
_END = re.compile(r"\)\s*$|[<>=]\s*\w+\s*$")
_LOGIC = re.compile(r"[∀∃∧∨⊕→↔¬⇒⇔&|~`=\\]|[-=]>|<[-=]|\s[<>]\s|\w\(")
_WORDS = re.compile(r"[^\W\d][\w'’-]*,? +[\w'’$]")
_JSON = re.compile(r'\s+|(?://|#)[^\n]*|("(?:[^"\\\n]|\\.)*")|([{}\[\],:])')


@dataclass(frozen=True, slots=True)
class Written:
    """The programs that an answer writes: the first, others that must end as it does, and the liberties taken.

    The queries of one section stand together; those behind one that cannot be read are talk about it.
    """

    text: str
    others: Iterable[Iterable[str]]
    repairs: tuple[Repair, ...]


@dataclass(slots=True)
class _Block:
    """Lines of one program by number; of the queries of each section, what is left of their lines without them."""

    lines: dict[int, str] = field(default_factory=dict)
    asked: list[dict[int, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    states: bool = False

    @property
    def is_complete(self) -> bool:
        return self.states and any(self.asked)

    def asks(self, shown: frozenset[str], *, options: bool) -> bool:
        """Return whether one of the queries, or its gloss, is among those that a prompt shows; of options, all as one.

        A heading and its query may share a line.
        """
        parts = [self.lines[number].partition(":::") for section in self.asked for number in section]
        queries = [(_QUERY.sub("", query), gloss) for query, _, gloss in parts]
        if options:
            return _key("".join(query for query, _ in queries)) in shown
        queries = [(_BEFORE.sub("", query.strip(), count=1), gloss) for query, gloss in queries]
        return any(not shown.isdisjoint((_key(query), _key(gloss.lstrip(":")))) for query, gloss in queries)

    @property
    def bare(self) -> dict[int, str]:
        """Return the lines without queries."""
        return {**self.lines, **dict(chain.from_iterable(section.items() for section in self.asked))}

    def readings(self, total: int, *, whole: bool) -> Iterator[Iterator[str]]:
        """Yield for each section the block with each of its queries, or once whole, lines keeping their numbers."""
        if whole:
            yield iter([_text(self.lines, total)])
            return
        for section in self.asked:
            queries = {self.lines[number].partition(":::")[0].strip(): number for number in reversed(section)}
            yield (_text({**self.bare, n: self.lines[n]}, total) for n in sorted(queries.values()))


def _key(text: str) -> str:
    """Return a query or sentence without case, blanks and its point."""
    return "".join(text.lower().split()).rstrip(".")


def _text(lines: Mapping[int, str], total: int) -> str:
    return "\n".join(lines.get(number, "") for number in range(1, total + 1))


def written(
    text: str,
    headings: Mapping[str, str],
    stating: Sequence[str],
    asking: str,
    *,
    options: bool,
    examples: Sequence[str] = (),
) -> Written:
    """Return the programs of an answer in the plain form of the language that has these headings.

    ``options`` if it asks of options, so that all lines of the query are one. ``examples`` are what those of the prompt
    ask, as queries or as sentences: a program that asks one of them is a quotation, and dropped. Raises
    ``ProgramError`` if it works through several problems, or quotes examples alone.
    """
    if len(text) > MAX_CHARACTERS:
        return Written(text, (), ())  # refused where it is read
    repairs: list[Repair] = []
    lines = _of_json(text, _synonyms(headings, stating, asking, options=options), repairs)
    if lines is None:
        lines = text.split("\n")
    shown = frozenset(filter(None, map(_key, examples)))
    blocks, several = _blocks(lines, headings, stating, asking, repairs, options=options, shown=shown)
    own = [block for block in blocks if not shown or not block.asks(shown, options=options)]
    complete = sum(block.is_complete for block in own)
    if (len(own) < len(blocks) and not complete) or (several and (len(own) == len(blocks) or complete > 1)):
        raise ProgramError("the answer works through several problems, or the examples of its prompt")
    if len(own) < len(blocks):
        repairs.append(Repair(RepairKind.BLOCK, None, "programs of the prompt's examples dropped"))
    blocks, total = own, len(lines)
    first, *rest = blocks
    text, stated = _text(first.lines, total), first
    others = [] if options else [first.readings(total, whole=False)]
    for block in rest:
        if block.is_complete:
            stated = block
        elif any(block.asked):  # another query of the program before
            block.lines = {**stated.bare, **block.lines}
        elif block.states:  # a program that was cut off, or more of the one before
            block.lines = {**stated.lines, **block.lines}
        else:
            continue
        others.append(block.readings(total, whole=options or not any(block.asked)))
    if len(blocks) > 1:
        detail = f"{len(blocks)} programs; the first is taken, and the others must have its answer"
        repairs.append(Repair(RepairKind.BLOCK, min(rest[0].lines), detail))
    several = len(blocks) > 1 or sum(map(len, first.asked)) > 1
    return Written(text, chain.from_iterable(others) if several else (), tuple(repairs))


def _blocks(
    lines: Sequence[str],
    headings: Mapping[str, str],
    stating: Sequence[str],
    asking: str,
    repairs: list[Repair],
    *,
    options: bool,
    shown: frozenset[str],
) -> tuple[list[_Block], bool]:
    known = _synonyms(headings, stating, asking, options=options)
    blocks, name, after_rule = [_Block()], "", False
    problems = list[int | None]()
    for number, raw in enumerate(lines, 1):
        line, block = raw.strip(), blocks[-1]
        if not line or len(line) > MAX_LINE:
            block.lines[number] = raw
            continue
        if _RULE.fullmatch(line):
            repairs.append(Repair(RepairKind.SEPARATOR, number, f"the rule {quoted(line)} dropped"))
            after_rule = True
            continue
        problem = _PROBLEM.fullmatch(line)
        if problem is None and number == len(lines) and after_rule and _CUT_PROBLEM.fullmatch(line):
            repairs.append(Repair(RepairKind.SEPARATOR, number, "the begin of another problem dropped"))
            break
        after_rule = False
        first = blocks[0]
        if problem is not None and not problems and first.is_complete and not first.asks(shown, options=options):
            repairs.append(Repair(RepairKind.SEPARATOR, number, "another problem: ignored to the end"))
            break
        if problem is not None:
            problems.append(int(problem[1]) if problem[1] else None)
            repairs.append(Repair(RepairKind.SEPARATOR, number, f"the heading {quoted(line)} dropped"))
            continue
        title, rest = heading(line, known)
        if title is not None and heading(line, headings)[0] is None:
            if line[0] not in "#*_" and ":" not in line:
                title = None
            else:
                detail = f"{quoted(line)} read as the heading {title or IGNORED_NAME!r}"
                repairs.append(Repair(RepairKind.SYNONYM, number, detail))
                line = f"{(title or IGNORED_NAME).capitalize()}: {rest}"
        if title is None:
            line = line if line.startswith("```") else _plain(line, number, name in (*stating, asking), repairs)
            written_here = bool(line) and not line.startswith("```")
        else:
            if title != asking and title in block.names and block.is_complete:
                block = _Block()
                blocks.append(block)
            name, written_here = title, bool(rest)
            block.names.add(title)
            if title == asking:
                block.asked.append({})
            if rest and title in (*stating, asking) and (plain := _plain(rest, number, True, repairs)) != rest:
                line = f"{title.capitalize()}: {plain}"
        block.lines[number] = line
        if written_here:
            block.states |= name in stating
            if name == asking:
                block.asked[-1][number] = f"{asking.capitalize()}:" if title == asking else ""
    return blocks, bool(problems) and (len(blocks) > 1 or any(problems))


def _synonyms(headings: Mapping[str, str], stating: Sequence[str], asking: str, *, options: bool) -> dict[str, str]:
    """Return the sections of a language by headings that it does not have."""
    asked = {} if options else dict.fromkeys(ASKING, asking)
    return {**dict.fromkeys(STATING, stating[0]), **asked, **dict.fromkeys(_NAMING, ""), **headings}


def _plain(line: str, number: int, is_stated: bool, repairs: list[Repair]) -> str:
    """Return a line without emphasis and code spans, its gloss behind ``:::``."""
    if ":::" in line:
        line, mark, gloss = line.partition(":::")
        line = line.strip()
    else:
        mark = gloss = ""
    before = _BEFORE.match(line)
    start = before.end() if before else 0
    marked = _MARKED.fullmatch(line, start)
    behind = _prose(marked[3]) if marked is not None else None
    if marked is not None and behind is not None:
        repairs.append(Repair(RepairKind.MARKUP, number, f"{marked[1]!r} around the line dropped"))
        if behind:
            repairs.append(Repair(RepairKind.GLOSS, number, f"{quoted(behind)} read as a gloss"))
            mark, gloss = ":::", f" {behind}"
        line = line[:start] + marked[2].strip()
    elif is_stated and not mark and (cut := _CUT_GLOSS.search(line)) is not None:
        repairs.append(Repair(RepairKind.GLOSS, number, f"{cut[0].strip()!r} without a gloss dropped"))
        return line[: cut.start()]
    elif is_stated and not mark:
        for colon in islice(_COLON.finditer(line, start), MAX_COLONS):
            formula, behind = line[: colon.start()].rstrip(), line[colon.end() :]
            if _END.search(formula) and formula.count("(") == formula.count(")") and _is_prose(behind):
                repairs.append(Repair(RepairKind.GLOSS, number, f"{quoted(behind)} read as a gloss"))
                return f"{formula} ::: {behind}"
    return f"{line} {mark}{gloss}" if mark else line


def _prose(text: str) -> str | None:
    """Return the gloss that stands behind a formula in a text, empty if nothing does; None for anything else."""
    gloss = _GLOSS.fullmatch(text)
    if gloss is None:
        return None if text else ""
    return gloss[1] if _is_prose(gloss[1]) else None


def _is_prose(text: str) -> bool:
    """Return whether a text is words with nothing of logic."""
    return _WORDS.match(text) is not None and _LOGIC.search(text) is None


def _of_json(text: str, headings: Mapping[str, str], repairs: list[Repair]) -> list[str] | None:
    """Return the lines of a program in JSON, whose keys are sections; None for another text, or one that is cut off.

    Lists may have glosses as objects do, and lines comments, as in ``["P(a)": "a is P", // so it is``.
    """
    bare = re.sub(r"(?m)^[^\S\n]*```.*$", "", text).strip()
    if not bare.startswith("{"):
        return None
    lines, depth, before, ended = list[str](), 0, "", False
    try:
        for string, sign in _tokens(bare):
            depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(sign, 0)
            if ended or depth > MAX_DEPTH:
                return None
            ended = depth == 0
            if not sign and depth == 1 and before != ":":
                name = headings[string.lower().strip(" :")]
                lines.append(f"{(name or IGNORED_NAME).capitalize()}:")
            elif not sign and depth == MAX_DEPTH and before == ":":
                lines[-1] += f" ::: {string}"
            elif not sign:
                lines.append(string)
            before = sign
    except (KeyError, ValueError, IndexError):
        return None
    if depth or any("\n" in line for line in lines):
        return None
    repairs.append(Repair(RepairKind.JSON, None, "JSON with sections as keys; its entries are the lines"))
    return lines


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yield the strings and signs of a JSON text, either empty; raises ``ValueError`` for all else."""
    position = 0
    while position < len(text):
        token = _JSON.match(text, position)
        if token is None:
            raise ValueError("neither a string nor a sign")
        if token[1] or token[2]:
            yield json.loads(token[1]) if token[1] else "", token[2] or ""
        position = token.end()
