"""The rows of every stage's file, each declared once: a type, from which its Arrow schema is made.

Each schema's metadata carries ``nlfol.schema`` (name) and ``nlfol.version``; a version grows whenever a column changes
name, type or meaning, and ``files.read`` refuses any other.
"""

from typing import TypedDict

from nlfol.store.columns import Float32, Int32, TaskColumns, row_schema
from nlfol.store.row_parts import Candidate, Exemplar, Generated, Gold, Language, OntologyRow, Repair, Status


class Shown(TypedDict):
    """Digests of the components of what a model is asked, see ``asking.components``."""

    model: str | None
    served: str | None
    thinking: str | None
    reasoning: str | None
    sampling: str | None
    seed: str | None
    limits: str | None
    schema: str | None
    prompt: str | None
    examples: str | None
    shots: str | None
    glossary: str | None
    text: str | None
    candidates: str | None
    order: str | None
    replies: str | None


COMPONENTS = tuple(Shown.__annotations__)


class _Sentence(TypedDict):
    item: str  # unique in the dataset: "{story}:{index}"
    story: str
    index: Int32  # place in the story, from 0, as in the source
    text: str
    source_formula: str  # as in the source
    formula: str | None  # canonical notation; null where unread
    repairs: list[Repair]


class SentenceRow(_Sentence, Generated, Gold, Status):
    """One row a sentence of the source, in the source's order."""


SENTENCES = row_schema("sentences", 6, SentenceRow)


class _Triple(TypedDict):
    item: str
    story: str
    index: Int32
    text: str
    formula: str | None
    ontology: OntologyRow | None  # only what holds for the story; null where the story has none
    repairs: list[Repair]


class TripleRow(_Triple, Generated, Gold, Status):
    """One row a sentence: those refused at ingestion, with their reason, and the others with their ontology."""


TRIPLES = row_schema("triples", 7, TripleRow)


class _Item(TypedDict):
    item: str
    story: str
    # What it is of (``randomness.source_label``): equal for published and corrected gold, and for all wordings.
    source: str
    language: Language | None  # of the formula; null of problems
    text: str  # of a problem: its statements, question and options
    formula: str  # of a problem: its answer
    ontology: OntologyRow  # empty of problems
    category: Int32 | None  # as of the triple, null where it was not generated; of a problem its depth, if known
    depth: Int32 | None  # as of the triple; null of problems
    problem: str | None  # its row of PROBLEMS as JSON; null of other items
    readings: list[str]  # as of the triple
    context: list[str]  # gold formulas of the other usable sentences of its story, where translations are explained
    # The gold first; empty for tasks without candidates. Of verification, with its two partners; of a story that is
    # asked about as a whole, its sentences, role "sentence".
    candidates: list[Candidate]
    # Solved examples to be shown before the item; empty where none are.
    exemplars: list[Exemplar]
    unasked: list[str]  # presentations under which it is not asked about, as there is no example to be shown


class ItemRow(_Item, Status):
    """One row a usable triple or problem: its candidate set in canonical order; each model seed draws the order shown.

    The metadata name the dataset, the ``task`` (the entry's name), its ``task_kind``, ``protocol`` ("" where there are
    no candidates) and ``style`` of English; ``items``, "stories", where an item is a story; and ``refused``, the rows
    that the dataset refuses (``nlfol.data.gold``).
    """


ITEMS = row_schema("items", 13, ItemRow)


class ResponseRow(TypedDict):
    """One row a request (dialogue models), a step (references, files), or an item (embedding models, guessers).

    Where an entry says whether its dialogue model thinks, the metadata do, too: ``thinking`` ("yes", "no"), and
    ``apart_from_thinking``, the identity that it has when it does not think. A dialogue model's have its ``price`` as
    JSON ("null" where nobody says it), with its date and source, and what attempts without a reply may have cost
    (``perhaps``), if there were any. Of answers from a file they list rows used nowhere (``unused``), as ``REFUSALS``.
    """

    item: str
    story: str
    # What candidates are shown as ("formula", "english"), whether examples are shown ("zero_shot", "few_shot"), or
    # beside which partner ("equivalent", "perturbation"); "" where a task has one form only.
    presentation: str
    seed: int | None  # null for models without randomness
    step: Int32  # of the dialogue, from 1
    part: str  # of the task's plan, "" in plans of one step
    # order[j] is the candidate (place in the candidate set) shown at place j; empty where none are, and where an
    # answer from a file names candidates by their places in the set.
    order: list[Int32]
    request: str | None  # SHA-256 of the request's canonical JSON
    # Digest of each component of the request; null where it has none, or nobody knows what was asked.
    shown: Shown | None
    # answered, truncated, empty, blank, refused, failed; internal_error where the task's plan failed on this reply;
    # "unparsable" is decided when judging.
    outcome: str
    answer: str | None  # what a dialogue model or the reader wrote, verbatim
    thinking: str | None  # what it wrote beside the answer; never graded
    finish_reason: str | None  # the back end's own word
    similarities: list[float]  # to each candidate, in its order; embeddings only
    prompt_tokens: Int32 | None
    cached_tokens: Int32 | None  # part of the prompt that the provider had in its cache
    completion_tokens: Int32 | None
    reasoning_tokens: Int32 | None  # part of the completion that was reasoning
    logprob: float | None  # of the answer's tokens, in nats; null where not asked for or not told
    logprob_tokens: Int32 | None  # how many these are
    seconds: float | None
    attempts: Int32 | None  # how often the request was sent
    # By the provider's word: the model that answered, its system_fingerprint, its name of the response.
    served_model: str | None
    fingerprint: str | None
    response_id: str | None
    batch: str | None  # the provider's name of the batch that it came in
    # In the price's currency, by the price in the metadata; 0 where the model runs here, null where unknown.
    cost: float | None
    error: str | None


