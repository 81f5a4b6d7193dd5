import subprocess
import sys

from nlfol.randomness import generator, label_digest, source_label

DRAW = "from nlfol.randomness import generator; print(generator(7, 'd', 'i', 't').sample(range(100), 9))"


def test_label_digest_distinguishes_position_and_type() -> None:
    labels: list[tuple[str | int, ...]] = [("a", "bc"), ("ab", "c"), ("a", "b", "c"), ("1",), (1,)]
    assert len({label_digest(*each) for each in labels}) == len(labels)


def test_generator_draws_are_process_independent() -> None:
    here = generator(7, "d", "i", "t").sample(range(100), 9)
    for seed in ("0", "4242"):
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        there = subprocess.run(
            [sys.executable, "-c", DRAW], env=environment, capture_output=True, text=True, check=True
        )
        assert there.stdout.strip() == str(here)


def test_source_label_depends_on_name_and_text() -> None:
    labels = [("s:0", "Tom sleeps."), ("s:1", "Tom sleeps."), ("s:0", "Ann sleeps.")]
    assert len({source_label(*each) for each in labels}) == 3
    assert source_label(*labels[0]) == source_label(*labels[0])
