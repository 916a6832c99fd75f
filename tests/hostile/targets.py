"""All targets."""

from __future__ import annotations

from collections.abc import Mapping

from hostile.commands import command_targets
from hostile.embodiedeval import embodiedeval_targets
from hostile.etplan import etplan_targets
from hostile.files import file_targets
from hostile.houses import house_targets
from hostile.languages import language_targets
from hostile.suites import suite_targets
from hostile.target import Target


def targets() -> Mapping[str, Target]:
    """By name: suites, what models say while they play, languages, files, commands."""
    every = (
        *(*suite_targets(), *language_targets(), *etplan_targets()),
        *(*file_targets(), *house_targets(), *command_targets(), *embodiedeval_targets()),
    )
    return {target.name: target for target in every}
