"""Words of the sentences to train an adapter on, and their forms."""

from collections.abc import Callable
from typing import NamedTuple

NOUNS = [
    "teacher", "nurse", "pilot", "farmer", "singer", "baker", "lawyer", "student", "painter", "neighbour",
    "tourist", "guest", "doctor", "soldier", "poet", "clerk", "judge", "hunter", "dancer", "gardener", "sailor",
    "tailor", "waiter", "chemist", "plumber", "thief", "witness", "twin", "bird", "dog", "cat", "horse", "fox",
    "owl", "spider", "whale", "robot", "engine", "violin", "piano", "kettle", "letter", "novel", "poem", "painting",
    "key", "coin", "ring", "ticket", "candle", "map", "river", "village", "garden", "museum", "school", "hospital",
    "bridge", "castle", "ship", "train", "bicycle", "festival", "storm", "secret", "promise", "rule", "game",
    "song", "recipe", "language", "vegetable", "apple", "lemon", "medicine",
]  # fmt: skip

ADJECTIVES = [
    "tired", "hungry", "kind", "angry", "famous", "rich", "poor", "lazy", "honest", "brave", "clever", "shy",
    "loyal", "jealous", "curious", "polite", "noisy", "quiet", "cheap", "expensive", "broken", "dirty", "clean",
    "wet", "dry", "hot", "cold", "fragile", "dangerous", "safe", "useful", "popular", "ancient", "modern", "legal",
    "foreign", "local", "sweet", "bitter", "poisonous", "edible", "green", "red", "blue", "yellow", "wooden",
    "electric", "asleep", "awake", "married", "employed", "late", "early", "ready", "lost", "hidden", "blind",
    "deaf", "bald", "healthy", "sick", "guilty", "innocent",
]  # fmt: skip

# The base form without its object's preposition, and the third person.
RELATIONS = [
    ("be afraid of", "afraid of"), ("be proud of", "proud of"), ("be married to", "married to"),
    ("be a friend of", "a friend of"), ("be a cousin of", "a cousin of"), ("be the boss of", "the boss of"),
    ("be older than", "older than"), ("be richer than", "richer than"), ("be louder than", "louder than"),
    ("be heavier than", "heavier than"), ("be similar to", "similar to"), ("be angry with", "angry with"),
    ("be loyal to", "loyal to"), ("be jealous of", "jealous of"), ("be a part of", "a part of"),
    ("be made from", "made from"), ("be owned by", "owned by"), ("be taught by", "taught by"),
    ("be in love with", "in love with"), ("be in debt to", "in debt to"), ("be at war with", "at war with"),
    ("be a copy of", "a copy of"), ("be the cause of", "the cause of"), ("be good for", "good for"),
    ("look after", "looks after"), ("work for", "works for"), ("depend on", "depends on"), ("listen to", "listens to"),
    ("belong to", "belongs to"), ("talk about", "talks about"), ("care for", "cares for"), ("look like", "looks like"),
    ("live with", "lives with"), ("agree with", "agrees with"), ("vote for", "votes for"), ("laugh at", "laughs at"),
    ("write to", "writes to"), ("run away from", "runs away from"), ("get along with", "gets along with"),
    ("pay attention to", "pays attention to"), ("have a crush on", "has a crush on"),
]  # fmt: skip

# Of three: what stands before the last two arguments.
TRIPLES = [
    ("introduce", "introduces", "to"), ("compare", "compares", "with"), ("prefer", "prefers", "to"),
    ("protect", "protects", "from"), ("recommend", "recommends", "to"), ("hide", "hides", "from"),
]  # fmt: skip

VARIABLES = "xyzuvw"


class Word(NamedTuple):
    """A predicate: its symbol, kind (noun, adjective, verb), arity, and forms: third person, base, plural noun."""

    symbol: str
    kind: str
    arity: int
    third: str
    base: str
    middle: str = ""

    def glosses(self) -> tuple[str, str]:
        """Return the positive and the negative gloss."""
        of_noun = f"{article(self.base)} " if self.kind == "noun" else ""
        said = f"is {of_noun}{self.base}" if self.kind != "verb" else self.third
        denied = f"is not {of_noun}{self.base}" if self.kind != "verb" else f"does not {self.base}"
        rest = ["", "", " {}", f" {{}} {self.middle} {{}}"][self.arity]
        return "{} " + said + rest, "{} " + denied + rest

    def of(self, *terms: str) -> str:
        """Return an atom."""
        return f"{self.symbol}({', '.join(terms)})"


def article(noun: str) -> str:
    """Return the indefinite article of a noun or adjective."""
    return "an" if noun[0] in "aeiou" else "a"


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    if noun.endswith(("ch", "sh", "ss", "x")):
        return f"{noun}es"
    if noun == "thief":
        return "thieves"
    return f"{noun[:-1]}ies" if noun[-1] == "y" and noun[-2] not in "aeiou" else f"{noun}s"


Meaning = Callable[[str], str]
"""The formula of a phrase about a term."""


class Phrase(NamedTuple):
    """A verb phrase: of one, of several, its negation of one, and what it says of a term."""

    one: str
    many: str
    not_one: str
    meaning: Meaning
