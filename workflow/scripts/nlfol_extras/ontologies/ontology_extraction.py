"""Ontology extraction: sentences to a vocabulary of their own and formulas over it.

It is ``logical_translation`` with ``ontology: own``, future work of "Do LLMs Really Struggle at NL-FOL Translation?
Revealing the Benefits of a Context-Aware Approach". No symbol is given. The model declares predicates, functions and
constants with glosses, and translates a sentence alone, or all sentences of a story over one vocabulary.

An answer is right, ``anchored``, if one map, symbol to symbol, makes every formula equivalent to gold, by proof, and
keeps to what the symbols' names and glosses say (``ontologies.anchors``); ``equivalence`` allows any map
(``ontologies.alignment``). ``sentences`` is the share of sentences that the best such map makes so, ``sentences_alone``
that of those for which some map of their own does. ``sentences_least`` and ``sentences_most`` bound the share of right
ones: *anchored* by definitions in the whole story, and these with the *unanchored*. ``recall`` and ``precision`` are
the shares of gold concepts, and of declared symbols, that the map aligns one to one. Of the other concepts, ``refined``
are a conjunction of two symbols, ``merged`` share one, and ``by_name`` have at least a symbol of the same name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple, cast

from pydantic import Field, PositiveInt
from typing_extensions import override

from nlfol.facts import AMBIGUOUS, Role
from nlfol.logic import AmbiguousFormulaError, Formula, FormulaSyntaxError, Signature, SignatureError
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.measuring import free_variables
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import TolerantReading, close_universally
from nlfol.logic.syntax import And
from nlfol.mappings import AnyRow, JsonDict, JsonObject
from nlfol.problems.alignment import Image, Symbol, SymbolKind, merging, shown
from nlfol.problems.programs.formulas.maps import numbered, written
from nlfol.problems.programs.symbols import identity
from nlfol.sets.sets import Candidate, CandidateError
from nlfol.tasks.answers import AnswerError, object_schema
from nlfol.tasks.entry import FormulaLimits, Part, TaskEntry
from nlfol.tasks.item import Item
from nlfol.tasks.meanings import read_formula, told
from nlfol.tasks.program_answers import MAX_ARITY, arity_schema, array, string
from nlfol.tasks.reference import PLAIN, Asked, Manner, Reference, answer_json
from nlfol.tasks.task import Judgement, OneStepTask
from nlfol_extras.ontologies.alignment import Extraction, disguise, extraction, symbols_of
from nlfol_extras.ontologies.anchors import Glosses, Nearness, compared
from nlfol_extras.ontologies.own_vocabulary import KINDS, NAME_LENGTH, read_own, signature_of

if TYPE_CHECKING:
    from nlfol.store.row_parts import UsableTriple
    from nlfol.store.schemas import TripleRow

COMMONEST = "commonest"

MAX_SENTENCES = 40
"""Sentences of a story that is asked about."""

_REMEMBERED = 5_000
"""Judgements kept: seeds often write the same."""


class VocabularyLimits(FormulaLimits):
    """Limits of an answer's parts."""

    symbols: PositiveInt = 40
    """Symbols of its vocabulary."""
    gloss: PositiveInt = 120
    """Most characters of a symbol's gloss."""


class GlossComparison(Part):
    """The comparison of glosses that words leave undecided (``ontologies.anchors``), by the cosines of a model."""

    model: str
    """An embedding model of the configuration."""
    threshold: Annotated[float, Field(ge=-1, le=1)] = 0.5
    """The least cosine of a symbol's gloss and that of the concept it is anchored to."""
    margin: Annotated[float, Field(ge=0, le=2)] = 0.05
    """By how much the next concept's cosine must be less."""


