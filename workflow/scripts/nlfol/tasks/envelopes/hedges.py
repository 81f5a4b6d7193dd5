"""Sentences that leave open what the answer is, or deny it: "I cannot say whether the answer is 3" gives none.

The words by which answers are denied, attributed to others, corrected or taken back stand here once, as parts of
regular expressions; the readers of formulas, choices and labels add only what is their own.
"""

import re

NOT = r"(?:\b(?:not|never|neither|nor|cannot|nicht|kein\w{0,2}|n['’]est pas|no es|não|non è)\b|n['’]t\b|不是|不)"
"""Words that deny what stands beside them."""
WRONG = (
    r"(?:\b(?:wrong(?:ly)?|incorrect(?:ly|[ao])?|invalid|mistaken(?:ly)?|mistakes?|erroneous|nonsens\w{0,4}|flawed|inaccurate"
    r"|backwards|inadequate|misread\w{0,3}|reject(?:ed)?"
    r"|careless|too (?:weak|strong|broad|narrow)|miss(?:es|ed)|fails?|falsch|faux|fausse|неверн\w{1,3})\b|错误?)"
)
"""Words for what is no right answer."""
OTHERS_SAY = (
    r"(?:(?<!which )(?<!that )\b(?:he|she|they|others?|people|somebody|someone|everyone|colleagues?|friends?|teachers?"
    r"|professors?|students?|models?|solvers?|books?|key|beginners?|critics?|assistants?)\b(?: \w{1,20}){0,3}?"
    r" (?:think|say|believe|claim|write|answer|suggest|argue|propose|insist|put|translate|use|choose|pick)s?\b"
    r"|\baccording to (?!(?:the|this|that|your|our|my) (?!author|book|teacher|professor|student))"
    r"|\bsome (?:\w{1,20} )?(?:would|might|may|will)\b)"
)
"""An answer that somebody else gives."""
RELATED = (
    r"(?:\b(?:negation|converse|inverse|opposite|contrary|contrapositive|dual|antecedent|consequent|conjuncts?|disjuncts?"
    r"|sub-?formulas?|part of|half|fragment|counter-?examples?)\b)"
)
"""Words for a formula by its relation to the answer, of which it is a part or something else."""
COUNTERFACTUAL = r"(?:\b(?:if|had|were)\b.{1,80}\b(?:were|was|had|would|might|could)\b|\b(?:suppose|assume|imagine)\b)"
"""An answer to another question."""
SURELY_TURNED = (
    r"(?:no,? wait|wait,? no|hold on|scratch that|strike that|oops|correction|edit(?=:)|update(?=:)|erratum"
    r"|my (?:mistake|bad)|I mean[ts]?)"
)
TURNED = rf"(?:{SURELY_TURNED}|no|wait|actually|on second thought|rather)"
"""Words that take an answer back; those that are no surer than "wait" do so only if another follows."""
_MUSING = r"(?:(?:hmm+|oh|ah|ok(?:ay)?|well|but|and|so|sorry|actually|wait|here|no)\b[\s,.!…]*){0,3}"

_SENTENCE = re.compile(r"[.!?](?=\s)|\b(?:but|so|thus|hence|therefore|however|yet|still|and)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:—–]")
_CERTAIN = re.compile(
    r"\b(?:(?:no|without(?: an?y?)?|beyond(?: an?y?)?) doubt|(?:do not|don['’]t|can ?not|can['’]t) (?:be )?doubt(?:ed)?"
    r"|only if|(?:if|unless) I(?:['’]m| am)(?: not)? mistaken)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:whether|if|unless|perhaps|maybe|possibly|might|may|could|doubt\w*|unsure|uncertain|unclear|unlikely|unable"
    r"|deny|disagree|sorry|impossible|hard(?:ly)?|difficult|nobody|no one|never|neither|(?:wrong|false|incorrect"
    r"|untrue) (?:that|to)|(?:not|can ?not|\w+n['’]t) (?:\S+ ){0,3}?(?:sure|certain|clear|confident|convinced|know"
    r"|think|believe|say|tell|determine|decide|see|agree|claim|conclude|confirm|guarantee|assume|suppose|accept|give"
    r"|provide|name|true|right|correct|the case|likely|possible))\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\s*(?:\w+ly\s+)?not\b", re.IGNORECASE)
