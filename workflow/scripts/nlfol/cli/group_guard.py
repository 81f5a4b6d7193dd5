"""Guard: a process that ends a process group unless it is told that the group is done.

Killed by SIGKILL, ``nlfol run`` cannot end what it started, but the kernel closes its end of this process's standard
input, which holds the group on a line, then a word once it is done. SIGTERM leaves Snakemake the time to take its lock
away, and cancels nothing on a cluster.
"""

import os
import signal
import sys
from contextlib import suppress

if __name__ == "__main__":
    group, _, done = sys.stdin.read().partition("\n")
    if group and not done:
        with suppress(ProcessLookupError):  # none is left of it
            os.killpg(int(group), signal.SIGTERM)