RESPONSES = row_schema("responses", 9, ResponseRow)


class VectorRow(TypedDict):
    """One row a text in one role (metadata) of one embedding model (metadata: identity, prompts included)."""

    text: str  # without the prompt of its role
    tokens: Int32 | None  # of prompt and text
    truncated: bool  # whether the model saw only the beginning
    vector: list[Float32]  # whole, as the model gave it; metadata: dimensions


VECTORS = row_schema("vectors", 1, VectorRow)


class GlossRow(TypedDict):
    """One row a pair of texts that judging compares."""

    gloss: str  # of an answer's symbol, and of a concept; without arguments
    gold: str
    similarity: float  # cosine, or BERTScore, by the metadata's compared_by


GLOSSES = row_schema("glosses", 1, GlossRow)


class ScoreRow(TypedDict):
    """One row a dialogue and metric; of the responses' metadata, what says who was asked what."""

    item: str
    story: str
    presentation: str
    seed: int | None
    metric: str
    round: Int32  # of a round trip, from 1: which one the metric is of; 1 in all other tasks
    # In [0, 1]: 0 or 1 for a dialogue model; an expectation where ties are broken, or all answers are, by chance. Null
    # for a side metric that could not be computed, or is evidence.
    score: float | None
    # answered, unparsable, truncated, empty, blank, refused, failed, internal_error; of a round trip's English, and
    # of its formula, each in the rows of the metrics that are about it.
    outcome: str
    # equivalent, not_equivalent, unknown, invalid for an answered translation; of verification, how the pair
    # stands in truth; null otherwise.
    verdict: str | None
    # Why a round trip ended: completed, not_equivalent, unknown, invalid, unparsable, copied, or the outcome of a
    # request that gave no answer; null in other tasks.
    stop: str | None
    means: str | None
    # Of a wrong choice, the kinds of edit that made the candidate; of a ranking, the roles of members that are not at
    # their end; of an unparsable formula, "ambiguous" if its readings differ in meaning. Else see ``EvidenceRow``.
    fault: str | None
    detail: str | None  # what is wrong with the answer, or which reading it meets
    # Of a formula that could be read: its row of EVIDENCE, which has its scores that are null here.
    pair: str | None
    # Of regular expressions, the shortest word that exactly one of the two matches.
    word: str | None
    answer: str | None  # the extracted answer
    # Of a translation that could be read: what as, in which dialect, and under which liberties and policies.
    # ``ambiguities`` are places that a convention decides, and those that make an answer ambiguous.
    formula: str | None
    dialect: str | None
    repairs: list[str]
    ambiguities: list[str]
    policy: str | None
    liberties: list[str]  # those taken with the envelopes of the dialogue's answers
    # Of a translation or program: the kinds of liberties taken with it, and what it is without any: right, wrong or
    # unread; null in other tasks.
    forgiven: list[str]
    strictly: str | None
    tied: bool  # whether a candidate of the metric is as similar as one that is not
    # Where a dialogue model was shown the gold formula, from 1; null where no candidates were shown in an order.
    position: Int32 | None
    # Of the dialogue's first request: later ones follow from it, from the task and from the replies.
    shown: Shown | None


SCORES = row_schema("scores", 13, ScoreRow)


class EvidenceRow(TypedDict):
    """One row a distinct pair of a gold formula and an answer of a dataset and task, over all models and seeds."""

    pair: str  # digest of all that the row depends on: formulas, ontology, sentence and story, and the kind of round
    gold: str
    formula: str
    relation: str | None  # of one not equivalent: stronger, weaker, contradictory, independent or unknown
    fault: str | None  # what the one change that would put it right says is wrong with it, see logic.diagnosis.Fault
    distance: str | None  # off_by_one, off_by_two, or why there is none, see logic.distance.Reason
    edits: str | None  # from the gold formula on
    rule: str | None  # by which a translation may still say the sentence, see logic.readings.Rule
    witness: str | None  # what licenses it
    detail: str | None  # the counter-model in words
    counter_model: str | None  # the same as JSON, see ``logic.structures.Structure.to_json``
    # Of formulas of a blocks world: equivalent where they are proven to agree on every board; not_equivalent, with the
    # blocks on a board that tells them apart, the smallest up to four; equivalent_up_to_4 where they agree on all that
    # are listed, and no proof is found for larger ones; or unknown, with so many blocks listed.
    on_boards: str | None
    blocks: Int32 | None
    # Scores of translations in [0, 1]; null if computing them raised an error, or only wrong answers are explained.
    bleu: float | None
    le: float | None


