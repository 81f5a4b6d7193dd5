"""Facts about tasks for readers of their scores: forms of answers, roles of candidates, metrics, names of causes.

Imports nothing of nlfol. Tasks judge by these facts, and statistics, tables and analyses read by them, so that neither
imports the other. Tasks of other packages write theirs into the metadata of SCORES files (``learn``).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from string import ascii_uppercase
from typing import Final, Literal

# Presentations

FEW_SHOT, ZERO_SHOT = "few_shot", "zero_shot"
"""The presentations with solved examples and without."""

BLIND = "blind_"
"""Beginning of the names of controls: presentations that withhold what the answer depends on."""


ALL = "all_presentations"
"""The presentation of the answers to all presentations of a task together."""


def is_blind(presentation: str) -> bool:
    """Return whether a presentation withholds what the answer depends on."""
    return presentation.startswith(BLIND)


def sighted(presentation: str) -> str:
    """Return the presentation that one is the control of, or itself."""
    return presentation.removeprefix(BLIND)


# Answers and answerers

WHO_DOES_WHAT, STRUCTURE = "who_does_what", "structure"

STRATA: Mapping[str, str] = {
    **dict.fromkeys(("arguments", "converse", "names", "parts", "predicates"), WHO_DOES_WHAT),
    **dict.fromkeys(
        ("brackets", "connective", "determiner", "moved_negation", "quantifier", "regrouped", "scope"), STRUCTURE
    ),
}
"""Two sorts of exchanges that make anagrams: of what operators are about, and of operators and brackets."""


class AnswerForm(StrEnum):
    """The form of a task's answers, by which rules and analyses select jobs."""

    FORMULA = "formula"  # over the given vocabulary, for a text
    OWN_FORMULA = "own_formula"  # over a vocabulary that the answer declares
    CHAIN = "chain"  # a formula's English and the formula made of it, round by round
    VERDICT = "verdict"  # whether two formulas mean the same
    PROGRAM = "program"  # for a solver
    LABEL = "label"  # what answers a problem
    RATING = "rating"  # of a problem in other words
    CHOICE = "choice"  # one of the candidates
    ORDER = "order"  # all candidates
    OTHER = "other"


OPTIONED = (AnswerForm.CHOICE, AnswerForm.LABEL, AnswerForm.VERDICT)
"""Forms of answers that are one of some options."""

UNREASONED = ("surface", "medoid", "words", "order", "learner")
"""Kinds of references that go by the looks of candidates, the last three by those of the sentence, too."""

REFERENCES = ("reader", *UNREASONED, "echo", "transliterate", "coder", "constant", "drifting", "merging", "vacuous")
"""Kinds of answerers without a language model (``nlfol.tasks.reference``)."""

CodingName = Literal[
    "notation", "spaced", "mirrored", "entities", "hex", "hex_pairs", "base64", "base32", "base85", "binary",
    "decimal", "percent", "story", "prefix", "polish", "synonyms", "articles", "lisp", "json",
    "python", "xml", "outline", "commas", "dotted", "snake", "hyphens", "backwards", "postfix", "rot13", "atbash",
    "pig_latin", "spelled", "digits", "wide", "braille", "ideographs", "pictures", "private", "invisible",
]  # fmt: skip
"""Codes in which the reference ``coder`` answers (``nlfol.tasks.codings``)."""

GUESSERS = ("chance", "reasoner")
"""Kinds that answer nothing: their scores are exact expectations."""

VERDICTS = ("equivalent", "not_equivalent", "unknown", "invalid")
"""Verdicts on an answer's formula and the gold formula (``nlfol.logic.Outcome``)."""

AMBIGUOUS = "ambiguous"
"""The fault of an answer that is unreadable because its readings differ in meaning."""


class Strictly(StrEnum):
    """Results of an answer with which no liberty is taken."""

    RIGHT = "right"
    WRONG = "wrong"
    UNREAD = "unread"

    @classmethod
    def of(cls, is_right: bool) -> "Strictly":
        """Return what an answer is that can be read."""
        return cls.RIGHT if is_right else cls.WRONG


BOARD_SIDE = 8
"""Rows and columns of the largest boards of a blocks world on which equivalence is proven (``board_proofs.SIDE``)."""

PROBLEM = "problem"
"""The unit of a whole question: its statements, question and options."""


