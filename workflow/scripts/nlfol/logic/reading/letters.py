"""Propositional letters among bare names.

A name alone where a formula could stand is an error, unless the caller says otherwise: for the letters of a
signature, or for every name. Position decides what a name is, as it does for ``P(P)``: in ``rain ∧ Likes(ann, rain)``
the first is a letter and the second a constant.
"""

from dataclasses import dataclass

from nlfol.logic.measuring import Signature


@dataclass(frozen=True, slots=True)
class Letters:
    """The names that are read as propositional letters.

    Attributes:
        names: some of them.
        every: whether all others are, too.
        but: but for these, which are in lower case and meant in any.
    """

    names: frozenset[str] = frozenset()
    every: bool = False
    but: frozenset[str] = frozenset()

    def __contains__(self, name: str) -> bool:
        return name in self.names or (self.every and name.lower() not in self.but)

    def __bool__(self) -> bool:
        return self.every or bool(self.names)


NO_LETTERS = Letters()


def letters_of(signature: Signature | None, propositions: bool, but: frozenset[str] = frozenset()) -> Letters:
    """Return the letters of a signature, if there is one; every name where propositions are asked for."""
    names = frozenset[str]() if signature is None else signature.letters
    return Letters(names, propositions, but) if names or propositions else NO_LETTERS
