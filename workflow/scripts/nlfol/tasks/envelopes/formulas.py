"""Finding the formula that a text gives as its answer, whatever stands around it.

Every closed formula over the signature is replaced by a mark. What the sentence around a mark says then tells whether
the formula is asserted: not if it is denied, doubted, asked, or an example. Of those that are asserted the ones behind
the best label count: *final*, *corrected*, *revised*; then any label or heading; then none. A correction ("wait", "that
is wrong") withdraws what stands before it. Several that are left must be proven equivalent.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.equivalence import equivalence
from nlfol.logic.measuring import Signature
from nlfol.logic.reading.finding import Span, closed_formula, formulas_in
from nlfol.logic.syntax import Not, distinct_subformulas
from nlfol.tasks.envelopes.hedges import (
    COUNTERFACTUAL,
    NOT,
    OTHERS_SAY,
    RELATED,
    WRONG,
    is_hedged,
    is_replaced,
    is_retracted,
    with_exceptions,
    without_certainty,
)
from nlfol.tasks.envelopes.liberties import ContradictionError, MisfitError

MAX_SEARCHED = 20_000
"""Characters at the end of a text in which formulas are sought."""
_MOST_FORMULAS = 6
"""Different formulas that are compared."""
_LONGEST_LABEL = 4
"""Blanks in a label without a sign behind it."""
_BUDGET = 50_000
"""Z3's ``rlimit`` for a comparison of two."""

