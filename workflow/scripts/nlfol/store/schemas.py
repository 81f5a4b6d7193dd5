"""The Arrow schema of every stage's file, declared once.

Each schema's metadata carries ``nlfol.schema`` (name) and ``nlfol.version``; a version grows whenever a column changes
name, type or meaning, and ``files.read`` refuses any other.
"""

import pyarrow as pa

from nlfol.store.columns import TASK, counts, field, schema, struct, structs, texts

STATUS = [
    # "usable" or "refused"; a refused row stays in the file with the reason and goes no further.
    field("status", pa.string()),
    # A snake_case word to count by, and a sentence naming the thing at fault and the remedy; null where usable.
    *texts("reason", "detail", null=True),
]

_REPAIR = struct(*texts("kind", "before", "after"))

_GENERATED = [
    field("language", pa.string()),  # first_order, propositional or regular (see languages.registry)
    # Of a generated sentence the value of the measure that its set is stratified by, the depth of its derivation
    # (``grammars.grammar.DEPTH``), and the digest of its derivation tree without the vocabulary; null of others.
    field("category", pa.int32(), null=True),
    field("depth", pa.int32(), null=True),
    field("tree", pa.string(), null=True),
    field("batch", pa.int32(), null=True),  # of a generated sentence; null of others
]

_GOLD = [
    # What a reviewed patch has changed of the gold formula; null where it is as published. ``published`` is the
    # published formula in canonical notation, null where it could not be read.
    field(
        "correction",
        struct(
            field("kinds", pa.list_(pa.string())),  # see datasets.patches.PatchKind
            *texts("reason", "evidence"),
            field("published", pa.string(), null=True),
            field("symbols", pa.string(), null=True),  # new ones, as JSON
        ),
        null=True,
    ),
    # Further formulas that are accepted of the sentence, corrected gold first; empty unless readings are known.
    field("readings", pa.list_(pa.string())),
    # Why it would be refused with the formulas as published; null unless corrections make it usable up to here.
    field("regained", pa.string(), null=True),
]

_ONTOLOGY = struct(
    structs("predicates", field("name", pa.string()), field("arity", pa.int32()), *texts("positive", "negative")),
    structs("functions", field("name", pa.string()), field("arity", pa.int32()), field("meaning", pa.string())),
    structs("constants", *texts("name", "meaning")),
    # Whether it was made from the symbols of the formulas because the dataset has none.
    field("derived", pa.bool_()),
    # The letters of regular expressions, and which of "|", "+" and "?" may be used; "" of formulas.
    field("alphabet", pa.string()),
    field("noun", pa.string()),  # what things are called
)

COMPONENTS = (
    *("model", "thinking", "reasoning", "sampling", "seed", "limits", "schema", "prompt"),
    *("examples", "shots", "glossary", "text", "candidates", "order", "replies"),
)
"""Components of what a model is asked, see ``asking.components``."""

_SHOWN = field("shown", struct(*texts(*COMPONENTS, null=True)), null=True)

SENTENCES = schema(
    "sentences",
    6,
    field("item", pa.string()),  # unique in the dataset: "{story}:{index}"
    field("story", pa.string()),
    field("index", pa.int32()),  # place in the story, from 0, as in the source
    field("text", pa.string()),
    field("source_formula", pa.string()),  # as in the source
    field("formula", pa.string(), null=True),  # canonical notation; null where unread
    field("repairs", pa.list_(_REPAIR)),
    *_GENERATED,
    *_GOLD,
    *STATUS,
)
"""One row a sentence of the source, in the source's order."""

TRIPLES = schema(
    "triples",
    7,
    *texts("item", "story"),
    field("index", pa.int32()),
    field("text", pa.string()),
    field("formula", pa.string(), null=True),
    field("ontology", _ONTOLOGY, null=True),  # only what holds for the story; null where the story has none
    field("repairs", pa.list_(_REPAIR)),
    *_GENERATED,
    *_GOLD,
    *STATUS,
)
"""One row a sentence: those refused at ingestion, with their reason, and the others with their ontology."""

CERTIFICATE = struct(
    field("to", pa.int32()),  # the other member: its place in the set
    field("verdict", pa.string()),  # equivalent or not_equivalent
    field("means", pa.string()),  # what decided, see logic.decision.verdicts.Verdict
    # A finite structure in which exactly one of the two is true, as JSON (see candidates.sets); null for
    # a proof.
    field("counter_model", pa.string(), null=True),
    # Of regular expressions, the shortest word that exactly one of the two matches; null for a proof.
    field("word", pa.string(), null=True),
)
"""How two members of a candidate set stand to each other, with what proves it."""

