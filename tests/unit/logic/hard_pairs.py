"""Pairs whose relation takes thought: counting, uniqueness, functions, alternation, infinity, and classics."""

AT_LEAST_TWO = "∃x ∃y (P(x) ∧ P(y) ∧ x ≠ y)"
AT_MOST_TWO = "∀x ∀y ∀z (P(x) ∧ P(y) ∧ P(z) → x = y ∨ y = z ∨ x = z)"
EXACTLY_TWO = "∃x ∃y (x ≠ y ∧ ∀z (P(z) ↔ z = x ∨ z = y))"
EXACTLY_ONE = "∃x (P(x) ∧ ∀y (P(y) → y = x))"
ORDER = "∀x ¬R(x, x) ∧ ∀x ∀y ∀z (R(x, y) ∧ R(y, z) → R(x, z))"
UNENDING = f"{ORDER} ∧ ∀x ∃y R(x, y)"  # true in infinite structures only
EQUIVALENCE_RELATION = "∀x R(x, x) ∧ ∀x ∀y (R(x, y) → R(y, x)) ∧ ∀x ∀y ∀z (R(x, y) ∧ R(y, z) → R(x, z))"
ASSOCIATIVE = "∀x ∀y ∀z m(m(x, y), z) = m(x, m(y, z))"
LEFT_GROUP = f"{ASSOCIATIVE} ∧ ∀x m(e, x) = x ∧ ∀x m(i(x), x) = e"
SUBGROUP = f"{LEFT_GROUP} ∧ ∃x S(x) ∧ ∀x ∀y (S(x) ∧ S(y) → S(m(x, i(y))))"
DETACHMENT = (
    "∀x ∀y (P(x) ∧ P(h(x, y)) → P(y)) ∧ ∀x ∀y P(h(x, h(y, x))) ∧ ∀x ∀y ∀z P(h(h(x, h(y, z)), h(h(x, y), h(x, z))))"
)
ONE_TO_ONE = "∀x ∀y (f(x) = f(y) → x = y)"
ONTO = "∀y ∃x f(x) = y"
SUCCESSOR = f"{ONE_TO_ONE} ∧ ∀x f(x) ≠ o"
FALSE = "P(o) ∧ ¬P(o)"
TRUE = "P(o) ∨ ¬P(o)"