class OntologyExtractionEntry(TaskEntry):
    """Sentences to a vocabulary of their own and formulas over it."""

    task: Literal["ontology_extraction"] = "ontology_extraction"
    scope: Literal["sentence", "story"] = "story"
    """The text with one vocabulary: a sentence, or a story, whose sentences are then asked about at once."""
    reading: Literal["tolerant", "strict"] = "tolerant"
    """With ``tolerant``, formulas in other notations, and with forced repairs, are read; otherwise unparsable."""
    unbound: Literal["invalid", "close"] = "invalid"
    """A formula with a free variable is invalid, or closed universally."""
    glosses: GlossComparison | None = None
    """The comparison of glosses by an embedding model; None for by words alone."""
    limits: VocabularyLimits = VocabularyLimits()

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset({"task", "scope"})
    DECIDES_REQUESTS: ClassVar[frozenset[str]] = DECIDES_ITEMS | {"envelope", "reasoning"}
    DECIDES_SCORES: ClassVar[frozenset[str]] = DECIDES_REQUESTS | {"reading", "unbound", "glosses"}

    @property
    @override
    def compared_by(self) -> str | None:
        return None if self.glosses is None else self.glosses.model

    @property
    @override
    def is_about_dataset(self) -> bool:
        return False


class Extracted(NamedTuple):
    """An answer's comparison with gold, None if no formula is readable; formulas, and errors of some by number.

    ``doubts`` are the ambiguities of formulas that are unreadable because of them.
    """

    found: Extraction | None
    readings: Sequence[TolerantReading | None]
    formulas: Sequence[Formula | None]
    wrong: Mapping[int, str]
    doubts: tuple[str, ...]


