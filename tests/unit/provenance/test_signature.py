"""Signatures are made and checked by the real ssh-keygen."""

import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nlfol.cli.main import app
from nlfol.provenance.fault import Fault
from nlfol.provenance.manifest import to_text
from nlfol.provenance.roots import root_of
from nlfol.provenance.signature import signers
from nlfol.store.canonical import canonical, sha256

KEYGEN = shutil.which("ssh-keygen") or "ssh-keygen"
ROOT = root_of({})
needs_ssh_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


def keygen(*arguments: str | Path) -> None:
    subprocess.run([KEYGEN, *map(str, arguments)], check=True, capture_output=True)


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """A manifest that ada signed, whom ``allowed_signers`` names."""
    keygen("-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "ada")
    (tmp_path / "allowed_signers").write_text(f"ada@example.org {(tmp_path / 'ada.pub').read_text()}")
    values = {"digest": sha256(canonical({"data": {}})), "experiment": {"data": {}}}
    path = tmp_path / "run/results/manifest.json"
    path.parent.mkdir(parents=True)
    path.write_text(to_text({**values, "environment": {"files": {}, "root": ROOT, "roots": {}}}))
    keygen("-Y", "sign", "-n", "nlfol", "-f", tmp_path / "ada", path)
    return path


@needs_ssh_keygen
def test_signature_names_its_signer(manifest: Path, tmp_path: Path) -> None:
    assert signers(manifest, tmp_path / "allowed_signers") == ["ada@example.org"]


@needs_ssh_keygen
@pytest.mark.parametrize("change", ["manifest", "signer", "purpose", "unsigned"])
def test_signature_of_something_else_is_a_fault(manifest: Path, tmp_path: Path, change: str) -> None:
    signature = manifest.with_name("manifest.json.sig")
    signature.unlink()
    if change == "manifest":
        keygen("-Y", "sign", "-n", "nlfol", "-f", tmp_path / "ada", manifest)
        manifest.write_text(manifest.read_text() + " ")
    elif change == "signer":
        keygen("-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "eve")
        keygen("-Y", "sign", "-n", "nlfol", "-f", tmp_path / "eve", manifest)
    elif change == "purpose":
        keygen("-Y", "sign", "-n", "git", "-f", tmp_path / "ada", manifest)
    fault = signers(manifest, tmp_path / "allowed_signers")
    assert isinstance(fault, Fault)
    assert ("nobody has signed" if change == "unsigned" else "none of the signers") in fault.problem


@needs_ssh_keygen
def test_verify_checks_signature_and_published_root(manifest: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "journal").mkdir()

    def verify(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["verify", str(run), *arguments])
        return done.exit_code, done.stdout + done.stderr

    signed = ["--allowed-signers", str(tmp_path / "allowed_signers")]
    status, said = verify(*signed, "--root", ROOT[:32])
    assert (status, "signed by ada@example.org" in said) == (0, True), said
    status, said = verify()
    assert (status, "no --allowed-signers are given" in said) == (3, True)
    status, said = verify(*signed, "--root", "b" * 32)
    assert (status, f"its root is {ROOT[:32]}, not the published {'b' * 32}" in said) == (1, True)
    assert verify("--root", "abc")[0] == 2
    manifest.write_text(manifest.read_text().replace("{}", "[]"))
    assert verify(*signed)[0] == 1


def test_without_ssh_keygen_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert signers(tmp_path / "manifest.json", tmp_path / "allowed_signers") is None
