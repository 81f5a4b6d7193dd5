import subprocess
import sys

from nlfol.randomness import content_labels, generator, label_digest

DRAW = "from nlfol.randomness import generator; print(generator(7, 'd', 'i', 't').sample(range(100), 9))"


def test_labels_are_told_apart_by_position_and_type() -> None:
    labels: list[tuple[str | int, ...]] = [("a", "bc"), ("ab", "c"), ("a", "b", "c"), ("1",), (1,)]
    assert len({label_digest(*each) for each in labels}) == len(labels)


def test_draws_are_the_same_in_every_process() -> None:
    here = generator(7, "d", "i", "t").sample(range(100), 9)
    for seed in ("0", "4242"):
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        there = subprocess.run(
            [sys.executable, "-c", DRAW], env=environment, capture_output=True, text=True, check=True
        )
        assert there.stdout.strip() == str(here)


def test_an_item_is_what_it_says_and_not_its_number() -> None:
    row = {"item": "s:0", "story": "s", "text": "Tom sleeps.", "formula": "Sleeps(tom)"}
    assert content_labels({**row, "item": "s:1"}) == content_labels(row)
    for changed in ("story", "text", "formula"):
        assert content_labels({**row, changed: "another"}) != content_labels(row)