EQUIVALENT = {
    # counting
    "two at least": (AT_LEAST_TWO, "∃x P(x) ∧ ∀x ∃y (P(y) ∧ x ≠ y)"),
    "two exactly, from bounds": (EXACTLY_TWO, f"{AT_LEAST_TWO} ∧ {AT_MOST_TWO}"),
    "one exactly, shorter": (EXACTLY_ONE, "∃x ∀y (P(y) ↔ y = x)"),
    "one exactly, from bounds": (EXACTLY_ONE, "∃x P(x) ∧ ∀x ∀y (P(x) ∧ P(y) → x = y)"),
    "one exactly, the other way round": (EXACTLY_ONE, "∃x (P(x) ∧ ¬∃y (P(y) ∧ x ≠ y))"),
    "not two": (f"¬({AT_LEAST_TWO})", "∀x ∀y (P(x) ∧ P(y) → x = y)"),
    "one thing only": ("∀x ∀y x = y", "∃x ∀y x = y"),
    "two things at most": ("∃x ∃y ∀z (z = x ∨ z = y)", "∀x ∀y ∀z (x = y ∨ y = z ∨ x = z)"),
    "one and of the kind": ("∃x (P(x) ∧ Q(x) ∧ ∀y (P(y) → y = x))", f"{EXACTLY_ONE} ∧ ∀x (P(x) → Q(x))"),
    "the one is of the kind": ("∃x (∀y (P(y) ↔ y = x) ∧ Q(x))", f"{EXACTLY_ONE} ∧ ∃x (P(x) ∧ Q(x))"),
    "two at least, with names": (f"P(a) ∧ ({AT_LEAST_TWO})", "P(a) ∧ ∃x (P(x) ∧ x ≠ a)"),
    "only a": ("∀x (P(x) ↔ x = a)", "P(a) ∧ ∀x (x ≠ a → ¬P(x))"),
    # equality
    "one-point rule for all": ("∀x (x = a → P(x))", "P(a)"),
    "one-point rule for some": ("∃x (x = a ∧ R(x, x))", "R(a, a)"),
    "one-point rule inside": ("∀x ∀y (R(x, y) ∧ x = y → P(y))", "∀x (R(x, x) → P(x))"),
    "Leibniz": ("a = b ∧ R(a, b)", "a = b ∧ R(b, a)"),
    "symmetry and transitivity": ("a = b ∧ b = c", "c = a ∧ a = b"),
    "everything is something": ("∀x ∃y x = y", TRUE),
    "different from itself": ("∃x (P(x) ∧ x ≠ x)", FALSE),
    # functions
    "under a function": ("∀y (∃x f(x) = y → P(y))", "∀x P(f(x))"),
    "of an equal": ("a = b → g(a, b) = g(b, a)", TRUE),
    "instance": ("∀x P(f(x)) ∧ P(f(f(a)))", "∀x P(f(x))"),
    "its own inverse is one to one": (f"∀x f(f(x)) = x ∧ {ONE_TO_ONE}", "∀x f(f(x)) = x"),
    "its own inverse is onto": (f"∀x f(f(x)) = x ∧ {ONTO}", "∀x f(f(x)) = x"),
    "constant function": ("∀x ∀y f(x) = f(y)", "∃z ∀x f(x) = z"),
    "idempotent": ("∀x f(f(x)) = f(x)", "∀y (∃x y = f(x) → f(y) = y)"),
    "one to one and onto, from an inverse": (
        f"∀x g(f(x)) = x ∧ ∀x f(g(x)) = x ∧ {ONE_TO_ONE} ∧ {ONTO}",
        "∀x g(f(x)) = x ∧ ∀x f(g(x)) = x",
    ),
    # groups
    "left inverses are right inverses": (f"{LEFT_GROUP} ∧ ∀x m(x, i(x)) = e", LEFT_GROUP),
    "left units are right units": (f"{LEFT_GROUP} ∧ ∀x m(x, e) = x", LEFT_GROUP),
    "the inverse of the inverse": (f"{LEFT_GROUP} ∧ ∀x i(i(x)) = x", LEFT_GROUP),
    "the inverse of a product": (f"{LEFT_GROUP} ∧ ∀x ∀y i(m(x, y)) = m(i(y), i(x))", LEFT_GROUP),
    "left groups are right groups": (LEFT_GROUP, f"{ASSOCIATIVE} ∧ ∀x m(x, e) = x ∧ ∀x m(x, i(x)) = e"),
    "a subgroup": (f"{SUBGROUP} ∧ ∀x ∀y (S(x) ∧ S(y) → S(m(x, y)))", SUBGROUP),
    "units are unique": ("∀x m(e, x) = x ∧ ∀x m(x, u1(x)) = x ∧ m(e, a) = a", "∀x m(x, u1(x)) = x ∧ ∀x m(e, x) = x"),
    "cancellation": (
        "∀x ∀y ∀z (m(x, y) = m(x, z) → y = z) ∧ (m(a, b) = m(a, c) → b = c)",
        "∀x ∀y ∀z (m(x, y) = m(x, z) → y = z)",
    ),
    "commutative swap": ("∀x ∀y m(x, y) = m(y, x)", "∀y ∀x m(x, y) = m(y, x)"),
    # alternation
    "exchange in a conjunction": ("∃x ∀y (P(x) ∧ Q(y))", "∀y ∃x (P(x) ∧ Q(y))"),
    "exchange in a disjunction": ("∀x ∃y (P(x) ∨ Q(y))", "∃y ∀x (P(x) ∨ Q(y))"),
    "exchange in a biconditional": ("∀x ∃y (P(x) ↔ P(y))", TRUE),
    "three alternations": ("∃x ∀y ∃z (P(x) ∧ Q(y) ∨ S(z))", "∃z S(z) ∨ ∃x P(x) ∧ ∀y Q(y)"),
    "uniform implies each": ("∃y ∀x R(x, y) → ∀x ∃y R(x, y)", TRUE),
    "of three places": ("∀x ∃y ∀z T(x, y, z) → ∀z ∀x ∃y T(x, y, z)", TRUE),
    "relativised": ("∀x (P(x) → ∀y (Q(y) → R(x, y)))", "∀y (Q(y) → ∀x (P(x) → R(x, y)))"),
    "pushed in": ("∀x (P(x) → ∃y (Q(y) ∧ R(x, y)))", "∀x ∃y (P(x) → Q(y) ∧ R(x, y))"),
    "negated alternation": ("¬∀x ∃y ∀z T(x, y, z)", "∃x ∀y ∃z ¬T(x, y, z)"),
    "a path": ("∀x ∀z (∃y (R(x, y) ∧ R(y, z)) → R(x, z))", "∀x ∀y ∀z (R(x, y) → R(y, z) → R(x, z))"),
    # relations
    "asymmetric is irreflexive": ("∀x ∀y (R(x, y) → ¬R(y, x)) ∧ ∀x ¬R(x, x)", "∀x ∀y (R(x, y) → ¬R(y, x))"),
    "order is asymmetric": (f"{ORDER} ∧ ∀x ∀y (R(x, y) → ¬R(y, x))", ORDER),
    "euclidean": (EQUIVALENCE_RELATION, "∀x R(x, x) ∧ ∀x ∀y ∀z (R(x, y) ∧ R(x, z) → R(y, z))"),
    "serial, symmetric, transitive": (
        f"{EQUIVALENCE_RELATION} ∧ ∀x ∃y R(x, y)",
        "∀x ∀y (R(x, y) → R(y, x)) ∧ ∀x ∀y ∀z (R(x, y) ∧ R(y, z) → R(x, z)) ∧ ∀x ∃y R(x, y)",
    ),
    # prenex laws and classics
    "drinker": ("∃x (P(x) → ∀y P(y))", TRUE),
    "dual drinker": ("∃x (∃y P(y) → P(x))", TRUE),
    "Russell": ("∃x ∀y (R(x, y) ↔ ¬R(y, y))", FALSE),
    "barber": ("∃x (P(x) ∧ ∀y (P(y) → (S(x, y) ↔ ¬S(y, y))))", FALSE),
    "Peirce": ("∀x (((P(x) → Q(x)) → P(x)) → P(x))", TRUE),
    "antecedent for all": ("∀x P(x) → Q(a)", "∃x (P(x) → Q(a))"),
    "antecedent for some": ("∃x P(x) → Q(a)", "∀x (P(x) → Q(a))"),
    "implication for some": ("∃x (P(x) → Q(x))", "∀x P(x) → ∃x Q(x)"),
    "one variable over and over": ("∀x (P(x) → ∃x (Q(x) ∧ ∀x S(x)))", "∃x P(x) → ∃x Q(x) ∧ ∀x S(x)"),
    "Pelletier 34, half": ("∃x ∀y (P(x) ↔ P(y))", "∃x P(x) ↔ ∀y P(y)"),
    "biconditional of sentences": ("(∃x P(x) ↔ ∀y P(y)) ∧ ∃x P(x)", "∀y P(y)"),
    "associative biconditional": ("(∀x P(x) ↔ Q(a)) ↔ ∃x S(x)", "∀x P(x) ↔ (Q(a) ↔ ∃x S(x))"),
    "no infinite descent in two": (f"{UNENDING} ∧ ∃x ∃y ∀z (z = x ∨ z = y)", FALSE),
    # small as given, large in any normal form
    "nested biconditionals": (
        (
            "∃x0 (∀x1 (¬P0(x1) ↔ P2(x0)) ∧ ¬((P3(x0, x0) ↔ ¬P0(x0)) ⊕ (∀x1 (P1(x1, x1) ↔ P3(x1, x1)) ↔ "
            "P3(x0, x0) ⊕ ∀x1 ∃x2 ∃x3 ¬(P2(x1) ∧ P2(x3) ∨ (¬P0(c2) ↔ ¬P3(x3, x2))))) ↔ (P3(x0, x0) → "
            "¬P0(c9)) ∧ (P2(x0) ⊕ (P0(x0) ⊕ P1(x0, c2))))"
        ),
        (
            "∃x0 (∀x1 (¬P0(x1) ↔ P2(x0)) ∧ ¬((P3(x0, x0) ↔ ¬P0(x0)) ⊕ ¬(¬(¬∀x1 (¬¬P1(x1, x1) ↔ P3(x1, x1)) ∧ "
            "(P3(x0, x0) ⊕ ∀x1 ∃x2 ∃x3 ¬(¬¬P2(x1) ∧ P2(x3) ∨ (¬P0(c2) ↔ ¬P3(x3, x2))) → ∀x1 (P1(x1, x1) ↔ "
            "P3(x1, x1)))) ∧ ¬((¬¬P3(x0, x0) ⊕ ∀x1 ∃x2 ∃x3 ¬(P2(x1) ∧ P2(x3) ∨ (¬P0(c2) ↔ ¬P3(x3, x2)))) ∧ "
            "(P3(x0, x0) ⊕ ∀x1 ∃x2 ∃x3 ¬(¬¬P2(x1) ∧ P2(x3) ∨ (¬P0(c2) ↔ ¬P3(x3, x2))) → ∀x1 (P1(x1, x1) ↔ "
            "P3(x1, x1)))))) ↔ (P3(x0, x0) → ¬P0(c9)) ∧ (P2(x0) ⊕ (P0(x0) ⊕ P1(x0, c2))))"
        ),
    ),
}

