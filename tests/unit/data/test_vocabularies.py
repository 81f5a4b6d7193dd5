"""Symbols with what they mean: the shipped lexicon, VerbNet's files, anybody's ontology."""

import csv
import re
from pathlib import Path

import pytest

from nlfol.data.grammars.files import RESOURCES
from nlfol.data.grammars.grammar import GrammarError
from nlfol.data.grammars.vocabularies import Sizes, read_verbnet, read_vocabulary, third_person
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import FREE_VARIABLE, NAME
from nlfol.randomness import generator

VERBNET = Path(__file__).parents[3] / "../shared/data/verbnet/verbnet3.4"
LEXICON = RESOURCES / "lexicon"

CLASS = """<!DOCTYPE VNCLASS SYSTEM "vn_class-3.dtd">
<VNCLASS ID="amuse-31.1">
 <MEMBERS><MEMBER name="amuse"/><MEMBER name="madden"/><MEMBER name="turn_on"/></MEMBERS>
 <THEMROLES>
  <THEMROLE type="Experiencer"><SELRESTRS><SELRESTR Value="+" type="animate"/></SELRESTRS></THEMROLE>
  <THEMROLE type="Stimulus"><SELRESTRS/></THEMROLE>
 </THEMROLES>
 <FRAMES>
  <FRAME>
   <DESCRIPTION primary="NP V NP"/>
   <SYNTAX><NP value="Stimulus"><SYNRESTRS/></NP><VERB/><NP value="Experiencer"><SYNRESTRS/></NP></SYNTAX>
  </FRAME>
  <FRAME><DESCRIPTION primary="NP V that S"/><SYNTAX><NP value="Stimulus"/><VERB/><NP value="Theme"/></SYNTAX></FRAME>
 </FRAMES>
 <SUBCLASSES><VNSUBCLASS ID="amuse-31.1-1">
  <MEMBERS><MEMBER name="marvel"/></MEMBERS>
  <FRAMES><FRAME>
   <DESCRIPTION primary="NP V"/><SYNTAX><NP value="Experiencer"/><VERB/></SYNTAX>
  </FRAME></FRAMES>
 </VNSUBCLASS></SUBCLASSES>
</VNCLASS>"""
OF_ONE = """<VNCLASS ID="marvel-31.3">
 <MEMBERS><MEMBER name="ache"/><MEMBER name="madden"/></MEMBERS>
 <THEMROLES><THEMROLE type="Agent"><SELRESTRS logic="or">
  <SELRESTR Value="+" type="animate"/><SELRESTR Value="+" type="organization"/>
 </SELRESTRS></THEMROLE></THEMROLES>
 <FRAMES><FRAME><DESCRIPTION primary="NP V"/><SYNTAX><NP value="Agent"/><VERB/></SYNTAX></FRAME></FRAMES>
</VNCLASS>"""


