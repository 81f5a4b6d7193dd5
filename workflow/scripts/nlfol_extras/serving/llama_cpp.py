"""llama.cpp's own server out of the package ``xllamacpp``, by the options of ``llama-server`` that are here.

    python llama_cpp.py --model=FILE --alias=NAME --ctx-size=N ...

The package has the server, with llguidance, but no command. Nothing of nlfol is imported.
"""

import argparse
import os
import threading
from collections.abc import Sequence
from typing import Any, Final

KEY: Final = "LLAMA_API_KEY"
"""The variable of the environment that holds the key."""
_NUMBERS: Final = {
    "batch-size": "n_batch",
    "ctx-size": "n_ctx",
    "gpu-layers": "n_gpu_layers",
    "parallel": "n_parallel",
    "port": "port",
    "ubatch-size": "n_ubatch",
}
"""Parameters of the package by option."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until this process is ended."""
    parser = argparse.ArgumentParser(description="Serve a GGUF file by llama.cpp.", allow_abbrev=False)
    for name in ("model", "alias", "host"):
        parser.add_argument(f"--{name}", required=True)
    for name in (*_NUMBERS, "threads"):
        parser.add_argument(f"--{name}", type=int, dest=name)
    parser.add_argument("--lora")
    parser.add_argument("--chat-template", dest="chat_template")
    parser.add_argument("--reasoning-format", dest="reasoning", choices=["auto", "deepseek", "none"])
    parser.add_argument("--embeddings", action="store_true")
    parser.add_argument("--pooling", choices=["none", "mean", "cls", "last", "rank"])
    parser.add_argument("--no-warmup", action="store_true", dest="cold")
    told = parser.parse_args(arguments)

    import xllamacpp

    parameters: Any = xllamacpp.CommonParams()
    parameters.model.path = told.model
    parameters.model_alias = {told.alias}
    parameters.hostnames = [told.host]
    parameters.api_keys = [os.environ[KEY]] if os.environ.get(KEY) else []
    parameters.endpoint_props = False  # it would let others change the server's settings
    for option, name in _NUMBERS.items():
        if getattr(told, option) is not None:
            setattr(parameters, name, getattr(told, option))
    if told.threads is not None:
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = told.threads
    parameters.embedding, parameters.warmup, parameters.ui = told.embeddings, not told.cold, False
    if told.chat_template is not None:
        parameters.chat_template = told.chat_template
    if told.pooling is not None:
        parameters.pooling_type = getattr(xllamacpp.llama_pooling_type, f"LLAMA_POOLING_TYPE_{told.pooling.upper()}")
    if told.reasoning is not None:
        formats = xllamacpp.common_reasoning_format
        parameters.reasoning_format = getattr(formats, f"COMMON_REASONING_FORMAT_{told.reasoning.upper()}")
    if told.lora is not None:
        adapter = xllamacpp.CommonAdapterLoraInfo()
        adapter.path, adapter.scale = told.lora, 1.0
        parameters.lora_adapters = [adapter]
    server = xllamacpp.Server(parameters)
    print(f"llama.cpp of xllamacpp {xllamacpp.__version__} at {server.listening_address}", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