DIFFERENT = {
    # counting
    "one or two": (EXACTLY_ONE, EXACTLY_TWO),
    "two at least or exactly": (AT_LEAST_TWO, EXACTLY_TWO),
    "two or three things": ("∃x ∃y x ≠ y", "∃x ∃y ∃z (x ≠ y ∧ y ≠ z ∧ x ≠ z)"),
    "at most two or three": ("∃x ∃y ∀z (z = x ∨ z = y)", "∃x ∃y ∃w ∀z (z = x ∨ z = y ∨ z = w)"),
    "four things": ("∃x ∃y ∃z ∃w (x≠y ∧ x≠z ∧ x≠w ∧ y≠z ∧ y≠w ∧ z≠w)", FALSE),
    "unique pair": ("∃x ∃y ∀z ∀w (R(z, w) ↔ z = x ∧ w = y)", "∃x ∀z (∃w R(z, w) ↔ z = x)"),
    "exactly one of each": ("∀x ∃y ∀z (R(x, z) ↔ z = y)", "∃y ∀x ∀z (R(x, z) ↔ z = y)"),
    # functions
    "one to one or identity": (ONE_TO_ONE, "∀x f(x) = x"),
    "onto or identity": (ONTO, "∀x f(x) = x"),
    "third power": ("∀x f(f(f(x))) = x", "∀x f(f(x)) = x"),
    "sixth power": ("∀x f(f(f(f(f(f(x)))))) = x", "∀x f(f(f(x))) = x"),
    "fixed point": ("∃x f(x) = x", "∃x f(f(x)) = x"),
    "commutes": ("∀x f(g(x)) = g(f(x))", "∀x f(g(x)) = x"),
    "commutative or associative": ("∀x ∀y m(x, y) = m(y, x)", ASSOCIATIVE),
    "group or commutative group": (
        "∀x m(e, x) = x ∧ ∀x ∃y m(y, x) = e",
        "∀x m(e, x) = x ∧ ∀x ∃y m(y, x) = e ∧ ∀x ∀y m(x, y) = m(y, x)",
    ),
    # relations and alternation
    "each or uniform": ("∀x ∃y R(x, y)", "∃y ∀x R(x, y)"),
    "symmetric or reflexive": ("∀x ∀y (R(x, y) → R(y, x))", "∀x R(x, x)"),
    "transitive": ("∀x ∀y ∀z (R(x, y) ∧ R(y, z) → R(x, z))", "∀x ∀y (R(x, y) → R(y, x))"),
    "equivalence relation or order": (EQUIVALENCE_RELATION, ORDER),
    "places exchanged": ("∀x ∃y ∀z T(x, y, z)", "∀x ∃y ∀z T(y, x, z)"),
    "quantifiers of three places": ("∀x ∃y ∀z T(x, y, z)", "∀x ∀z ∃y T(x, y, z)"),
    "four places": ("∀x ∃y ∀z ∃w W(x, y, z, w)", "∀x ∀z ∃y ∃w W(x, y, z, w)"),
    "scope of an antecedent": ("∀x P(x) → Q(a)", "∀x (P(x) → Q(a))"),
    "dense or not": (f"{ORDER} ∧ ∀x ∀y (R(x, y) → ∃z (R(x, z) ∧ R(z, y)))", ORDER),
    # in infinite structures only
    "serial order": (UNENDING, FALSE),
    "serial order, apart": ("∀x ∃y R(x, y) ∧ ∀x ∀y ∀z (R(x, y) ∧ R(y, z) → R(x, z)) ∧ ∀x ¬R(x, x)", "∃x R(x, x)"),
    "one to one, not onto": (f"{ONE_TO_ONE} ∧ ¬({ONTO})", FALSE),
    "onto, not one to one": (f"{ONTO} → {ONE_TO_ONE}", TRUE),
    "successor": (SUCCESSOR, FALSE),
    "one to one or a permutation": (ONE_TO_ONE, f"{ONE_TO_ONE} ∧ {ONTO}"),
    "order without a last, dual": (f"¬({UNENDING})", TRUE),
    "predecessors end": (f"{ORDER} ∧ ∀x ∃y R(y, x)", FALSE),
}

FOR_PROVERS = {"syllogism by detachment": (f"{DETACHMENT} ∧ ∀x ∀y ∀z P(h(h(y, z), h(h(x, y), h(x, z))))", DETACHMENT)}
"""Equivalent, by reasoning that takes a theorem prover."""
