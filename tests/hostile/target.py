"""What is attacked: valid inputs, crafted ones, and what must hold whatever comes in."""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from hostile.mutation import mutated, mutated_bytes

Input: TypeAlias = str | bytes
Judge: TypeAlias = Callable[[Input, int, Random], bytes]
"""``judge(input, which, random)``: read an input that was made from the valid one at an index, and
use what was read. Gives bytes that must be the same when it is done again; raises whatever is
wrong."""
SEED = 20261122
SLOW = 2.0
"""Seconds of the processor that no input may take."""


class Broken(AssertionError):
    """Something that is promised does not hold."""


@dataclass(frozen=True)
class Prepared:
    """A target whose data is loaded.

    Attributes:
        valid: Inputs that are right.
        judge: Reads an input; see :data:`Judge`.
        crafted: Hostile inputs, tried before the mutated ones, with the index of the valid one
            whose they are, or none if they are anybody's.
    """

    valid: Sequence[Input]
    judge: Judge
    crafted: Sequence[tuple[Input, int | None]] = ()


@dataclass(frozen=True)
class Target:
    """Something that reads inputs from outside.

    Attributes:
        name: A suite's, or that of a format.
        prepare: Loads what it needs.
        is_suite: Whether its inputs are outputs of models that get a score.
    """

    name: str
    prepare: Callable[[], Prepared]
    is_suite: bool = False


@dataclass(frozen=True)
class Case:
    """One input: made from the valid one at ``which``."""

    index: int
    input: Input
    which: int


@dataclass(frozen=True)
class Outcome:
    """What came of a case.

    Attributes:
        seconds: Of this process's processor.
        problem: A traceback, or empty.
        digest: Of what it gave.
    """

    case: Case
    seconds: float
    problem: str
    digest: str


def case_of(target: Target, prepared: Prepared, index: int) -> Case:
    """The case of an index: the same always."""
    random = Random(f"{SEED} {target.name} {index}")
    which, other = (random.randrange(len(prepared.valid)) for _ in range(2))
    if index < len(prepared.crafted):
        crafted, whose = prepared.crafted[index]
        return Case(index, crafted, which if whose is None else whose)
    valid, foreign = prepared.valid[which], prepared.valid[other]
    if isinstance(valid, str):
        assert isinstance(foreign, str)
        return Case(index, mutated(random, valid, foreign), which)
    assert isinstance(foreign, bytes)
    return Case(index, mutated_bytes(random, valid, foreign), which)


def tried(target: Target, prepared: Prepared, case: Case) -> Outcome:
    """Try a case; one in ten twice, which must give the same bytes."""
    digest, problem = "", ""
    start = time.process_time()
    try:
        given = _judged(target, prepared, case)
        seconds = time.process_time() - start
        digest = hashlib.sha256(given).hexdigest()[:16]
        if case.index % 10 == 0 and _judged(target, prepared, case) != given:
            raise Broken("the same input gives other bytes the second time")
    except Exception:
        seconds = time.process_time() - start
        problem = traceback.format_exc(limit=-30)[-8_000:]
    return Outcome(case, seconds, problem, digest)


def _judged(target: Target, prepared: Prepared, case: Case) -> bytes:
    return prepared.judge(case.input, case.which, Random(f"{target.name} {case.index}"))


def attack(
    target: Target,
    prepared: Prepared,
    indices: Iterable[int],
    begun: Callable[[int], object] = lambda index: None,
) -> Iterator[Outcome]:
    """Try cases one after the other; ``begun`` is told of each before."""
    for index in indices:
        begun(index)
        yield tried(target, prepared, case_of(target, prepared, index))
