"""Sets of sentences that are generated from a grammar."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, NonNegativeInt, PositiveInt, model_validator
from typing_extensions import override

from nlfol.data.entries.block import Block, Holding, PathText, shipped
from nlfol.logic.languages.language import LanguageName

GRAMMARS: dict[str, LanguageName] = {
    "k_sat": "propositional",
    "propositional": "propositional",
    "first_order": "first_order",
    "first_order_full": "first_order",
    "regular": "regular",
    "regular_full": "regular",
}
"""The grammars that the project ships, with their languages."""

VOCABULARIES: dict[str, tuple[str, ...]] = {
    "names": (),
    "english": ("verbs", "given_names"),
    "verbnet": ("given_names",),
    "meanings": ("meanings",),
}
"""The vocabularies that need no ontology of the user's, with the shipped files that each is made from."""

PUBLISHED_VALUES: dict[str, tuple[int, ...]] = {
    "k_sat": tuple(range(2, 60, 3)),
    "propositional": tuple(range(40)),
    "first_order": tuple(range(38)),
    "regular": tuple(range(1, 41)),
}
"""Values of the measure that the published sets are stratified by (∀uto∃∨∧L, table 1 and section 4)."""

PUBLISHED_SETS: dict[tuple[str, str], str] = {
    **{(grammar, "names"): grammar for grammar in ("k_sat", "propositional", "regular")},
    **{("first_order", name): f"first_order_{name}" for name in ("names", "english")},
    ("first_order", "verbnet"): "first_order_english",
}
"""Names of the published sets by grammar and vocabulary."""

SIZES = ("predicates", "constants", "arities")
"""Keys on the symbols that a first-order sentence chooses from."""

MOST_BATCHES = 10
"""Batches of a published set."""


