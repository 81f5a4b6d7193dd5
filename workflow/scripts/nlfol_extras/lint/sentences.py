"""Rules on a formula against its sentence: negations, connectives, quantifiers, numbers, the order of what is said."""

import re
from collections.abc import Iterator

from nlfol.logic import FormulaError, FormulaSyntaxError, Outcome, SignatureError, equivalence
from nlfol.logic import syntax as fol
from nlfol.logic.english.reading import read_english
from nlfol_extras.lint.rules import Level, Remark, rule
from nlfol_extras.lint.statements import Spoken, Statement, Story

_NO = r"(?:not|n't|no|never)"
_IS = "(?:is|are|was|were|does|do|did|has|have|will|can)"
_DENIAL = re.compile(
    r"\b(not|no|never|neither|none|nobody|nothing|cannot)\b(?![.-]| \d| but\b| (more|less|later) than)|n't\b"
)
_ANY_DENIAL = re.compile(r"\b(not|no|non|never|neither|nor|none|nobody|nothing|nowhere|without|cannot)\b|n't\b")
_HIDDEN = re.compile(
    r"\b(absence|absent|against|alone|avoid\w*|banned|before|den(y|ied|ies)|different|distinct|either|else|ex-\w+|except|"
    r"exactly|fails?|failed|fake|false|few|first|forbid\w*|former\w*|free|hardly|instead|lacks?|lacking|last|lost|"
    r"loses?|one|only|other|out of|outside|prevent\w*|prohibit\w*|rather|refuse\w*|same|sole|stop\w*|than|too|"
    r"unique\w*|unless|vice|wrong|zero|(dis|il|im|ir|un)\w+|in[a-z]{4,}|non-?\w+|\w+less)\b|\w+est\b"
)
"""Words that a formula may say by ¬, though the sentence denies nothing."""
_NEGATIVE_NAME = re.compile(
    r"^(no|not|non|never|un|in|im|dis|ir)[a-z]|(No|Not|Non|Never|Without|Cannot|Un|In|Im|Dis)(?=[A-Z_]|[a-z]*$)|(less|free)$"
)
_NEITHER_OF_BOTH = re.compile(r"\bor\b[^.]*\bneither\b")
_BOTH_OR_NEITHER = re.compile(
    r"\bnot both\b|\b(both|and|if and only if|same)\b.*\b(neither|not|nor)\b|\bneither\b.*\bor\b.*\bboth\b"
)
_NOT_OR = re.compile(r"(?:\bnot\b|n't\b)(?! only)[^,;]*?\bor (an?|the|one|any|at|in|from|on|to|be|\w+ing)\b")
_EITHER_NOT = re.compile(r"\beither\b[^,;]*\bnot\b")
_NOT_AND_NOT = re.compile(rf"\b{_NO}\b[^,;]*\band\b( \w+){{0,4}} {_NO}\b|\b{_IS} not\b[^,;]*? and {_IS}\b")
_OR = re.compile(r"\b(at least one of|either|nor|or|unless)\b|/")
_KINDS = re.compile(r"\b(divided|categor\w+|kinds?|types?|genres?|class\w*|forms?|groups?)\b")
_BOTH_WAYS = re.compile(
    r"\b(if and only if|iff|only|exactly|precisely|equivalent\w*|same|means?|meaning|define[ds]?|definition|known as|"
    r"called|just in case|another name|refers?|vice versa|is when|either|or|unless)\b"
)
_DEFINITION = re.compile(
    r"(?:(?:an?|the|every|each|all) )?([\w' ,-]{2,60}?),? (?:is|are) (?:an?|the|one|any|[\w-]+s)\b"
    r"[^.]*\b(?:that|who|which|whose)\b"
)
_SEVERAL = re.compile(
    r"[;:]|, and|\.\s+\w|\b(while|but|whereas|also|most|\w{3,}est|the only|neither|(than|to|of) (any|every)\w*)\b"
)
_EITHER_SORT = re.compile(r"(?:an?|every|each|all) ([\w' -]+?) (?:is|are) either\b")
_CONDITIONS = tuple(
    re.compile(form)
    for form in (
        r"if (?P<condition>.*?)(?:, then |, | then )(?P<conclusion>.*)",
        rf"(?:all|every|each|any|everyone|everything|people) (?P<condition>.*?) (?:{_IS}|must) (?P<conclusion>.*)",
        r"(?P<conclusion>.*)\b(?:is|are) (?:required|needed|necessary) (?:to|for)(?P<condition>.*)",
    )
)
"""Sentences that say a condition and what follows from it."""


