"""What published evaluators said of many inputs: kept in ``recorded/``, and asked for again.

Running them takes half an hour; what they say of an input never changes. So their verdicts are
kept, by a digest of each input, and homebody is compared with those. ``test_recorded`` asks the
evaluators themselves about some of the inputs again, and about all of them if the environment
variable ``HOMEBODY_DIFFERENTIAL_FULL`` is set. Where inputs have changed, because what makes them
has, ``python tests/differential/record.py`` asks about the new ones and forgets the old ones.

Other inputs are compared with ``HOMEBODY_DIFFERENTIAL_SEED`` and ``HOMEBODY_DIFFERENTIAL_SAMPLES``
(how many changed outputs each comparison has), recorded in a folder of their own, which
``HOMEBODY_DIFFERENTIAL_RECORDED`` names.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SEED = int(os.environ.get("HOMEBODY_DIFFERENTIAL_SEED", "1"))
SAMPLES = int(os.environ.get("HOMEBODY_DIFFERENTIAL_SAMPLES", "1500"))
FULL = bool(os.environ.get("HOMEBODY_DIFFERENTIAL_FULL"))
FOLDER = Path(
    os.environ.get("HOMEBODY_DIFFERENTIAL_RECORDED") or Path(__file__).with_name("recorded")
)


@dataclass(frozen=True)
class Recording:
    """Inputs, and what a published evaluator says of each.

    Attributes:
        name: The file's in ``recorded/``.
        evaluator: The published package and its version.
        inputs: Makes the inputs, JSON values: the same each time.
        ask: The evaluator's record of each input, in order; its files go to the folder.
        verdict: What is kept of a record: all that is compared, and of what is long a digest.
        again: Every how manieth input the evaluator is asked about again; 0 for none.
        chunk: About how many inputs the evaluator is asked at a time.
    """

    name: str
    evaluator: str
    inputs: Callable[[], Sequence[Any]]
    ask: Callable[[Sequence[Any], Path], Sequence[Any]]
    verdict: Callable[[Any], Any]
    again: int = 16
    chunk: int = 200

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.json.gz"

    def verdicts(self) -> list[Any]:
        """The recorded verdict on each input, in order.

        Raises:
            AssertionError: there are inputs without one.
        """
        kept = self.kept()
        keys = [digest(item) for item in self.inputs()]
        missing = sum(key not in kept for key in keys)
        assert not missing, (
            f"{self.evaluator} was never asked about {missing} of {len(keys)} inputs of"
            f" {self.name}: `python tests/differential/record.py {self.name}` does"
        )
        return [kept[key] for key in keys]

    def kept(self) -> dict[str, Any]:
        """Digest of input -> verdict."""
        if not self.path.exists():
            return {}
        return dict(json.loads(gzip.decompress(self.path.read_bytes()))["verdicts"])

    def record(self, workdir: Path) -> Iterator[tuple[int, int]]:
        """Ask about the inputs that have no verdict; yields how many are done, of how many.

        The file is written after each chunk, so that what was asked is asked only once.
        """
        inputs = {digest(item): item for item in self.inputs()}
        before = self.kept()
        verdicts = {key: before[key] for key in inputs if key in before}
        missing = [key for key in inputs if key not in verdicts]
        self._write(verdicts)
        yield len(verdicts), len(inputs)
        for start in range(0, len(missing), self.chunk):
            keys = missing[start : start + self.chunk]
            records = self.ask([inputs[key] for key in keys], workdir)
            for key, record in zip(keys, records, strict=True):
                verdicts[key] = self.verdict(record)
            self._write({key: verdicts[key] for key in inputs if key in verdicts})
            yield len(verdicts), len(inputs)

    def _write(self, verdicts: Mapping[str, Any]) -> None:
        recipe = {"evaluator": self.evaluator, "seed": SEED, "samples": SAMPLES}
        content = json.dumps({**recipe, "verdicts": verdicts}, separators=(",", ":"))
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(gzip.compress(content.encode(), mtime=0))


def digest(value: Any) -> str:
    """Sixteen hexadecimal digits that stand for a JSON value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
