"""Requirements of diversified problems, judged by other means than those that made them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from nlfol.problems import Lexicon, Problem
from nlfol.problems.dialects import concepts_of, dialect_of
from nlfol.problems.dialects.dialect import Place
from nlfol.problems.dialects.references import OF_TWO, REFERENCES
from nlfol.problems.dialects.rules_readings import Rules
from nlfol.problems.gold import derived
from nlfol.problems.lexicon import BASE, Slot
from nlfol.problems.problem import TRUTHS
from nlfol.problems.rewording import TYPES, usable
from nlfol.problems.rewording.diversifying import SYNTAX


def problem_of(words: Lexicon, asked: str, *texts: str) -> Problem:
    english = Rules(words)
    statements = tuple(english.read(text)[1] for text in texts)
    return derived(Problem("mine", "rules", "clauses", statements, english.read(asked)[1], TRUTHS, "A"))


def is_same(original: Problem, made: Problem) -> bool:
    ours, theirs = ([each.line for each in (*p.statements, p.question, *p.options)] for p in (original, made))
    return ours == theirs and made.answer == original.answer and derived(made).evidence == original.evidence


def oddities(original: Problem, made: Problem, lexicon: Lexicon) -> Iterator[str]:
    """Yield sentences that no person would write."""
    was_passive = False
    for number, (old, new) in enumerate(zip(original.statements, made.statements, strict=True)):
        said = [(lexicon.concepts[mention.concept], mention.form) for mention in new.mentions]
        forms = [(concept, concept.forms[form]) for concept, form in said]
        is_passive = any(form.slot is Slot.PASSIVE for _, form in forms)
        named = {
            (c.symbol, form.key) for c, form in forms if not c.category.is_predicate and form.slot not in REFERENCES
        }
        syntax = any(each.statement == number and each.type == SYNTAX for each in made.rewrites)
        checks = {
            "passive behind passive": is_passive and was_passive,
            "two passives": sum(form.slot is Slot.PASSIVE for _, form in forms) > 1,
            "passive of what is not true": is_passive and new.text.startswith("It is not true that "),
            "two names": len({symbol for symbol, _ in named}) < len(named),
            "denied twice": re.search(r"\bnot (\w+ )?no\b|^(Nothing|No one|There is no).* not .* not ", new.text),
            "denied of every": re.match(r"(All|Each|Every) .* (are|do|does|is) not ", new.text),
            "names in a list": (old.line or "").startswith("AllDifferent") and old.text != new.text,
            "may deny both": syntax and re.search(r" is not \w+ and (?!is|are|does|has|\w+s\b|not\b)", new.text),
        }
        yield from (f"{odd}: {new.text}" for odd, found in checks.items() if found)
        was_passive = is_passive


def places_of(original: Problem, made: Problem, lexicon: Lexicon) -> Iterator[Place]:
    dialect = dialect_of(made, usable(concepts_of(made, lexicon), lexicon).lexicon)
    named: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    for number, (statement, old) in enumerate(zip(made.statements, original.statements, strict=True)):
        if statement.line is None:
            named = plain = ()
            continue
        ((sentence, read),) = dialect.readings(statement.text, named)
        assert read.line == statement.line
        # References must be plain behind the sentence before in its old words, too.
        places = dialect.places(sentence, named if named == plain else ())
        named = dialect.named(sentence)
        # No passive and no "the former" stand in two sentences in a row, nor "the former" behind "it".
        rare = [{*OF_TWO, Slot.PASSIVE}, OF_TWO, {Slot.PASSIVE}, OF_TWO][number % 4]
        if number % 2 and len(named) == 2:
            rare = frozenset(REFERENCES)
        yield from (each._replace(slots=each.slots.difference(rare)) for each in places)
        plain = dialect.named(dialect.readings(old.text, ())[0][0])


def fewest_repeats(original: Problem, made: Problem, lexicon: Lexicon, types: Sequence[str] = TYPES) -> dict[str, int]:
    # By scipy's matching, for each concept with two or more mentions.
    forms = usable(concepts_of(made, lexicon), lexicon).lexicon.concepts
    asked = Counter(mention.concept for each in (made.question, *made.options) for mention in each.mentions)
    mentions: dict[str, list[Place]] = {}
    for place in places_of(original, made, lexicon):
        mentions.setdefault(place.word.concept, []).append(place)
    fewest = {}
    for concept, places in mentions.items():
        total = len(places) + asked[concept]
        if total < 2:
            continue
        known = [form for key, form in forms[concept].forms.items() if key != BASE and form.kind in types]
        fits = np.array([[form.slot in place.slots for form in known] for place in places]).reshape(len(places), -1)
        matched = 0
        if known:
            matched = int((maximum_bipartite_matching(csr_array(fits.astype(np.int8))) >= 0).sum())
        with_base = 1 if asked[concept] or matched < len(places) else 0
        fewest[concept] = total - matched - with_base
    return fewest
