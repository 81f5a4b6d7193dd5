"""Rules and facts in ProofWriter's English: a chain of rules as deep as wanted, among others."""

from random import Random

from nlfol.problems.dialects.rules import Conditional, Generic, Phrase, Sentence, clause, write
from nlfol.problems.families.drawing import QUESTION, Stratum, attempted, distinct, stratum
from nlfol.problems.gold import answered
from nlfol.problems.lexicon import Lexicon, Word
from nlfol.problems.problem import TRUTHS, Problem
from nlfol.problems.programs.clauses import Clause, chain, contradiction, derived, truth_of
from nlfol.problems.programs.language import Derivation
from nlfol.problems.programs.outcome import Truth
from nlfol.randomness import generator

LABELS = (Truth.TRUE, Truth.FALSE, Truth.UNKNOWN)
DEPTHS = (0, 6)


def draw(seed: int, number: int, depths: tuple[int, int], lexicon: Lexicon) -> Problem:
    """Draw the problem of a number; raises ``FamilyError`` if none is found."""
    wanted = stratum(number, len(LABELS), depths)
    random = generator(seed, "rules", *depths, number)
    # Drawn once, before anything may fail, so that the question's negation does not correlate with its answer.
    affirms = random.random() < 0.5
    return attempted(lambda source: _World(source, wanted, affirms, lexicon).problem(), random, "rules", wanted)


class _World:
    """The individuals and predicates of one problem."""

    def __init__(self, random: Random, wanted: Stratum, affirms: bool, lexicon: Lexicon) -> None:
        self.random = random
        self.wanted = wanted
        self.lexicon = lexicon
        relational = random.random() < 0.5
        self.people = random.random() < 0.5
        self.individuals = random.sample(lexicon.group("animals" if relational else "names"), random.randint(3, 4))
        self.adjectives = random.sample(lexicon.group("adjectives"), 6 if relational else 8)
        self.verbs = random.sample(lexicon.group("verbs"), 3) if relational else []
        self.truth = LABELS[wanted.label]
        self.affirms = affirms

    def problem(self) -> Problem | None:
        """Draw a problem; None if it does not fit the stratum."""
        facts, rules, last = self._chain()
        facts += [self._phrase(self._individual()) for _ in range(self.random.randint(2, 5))]
        rules += [self._rule() for _ in range(self.random.randint(2, 4))]
        self.random.shuffle(facts)
        self.random.shuffle(rules)
        sentences: list[Sentence] = [*facts, *rules]
        clauses = [clause(sentence, line) for line, sentence in enumerate(sentences, 1)]
        if not distinct(clauses) or any(map(_is_idle, clauses)):
            return None
        asked = self._asked(clauses, last.subject)
        if asked is None:
            return None
        statements = tuple(write(sentence, self.lexicon) for sentence in sentences)
        question = write(asked, self.lexicon).after(QUESTION)
        answer = "ABC"[self.wanted.label]
        problem = Problem(self.wanted.name, "rules", "clauses", statements, question, TRUTHS, answer)
        return answered(problem, lambda: derived(clauses, asked.literal))

    def _chain(self) -> tuple[list[Phrase], list[Sentence], Phrase]:
        """Return facts, the rules that lead from them to the wanted depth, and their conclusion."""
        last = self._phrase(self._individual())
        if not self.wanted.depth:
            last = last._replace(value=self._derived_value)
        facts, rules = [last], list[Sentence]()
        phrases = [last]
        for depth in range(1, self.wanted.depth + 1):
            subject = last.object if last.object and self.random.random() < 0.3 else last.subject
            following = self._phrase(subject)
            if depth == self.wanted.depth:
                following = following._replace(value=self._derived_value)
            conditions = [last]
            if self.random.random() < 0.5:
                second = self._phrase(last.subject)
                known = [phrase for phrase in phrases if phrase.subject == last.subject and phrase != last]
                if known and self.random.random() < 0.5:
                    second = self.random.choice(known)
                else:
                    facts.append(second)
                    phrases.append(second)
                conditions.append(second)
                self.random.shuffle(conditions)
            rules.append(self._said(conditions, following))
            phrases.append(following)
            last = following
        return facts, rules, last

    def _rule(self) -> Sentence:
        """Return a rule that serves no purpose."""
        subject = self._individual()
        conditions = [self._phrase(subject) for _ in range(self.random.randint(1, 2))]
        return self._said(conditions, self._phrase(subject))

    def _said(self, conditions: list[Phrase], conclusion: Phrase) -> Sentence:
        """Return a rule from phrases about one individual: about it alone, or generalized."""
        subject = conditions[0].subject
        if self.random.random() < 0.15:
            return Conditional(tuple(conditions), conclusion)
        phrases = (*conditions, conclusion)
        lifted = [phrase._replace(subject=None) if phrase.subject == subject else phrase for phrase in phrases]
        *body, head = lifted
        plain = all(phrase.object is None for phrase in lifted)
        if plain and all(phrase.value for phrase in body) and head.subject is None and self.random.random() < 0.6:
            qualities = tuple(phrase.predicate for phrase in body)
            return Generic(qualities, head.predicate, head.value, self.random.random() < 0.5, self.people)
        if len(body) == 2 and body[0].object is None and body[1].object is None and body[1].subject is None:
            is_short = self.random.random() < 0.8
            # "Not red and big" may deny both.
            body[1] = body[1]._replace(short=is_short and (body[0].value or not body[1].value))
        return Conditional(tuple(body), head, self.people)

    def _phrase(self, subject: Word | None) -> Phrase:
        value = self.random.random() < 0.85
        if self.verbs and self.random.random() < 0.5:
            others = [word for word in self.individuals if word != subject]
            return Phrase(subject, self.random.choice(self.verbs), self.random.choice(others), value)
        return Phrase(subject, self.random.choice(self.adjectives), None, value)

    def _individual(self) -> Word:
        return self.random.choice(self.individuals)

    @property
    def _wanted(self) -> Derivation:
        is_unknown = self.truth is Truth.UNKNOWN
        return Derivation(self.truth, "no_derivation" if is_unknown else "derivation", self.wanted.depth)

    @property
    def _derived_value(self) -> bool:
        """The value of the literal that is derived, so that the question is as it is to be."""
        return self.affirms != (self.truth is Truth.FALSE)

    def _asked(self, clauses: list[Clause], subject: Word | None) -> Phrase | None:
        """Return a question of the wanted label and depth, preferably about the individual of the chain's conclusion.

        Else what is unknown would be asked of individuals of whom little is said.
        """
        known = chain(clauses)
        if contradiction(known) is not None:
            return None
        literals = [literal for rule in clauses for literal in (*rule.body, *rule.heads)]
        used = {symbol for literal in literals for symbol in (literal.predicate, *literal.arguments)}
        subjects = [word for word in self.individuals if word.concept in used]
        candidates = [Phrase(subject, word) for word in self.adjectives if word.concept in used for subject in subjects]
        candidates += [
            Phrase(subject, verb, other)
            for verb in self.verbs
            if verb.concept in used
            for subject in subjects
            for other in subjects
            if other != subject
        ]
        asked = [phrase._replace(value=self.affirms) for phrase in candidates]
        asked = [phrase for phrase in asked if truth_of(known, phrase.literal) == self._wanted]
        about = [phrase for phrase in asked if phrase.subject == subject] or asked
        return self.random.choice(about) if about else None


def _is_idle(clause: Clause) -> bool:
    """Return whether a rule repeats an atom."""
    atoms = [literal[:2] for literal in (*clause.body, *clause.heads)]
    return len(set(atoms)) < len(atoms)
