"""Read the files of WordNet 3.0 (Debian's package ``wordnet-base``).

python tests/worlds/house/model/wordnet_files.py    # writes hypernyms.json
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import orjson

from homebody.worlds.house.model.catalogue import catalogue

FOLDER = Path("/usr/share/wordnet")
_SYNSET = re.compile(r"(.+)\.n\.(\d\d)")


@dataclass(frozen=True)
class WordNet:
    """The nouns.

    Attributes:
        senses: Word in lower case -> the offsets of its synsets, most frequent first.
        words: Offset -> the synset's words.
        above: Offset -> the offsets of its hypernyms.
    """

    senses: dict[str, list[str]]
    words: dict[str, list[str]]
    above: dict[str, list[str]]

    def find(self, synset: str) -> str | None:
        """Return the offset of ``mug.n.04``, or None if there is no such synset."""
        match = _SYNSET.fullmatch(synset)
        senses = self.senses.get(match[1], []) if match else []
        return senses[int(match[2]) - 1] if match and 0 < int(match[2]) <= len(senses) else None

    def name(self, offset: str) -> str:
        """Return the name of a synset after its first word."""
        word = self.words[offset][0].lower()
        return f"{word}.n.{self.senses[word].index(offset) + 1:02}"

    def direct_hypernyms(self, synset: str) -> list[str]:
        """Return the synsets directly above; for a second name of a synset, its first name."""
        offset = self.find(synset)
        assert offset is not None, f"WordNet has no synset {synset!r}"
        name = self.name(offset)
        return [name] if name != synset else sorted(map(self.name, self.above[offset]))


def read_wordnet(folder: Path = FOLDER) -> WordNet:
    """Read ``index.noun`` and ``data.noun``; their format is in WordNet's ``wndb(5)``."""
    senses, words, above = {}, {}, {}
    for line in (folder / "index.noun").read_text("ascii").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            senses[fields[0]] = fields[-int(fields[2]) :]
    for line in (folder / "data.noun").read_text("ascii").splitlines():
        if not line.startswith(" "):
            fields = line.partition("|")[0].split()
            count = int(fields[3], 16)
            words[fields[0]] = fields[4 : 4 + 2 * count : 2]
            pointers = fields[5 + 2 * count :]
            kinds, offsets = pointers[::4], pointers[1::4]
            above[fields[0]] = [
                offset for kind, offset in zip(kinds, offsets, strict=False) if kind in ("@", "@i")
            ]
    return WordNet(senses, words, above)


def hypernyms(wordnet: WordNet) -> dict[str, list[str]]:
    """Return the direct hypernyms of the catalogue's synsets and of all synsets above them."""
    kinds = (*catalogue().furniture.values(), *catalogue().things.values())
    pending = [kind.synset for kind in kinds]
    pending += [kind.content for kind in catalogue().things.values() if kind.content]
    found: dict[str, list[str]] = {}
    for synset in pending:
        if synset not in found:
            found[synset] = wordnet.direct_hypernyms(synset)
            pending += found[synset]
    return dict(sorted(found.items()))


if __name__ == "__main__":
    target = Path(__file__).parents[4] / "src/homebody/worlds/house/model/hypernyms.json"
    target.write_bytes(orjson.dumps(hypernyms(read_wordnet())) + b"\n")
