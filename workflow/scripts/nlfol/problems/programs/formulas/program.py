"""Programs of formulas: predicates, premises and a conclusion; executed by entailment.

The form is Logic-LM's for Prover9: one formula a line under ``Premises:`` and ``Conclusion:``. Formulas are read
tolerantly; what is forgiven becomes a repair. Quantifiers inside formulas, which the released grammar cannot read, are
formulas like all others.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from nlfol import logic
from nlfol.logic.decision.satisfiability import SMALL_BUDGET, Question, satisfiability
from nlfol.logic.decision.skolemization import substituted
from nlfol.logic.decision.solver import DEFAULT_BUDGET, Answer
from nlfol.logic.measuring import free_variables
from nlfol.logic.reading import Ambiguity, TolerantReading, close_universally, denies_by_dash
from nlfol.logic.syntax import Constant, Not
from nlfol.mappings import JsonObject
from nlfol.problems.programs.language import Derivation, FreeVariables
from nlfol.problems.programs.outcome import ExecutionError, Failure, ProgramError, Repair, RepairKind, Truth
from nlfol.problems.programs.texts import DASH, Line, absences, needed, sections, without_dashes

HEADINGS = {
    **dict.fromkeys(("predicates", "predicate"), "predicates"),
    **dict.fromkeys(("premises", "premise"), "premises"),
    **dict.fromkeys(("conclusion", "conclusions", "hypothesis", "goal"), "conclusion"),
}

_STATED = ("premises", "conclusion")

_CALLED = re.compile(r"(?<!\w)(\w+)\(\)")

MAX_CHARACTERS = 100_000
"""Characters of a program of formulas that is read: a formula takes a hundred times the time of a clause."""

MAX_PREMISES = 400
"""Premises that are read."""

MAX_VARIANTS = 20
"""Other readings of a program that are executed; one with more has no answer."""

MAX_USED = 50
"""Premises up to which the ones needed are looked for: each takes a question of its own."""


@dataclass(frozen=True, slots=True)
class FormulaProgram:
    """A program of formulas, which may have free variables; ``variants`` are its other readings."""

    premises: Sequence[logic.Formula]
    lines: Sequence[int]
    conclusion: logic.Formula
    conclusion_line: int
    repairs: tuple[Repair, ...]
    variants: Sequence[logic.Variant] = ()


def read_formulas(text: str) -> FormulaProgram:
    """Read a program of formulas; raises ``ProgramError``, which names the line, if the text is not one."""
    parts = sections(text, HEADINGS, MAX_CHARACTERS)
    stated = [line for name in _STATED for line in parts.lines.get(name, ())]
    parts = without_dashes(parts, _STATED)
    repairs = list(parts.repairs)
    denies = denies_by_dash("\n".join(DASH.sub("", line.text, count=1) for line in stated))
    dashed = {line.number for line in stated if DASH.match(line.text)}
    try:
        premises, conclusions = (needed(parts, name) for name in ("premises", "conclusion"))
        if len(premises) > MAX_PREMISES:
            reason = f"{len(premises)} premises; at most {MAX_PREMISES} are read"
            raise ProgramError(reason, premises[MAX_PREMISES].number)
        repairs += absences(parts, "predicates")
        declared = [line.text.removesuffix("()") for line in parts.lines.get("predicates", ())]
        letters = [text for text in declared if text.isidentifier() and text.isascii()]
        premises, conclusions = (_with_letters(lines, letters, repairs) for lines in (premises, conclusions))
        signature = logic.Signature(dict.fromkeys(letters, 0), {}, frozenset()) if letters else None
        readings = [
            _dashed(line, signature, repairs, denies=denies)
            if line.number in dashed
            else _reading(line, signature, repairs)
            for line in (*premises, conclusions[0])
        ]
        if len(conclusions) > 1:
            detail = f"{len(conclusions)} lines in the conclusion; the first is taken"
            repairs.append(Repair(RepairKind.QUERY, conclusions[1].number, detail))
    except ProgramError as error:
        error.repairs = tuple(repairs)
        raise
    numbers = [line.number for line in premises]
    *formulas, conclusion = (reading.formula for reading in readings)
    variants = logic.variants(readings, signature)
    return FormulaProgram(formulas, numbers, conclusion, conclusions[0].number, tuple(repairs), variants)


def _with_letters(lines: Sequence[Line], letters: Sequence[str], repairs: list[Repair]) -> Sequence[Line]:
    """Return lines in which declared letters have no empty parentheses, as in ``Rains() → Wet()``."""
    if not letters or not any("()" in line.text for line in lines):
        return lines
    bare = [
        replace(line, text=_CALLED.sub(lambda called: called[1] if called[1] in letters else called[0], line.text))
        for line in lines
    ]
    repairs += [
        Repair(RepairKind.NAME, line.number, "empty parentheses behind letters dropped")
        for line, kept in zip(lines, bare, strict=True)
        if line.text != kept.text
    ]
    return bare


def _reading(line: Line, signature: logic.Signature | None, repairs: list[Repair]) -> TolerantReading:
    try:
        reading = logic.read_tolerantly(line.text, signature=signature)
    except logic.FormulaSyntaxError as error:
        raise ProgramError(f"column {error.column}: {error.problem}", line.number) from error
    repairs += [Repair(RepairKind.FORMULA, line.number, detail) for detail in reading.repairs]
    repairs += [Repair(RepairKind.AMBIGUITY, line.number, ambiguity.detail) for ambiguity in reading.ambiguities]
    return reading


def _dashed(
    line: Line, signature: logic.Signature | None, repairs: list[Repair], *, denies: bool | None
) -> TolerantReading:
    """Read a line that begins with a dash, or had one as a line of a list: both ways, unless the program decides.

    ``denies`` says whether it writes negation as a dash elsewhere; None where it shows no other sign either.
    """
    rest = replace(line, text=DASH.sub("", line.text, count=1))
    denial = replace(line, text=f"-{rest.text}")
    is_bullet = rest.text == line.text
    kept, other = (rest, denial) if is_bullet else (denial, rest)
    try:
        reading = _reading(kept, signature, repairs)
    except ProgramError:
        if is_bullet:
            raise
        repairs.append(Repair(RepairKind.NUMBERING, line.number, "'-' before the line dropped"))
        return _reading(rest, signature, repairs)
    if denies is None or denies is not is_bullet:
        return reading
    try:
        formula = _reading(other, signature, []).formula
    except ProgramError:
        return reading
    kinds = ("bullet", "negation") if is_bullet else ("negation", "bullet")
    detail = "the dash before the formula taken as a {}; it could be a {}".format(*kinds)
    repairs.append(Repair(RepairKind.AMBIGUITY, line.number, detail))
    return replace(reading, ambiguities=(*reading.ambiguities, Ambiguity("leading_dash", detail, formula)))


class FormulaTrace(TypedDict):
    """Grounds of a conclusion's label."""

    label: str
    premises: list[str]
    conclusion: str
    used: list[int] | None  # lines of premises, of which none is known to be spared; null where not looked for
    # Of the premises of what is uncertain: where the conclusion holds (affirmed), and where it fails (denied).
    models: Mapping[str, JsonObject | None]


