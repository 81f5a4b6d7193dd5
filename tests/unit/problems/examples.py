"""Programs of our own in the three languages."""

CLAUSES = """Predicates:
Cold($x, bool) ::: Is x cold?
Quiet($x, bool) ::: Is x quiet?
Smart($x, bool) ::: Is x smart?
Facts:
Cold(bob, True) ::: Bob is cold.
Quiet(bob, False) ::: Bob is not quiet.
Rules:
Cold($x, True) && Quiet($x, False) >>> Smart($x, True) ::: Cold things that are not quiet are smart.
Smart($x, True) >>> Cold($x, True) ::: Smart things are cold.
Query:
Smart(bob, False) ::: Bob is not smart."""

CONSTRAINTS = """Domain:
1: oldest
3: newest
Variables:
bus [IN] [1, 2, 3]
tram [IN] [1, 2, 3]
train [IN] [1, 2, 3]
Constraints:
bus > tram ::: The bus is newer than the tram.
train == 1 ::: The train is the oldest.
AllDifferentConstraint([bus, tram, train]) ::: All have different values.
Query:
A) bus == 2 ::: The bus is the second-newest.
B) tram == 2 ::: The tram is the second-newest.
C) train == 2 ::: The train is the second-newest."""

FORMULAS = """Predicates:
Bird(x) ::: x is a bird.
Lays(x) ::: x lays eggs.
Bat(x) ::: x is a bat.
Premises:
∀x (Bird(x) → Lays(x)) ::: All birds lay eggs.
Bird(tweety) ⊕ Bat(tweety) ::: Tweety is either a bird or a bat.
¬Bat(tweety) ::: Tweety is no bat.
∀x (Bat(x) → ∃y Bird(y)) ::: Where there is a bat there is a bird.
Conclusion:
Lays(tweety) ::: Tweety lays eggs."""

CHECKS = """# Declarations
people = EnumSort([Ann, Bob, Cem])
days = EnumSort([1, 2, 3])
on = Function([people] -> [days])

# Constraints
Distinct([p:people], on(p)) ::: Each comes on a day of its own.
on(Ann) < on(Bob) ::: Ann comes before Bob.

# Options
Question ::: Which can be true?
is_sat(on(Ann) == 3) ::: (A)
is_sat(And(on(Cem) == 2, on(Ann) == 1)) ::: (B)"""

ALL = {"clauses": CLAUSES, "constraints": CONSTRAINTS, "formulas": FORMULAS, "checks": CHECKS}


def clauses(facts: str = "", rules: str = "", query: str = "Q(a, True)") -> str:
    """A program without a section of predicates."""
    return f"Facts:\n{facts}\nRules:\n{rules}\nQuery:\n{query}"


def constraints(variables: str, conditions: str, query: str) -> str:
    """A program without glosses."""
    return f"Domain:\nVariables:\n{variables}\nConstraints:\n{conditions}\nQuery:\n{query}"


def formulas(premises: str, conclusion: str) -> str:
    """A program without declarations."""
    return f"Predicates:\nPremises:\n{premises}\nConclusion:\n{conclusion}"
