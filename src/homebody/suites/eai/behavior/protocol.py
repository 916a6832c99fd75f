"""Quirks of the published EAI evaluator on BEHAVIOR: its deviations from the paper."""

from __future__ import annotations

from homebody.suites.eai.protocol import (
    TRANSITION_MODELING,
    Differences,
    list_differences,
    simulator_differences,
)
from homebody.worlds.behavior import QUIRKS as SIMULATOR_QUIRKS

ACTION_SEQUENCING: Differences = {
    "first_brackets_evaluated": (
        "What is between the first `[` and the first `]` is evaluated as Python; entries without"
        " an action and an object are passed over. (homebody reads it as a literal: code in an"
        " output is not run.)",
        "The output holds one plan, read as docs/benchmarks/eai-answers.md says; every step must"
        " have an action and its objects.",
    ),
    "burn_is_known": (
        "BURN is an action of the vocabulary, which the simulator cannot do: the plan ends there"
        " with an error of no type.",
        "There is no such action (table 27).",
    ),
    "goals_met_by_options": (
        "A condition holds if one of the goal options does that `bddl` makes of it: at most 20"
        ' combinations and 10 pairings, and "exactly n" requires n at least.',
        "A condition holds as it is defined.",
    ),
    "stopped_plans_can_succeed": (
        "A plan that stops with an error still succeeds if the goal holds where it stopped.",
        "Only an executable plan can succeed (appendix D.2).",
    ),
    "unread_outputs_meet_what_held": (
        "An output that is no plan has met the conditions that hold at first.",
        "It has met none.",
    ),
}

GOAL_INTERPRETATION: Differences = {
    "first_braces_read": (
        "The text from a first `{` to the next brace, if that is `}`, is read, in lower case and"
        " with double quotes for apostrophes; whatever its keys are called, the goals of all of"
        " them count.",
        "The output holds one object, read as docs/benchmarks/eai-answers.md says, with the lists"
        " that the prompt requests; one with neither of them is unreadable. Cases do not matter,"
        " and ToggledOn is Toggled_On.",
    ),
    "value_types_unchecked": (
        "A list or a goal of another type (a number, null, an empty list) raises an exception that"
        " ends the whole evaluation (homebody marks the sample, `published_crash`, and continues);"
        " of a text each character is a goal, and what follows a negated goal is not seen.",
        "What is no goal is malformed.",
    ),
    "unsound_goals_compared": (
        "Malformed goals, those with a state, relation or object that does not exist, and states of"
        " two objects, are counted as such and as wrong goals besides.",
        "They are excluded, and the rest is compared (appendix D.1).",
    ),
    "repeated_goals_counted": (
        "A wrong goal counts each time it is repeated, and a literal that two conditions of the"
        " annotation require counts twice.",
        "Goals are sets (section 2.3).",
    ),
    "options_chosen_one_by_one": (
        "For each condition by itself the option of which most is predicted is taken, the first of"
        " several, however much of it is missed. The options so taken may contradict each other,"
        " in 4 tasks: nothing can then fulfil what the prediction is compared with.",
        "Of the options of the whole goal the one with the highest F1 is taken (section 2.3).",
    ),
    "symmetric_relations_directed": (
        "`nextto` and `touching` the other way round than annotated is wrong.",
        "They hold both ways: such a goal entails the annotated one (section 2.3).",
    ),
    "self_relations_asked_for": (
        "In 3 tasks (laying_wood_floors, sorting_groceries, sorting_mail) there are options in"
        " which a thing is next to, or touches, itself.",
        "Such an option cannot be fulfilled; there are always others.",
    ),
}

SUBGOAL_DECOMPOSITION: Differences = {
    "subgoals_read_by_pattern": (
        "Of the first `{...}` without braces inside, subgoals with `forall`, `exists` or `forn` in"
        " them (in a name too) and those that mention `agent` are dropped; one part of an ` or ` is"
        " drawn (homebody takes the first). `t-shirt` becomes `shirt`, so that the two t-shirts"
        " cannot be named, nor can the halves of sliced things. `toggled_on` is unknown,"
        " categories and actions without a number of objects are parsing errors, and so is"
        " the negation of more than one state.",
        "The output holds one list, read as docs/benchmarks/eai-answers.md says; each of its"
        " subgoals is a formula over the states of the prompt, the names of actions, and the"
        " objects and halves of the scene, with the connectives and quantifiers of the prompt.",
    ),
    "subgoals_refined_by_rules": (
        "Each literal stands for fixed actions, done whether it holds already or not: a thing is"
        " grasped with the right hand, or the left if that is full, and placed; with both hands"
        " full the right one lets go of what it has, be it the knife. Nothing is opened, fetched or"
        " put aside. Actions, `not ontop` and many more literals are passed over, negated `inside`"
        " releases the right hand, and a thing is found in the hand that holds one whose name"
        " contains its name. Whether a subgoal is reached is not looked at.",
        "Each subgoal is refined by search into the shortest sequences of actions after which it"
        " holds (appendix D.3).",
    ),
    "changed_goals_judged": (
        "The prompts of organizing_school_stuff, rearranging_furniture and sorting_mail request"
        " the activity's own goal; the judged goal replaced it later, and that of sorting_mail can"
        " never be reached.",
        "The requested goal is judged.",
    ),
    "affordance_errors_come_last": (
        "Of several errors of an action the wrong order comes before the missing step and that"
        " before the affordance; action sequencing puts affordances first.",
        "One order for both: affordances come first (figure 19).",
    ),
    "additional_steps_of_failed_plans_uncounted": (
        "Additional steps of plans that are carried out and miss the goal are not counted.",
        "They are counted.",
    ),
    "unread_subgoals_meet_stored_verdicts": (
        "An output that is not read has met the conditions that were found to hold at first when"
        " the benchmark was made, and of three tasks that are the conditions of an earlier goal.",
        "It has met none.",
    ),
}

TRANSITION_MODELING_BEHAVIOR: Differences = {
    "other_operators_evaluated": (
        "Of 25 tasks the operators compared are not those that the prompt requests: an answer to"
        " the prompt has nothing for `release`, `open` or `place_onfloor`, which are compared, and"
        " `place_nextto`, which is not, counts as hallucinated.",
        "The operators that the prompt requests are compared; the annotated ones that a plan needs"
        " besides are given to the planner.",
    ),
    "prompted_name_hallucinated": (
        "Prompts request `slice_carvingknife`; the evaluator compares `slice-carvingknife`, and"
        " reads no name beyond a hyphen. However it is written, in 3 tasks this operator is"
        " hallucinated.",
        "Both are names of the one operator.",
    ),
    "undeclared_object_refused": (
        "The problem of cleaning_floors has facts about an object that it does not declare, and the"
        " planner refuses it: unsolved, whatever the output.",
        "The object is declared, with the type that its name has.",
    ),
}

_SORTING = frozenset({"check_order", "history_of_all_checks", "placing_is_never_wrong_order"})

DIFFERENCES = (
    *list_differences(action_sequencing=ACTION_SEQUENCING),
    *simulator_differences(SIMULATOR_QUIRKS, _SORTING),
    *list_differences(
        goal_interpretation=GOAL_INTERPRETATION,
        subgoal_decomposition=SUBGOAL_DECOMPOSITION,
        transition_modeling={**TRANSITION_MODELING, **TRANSITION_MODELING_BEHAVIOR},
    ),
)
QUIRKS = frozenset(difference.name for difference in DIFFERENCES)
