"""How long whole commands take, from the shell's point of view: `homebody run` with agents.

    python benchmarks/running.py                    # the commands below, in one process and in all
    python benchmarks/running.py --python /tmp/v/bin/python --limit 50

Each command runs in a fresh process and folder; the data has to be there (`homebody data fetch`).
It prints the wall clock's seconds, and the processor's, which tell how long it takes where nobody
else works. A third column divides: how many cores were at work.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

COMMANDS = (
    ("eai.virtualhome.action_sequencing", "oracle", "random"),
    ("eai.behavior.action_sequencing", "oracle", "random"),
    ("eai.virtualhome.interactive", "oracle", "random"),
    ("partnr.val", "expert"),
)


def timed(python: str, words: list[str]) -> tuple[float, float]:
    """Seconds of the clock and of the processors."""
    with tempfile.TemporaryDirectory() as folder:
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(
            [python, "-m", "homebody", *words],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
            env=os.environ | {"PYTHONHASHSEED": "0"},
        )
        seconds = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="of the environment to time")
    parser.add_argument("--limit", type=int, help="first tasks only")
    parser.add_argument("--only", default="", help="suites whose name begins so")
    options = parser.parse_args()
    few = ["--limit", str(options.limit)] if options.limit else []
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for suite, *agents in COMMANDS:
        if not suite.startswith(options.only):
            continue
        chosen = [word for agent in agents for word in ("--agent", agent)]
        for workers in (["--workers", "1"], []):
            words = ["run", suite, *chosen, *few, *workers]
            seconds, busy = timed(options.python, words)
            print(
                f"{seconds:6.1f} s {busy:6.1f} s {busy / seconds:4.1f}  homebody {' '.join(words)}"
            )


if __name__ == "__main__":
    main()
