"""The official prompts of BEHAVIOR.

The published code fills them with data from the simulator. The resulting texts are part of the
official data and are used unchanged. For pipelines, which request other goals than the annotated
ones, the official templates are filled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from homebody.core.formula import Literal, atom_of
from homebody.data import behavior as data
from homebody.suites.eai.behavior.tasks import BehaviorTask, dotted_name


class HasId(Protocol):
    """A task of any of the four abilities."""

    @property
    def id(self) -> str:
        """The official identifier."""
        ...


def goal_interpretation_prompt(task: HasId) -> str:
    """Return the prompt for symbolic goals (EAI paper, appendix I.1)."""
    return official_prompt("goal_interpretation", task.id)


def subgoal_decomposition_prompt(task: BehaviorTask) -> str:
    """Return the prompt for subgoals (EAI paper, appendix I.2), after the system prompt."""
    before, goals, after = _split_at_goals(official_prompt("subgoal_decomposition", task.id))
    if task.interpreted is not None:
        goals = "\n".join(map(_subgoal, task.interpreted))
    return before + goals + after


def listed_goals(task: BehaviorTask) -> list[str]:
    """Return the goal states as listed in the prompt of subgoal decomposition."""
    return _split_at_goals(subgoal_decomposition_prompt(task))[1].splitlines()


def _split_at_goals(prompt: str) -> tuple[str, str, str]:
    """Split a prompt into the text before the goal states, the goal states, and the rest."""
    before, heading, tail = prompt.rpartition("## Goal States\n")
    goals, gap, after = tail.rpartition("\n\n## Output")
    return before + heading, goals, gap + after


def _subgoal(literal: Literal) -> str:
    """Return ``not open(jar.0)``, as the prompt writes initial states."""
    atom = atom_of(literal)
    name = atom.predicate.replace("toggled_on", "toggledon")  # in the subgoal vocabulary
    args = ", ".join(map(dotted_name, atom.args))
    return f"{name}({args})" if literal is atom else f"not {name}({args})"


def action_sequencing_prompt(task: BehaviorTask) -> str:
    """Return the prompt for a plan (EAI paper, appendix I.3)."""
    if task.interpreted is None:
        return official_prompt("action_sequencing", task.id)
    return fill_action_sequencing(
        [[task.names.get(word, word) for word in row] for row in task.raw["initial"]],
        map(_words, task.interpreted),
        [(row["name"], row["category"]) for row in task.objects],
    )


def fill_action_sequencing(
    start: Iterable[Sequence[str]],
    goal: Iterable[Sequence[str]],
    objects: Iterable[tuple[str, str]],
) -> str:
    """Fill the official template of action sequencing for any scene.

    Args:
        start: The words of each initial fact, ``("not", "open", "jar_0")``.
        goal: The words of each condition, without parentheses.
        objects: Name and category of each object.
    """
    template: str = data.load("prompts")["template"]["action_sequencing"]
    listed = [{"name": name, "category": category} for name, category in objects]
    return template.format(
        init_state="".join(f"{list(row)}\n" for row in start),
        target_state="".join(f"{list(row)}\n" for row in goal),
        obj_list="".join(f"{row}\n" for row in listed),
    )


def _words(literal: Literal) -> list[str]:
    atom = atom_of(literal)
    return [*(() if literal is atom else ("not",)), atom.predicate, *atom.args]


def transition_modeling_prompt(task: HasId) -> str:
    """Return the prompt for operators (EAI paper, appendix I.4)."""
    return official_prompt("transition_modeling", task.id)


def goal_interpretation_system() -> str:
    """Return the system prompt of goal interpretation: the output format."""
    return _system_prompt("goal_interpretation")


def subgoal_decomposition_system() -> str:
    """Return the system prompt of subgoal decomposition: its vocabulary, rules and examples."""
    return _system_prompt("subgoal_decomposition")


def official_prompt(ability: str, identifier: str) -> str:
    """Return the official prompt of a task, for an ability."""
    return str(data.load("prompts")["user"][ability][identifier])


def _system_prompt(ability: str) -> str:
    return str(data.load("prompts")["system"][ability])