class OntologyExtraction(OneStepTask[OntologyExtractionEntry]):
    """Scored by provable equivalence up to an alignment of symbols."""

    kind = "ontology_extraction"
    after, ontology = "question_answering", "own"
    entry_type = OntologyExtractionEntry

    def __init__(self, entry: OntologyExtractionEntry | None = None) -> None:
        super().__init__(entry or OntologyExtractionEntry())
        self._judged_once = lru_cache(maxsize=_REMEMBERED)(self._judged)

    @override
    def is_done_by(self, model_kind: str, answer: str | None = None) -> bool:
        if model_kind == "constant":
            return answer == COMMONEST and not self.joins_stories
        return model_kind in ("chat", "reader", "merging", "chance")

    @property
    @override
    def joins_stories(self) -> bool:
        return self.entry.scope == "story"

    @override
    def joined(self, triples: Sequence[TripleRow]) -> Sequence[TripleRow]:
        return _joined_stories(triples) if self.joins_stories else triples

    @override
    def candidates(self, triple: UsableTriple, seed: int) -> list[Candidate]:
        return _sentences_of(triple) if self.joins_stories else []

    def _count(self, item: Item) -> int | None:
        """Return the number of sentences of a story; None for a sentence alone."""
        return len(item.members) if self.joins_stories else None

    @override
    def material(self, item: Item, presentation: str, order: Sequence[int]) -> Mapping[str, object]:
        return {"limits": self.entry.limits, "sentences": self._count(item), "most_arguments": MAX_ARITY}

    @override
    def schema(self, item: Item) -> JsonObject:
        count, limits = self._count(item), self.entry.limits
        kinds = {"type": "string", "enum": [kind.value for kind in KINDS]}
        row = {"name": string(NAME_LENGTH), "kind": kinds, "arity": arity_schema(), "gloss": string(limits.gloss)}
        entry = string(limits.formula)
        answer = entry if count is None else {"type": "array", "items": entry, "minItems": count, "maxItems": count}
        return object_schema({"symbols": array(row, limits.symbols), "answer": answer}, self.entry.reasoning)

    @override
    def read(self, item: Item, text: str) -> tuple[tuple[tuple[Symbol, str], ...], tuple[str, ...]]:
        return read_own(text, self._count(item), self.entry.reasoning)

    @override
    def compared_texts(self, item: Item, text: str) -> Sequence[tuple[str, str]]:
        try:
            declared, _ = self.read(item, text)
        except AnswerError:
            return ()
        return compared(dict(concepts_of(item.ontology)), dict(declared))

    @override
    def expected_texts(self, item: Item, number: int) -> Sequence[tuple[str, str]]:
        concepts = dict(concepts_of(item.ontology))
        own = {
            symbol._replace(name=f"{symbol.name}{number}"): f"{concepts[symbol]} {number}"
            for symbol in symbols_of(gold_of(item))
        }
        return compared(concepts, own)

    @override
    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        """Score 1 if one anchored map of symbols makes all formulas equivalent to gold, else 0, with the verdict."""
        texts = tuple(member.english for member in item.members) or (item.text,)
        return self._judged_once(gold_of(item), texts, concepts_of(item.ontology), *self.read(item, text))

    def _judged(
        self,
        gold: tuple[Formula, ...],
        texts: tuple[str, ...],
        concepts: tuple[tuple[Symbol, str], ...],
        declared: tuple[tuple[Symbol, str], ...],
        written: tuple[str, ...],
    ) -> Judgement:
        result, readings, formulas, wrong, doubts = self.extracted(gold, dict(concepts), dict(declared), written, texts)
        answer = "\n".join(written)
        if result is None:
            unread = self.wrong("unparsable", faults(wrong, len(written)), answer)
            return replace(unread, fault=AMBIGUOUS, ambiguities=doubts) if doubts else unread
        known = [reading for reading in readings if reading is not None]
        by = self.entry.glosses
        return Judgement(
            result.scores,
            verdict=result.anchored,
            fault=result.why,
            means="alignment",
            detail=_description(result, wrong),
            answer=answer,
            formula="\n".join("" if formula is None else to_unicode(formula) for formula in formulas),
            dialect=", ".join(dict.fromkeys(reading.dialect for reading in known)),
            repairs=tuple(repair for reading in known for repair in reading.repairs),
            ambiguities=(*doubts, *(doubt for reading in known for doubt in told(reading))),
            policy=f"reading {self.entry.reading}, unbound variables {self.entry.unbound}"
            + (f", glosses by {by.model}" if by else ""),
        )

    def extracted(
        self,
        gold: Sequence[Formula],
        concepts: Glosses,
        declared: Glosses,
        written: Sequence[str],
        texts: Sequence[str],
    ) -> Extracted:
        """Read formulas over declared symbols, and compare them with gold formulas over concepts, of sentences.

        Raises ``KeyError`` if ``cosines`` lacks one that the comparison of glosses needs.
        """
        signature = signature_of(declared)
        readings: list[TolerantReading | None] = []
        formulas: list[Formula | None] = []
        wrong: dict[int, str] = {}
        doubts: list[str] = []
        for number, text in enumerate(written, 1):
            reading = formula = None
            try:
                reading = read_formula(text, signature, self.entry.reading)
                formula = self._checked(reading.formula, signature)
            except (FormulaSyntaxError, SignatureError) as error:
                wrong[number] = str(error)
                doubts += told(error.reading) if isinstance(error, AmbiguousFormulaError) else ()
            readings.append(reading)
            formulas.append(formula)
        if not any(readings):
            return Extracted(None, readings, formulas, wrong, tuple(doubts))
        by = self.entry.glosses
        nearness = None if by is None else Nearness(self.cosines, by.threshold, by.margin)
        result = extraction(gold, formulas, declared, concepts, nearness, sentences=texts)
        return Extracted(result, readings, formulas, wrong, tuple(doubts))

    def _checked(self, formula: Formula, signature: Signature) -> Formula:
        """Return the formula, closed as the entry has it; raises ``SignatureError`` if it does not fit."""
        closed = close_universally(formula) if self.entry.unbound == "close" else formula
        signature.check(closed)
        if unbound := sorted(variable.name for variable in free_variables(closed)):
            raise SignatureError(f"no quantifier binds {', '.join(unbound)}", unbound[0])
        return closed

    @override
    def chance(self, item: Item) -> Judgement:
        """Return 0, as ``logical_translation`` does; the ``constant`` shows what a fixed guess scores."""
        return Judgement(self.wrong("answered").scores)

    @override
    def reference(self, model_kind: str, items: Sequence[Item], manner: Manner = PLAIN) -> Reference:
        """Return the reader, ``merging`` or the constant.

        The reader writes the gold formulas with random names and argument orders; ``merging`` has one symbol for all
        concepts of a kind and arity; the constant writes the commonest formula up to names.
        """
        if not self.is_done_by(model_kind, manner.answer):
            return super().reference(model_kind, items, manner)
        commonest = _commonest(items) if model_kind == "constant" else None

        def answered(asked: Asked) -> str:
            gold = gold_of(asked.item) if commonest is None else (commonest,)
            symbols = symbols_of(gold)
            if model_kind == "merging":
                images = {symbol: merging("", symbol) for symbol in symbols}
            elif model_kind == "reader":
                images = disguise(symbols, *manner.labels, asked.item.source)
            else:
                images = {symbol: identity(symbol) for symbol in symbols}
            return answer_json(self._written(gold, images))

        return answered

    def _written(self, gold: Sequence[Formula], images: Mapping[Symbol, Image]) -> JsonDict:
        declared = dict.fromkeys(part.symbol for image in images.values() for part in image)
        glosses = {image[0].symbol: symbol.name for symbol, image in images.items()}
        rows = [
            {"name": symbol.name, "kind": symbol.kind.value, "arity": symbol.arity, "gloss": glosses[symbol]}
            for symbol in declared
        ]
        formulas = [to_unicode(written(formula, images)) for formula in gold]
        answer = formulas if self.joins_stories else formulas[0]
        return {"reasoning": "The gold formulas in other names.", "symbols": rows, "answer": answer}


