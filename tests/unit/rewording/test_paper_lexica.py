"""Lexica are read in their own formats, and put into sentences where their words fit."""

import gzip
from pathlib import Path

import pytest
from tests.unit.rewording.lexica import write_ppdb, write_wordnet

from nlfol.problems import Lexicon, LexiconError, Problem, Statement
from nlfol.problems.problem import TRUTHS, plain
from nlfol.problems.rewording.paper.expressions import Expression, repeated
from nlfol.problems.rewording.paper.lexica import is_installed, read_ppdb, read_wordnet
from nlfol.problems.rewording.paper.proposing import NEEDS_INFLECTION, UNGRAMMATICAL, Lexica, proposed

DEBIAN = Path("/usr/share/wordnet")
SYNSETS = {
    "noun": [["mouse", "shiner"], ["wolf"], ["wolf", "Hugo Wolf"]],
    "adj": [["red", "scarlet", "ruddy(a)"], ["red", "crimson"], ["cold", "of low temperature"]],
    "verb": [["chase", "give chase", "trail"]],
}


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    return write_wordnet(tmp_path / "wordnet", SYNSETS)


def test_wordnet_synonyms_come_by_sense_frequency(wordnet: Path) -> None:
    found = read_wordnet(wordnet, {"red", "give chase", "missing"})
    assert found.keys() == {"red", "give chase"}
    assert found["red"]["adj"].synonyms == (("scarlet", "ruddy"), ("crimson",))
    assert found["give chase"]["verb"].ranked == ["chase", "trail"]


@pytest.mark.skipif(not (DEBIAN / "index.noun").is_file(), reason="Debian's package wordnet-base is not installed")
def test_debian_wordnet_is_read() -> None:
    found = read_wordnet(DEBIAN, {"student", "give chase"})
    assert found["student"]["noun"].ranked[:3] == ["pupil", "educatee", "scholar"]
    assert "chase" in found["give chase"]["verb"].ranked


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [("index.adj", "red a x\n", "index.adj: no entry of WordNet's format at line 1"), ("data.adj", "\n", "at byte")],
)
def test_wordnet_reader_names_damaged_or_missing_file(wordnet: Path, file: str, text: str, said: str) -> None:
    (wordnet / file).write_text(text, encoding="utf-8")
    with pytest.raises(LexiconError, match=said):
        read_wordnet(wordnet, {"red"})
    (wordnet / file).unlink()
    with pytest.raises(LexiconError, match=rf"{file}: cannot be read \(No such file"):
        read_wordnet(wordnet, {"red"})


@pytest.mark.parametrize("packed", [False, True])
def test_ppdb_paraphrases_come_by_descending_score(tmp_path: Path, packed: bool) -> None:
    lines = [("red", "reddish", 2.5), ("blue", "azure", 9.0), ("red", "ruby", 4.5), ("red", "red", 5.0)]
    path = write_ppdb(tmp_path / "ppdb.txt", [*lines, ("red", "rosy", 1.0)])
    if packed:
        path = Path(f"{path}.gz")
        path.write_bytes(gzip.compress((tmp_path / "ppdb.txt").read_bytes()))
    assert read_ppdb(path, {"red", "green"}, most=2) == {"red": ["ruby", "reddish"]}


def test_ppdb_reader_rejects_malformed_or_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "ppdb.txt"
    path.write_text("red, ruby\n", encoding="utf-8")
    with pytest.raises(LexiconError, match="line 1 is not of PPDB's format"):
        read_ppdb(path, {"red"}, most=2)
    with pytest.raises(LexiconError, match="cannot be read"):
        read_ppdb(tmp_path / "none", {"red"}, most=2)


def free(*texts: str, question: str = "Is it so?") -> Problem:
    return Problem("p", "free", None, plain(texts), Statement(question), TRUTHS, "A")


def test_repeated_expressions_are_longest_repeated_phrases() -> None:
    problem = free("Every guide dog barks.", "A guide dog is a dog.", "Tom barks at Ada.", question="Does Ada sleep?")
    found = [(each.statement, each.words, each.concept, each.is_name) for each in repeated(problem)]
    assert found == [
        (0, "guide dog", "guide dog", False),
        (0, "barks", "barks", False),
        (1, "guide dog", "guide dog", False),
        (2, "barks", "barks", False),
        (2, "Ada", "ada", True),
    ]


