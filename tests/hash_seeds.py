"""Nothing depends on the order of sets, which differs from one process to the next."""

from __future__ import annotations

import os
import subprocess
import sys


def printed(code: str, *arguments: str) -> str:
    """What a script prints, with this process's modules, whatever its hash seed."""
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code, *arguments],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    )
    assert first == second
    return first
