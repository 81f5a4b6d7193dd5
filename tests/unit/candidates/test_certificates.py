from nlfol.candidates.sets import Certificate
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.reading import parse


def test_a_verdict_is_a_certificate_with_its_counter_model_or_without() -> None:
    first, second = parse("∀x Cube(x)"), parse("∃x Cube(x)")
    different = Certificate.of(3, equivalence(first, second))
    assert (different.to, different.verdict) == (3, Outcome.NOT_EQUIVALENT)
    assert different.counter_model is not None
    proven = Certificate.of(0, equivalence(first, parse("¬∃x ¬Cube(x)")))
    assert (proven.verdict, proven.counter_model) == (Outcome.EQUIVALENT, None)
