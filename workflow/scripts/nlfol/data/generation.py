"""Generated sets as rows of the stages' files, streamed: memory does not grow with their number."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby, islice, product
from typing import cast

from nlfol.data.entries.grammar import SIZES, GrammarEntry
from nlfol.data.grammars.drawing import AllDerivations
from nlfol.data.grammars.files import content_digest
from nlfol.data.grammars.generation import MAX_VALUE, Drawn, Generation, Recipe
from nlfol.data.grammars.grammar import GrammarError
from nlfol.data.grammars.vocabularies import Sizes
from nlfol.data.reason import Reason
from nlfol.logic.english.lexicon import lexicon
from nlfol.logic.judging import forget
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.randomness import label_digest
from nlfol.store.parts import WHOLE, Part
from nlfol.store.records import SourceError
from nlfol.store.schemas import SentenceRow, TripleRow

CHUNK = 1_000
"""Rows that are in memory at once."""

EXEMPLARS = 8
"""Items beside the set that prompts may show: more than are needed, as those in the set are passed over."""

_TRIED = 200
_VALUES, _ROOM, _BEYOND = 3, 10, 10
_DIGESTED = ("item", "story", "text", "formula", "language", "category", "tree", "status", "reason")


def recipe_of(entry: GrammarEntry, batch: int | None = None) -> Recipe:
    """Return the recipe of a batch of a dataset's entry, of the first by default."""
    return Recipe(
        grammar=entry.grammar,
        vocabulary=entry.vocabulary,
        by=entry.measure,
        values=entry.drawn,
        count=entry.count,
        protocol=entry.protocol,
        batch=batch or entry.batch[0],
        quantifiers=entry.quantified,
        repetition=entry.repetition,
        distinct=entry.distinct,
        letters=entry.letters,
        clause=entry.clause,
        verbnet=entry.verbnet,
        **{name: given for name in ("levels", "branching", "variables") if (given := getattr(entry, name)) is not None},
        sizes=Sizes(**{name: given for name in SIZES if (given := getattr(entry, name)) is not None}),
    )


def recipe_digest(entry: GrammarEntry) -> str:
    """Return the SHA-256 of grammar, vocabulary and keys; raises ``SourceError`` if the entry cannot be followed."""
    with _refusing():
        digests = [recipe_of(entry, batch).digest() for batch in entry.batch]
    return digests[0] if len(digests) == 1 else content_digest(digests)


def generated(entry: GrammarEntry, seed: int, part: Part = WHOLE) -> Iterator[tuple[SentenceRow, Ontology]]:
    """Yield the rows of SENTENCES with their symbols, refused draws first; ``SourceError`` for an unusable entry."""
    attempt, of, number = 0, (0, 0, 0), 0
    for batch, group in groupby(_places(entry, part), lambda pair: pair[0]):
        for drawn in _drawn(recipe_of(entry, batch), seed, [value for _, value in group]):
            number += 1
            attempt = attempt + 1 if of == (batch, drawn.value, drawn.number) else 1
            of = batch, drawn.value, drawn.number
            if number % CHUNK == 0:
                # Cleared are caches made for sentences with common symbols: here each has symbols of its own.
                lexicon.cache_clear()
                forget()
            yield _row(entry, batch, drawn, attempt if drawn.refusal else 0), drawn.ontology


def _places(entry: GrammarEntry, part: Part) -> Sequence[tuple[int, int]]:
    """Return the batches and values of a part."""
    return part.rows([*product(entry.batch, entry.drawn)])


def triple_rows(
    entry: GrammarEntry, seed: int, sentences: Iterable[SentenceRow], part: Part = WHOLE
) -> Iterator[TripleRow]:
    """Yield the rows of TRIPLES from all SENTENCES of the same draw; raises ``SourceError`` if they are others."""
    wanted = frozenset(_places(entry, part))
    of_part = (row for row in sentences if (row["batch"], row["category"]) in wanted)
    for (again, ontology), row in zip(generated(entry, seed, part), of_part, strict=True):
        if again["source_formula"] != row["source_formula"]:
            raise SourceError(f"item {row['item']!r} is not what the grammar gives now; delete its file and run again")
        kept = {name: value for name, value in row.items() if name != "source_formula"}
        own = ontology.to_row() if row["status"] == "usable" else None
        yield cast("TripleRow", {**kept, "ontology": own})


