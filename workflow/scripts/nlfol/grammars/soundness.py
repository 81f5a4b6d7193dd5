"""Checks that refuse an unusable grammar by name before anything is drawn from it."""

from collections.abc import Sequence
from dataclasses import replace

from nlfol.grammars.counting import AdditiveCounts
from nlfol.grammars.errors import GrammarError
from nlfol.grammars.grammar import Grammar, spell
from nlfol.grammars.notation import ATOMIC, Template

MAX_TREES = 1_000
"""Shortest derivations that are searched for one sentence with two of them."""

MAX_LENGTH = 60
"""Signs and slots of the longest of them."""

_LENGTH = "length"


def check_derivable(grammar: Grammar) -> None:
    """Refuse rules that can never be used, or never end.

    Raises:
        GrammarError: naming a nonterminal that is not reached from the start, derives no sentence, or has one
            alternative twice.
    """
    names = grammar.nonterminals
    for number, rule in enumerate(grammar.rules):
        texts = [str(grammar.alternatives[place]) for place in rule]
        twice = next((text for text in texts if texts.count(text) > 1), None)
        if twice is not None:
            raise GrammarError(f"rule {names[number]}: the alternative {twice!r} occurs twice, so the grammar is "
                               "ambiguous; keep one")  # fmt: skip
    reached, waiting = {grammar.start}, [grammar.start]
    while waiting:
        for place in grammar.rules[waiting.pop()]:
            new = set(grammar.alternatives[place].parts) - reached
            reached |= new
            waiting += sorted(new)
    unreached = [name for number, name in enumerate(names) if number not in reached]
    if unreached:
        raise GrammarError(f"rule {unreached[0]}: nothing in {names[grammar.start]} leads to it; use it, or remove it")
    ending: set[int] = set()
    while found := {a.nonterminal for a in grammar.alternatives if ending.issuperset(a.parts)} - ending:
        ending |= found
    endless = [name for number, name in enumerate(names) if number not in ending]
    if endless:
        raise GrammarError(f"rule {endless[0]}: it never comes to an end; add an alternative without {endless[0]}")


def check_unambiguous(grammar: Grammar) -> None:
    """Refuse a grammar in which one of the ``MAX_TREES`` shortest derivations has the sentence of another.

    Whether a context-free grammar is ambiguous cannot be decided in general; among the shortest it shows in practice.

    Raises:
        GrammarError: with the sentence and both derivations; or with a cycle, which gives infinitely many.
    """
    measured = replace(
        grammar,
        costs=(_LENGTH,),
        alternatives=tuple(
            replace(a, costs=(len(a.tokens) - len(a.parts),)) for a in grammar.alternatives
        ),
    )  # fmt: skip
    try:
        counts = AdditiveCounts(measured, [_LENGTH])
    except GrammarError as error:
        cycle = str(error).split(": ", 1)[1].split(" costs nothing")[0]
        raise GrammarError(f"{cycle} adds nothing, so one sentence has infinitely many derivations; remove one of "
                           "these steps") from error  # fmt: skip
    left, length = MAX_TREES, 0
    while left > 0 and length <= MAX_LENGTH:
        number = counts.count(length)
        seen: dict[str, list[int]] = {}
        for rank in range(min(number, left)):
            derivation = counts.unrank(rank, length)
            sentence = spell(grammar, derivation)
            if sentence in seen:
                one, other = (_named(grammar, d) for d in (seen[sentence], derivation))
                raise GrammarError(f"ambiguous: {sentence!r} is derived by {one} and by {other}; change the rules so "
                                   "that each sentence has one derivation")  # fmt: skip
            seen[sentence] = derivation
        left -= number
        length += 1


def check_scopes(rules: Sequence[Sequence[Template]], names: Sequence[str]) -> None:
    """Refuse a grammar whose texts would be grouped otherwise than its derivations.

    Raises:
        GrammarError: naming the rule that needs parentheses.
    """
    loosest = [ATOMIC] * len(rules)
    changed = True
    while changed:
        changed = False
        for number, templates in enumerate(rules):
            found = min(loosest[t.holes[0].nonterminal] if t.precedence is None else t.precedence for t in templates)
            changed = changed or found < loosest[number]
            loosest[number] = min(found, loosest[number])
    for number, templates in enumerate(rules):
        for hole in [hole for template in templates for hole in template.holes]:
            if loosest[hole.nonterminal] < hole.least:
                part = names[hole.nonterminal]
                raise GrammarError(
                    f"rule {names[number]}: {part} can become a formula that would be grouped otherwise here; put "
                    f"parentheses around {part}, or around the alternatives of {part}"
                )


def _named(grammar: Grammar, derivation: Sequence[int]) -> str:
    return ", ".join(
        f"{grammar.nonterminals[grammar.alternatives[place].nonterminal]} → {grammar.alternatives[place]}"
        for place in derivation
    )