class Role(StrEnum):
    """Roles of members of candidate sets, in canonical order."""

    GOLD = "gold"
    PERTURBATION = "perturbation"
    EQUIVALENT = "equivalent"
    NEGATION = "negation"
    NEGATION_NORMAL_FORM = "negation_normal_form"
    NEGATION_EQUIVALENT = "negation_equivalent"
    """Stands in for the negation normal form where that is the same tree as the negation."""
    CORNER = "corner"
    """Some dimensions away from the gold formula."""
    REPHRASED = "rephrased"
    """Says what the member before it says, another meaning than the gold formula's."""
    DIFFERENT = "different"
    """Written by a model, with another meaning."""
    ORIGINAL = "original"
    """The formula whose edit is the gold formula."""
    SENTENCE = "sentence"
    """A sentence of a story that is asked about as a whole."""


_LABELS = frozenset(("true", "false", "unknown", "uncertain", "yes", "no"))
"""Options that answer a question by themselves."""


def labels_of(options: Sequence[str]) -> dict[str, str]:
    """Return the label of each option's letter: a word such as "true", or else the letter."""
    words = {letter: option.lower() for letter, option in zip(ascii_uppercase, options, strict=False)}
    plain = len(set(words.values())) == len(words) and _LABELS.issuperset(words.values())
    return words if plain else {letter: letter for letter in words}


# Metrics and other names, by task

EQUIVALENCE, BLEU, LE, RETURNED = "equivalence", "bleu", "le", "returned"
CORRECTED, ACCEPTED, ON_BOARDS = "corrected", "accepted", "on_boards"

ACCURACY, NEGATION, BOTH = "accuracy", "negation", "both"

FIRST = (Role.GOLD, Role.EQUIVALENT)
LAST = (Role.NEGATION, Role.NEGATION_NORMAL_FORM, Role.NEGATION_EQUIVALENT)
"""Roles that a ranking sets first and last."""

TRUTH, TRUTH_UNCOPIED, COMPLIANCE, COPIED = "truth", "truth_uncopied", "compliance", "copied"
COMPLETED = "completed"
"""The end of a chain of round trips that nothing stopped; ``COPIED`` is one that copied formulas stopped."""

ENCODED = "encoded"
"""The fault of a text in place of English that is a code of the formula; it counts as copied."""

FORMALIZATION = "formalization"
"""The part of a round that makes a formula of English."""

CHRF, ROUGE_L, METEOR, BERTSCORE = "chrf", "rouge_l", "meteor", "bertscore"
WORDINGS = (BLEU, CHRF, ROUGE_L)
OVERLAPS = (*WORDINGS, METEOR, BERTSCORE)
"""All scores of English; those that need no files or weights of the user's are ``WORDINGS``."""

RIGHT = "right"

F1 = "f1"
"""The published measure of all verifications together, in which yes is positive."""

SAME_MEANING: Final[Mapping[str, bool]] = {
    Role.EQUIVALENT.value: True,
    Role.PERTURBATION.value: False,
    Role.DIFFERENT.value: False,
}
"""Label of a verified pair by the role of its second member: True if both mean the same."""

CERTIFIED = (Role.EQUIVALENT.value, Role.PERTURBATION.value)
"""The presentations with certified pairs; a model's round trips have one, "", since they give one pair an item."""

ANCHORED, SENTENCES, SENTENCES_ALONE = "anchored", "sentences", "sentences_alone"
SENTENCES_LEAST, SENTENCES_MOST = "sentences_least", "sentences_most"
RECALL, PRECISION, REFINED, MERGED, BY_NAME = "recall", "precision", "refined", "merged", "by_name"

EXECUTABLE = "executable"

RATING = "rating"
"""The mean of ``CRITERIA``."""

CRITERIA = ("semantic_equivalence", "reasoning_preserved", "answer_invariance", "clarity")

LEAST, GREATEST = 1, 5


def scaled(rating: float) -> float:
    """Return a rating as a score in [0, 1]."""
    return (rating - LEAST) / (GREATEST - LEAST)


def rated(score: float) -> float:
    """Return a score as a rating from 1 to 5."""
    return LEAST + score * (GREATEST - LEAST)


# Causes of wrong programs

DRIFTS = ("drift", "drift_and_collision")
"""Causes by which one concept has several symbols."""

LOST, UNEXPLAINED = "lost", "unexplained"
CAUSES = (
    *(RIGHT, "drift", "collision", "drift_and_collision", "query", "logic", "unparsable", "failed"),
    *(LOST, UNEXPLAINED),
)
"""Causes of wrong answers (``nlfol.problems.alignment.Cause``, and two more); ``right`` for right ones."""

NO_GOLD, GOLD_UNREAD, INTERNAL_ERROR = "no_gold", "gold_unread", "internal_error"
LEFT_OUT = (LOST, "unparsable", NO_GOLD, GOLD_UNREAD, INTERNAL_ERROR)
"""Reasons not to align an answer."""

FAILURES = ("undefined_symbol", "arity", "open", "contradictory", "ambiguous", "budget")
"""Failures of programs that were read (``nlfol.problems.programs.Failure``)."""