def exemplars(entry: GrammarEntry, seed: int) -> list[dict[str, str]]:
    """Return sentences of the same grammar and vocabulary for prompts, drawn by a label of their own.

    They have quantifiers where the grammar has them, and the smallest values that give some of which hardly one is an
    item, whatever is drawn. Raises ``SourceError``.
    """
    recipe = recipe_of(entry.model_copy(update={"protocol": "audited"}))
    with _refusing():
        values = _roomy(recipe, recipe.count * len(entry.batch))
    recipe = replace(recipe, values=values, count=_TRIED // len(values))
    own_seed = int.from_bytes(label_digest(seed, "exemplars")[:8])
    language = LANGUAGES[entry.spoken]
    quantified: list[dict[str, str]] = []
    plain: list[dict[str, str]] = []
    for drawn in _drawn(recipe, own_seed):
        if drawn.refusal is not None:
            continue
        shown = {"text": language.render(drawn.sentence, drawn.ontology), "formula": drawn.text}
        has_quantifiers = entry.spoken != "first_order" or "∀" in drawn.text or "∃" in drawn.text
        (quantified if has_quantifiers else plain).append(shown)
        if len(quantified) == EXEMPLARS:
            break
    return (quantified + plain)[:EXEMPLARS]


def _roomy(recipe: Recipe, items: int) -> tuple[int, ...]:
    """Return the three smallest values above 1 with many more derivations than the set has ``items`` of each value.

    They may be values that the set does not have; without any such value, they are the set's last.
    """
    grammar, _ = recipe.read()
    derivations = AllDerivations(grammar, recipe.by, recipe.quantifiers)
    sizes = ((value, derivations.count(value)) for value in range(2, min(max(recipe.values) + _BEYOND, MAX_VALUE)))
    roomy = (value for value, size in sizes if size and size >= _ROOM * items * (value in recipe.values))
    return tuple(islice(roomy, _VALUES)) or recipe.values[-_VALUES:]


class SetDigest:
    """SHA-256 of the content of a set, in whatever file; it can be published before the seed is."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add(self, row: SentenceRow) -> None:
        """Add a row of SENTENCES, in their order."""
        content = [{**row}[name] for name in _DIGESTED]
        self._digest.update(json.dumps(content, ensure_ascii=False).encode() + b"\n")

    def hex(self) -> str:
        """Return the digest of the rows so far."""
        return self._digest.hexdigest()


def _drawn(recipe: Recipe, seed: int, values: Sequence[int] | None = None) -> Iterator[Drawn]:
    with _refusing():
        yield from Generation(recipe, seed).items(values)


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except GrammarError as error:
        raise SourceError(str(error)) from error


def _row(entry: GrammarEntry, batch: int, drawn: Drawn, attempt: int) -> SentenceRow:
    text, detail = "", drawn.detail
    reason: str | None = drawn.refusal
    if reason is None:
        try:
            text = LANGUAGES[entry.spoken].render(drawn.sentence, drawn.ontology)
        except ValueError as error:
            reason, detail = Reason.NO_ENGLISH.value, str(error)
    of_batch = f"b{batch}-" if len(entry.batch) > 1 else ""
    return {
        # The item's name, and for a refused draw its number.
        "item": f"{of_batch}{drawn.value}-{drawn.number}" + (f".{attempt}" if attempt else ""),
        "story": drawn.tree[:16],
        "index": drawn.number,
        "text": text,
        "source_formula": drawn.text,
        "formula": drawn.text if drawn.sentence is not None else None,
        "repairs": [],
        "language": entry.spoken,
        "category": drawn.value,
        "depth": drawn.depth,
        "tree": drawn.tree or None,
        "batch": batch,
        "correction": None,
        "readings": [],
        "regained": None,
        "status": "refused" if reason else "usable",
        "reason": reason,
        "detail": detail or None,
    }
