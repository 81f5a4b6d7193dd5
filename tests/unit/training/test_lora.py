import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.late import Late, needs
from tests.unit.models.conftest import save_model
from tests.unit.training import killed
from tests.unit.training.learning import ANIMALS, answer, entry, question, request, train, write_examples

import materialise_model
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.local.chat import LocalChat
from nlfol.models.local.loading import load_model, load_tokenizer
from nlfol.models.local.materialisation import ADAPTER_FILES, ModelSourceError, adapter_digest, identity
from nlfol.models.request import Message
from nlfol.store import files
from nlfol.store.training_schemas import LOSSES
from nlfol.training import lora
from nlfol.training.lora import CheckpointError, Encoded, collate, encode, latest, mark, open_work, together

pytestmark = needs("peft")

ROOT = Path(__file__).parents[3]
torch = Late("torch")


@pytest.fixture(scope="module", autouse=True)
def without_datasets() -> Iterator[None]:
    """Pytest puts ``tests/unit`` on the path, whose folder ``datasets`` Trainer would take for the package."""
    trainer = pytest.importorskip("transformers.trainer")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(trainer, "is_datasets_available", lambda: False)
        yield


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A materialised model of two layers with random weights."""
    folder = tmp_path_factory.mktemp("llama")
    save_model("llama", folder)
    return folder


@pytest.fixture(scope="module")
def learnt(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Path of the adapter that has learnt all animals."""
    folder = tmp_path_factory.mktemp("learnt")
    write_examples(folder / "examples.arrow", *question("ant"), Message("assistant", "a" * 600))
    train(folder, model, epochs=60)
    return folder


def losses(folder: Path) -> list[dict[str, Any]]:
    return files.rows(folder / "losses.arrow", LOSSES)


def adapted(model: Path) -> LocalChatEntry:
    return LocalChatEntry.model_validate(entry(model, adapter={"trained": "zoo"}))


def test_lora_training_memorizes_twenty_examples(learnt: Path, model: Path, tmp_path: Path) -> None:
    found = losses(learnt)
    assert [row["step"] for row in found] == list(range(1, 121))
    assert found[0]["loss"] > 3
    assert max(row["loss"] for row in found[-2:]) < 0.01

    wrong = {}
    for name, given in {"base": LocalChatEntry.model_validate(entry(model)), "tuned": adapted(model)}.items():
        trained = learnt / "adapters/zoo" if name == "tuned" else None
        materialise_model.main(given.model_dump_json(), tmp_path / name, trained)
        chat = LocalChat(given, tmp_path / name)
        requests = {request(chat.identity, animal).key: animal for animal in ANIMALS}
        replies = list(chat.answer([request(chat.identity, animal) for animal in ANIMALS]))
        wrong[name] = [reply.text for reply in replies if reply.text != answer(requests[reply.key])]
    assert len(wrong["base"]) == len(ANIMALS)
    assert wrong["tuned"] == []


def test_lora_training_records_provenance(learnt: Path, model: Path) -> None:
    table = files.read(learnt / "losses.arrow", LOSSES)
    about = files.metadata_of(table)
    assert about["adapter"] == adapter_digest(learnt / "adapters/zoo")
    assert about["examples"] == files.digest(learnt / "examples.arrow")
    assert about["base"] == "test:llama"
    assert json.loads(about["settings"])["rank"] == 32
    assert json.loads(about["engine"])["versions"].keys() == {"torch", "transformers", "accelerate", "peft"}
    # The one example that is longer than the context.
    ((place, tokens),) = json.loads(about["left_out"])
    assert (place, int(about["learnt"])) == (20, 20)
    assert tokens > 512
    assert sorted(path.name for path in (learnt / "adapters").iterdir()) == ["zoo"]
    assert sorted(path.name for path in (learnt / "adapters/zoo").iterdir()) == sorted(ADAPTER_FILES)
    assert str(model) not in (learnt / "adapters/zoo/adapter_config.json").read_text()
    assert len({(learnt / "adapters/zoo" / name).stat().st_mode for name in ADAPTER_FILES}) == 1


def test_model_identity_includes_adapter_digest(learnt: Path, model: Path, tmp_path: Path) -> None:
    shutil.copytree(learnt / "adapters/zoo", tmp_path / "adapters/other")
    (tmp_path / "adapters/other/.snakemake_timestamp").touch()
    for place in (learnt / "adapters/zoo", tmp_path / "adapters/other"):
        materialise_model.main(adapted(model).model_dump_json(), tmp_path / "made", place)
        named = identity(adapted(model), tmp_path / "made")
        assert named.endswith(f";adapter=trained#sha256:{adapter_digest(learnt / 'adapters/zoo')}")
    (tmp_path / "adapters/other/adapter_config.json").write_text("{}")
    materialise_model.main(adapted(model).model_dump_json(), tmp_path / "made", tmp_path / "adapters/other")
    assert identity(adapted(model), tmp_path / "made") != named
    with pytest.raises(ModelSourceError, match="zoo: the adapter is not there; train it first"):
        materialise_model.main(adapted(model).model_dump_json(), tmp_path / "made")


