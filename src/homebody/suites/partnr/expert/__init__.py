"""A planner with full knowledge of the house and the goal (PARTNR paper, section 4.1).

:mod:`.expert` decides, in these steps. :mod:`.requirements` finds the propositions that are due.
:mod:`.choice` chooses alternatives that satisfy them and that :mod:`.argument_constraints` allow.
:mod:`.jobs` derives the jobs for each object. :mod:`.execution` finds the next action of a job:
with :mod:`.candidates` for possible places, :mod:`.usual_places` within a room, :mod:`.placement`
for the final place, and :mod:`.meeting` for common places. :mod:`.shares` assigns jobs to agents.
:mod:`.memory` stores what the expert remembers of a run, and :mod:`.house_view` answers its queries
about the house."""

from homebody.suites.partnr.expert.expert import Expert, expert_policy, play_expert
from homebody.suites.partnr.expert.requirements import has_breakable_order, reverse_order

__all__ = ["Expert", "expert_policy", "has_breakable_order", "play_expert", "reverse_order"]