class Range(BaseModel):
    """The whole numbers ``from``, ``from + step``, … that are at most ``to``."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    first: NonNegativeInt = Field(alias="from")
    last: NonNegativeInt = Field(alias="to")
    step: PositiveInt = 1

    @model_validator(mode="after")
    def _has_values(self) -> Self:
        if self.last < self.first:
            raise ValueError(f"'to' ({self.last}) is less than 'from' ({self.first}); exchange them")
        return self


_Arity = Annotated[int, Field(ge=1, le=4)]
_Batch = Annotated[int, Field(ge=1, le=MOST_BATCHES)]


def _listed(batch: object) -> object:
    return (batch,) if isinstance(batch, int) else batch


class GrammarEntry(Block):
    """Sentences of a formal language, drawn from a context-free grammar.

    ``letters`` is the size of the alphabet of regular expressions, or the number of propositional letters. ``audited``
    draws uniformly among all sentences of a value of the measure ``by`` and refuses constant ones; ``paper`` expands
    the grammar as ∀uto∃∨∧L does (its algorithm 1). ``quantifiers`` are the least and greatest number, drawn uniformly;
    null is 1 to 3 for the shipped first-order grammars under ``audited``, and else as the grammar has it. ``distinct:
    trees`` refuses a second item of one value with the same tree without the vocabulary. Several batches are one set.
    ``levels`` and ``branching`` are of the expansion, ``variables`` is the share of arguments that are a variable in
    scope; null is as published.
    """

    reader: Literal["grammar"]
    grammar: PathText
    language: LanguageName | None = None
    vocabulary: PathText = "names"
    verbnet: PathText | None = None
    letters: PositiveInt | None = None
    clause: PositiveInt | None = None
    by: str | None = None
    values: Range | Annotated[tuple[NonNegativeInt, ...], Field(min_length=1)] | None = None
    count: PositiveInt = 50
    protocol: Literal["audited", "paper"] = "audited"
    batch: Annotated[
        tuple[_Batch, ...],
        BeforeValidator(_listed, json_schema_input_type=_Batch | tuple[_Batch, ...]),
        Field(min_length=1),
    ] = (1,)
    levels: Annotated[int, Field(ge=1, le=200)] | None = None
    branching: Annotated[int, Field(ge=1, le=10_000)] | None = None
    predicates: Annotated[int, Field(ge=1, le=100)] | None = None
    constants: Annotated[int, Field(ge=1, le=1_000)] | None = None
    arities: tuple[_Arity, _Arity] | None = None
    variables: Annotated[float, Field(ge=0, le=1)] | None = None
    quantifiers: tuple[NonNegativeInt, NonNegativeInt] | None = None
    repetition: Literal["none", "uniform"] | None = None
    distinct: Literal["trees", "formulas"] = "formulas"
    sensitivity: NonNegativeInt = 0

    @property
    def spoken(self) -> LanguageName:
        """The language of the sentences."""
        return GRAMMARS.get(self.grammar, self.language or "first_order")

    @property
    @override
    def edits_tried(self) -> int:
        return self.sensitivity

    @property
    @override
    def holds(self) -> Holding:
        return "expressions" if self.spoken == "regular" else "formulas"

    @property
    @override
    def published_as(self) -> str:
        """The name of the published set; none (empty) of a set that is drawn otherwise, whatever its entry's name."""
        own = ("by", "values", "letters", "clause", "levels", "branching", *SIZES, "variables", "quantifiers")
        if self.protocol != "paper" or any(getattr(self, key) is not None for key in own):
            return ""
        return PUBLISHED_SETS.get((self.grammar, self.vocabulary), "")

    @property
    @override
    def is_drawn(self) -> bool:
        return True

    @property
    def grammar_file(self) -> str:
        """The path of the grammar."""
        return shipped(f"resources/grammars/{self.grammar}.yaml") if self.grammar in GRAMMARS else self.grammar

    @property
    @override
    def source_files(self) -> list[str]:
        return [self.grammar_file, *self.ontology_files]

    @property
    @override
    def ontology_files(self) -> list[str]:
        if self.spoken == "regular":
            return []
        if self.vocabulary not in VOCABULARIES:
            return [self.vocabulary]
        paths = [shipped(f"resources/lexicon/{name}.csv") for name in VOCABULARIES[self.vocabulary]]
        return paths if self.verbnet is None else [self.verbnet, *paths]

    @property
    def quantified(self) -> tuple[int, int] | None:
        """The least and greatest number of quantifiers; None leaves it to the grammar."""
        has_default = self.grammar in GRAMMARS and self.spoken == "first_order" and self.protocol == "audited"
        if self.quantifiers is None and has_default and self.measure != "quantifiers":
            return (1, 3)
        return self.quantifiers

    @property
    def measure(self) -> str:
        """The measure that the set is stratified by; by default as published."""
        if self.by is not None:
            return self.by
        if self.spoken == "regular":
            return "depth"
        # Operators of clauses are counted as published: without the ¬ of literals.
        return "operators_published" if self.protocol == "paper" or self.grammar == "k_sat" else "operators"

    @property
    def drawn(self) -> tuple[int, ...]:
        """The values of the measure; by default as published."""
        if isinstance(self.values, Range):
            return tuple(range(self.values.first, self.values.last + 1, self.values.step))
        return PUBLISHED_VALUES[self.grammar] if self.values is None else self.values

    @model_validator(mode="after")
    def _has_use_for_its_sizes(self) -> Self:
        given = {name for name in (*SIZES, "variables", "levels", "branching") if getattr(self, name) is not None}
        if self.protocol == "audited" and (of_paper := sorted(given & {"levels", "branching"})):
            raise ValueError(f"{of_paper[0]} is of the expansion; remove it, or set protocol: paper")
        if self.spoken != "first_order" and (of_terms := sorted(given - {"levels", "branching"})):
            raise ValueError(f"{of_terms[0]} is of first-order sentences, and these are {self.spoken}; remove it")
        if self.arities is not None and self.arities[0] > self.arities[1]:
            raise ValueError("'arities' is the least arity and the greatest; exchange them")
        return self

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.grammar in GRAMMARS and self.language is not None:
            raise ValueError(f"grammar {self.grammar} has its language; remove the key 'language'")
        if self.grammar not in GRAMMARS and self.language is None:
            shown = ", ".join(GRAMMARS)
            missing = "a file of your own needs the key 'language' (of nlfol generate the option --language)"
            raise ValueError(f"{self.grammar!r} is not one of {shown}; {missing}")
        if self.protocol == "audited" and self.values is None:
            raise ValueError("which values of the measure? Set 'values', such as {from: 1, to: 20}")
        if self.values is None and self.grammar not in PUBLISHED_VALUES:
            raise ValueError(f"no values of {self.grammar} are published; set 'values', such as {{from: 1, to: 20}}")
        if self.quantifiers is not None and self.quantifiers[0] > self.quantifiers[1]:
            raise ValueError("'quantifiers' is the least number and the greatest; exchange them")
        if twice := [batch for batch in self.batch if self.batch.count(batch) > 1]:
            raise ValueError(f"batch: {twice[0]} occurs twice; keep one of them")
        if (self.vocabulary == "verbnet") != (self.verbnet is not None):
            raise ValueError("the vocabulary 'verbnet' and the key 'verbnet' (VerbNet's folder) go together; set both")
        return self