def test_killed_training_resumes_to_same_adapter(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'workflow/scripts'}"}
    run = subprocess.run(
        [sys.executable, killed.__file__, str(tmp_path / "killed"), str(model)],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == -signal.SIGKILL, run.stderr
    (work,) = (tmp_path / "killed/adapters").iterdir()
    assert work.stat().st_mode & 0o777 == 0o700
    assert sorted(path.name for path in work.iterdir()) == ["checkpoint-6", "checkpoint-9"]
    # A kill may also have cut the last one short.
    shutil.copytree(work / "checkpoint-9", work / "checkpoint-12")
    with (work / "checkpoint-12/optimizer.pt").open("r+b") as file:
        file.truncate(100)

    more: dict[str, Any] = {"epochs": 6, "saved_every": 3, "dropout": 0.1, "batch": 5}
    seen = []

    def counted(examples: Sequence[Encoded]) -> dict[str, Any]:
        seen.append(len(examples))
        return collate(examples)

    with monkeypatch.context() as patched:
        patched.setattr(lora, "collate", counted)
        resumed = train(tmp_path / "killed", model, **more)
    whole = train(tmp_path / "whole", model, **more)
    assert len(seen) < 24
    assert losses(tmp_path / "killed") == losses(tmp_path / "whole")
    for name in ADAPTER_FILES:
        assert (resumed / name).read_bytes() == (whole / name).read_bytes()
    assert list((tmp_path / "killed/adapters").iterdir()) == [resumed]


def encoded(model: Path, *said: tuple[str, str]) -> list[Encoded]:
    tokenizer = load_tokenizer(model, "test")
    dialogues = ([*question(animal), Message("assistant", text)] for animal, text in said)
    return [encode(each, tokenizer, {"enable_thinking": False}, tokenizer.eos_token_id, "test") for each in dialogues]


def test_training_loss_covers_completions_only(model: Path) -> None:
    tokenizer = load_tokenizer(model, "test")
    examples = encoded(model, ("cow", answer("cow")), ("dog", "{}"))
    batch = collate(examples)
    completions = [examples[0].tokens[examples[0].prompt :], examples[1].tokens[examples[1].prompt :]]
    assert batch["labels"].tolist() == [[*completions[0], *completions[1]]]
    assert tokenizer.decode(completions[0][:-1]) == answer("cow")
    assert completions[0][-1] == completions[1][-1] == tokenizer.eos_token_id
    assert tokenizer.decode(examples[0].tokens[: examples[0].prompt]).endswith("assistant\n<think>\n\n</think>\n\n")


def test_packed_examples_match_separate_forward_passes(model: Path) -> None:
    """The second prompt is the beginning of the first; the last one shares nothing with them but the system's turn."""
    first, second, third = encoded(model, ("cow", answer("cow")), ("dog", "{}"), ("emu", answer("emu")))
    within = Encoded(first.tokens[: first.prompt + 3], first.prompt)
    loaded = load_model(model, torch.float32, cuda=False)
    for step in ([first, second], [first, within, third], [second, second], [third]):
        batch = collate(step)
        assert batch["input_ids"].shape[1] < sum(len(each.tokens) for each in step) or len(step) == 1
        logits = loaded(**{name: value for name, value in batch.items() if "labels" not in name}).logits[0]
        alone = [
            loaded(input_ids=torch.tensor([each.tokens])).logits[0, each.prompt - 1 : -1] for each in step
        ]  # fmt: skip
        torch.testing.assert_close(logits, torch.cat(alone), rtol=1e-4, atol=1e-4)


def test_training_steps_group_examples_by_shared_prompt() -> None:
    def made(prompt: str, completion: str = "!") -> Encoded:
        return Encoded(tuple(map(ord, prompt + completion)), len(prompt))

    examples = [made(f"{story}: the sentence {number}") for number in range(5) for story in ("cats", "dogs of Rome")]
    examples.append(made("none of these"))
    steps = together(examples, 3)
    assert sorted(each.tokens for step in steps for each in step) == sorted(each.tokens for each in examples)
    assert sorted(map(len, steps)) == [1, 2, 2, 3, 3]
    assert all(len({bytes(each.tokens)[:4] for each in step}) == 1 for step in steps)
    assert together(examples, 1) == [[each] for each in (*examples[:10:2], *examples[1:10:2], examples[10])]


def test_checkpoints_are_accepted_from_own_training_only(tmp_path: Path) -> None:
    work = open_work(tmp_path / ".zoo-0123456789abcdef")
    for number in (5, 10):
        (work / f"checkpoint-{number}").mkdir()
        (work / f"checkpoint-{number}/state").write_text("state")
        mark(work / f"checkpoint-{number}")
    assert latest(open_work(work)) == work / "checkpoint-10"
    (work / "checkpoint-10/state").write_text("stat")
    assert latest(work) == work / "checkpoint-5"
    assert not (work / "checkpoint-10").exists()
    (tmp_path / ".zoo-of-birds-0123456789abcdef").mkdir()
    open_work(tmp_path / ".zoo-fedcba9876543210")
    # Of other settings, and of another training.
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".zoo-fedcba9876543210",
        ".zoo-of-birds-0123456789abcdef",
    ]
    (tmp_path / ".zoo-fedcba9876543210").chmod(0o770)
    with pytest.raises(CheckpointError, match="others can write this folder"):
        open_work(tmp_path / ".zoo-fedcba9876543210")
