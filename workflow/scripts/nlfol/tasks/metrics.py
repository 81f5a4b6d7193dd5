"""Scores of texts that measure no meaning: BLEU and LE of formulas, and BLEU, chrF, ROUGE-L and METEOR of English.

In formulas, bound variables have standard names first, so no score depends on what an answer calls them.

BLEU of formulas (paper, table 5; Papineni et al., 2002) is sacrebleu's, without smoothing, of one formula against one
reference, both split into the tokens of the canonical notation. As in the paper, n-grams go up to four or to the length
of the shorter formula, whichever is less.

LE is the "logical equivalence" score of MALLS (Yang et al., arXiv 2305.15541, section 4; paper, table 5). It is no test
of equivalence. Quantifiers are dropped, and each atom, by its text, is one propositional variable: ``P(x)`` and
``P(y)`` are two. Dummies without effect fill up the formula with fewer atoms. Atoms of the translation are bound one to
one to those of the gold formula, and the score is the largest share of rows in which the two truth tables agree, over
the first 1,000 bindings of a greedy search: the first atom of the gold formula takes the nearest of the others by edit
distance first, then the second of those left, and so on. These flaws are the definition and are kept: ∀ and ∃ are the
same, ``P(a)`` and ``Q(b)`` agree wholly, and unrelated formulas agree by half. The published code leaves two orders to
chance: here atoms come in the order of the formula, and those at equal distances in the order of the translation.

BLEU and chrF (Popović, 2015) of English are sacrebleu's for a single sentence, with its defaults; ROUGE-L (Lin, 2004)
is the F1 of the longest common subsequence of words, in lower case. METEOR (Banerjee and Lavie, 2005) is nltk's, which
matches equal words, stems and synonyms of WordNet, with its defaults, of the tokens of its tokenizer of words.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from io import StringIO
from itertools import islice
from math import nan
from typing import Any, ParamSpec, TypeVar

from nlfol.facts import BLEU, CHRF, ROUGE_L
from nlfol.logic import syntax as fol
from nlfol.logic.reading.tokens import tokens_of
from nlfol.logic.rewriting import with_standard_variables
from nlfol.store.logs import LOGGER

# Jobs that ask models name the tasks, and have neither sacrebleu nor rapidfuzz.

_LONGEST = 4

_BINDINGS = 1_000
_MAX_ATOMS = 16
"""Atoms of the longer formula above which the truth table is not made, and the score is 0."""

_DUMMY_DISTANCE = 10_000

_P = ParamSpec("_P")
_T = TypeVar("_T")

_WORD = re.compile(r"[^\W_]+")


def beside(part: str, measure: Callable[_P, _T], /, *args: _P.args, **named: _P.kwargs) -> _T | None:
    """Return a measure that stands beside a verdict; None, with the traceback in the log, if it raises.

    So no verdict depends on it.
    """
    try:
        return measure(*args, **named)
    except Exception:
        LOGGER.exception(f"error in {part} of an answer: left out, and its verdict stands")
        return None


def side_score(metric: str, measure: Callable[_P, float], /, *args: _P.args, **named: _P.kwargs) -> float:
    """Return a score that stands beside a verdict; NaN, with the traceback in the log, if computing it raises."""
    value = beside(metric, measure, *args, **named)
    return nan if value is None else value


def bleu(gold: fol.Formula, translation: fol.Formula) -> float:
    """Return the BLEU of a formula in [0, 1]; 1 for the same text, 0 where no n-gram of the largest order is common."""
    reference, written = _tokens(gold), _tokens(translation)
    scorer = _formula_scorer(min(_LONGEST, len(reference), len(written)))
    # As a corpus of one sentence: of a sentence, sacrebleu would advise at each call to take another measure.
    score = float(scorer.corpus_score([" ".join(written)], [[" ".join(reference)]]).score) / 100
    # Rounding can take the geometric mean of ones a little above one.
    return min(score, 1.0)


def _tokens(formula: fol.Formula) -> list[str]:
    return [token for token in tokens_of(str(with_standard_variables(formula))) if token]


@cache
def _formula_scorer(order: int) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(max_ngram_order=order, smooth_method="none", tokenize="none", effective_order=False)


def overlaps(text: str, reference: str) -> dict[str, float]:
    """Return each of ``WORDINGS`` of two English texts in [0, 1]; 1 for the same text."""
    words, characters = _text_scorers()
    # Rounding can take the geometric mean of ones a little above one.
    by_words = min(1.0, float(words.sentence_score(text, [reference]).score) / 100)
    by_characters = min(1.0, float(characters.sentence_score(text, [reference]).score) / 100)
    return {BLEU: by_words, CHRF: by_characters, ROUGE_L: rouge_l(text, reference)}


def rouge_l(text: str, reference: str) -> float:
    """Return the F1 of the longest common subsequence of words; 0 where a text has no word."""
    words, wanted = (_WORD.findall(either.lower()) for either in (text, reference))
    if not words or not wanted:
        return 0.0
    from rapidfuzz.distance import LCSseq

    return 2 * LCSseq.similarity(words, wanted) / (len(words) + len(wanted))


@cache
def _text_scorers() -> tuple[Any, Any]:
    from sacrebleu.metrics import bleu, chrf

    return bleu.BLEU(effective_order=True), chrf.CHRF()


@cache
def open_meteor(folder: str) -> Callable[[str, str], float]:
    """Return METEOR in [0, 1] of a text and its reference, by WordNet's files; raises ``ValueError`` without them."""
    # Debian leaves out the names of lexicographers' files, of which METEOR knows nothing.
    nameless = "".join(f"{number}\t{number}\t1\n" for number in range(45))
    try:
        names = ("corpus.reader.wordnet", "translate.meteor_score", "tokenize.destructive", "data")
        wordnet, scores, tokens, data = (import_module(f"nltk.{name}") for name in names)
        reader, split = wordnet.WordNetCorpusReader, tokens.NLTKWordTokenizer().tokenize
        own = {
            "open": lambda self, file: StringIO(nameless) if file == "lexnames" else reader.open(self, file),
            "map_wn": lambda *_: None,  # to versions of other languages
        }
        data.path.append(folder)
        words = type("WordNet", (reader,), own)(folder, None)
    except (ImportError, OSError) as error:
        raise ValueError(
            f"meteor: {error}; it needs nltk (pip install 'nltk>=3.10') and WordNet's folder (Debian: wordnet-base)"
        ) from None
    return lambda text, reference: float(scores.single_meteor_score(split(reference), split(text), wordnet=words))


