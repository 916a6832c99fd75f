"""A planner who knows how a task is judged and sees everything (PARTNR paper, section 4.1).

:mod:`.expert` decides, in these steps. :mod:`.requirements` says which propositions are due;
:mod:`.choice` which of the alternatives shall satisfy them, of those that
:mod:`.argument_constraints` leave; :mod:`.jobs` what that makes to do to which thing.
:mod:`.execution` has the next action for a job, with :mod:`.candidates` for where a thing could be
put, :mod:`.usual_places` for where in a room, :mod:`.placement` for where it is put, and
:mod:`.meeting` for where things meet; :mod:`.shares` says for whom. :mod:`.memory` is what the
expert remembers of a run, :mod:`.house_view` what it can ask of the house.
"""

from homebody.suites.partnr.expert.expert import Expert, expert_policy, play_expert
from homebody.suites.partnr.expert.requirements import has_breakable_order, reverse_order

__all__ = ["Expert", "expert_policy", "has_breakable_order", "play_expert", "reverse_order"]
