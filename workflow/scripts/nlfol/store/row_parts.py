"""Parts that rows of several stages share."""

from typing import Literal, TypedDict

from nlfol.store.columns import Int32

Language = Literal["first_order", "propositional", "regular"]


class Status(TypedDict):
    """The fate of a row, as its last columns."""

    # "usable" or "refused"; a refused row stays in the file with the reason and goes no further.
    status: str
    # A snake_case word to count by, and a sentence naming the thing at fault and the remedy; null where usable.
    reason: str | None
    detail: str | None


class Repair(TypedDict):
    """A change that made a source's formula readable."""

    kind: str
    before: str
    after: str


class Generated(TypedDict):
    """Language of a sentence, and what its generation says of it; null of others."""

    language: Language
    # The value of the measure that its set is stratified by, the depth of its derivation
    # (``grammars.grammar.DEPTH``), and the digest of its derivation tree without the vocabulary.
    category: Int32 | None
    depth: Int32 | None
    tree: str | None
    batch: Int32 | None


class Correction(TypedDict):
    """Changes of a gold formula by a reviewed patch."""

    kinds: list[str]  # see datasets.patches.PatchKind
    reason: str
    evidence: str
    published: str | None  # in canonical notation, null where it could not be read
    symbols: str | None  # new ones, as JSON


class Gold(TypedDict):
    """Corrections and accepted readings of a gold formula."""

    correction: Correction | None  # null where it is as published
    # Further formulas that are accepted of the sentence, corrected gold first; empty unless readings are known.
    readings: list[str]
    # Why it would be refused with the formulas as published; null unless corrections make it usable up to here.
    regained: str | None


class Predicate(TypedDict):
    """A predicate with its sentences."""

    name: str
    arity: Int32
    positive: str
    negative: str


class Function(TypedDict):
    """A function with its noun phrase."""

    name: str
    arity: Int32
    meaning: str


class Constant(TypedDict):
    """A constant with its noun phrase."""

    name: str
    meaning: str


class OntologyRow(TypedDict):
    """An ontology."""

    predicates: list[Predicate]
    functions: list[Function]
    constants: list[Constant]
    # Whether it was made from the symbols of the formulas because the dataset has none.
    derived: bool
    # The letters of regular expressions, and which of "|", "+" and "?" may be used; "" of formulas.
    alphabet: str
    noun: str  # what things are called


class Exemplar(TypedDict):
    """A solved example."""

    text: str
    formula: str


class Certificate(TypedDict):
    """The verdict on two members of a candidate set, with its proof."""

    to: Int32  # the other member: its place in the set
    verdict: str  # equivalent or not_equivalent
    means: str  # what decided, see logic.decision.verdicts.Verdict
    # A finite structure in which exactly one of the two is true, as JSON (see candidates.sets); null for
    # a proof.
    counter_model: str | None
    # Of regular expressions, the shortest word that exactly one of the two matches; null for a proof.
    word: str | None


class Candidate(TypedDict):
    """A member of a candidate set."""

    formula: str
    english: str
    # gold, perturbation, equivalent, negation, negation_normal_form, negation_equivalent (see candidates.sets.Role)
    role: str
    edits: Int32  # elementary edits that made it: 1 or 2 of a perturbation, 0 of any other
    # The edits or laws that made it, in their order ("connective", "quantifier", "negation", "de_morgan", ...);
    # none for the gold formula and the plain negation.
    change: list[str]
    # The subformula that each was applied to, in the formula as it then was: child indices from the root,
    # "/"-separated, "" at the root.
    path: list[str]
    # One for each relation that the member must have to one before it, and of a perturbation to the negation;
    # null where nothing was certified (protocol paper).
    certificates: list[Certificate] | None


class UsableTriple(TypedDict):
    """Columns of a usable row of TRIPLES that an item is made of, with the ``source`` of the item."""

    item: str
    story: str
    source: str
    language: Language
    text: str
    formula: str
    ontology: OntologyRow
    category: Int32 | None
    depth: Int32 | None
    readings: list[str]


class TakenColumns(TypedDict, total=False):
    """Columns of ITEMS that a model's answers change."""

    text: str
    candidates: list[Candidate]
