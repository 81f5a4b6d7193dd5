"""Choices, rankings and words of a closed list, as sentences say them: "I'd go with formula 3".

A sentence counts if it asserts one of what is offered, in words for a choice, and does not deny it, leave it open or
ask. Of several that assert different ones the last that concludes ("so", "therefore", "final") counts; else none does.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from nlfol.tasks.envelopes.hedges import LONGEST, WRONG, is_hedged, is_retracted, with_exceptions, without_certainty

MAX_READ = 8_000
"""Characters at the end of a text that are read."""

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NOUN = (
    r"(?:formulas?|rephrasings?|candidates?|options?|statements?|sentences?|translations?|choices?|numbers?|no\.|#"
    r"|formeln?|formules?|f[óo]rmulas?|формул\w{1,2}|num[ée]ro|nummer|公式)"
)
_NAMED = re.compile(
    rf"(?:\b(?:(?:the|la|die|der|le|el) )?{_NOUN}|#|公式|第)[ ]?(?:(?:number|no\.|num[ée]ro|nummer)[ ])?"
    rf"[*_(#]{{0,3}}(\d{{1,4}}|{'|'.join(_NUMBERS)})\b[*_)]{{0,3}}"
    rf"|\bthe ({'|'.join(_ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th))(?: (?:{_NOUN}|one))?\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![a-zA-Z\d_.,\ue000])\d{1,4}(?![\w])(?!\.\d)")
_SENTENCE = re.compile(
    r"(?<=[.!?;])[ ]|,?[ ](?=(?:but|while|whereas|although|though)\b)|,[ ](?=(?:and |but )?not\b)"
    r"|,[ ](?=so\b|which leaves|leaving)|\n",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"(?<![.!?:;,*_`)\n])\n(?=(?:the|my|answer)\b)")
_DENIAL = (
    r"(?:\b(?:not|never|than|unlike|except|besides|neither|nor|instead of|rather than)|n['’]t)"
    r"(?: (?:be|the|that|as|for|like)){0,3} ?"
)
_DENIED = re.compile(rf"{_DENIAL}(?=\ue000)", re.IGNORECASE)
_OTHER_DENIED = re.compile(
    rf"(?:, ?)?(?:\b(?:and|but) )?{_DENIAL}\ue001(?: (?:or|and|nor) \ue001){{0,9}}(?! that)", re.IGNORECASE
)
_BETWEEN = re.compile(r"\bbetween [^,.]{1,80},|\bof (?:the )?(?:two|both|all)[^,.]{0,40},", re.IGNORECASE)
_OPEN = re.compile(
    rf"{WRONG}"
    r"|\b(?:not|never|neither|either|nor|or|if|unless|except|against|exclude|reject|omit|avoid|ignore|step|someone"
    r"|somebody|you (?:chose|picked|said|ask\w*)|your|please|such as|whether|perhaps|maybe|possibly|might|may|could"
    r"|nothing|nobody|no one|anything|everything|doubt\w*|unsure|hesitate|between|excluded|second best|comes? second"
    r"|both|equally|guess|one might|hard|rather|cannot|rule[sd]? out|eliminated?|discarded?|worst|least|opposite"
    r"|negation|converse|hardly|scarcely|barely|toss|plausible|expect|too|for (?:example|instance))\b|n['’]t\b",
    re.IGNORECASE,
)
_GOOD = (
    r"(?:correct|right|best|closest|closer|most (?:similar|accurate|faithful|precise)|match(?:es)?"
    r"|answer|equivalent|captures?|expresses|corresponds|says (?:the same|exactly)|fits|remains|choice|it|the one)"
)
_HENCE = r"(?: (?:therefore|thus|hence|then|daher|also|somit|donc))?"
_CHOSEN = re.compile(
    r"\b(?:(?:go(?:ing)?|goes|vote) (?:with|for|to)|pick|choose|chose|select|settle (?:on|for)|opt for|take"
    r"|decide (?:on|for)|say|leav(?:es|ing)(?: us)?(?: with)?(?: only)?|w[äa]hle|choisis|retiens|elijo) \ue000"
    r"|\ue000 (?:wins|survives|remains|prevails|comes first)\b|answer\(\ue000\)|\bonly \ue000 (?:is left|remains)\b"
    r"|\b(?:würde|möchte) \ue000 (?:wählen|nehmen)\b"
    rf"|\b(?:answer|choice|pick|match|one|similar|closest|best|translation|formula|selection|verdict|correct|right"
    r"|antwort|r[ée]ponse|respuesta|risposta|resposta)\b"
    rf"[^.\ue000\ue001]{{0,60}}?(?:\b(?:is|are|was|be|ist|lautet|est|es|é)\b{_HENCE}|['’]s\b|[è:=→–-])[^\w\ue000]{{0,4}}\ue000"
    r"|(?:答案|选|選)[^.\ue000\ue001不]{0,9}\ue000"
    rf"|\ue000[^\w\ue000]{{0,4}}(?:is|are|was|['’]s)?\b[^.\ue000\ue001;:]{{0,30}}?\b{_GOOD}\b"
    r"|\A(?:so )?\ue000 it is\b|\A[^\w\ue000]{0,8}(?:so|but|thus|hence|therefore|then|finally|clearly|definitely"
    r"|certainly|without doubt|best|only|(?:selected|selection|pick|decision|output)[:=→])?[^\w\ue000]{0,4}"
    r"(?:it['’]s |it (?:is|has to be|must be) |that['’]s |that is |that leaves |we get )?\ue000[^\w\ue000]{0,8}\Z",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|therefore|final(?:ly)?|in the end|conclude|answer|corrected|revised)\b", re.IGNORECASE
)
_WORD_SAID = re.compile(
    r"\b(?:it|that|this|the (?:statement|conclusion|answer|claim|sentence|verdict|result|hypothesis|query"
    r"|question))(?:['’]s| is| must be| would be| has to be| comes out as| turns out(?: to be)?"
    r"| can only be)(?: (?:\w{1,20}ly|therefore|thus|hence|then))?[^\w\ue000]{1,4}\ue000(?! (?:that|for|of|in|to)\b)"
    r"|\b(?:go(?:ing)? with|conclude:?|I['’]d say|I(?: would)? say|makes (?:it|the (?:statement|conclusion|answer|claim"
    r"|sentence))) \ue000|\A[^\w\ue000]{0,4}\ue000 it is\b|\b(?:answer|verdict|conclusion|result|judge?ment|statement"
    r"|truth value|final|label|decision|prediction|antwort|r[ée]ponse|respuesta|risposta|resposta)\b"
    rf"[^.\ue000\ue001]{{0,40}}?(?:\b(?:is|be|ist|lautet|est|es|é)\b{_HENCE}|[è:=→])"
    r"[^\w\ue000]{0,4}\ue000|\bwe get[^\w\ue000]{1,3}\ue000"
    r"|\A[^\w\ue000]{0,8}(?:so|but|thus|hence|therefore|clearly|in the end|we (?:get|have|obtain)"
    r"|it follows[^:\ue000]{0,60}:?)?"
    r"(?:,? so)?[^\w\ue000]{0,4}\ue000(?:[^\w\ue000]{0,8}\Z| ?[,;–—-] ?(?:because|since|as|it|see|for)\b| ?\((?!or\b))",
    re.IGNORECASE,
)
_ROW = re.compile(
    rf"[ >*•|-]{{0,8}}\(?(\d{{1,3}})(?:(?:st|nd|rd|th)?(?: place)?[.):]\*{{0,2}}| ?\|) ?(?:{_NOUN} ?)?"
    r"[*_#(]{0,4}(\d{1,4})\b",
    re.IGNORECASE,
)
_ITEM = re.compile(rf"^ {{0,4}}[-*•] (?:{_NOUN} ?)?[*_#(]{{0,4}}(\d{{1,4}})\b", re.IGNORECASE | re.MULTILINE)
_COUNTED = re.compile(r"\b(?:out of|of|all)(?: the)? \d{1,4}(?: others?)?(?! is| are)\b", re.IGNORECASE)
"""Numbers of candidates, which name none."""
_SHORT_NAME = re.compile(r"\b[FRCS]_?(?=\d{1,3}\b)")
_ORDINAL_PLACES = re.compile(
    rf"\b({'|'.join(_ORDINALS)}|last)\b(?: place\b)?\W{{0,4}}(?:{_NOUN} ?)?(\d{{1,4}})\b", re.IGNORECASE
)
_RANKED = re.compile(
    r"\b(?:sorted|similar\w*|rank\w*|order\w*|answer|result|best|most|list|so|therefore|get|end up with|makes|final"
    r"|corrected|revised|reihenfolge|rangfolge|ordre|orden|ordine|classement)\b|顺序|排序|^\W*$",
    re.IGNORECASE,
)
_CHAIN = re.compile(
    r"(?<!\d)\d{1,4}(?: (?:comes|is|goes) (?:first|(?:the )?(?:closest|best|most similar)))?"
    r"(?:(?: ?[,>→⟶≥≻;–-] ?(?:(?:then|and|followed by|at the end|finally|lastly) ){0,3}"
    r"| then | and | followed by |\n)\d{1,4}){1,30}(?!\d)"
)
_VERDICT = re.compile(
    rf"(?:^|[,;])[\s|>*•-]{{0,8}}(?:{_NOUN} ?)?\(?(\d{{1,4}})\b(?:[^\n\d,;]{{0,60}}?(?:([✓✔✅☑])|[✗❌✘×])"
    r"|[:.)|* –—-]{1,6}(?:(yes|correct)|no|wrong|incorrect)\W{0,4}$)",
    re.IGNORECASE | re.MULTILINE,
)
"""A row of a list or table with a verdict on a number: the second group holds a good one."""


_EMPHASIS = re.compile(r"[*_`\"“”„«»${}]|\\boxed")
_TO_LEAST = re.compile(
    r"(?:\bto|->|→) (?:the )?(?:least|worst)\b|\A(?:is )?(?:the )?least similar\Z|\A\W?(?:worst|least)\Z", re.IGNORECASE
)
_REVERSED = re.compile(
    r"\b(?:least (?:similar )?to most|worst (?:to best|first)|least similar first|ascending|increasing"
    r"|closest (?:one )?(?:\w{1,9} ){0,2}(?:last|end)|reversed?|wrong)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(r"\b(?:someone|somebody|others?|you|they|he|she)\b", re.IGNORECASE)
_REASON = re.compile(r"(?<=\ue000),? (?:because|since|as|so that)\b")
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"[ ]?\n\s*")


def number_named(text: str) -> int | None:
    """Return the number that a text is as a word: "three", "third"; None where it is none."""
    word = text.strip(" .!#()").casefold().removeprefix("the ")
    listed = next((words for words in (_NUMBERS, _ORDINALS) if word in words), None)
    return None if listed is None else listed.index(word) + 1


def number_told(text: str, offered: Sequence[int]) -> int | None:
    """Return the number that a text chooses among those offered; None where it chooses none or several."""
    first, other = "\ue000", "\ue001"
    told: list[tuple[int, bool]] = []
    verdicts = [(int(match[1]), match[2] or match[3]) for match in _VERDICT.finditer(_smooth(text))]
    good = [number for number, is_good in verdicts if is_good and number in offered]
    if len(verdicts) > len(good) == 1:
        return good[0]
    for sentence in _sentences(text):
        numbers = [_number(match) for match in _NAMED.finditer(sentence)]
        marked = _NAMED.sub(first, sentence)
        if not numbers:
            numbers = [int(match[0]) for match in _BARE.finditer(sentence)]
            marked = _BARE.sub(first, sentence)
        if not numbers or len(numbers) > 10:
            continue
        for place, number in enumerate(numbers):
            if number not in offered:
                continue
            parts = marked.split(first)
            only = other.join(parts[: place + 1]) + first + other.join(parts[place + 1 :])
            if _asserts(only, _CHOSEN):
                told.append((number, _CONCLUDES.search(only) is not None))
    settled: int | None = _settled(told)
    return settled


def word_told(text: str, offered: Sequence[str]) -> str | None:
    """Return the word that a text gives as its answer among those offered; None where it gives none or several."""
    by_word = {word.casefold(): word for word in offered}
    listed = re.compile(rf"\b(?:{'|'.join(map(re.escape, by_word))})\b", re.IGNORECASE)
    told: list[tuple[str, bool]] = []
    for sentence in _sentences(text):
        for match in listed.finditer(sentence):
            rest = listed.sub("\ue001", sentence[match.end() :])
            only = listed.sub("\ue001", sentence[: match.start()]) + "\ue000" + rest
            if _asserts(only, _WORD_SAID):
                told.append((by_word[match[0].casefold()], _CONCLUDES.search(only) is not None))
    settled: str | None = _settled(told)
    return settled


def order_told(text: str, offered: Sequence[int]) -> list[int] | None:
    """Return the ranking that a text gives, of all that is offered; None where it gives none or several."""
    wanted = sorted(offered)
    text = _SHORT_NAME.sub("", text)
    told: list[tuple[tuple[int, ...], bool]] = []
    read = _smooth(text)
    for match in _CHAIN.finditer(read):
        order = tuple(map(int, re.findall(r"\d+", match[0])))
        start = max(read.rfind("\n", 0, match.start()), read.rfind(". ", 0, match.start())) + 1
        before = read[start : match.start()]
        after = re.split(r"[\n]|[.!;](?:\s|$)", read[match.end() :], maxsplit=1)[0]
        plain, after = _TO_LEAST.sub("", without_certainty(before)), _TO_LEAST.sub("", after.strip())
        is_ranked = _RANKED.search(before) or re.search(r" first| closest| best| most", match[0])
        is_open = (
            _OTHERS.search(before)
            or is_hedged(before.rstrip(" :"))
            or _REVERSED.search(before)
            or any(map(_OPEN.search, (plain, after)))
        )
        if sorted(order) == wanted and not is_open and not re.search(r"\?|would be|\bwas\b", after) and is_ranked:
            label = re.search(r"\b(?:final|corrected|revised|therefore|so)\b", before, re.IGNORECASE)
            told.append((order, label is not None))
    rows = [(int(row[1]), int(row[2])) for row in map(_ROW.match, read.splitlines()) if row is not None]
    rows = rows or [(_place(row[1].casefold(), len(wanted)), int(row[2])) for row in _ORDINAL_PLACES.finditer(read)]
    items = [int(match[1]) for match in _ITEM.finditer(read)]
    rows = rows or list(enumerate(items, 1))
    for start in range(0, len(rows), len(wanted)):
        block = rows[start : start + len(wanted)]
        if [place for place, _ in block] == list(range(1, len(wanted) + 1)):
            order = tuple(number for _, number in block)
            if sorted(order) == wanted:
                told.append((order, False))
    settled = _settled(told)
    return None if settled is None else list(settled)


def _place(word: str, count: int) -> int:
    return count if word == "last" else _ORDINALS.index(word) + 1


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences behind the last one that withdraws what was said."""
    sentences = [
        part
        for part in _SENTENCE.split(with_exceptions(_COUNTED.sub("", _smooth(text).replace("e.g.", "for example"))))
        if part.strip()
    ]
    first = 0
    for number, sentence in enumerate(sentences):
        if is_retracted(sentence) is not None:
            first = number
    yield from sentences[first:]