_FIRST = 0xE000
_MARKED_AS_ANSWER = 3
"""The least rank of a formula that a label marks."""
_MOST_MARKS = 6_000
_MARK = re.compile("[\ue000-\uf8ff]")
_DRESS = re.compile(r"[*_`\"“”„«»$|✅➡️👉🟢✔☑]+|\\[()\[\]]|</?[a-z_]{1,20}>|\{|\}", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_QUOTED = re.compile(r"[\"“][^\"“”\n\ue000-\uf8ff]{1,400}[\"”](\s?:)?")
_STATED = re.compile(
    r"(?<![A-Za-z])(?:(?:theorem|lemma|proposition|axiom|definition|goal)(?: \w{1,40})? ?:?|(?-i:example) :) ?"
    r"[\"“]?([\ue000-\uf8ff])[\"”]?"
    r"(?: ?:= ?(?:by\s+)?sorry(?![a-z])|\.(?= ?[a-z,?.]))?|\(assert ([\ue000-\uf8ff])\)",
    re.IGNORECASE,
)
"""A theorem of Lean, Coq or Isabelle around its formula, or an assertion of SMT-LIB."""
_SENTENCE = re.compile(
    r"(?<=[.!?])[ ]|(?<=\w;)[ ]|,[ ](?=so\b)|,[ ]yet\b|,?[ ](?:but|while|whereas|although|though)\b",
    re.IGNORECASE,
)
_STRUCK = re.compile(r"~~(?=\S)(?:[^~\n]|~(?!~)){1,4000}(?<=[^\s(])~~(?=[\s.,;]|\Z)")
_LISTED = re.compile(r"(?:[-•]|\(?\w{1,2}[.)])? ?[\ue000-\uf8ff]")
_BULLETED = re.compile(r"(?:[-•]|\(?\w{1,2}[.)])")
"""Lines of a list, which stay under its heading: with the next line's formula, or with a bullet."""
_BOX = re.compile(r"\\boxed\b")

_BEST = re.compile(
    r"\b(?:final(?:ly)?|correct(?:ed|ion)?|revised|updated|better|fixed|improved|right)\b(?!\s+to\b)|\bboxed\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\b(?:answer|formula\w*|translat\w+|result|solution|output|fol|logic\w*|expression|conclusion|form|symbols?"
    r"|written|expressed|antwort|r[ée]ponse|respuesta|resposta|risposta|lösung|ответ)\b|答案|回答|答え",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\b(?:thus|therefore|hence|so|in sum|to summarize|combined?|combining|together|altogether"
    r"|we (?:get|obtain|have|arrive at|end up with)|(?:turns into|becomes|gives|yields|leads to|results in))\b|∴",
    re.IGNORECASE,
)
_CONFIRMED = re.compile(
    r"(?:(?:and|so|thus|hence|therefore|yes),? )?(?:this|that|it|which)(?:(?: is|['’]s) (?:thus |therefore )?(?:my|the)"
    r" (?:final |correct )?(?:answer|formula|translation|formali[sz]ation|one)|(?: is|['’]s) (?:it|right|correct)"
    r"| (?:works|fits))[.!]?",
    re.IGNORECASE,
)
"""A sentence that makes an answer of the formula before it."""
_ARGUMENT = re.compile(r"^[^\w\n]{0,9}(?:assistant:[^\w\n]{0,9})?premises?\b", re.IGNORECASE | re.MULTILINE)
_PART = re.compile(
    r"^[^\w\n]{0,9}(?:premises?|facts?|rules?|conclusion|query|goal|hypothesis|question)\b(?! is\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""Headings of an argument's parts, none of which labels an answer."""
_WEAK = re.compile(
    r"\b(?:drafts?|initial(?:ly)?|first (?:attempt|try|draft|version|pass)|attempt|candidates?|naive|premise|rule)\b",
    re.IGNORECASE,
)
_SOMEBODYS = (
    r"(?:\b(?!(?:it|that|what|here|there|let|sentence|statement|claim|problem|question|today)['’])\w{2,20}['’]s?"
    r" (?:\w{1,20} )?(?:answer|formula|version|translation|solution|attempt|guess|suggestion|reading)\b)"
)
_DOUBTED = re.compile(
    rf"{WRONG}|{OTHERS_SAY}|{COUNTERFACTUAL}|{RELATED}|{_SOMEBODYS}|\A(?:had|were)\b"
    r"|\b(?:you (?:gave|wrote|said|had)|your own|in (?:the |your )?(?:request|question|prompt)|error(?= :)|either"
    r"|neither|nor|nobody|no one|somebody|someone|tempt\w{2,4}|errors?"
    r"|for (?:instance|example)|such as|examples?|thought (?:of|about|that)|first (?:idea|thought)|considered"
    r"|hesitate|refuse|reject(?:ed)?|which is better|not true|false that|(?:about|going) to say|almost|nearly"
    r"|(?:bad|poor|old|earlier|previous|rejected)(?= ?(?:\Z|:|answers?|formulas?|translations?|versions?))"
    r"|weaker|stronger|impl(?:y|ies)|entails?|follows from|rather not|alternatives?|possible|possibly|options?|choices?"
    r"|(?:do|does|did|should|would|can|could|will|must) ?(?:not|n['’]t)|(?:is|was|are|were)(?: not|n['’]t))\b|e\.g\.",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r"\b(?:that|which) you \w|\bfor (?:instance|example)\b|\bexample of\b|\be\.g\.", re.IGNORECASE)
_RENDERED = re.compile(
    r"\b(?:can|could|may|might|would)(?: also| then)? be (?:\w{1,20}ly )?(?:written|expressed|translated|stated"
    r"|formali[sz]ed|rendered|represented|put|symboli[sz]ed|encoded|captured)\b|\bpossible to\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    rf"(?:{NOT}|\b(?:instead of|rather than|(?:as )?opposed to|unlike|than|except|besides|no)"
    r"|[✗❌✘×🚫])(?:\s+(?:be|the|formula|answer|to|write|that|as|by|say|like)){0,4}[\s:]*$",
    re.IGNORECASE,
)
_NO = re.compile(r"\Ano[:,.] ", re.IGNORECASE)
_JUDGED = re.compile(
    r" ?[,;:.(–—-]{0,2} ?(?:(?:this|that|it|which) (?:is|was) )?(?:the )?(?:(correct|right(?: one)?)|wrong|incorrect)"
    r"(?= ?(?:[.,;:)!–—-]|\Z))| ?\(?(?:([✓✔✅☑])|[✗❌✘🚫])",
    re.IGNORECASE,
)
"""A verdict behind a formula of a list: the first or second group holds a good one."""
_GLOSS = re.compile(
    r"[ ]?(?:[(\[—–:;#%⇐]|//|/\*|--|- |,? ?(?:where|which|i\. ?e|that is|meaning"
    r"|in (?:words|english|other)|since|because|bc|cause|as|so|with|for|given|using|when|captures|uses|says|means"
    r"|states|reads?|expresses|excludes|and (?:the|its|this|it|here|all))\b|[.,]? ?\Z)",
    re.IGNORECASE,
)
_REFUTED = re.compile(
    rf"{WRONG}|\b(?:hard to (?:tell|say)|(?:not|un)\s?sure|cannot (?:decide|tell|say)|give up|guess|disagree|doubt"
    r"|not (?:right|correct|what|quite|equivalent|my|the (?:answer|meaning|right|correct|translation)))\b"
    r"|\bisn['’]t (?:right|correct|what|it)\b",
    re.IGNORECASE,
)
_ASSERTED_BEFORE = re.compile(
    r"(?:\A|[^\w\s]|\b(?:is|are|be|been|being|becomes?|as|by|to|with|into|at|on|(?:true|1) iff|conditional|implication"
    r"|writes?|gets?|have|has|obtain|uses?|just|simply|demands?|requires?|confident in|sure of|(?:go|opt|settle"
    r"|decide) for|suggest|propose|prefer|want|need|us|gives?|say|choose|pick|take|reads?|yields?|find|formulas?"
    r"|answer|translation|formali[sz]ation|form|expression|sentence|statement|result|output|solution|notation|logic"
    r"|fol|lean|coq|so|thus|therefore|hence|then|now|think|believe|follows|below|equivalently|wait|correction|s"
    r"|symbolically|formally|namely|final|boxed|and|or|rendered|expressed|written|theorem|lemma|using|via|through"
    r"|just in case|its|ist|lautet|est|es|é|è|sería|serait|wäre|obtient|ergibt|является|donc|also|somit|tanto))\Z"
    r"|(?:[是为為]|因此|所以)\Z",
    re.IGNORECASE,
)
"""Ends of the words before an asserted formula."""
_ASSERTED_AFTER = re.compile(
    r" ?(?:[^\w\s]|it is|is it|(?:does|will do|should do|gets|says|fits|works)(?: (?:it|the (?:job|trick)|right|just"
    r"|exactly|that|so|nicely|perfectly)){0,3}[.!]?\Z|in (?:fol|first-order|logic|symbols)\b"
    r"|(?:is|was|would be|should be|must be) (?:the|my|our|right|correct|what|exactly|how|logically|equivalent|also"
    r"|an? (?:\w{1,20} )?(?:translation|formali[sz]ation|rendering|way))\b)",
    re.IGNORECASE,
)
_OPEN_AFTER = re.compile(
    rf"{NOT}|{WRONG}|\b(?:unless|maybe|perhaps|or|whether|depend\w*|unsure|hard|might|could|vs|versus|doubt\w*|if"
    rf"|one of|differ\w*)\b|{RELATED}",
    re.IGNORECASE,
)
_SIGN = re.compile("[∀∃→↔∧∨]")
_OR = re.compile(r"[()]|\bor\b")
_UNREAD = re.compile(
    r"[∀∃¬][^\n\ue000-\uf8ff]{0,40}\w\(|\)[ )]{0,9}[∧∨→↔⊕]"
    r"|^[^\S\n]{0,9}(?:[-*•]|\(?\d{1,3}[.):])?[^\S\n]{0,9}\w{1,60}\((?=[^()\n]{0,200}(?:\w\w|[A-Za-t]\b))[^()\n]{1,200}\)[^\S\n]{0,9}(?=:::|$)",
    re.MULTILINE,
)
"""A formula in a text whose readable ones are marked: signs around what is applied, or a lone ground atom."""
_UNREAD_BEGINS = re.compile(r"[∀∃¬~(\[]{0,9}[ ]?[∀∃¬]|[(\[¬]{0,9}\w{1,60}\(")
_UNREAD_ENDS = re.compile(r" ?:::|[.;](?=\s|\Z)|(?<![(,\s])[\"“”](?!\s?[),])|[`$\n\ue000-\uf8ff]|\Z")
_OPEN_BETWEEN = re.compile(
    r"\b(?:unless|maybe|perhaps|others|whether|depend\w*|if|when(?:ever)?|while|only|provided|providing|assuming|given"
    r"|impl(?:y|ies)|entails?|(?:as|so) long as|in case|condition\w{0,5}|until|except)\b",
    re.IGNORECASE,
)
"""Words between two formulas that leave the first open, or make of both another one in English."""
_CONDITION = re.compile(r"\bif\b|\A(?:had|were)\b", re.IGNORECASE)
_IF = re.compile(r"\b(?:if|suppos\w{1,4}|assum\w{1,4}|whenever)\b", re.IGNORECASE)
_EQUAL = re.compile(
    r"\b(?:equivalent(?:ly)?|i\. ?e|that is|in other words|same as|alternatively|identical|also|or)\b|=|≡|⇔",
    re.IGNORECASE,
)


class Sought(NamedTuple):
    """The formula that is sought in an answer: its signature, and the sentence, which is no part of what is said."""

    signature: Signature
    sentence: str

    def is_formula(self, text: str) -> bool:
        """Return whether a text as it stands is read as a closed formula over the signature, and is no argument."""
        before, sign, _ = text.partition(":")
        is_more = _STRUCK.search(text) or _ARGUMENT.search(text) or (sign and _DOUBTED.search(before))
        return not is_more and not _has_alternatives(text) and closed_formula(text, self.signature) is not None

    def is_argument(self, text: str) -> bool:
        """Return whether a text has premises under a heading, as a program has."""
        return _ARGUMENT.search(text) is not None

    def found_in(self, text: str) -> str | None:
        """Return the formula that a text gives as its answer; None where no formula stands there.

        Raises ``ContradictionError`` if it gives several, ``MisfitError`` if none of those there is its answer.
        """
        text = _STRUCK.sub(lambda match: " " * len(match[0]), text)
        if "\n" not in text.strip() and self.is_formula(text):
            return text.strip()
        text = _MARK.sub(" ", text[-MAX_SEARCHED:])
        spans = formulas_in(text, self.signature)
        every = _with_unread(text, spans)
        marked = self._marked(text, every)
        ranks = _ranks(marked, len(every))
        if not any(span.formula is not None for span in spans):
            best = max((rank for rank in ranks if rank is not None), default=None)
            rivals = {text.count("\n", 0, span.start) for span, rank in zip(every, ranks, strict=True) if rank == best}
            if best is not None and len(rivals) > 1:
                raise MisfitError("several formulas that cannot be read, none of which is marked as the answer")
            return None
        chosen = _chosen(every, ranks)
        if (ranks[every.index(chosen)] or 0) < _MARKED_AS_ANSWER and len(every) > 1 and _ARGUMENT.search(marked):
            raise ContradictionError("it is an argument of several formulas, none of which is marked as the answer")
        return text[chosen.start : chosen.end]

    def _marked(self, text: str, spans: Sequence[Span]) -> str:
        pieces, end = [], 0
        for number, span in enumerate(spans):
            pieces += [text[end : span.start], chr(_FIRST + number)]
            end = span.end
        marked = "".join([*pieces, text[end:]])
        sentence = self.sentence.strip().rstrip(".!?")
        if sentence:
            marked = re.sub(re.escape(sentence), " S ", marked, flags=re.IGNORECASE)
        return _QUOTED.sub(lambda match: match[0] if match[1] else " S ", _STATED.sub(r"\1\2", _FENCE.sub("", marked)))


def _with_unread(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the spans with those of formulas that cannot be read: an answer can be one of several that it is not."""
    found, end = list[Span](), 0
    for span in [*spans, Span(len(text), len(text), None)]:
        while end < span.start and (seed := _UNREAD.search(text, end, span.start)) is not None:
            line = max(end, 1 + text.rfind("\n", end, seed.end()))
            begins = _UNREAD_BEGINS.search(text, line, span.start)
            start = min(begins.start() if begins else seed.start(), seed.start())
            stop = _UNREAD_ENDS.search(text, seed.end(), span.start)
            found.append(Span(start, end := max(stop.start() if stop else span.start, seed.end()), None))
        if span.start < end or span.start == len(text):
            continue
        end = span.end
        if span.formula is None and (stop := _UNREAD_ENDS.search(text, end)) is not None:
            end = stop.start()
        found.append(span._replace(end=end))
    return found[:_MOST_MARKS]


def _has_alternatives(text: str) -> bool:
    """Return whether "or" stands between signs, where it may be no connective but part of a sentence."""
    signs = [match.start() for match in _SIGN.finditer(text)]
    depth = 0
    for match in _OR.finditer(text, 0, signs[-1] if signs else 0):
        depth += (match[0] == "(") - (match[0] == ")")
        if match[0] == "or" and depth == 0 and match.start() > signs[0]:
            return True
    return False


def _ranks(marked: str, count: int) -> list[int | None]:
    """Return the rank of each formula by what is said around its mark; None of one that is not asserted."""
    ranks: list[int | None] = [None] * count
    if _ARGUMENT.search(marked):
        marked = _PART.sub("premise", marked)
    last, seen = 1, 0
    weak: list[int] = []
    for context, sentence, is_question in _sentences(marked):
        marks = list(_MARK.finditer(sentence))
        if (retracted := is_retracted(sentence if not marks else sentence[: marks[0].start()])) is not None:
            if retracted:
                ranks[:seen] = [None] * seen
            else:
                weak.append(seen)
        for number, rank in _said(context, sentence, marks, last, is_question):
            ranks[number] = rank
            if rank is not None:
                last = max(rank, 1)
        if not marks and seen and _CONFIRMED.fullmatch(sentence):
            ranks[seen - 1] = _MARKED_AS_ANSWER
        if marks:
            seen = max(seen, ord(marks[-1][0]) - _FIRST + 1)
    for before in weak:
        if any(rank is not None for rank in ranks[before:]):
            ranks[:before] = [None] * before
    return ranks


def _sentences(marked: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the sentences, each with the heading or unfinished line before it, and whether it is a question."""
    context, is_listed = "", False
    for line in marked.splitlines():
        is_heading = line.lstrip()[:1] in ("#", "*") or line.rstrip(" *_").endswith(":")
        plain = _BOX.sub(" boxed ", line)
        plain = " ".join(_DRESS.sub(" ", plain).lstrip(" #>").split())
        if not plain:
            is_listed = is_listed and bool(line.strip())
            continue
        if set(plain) <= set("-=| :"):
            continue
        mark = _MARK.search(plain)
        if context.endswith("\n") and not (_LISTED.match(plain) if is_listed else _BULLETED.match(plain)):
            context = ""
        sentences = [sentence.strip() for sentence in _SENTENCE.split(with_exceptions(plain))]
        for sentence in filter(None, sentences):
            yield context, sentence, sentence.endswith("?")
        is_listed = mark is not None
        if mark is None:
            short = len(plain) < 60 and plain[-1] not in ".!?"
            context = sentences[-1] if is_heading or short or plain[-1] in ":,-" else ""
        elif not context.endswith("\n"):
            context = f"{context or plain[: mark.start()]}\n"


def _said(
    context: str, sentence: str, marks: Sequence[re.Match[str]], last: int, is_question: bool
) -> Iterator[tuple[int, int | None]]:
    """Yield the number and rank of each formula of a sentence."""
    if not marks:
        return
    lead = _NO.sub("", _RENDERED.sub("", sentence[: marks[0].start()]))
    before = without_certainty(lead).rstrip(" :")
    tail = sentence[marks[-1].end() :]
    betweens = [sentence[one.end() : other.start()] for one, other in pairwise(marks)]
    clause = before if _CONDITION.search(before) else re.split(r"[,;—–]", before.rstrip(",;—– "))[-1]
    is_apart = _BULLETED.match(sentence) is not None or context.rstrip()[-1:] in (".", "!")
    is_own = is_apart and _BEST.search(clause) is not None
    is_open = (
        (is_question and not _GLOSS.match(tail)) or tail.lstrip().startswith("?") or is_hedged(before)
        or _DOUBTED.search(_DENIED.sub("", clause)) is not None or _EXAMPLE.search(before) is not None
        or (not is_own and _DOUBTED.search(_RENDERED.sub("", context)) is not None)
        or any(map(_OPEN_BETWEEN.search, betweens)) or (len(marks) > 1 and _IF.search(before) is not None)
        or _is_open_after(tail)
    )  # fmt: skip
    label = clause if _BEST.search(clause) else f"{context} {before}"
    rank = 4 if _BEST.search(label) else 3 if _LABEL.search(label) else 2 if _CONCLUDES.search(before) else 1
    if (judged := _JUDGED.match(tail)) is not None:
        is_open, rank = not (judged[1] or judged[2]), max(rank, 3)
    if _WEAK.search(label):
        rank = 0
    elif rank < _MARKED_AS_ANSWER and _EQUAL.search(before):
        rank = max(last, rank)
    for number, (mark, gap) in enumerate(zip(marks, [lead, *betweens], strict=True)):
        if number and is_replaced(gap):
            withdrawn = marks[:number]
            yield from ((ord(earlier[0]) - _FIRST, None) for earlier in withdrawn)
        is_denied = _DENIED.search(gap) is not None
        is_said = _ASSERTED_BEFORE.search(gap.rstrip()) or (_LABEL.search(gap) and gap.count(" ") < _LONGEST_LABEL)
        own = 4 if number and _BEST.search(gap) else rank
        yield ord(mark[0]) - _FIRST, own if is_said and not is_open and not is_denied else None


def _is_open_after(tail: str) -> bool:
    """Return whether the words after a formula deny it or leave it open; a gloss may deny anything else."""
    if _GLOSS.match(tail):
        return _REFUTED.search(tail[:80]) is not None or is_retracted(tail.lstrip(" ,;:—–-")) is True
    return _ASSERTED_AFTER.match(tail) is None or _OPEN_AFTER.search(tail[:200]) is not None


def _chosen(spans: Sequence[Span], ranks: Sequence[int | None]) -> Span:
    """Return the formula of the highest rank; raises ``ContradictionError`` if there are several that differ.

    Raises ``MisfitError`` if there is none, or one of that rank cannot be read.
    """
    best = max((rank for rank in ranks if rank is not None), default=None)
    if best is None:
        raise MisfitError("no formula there is given as the answer")
    asserted = [span for span, rank in zip(spans, ranks, strict=True) if rank == best]
    formulas = [span.formula for span in asserted if span.formula is not None]
    if len(formulas) < len(asserted):
        raise MisfitError("formulas that cannot be read stand beside the one that can")
    distinct = list(dict(zip(formulas, asserted, strict=True)).items())
    if best < _MARKED_AS_ANSWER:
        distinct = [
            (formula, span)
            for number, (formula, span) in enumerate(distinct)
            if not any(
                not isinstance(whole, Not) and formula in set(distinct_subformulas(whole))
                for whole, _ in distinct[number + 1 :]
            )
        ]
    if len(distinct) > _MOST_FORMULAS:
        raise ContradictionError(f"it gives {len(distinct)} different formulas")
    (first, chosen), *others = distinct
    for other, _ in others:
        if equivalence(first, other, budget=_BUDGET).outcome is not Outcome.EQUIVALENT:
            raise ContradictionError(f"it gives {len(distinct)} different formulas")
    return chosen