@pytest.mark.parametrize(
    ("texts", "concepts"),
    [
        # Behind a subject and "who", "he", "does not": a verb, and no part of what is before it.
        (["They do not begin.", "No license plate begins so.", "A license plate."], ["license plate", "begin"]),
        (["Everyone who lost at Open 2022 sighs.", "All at Open 2022 lost."], ["open 2022", "lost"]),
        (["Every bird sings.", "If a bird sings, it is glad."], ["bird", "sings"]),
        (["Rex barks loudly.", "If Rex barks, all is well."], ["rex", "barks"]),
        (["Each dog chases Tom.", "Dogs chase Tom, and no dog chased Ada."], ["dog", "chase tom"]),
        # No verbs: compounds, plurals behind names, and what a singular noun stands for elsewhere.
        (["Romance languages are old.", "French is one of the Romance languages."], ["romance languages"]),
        (["She has a sports car.", "A sports car is fast."], ["sports car"]),
        (["Every hard problem is old.", "Chess problems, I say, help.", "Go and Chess problems."], ["chess problem"]),
        # Adverbs and quantities are no part of a phrase.
        (["He is very kind and often smiles.", "Kind men usually smile a lot.", "Ada has a lot."], ["kind", "smile"]),
        (["She really likes family dinners.", "Family dinners are likely."], ["family dinners"]),
        # A part counts if it ends as the phrase, or is one elsewhere.
        (["A tennis player won.", "No professional tennis player is here."], ["tennis player"]),
        (["Tame animals are fed.", "Whatever is tame is fed."], ["tame", "fed"]),
        (["A guide dog barks.", "A guide book is here."], []),
        (["A guide dog barks.", "The guide is here."], ["guide"]),
        (["He plays; tennis players rest.", "She said: tennis. Players rest."], ["tennis", "players rest"]),
        (["", "...", "_", "'s 9 I a"], []),
    ],
)  # fmt: skip
def test_repeated_expressions_are_noun_and_verb_phrases(texts: list[str], concepts: list[str]) -> None:
    found = repeated(free(*texts))
    assert {each.concept for each in found} == {*concepts}
    for each in found:
        assert texts[each.statement][each.start : each.end] == each.words


def test_reworded_problem_lacks_repeated_expressions() -> None:
    original = ["Every kind dog sleeps.", "Rex is a dog.", "If a dog sleeps, Rex is kind."]
    assert {each.concept for each in repeated(free(*original))} == {"dog", "kind", "rex", "sleeps"}
    assert repeated(free(*original)) == repeated(free(*original))
    assert repeated(free("Every gentle hound slumbers.", "Rex is a dog.", "If a canine sleeps, he is kind.")) == []


def test_inflected_forms_count_as_same_concept() -> None:
    problem = free("Dogs are loud.", "Rex is a dog.", "Whoever flies tries to fly.", "It stopped where buses stop.")
    found = [(each.statement, each.words, each.concept) for each in repeated(problem)]
    assert found == [
        (0, "Dogs", "dog"),
        (1, "dog", "dog"),
        (2, "flies", "fly"),
        (2, "fly", "fly"),
        (3, "stopped", "stop"),
        (3, "stop", "stop"),
    ]


@pytest.mark.parametrize(
    ("text", "words", "after", "made"),
    [
        ("Every kin to Bob barks.", "kin", "related to", "Every related to Bob barks."),
        ("A person barks.", "person", "someone", None),
        ("The rich people bark.", "people", "the masses", None),
        ("A dog barks.", "dog", "hounds", None),
        ("Dogs bark.", "Dogs", "hound", None),
        ("Rex barks.", "barks", "woof", None),
        ("Rex barks.", "barks", "gives tongue", "Rex gives tongue."),
        ("A dog is here.", "dog", "albatross", "An albatross is here."),
        ("That is a bus.", "bus", "coach", "That is a coach."),
        ("Each class ends.", "class", "course", "Each course ends."),
    ],
)
def test_ungrammatical_replacements_are_refused_or_repaired(
    text: str, words: str, after: str, made: str | None, tmp_path: Path
) -> None:
    start = text.index(words)
    expression = Expression(0, start, start + len(words), words.lower(), words, False)
    lexica = Lexica.read([expression], None, write_ppdb(tmp_path / "ppdb.txt", [(words.lower(), after, 1.0)]))
    (proposal,) = proposed(Statement(text), expression, lexica, None)
    assert proposal.text == made
    assert proposal.reason == (UNGRAMMATICAL if made is None else None)


def test_repeated_expressions_in_controlled_english_are_mentions(drawn: dict[str, list[Problem]]) -> None:
    for problem in drawn["rules"]:
        sentences = (*problem.statements, problem.question, *problem.options)
        mentioned = [mention.concept for sentence in sentences for mention in sentence.mentions]
        found = repeated(problem)
        assert {each.concept for each in found} <= set(mentioned)
        assert all(mentioned.count(each.concept) > 1 for each in found)
        for each in found:
            assert problem.statements[each.statement].text[each.start : each.end] == each.words
            assert each.is_name == (each.words[0].isupper() and each.concept[0].islower())


def test_lexical_replacements_respect_grammatical_fit(wordnet: Path, tmp_path: Path, words: Lexicon) -> None:
    ppdb = write_ppdb(tmp_path / "ppdb.txt", [("red", "orange red", 1.0)])
    statement = Statement("If something is a red mouse then it chases the wolf.")

    def after(text: str, concept: str) -> list[tuple[str | None, str | None, str | None]]:
        start = statement.text.index(text)
        expression = Expression(0, start, start + len(text), concept, text, False)
        lexica = Lexica.read([expression], wordnet, ppdb)
        return [(each.after, each.text, each.reason) for each in proposed(statement, expression, lexica, words)]

    red = after("red", "Red")
    assert [each for each, _, _ in red] == ["scarlet", "ruddy", "crimson", "orange red"]
    assert red[3][1] == "If something is an orange red mouse then it chases the wolf."
    assert [each for each, _, _ in after("wolf", "wolf")] == [], "no name of somebody stands for a wolf"
    if is_installed():
        assert [each for each, _, _ in after("chases", "Chase")] == ["gives chase", "trails"]
    else:
        assert after("chases", "Chase") == [(None, None, NEEDS_INFLECTION)]