_FINISHED = re.compile(r"[.!?:;,*_`)]\s*$")
_GOES_ON = re.compile(r"\s*(?:the|my|answer)\b")

_ALL_BUT = re.compile(r"\b(?:all|any|every|none|no)(?:thing|one|body)?((?: \w{1,12}){0,2}) but\b", re.IGNORECASE)

LONGEST = 1_000
"""Characters before a label that are looked at."""


def with_exceptions(text: str) -> str:
    """Return a text in which "anything but" is "except", so that "but" begins a clause wherever it stands."""
    return _ALL_BUT.sub(r"\1 except", text)


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


_LEAD = (
    r"(?:(?:on|upon|in|after|so|looking|thinking|come|then|unfortunately|however|though|yet|still)\b"
    r"(?:[ ][^\s,.]{1,20}){0,5}?,?[ ])?"
)
"""Words before a sentence that looks back: "on reflection", "looking at it again"."""
_RETRACTED = re.compile(
    rf"^\W*{_MUSING}(?:{SURELY_TURNED}\b|wait,? (?:that|this)|no[.,!:]|{_LEAD}(?:I (?:made an?|was wrong|mixed|misread"
    r"|misspoke|take (?:that|it) back|give up|have to retract|retract|withdraw|no longer|doubt|(?:do not|don['’]t"
    r"|cannot|can['’]t) (?:believe|think|trust|stand|vouch|recommend))|(?:that|this|it)(?:['’]s| is| was| would be"
    r"| does| do| did| can)? ?(?:n['’]t|not)(?: (?:right|correct|what|quite|how|good|enough|adequate|it|be"
    r"|the (?:answer|meaning|translation|formula|right|correct|same)|say|mean|express|capture|work|fit|match)"
    rf"|[.!]?\s*$)|(?:the|this|my) (?:answer|formula|translation)(?: above)?"
    rf" (?:(?:is |was )?{WRONG}|(?:is|was|does) ?(?:n['’]t|not) (?:right|correct|work|fit|match|hold))"
    rf"|(?:that|this|it)(?:['’]s| is| was| would be)(?: \w+ly)?(?: an?)? (?:{WRONG}|off\b)))",
    re.IGNORECASE,
)
_RECONSIDERED = re.compile(
    rf"^\W*{_MUSING}(?:(?:{TURNED}|(?:my )?apologies|let me (?:correct|revise|re-?check|re-?consider|re-?think))\b"
    rf"|(?:that|this|it|which) (?:should|ought to|must) (?:have been|be|read|say)\b)",
    re.IGNORECASE,
)


def is_retracted(sentence: str) -> bool | None:
    """Return whether a sentence withdraws what was said before it; None where it does not.

    False where it does so only if something is said instead: "actually, …".
    """
    if _RETRACTED.search(sentence[:LONGEST]):
        return True
    return False if _RECONSIDERED.search(sentence[:LONGEST]) else None


_REPLACED = re.compile(rf"\b(?:{SURELY_TURNED}|wait|no(?=[,:]))", re.IGNORECASE)


def is_replaced(between: str) -> bool:
    """Return whether words between two answers of a sentence withdraw the first: "3, no, wait: 4"."""
    return _REPLACED.search(between[:LONGEST]) is not None


_TURN = re.compile(r"(?:^|[.!?…\n]|\s[—–-]\s)[ \t*_]*", re.MULTILINE)
_TURNED = re.compile(
    rf"{_MUSING}{TURNED}\b(?! (?:other|one|formula|two|than))[\s,.:!…—–-]*(?:(?:no|wait)\b[\s,.:!…]*)?", re.IGNORECASE
)
_SURE = re.compile(rf"\b{SURELY_TURNED}\b", re.IGNORECASE)


def last_turn(text: str) -> tuple[int, int, bool] | None:
    """Return where the last words that withdraw an answer begin and end, and whether they do so for sure."""
    last = None
    for start in _TURN.finditer(text):
        match = _TURNED.match(text, start.end())
        if match is not None and match.end() > match.start():
            last = match.start(), match.end(), _SURE.search(match[0]) is not None
    return last