@rule(Level.PRECISE)
def english(statement: Statement, story: Story) -> Iterator[Remark]:
    """The sentence is nlfol's own English, by the story's ontology, and says something else."""
    if story.ontology is None or statement.formula is None:
        return
    try:
        reading = read_english(statement.text, story.ontology)
        verdict = equivalence(reading, statement.formula).outcome
    except (FormulaSyntaxError, FormulaError, SignatureError):
        return  # other English, or a formula that other rules find
    if verdict is Outcome.NOT_EQUIVALENT:
        yield Remark("the sentence says something else", reading)


@rule(Level.PRECISE)
def neither_nor(statement: Statement, _: Story) -> Iterator[Remark]:
    """The sentence has "neither … nor", the formula denies no two things together."""
    asked = len(re.findall(r"\bneither\b", statement.lower))
    if statement.formula is None or not asked or _has_negative_name(statement):
        return
    denied = 0
    for _path, node in fol.subformulas(statement.formula):
        match node:
            case fol.Not(fol.Or()):
                denied += 1
            case fol.And(fol.Not() | fol.And(_, fol.Not()), fol.Not() | fol.ForAll(_, fol.Implies(_, fol.Not()))):
                denied += 1
            case fol.Not(fol.ExclusiveOr()) | fol.Iff() if _NEITHER_OF_BOTH.search(statement.lower):
                denied += 1
    if denied < asked:
        yield Remark("'neither … nor' denies both: ¬A ∧ ¬B")


@rule(Level.PRECISE)
def not_a_or_b(statement: Statement, _: Story) -> Iterator[Remark]:
    """The sentence has "not A or B", the formula denies one of them at least, not both."""
    if not _NOT_OR.search(statement.lower) or _EITHER_NOT.search(statement.lower):
        return
    for node in statement.parts:
        if isinstance(node, fol.Or | fol.ExclusiveOr) and isinstance(node.left, fol.Not):
            other = node.right.operand if isinstance(node.right, fol.Not) else node.right
            yield Remark("'not A or B' denies both: ¬(A ∨ B)", fol.Not(fol.Or(node.left.operand, other)))
            return


@rule(Level.PRECISE)
def not_over_xor(statement: Statement, _: Story) -> Iterator[Remark]:
    """¬(A ⊕ B) says that both hold or neither; the sentence does not."""
    has_negated = any(
        isinstance(node, fol.Not) and isinstance(node.operand, fol.ExclusiveOr) for node in statement.parts
    )
    if has_negated and not _BOTH_OR_NEITHER.search(statement.lower):
        yield Remark("¬(A ⊕ B) says: both or neither")


@rule(Level.PRECISE)
def not_over_and(statement: Statement, _: Story) -> Iterator[Remark]:
    """The sentence denies each of two things, the formula that both hold."""
    if "both" in statement.lower or not _NOT_AND_NOT.search(statement.lower):
        return
    parts = statement.parts
    denies_each = any(isinstance(node, fol.And) and {type(node.left), type(node.right)} == {fol.Not} for node in parts)
    if any(isinstance(node, fol.Not) and isinstance(node.operand, fol.And) for node in parts) and not denies_each:
        yield Remark("¬(A ∧ B) leaves one of both possible; the sentence denies each")


@rule(Level.PRECISE)
def negation_lost(statement: Statement, story: Story) -> Iterator[Remark]:
    """The sentence denies something, the formula nothing, and its symbols say no denial elsewhere."""
    if not _drops_denial(statement):
        return
    alike = [other for other in story.statements if other is not statement and other.symbols & statement.symbols]
    if not any(map(_drops_denial, alike)):
        yield Remark("the sentence denies something, the formula nothing")


@rule(Level.PRECISE)
def negation_added(statement: Statement, _: Story) -> Iterator[Remark]:
    """The formula denies something, the sentence nothing."""
    # x ≠ y is how a formula says "two" and "another".
    denials = [
        node for node in statement.parts if isinstance(node, fol.Not) and not isinstance(node.operand, fol.Equality)
    ]
    if not denials or _has_negative_name(statement):
        return
    if not _ANY_DENIAL.search(statement.lower) and not _HIDDEN.search(statement.lower):
        yield Remark("the formula denies something, the sentence nothing")


@rule(Level.PRECISE)
def or_without_word(statement: Statement, _: Story) -> Iterator[Remark]:
    """The formula says or concludes alternatives, the sentence has none."""
    quantifiers, matrix = statement.prefix
    if matrix is None or _OR.search(statement.lower) or (quantifiers and _KINDS.search(statement.lower)):
        return
    conclusion = matrix.right if isinstance(matrix, fol.Implies) else matrix
    alternatives = [
        part
        for part in fol.operands(conclusion, fol.And, fol.Exists)
        if isinstance(part, fol.Or | fol.ExclusiveOr)
        # "At most two" is said by x = y ∨ …
        and not all(isinstance(one, fol.Equality) for one in fol.operands(part, fol.Or))
    ]
    if alternatives:
        yield Remark("the formula has alternatives, the sentence has no 'or'; ∧ may be meant")


