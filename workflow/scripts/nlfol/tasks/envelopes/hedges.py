"""Sentences that leave open what the answer is, or deny it: "I cannot say whether the answer is 3" gives none."""

import re

_SENTENCE = re.compile(r"[.!?](?=\s)|\b(?:but|so|thus|hence|therefore|however|yet|still|and)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:—–]")
_CERTAIN = re.compile(
    r"\b(?:(?:no|without(?: an?y?)?|beyond(?: an?y?)?) doubt|(?:do not|don['’]t|can ?not|can['’]t) (?:be )?doubt(?:ed)?"
    r"|only if)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:whether|if|unless|perhaps|maybe|possibly|might|may|could|doubt\w*|unsure|uncertain|unclear|unlikely|unable"
    r"|deny|disagree|sorry|impossible|hard(?:ly)?|difficult|nobody|no one|never|neither"
    r"|(?:wrong|false|incorrect|untrue) (?:that|to)"
    r"|(?:not|can ?not|\w+n['’]t) (?:\S+ ){0,3}?(?:sure|certain|clear|confident|convinced|know|think|believe|say|tell"
    r"|determine|decide|see|agree|claim|conclude|confirm|guarantee|assume|suppose|accept|give|provide|name|true|right"
    r"|correct|the case|likely|possible))\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\s*(?:\w+ly\s+)?not\b", re.IGNORECASE)
_FINISHED = re.compile(r"[.!?:;,*_`)]\s*$")
_GOES_ON = re.compile(r"\s*(?:the|my|answer)\b")

LONGEST = 1_000
"""Characters before a label that are looked at."""


def without_certainty(text: str) -> str:
    """Return a text without the words that say the opposite of doubt: "I do not doubt"."""
    return _CERTAIN.sub("", text)


def is_hedged(before: str) -> bool:
    """Return whether words before "the answer is" leave open or deny that it is."""
    sentence = _SENTENCE.split(_CERTAIN.sub("", before[-LONGEST:]))[-1]
    clause = _CLAUSE.split(sentence)[-1]
    return _HEDGE.search(sentence if clause.lstrip().startswith("that") else clause) is not None


def is_denied(label: str, after: str) -> bool:
    """Return whether a label that ends with "is" is followed by "not"."""
    return label.rstrip()[-2:].casefold() == "is" and _DENIED.match(after) is not None


def sentence_before(previous: str, line: str) -> str:
    """Return the line before if its sentence goes on with a label that begins a line; else nothing."""
    return f"{previous[-LONGEST:]} " if _GOES_ON.match(line) and not _FINISHED.search(previous[-LONGEST:]) else ""


_RETRACTED = re.compile(
    r"^\W*(?:(?:hmm+|oh|ah|ok(?:ay)?|well|but|and|sorry)\W+){0,2}"
    r"(?:no,? wait\b|wait,? (?:no\b|that|this)|no[.,!:]|hold on\b|scratch that\b|oops\b|correction\b"
    r"|I (?:made a|was wrong|mixed|misread|take (?:that|it) back|give up)|(?:that|this|it)(?:['’]s| is| was"
    r"| would be)? ?(?:n['’]t|not)(?: (?:right|"
    r"correct|what|quite|how|good|it|the (?:answer|meaning|translation|formula|right|correct))|[.!]?\s*$)"
    r"|(?:that|this|it)(?:['’]s| is| was)(?: \w+ly)? (?:wrong|incorrect|off|mistaken|a mistake))",
    re.IGNORECASE,
)
_RECONSIDERED = re.compile(
    r"^\W*(?:(?:hmm+|oh|ah|ok(?:ay)?|well|but)\W+){0,2}(?:wait|actually|on second thought"
    r"|let me (?:correct|revise|re-?check|re-?consider|re-?think)|rather)\b",
    re.IGNORECASE,
)


def is_retracted(sentence: str) -> bool | None:
    """Return whether a sentence withdraws what was said before it; None where it does not.

    False where it does so only if something is said instead: "actually, …".
    """
    if _RETRACTED.search(sentence[:LONGEST]):
        return True
    return False if _RECONSIDERED.search(sentence[:LONGEST]) else None


_REPLACED = re.compile(
    r"\b(?:no,? wait|wait,? no|wait\b|correction|I mean|scratch that|hold on|oops|no[,:])", re.IGNORECASE
)


def is_replaced(between: str) -> bool:
    """Return whether words between two answers of a sentence withdraw the first: "3, no, wait: 4"."""
    return _REPLACED.search(between[:LONGEST]) is not None


_TURN = re.compile(r"(?:^|[.!?…\n]|\s[—–-]\s)[ \t*_]*", re.MULTILINE)
_TURNED = re.compile(
    r"(?:(?:hmm+|oh|ah|ok(?:ay)?|well|sorry|but)[\s,.!…]+){0,2}"
    r"(?:(?:no,? wait|wait,? no|no|wait|hold on|scratch that|oops|correction"
    r"|actually|on second thought)\b(?! (?:other|one|formula|two))[\s,.:!…—–-]*)(?:(?:no|wait)\b[\s,.:!…]*)?",
    re.IGNORECASE,
)
_MILD = re.compile(r"\W*(?:hmm+\W+)?(?:actually|no\b(?!,? wait)|wait\b(?!,? no))", re.IGNORECASE)


def last_turn(text: str) -> tuple[int, int, bool] | None:
    """Return where the last words that withdraw an answer begin and end, and whether they do so for sure."""
    last = None
    for start in _TURN.finditer(text):
        match = _TURNED.match(text, start.end())
        if match is not None and match.end() > match.start():
            last = match.start(), match.end(), not _MILD.match(match[0])
    return last
