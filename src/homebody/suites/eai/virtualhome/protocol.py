"""Quirks of the published EAI evaluator on VirtualHome: its deviations from the paper."""

from __future__ import annotations

from homebody.suites.eai.protocol import (
    TRANSITION_MODELING,
    Differences,
    list_differences,
    simulator_differences,
)
from homebody.worlds.virtualhome.published import QUIRKS as SIMULATOR_QUIRKS
from homebody.worlds.virtualhome.published import SORTING_QUIRKS

ACTION_SEQUENCING: Differences = {
    # -- reading the output
    "outputs_read_by_pattern": (
        'A pattern collects `"WORD": [...]` anywhere in the text, so an action with an empty list'
        " of objects (STANDUP, SLEEP, WAKEUP) is dropped, and text that is not JSON passes.",
        "The output contains one plan, read as docs/benchmarks/eai-answers.md describes; keys may"
        " repeat and keep their order.",
    ),
    "parsing_errors_counted_twice": (
        "An output with a list that is not JSON adds two to the count of parsing errors.",
        "An output has at most one grammar error.",
    ),
    "actions_missing_from_vocabulary": (
        "PLUGIN, PLUGOUT and RELEASE, which prompts offer, count as hallucinated.",
        "All 42 actions and the two variants of LOOKAT are known.",
    ),
    "only_changed_objects_known": (
        "An object that the ground truth does not change counts as hallucinated, even if it is in"
        " the scene and in the ground-truth plan.",
        "Every object of the scene is known.",
    ),
    "ids_required": (
        "Arguments are read in pairs of name and id; anything else is a parsing or hallucination"
        " error.",
        "A name without an id means the object of that class with the lowest id, among those that"
        " the prompt lists; if it lists none, among those of the scene.",
    ),
    "crashes": (
        "An action name in lower case, LOOKAT_SHORT, LOOKAT_LONG, PUTOBJBACK of an object that was"
        " never grabbed, and walking to an object that is in no room raise an exception that ends"
        " the whole evaluation. homebody marks the sample (`published_crash`) and continues.",
        "Any text gets a verdict; the case of action names does not matter.",
    ),
    # -- judging the plan
    "ground_truth_plan_not_judged": (
        "A plan equal to the ground truth is counted executable, but its goals are not checked:"
        " it adds nothing to any success rate.",
        "Such a plan is executed and judged like any other.",
    ),
    "one_relation_goal_counts": (
        "Counting stops at the first relation goal that holds, so a task with several relation"
        " goals can never be solved.",
        "All relation goals count.",
    ),
    "unsolvable_tasks_dropped": (
        "Tasks whose annotated final state fails its own goal check (37, all of them because"
        " they have several relation goals) are excluded: 305 remain of 342.",
        "Every task with a goal counts.",
    ),
    "goalless_tasks_counted": (
        "Four tasks (339_1, 627_1, 84_1, 93_1) have no goal. Every plan except the ground truth"
        " succeeds, and every goal that a model predicts is wrong.",
        "They are excluded: 338 remain, the number that the paper gives.",
    ),
    "stopped_plans_can_succeed": (
        "A plan that stops with a runtime error still succeeds if the goals hold where it stopped.",
        "Only an executable plan can succeed (appendix D.2).",
    ),
    "additional_steps_counted_singly": (
        "The rate of additional steps is the number of such steps per task, and may exceed 100 %.",
        "It is the share of tasks with at least one, like the other errors.",
    ),
}