EVIDENCE = row_schema("evidence", 3, EvidenceRow)


class Measures(TypedDict):
    """Measures of a sentence in any language, see ``Language.measures``; null where undefined.

    ``depth`` is that of a generated one.
    """

    operators: float | None
    operators_published: float | None
    depth: float | None
    syntax_depth: float | None
    quantifiers: float | None
    conjunctions: float | None
    disjunctions: float | None
    negations: float | None
    implications: float | None
    equivalences: float | None
    exclusive_disjunctions: float | None
    universal: float | None
    existential: float | None
    atoms: float | None
    letters: float | None
    predicates: float | None
    constants: float | None
    concatenation: float | None
    union: float | None
    star: float | None
    plus: float | None
    option: float | None
    states: float | None
    edges: float | None
    density: float | None


MEASURE_NAMES = tuple(Measures.__annotations__)

CATEGORY = "category"
"""The measure that generation was stratified by: each of its values has a bin."""


class _Measure(TypedDict):
    item: str
    story: str
    language: str
    # Of the measure that generation was stratified by; null where nothing was generated.
    category: float | None


class MeasureRow(_Measure, Measures):
    """One row a usable triple: its size, and how much of its meaning an equivalence check sees."""

    edits: Int32  # single edits tried
    detected: Int32  # of them, those proven to change the meaning
    undecided: Int32  # of them, those of which neither is proven
    # Whether it is true everywhere or nowhere, or matches all words or none; null where undecided.
    constant: bool | None


MEASURES = row_schema("measures", 2, MeasureRow)


class _Cell(TaskColumns):
    metric: str
    presentation: str
    model: str
    kind: str  # chat, embedding, written, a reference's, chance, reasoner
    items: int  # asked: the denominator of every mean; of guessers, those that models were asked
    available: int  # items that the dataset's source has, refused ones included
    stories: int
    seeds: int  # 1 where the model has no randomness
    mean: float | None  # over seeds, of the mean over items; null where no item was asked
    deviation: float | None  # sample standard deviation over seeds; null for one seed
    error: float | None  # cluster-robust standard error of the mean; null for one story
    low: float | None  # interval of the mean at 95 %; null for one story
    high: float | None
    effective: float | None  # independent items that tell as much; null for few stories
    # Mean of the guesser over the same items (``reasoner``; ``chance`` of embedding models, of who goes by looks, and
    # where there is no other); null where it is 0 or 1, or not known of each, as all below.
    chance: float | None
    above: float | None  # (mean - chance) / (1 - chance), see statistics.above_chance
    above_low: float | None  # interval at 95 %; null also for one story
    above_high: float | None


class Outcomes(TypedDict):
    """Columns of how many answers ended how."""

    answered: int
    unparsable: int
    truncated: int
    empty: int
    blank: int
    refused: int
    failed: int
    internal_error: int  # answers that could not be judged, by a fault of this program


class Verdicts(TypedDict):
    """Columns of how many translations have which verdict; null of other tasks."""

    equivalent: int | None
    not_equivalent: int | None
    unknown: int | None
    invalid: int | None


class CellRow(_Cell, Outcomes, Verdicts):
    """One row a dataset, task, metric, presentation and model: what every table is drawn from.

    Where a model was asked no item of a task, one row says so: no items, no mean, metric and presentation "".
    """

    repaired: int | None  # answers read with a repair
    ambiguous: int | None  # unparsable answers whose readings differ in meaning
    opened: int  # answers read out of another envelope than the agreed one
    tied: int


CELLS = row_schema("cells", 8, CellRow)


class Fault(TypedDict):
    """A fault that an audit finds."""

    item: str
    members: list[Int32]  # places in the candidate set
    formulas: list[str]  # of these members
    detail: str  # a finite structure as JSON, or words


class AuditRow(TypedDict):
    """One row a check, those that found nothing included."""

    dataset: str
    task: str
    sets: int  # candidate sets audited
    check: str  # see candidates.audit_checks.Check; last "unknown": what was not decided
    items: int  # sets with such a fault
    pairs: int  # such faults: of pairs of members, of members or of sets, as the check has it
    faults: list[Fault]  # all of them


AUDITS = row_schema("audits", 1, AuditRow)