def _joined_stories(triples: Sequence[TripleRow]) -> list[TripleRow]:
    """Return a row for each story: its first sentence's, with numbered ``text``, conjunction and ``sentences``."""
    stories: dict[str, list[TripleRow]] = {}
    for triple in triples:
        stories.setdefault(triple["story"], []).append(triple)
    joined: list[TripleRow] = []
    for story, rows in stories.items():
        language = LANGUAGES[rows[0]["language"]]
        conjunction = reduce(And, [language.parse(row["formula"] or "") for row in rows])
        text = "\n".join(f"{number}. {row['text']}" for number, row in enumerate(rows, 1))
        about = {"item": story, "text": text, "formula": language.write(conjunction), "category": None, "depth": None}
        joined.append(cast("TripleRow", {**rows[0], **about, "sentences": rows}))
    return joined


def _sentences_of(story: AnyRow) -> list[Candidate]:
    """Return the sentences of a row of ``_joined_stories`` as members of a set."""
    rows = story["sentences"]
    if len(rows) > MAX_SENTENCES:
        raise CandidateError(
            "story_too_long", f"the story has {len(rows)} sentences; at most {MAX_SENTENCES} are asked about together"
        )
    language = LANGUAGES[story["language"]]
    return [Candidate(language.parse(row["formula"]), row["text"], Role.SENTENCE) for row in rows]


def gold_of(item: Item) -> tuple[Formula, ...]:
    """Return the gold formulas of an item: of the sentences of a story, or its own."""
    texts = [member.formula for member in item.members] or [item.formula]
    return tuple(map(LANGUAGES[item.language].parse, texts))


@lru_cache(maxsize=_REMEMBERED)
def concepts_of(ontology: Ontology) -> tuple[tuple[Symbol, str], ...]:
    """Return the symbols of an ontology with their glosses."""
    return (
        *((Symbol(SymbolKind.PREDICATE, symbol.name, symbol.arity), symbol.positive) for symbol in ontology.predicates),
        *((Symbol(SymbolKind.FUNCTION, symbol.name, symbol.arity), symbol.meaning) for symbol in ontology.functions),
        *((Symbol(SymbolKind.CONSTANT, symbol.name, 0), symbol.meaning) for symbol in ontology.constants),
    )


def _commonest(items: Sequence[Item]) -> Formula:
    """Return a formula of the commonest form; the first of equals."""
    shapes = [numbered(gold_of(item)[0]).shape for item in items]
    ((commonest, _),) = Counter(shapes).most_common(1)
    return gold_of(items[shapes.index(commonest)])[0]


def _description(result: Extraction, wrong: Mapping[int, str]) -> str:
    """Describe the verdicts on a story's sentences, faults of formulas, and the map."""
    count = len(result.sentences)
    parts = [faults(wrong, count)] if wrong else []
    if count > 1:
        parts.append(
            "sentences by a map of their own: "
            + ", ".join(f"{number} {outcome}" for number, outcome in enumerate(result.sentences, 1))
        )
        parts.append(f"by the map that fits most: {sum(result.fitting)} of {count}")
    if result.anchored is not result.outcome:
        parts.append(f"{result.outcome} by a map that does not keep to names and glosses ({result.why})")
    images = ", ".join(f"{symbol.name} ↦ {shown(image)}" for symbol, image in result.images.items())
    parts.append(f"aligned: {images}" if images else "nothing is aligned")
    return "; ".join(parts)


def faults(wrong: Mapping[int, str], count: int) -> str:
    """Return the errors of unreadable formulas among so many, in one line."""
    return "; ".join(f"sentence {number}: {error}" if count > 1 else error for number, error in wrong.items())