def rows(name: str) -> list[dict[str, str]]:
    with (LEXICON / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_lexicon_files_are_consistent() -> None:
    verbs, names, meanings = rows("verbs.csv"), rows("given_names.csv"), rows("meanings.csv")
    assert len(verbs) == len(names) == 300
    assert {arity: sum(verb["arguments"] == arity for verb in verbs) for arity in "12"} == {"1": 150, "2": 150}
    words = [verb["base"] for verb in verbs] + [name["name"].casefold() for name in names]
    assert len(set(words)) == len(words)
    assert all(re.fullmatch("[a-z]+", verb["base"]) for verb in verbs)
    assert all(re.fullmatch("[A-Z][a-z]+", name["name"]) for name in names)
    assert all(verb["third_person"] == third_person(verb["base"]) or verb["base"] == "ski" for verb in verbs)
    symbols = [row["letter"] for row in meanings]
    assert len(set(symbols)) == len(symbols) > 60
    assert len({row["positive"] for row in meanings}) == len(meanings)
    for row in meanings:
        assert row["negative"] == re.sub(r" (is|has) ", r" \1 not ", row["positive"], count=1)


def test_vocabulary_sizes_and_arities_are_configurable() -> None:
    for name, arities in (("names", (2, 4)), ("names", (3, 3)), ("english", (2, 2)), ("english", (1, 2))):
        vocabulary = read_vocabulary(name, sizes=Sizes(5, 3, arities))
        drawn = [vocabulary.draw("first_order", generator(number)) for number in range(40)]
        assert {(len(words.predicates), len(words.constants)) for words in drawn} == {(5, 3)}
        assert {symbol.arity for words in drawn for symbol in words.predicates} == set(
            range(arities[0], arities[1] + 1)
        )
        assert vocabulary.digest != read_vocabulary(name).digest


@pytest.mark.parametrize(
    ("name", "sizes", "problem"),
    [
        ("english", Sizes(arities=(1, 3)), "the verbs of vocabulary 'english' have 1 or 2 arguments"),
        ("english", Sizes(predicates=200), "150 verbs without object; an item needs 200"),
        ("english", Sizes(constants=301), "300 given names; an item needs 301"),
        ("meanings", Sizes(constants=3), "leave predicates, constants and arities out"),
    ],
)
def test_impossible_vocabulary_sizes_raise_grammar_error(name: str, sizes: Sizes, problem: str) -> None:
    with pytest.raises(GrammarError, match=problem):
        read_vocabulary(name, sizes=sizes)


@pytest.mark.parametrize(
    ("name", "language"),
    [("names", "propositional"), ("names", "first_order"), ("english", "first_order"), ("meanings", "propositional")],
)
def test_vocabulary_draws_symbols_per_item(name: str, language: str) -> None:
    vocabulary = read_vocabulary(name)
    drawn = [vocabulary.draw(language, generator(number)) for number in range(50)]  # type: ignore[arg-type]
    for words in drawn:
        Ontology((*words.predicates, *words.letters), (), tuple(words.constants))  # or it raises
        assert (len(words.predicates), len(words.constants), len(words.letters)) == (
            (8, 12, 0) if language == "first_order" else (0, 0, 12)
        )
        names = [
            *(s.name for s in words.predicates),
            *(s.name for s in words.constants),
            *(s.name for s in words.letters),
        ]
        assert all(NAME.fullmatch(name) and not FREE_VARIABLE.fullmatch(name) for name in names)
    if language == "first_order":
        assert len({tuple((p.name, p.arity) for p in words.predicates) for words in drawn}) > 30
        assert {p.arity for words in drawn for p in words.predicates} == {1, 2}
        assert {words.noun for words in drawn} == {"person" if name == "english" else "thing"}


def test_letter_count_is_configurable_within_vocabulary() -> None:
    assert [s.name for s in read_vocabulary("names", letters=3).draw("propositional", generator(1)).letters] == [
        "p1", "p2", "p3",
    ]  # fmt: skip
    assert read_vocabulary("names", letters=3).draw("regular", generator(1)).digits == "012"
    assert read_vocabulary("names").draw("regular", generator(1)).digits == "01"
    with pytest.raises(GrammarError, match="letters: 500; vocabulary 'meanings' has"):
        read_vocabulary("meanings", letters=500)


def test_vocabulary_digest_changes_with_content() -> None:
    found = [read_vocabulary("names"), read_vocabulary("names", letters=3), read_vocabulary("english")]
    assert len({vocabulary.digest for vocabulary in found}) == 3


def test_verb_lexicon_excludes_verbs_needing_other_objects() -> None:
    bases = {row["base"] for row in rows("verbs.csv")}
    assert not bases & {"bring", "carve", "drive", "introduce", "look", "prepare", "remind", "surround", "tell"}


def test_verbnet_reader_selects_person_frames_in_any_file_order(tmp_path: Path) -> None:
    (tmp_path / "b.xml").write_text(CLASS, encoding="utf-8")
    (tmp_path / "a.xml").write_text(OF_ONE, encoding="utf-8")
    assert read_verbnet(tmp_path) == [("ache", 1), ("amuse", 2), ("madden", 2), ("marvel", 2)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('type="animate"', 'type="body_part"'),
        ('<SELRESTR Value="+" type="animate"/>', ""),
        ('type="organization"', 'type="vehicle"'),
        ('<NP value="Agent"/><VERB/>', '<NP value="Agent"/><VERB/><PREP/>'),
        ('<NP value="Agent"/>', '<NP value="Agent"><SYNRESTRS><SYNRESTR Value="+" type="plural"/></SYNRESTRS></NP>'),
        ('primary="NP V"', 'primary="NP V ADV-Middle"'),
        ('ID="marvel-31.3"', 'ID="berry-13.7"'),
        # An object is left out: to be said alone, that must be the first frame of the class.
        ("<FRAMES>", '<FRAMES><FRAME><DESCRIPTION primary="NP V NP"/><SYNTAX/></FRAME>'),
    ],
)  # fmt: skip
def test_verbnet_reader_skips_frames_without_person_roles(tmp_path: Path, old: str, new: str) -> None:
    assert old in OF_ONE
    (tmp_path / "a.xml").write_text(OF_ONE.replace(old, new), encoding="utf-8")
    (tmp_path / "b.xml").write_text(CLASS, encoding="utf-8")
    assert ("ache", 1) not in read_verbnet(tmp_path)