def malls_le(gold: fol.Formula, translation: fol.Formula) -> float:
    """Return LE in [0, 1]; 1 does not mean equivalent, nor does less than 1 mean different."""
    gold, translation = with_standard_variables(gold), with_standard_variables(translation)
    wanted, given = _atoms(gold), _atoms(translation)
    size = max(len(wanted), len(given))
    if size > _MAX_ATOMS:
        return 0.0
    rows = 1 << size
    full = (1 << rows) - 1
    columns = [_column(index, size) for index in range(size)]
    target = _compiled(gold, wanted)(columns, full)
    truth = _compiled(translation, given)
    best = 0
    seen = set()
    for binding in islice(_bindings(_distances(wanted, given, size)), _BINDINGS):
        # Atom number binding[i] of the translation stands for atom i of the gold formula; dummies stand for any.
        positions = [0] * size
        for position, atom in enumerate(binding):
            positions[atom] = position
        bound = tuple(positions[: len(given)])
        if bound in seen:
            continue
        seen.add(bound)
        agreeing = rows - (target ^ truth([columns[position] for position in bound], full)).bit_count()
        best = max(best, agreeing)
        if best == rows:
            break
    return best / rows


def _atoms(formula: fol.Formula) -> list[fol.Atom | fol.Equality]:
    return [node for node in fol.distinct_subformulas(formula) if isinstance(node, fol.Atom | fol.Equality)]


def _column(bit: int, size: int) -> int:
    """Return the number whose bit i is that of i at ``bit``, for i below 2 ** size."""
    block = ((1 << (1 << bit)) - 1) << (1 << bit)
    repeats = ((1 << (1 << size)) - 1) // ((1 << (2 << bit)) - 1)
    return block * repeats


def _distances(wanted: Sequence[fol.Formula], given: Sequence[fol.Formula], size: int) -> list[list[int]]:
    from rapidfuzz.distance import Levenshtein

    texts, others = [*map(str, wanted)], [*map(str, given)]
    return [
        [
            Levenshtein.distance(texts[i], others[j]) if i < len(texts) and j < len(others) else _DUMMY_DISTANCE
            for j in range(size)
        ]
        for i in range(size)
    ]


def _bindings(distances: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Yield all bindings in greedy order: depth first, nearest atom first."""
    size = len(distances)
    preferred = [sorted(range(size), key=row.__getitem__) for row in distances]
    stack: list[tuple[int, ...]] = [()]
    while stack:
        bound = stack.pop()
        if len(bound) == size:
            yield bound
        else:
            stack.extend((*bound, atom) for atom in reversed(preferred[len(bound)]) if atom not in bound)


def _compiled(formula: fol.Formula, atoms: Sequence[fol.Formula]) -> Callable[[Sequence[int], int], int]:
    """Return the function from the truth tables of a formula's atoms to its own, as bits, its quantifiers dropped.

    Tables stand in registers: those of the atoms, then that of each connective.
    """
    steps: list[tuple[str, int, int]] = []
    place_of = {atom: index for index, atom in enumerate(atoms)}

    def step(node: fol.Formula, parts: tuple[int, ...]) -> int:
        match node:
            case fol.Atom() | fol.Equality():
                return place_of[node]
            case fol.ForAll() | fol.Exists():
                return parts[0]
        steps.append((node.sign, parts[0], parts[-1]))
        return len(atoms) + len(steps) - 1

    root = fol.fold(formula, step)

    def table(columns: Sequence[int], full: int) -> int:
        registers = list(columns[: len(atoms)])
        for sign, first, second in steps:
            registers.append(_CONNECTIVES[sign](registers[first], registers[second], full))
        return registers[root]

    return table


_CONNECTIVES: dict[str, Callable[[int, int, int], int]] = {
    "¬": lambda a, _, full: full ^ a,
    "∧": lambda a, b, _: a & b,
    "∨": lambda a, b, _: a | b,
    "⊕": lambda a, b, _: a ^ b,
    "→": lambda a, b, full: (full ^ a) | b,
    "↔": lambda a, b, full: full ^ a ^ b,
}
