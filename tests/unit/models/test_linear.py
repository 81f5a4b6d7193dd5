from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

import nlfol

from .conftest import Load

torch = pytest.importorskip("torch")

from nlfol.models.local.linear import ENGINE, PrepackedLinear, prepack  # noqa: E402

pytestmark = pytest.mark.skipif(
    platform.machine().lower() not in {"x86_64", "amd64"} or not torch.backends.mkldnn.is_available(),
    reason="layers are packed on x86-64 processors only",
)
CLOSE = {torch.float32: 1e-5, torch.bfloat16: 3e-2}


def linear(inputs: int = 24, outputs: int = 40, *, bias: bool = True, dtype: Any = torch.float32) -> Any:
    torch.manual_seed(0)
    return torch.nn.Linear(inputs, outputs, bias=bias, dtype=dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
@pytest.mark.parametrize("shape", [(24,), (1, 24), (0, 24), (3, 5, 24), (2, 0, 24), (700, 24)], ids=str)
def test_a_packed_layer_computes_what_the_layer_does(shape: tuple[int, ...], bias: bool, dtype: Any) -> None:
    if dtype == torch.bfloat16 and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        pytest.skip("this processor has no bfloat16")
    plain = linear(bias=bias, dtype=dtype)
    given = torch.randn(shape, dtype=dtype)
    with torch.inference_mode():
        found, expected = PrepackedLinear(plain)(given), plain(given)
    assert found.shape == expected.shape
    assert found.dtype == dtype
    assert torch.allclose(found, expected, rtol=0, atol=CLOSE[dtype])


def test_a_slice_of_a_larger_tensor_is_read_as_what_it_is() -> None:
    plain = linear()
    given = torch.randn(4, 24, 9).transpose(1, 2)[:, ::2]
    with torch.inference_mode():
        assert torch.allclose(PrepackedLinear(plain)(given), plain(given), atol=1e-5)


def test_its_weights_can_still_be_looked_at() -> None:
    plain = linear()
    packed = PrepackedLinear(plain)
    assert torch.equal(packed.weight, plain.weight)
    assert (packed.in_features, packed.out_features) == (24, 40)


def test_all_layers_are_replaced_and_a_shared_one_stays_one() -> None:
    shared = linear(24, 24)
    model = torch.nn.Sequential(shared, torch.nn.Sequential(torch.nn.GELU(), shared), linear(24, 8)).eval()
    given = torch.randn(3, 24)
    with torch.inference_mode():
        expected = model(given)
        assert prepack(model) == ENGINE
        assert torch.allclose(model(given), expected, atol=1e-5)
    assert isinstance(model[2], PrepackedLinear)
    assert model[0] is model[1][1]


def test_the_plain_weights_are_let_go() -> None:
    model = torch.nn.Sequential(torch.nn.Sequential(linear()), linear(40, 24)).eval()
    plain = [weakref.ref(model[0][0].weight), weakref.ref(model[1].weight)]
    prepack(model)
    assert [one() for one in plain] == [None, None]


def test_weights_that_something_else_computes_with_stay_there() -> None:
    embedding = torch.nn.Embedding(40, 24)
    head = linear(24, 40, bias=False)
    head.weight = embedding.weight
    model = torch.nn.Sequential(embedding, head).eval()
    tokens = torch.tensor([[1, 2, 39]])
    with torch.inference_mode():
        expected = model(tokens)
        prepack(model)
        assert torch.allclose(model(tokens), expected, atol=1e-5)


def test_subclasses_are_left_as_they_are() -> None:
    class Doubled(torch.nn.Linear):  # type: ignore[misc, name-defined]
        def forward(self, given: Any) -> Any:
            return 2 * super().forward(given)

    model = torch.nn.Sequential(Doubled(24, 24)).eval()
    assert prepack(model) is None
    assert isinstance(model[0], Doubled)


def test_layers_whose_weights_are_brought_for_each_call_are_left_as_they_are() -> None:
    accelerate = pytest.importorskip("accelerate")
    model = accelerate.cpu_offload(torch.nn.Sequential(linear(), linear(40, 24)).eval(), torch.device("cpu"))
    assert prepack(model) is None
    assert model(torch.randn(2, 24)).shape == (2, 24)


def test_a_double_of_another_processor_leaves_all_to_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    model = torch.nn.Sequential(linear()).eval()
    assert prepack(model) is None
    assert type(model[0]) is torch.nn.Linear


@pytest.mark.parametrize(
    ("lesser", "dtype", "linear"),
    [
        # oneDNN's and PyTorch's own ways to leave out what the processor can do.
        ({"ONEDNN_MAX_CPU_ISA": "AVX2"}, "float32", ENGINE),
        ({"ONEDNN_MAX_CPU_ISA": "AVX2"}, "bfloat16", "None"),
        ({"ONEDNN_MAX_CPU_ISA": "SSE41", "ATEN_CPU_CAPABILITY": "default"}, "float32", "None"),
    ],
)
def test_a_lesser_processor_computes_what_onednn_does_not_compute_well_as_torch_does(
    lesser: dict[str, str], dtype: str, linear: str
) -> None:
    program = (
        "import torch; from nlfol.models.local.linear import prepack; torch.manual_seed(0);"
        f"model = torch.nn.Sequential(torch.nn.Linear(24, 40, dtype=torch.{dtype})).eval();"
        f"given = torch.randn(3, 24, dtype=torch.{dtype});"
        "torch.set_grad_enabled(False); expected = model(given); print(prepack(model));"
        "assert torch.allclose(model(given), expected, atol=1e-5)"
    )
    environment = os.environ | lesser | {"PYTHONPATH": str(Path(nlfol.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == linear


def test_answers_say_what_computed_the_layers(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    assert json.loads(load("qwen3").engine)["linear"] == ENGINE
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert json.loads(load("qwen3").engine)["linear"] == "torch"
