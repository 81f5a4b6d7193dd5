"""Alignment of a program's symbols with the concepts of the gold program, sentence by sentence, by proof.

A sentence is aligned by structure where a map of concepts makes its gold line say what the program's lines say; where
none does, mentions are aligned by name, as far as that goes, and marked.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from nlfol.problems.alignment.one_map import OneMap, one_map
from nlfol.problems.alignment.selecting import Open, Selection, select
from nlfol.problems.programs.language import Lines, SolverLanguage
from nlfol.problems.programs.symbols import Fit, Image, Key, LineError, Numbered, Symbol, bare, identity, key_of, named

MAX_MENTIONS = 200
"""Mentions in the lines of a sentence that are aligned."""


class Basis(StrEnum):
    """Ways to align a mention."""

    STRUCTURE = "structure"
    NAME = "name"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Sentence:
    """The alignment of the sentence at a place, or of what is asked; images are None for mentions that are not aligned.

    ``exhaustive`` says whether all maps were looked at, ``error`` what is wrong with the program's lines.
    """

    place: str
    gold: tuple[str, ...]
    lines: tuple[str, ...]
    concepts: tuple[Symbol, ...]
    images: tuple[Image | None, ...]
    basis: Basis
    exhaustive: bool
    error: str | None = None

    @property
    def fits(self) -> bool:
        """Return whether some map makes the lines equivalent to gold."""
        return self.basis is Basis.STRUCTURE

    @property
    def mentions(self) -> Iterator[tuple[Symbol, Image, Basis]]:
        """Yield the mentions that are aligned, in order."""
        for concept, image in zip(self.concepts, self.images, strict=True):
            if image is not None:
                yield concept, image, self.basis


@dataclass(frozen=True, slots=True)
class Alignment:
    """The alignment of a program with the gold program, in their language as the gold program needs it.

    ``extra`` are places for which the program has lines and the gold program none. ``is_least`` says that no choice of
    maps is known to have fewer symbols, nor can have; ``least`` has numbers of each concept's images whose sum
    none goes below. ``one_map`` is what one map of all symbols does.
    """

    gold: Lines
    program: Lines
    language: SolverLanguage
    sentences: tuple[Sentence, ...]
    extra: tuple[str, ...]
    is_least: bool
    least: Mapping[Symbol, int]
    one_map: OneMap

    @property
    def mentions(self) -> list[tuple[Symbol, Image, Basis]]:
        """Return the mentions that are aligned, in order."""
        return [mention for sentence in self.sentences for mention in sentence.mentions]

    @property
    def images(self) -> dict[Symbol, Counter[Key]]:
        """Return by concept how often it is aligned with each image."""
        counts: dict[Symbol, Counter[Key]] = {}
        for concept, image, _ in self.mentions:
            counts.setdefault(concept, Counter())[key_of(image)] += 1
        return counts

    @property
    def concepts(self) -> dict[Key, Counter[Symbol]]:
        """Return by image how often each concept is aligned with it."""
        counts: dict[Key, Counter[Symbol]] = {}
        for concept, image, _ in self.mentions:
            counts.setdefault(key_of(image), Counter())[concept] += 1
        return counts

    def most_frequent(self) -> dict[Symbol, Image]:
        """Return by concept its most frequent image by structure, else by name."""
        counts: dict[Symbol, Counter[Image]] = {}
        for basis in (Basis.STRUCTURE, Basis.NAME):
            known = set(counts)
            for concept, image, mention_basis in self.mentions:
                if mention_basis is basis and concept not in known:
                    counts.setdefault(concept, Counter())[image] += 1
        return {
            concept: max(sorted(images), key=lambda image, images=images: images[image])  # type: ignore[misc]
            for concept, images in counts.items()
        }


@dataclass(slots=True)
class _Work:
    place: str
    gold: tuple[str, ...]
    lines: tuple[str, ...]
    said: Numbered
    other: Numbered | None = None
    fits: tuple[Fit, ...] = ()
    exhaustive: bool = True
    error: str | None = None


def align(gold: Lines, program: Lines) -> Alignment:
    """Align symbols with gold concepts; ``LineError`` for an unreadable gold line, ``ValueError`` for two languages."""
    if gold.language.name != program.language.name:
        raise ValueError(f"the gold program is of {gold.language}, the program of {program.language}")
    language = gold.language.within(gold)
    program = language.normalized(program)
    given = program.places
    works = []
    for place, lines in gold.places.items():
        try:
            numbered = _numbered(lines, language)
        except LineError as error:
            raise LineError(f"gold line {place}: {error}") from error
        work = _Work(place, lines, given.get(place, ()), numbered)
        _find(work, language)
        works.append(work)
    opened, selection = _selected(works)
    if any(not work.exhaustive for work in works) and _propose(works, selection, language):
        opened, selection = _selected(works)
    sentences = _sentences(works, selection)
    extra = tuple(place for place in given if place not in gold.places)
    return Alignment(gold, program, language, sentences, extra, selection.is_least, selection.least, one_map(opened))


def _numbered(lines: tuple[str, ...], language: SolverLanguage) -> Numbered:
    numbered = language.numbered(lines)
    if len(numbered.mentions) > MAX_MENTIONS:
        raise LineError(f"{len(numbered.mentions)} mentions; at most {MAX_MENTIONS} are aligned")
    return numbered


def _find(work: _Work, language: SolverLanguage) -> None:
    if not work.lines:
        work.error = "the program has no line for it"
        return
    try:
        work.other = _numbered(work.lines, language)
    except LineError as error:
        work.error = str(error)
        return
    fits = language.fits(work.said, work.other)
    symbols = work.other.symbols
    work.fits = tuple(tuple(named(fit, symbols)[index] for index in range(len(fit))) for fit in fits.fits)
    work.exhaustive = fits.exhaustive


def _selected(works: Sequence[_Work]) -> tuple[list[Open], Selection]:
    """Return the maps of each sentence that come into question, and the one chosen.

    Maps with shared images or conjunctions count only where these are usual. Else a condition that is left out would
    pass for one that shares the symbol of another, and one too many for a part of a conjunction. A conjunction of
    symbols that no other concept has is one, however rare.
    """
    parted = [([fit for fit in work.fits if not _rare(work, fit)], work) for work in works]
    opened = [_open(work, fits) for fits, work in parted]
    selection = select(opened)
    if all(fits or not work.fits for fits, work in parted):
        return opened, selection
    chosen = _counted(works, selection.chosen)
    pairs = {(concept, key_of(image)) for concept, images in chosen.items() for image in images}
    plain = Counter(concept for fits, work in parted if fits for concept in work.said.symbols)
    others = Counter(
        concept
        for fits, work in parted
        if not fits
        for concept in {pair[0] for fit in work.fits for pair in _rare(work, fit)}
    )

    taken = {symbol for _, key in pairs for symbol in key}

    def is_usual(work: _Work, fit: Fit) -> bool:
        return all(
            pair in pairs or plain[pair[0]] < others[pair[0]] or (len(pair[1]) > 1 and not taken.intersection(pair[1]))
            for pair in _rare(work, fit)
        )

    opened = []
    for fits, work in parted:
        usual = fits or [fit for fit in work.fits if is_usual(work, fit)]
        opened.append(_open(work, usual))
    return opened, select(opened)


def _open(work: _Work, fits: Sequence[Fit]) -> Open:
    symbols = work.other.symbols if work.other else ()
    return Open(tuple(work.said.concepts), tuple(fits), work.exhaustive, symbols)


def _rare(work: _Work, fit: Fit) -> set[tuple[Symbol, Key]]:
    """Return the concepts of a map whose image another concept of the sentence shares, or is a conjunction."""
    keys: dict[Key, set[Symbol]] = {}
    rare: set[tuple[Symbol, Key]] = set()
    for concept, image in zip(work.said.concepts, fit, strict=True):
        key = key_of(image)
        keys.setdefault(key, set()).add(concept)
        if len(key) > 1:
            rare.add((concept, key))
    return rare | {(concept, key) for key, concepts in keys.items() if len(concepts) > 1 for concept in concepts}


def _propose(works: Sequence[_Work], selection: Selection, language: SolverLanguage) -> bool:
    """Add to sentences with too many maps the one that other sentences and names suggest, if it is proven."""
    counts = _counted(works, selection.chosen)
    usual = {concept: images.most_common(1)[0][0] for concept, images in counts.items()}
    proposed = False
    for work in works:
        if work.exhaustive or work.other is None:
            continue
        for images in (usual, {}):
            fit = _proven(work, _guess(work.said, work.other, images), language)
            if fit is not None and fit not in work.fits:
                work.fits = (fit, *work.fits)
                proposed = True
                break
    return proposed


def _proven(work: _Work, guess: Mapping[Symbol, Image], language: SolverLanguage) -> Fit | None:
    """Return the map of a sentence by images of its concepts, if it makes the gold lines mean what the others mean."""
    if not all(concept in guess for concept in work.said.symbols):
        return None
    try:
        written = language.rewritten(work.gold, guess)
    except LineError:
        return None  # a negated conjunction, which clauses cannot say
    return tuple(guess[concept] for concept in work.said.concepts) if language.same(written, work.lines) else None


def _counted(works: Sequence[_Work], chosen: Sequence[Fit | None]) -> dict[Symbol, Counter[Image]]:
    """Return by concept how often it has each image in the maps that are chosen."""
    counts: dict[Symbol, Counter[Image]] = {}
    for work, fit in zip(works, chosen, strict=True):
        for concept, image in zip(work.said.concepts, fit or (), strict=False):
            counts.setdefault(concept, Counter())[image] += 1
    return counts


def _guess(gold: Numbered, other: Numbered, usual: Mapping[Symbol, Image]) -> dict[Symbol, Image]:
    """Return images for the concepts of a sentence: as elsewhere, by name, and then in order."""
    left = dict.fromkeys(other.symbols)
    shares = len(other.symbols) < len(gold.symbols)
    guess: dict[Symbol, Image] = {}
    for concept in gold.symbols:
        image = usual.get(concept)
        if image is not None and all(part.symbol in (other.symbols if shares else left) for part in image):
            guess[concept] = image
            for part in image:
                left.pop(part.symbol, None)
    for is_fit in (_has_name, _is_of_one_sort):
        for concept in gold.symbols:
            if concept not in guess:
                match = next((symbol for symbol in left if is_fit(concept, symbol)), None)
                if match is not None:
                    guess[concept] = identity(match)
                    del left[match]
    return guess


def _is_of_one_sort(concept: Symbol, symbol: Symbol) -> bool:
    return (concept.kind, concept.arity) == (symbol.kind, symbol.arity)


def _has_name(concept: Symbol, symbol: Symbol) -> bool:
    return _is_of_one_sort(concept, symbol) and bare(concept.name) == bare(symbol.name)


def _sentences(works: Sequence[_Work], selection: Selection) -> tuple[Sentence, ...]:
    aligned = _counted(works, selection.chosen)
    sentences = []
    for work, fit in zip(works, selection.chosen, strict=True):
        concepts = tuple(work.said.concepts)
        images: tuple[Image | None, ...] = fit or _by_name(work, aligned)
        basis = Basis.STRUCTURE if fit else Basis.NAME if any(images) else Basis.NONE
        sentences.append(
            Sentence(work.place, work.gold, work.lines, concepts, images, basis, work.exhaustive, work.error)
        )
    return tuple(sentences)


def _by_name(work: _Work, aligned: Mapping[Symbol, Counter[Image]]) -> tuple[Image | None, ...]:
    """Return the images that concepts have in other sentences and that occur here; else the symbols of their names."""
    if work.other is None:
        return tuple(None for _ in work.said.mentions)
    symbols = set(work.other.symbols)
    images: dict[Symbol, Image | None] = {}
    for concept in work.said.symbols:
        usual = (image for image, _ in aligned.get(concept, Counter()).most_common())
        known = next((image for image in usual if all(part.symbol in symbols for part in image)), None)
        same = next((symbol for symbol in work.other.symbols if _has_name(concept, symbol)), None)
        images[concept] = known or (None if same is None else identity(same))
    return tuple(images[concept] for concept in work.said.concepts)
