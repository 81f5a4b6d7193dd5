"""Stories of problems with conclusions that notice every mutant: premises, English of conclusions, certified labels."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypedDict

from nlfol.logic import Formula, LogicError, parse, to_unicode
from nlfol.logic.english.reading import read_english
from nlfol.logic.english.unambiguous import render
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology
from nlfol.problems.adequacy.mutants import EQUIVALENT, SEEN, Fate
from nlfol.problems.adequacy.selecting import MOST_CONCLUSIONS, Adequate, choose
from nlfol.problems.adequacy.story import ContradictionError, StoryError
from nlfol.problems.dialects.proofs import Proofs
from nlfol.problems.dialects.words import DialectError
from nlfol.problems.families.drawing import QUESTION
from nlfol.problems.gold import answered
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import TRUTHS, Problem, Reason, Statement
from nlfol.problems.programs import LANGUAGES
from nlfol.problems.programs.formulas import FORMULAS, derived
from nlfol.problems.programs.outcome import Truth

_LETTERS = {Truth.TRUE: "A", Truth.FALSE: "B", Truth.UNKNOWN: "C"}
_FORMULAS, _FREE = "formulas", "free"


@dataclass(frozen=True, slots=True)
class Made:
    """The problems of a story, one refused if it has none; its premises by statement, and what was chosen."""

    story: str
    problems: tuple[Problem, ...]
    premises: tuple[tuple[int, Formula], ...] = ()
    adequate: Adequate | None = None


def stories(problems: Iterable[Problem]) -> list[Problem]:
    """Return one problem of each story, the first with a gold program if one has."""
    first: dict[tuple[str, ...], Problem] = {}
    for problem in problems:
        story = tuple(statement.text for statement in problem.statements)
        if story not in first or (first[story].language is None and problem.language is not None):
            first[story] = problem
    return list(first.values())


def adequate(
    story: Problem,
    lexicon: Lexicon,
    draw: Random,
    *,
    most: int = MOST_CONCLUSIONS,
    ontology: Ontology | None = None,
) -> Made:
    """Return problems about the statements of a problem; their English is that of an ontology, or of the lexicon."""
    try:
        premises = _premises(story)
        formulas = [formula for _, formula in premises]
        say = _speaker(formulas, lexicon, ontology)
        chosen = choose(formulas, draw, most=most, is_sayable=lambda formula: say(formula) is not None)
    except (StoryError, LogicError) as error:
        reason = Reason.UNDECIDED if isinstance(error, StoryError) else Reason.UNREAD
        reason = Reason.INCONSISTENT if isinstance(error, ContradictionError) else reason
        question = replace(story.question, line=None)
        return Made(story.name, (replace(story, question=question).refused(reason, f"{story.name}: {error}"),))
    lines = dict(premises)
    statements = tuple(
        replace(statement, line=to_unicode(lines[place]) if place in lines else None)
        for place, statement in enumerate(story.statements)
    )
    family = story.family if story.language == _FORMULAS else _FREE
    made = []
    for place, conclusion in enumerate(chosen.conclusions):
        said = say(conclusion.formula)
        assert said is not None
        letter = _LETTERS[conclusion.truth]
        problem = Problem(
            f"{story.name}-{place}", family, _FORMULAS, statements, said.after(QUESTION), TRUTHS, letter,
            rewrites=story.rewrites,
        )  # fmt: skip
        made.append(answered(problem, lambda formula=conclusion.formula: derived(formulas, formula)))  # type: ignore[misc]
    return Made(story.name, tuple(made), tuple(premises), chosen)


def _premises(story: Problem) -> list[tuple[int, Formula]]:
    """Return the premises of a story by the places of their statements; raises ``StoryError`` where there are none."""
    language = LANGUAGES.get(story.language or "")
    if language is None:
        raise StoryError("it has no formulas")
    write = language.writer(FORMULAS)
    if write is None:
        raise StoryError(f"its {language} are no formulas")
    found = [(place, parse(write(it.line))) for place, it in enumerate(story.statements) if it.line is not None]
    if open_ones := [place for place, formula in found if formula.profile.free]:
        raise StoryError(f"statement {open_ones[0] + 1} has free variables")
    if not found:
        raise StoryError("no statement has a formula")
    return found


def _speaker(
    premises: Sequence[Formula], lexicon: Lexicon, ontology: Ontology | None
) -> Callable[[Formula], Statement | None]:
    """Return what says a formula in English that is read back as it, and None of a formula that cannot be said so."""
    symbols = {name for formula in premises for _, name, _ in formula.profile.symbols}
    if ontology is None and symbols <= lexicon.concepts.keys():
        dialect = Proofs.of(lexicon.of(sorted(symbols)))

        def say(formula: Formula) -> Statement | None:
            try:
                said = dialect.stated(formula)
                is_certain = [tree.formula for tree, _ in dialect.readings(said.text, ())] == [formula]
            except (DialectError, LogicError):
                return None
            return said if is_certain else None

        return say
    known = ontology if ontology is not None and _covers(ontology, premises) else derive(premises)

    def spoken(formula: Formula) -> Statement | None:
        try:
            text = render(formula, known)
            return Statement(text, to_unicode(formula)) if read_english(text, known) is formula else None
        except LogicError:
            return None

    return spoken


def _covers(ontology: Ontology, premises: Sequence[Formula]) -> bool:
    try:
        for premise in premises:
            ontology.check(premise)
    except LogicError:
        return False
    return True


class MutantRow(TypedDict):
    """A mutant as a row of MUTANTS."""

    story: str
    statement: int
    kind: str
    formula: str
    fate: str
    noticed_by: list[str]


def mutant_rows(made: Made) -> list[MutantRow]:
    """Return the mutants of a story as rows of MUTANTS; none of a refused one."""
    chosen = made.adequate
    if chosen is None:
        return []
    return [
        {
            "story": made.story,
            "statement": made.premises[mutant.premise][0],
            "kind": mutant.kind.value,
            "formula": to_unicode(mutant.formula),
            "fate": fate.value,
            "noticed_by": [made.problems[place].name for place in noticed_by],
        }
        for mutant, fate, noticed_by in zip(chosen.mutants, chosen.fates, chosen.noticed_by, strict=True)
    ]


def score(fates: Iterable[Fate]) -> tuple[int, int]:
    """Return how many mutants are noticed, and how many are not proven to leave the story as it is."""
    known = list(fates)
    return sum(fate in SEEN for fate in known), sum(fate not in EQUIVALENT for fate in known)
