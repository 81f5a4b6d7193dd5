"""The settings of a generation in one value."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from nlfol.grammars.counting import DEPTH
from nlfol.grammars.errors import GrammarError
from nlfol.grammars.files import read_grammar
from nlfol.grammars.grammar import Grammar
from nlfol.grammars.vocabularies import Vocabulary, read_vocabulary

QUANTIFIERS = "quantifiers"
"""The cost that the key of this name limits."""

MAX_VALUE = 500


@dataclass(frozen=True, slots=True)
class Recipe:
    """Settings of a generation: the keys of a dataset's entry with ``reader: grammar``.

    Attributes:
        grammar: a shipped name, or the path of a file.
        vocabulary: ``names``, ``english``, ``meanings``, ``verbnet``, or the path of an ontology.
        by: the measure: ``depth``, or a cost of the grammar.
        values: of the measure.
        count: items for each value.
        protocol: ``audited`` draws uniformly and refuses; ``paper`` expands as published.
        batch: under ``paper``, which of many sets it is.
        quantifiers: under ``audited``, least and largest number; uniformly drawn.
        repetition: ``none`` repeats no atom while there are others; null is ``none``, under ``paper`` ``uniform``.
        distinct: whether two items of a value may share the tree without vocabulary (``formulas``) or not (``trees``).
        letters: number of propositional letters, or of digits.
        clause: of ``k_sat``, literals in a clause.
        verbnet: the folder of VerbNet's files.
    """

    grammar: str
    vocabulary: str
    by: str
    values: tuple[int, ...]
    count: int = 50
    protocol: Literal["audited", "paper"] = "audited"
    batch: int = 1
    quantifiers: tuple[int, int] | None = None
    repetition: Literal["none", "uniform"] | None = None
    distinct: Literal["formulas", "trees"] = "formulas"
    letters: int | None = None
    clause: int | None = None
    verbnet: str | None = None

    @property
    def repeats(self) -> bool:
        """Whether an atom may stand twice while there are others."""
        return (self.repetition or ("uniform" if self.protocol == "paper" else "none")) == "uniform"

    def read(self) -> tuple[Grammar, Vocabulary]:
        """Read grammar and vocabulary and check that they fit each other and the rest.

        Raises:
            GrammarError: naming file or key, and remedy.
        """
        grammar = read_grammar(self.grammar, {} if self.clause is None else {"clause": self.clause})
        folder = None if self.verbnet is None else Path(self.verbnet)
        vocabulary = read_vocabulary(self.vocabulary, letters=self.letters, verbnet=folder)
        self._check(grammar, vocabulary)
        return grammar, vocabulary

    def digest(self) -> str:
        """Return the SHA-256 of everything but the seed that a draw depends on.

        Raises:
            GrammarError: as ``read``.
        """
        grammar, vocabulary = self.read()
        content: dict[str, Any] = asdict(self) | {"grammar": grammar.digest, "vocabulary": vocabulary.digest}
        del content["verbnet"]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def _check(self, grammar: Grammar, vocabulary: Vocabulary) -> None:
        measures = (DEPTH, *grammar.costs)
        fits = vocabulary.languages
        if self.by not in measures:
            raise GrammarError(f"by: the grammar {self.grammar!r} counts {', '.join(measures)}, not {self.by!r}")
        if grammar.language not in fits:
            raise GrammarError(f"vocabulary {self.vocabulary!r} is for {' and '.join(fits)}, but the grammar "
                               f"{self.grammar!r} is {grammar.language}; take another, such as 'names'")  # fmt: skip
        if not self.values or min(self.values) < 0 or max(self.values) > MAX_VALUE:
            raise GrammarError(f"values: give one or more between 0 and {MAX_VALUE}")
        if len(set(self.values)) < len(self.values):
            raise GrammarError("values: one occurs twice; keep one of them")
        if self.count < 1 or self.batch < 1:
            raise GrammarError("count and batch are 1 or more")
        if self.quantifiers is not None:
            self._check_quantifiers(grammar, *self.quantifiers)

    def _check_quantifiers(self, grammar: Grammar, least: int, most: int) -> None:
        if QUANTIFIERS not in grammar.costs:
            raise GrammarError(f"quantifiers: the grammar {self.grammar!r} has no cost of that name; leave the key out")
        if self.protocol == "paper":
            raise GrammarError("quantifiers: the published procedure does not limit them; leave the key out, or set "
                               "protocol: audited")  # fmt: skip
        if self.by == QUANTIFIERS:
            raise GrammarError("quantifiers: the values are numbers of quantifiers already; leave the key out")
        if not 0 <= least <= most <= 20:
            raise GrammarError("quantifiers: give the least and the largest number, between 0 and 20")
