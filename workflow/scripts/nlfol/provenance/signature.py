"""Signatures of a manifest, made and checked by OpenSSH: ``ssh-keygen -Y sign -n nlfol -f KEY manifest.json``."""

import shutil
import subprocess
from pathlib import Path

from nlfol.provenance.fault import Fault

NAMESPACE = "nlfol"
"""Purpose of signatures, so that none made for something else counts."""
_WAIT = 30.0


def signature_name(manifest: Path) -> Path:
    """Return where a manifest's signature lies."""
    return manifest.with_name(f"{manifest.name}.sig")


def signers(manifest: Path, allowed: Path) -> list[str] | Fault | None:
    """Return who signed a manifest, by a file of allowed signers as in ssh-keygen(1); a fault if none of them did.

    None if there is no ssh-keygen to tell.
    """
    signature = signature_name(manifest)
    program = shutil.which("ssh-keygen")
    if program is None:
        return None
    if not (manifest.is_file() and signature.is_file()):
        return Fault(str(signature), None, "no such file, so nobody has signed the manifest", "ask who published it")
    base = ["-f", str(allowed), "-s", str(signature)]

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        with manifest.open("rb") as text:
            return subprocess.run(  # noqa: S603 - no shell
                [program, "-Y", *arguments], stdin=text, capture_output=True, text=True, check=False, timeout=_WAIT
            )

    named = run("find-principals", *base)
    principals = named.stdout.splitlines() if named.returncode == 0 else []
    found = [name for name in principals if not run("verify", "-I", name, "-n", NAMESPACE, *base).returncode]
    problem = f"none of the signers in {allowed} signed {manifest.name} as it is"
    return found or Fault(str(signature), None, problem, "ask who published it, or sign it again")
