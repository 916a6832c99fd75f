"""A planner who knows how a task is judged and sees everything (PARTNR paper, section 4.1).

:mod:`.policy` plays; `goals` says what is due, `choice` and `ties` with which things, `jobs`,
`notes`, `spots`, `places`, `meeting` and `moves` what that makes to do, and `world` looks at the
house.
"""

from homebody.suites.partnr.expert.goals import breakable, reversed_order
from homebody.suites.partnr.expert.policy import Expert, Policy, expert_output, play, play_expert

__all__ = [
    "Expert",
    "Policy",
    "breakable",
    "expert_output",
    "play",
    "play_expert",
    "reversed_order",
]