CANDIDATE = struct(
    field("formula", pa.string()),
    field("english", pa.string()),
    # gold, perturbation, equivalent, negation, negation_normal_form, negation_equivalent (see candidates.sets.Role)
    field("role", pa.string()),
    field("edits", pa.int32()),  # elementary edits that made it: 1 or 2 of a perturbation, 0 of any other
    # The edits or laws that made it, in their order ("connective", "quantifier", "negation", "de_morgan", ...);
    # none for the gold formula and the plain negation.
    field("change", pa.list_(pa.string())),
    # The subformula that each was applied to, in the formula as it then was: child indices from the root,
    # "/"-separated, "" at the root.
    field("path", pa.list_(pa.string())),
    # One for each relation that the member must have to one before it, and of a perturbation to the negation;
    # null where nothing was certified (protocol paper).
    field("certificates", pa.list_(CERTIFICATE), null=True),
)

ITEMS = schema(
    "items",
    12,
    *texts("item", "story"),
    # What it is of (``randomness.source_label``): equal for published and corrected gold, and for all wordings.
    field("source", pa.string()),
    field("language", pa.string(), null=True),  # of the formula; null of problems
    field("text", pa.string()),  # of a problem: its statements, question and options
    field("formula", pa.string()),  # of a problem: its answer
    field("ontology", _ONTOLOGY),  # empty of problems
    # As of the triple, null where it was not generated; of a problem its depth, null where that is not known.
    field("category", pa.int32(), null=True),
    field("depth", pa.int32(), null=True),  # as of the triple; null of problems
    field("problem", pa.string(), null=True),  # its row of PROBLEMS as JSON; null of other items
    field("readings", pa.list_(pa.string())),  # as of the triple
    # The gold first; empty for tasks without candidates. Of verification, with its two partners; of a story that is
    # asked about as a whole, its sentences, role "sentence".
    field("candidates", pa.list_(CANDIDATE)),
    # Solved examples to be shown before the item; empty where none are.
    structs("exemplars", *texts("text", "formula")),
    # Presentations under which it is not asked about, as there is no example to be shown.
    field("unasked", pa.list_(pa.string())),
    *STATUS,
)
"""One row a usable triple or problem: its candidate set in canonical order; each model seed draws the order shown.

The metadata name the dataset, the ``task`` (the entry's name), its ``task_kind``, ``protocol`` ("" where there are no
candidates) and ``style`` of English; ``items``, "stories", where an item is a story; and ``refused``, the rows that
the dataset refuses (``nlfol.datasets.gold``).
"""

RESPONSES = schema(
    "responses",
    7,
    *texts("item", "story"),
    # What candidates are shown as ("formula", "english"), whether examples are shown ("zero_shot", "few_shot"), or
    # beside which partner ("equivalent", "perturbation"); "" where a task has one form only.
    field("presentation", pa.string()),
    field("seed", pa.int64(), null=True),  # null for models without randomness
    field("step", pa.int32()),  # of the dialogue, from 1
    field("part", pa.string()),  # of the task's plan, "" in plans of one step
    # order[j] is the candidate (place in the candidate set) shown at place j; empty where none are, and where an
    # answer from a file names candidates by their places in the set.
    field("order", pa.list_(pa.int32())),
    field("request", pa.string(), null=True),  # SHA-256 of the request's canonical JSON
    # Digest of each component of the request; null where a model has no such component, and of references, chance
    # and answers from files, of which nobody knows what was asked.
    _SHOWN,
    # answered, truncated, empty, blank, refused, failed; internal_error where the task's plan failed on this reply;
    # "unparsable" is decided when judging.
    field("outcome", pa.string()),
    field("answer", pa.string(), null=True),  # what a dialogue model or the reader wrote, verbatim
    field("thinking", pa.string(), null=True),  # what it wrote beside the answer; never graded
    field("finish_reason", pa.string(), null=True),  # the back end's own word
    field("similarities", pa.list_(pa.float64())),  # to each candidate, in its order; embeddings only
    field("prompt_tokens", pa.int32(), null=True),
    field("cached_tokens", pa.int32(), null=True),  # part of the prompt that the provider had in its cache
    field("completion_tokens", pa.int32(), null=True),
    field("reasoning_tokens", pa.int32(), null=True),  # part of the completion that was reasoning
    field("seconds", pa.float64(), null=True),
    field("attempts", pa.int32(), null=True),  # how often the request was sent
    # By the provider's word: the model that answered, its system_fingerprint, its name of the response.
    *texts("served_model", "fingerprint", "response_id", null=True),
    field("batch", pa.string(), null=True),  # the provider's name of the batch that it came in
    # In the price's currency, by the price in the metadata; 0 where the model runs here, null where unknown.
    field("cost", pa.float64(), null=True),
    field("error", pa.string(), null=True),
)
"""One row a request (dialogue models), a step (references, files), or an item (embedding models, guessers).

Where an entry says whether its dialogue model thinks, the metadata do, too: ``thinking`` ("yes", "no"), and
``apart_from_thinking``, the identity that it has when it does not think. A dialogue model's have its ``price`` as JSON
("null" where nobody says it), with its date and source, and what attempts without a reply may have cost (``perhaps``),
if there were any. Of answers from a file they list the rows that are used
nowhere (``unused``), as ``REFUSALS`` has them.
"""

