"""Precision and recall of the objects that a model lists in pictures (paper, appendix A.10.3).

Named are the classes in the pipeline's lists; a name that is no class of the home counts, too.
Visible are the classes of all furniture and objects that the pictures can show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homebody.core import CORRECTED, HomebodyError
from homebody.core.score import share_of
from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.agents.questions import Inquiry, match_choices, read_names
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import EtplanTask
from homebody.suites.etplan.training import replay_pipeline


@dataclass(frozen=True, slots=True)
class PictureLists:
    """Counts over the lists of a run or of several.

    Attributes:
        named: Number of named classes.
        visible: Number of visible classes.
        right: Number of visible classes that were named.
    """

    named: int = 0
    visible: int = 0
    right: int = 0

    def __add__(self, other: PictureLists) -> PictureLists:
        return PictureLists(
            self.named + other.named, self.visible + other.visible, self.right + other.right
        )

    @property
    def precision(self) -> float:
        """Share of the named classes that are visible, in %; NaN if none is named."""
        return share_of(self.right, self.named, exact=True)

    @property
    def recall(self) -> float:
        """Share of the visible classes that are named, in %; NaN if none is visible."""
        return share_of(self.right, self.visible, exact=True)


def compare_list(output: str, visible: set[str], classes: frozenset[str]) -> PictureLists:
    """Return the counts of one list. An unreadable output names nothing.

    Args:
        output: The model's output.
        visible: The visible classes.
        classes: All classes of the home.
    """
    try:
        names = read_names(output)
    except HomebodyError:
        names = ()
    matches = [match_choices(name, classes) for name in names]
    named = {each for found in matches for each in found}
    unknown = sum(not found for found in matches)
    return PictureLists(len(named) + unknown, len(visible), len(named & visible))


def count_lists(
    task: EtplanTask, answers: Sequence[str], settings: Mapping[str, str]
) -> PictureLists:
    """Return the counts of all lists of a run of the pipeline.

    Args:
        task: The task.
        answers: The model's outputs, in order.
        settings: The settings of the run.
    """
    session: Any = start(ROWS[task.row], task, settings, 0, CORRECTED)
    given, facts = iter(answers), session.source.facts
    found = PictureLists()

    def answer(inquiry: Inquiry) -> str:
        return next(given, "")

    for _, inquiry, output in replay_pipeline(session, answer):
        if inquiry.about == "seen":
            nodes = session.observe(ROBOT).knowledge.nodes
            visible = {
                nodes[name].category
                for name in session.view.in_sight(ROBOT)
                if name in nodes and nodes[name].kind in ("furniture", "object")
            }
            found += compare_list(output, visible, facts.classes)
    return found