UNASKED: Final[Mapping[str, tuple[str, str]]] = {
    FEW_SHOT: ("no_exemplar", "there is no solved example to be shown that is not an item itself"),
    "english": ("no_english", "the released set has no English"),
    "formula": ("no_program", "there is no gold program to be shown as formulas"),
}
"""Reason and detail of items that are not asked about under a presentation."""

UNTOLD = (NO_GOLD, GOLD_UNREAD, INTERNAL_ERROR)
"""Those of them that say nothing of the answer."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A kind of task; ``metrics`` of right answers begin with the leading one, by which models are ranked.

    Where ``weakest_counts``, presentations are parts of one question, and a model is as good as its worst.
    """

    kind: str
    form: AnswerForm
    metrics: tuple[str, ...]
    other_metrics: tuple[str, ...] = ()
    weakest_counts: bool = False

    @property
    def has_candidates(self) -> bool:
        """Return whether items have candidates: the task is audited, and embedding models do it too."""
        return self.form in (AnswerForm.CHOICE, AnswerForm.ORDER)

    @property
    def shown_first(self) -> str:
        """Return the metric that is shown first, whether or not it is one of right answers."""
        return (self.metrics or self.other_metrics)[0]

    def rates(self, metric: str) -> bool:
        """Return whether a metric, in any round of a dialogue, says that an answer is right."""
        return metric.partition("@")[0] in self.metrics

    def has_verdicts(self, metric: str) -> bool:
        """Return whether the verdict beside a metric is on a formula of an answer."""
        if self.form is AnswerForm.FORMULA:
            return True
        return self.form in (AnswerForm.CHAIN, AnswerForm.OWN_FORMULA) and self.rates(metric)

    @staticmethod
    def round_of(metric: str) -> int:
        """Return the round of a dialogue that a metric is of, from 1."""
        return int(metric.partition("@")[2] or 1)


TRANSLATION = Facts("logical_translation", AnswerForm.FORMULA, (EQUIVALENCE,), (BLEU, LE))
MOST_SIMILAR = Facts("most_similar", AnswerForm.CHOICE, (ACCURACY,))
RANKING = Facts("ranking", AnswerForm.ORDER, (BOTH, EQUIVALENCE, NEGATION))
ROUND_TRIP = Facts("round_trip", AnswerForm.CHAIN, (TRUTH_UNCOPIED, TRUTH, COMPLIANCE), (COPIED, *OVERLAPS))
# Always saying yes is right of every equivalent pair.
VERIFICATION = Facts("verification", AnswerForm.VERDICT, (RIGHT,), weakest_counts=True)
QUESTION_ANSWERING = Facts("question_answering", AnswerForm.LABEL, (RIGHT,))
OWN_ONTOLOGY = Facts(
    "ontology_extraction",
    AnswerForm.OWN_FORMULA,
    (ANCHORED,),
    (
        *(EQUIVALENCE, SENTENCES, SENTENCES_ALONE, SENTENCES_LEAST, SENTENCES_MOST),
        *(RECALL, PRECISION, REFINED, MERGED, BY_NAME),
    ),
)
PROGRAM = Facts("program", AnswerForm.PROGRAM, (RIGHT, EXECUTABLE))
PROBLEM_RATING = Facts("rating", AnswerForm.RATING, (), (RATING, *CRITERIA))

_OURS = {
    facts.kind: facts
    for facts in (
        *(TRANSLATION, MOST_SIMILAR, RANKING, ROUND_TRIP, VERIFICATION, QUESTION_ANSWERING),
        *(OWN_ONTOLOGY, PROGRAM, PROBLEM_RATING),
    )
}

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    kind: facts.metrics for kind, facts in _OURS.items() if facts.has_candidates
}
"""By kind of those that show candidates, the metrics of right answers."""

_known = dict(_OURS)

FACTS: Final[Mapping[str, Facts]] = _known
"""By kind, in the order of tables; behind ours, those of other packages of which a file has been read."""


def learn(metadata: Mapping[str, str]) -> None:
    """Add the tasks of other packages that a file's metadata describe (``written``)."""
    for kind, facts in json.loads(metadata.get("facts", "{}")).items():
        if kind not in _OURS:
            metrics = {name: tuple(facts[name]) for name in ("metrics", "other_metrics")}
            _known[kind] = Facts(**{**facts, **metrics, "form": AnswerForm(facts["form"])})


def written(*tasks: Facts) -> dict[str, str]:
    """Return metadata that describe tasks of other packages: these, or all that are known; empty for ours alone."""
    others = {facts.kind: asdict(facts) for facts in tasks or _known.values() if facts.kind not in _OURS}
    return {"facts": json.dumps(others, sort_keys=True)} if others else {}
