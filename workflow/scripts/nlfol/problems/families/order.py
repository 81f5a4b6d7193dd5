"""Things in a row, in the English of logical deduction.

The depth is the least number of statements that the answer follows from.
"""

from itertools import pairwise
from random import Random

from nlfol.problems.dialects.order import Introduction, Position, Relation, Sentence, line, write
from nlfol.problems.families.drawing import Stratum, attempted
from nlfol.problems.gold import derived
from nlfol.problems.lexicon import Lexicon, Word
from nlfol.problems.problem import Problem, Statement
from nlfol.problems.programs.constraints import arrangements, fewest
from nlfol.randomness import generator

DEPTHS = (1, 6)
SIZES = (3, 5, 7)
QUESTION = "Which of the following is true?"


def draw(seed: int, number: int, depths: tuple[int, int], lexicon: Lexicon) -> Problem:
    """Draw the problem of a number; raises ``FamilyError`` if none is found."""
    least, most = depths
    turn, further = divmod(number, most - least + 1)
    depth = least + further
    sizes = [size for size in SIZES if size > depth]
    size = sizes[turn % len(sizes)]
    # Labels alternate within a depth and size; the first differs, so that small sets have different labels, too.
    label = (turn // len(sizes) + turn % len(sizes) + further) % size
    wanted = Stratum(str(number), label, depth)
    random = generator(seed, "order", *depths, number)
    return attempted(lambda source: _drawn(source, wanted, size, lexicon), random, "order", wanted)


def _drawn(random: Random, wanted: Stratum, size: int, lexicon: Lexicon) -> Problem | None:
    scene = random.choice(list(lexicon.scenes.values()))
    things = [Word(item) for item in random.sample(scene.items, size)]
    row = random.sample(things, size)
    asked = things[wanted.label]
    sentences = _statements(random, row, random.randint(wanted.depth, min(wanted.depth + 2, size)))
    names = [thing.concept for thing in things]
    known = arrangements(size)
    sets = [known.meeting(line(sentence, size), names) for sentence in sentences]
    place = row.index(asked) + 1
    if fewest(sets, known.meeting(f"{asked.concept} == {place}", names), known.all) != wanted.depth:
        return None
    shown, back = _counted(random, place, size)
    stated: list[Sentence] = [Introduction(tuple(things)), *sentences]
    problem = Problem(
        wanted.name,
        "order",
        "constraints",
        tuple(write(sentence, scene, size, lexicon) for sentence in stated),
        Statement(QUESTION),
        tuple(write(Position(thing, shown, back), scene, size, lexicon) for thing in things),
        "ABCDEFG"[wanted.label],
    )
    return derived(problem)


def _counted(random: Random, place: int, size: int) -> tuple[int, bool]:
    """Return a position counted from the nearer end, and whether that is the back."""
    other = size + 1 - place
    back = other < place or (other == place and random.random() < 0.5)
    return (other if back else place), back


def _statements(random: Random, row: list[Word], count: int) -> list[Sentence]:
    """Return true statements about a row, most of them on neighbors, no two of them equal."""
    size = len(row)
    neighbors = [Relation(first, second, after=False) for first, second in pairwise(row)]
    random.shuffle(neighbors)
    by_line: dict[str, Sentence] = {}
    while len(by_line) < count:
        drawn = random.random()
        sentence: Sentence
        if drawn < 0.55 and neighbors:
            sentence = neighbors.pop()
        elif drawn < 0.75:
            first, second = sorted(random.sample(range(size), 2))
            sentence = Relation(row[first], row[second], after=False)
        else:
            place = random.randint(1, size)
            sentence = Position(row[place - 1], *_counted(random, place, size))
        text = line(sentence, size)
        if isinstance(sentence, Relation) and random.random() < 0.5:
            sentence = Relation(sentence.other, sentence.thing, after=True)
        by_line.setdefault(text, sentence)
    return random.sample(list(by_line.values()), count)