@rule(Level.PRECISE)
def iff_without_word(statement: Statement, _: Story) -> Iterator[Remark]:
    """The formula has ↔, the sentence one direction."""
    if _has(statement, fol.Iff) and not _BOTH_WAYS.search(statement.lower) and not _DEFINITION.match(statement.lower):
        yield Remark("↔ says the converse, too; the sentence does not")


@rule(Level.PRECISE)
def two_statements(statement: Statement, _: Story) -> Iterator[Remark]:
    """The formula is several general statements, the sentence is one."""
    parts = fol.operands(statement.formula, fol.And) if isinstance(statement.formula, fol.And) else ()
    if any(isinstance(part, fol.ForAll) for part in parts) and not _SEVERAL.search(statement.lower):
        yield Remark("the formula is a conjunction with a general statement, the sentence is one statement")


@rule(Level.PRECISE)
def half_definition(statement: Statement, _: Story) -> Iterator[Remark]:
    """The sentence is "an X is a Y that …", the formula Y(x) ∧ … → X(x) alone: what is X need not be Y."""
    quantifiers, matrix = statement.prefix
    match = _DEFINITION.match(statement.lower)
    if not match or not quantifiers or not isinstance(matrix, fol.Implies) or not isinstance(matrix.right, fol.Atom):
        return
    if Spoken.of(match[1]).says(matrix.right.predicate):
        yield Remark("a definition says what follows from its subject, too", fol.Iff(matrix.left, matrix.right))


@rule(Level.PRECISE)
def sort_lost(statement: Statement, story: Story) -> Iterator[Remark]:
    """The sentence is "an X is either A or B", the formula ∀x (A(x) ∨ B(x)), and the story has a symbol for X."""
    quantifiers, matrix = statement.prefix
    match = _EITHER_SORT.match(statement.lower)
    if not match or not quantifiers or not isinstance(matrix, fol.Or | fol.ExclusiveOr):
        return
    sorts = {name for kind, name, arity in story.uses if kind == "predicate" and arity == 1} - _predicates(matrix)
    if any(map(Spoken.of(match[1]).has_all, sorts)):
        yield Remark(f"the formula says of everything what the sentence says of '{match[1]}'")


@rule(Level.PRECISE)
def turned(statement: Statement, _: Story) -> Iterator[Remark]:
    """The condition is said where the conclusion stands, and the conclusion where the condition does."""
    matrix = statement.prefix[1]
    split = next(filter(None, (form.match(statement.lower) for form in _CONDITIONS)), None)
    if not split or not isinstance(matrix, fol.Implies):
        return
    first, second = Spoken.of(split["condition"]), Spoken.of(split["conclusion"])
    left, right = _predicates(matrix.left), _predicates(matrix.right)
    straight = [name for name in left if first.says(name)] + [name for name in right if second.says(name)]
    if not straight and any(map(second.says, left)) and any(map(first.says, right)):
        yield Remark("condition and conclusion stand the other way round in the sentence")


@rule(Level.PRECISE)
def other_quantifier(statement: Statement, _: Story) -> Iterator[Remark]:
    """The sentence begins with "some", the formula has ∀ alone; or with "all", and it has ∃ alone."""
    kinds = {type(quantifier) for quantifier in statement.prefix[0]}
    begins_with = None if re.search(r"\bno\b", statement.lower) else re.compile(r"(\w+)\b").match(statement.lower)
    if not begins_with:
        return
    if kinds == {fol.ForAll} and begins_with[1] in ("some", "someone", "somebody", "there"):
        yield Remark("the sentence is about some, the formula about all")
    elif kinds == {fol.Exists} and begins_with[1] in ("all", "every", "each", "everyone", "everything", "any"):
        yield Remark("the sentence is about all, the formula about some")


def _has(statement: Statement, *kinds: type) -> bool:
    return any(isinstance(node, kinds) for node in statement.parts)


def _has_negative_name(statement: Statement) -> bool:
    return any(_NEGATIVE_NAME.search(name) for _, name, _ in statement.symbols)


def _drops_denial(statement: Statement) -> bool:
    if statement.formula is None or not _DENIAL.search(statement.lower) or _has_negative_name(statement):
        return False
    return not _has(statement, fol.Not, fol.ExclusiveOr, fol.Iff)


def _predicates(formula: fol.Formula) -> set[str]:
    return {name for name, _ in formula.profile.named("predicate")}
