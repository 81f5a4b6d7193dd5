"""Classes within classes in ProntoQA's English: a chain as deep as wanted, with properties and other classes."""

from itertools import pairwise
from random import Random

from nlfol.problems.dialects.taxonomy import QUANTIFIERS, Sentence, clause, write
from nlfol.problems.families.drawing import QUESTION_OF_TWO, Stratum, attempted, distinct, stratum
from nlfol.problems.gold import answered
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import TRUTHS, Problem
from nlfol.problems.programs.clauses import chain, contradiction, derived, truth_of
from nlfol.problems.programs.outcome import Truth
from nlfol.randomness import generator

LABELS = (Truth.TRUE, Truth.FALSE)
DEPTHS = (1, 8)
BEYOND = 2
"""Classes of the chain behind the last that is needed."""


def draw(seed: int, number: int, depths: tuple[int, int], lexicon: Lexicon) -> Problem:
    """Draw the problem of a number; raises ``FamilyError`` if none is found."""
    wanted = stratum(number, len(LABELS), depths)
    random = generator(seed, "taxonomy", *depths, number)
    return attempted(lambda source: _drawn(source, wanted, lexicon), random, "taxonomy", wanted)


def _drawn(random: Random, wanted: Stratum, lexicon: Lexicon) -> Problem | None:
    classes = random.sample(lexicon.group("classes"), wanted.depth + 1 + BEYOND + 3)
    adjectives = random.sample(lexicon.group("adjectives"), len(classes))
    along, beside = classes[:-3], classes[-3:]
    individual = random.choice(lexicon.group("names"))
    target = Sentence(along[wanted.depth - 1], adjectives[0], random.random() < 0.5, _quantifier(random))
    sentences = [target]
    sentences += [Sentence(first, second, quantifier=_quantifier(random)) for first, second in pairwise(along)]
    for index, word in enumerate((*along, *beside), 1):
        if word != target.subject and random.random() < 0.7:
            quality = adjectives[index % len(adjectives)]
            sentences.append(Sentence(word, quality, random.random() < 0.6, _quantifier(random)))
    for word in beside[:2]:
        other = random.choice(beside + along)
        if other != word:
            sentences.append(Sentence(word, other, quantifier=_quantifier(random)))
    sentences.append(Sentence(beside[0], adjectives[0], not target.value, _quantifier(random)))
    excluded = Sentence(target.subject, beside[2], value=False, quantifier=_quantifier(random))
    sentences.append(excluded)
    random.shuffle(sentences)
    sentences.append(Sentence(individual, along[0]))
    clauses = [clause(sentence, line) for line, sentence in enumerate(sentences, 1)]
    known = chain(clauses)
    if not distinct(clauses) or contradiction(known) is not None:
        return None
    truth = LABELS[wanted.label]
    following = Sentence(target.subject, along[wanted.depth])
    stated = random.choices((target, following, excluded), (4, 1, 1))[0]
    asked = Sentence(individual, stated.predicate, stated.value)
    derivation = truth_of(known, asked.literal)
    if derivation.depth != wanted.depth or derivation.truth is Truth.UNKNOWN:
        return None
    if derivation.truth is not truth:
        asked = asked._replace(value=not asked.value)
    statements = tuple(write(sentence, lexicon) for sentence in sentences)
    question = write(asked, lexicon).after(QUESTION_OF_TWO)
    answer = "AB"[wanted.label]
    problem = Problem(wanted.name, "taxonomy", "clauses", statements, question, TRUTHS[:2], answer)
    return answered(problem, lambda: derived(clauses, asked.literal))


def _quantifier(random: Random) -> str:
    return random.choice(QUANTIFIERS)