VECTORS = schema(
    "vectors",
    1,
    field("text", pa.string()),  # without the prompt of its role
    field("tokens", pa.int32(), null=True),  # of prompt and text
    field("truncated", pa.bool_()),  # whether the model saw only the beginning
    field("vector", pa.list_(pa.float32())),  # whole, as the model gave it; metadata: dimensions
)
"""One row a text in one role (metadata) of one embedding model (metadata: identity, prompts included)."""

GLOSSES = schema(
    "glosses",
    1,
    *texts("gloss", "gold"),  # of an answer's symbol, and of a concept; without arguments
    field("similarity", pa.float64()),  # cosine, or BERTScore, by the metadata's compared_by
)
"""One row a pair of texts that judging compares."""

SCORES = schema(
    "scores",
    11,
    *texts("item", "story", "presentation"),
    field("seed", pa.int64(), null=True),
    field("metric", pa.string()),
    field("round", pa.int32()),  # of a round trip, from 1: which one the metric is of; 1 in all other tasks
    # In [0, 1]: 0 or 1 for a dialogue model; an expectation where ties are broken, or all answers are, by chance. Null
    # for a side metric that could not be computed, or is evidence.
    field("score", pa.float64(), null=True),
    # answered, unparsable, truncated, empty, blank, refused, failed, internal_error; of a round trip's English, and
    # of its formula, each in the rows of the metrics that are about it.
    field("outcome", pa.string()),
    # equivalent, not_equivalent, unknown, invalid for an answered translation; of verification, how the pair
    # stands in truth; null otherwise.
    field("verdict", pa.string(), null=True),
    # Why a round trip ended: completed, not_equivalent, unknown, invalid, unparsable, copied, or the outcome of a
    # request that gave no answer; null in other tasks.
    field("stop", pa.string(), null=True),
    field("means", pa.string(), null=True),
    # Of a wrong choice, the kinds of edit that made the candidate; of a ranking, the roles of members that are not at
    # their end; of an unparsable formula, "ambiguous" if its readings differ in meaning. Else see ``EVIDENCE``.
    field("fault", pa.string(), null=True),
    field("detail", pa.string(), null=True),  # what is wrong with the answer, or which reading it meets
    # Of a formula that could be read: its row of EVIDENCE, which has its scores that are null here.
    field("pair", pa.string(), null=True),
    # Of regular expressions, the shortest word that exactly one of the two matches.
    field("word", pa.string(), null=True),
    field("answer", pa.string(), null=True),  # the extracted answer
    # Of a translation that could be read: what as, in which dialect, and under which liberties and policies.
    # ``ambiguities`` are places that a convention decides, and those that make an answer ambiguous.
    *texts("formula", "dialect", null=True),
    field("repairs", pa.list_(pa.string())),
    field("ambiguities", pa.list_(pa.string())),
    field("policy", pa.string(), null=True),
    field("liberties", pa.list_(pa.string())),  # those taken with the envelopes of the dialogue's answers
    field("tied", pa.bool_()),  # whether a candidate of the metric is as similar as one that is not
    # Where a dialogue model was shown the gold formula, from 1; null where no candidates were shown in an order.
    field("position", pa.int32(), null=True),
    _SHOWN,  # of the dialogue's first request: later ones follow from it, from the task and from the replies
)
"""One row a dialogue and metric; of the responses' metadata, what says who was asked what."""

EVIDENCE = schema(
    "evidence",
    1,
    # A digest of all that the row depends on: both formulas, the ontology, and the kind of task and round.
    *texts("pair", "gold", "formula"),
    # Of a formula that is not equivalent: stronger, weaker, contradictory, independent or unknown.
    field("relation", pa.string(), null=True),
    # What the one change that would put it right says is wrong with it, see logic.diagnosis.Fault.
    field("fault", pa.string(), null=True),
    field("detail", pa.string(), null=True),  # the counter-model in words
    # The same counter-model as JSON, see ``logic.structures.Structure.to_json``.
    field("counter_model", pa.string(), null=True),
    # Of formulas of a blocks world: equivalent where they are proven to agree on every board; not_equivalent, with the
    # blocks on a board that tells them apart, the smallest up to four; equivalent_up_to_4 where they agree on all that
    # are listed, and no proof is found for larger ones; or unknown, with so many blocks listed.
    field("on_boards", pa.string(), null=True),
    field("blocks", pa.int32(), null=True),
    # Scores of translations in [0, 1]; null if computing them raised an error, or only wrong answers are explained.
    *(field(name, pa.float64(), null=True) for name in ("bleu", "le")),
)
"""One row a distinct pair of a gold formula and an answer of a dataset and task, over all models and seeds."""