def _smooth(text: str) -> str:
    """Return the end of a text with single blanks, in which a sentence that goes on in the next line is one line."""
    return _GOES_ON.sub(" ", _LINES.sub("\n", _BLANKS.sub(" ", text[-MAX_READ:])))


def _number(match: re.Match[str]) -> int:
    word = (match[1] or match[2]).casefold()
    if word[0].isdecimal():
        return int(word.rstrip("stndrh"))
    return (_NUMBERS.index(word) if word in _NUMBERS else _ORDINALS.index(word)) + 1


def _asserts(sentence: str, pattern: re.Pattern[str]) -> bool:
    """Return whether a sentence asserts what is marked in it."""
    plain = without_certainty(_EMPHASIS.sub("", sentence[:LONGEST])).strip()
    plain = _BETWEEN.sub("", _REASON.split(plain)[0])
    if "\ue000" not in plain or plain.endswith("?") or _DENIED.search(plain):
        return False
    others = _OTHER_DENIED.sub("", plain)
    match = pattern.search(others)
    if match is None or is_hedged(others[: match.start()].rstrip(" :")):
        return False
    return _OPEN.search(others) is None


def _settled(told: Sequence[tuple[Any, bool]]) -> Any:
    """Return what all agree on, or the last that concludes if all that do agree; None else."""
    values = [value for value, _ in told]
    concluding = [value for value, concludes in told if concludes]
    for candidates in (values, concluding):
        if candidates and all(value == candidates[0] for value in candidates):
            return candidates[0]
    return None
