"""The page docs/api.md: every public name of the library, by its signature and docstring.

``python docs/api.py`` writes it.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import nlfol
from nlfol.harnesses.questions import Questions
from nlfol.logic.answers import Judged
from nlfol.logic.decision.verdicts import Verdict
from nlfol.logic.distance import Distance
from nlfol.logic.relations import Entailment
from nlfol.notebook import Board, Comparison
from nlfol.tasks.scoring import Question
from nlfol.tasks.task import Judgement

PAGE = Path(__file__).with_suffix(".md")

RESULTS = (Comparison, Verdict, Entailment, Distance, Judged, Questions, Question, Judgement, Board)
"""Results of the functions."""

HEAD = """\
# From Python

What `import nlfol` gives. `python docs/api.py` writes this page from the code. [Notebooks](console.md#notebooks) and
[scoring from Python](console.md#from-python-harnesses-and-rewards) show the names at work, [the
notebook](quickstart.ipynb) in a row.

```python
import nlfol

assert nlfol.compare("forall x (Cube(x) -> Small(x))", "¬∃x (Cube(x) ∧ ¬Small(x))").verdict.outcome == "equivalent"
assert nlfol.distance("∀x P(x)", "∃x P(x)").edits == 1
```

In signatures, a `Formula` is what `parse` returns, a `JsonObject` a mapping of texts to JSON values, an `Answer` a
text, a mapping or `None`. `parse`, `compare`, `distance`, `equivalence`, `entails`, `judge` and `board` need
`pip install .`, the others `pip install '.[tools]'`.
Its tests pass with Python 3.11 and 3.13; the commands of the wheel run with 3.11, 3.12 and 3.13 (`make test-wheel`).

## What stays

Public are the names of this page with their parameters and the attributes listed, options of the command, keys of a
configuration, and columns of [what a run leaves](../results/README.md). Versions are
[semantic](https://semver.org). A name that is to go works until the next major version, and for one minor version at
least, with a `DeprecationWarning` that says what to use instead. Everything else may change: modules below `nlfol`,
texts of messages, `nlfol_extras`.

Scores are no names: a mended judge may score an answer differently. `CHANGELOG.md` says so, and every result names
the version that made it.
"""


def text() -> str:
    """Return the page."""
    lines = [HEAD, "## Functions", ""]
    for name in nlfol.__all__:
        lines += _function(getattr(nlfol, name))
    lines += ["## Results", ""]
    for result in RESULTS:
        lines += _result(result)
    return "\n".join(lines).rstrip() + "\n"


def signature(function: Callable[..., Any]) -> str:
    """Return the parameters and the result of a function as its source says them."""
    (definition,) = ast.parse(inspect.getsource(function)).body
    assert isinstance(definition, ast.FunctionDef)
    assert definition.returns is not None
    return f"({ast.unparse(definition.args)}) -> {ast.unparse(definition.returns)}"


def _function(function: Callable[..., Any]) -> Iterator[str]:
    call = f"nlfol.{function.__name__}{signature(function)}"
    yield from (f"### {function.__name__}", "", "```python", call, "```", "", _prose(function), "")


def _result(result: type) -> Iterator[str]:
    yield from (f"### {result.__name__}", "", _prose(result), "", "| attribute | |", "|---|---|")
    for name, annotation in inspect.get_annotations(result).items():
        said = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        if not name.startswith("_"):
            short = re.sub(r"[a-z_]+[.](?=\w)", "", said).replace("|", "\\|")
            yield f"| `{name}` | `{short}` |"
    for name, value in vars(result).items():
        if not name.startswith("_") and isinstance(value, property | cached_property) and value.__doc__:
            yield f"| `{name}` | {_prose(value)} |"
    yield ""


def _prose(of: object) -> str:
    return (inspect.getdoc(of) or "").replace("``", "`").replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
