"""What diversified problems are held to, by other means than those that made them."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from nlfol.diversification import TYPES, usable
from nlfol.problems import Lexicon, Problem
from nlfol.problems.dialects import concepts_of, dialect_of
from nlfol.problems.dialects.dialect import Place
from nlfol.problems.dialects.references import OF_TWO
from nlfol.problems.dialects.rules_readings import Rules
from nlfol.problems.gold import derived
from nlfol.problems.lexicon import BASE
from nlfol.problems.problem import TRUTHS


def problem_of(words: Lexicon, asked: str, *texts: str) -> Problem:
    english = Rules(words)
    statements = tuple(english.read(text)[1] for text in texts)
    return derived(Problem("mine", "rules", "clauses", statements, english.read(asked)[1], TRUTHS, "A"))


def is_same(original: Problem, made: Problem) -> bool:
    ours, theirs = ([each.line for each in (*p.statements, p.question, *p.options)] for p in (original, made))
    return ours == theirs and made.answer == original.answer and derived(made).evidence == original.evidence


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
        # "The former" stands in no two sentences in a row.
        yield from (each._replace(slots=each.slots - OF_TWO) for each in places) if number % 2 else places
        named = dialect.named(sentence)
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