MEASURE_NAMES = (
    *("operators", "operators_published", "depth", "syntax_depth", "quantifiers", "conjunctions", "disjunctions"),
    "negations",
    *("implications", "equivalences", "exclusive_disjunctions", "universal", "existential", "atoms"),
    *("letters", "predicates", "constants", "concatenation", "union", "star", "plus", "option", "states", "edges"),
    "density",
)
"""Measures of a sentence in any language, see ``Language.measures``; ``depth`` is that of a generated one."""

CATEGORY = "category"
"""The measure that generation was stratified by: each of its values has a bin."""

MEASURES = schema(
    "measures",
    2,
    *texts("item", "story", "language"),
    # Of the measure that generation was stratified by; null where nothing was generated.
    field("category", pa.float64(), null=True),
    # Null where the language has no such measure, or it is undefined.
    *(field(name, pa.float64(), null=True) for name in MEASURE_NAMES),
    field("edits", pa.int32()),  # single edits tried
    field("detected", pa.int32()),  # of them, those proven to change the meaning
    field("undecided", pa.int32()),  # of them, those of which neither is proven
    # Whether it is true everywhere or nowhere, or matches all words or none; null where undecided.
    field("constant", pa.bool_(), null=True),
)
"""One row a usable triple: its size, and how much of its meaning an equivalence check sees."""

CELLS = schema(
    "cells",
    7,
    *TASK,
    *texts("metric", "presentation", "model"),
    field("kind", pa.string()),  # chat, embedding, written, a reference's, chance, reasoner
    field("items", pa.int64()),  # asked: the denominator of every mean; of guessers, those that models were asked
    field("available", pa.int64()),  # items that the dataset's source has, refused ones included
    field("stories", pa.int64()),
    field("seeds", pa.int64()),  # 1 where the model has no randomness
    field("mean", pa.float64(), null=True),  # over seeds, of the mean over items; null where no item was asked
    field("deviation", pa.float64(), null=True),  # sample standard deviation over seeds; null for one seed
    field("error", pa.float64(), null=True),  # cluster-robust standard error of the mean; null for one story
    field("low", pa.float64(), null=True),  # interval of the mean at 95 %; null for one story
    field("high", pa.float64(), null=True),
    # Mean of the guesser over the same items (``reasoner``; ``chance`` of embedding models, of who goes by looks, and
    # where there is no other); null where it is 0 or 1, or not known of each, as all below.
    field("chance", pa.float64(), null=True),
    field("above", pa.float64(), null=True),  # (mean - chance) / (1 - chance), see statistics.above_chance
    field("above_low", pa.float64(), null=True),  # interval at 95 %; null also for one story
    field("above_high", pa.float64(), null=True),
    *counts("answered", "unparsable", "truncated", "empty", "blank", "refused", "failed"),
    field("internal_error", pa.int64()),  # answers that could not be judged, by a fault of this program
    *counts("equivalent", "not_equivalent", "unknown", "invalid", null=True),
    field("repaired", pa.int64(), null=True),  # answers read with a repair
    field("ambiguous", pa.int64(), null=True),  # unparsable answers whose readings differ in meaning
    field("opened", pa.int64()),  # answers read out of another envelope than the agreed one
    field("tied", pa.int64()),
)
"""One row a dataset, task, metric, presentation and model: what every table is drawn from.

Where a model was asked no item of a task, one row says so: no items, no mean, metric and presentation "".
"""

FAULT = struct(
    field("item", pa.string()),
    field("members", pa.list_(pa.int32())),  # places in the candidate set
    field("formulas", pa.list_(pa.string())),  # of these members
    field("detail", pa.string()),  # a finite structure as JSON, or words
)

AUDITS = schema(
    "audits",
    1,
    *texts("dataset", "task"),
    field("sets", pa.int64()),  # candidate sets audited
    field("check", pa.string()),  # see candidates.audit_checks.Check; last "unknown": what was not decided
    field("items", pa.int64()),  # sets with such a fault
    field("pairs", pa.int64()),  # such faults: of pairs of members, of members or of sets, as the check has it
    field("faults", pa.list_(FAULT)),  # all of them
)
"""One row a check, those that found nothing included."""