def test_verbnet_reader_skips_unidiomatic_members(tmp_path: Path) -> None:
    members = '<MEMBER name="nasal"/><MEMBER name="box"/><MEMBER name="ache"/>'
    (tmp_path / "a.xml").write_text(OF_ONE.replace('<MEMBER name="ache"/>', members), encoding="utf-8")
    (tmp_path / "b.xml").write_text(CLASS.replace('<MEMBER name="amuse"/>', '<MEMBER name="box"/>'), encoding="utf-8")
    # Without its use with an object a verb is not said alone, either.
    assert read_verbnet(tmp_path) == [("ache", 1), ("madden", 2), ("marvel", 2)]


def test_unsaid_verb_list_is_sorted_and_unique() -> None:
    listed = [(row["base"], row["arguments"]) for row in rows("unsaid.csv")]
    assert listed == sorted(set(listed))
    assert {arguments for _, arguments in listed} == {"1", "2"}


@pytest.mark.parametrize(
    ("verb", "third"),
    [("woo", "woos"), ("go", "goes"), ("pass", "passes"), ("marry", "marries"), ("play", "plays"), ("have", "has")],
)
def test_third_person_is_inflected_correctly(verb: str, third: str) -> None:
    assert third_person(verb) == third


def test_verbnet_with_too_few_verbs_raises_error(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(CLASS, encoding="utf-8")
    with pytest.raises(GrammarError, match="0 verbs without object; an item needs 8"):
        read_vocabulary("verbnet", verbnet=tmp_path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (CLASS.replace('SYSTEM "vn_class-3.dtd"', '[<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]'), "declares entities"),
        (CLASS[:-3], "not XML"),
        ("<VNCLASS/>", "no VerbNet class"),
    ],
)
def test_malformed_verbnet_file_is_named(tmp_path: Path, content: str, problem: str) -> None:
    (tmp_path / "a.xml").write_text(content, encoding="utf-8")
    with pytest.raises(GrammarError, match=problem):
        read_verbnet(tmp_path)


@pytest.mark.skipif(not VERBNET.exists(), reason="VerbNet is not at hand")
def test_published_verbnet_yields_documented_verb_counts() -> None:
    vocabulary = read_vocabulary("verbnet", verbnet=VERBNET)
    for number in range(50):
        words = vocabulary.draw("first_order", generator(number))
        assert len({predicate.name for predicate in words.predicates}) == 8
    glosses = [predicate.positive for predicate in words.predicates]
    assert all(gloss.startswith("{} ") for gloss in glosses)
    verbs = read_verbnet(VERBNET)
    assert {("accompany", 2), ("frolic", 1), ("madden", 2), ("snooze", 1)} < set(verbs)
    unsaid = {"chunk", "curtain", "deglaze", "enact", "extend", "hardboil", "mob", "nasal", "relate", "snail", "snake"}
    assert not unsaid & {verb for verb, _ in verbs}
    assert [sum(arity == of for _, arity in verbs) for of in (1, 2)] == [300, 416]


def test_custom_ontology_serves_as_vocabulary(tmp_path: Path) -> None:
    path = tmp_path / "symbols.yaml"
    path.write_text(
        'predicates:\n  Likes: {arity: 2, positive: "{} likes {}", negative: "{} dislikes {}"}\n'
        '  rain: {arity: 0, positive: "it rains", negative: "it does not rain"}\nconstants: {ann: Ann}\nnoun: cat\n',
        encoding="utf-8",
    )
    vocabulary = read_vocabulary(str(path))
    assert vocabulary.languages == ["first_order", "propositional"]
    words = vocabulary.draw("first_order", generator(1))
    assert ([p.name for p in words.predicates], [p.name for p in words.letters]) == (["Likes"], ["rain"])
    assert words.noun == "cat"