def execute_formulas(
    program: FormulaProgram,
    free: FreeVariables = FreeVariables.CLOSE,
    budget: int = DEFAULT_BUDGET,
    *,
    explains: bool = True,
) -> tuple[Truth, FormulaTrace, tuple[Repair, ...]]:
    """Execute a program; return the truth of its conclusion, the trace and repairs of free variables.

    Neither models nor the premises used are looked for unless it ``explains``. Raises ``ExecutionError`` (``open`` for
    free variables that are not allowed, ``arity``, ``contradictory`` premises, ``budget``, ``ambiguous`` if another
    reading gives another answer).
    """
    _check_variants(program, free, budget)
    formulas, repairs = _closed(program, free)
    *premises, conclusion = formulas
    try:
        entailment = logic.entails(premises, conclusion, budget=budget, with_evidence=explains)
    except logic.SignatureError as error:
        raise ExecutionError(Failure.ARITY, str(error)) from error
    trace: FormulaTrace = {
        "label": entailment.label.value,
        "premises": [logic.to_unicode(formula) for formula in premises],
        "conclusion": logic.to_unicode(conclusion),
        "used": None,
        "models": {"affirmed": None, "denied": None},
    }
    sought = program.lines if explains else None
    if entailment.inconsistent:
        trace["used"] = _needed_lines(premises, sought, None, budget)
        raise ExecutionError(Failure.CONTRADICTORY, "the premises contradict one another", trace=trace)
    match entailment.label:
        case logic.Label.UNKNOWN:
            reasons = [finding.reason for finding in (entailment.affirmed, entailment.denied) if finding.reason]
            reason = "; ".join(dict.fromkeys(reasons)) or "not decided"
            raise ExecutionError(Failure.BUDGET, reason, trace=trace)
        case logic.Label.UNCERTAIN:
            models = {"affirmed": entailment.affirmed.model, "denied": entailment.denied.model}
            trace["models"] = {name: None if model is None else model.as_data() for name, model in models.items()}
            return Truth.UNKNOWN, trace, repairs
        case logic.Label.TRUE:
            trace["used"] = _needed_lines(premises, sought, Not(conclusion), budget)
            return Truth.TRUE, trace, repairs
        case logic.Label.FALSE:
            trace["used"] = _needed_lines(premises, sought, conclusion, budget)
            return Truth.FALSE, trace, repairs


