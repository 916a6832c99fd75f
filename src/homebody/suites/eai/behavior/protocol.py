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
        "The text between the first `[` and the first `]` is evaluated as Python; entries without"
        " an action and an object are skipped. (homebody only parses it as a literal: code in an"
        " output is not run.)",
        "The output contains one plan, read as docs/benchmarks/eai-answers.md describes; every"
        " step must have an action and its objects.",
    ),
    "burn_is_known": (
        "BURN is in the vocabulary, but the simulator cannot execute it: the plan stops there with"
        " an error that has no type.",
        "BURN is an unknown action, because table 27 does not have it.",
    ),
    "goals_met_by_options": (
        "A condition holds if one of the goal options that `bddl` generates for it holds. `bddl`"
        ' generates at most 20 combinations and 10 pairings, and reads "exactly n" as "at least'
        ' n".',
        "A condition is evaluated by its BDDL definition, without expansion into options.",
    ),
    "stopped_plans_can_succeed": (
        "A plan that stops with an error still succeeds if the goal holds where it stopped.",
        "Only an executable plan can succeed (appendix D.2).",
    ),
    "unread_outputs_meet_what_held": (
        "An output that is not a plan is credited with the conditions that hold initially.",
        "It is credited with no condition.",
    ),
}

GOAL_INTERPRETATION: Differences = {
    "first_braces_read": (
        "The first `{...}` without braces inside is read, in lower case and with apostrophes"
        " replaced by double quotes. The goals under all keys count, whatever the keys are.",
        "The output contains one object, read as docs/benchmarks/eai-answers.md describes, with"
        " the lists that the prompt requests; an object with neither list is unreadable. Case does"
        " not matter, and ToggledOn means Toggled_On.",
    ),
    "value_types_unchecked": (
        "A list or a goal of another type (a number, null, an empty list) raises an exception that"
        " ends the whole evaluation (homebody marks the sample, `published_crash`, and continues)."
        " A string is read as a list of its characters, and what follows a negated goal is"
        " ignored.",
        "An entry that is not a goal counts as malformed.",
    ),
    "unsound_goals_compared": (
        "Malformed goals, goals that name an unknown state, relation or object, and states with"
        " two objects are counted as such errors and also as wrong goals.",
        "They are excluded, and the rest is compared (appendix D.1).",
    ),
    "repeated_goals_counted": (
        "A wrong goal counts once for each repetition, and a literal that two conditions of the"
        " annotation require counts twice.",
        "Goals are sets (section 2.3).",
    ),
    "options_chosen_one_by_one": (
        "For each condition separately, the option with the most predicted literals is chosen (the"
        " first one, if several have the most), however many of its literals are missed. In 4"
        " tasks the chosen options can contradict each other, so no state satisfies the goal that"
        " the prediction is compared with.",
        "Of the options of the whole goal, the one with the highest F1 is chosen (section 2.3).",
    ),
    "symmetric_relations_directed": (
        "`nextto` and `touching` with swapped arguments count as wrong.",
        "Both are symmetric: a swapped goal entails the annotated one (section 2.3).",
    ),
    "self_relations_asked_for": (
        "In 3 tasks (laying_wood_floors, sorting_groceries, sorting_mail) some options require an"
        " object to be next to itself or to touch itself.",
        "Such an option cannot be satisfied; there are always others.",
    ),
}

SUBGOAL_DECOMPOSITION: Differences = {
    "subgoals_read_by_pattern": (
        "Only the first `{...}` without braces inside is read. Subgoals that contain `forall`,"
        " `exists` or `forn` (even within a name) or mention `agent` are dropped. Of the parts of"
        " an ` or `, one is drawn at random (homebody takes the first). `t-shirt` becomes `shirt`,"
        " so the two t-shirts cannot be named; neither can the halves of sliced objects."
        " `toggled_on` is unknown. Categories, actions whose number of objects the vocabulary"
        " lacks, and negations of more than one state are parsing errors.",
        "The output contains one list, read as docs/benchmarks/eai-answers.md describes; each of"
        " its subgoals is a formula over the states of the prompt, the names of actions, and the"
        " objects and halves of the scene, with the connectives and quantifiers of the prompt.",
    ),
    "subgoals_refined_by_rules": (
        "Each literal is translated into fixed actions, which are executed even if it already"
        " holds. An object is grasped with the right hand, or with the left if the right is full,"
        " and then placed; if both hands are full, the right one first releases what it holds,"
        " even the knife. Nothing is opened, fetched or moved out of the way. Actions, `not ontop`"
        " and many more literals are skipped, and a negated `inside` releases the right hand. To"
        " find the hand that holds an object, the code searches for its name within the names of"
        " held objects. Whether a subgoal was reached is not checked.",
        "Each subgoal is refined by search into the shortest sequences of actions after which it"
        " holds (appendix D.3).",
    ),
    "changed_goals_judged": (
        "The prompts of organizing_school_stuff, rearranging_furniture and sorting_mail request"
        " the activity's original goal, but a goal that replaced it later is judged; that of"
        " sorting_mail is unreachable.",
        "The requested goal is judged.",
    ),
    "affordance_errors_come_last": (
        "If an action has several errors, wrong order takes precedence over missing step, and"
        " missing step over affordance; in action sequencing, affordance takes precedence.",
        "The order is the same everywhere: affordance takes precedence (figure 19).",
    ),
    "additional_steps_of_failed_plans_uncounted": (
        "Additional steps are not counted for plans that are executed but miss the goal.",
        "They are counted.",
    ),
    "unread_subgoals_meet_stored_verdicts": (
        "An unreadable output is credited with the conditions that were recorded as initially true"
        " when the benchmark was made; for three tasks these are conditions of an earlier goal.",
        "It is credited with no condition.",
    ),
}

TRANSITION_MODELING_BEHAVIOR: Differences = {
    "other_operators_evaluated": (
        "In 25 tasks the evaluated operators are not those that the prompt requests: `release`,"
        " `open` and `place_onfloor` are evaluated but not requested, so the model's output"
        " does not contain them; `place_nextto` is requested but not evaluated, and counts as"
        " hallucinated.",
        "The operators that the prompt requests are evaluated; the planner also receives the"
        " annotated operators that a plan needs.",
    ),
    "prompted_name_hallucinated": (
        "Prompts request `slice_carvingknife`; the evaluator expects `slice-carvingknife`, and"
        " reads names only up to a hyphen. In 3 tasks this operator therefore counts as"
        " hallucinated, however it is written.",
        "Both names mean the same operator.",
    ),
    "undeclared_object_refused": (
        "The problem of cleaning_floors has facts about an object that it does not declare, so the"
        " planner rejects it: the task is unsolved, whatever the output.",
        "The object is declared, with the type that its name indicates.",
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
