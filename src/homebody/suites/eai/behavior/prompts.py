"""The official prompts of BEHAVIOR.

The published code fills them with what the simulator says of its objects. The texts that come out
are part of the official data, and are taken from there as they are; where other goals than the
annotated ones are asked for (pipelines), official templates are filled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from homebody.core.formula import Literal, atom_of
from homebody.data import behavior as data
from homebody.suites.eai.behavior.tasks import BehaviorTask, dotted


class Identified(Protocol):
    """What a prompt belongs to: a task of any of the four abilities."""

    @property
    def id(self) -> str:
        """The official identifier."""
        ...


def goal_interpretation_prompt(task: Identified) -> str:
    """The prompt that asks for symbolic goals (EAI paper, appendix I.1)."""
    return official("goal_interpretation", task.id)


def subgoal_decomposition_prompt(task: BehaviorTask) -> str:
    """The prompt that asks for subgoals (EAI paper, appendix I.2), after the system prompt."""
    before, goals, after = _around_goals(official("subgoal_decomposition", task.id))
    if task.interpreted is not None:
        goals = "\n".join(map(_subgoal, task.interpreted))
    return before + goals + after


def listed_goals(task: BehaviorTask) -> list[str]:
    """The goal states, as the prompt of subgoal decomposition lists them."""
    return _around_goals(subgoal_decomposition_prompt(task))[1].splitlines()


def _around_goals(prompt: str) -> tuple[str, str, str]:
    """What is before the goal states of the task, they, and what is after them."""
    before, heading, tail = prompt.rpartition("## Goal States\n")
    goals, gap, after = tail.rpartition("\n\n## Output")
    return before + heading, goals, gap + after


def _subgoal(literal: Literal) -> str:
    """``not open(jar.0)``, as the prompt writes what holds at first."""
    atom = atom_of(literal)
    name = atom.predicate.replace("toggled_on", "toggledon")  # of the vocabulary of subgoals
    args = ", ".join(map(dotted, atom.args))
    return f"{name}({args})" if literal is atom else f"not {name}({args})"


def action_sequencing_prompt(task: BehaviorTask) -> str:
    """The prompt that asks for a plan (EAI paper, appendix I.3)."""
    if task.interpreted is None:
        return official("action_sequencing", task.id)
    return filled_action_sequencing(
        [[task.names.get(word, word) for word in row] for row in task.raw["initial"]],
        map(_words, task.interpreted),
        [(row["name"], row["category"]) for row in task.objects],
    )


def filled_action_sequencing(
    start: Iterable[Sequence[str]],
    goal: Iterable[Sequence[str]],
    objects: Iterable[tuple[str, str]],
) -> str:
    """The same for any scene: the official template, filled.

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


def transition_modeling_prompt(task: Identified) -> str:
    """The prompt that asks for operators (EAI paper, appendix I.4)."""
    return official("transition_modeling", task.id)


def goal_interpretation_system() -> str:
    """The system prompt of goal interpretation: what to answer in."""
    return _system("goal_interpretation")


def subgoal_decomposition_system() -> str:
    """The system prompt of subgoal decomposition: its vocabulary, rules and examples."""
    return _system("subgoal_decomposition")


def official(ability: str, identifier: str) -> str:
    """The official prompt of a task, for an ability."""
    return str(data.load("prompts")["user"][ability][identifier])


def _system(ability: str) -> str:
    return str(data.load("prompts")["system"][ability])
