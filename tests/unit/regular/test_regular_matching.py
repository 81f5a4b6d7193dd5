"""Whether words are in languages, against Python's ``re``."""

import re
from itertools import product

from benchmarks.regular import pair

from nlfol.regular import Dialect, matches, parse


def test_words_match_as_they_do_in_python() -> None:
    words = ["".join(word) for length in range(6) for word in product("01", repeat=length)]
    for number in range(1, 48, 2):
        text = pair(number).first
        # Python reads a second postfix sign in another way.
        grouped = re.sub(r"(?<=[*+?])(?=[*+?])", "#", text)
        if "#" in grouped:
            continue
        compiled = re.compile(text.replace("ε", "(?:)"))
        tree = parse(text, Dialect.FULL)
        assert [word for word in words if matches(tree, word)] == [w for w in words if compiled.fullmatch(w)]


def test_letters_and_empty_words() -> None:
    assert matches(parse("ab*"), "abb")
    assert not matches(parse("ab*"), "b")
    assert matches(parse("ε|a", Dialect.FULL), "")
    assert not matches(parse("a*"), "ac")