GOAL_INTERPRETATION: Differences = {
    "unreadable_outputs_cost_nothing": (
        "The goals of a task whose output cannot be read are excluded from recall.",
        "These goals count as missed.",
    ),
    "one_object_per_class": (
        "A name stands for one changed object of that class, the one that a set happens to yield"
        " last. Goals on other objects of the class cannot be met. The character is known only if"
        " it changes.",
        "Goals are compared by class, because the output format has no ids.",
    ),
    "repeated_goals_counted": (
        "Goals that differ only in a description or another extra key are each counted, and may"
        " all meet the same annotated goal: the number of missed goals can become negative.",
        "A goal counts once, and one prediction meets an annotated action goal.",
    ),
    "vocabulary_unchecked": (
        "A state, relation or action that does not exist counts as a wrong goal, and so does a"
        " known state in lower case.",
        "Such a goal is a hallucination and is excluded, like one with an unknown object (appendix"
        " D.1). Case does not matter.",
    ),
    "value_types_unchecked": (
        "Goals that are not objects, or lists that are not lists, end the whole evaluation or"
        " are read letter by letter; a state that is a number is a wrong goal. homebody marks"
        " the sample (`published_crash`) and continues.",
        "These outputs have format errors.",
    ),
    "apostrophes_replaced": (
        "Every apostrophe is replaced by a double quote before reading, so valid JSON with an"
        " apostrophe in a description is unreadable. A code fence is removed only if the output"
        " begins with it and it says json.",
        "The output contains one object, read as docs/benchmarks/eai-answers.md describes. A"
        " missing list of goals is a format error.",
    ),
}

SUBGOAL_DECOMPOSITION: Differences = {
    "subgoals_read_by_pattern": (
        "Only the first `{...}` without braces inside is read, and text without a call is silently"
        " dropped. Of subgoals joined by ` or `, one is drawn at random, before parentheses are"
        " read (homebody takes the first). BETWEEN takes two objects although prompts say three."
        " Of `not` and quantifiers, only the `not` of a single call is read.",
        "The output contains one list, read as docs/benchmarks/eai-answers.md describes. Every"
        " subgoal is a state formula with `and`, `or`, `not` and quantifiers; any part of an `or`"
        " counts. BETWEEN takes two or three objects. A name without an id is resolved as in"
        " action sequencing. The case of predicates does not matter.",
    ),
    "subgoals_refined_by_rules": (
        "Each subgoal is refined by a fixed rule into one or two short sequences of actions (walk"
        " there, and the one action); all that can be executed are followed. Whether the subgoal"
        " then holds is not checked. Subgoals without a rule (SITTING, LYING, DIRTY, BETWEEN,"
        " NEXT_TO between objects, properties) are skipped. `not` and names without ids raise an"
        " exception, which counts as a parsing error; so do walking to an object that is in no"
        " room, sitting or lying down where no space is left, and cutting without a knife.",
        "Breadth-first search over the world's actions finds the shortest paths to a state where"
        " the subgoal holds (appendix D.3): all are kept, up to a bound, and the best counts"
        " (section 2.4). The parts of a long `and` are reached one by one if there are too many"
        " orders to try. An object in either hand suffices, unless the goal requires one hand. The"
        " search repairs what figure 26 calls a wrong order or a missing step. Such errors remain"
        " only where no path was found; they are classified by what is wrong with the actions that"
        " would achieve the subgoal (figure 19). A subgoal that already holds, and whose action"
        " would be an additional step, is an additional step.",
    ),
    "goals_met_along_the_way": (
        "The task succeeds if its goal was true at some moment of the run.",
        "Its states must hold at the end, after its actions, as in action sequencing.",
    ),
    "goals_outside_subgoal_vocabulary": (
        "The goals of 5 tasks name POUR, which the vocabulary of subgoals lacks: every output for"
        " them is a parsing error.",
        "They are judged like others, and a subgoal may name the actions that its task requires.",
    ),
    "action_goals_by_name": (
        "Action goals are counted in the order of the list, anywhere in the plan, up to the first"
        " one whose name does not occur in any line.",
        "An action goal is met if it and those before it were executed in order.",
    ),
    "additional_steps_of_failed_plans_uncounted": (
        "Additional steps are not counted if the plan ends without reaching the goal.",
        "They are counted.",
    ),
    "repeated_goals_of_unread_outputs": (
        "A relation goal that the annotation lists twice (540_1) counts twice if the output is"
        " unreadable, and once otherwise.",
        "It counts once.",
    ),
}

DIFFERENCES = (
    *list_differences(action_sequencing=ACTION_SEQUENCING),
    *simulator_differences(SIMULATOR_QUIRKS, SORTING_QUIRKS),
    *list_differences(
        goal_interpretation=GOAL_INTERPRETATION,
        subgoal_decomposition=SUBGOAL_DECOMPOSITION,
        transition_modeling=TRANSITION_MODELING,
    ),
)
QUIRKS = frozenset(difference.name for difference in DIFFERENCES)
