"""Ask the published evaluators about the inputs that they were never asked about.

    python tests/differential/record.py [NAME ...]

Writes to ``recorded/`` (see :mod:`differential.recorded`). All at once, from nothing, takes half an
hour on two cores; what was done when it is interrupted stays done.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from differential.recordings import RECORDINGS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(RECORDINGS)}")
    for name in parser.parse_args().names or RECORDINGS:
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            for done, count in RECORDINGS[name].record(Path(folder)):
                print(f"{name}: {done} of {count}, {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