def _check_variants(program: FormulaProgram, free: FreeVariables, budget: int) -> None:
    """Raise ``ExecutionError`` if another reading of the program ends in another way."""
    if not program.variants:
        return
    numbers = (*program.lines, program.conclusion_line)
    first = _end(program, free, budget) if len(program.variants) <= MAX_VARIANTS else None
    for variant in program.variants:
        *premises, conclusion = variant.formulas
        if first is None or _end(replace(program, premises=premises, conclusion=conclusion), free, budget) != first:
            reason = f"ambiguous, with different answers: {variant.detail}"
            raise ExecutionError(Failure.AMBIGUOUS, reason, line=numbers[variant.place])


def _end(program: FormulaProgram, free: FreeVariables, budget: int) -> tuple[str, bool | None]:
    """Return what the premises entail of the conclusion, or the kind of failure."""
    try:
        formulas, _ = _closed(program, free)
        *premises, conclusion = formulas
        entailment = logic.entails(premises, conclusion, budget=budget, with_evidence=False)
    except ExecutionError as error:
        return error.kind.value, None
    except logic.SignatureError:
        return Failure.ARITY.value, None
    return entailment.label.value, entailment.inconsistent


def _needed_lines(
    premises: Sequence[logic.Formula], lines: Sequence[int] | None, refuted: logic.Formula | None, budget: int
) -> list[int] | None:
    """Return the lines of premises that together contradict a formula (or one another), as far as that is known."""
    if lines is None or len(premises) > MAX_USED:
        return None
    last = () if refuted is None else (refuted,)
    return [lines[index] for index in _needed(premises, last, min(budget, SMALL_BUDGET))]


def _needed(premises: Sequence[logic.Formula], refuted: tuple[logic.Formula, ...], budget: int) -> list[int]:
    """Return the places of premises that contradict a formula, or one another, and not without any one of them."""
    kept = list(range(len(premises)))
    for index in range(len(premises)):
        rest = [other for other in kept if other != index]
        formulas = tuple(dict.fromkeys((*(premises[other] for other in rest), *refuted)))
        if formulas and satisfiability(Question(formulas, (), budget)).answer is Answer.NO:
            kept = rest
    return kept


def _closed(program: FormulaProgram, policy: FreeVariables) -> tuple[list[logic.Formula], tuple[Repair, ...]]:
    closed, repairs = list[logic.Formula](), list[Repair]()
    numbers = (*program.lines, program.conclusion_line)
    for formula, number in zip((*program.premises, program.conclusion), numbers, strict=True):
        free = sorted(free_variables(formula), key=lambda variable: variable.name)
        if not free:
            closed.append(formula)
            continue
        names = ", ".join(variable.name for variable in free)
        match policy:
            case FreeVariables.INVALID:
                raise ExecutionError(Failure.OPEN, f"an open formula: {names} free", line=number)
            case FreeVariables.CLOSE:
                closed.append(close_universally(formula))
                detail = f"{names} free: closed universally"
            case FreeVariables.NAME:
                named = formula
                for variable in free:
                    named = substituted(named, variable.name, Constant(f"free_{variable.name}"))
                closed.append(named)
                detail = f"{names} free: taken as the name of one individual"
        repairs.append(Repair(RepairKind.FREE_VARIABLE, number, detail))
    return closed, tuple(repairs)


def derived(
    premises: Sequence[logic.Formula], conclusion: logic.Formula, *, budget: int = DEFAULT_BUDGET
) -> Derivation:
    """Derive a conclusion's truth, and how many premises a proof needs; raises ``ExecutionError`` if it cannot."""
    try:
        entailment = logic.entails(premises, conclusion, budget=budget)
    except logic.LogicError as error:
        raise ExecutionError(Failure.ARITY, str(error)) from error
    if entailment.inconsistent:
        raise ExecutionError(Failure.CONTRADICTORY, "the premises have no model")
    match entailment.label:
        case logic.Label.UNKNOWN:
            raise ExecutionError(Failure.BUDGET, f"not decided within rlimit {budget}")
        case logic.Label.UNCERTAIN:
            return Derivation(Truth.UNKNOWN, "models", None)
    truth = Truth.TRUE if entailment.label is logic.Label.TRUE else Truth.FALSE
    refuted = Not(conclusion) if truth is Truth.TRUE else conclusion
    depth = None if len(premises) > MAX_USED else len(_needed([*dict.fromkeys(premises)], (refuted,), budget))
    return Derivation(truth, "proof", depth)
