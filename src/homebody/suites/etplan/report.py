"""The columns of tables: those of the paper's table 2."""

from __future__ import annotations

from typing import Final

from homebody.core import Measure, Reporting
from homebody.suites.etplan.tasks import EtplanTask

REPORTING: Final[Reporting[EtplanTask]] = Reporting(
    means={"Success": "success"},
    measures={
        "Seq length": Measure("sequence_length", best="low"),
        "LCS": Measure("lcs"),
        "LCS ratio": Measure("lcs_ratio", percent=True),
        "Metres": Measure("moving_distance", best="low"),
    },
)
"""All but the metres, which are of successes, are means over all tasks (appendix A.9)."""
