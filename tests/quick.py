"""Which tests ``pytest -m quick`` runs: of each part of the package those that take no time.

They are chosen by file, so that ``-m quick`` need not import the others. ``test_layout.py`` checks
that each package has some, and a warning tells of one that takes longer than ``MOST_SECONDS``.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FILES = """
    test_layout.py
    core/test_action.py core/test_formula.py core/test_protocol.py core/test_state.py
    core/test_truth.py core/test_world.py core/ground/test_files.py core/ground/test_nesting.py
    core/play/test_replay.py core/play/test_rounds.py core/play/test_session.py
    core/play/test_telling.py core/play/test_transcript.py core/play/test_turn_session.py
    goals/bddl/test_problem.py goals/bddl/test_truth.py goals/etplan/ goals/ltl/test_reading.py
    goals/partnr/test_text_format.py goals/embodiedeval/
    planning/test_relevance.py planning/pddl/test_check.py
    drivers/test_prompt_texts.py drivers/test_shortening.py
    data/test_cache.py data/test_store.py
    worlds/virtualhome/test_relevance.py worlds/virtualhome/test_scene_graph.py
    worlds/behavior/test_actions_every_failure.py
    worlds/house/model/test_doors.py worlds/house/model/test_people.py
    worlds/house/generation/test_looks.py worlds/house/generation/test_random_draws.py
    worlds/house/simulation/test_knowledge.py worlds/house/simulation/test_relations.py
    worlds/house/simulation/test_placing.py worlds/house/simulation/walking/test_navigation.py
    worlds/house/rendering/test_materials.py worlds/house/rendering/meshes/test_windows.py
    worlds/house/exchange/test_habitat.py worlds/house/exchange/test_procthor.py
    suites/eai/test_plans.py suites/eai/transition_modeling/test_matching.py
    suites/embodiedeval/test_replies.py suites/embodiedeval/test_session.py
    suites/etplan/test_audit.py suites/etplan/test_metrics.py suites/etplan/agents/test_oracle.py
    suites/partnr/test_suite.py suites/partnr/judging/ suites/partnr/prompting/test_calls.py
    suites/partnr/episodes/test_scene.py suites/test_suites_registry.py
    authoring/embodiedeval/test_generate.py authoring/language/test_names.py
    authoring/partnr/grammar/test_naming.py authoring/partnr/test_packing.py
    results/test_jackknife.py results/test_rows.py results/test_table.py
    evals/test_checks.py train/test_encoders.py
    web/test_registry.py web/test_scene_json.py web/studies/test_study.py
    cli/test_data.py
""".split()  # noqa: SIM905 (a list would be a page)
"""Tests in these are quick, but for those marked slow; of folders, those of all their files."""
MOST_SECONDS = 5.0
"""The CPU time that a quick test may take, in its own process."""
_LONGER = ("slow", "differential", "attack")


def has_quick_tests(path: Path) -> bool:
    """Whether some tests of a file are quick."""
    name = path.relative_to(TESTS).as_posix()
    return not path.name.startswith("test_") or name.startswith(tuple(FILES))


def is_quick(item: pytest.Item) -> bool:
    """Whether a test is quick."""
    return has_quick_tests(item.path) and not any(map(item.get_closest_marker, _LONGER))


def cpu_seconds() -> float:
    """The CPU time that this process has taken so far."""
    used = os.times()
    return used.user + used.system


def check_seconds(item: pytest.Item, seconds: float) -> None:
    """Warn of a quick test that took long; no test fails for its time."""
    if seconds > MOST_SECONDS:
        warnings.warn(
            f"{item.nodeid} is in tests/quick.py and took {seconds:.1f} s of CPU time", stacklevel=1
        )
