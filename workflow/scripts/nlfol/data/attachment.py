"""Joining each usable sentence with the ontology that holds for its story.

An ontology for the dataset as a whole is given to each sentence unabridged; of ontologies for single stories, each
sentence gets its story's. Where there are none, one is derived for each story from the formulas of its usable
sentences, whatever the dataset: a story is what a symbol keeps its meaning within.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from nlfol.data.reason import Reason
from nlfol.logic.errors import SignatureError
from nlfol.logic.measuring import functions, predicates
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.files import Ontologies, Symbols, with_symbols
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.reading.strict import parse
from nlfol.logic.syntax import Formula
from nlfol.logic.trees import Symbol
from nlfol.store.row_parts import OntologyRow
from nlfol.store.schemas import SentenceRow, TripleRow
from nlfol.validation import nearest


def attach(sentences: Iterable[SentenceRow], ontologies: Ontologies | None) -> list[TripleRow]:
    """Return the rows of the triples file: every sentence in order, those refused before with their reason.

    Without ``ontologies`` they are derived. Raises ``LogicError`` for an unreadable formula, which no reader leaves.
    """
    rows = list(sentences)
    formulas = {row["item"]: parse(row["formula"] or "") for row in rows if row["status"] == "usable"}
    derived: dict[str, Ontology | SignatureError] = {} if ontologies is not None else _derived(rows, formulas)
    triples: list[TripleRow] = []
    written: dict[int, tuple[Ontology, OntologyRow]] = {}  # rows of one ontology share it; by identity
    for row in rows:
        triple: TripleRow = {
            "item": row["item"],
            "story": row["story"],
            "index": row["index"],
            "text": row["text"],
            "formula": row["formula"],
            "ontology": None,
            "repairs": row["repairs"],
            "language": row["language"],
            "category": row["category"],
            "depth": row["depth"],
            "tree": row["tree"],
            "batch": row["batch"],
            "correction": row["correction"],
            "readings": row["readings"],
            "regained": row["regained"],
            "status": row["status"],
            "reason": row["reason"],
            "detail": row["detail"],
        }
        ontology: Ontology | SignatureError | None
        if ontologies is None:
            ontology = derived.get(row["story"])
        else:
            ontology = own = ontologies.of(row["story"])
            if row["correction"] is not None and row["correction"]["symbols"] is not None:
                ontology = with_symbols(own, Symbols.model_validate_json(row["correction"]["symbols"]))
        if isinstance(ontology, Ontology):
            if id(ontology) not in written:
                written[id(ontology)] = ontology, cast("OntologyRow", ontology.to_row())
            triple["ontology"] = written[id(ontology)][1]
        if row["status"] == "usable":
            refusal = _refusal(formulas[row["item"]], row["story"], ontology)
            if refusal is not None:
                triple["status"] = "refused"
                triple["reason"], triple["detail"] = refusal[0].value, refusal[1]
                triple["regained"] = None
            elif row["regained"] is None and ontologies is not None and row["correction"] is not None:
                published = _refusal(
                    parse(row["correction"]["published"] or ""), row["story"], ontologies.of(row["story"])
                )
                triple["regained"] = None if published is None else published[0].value
        triples.append(triple)
    return triples


def _derived(rows: list[SentenceRow], formulas: Mapping[str, Formula]) -> dict[str, Ontology | SignatureError]:
    by_story: defaultdict[str, dict[str, Formula]] = defaultdict(dict)
    for row in rows:
        if row["item"] in formulas:
            by_story[row["story"]][row["item"]] = formulas[row["item"]]
    derived: dict[str, Ontology | SignatureError] = {}
    for story, together in by_story.items():
        try:
            derived[story] = derive(together.values())
        except SignatureError as error:
            uses = ", ".join(_conflicting(together, error.symbol))
            derived[story] = SignatureError(f"{error} ({uses})", error.symbol)
    return derived


def _conflicting(formulas: Mapping[str, Formula], symbol: str) -> Sequence[str]:
    """Return the first one or two items whose uses of a symbol no signature allows together."""
    first: dict[frozenset[Symbol], str] = {}
    for item, formula in formulas.items():
        use = frozenset(used for used in formula.profile.symbols if used[1] == symbol)
        for earlier in (use, *first):
            kinds = Counter(kind == "predicate" for kind, _, _ in earlier | use)
            if max(kinds.values(), default=0) > 1:
                return [item] if earlier == use else [first[earlier], item]
        first.setdefault(use, item)
    return []


def _refusal(formula: Formula, story: str, ontology: Ontology | SignatureError | None) -> tuple[Reason, str] | None:
    if ontology is None:
        return Reason.NO_ONTOLOGY, f"the configured ontologies have none for story {story!r}; add it"
    if isinstance(ontology, SignatureError):
        return Reason.ARITY_CONFLICT, f"story {story!r}: {ontology}; give each use a name of its own"
    try:
        ontology.check(formula)
    except SignatureError as error:
        known = (predicates(formula).keys() & ontology.predicate) | (functions(formula).keys() & ontology.function)
        reason = Reason.WRONG_ARITY if error.symbol in known else Reason.UNKNOWN_SYMBOL
        names = {*ontology.predicate, *ontology.function, *(constant.name for constant in ontology.constants)}
        meant = "" if error.symbol in names else nearest(error.symbol, names)
        return reason, f"{error}{meant}; correct the formula, or the ontology of story {story!r}"
    return None
