"""Expressions of concepts in plain form, so that articles and inflection tell none apart."""

import re


def plain_expression(text: str) -> str:
    """Return what tells an expression: its words without articles, forms of "be", a leading "to" and inflection.

    So "the Lions", "is cold" and "to chase" are "lion", "cold" and "chase", as stems that are no words.
    """
    words = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]", text.casefold())
    content = [word for index, word in enumerate(words) if word not in _UNTOLD and not (word == "to" and not index)]
    return " ".join(map(_stem, content or words))


_UNTOLD = frozenset(["a", "an", "the", "be", "am", "is", "are", "was", "were", "been", "being"])


def _stem(word: str) -> str:
    """Return a word without the endings of regular plurals and verbs, and what these change."""
    word = re.sub(r"['’]s?$", "", word)
    if re.search(r"..ies$", word):
        word = f"{word[:-3]}y"
    elif re.search(r"(?:[sxz]|ch|sh)es$", word):
        word = word[:-2]
    elif re.search(r"..[^sui]s$", word):
        word = word[:-1]
    else:
        before = word.removesuffix("ing" if word.endswith("ing") else "ed")
        word = before if re.search(r"[aeiouy].", before) else word
    return re.sub(r"([^aeiou])\1$", r"\1", re.sub(r"(?<=..)e$", "", word))
