"""The shapes of events and answers. Ranges count UTF-16 code units, as the command does, not Python's characters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Sequence, TypedDict, Union


class DragomanError(Exception):
    """The command refused an operation; the message states what was expected."""


class CommandNotFound(DragomanError):
    """There is no command `dragoman`, or no Node to run it."""


class ProcessEnded(DragomanError):
    """The process of the command ended, twice in a row, before it answered."""


class Issue(TypedDict):
    """A mistake of the model."""

    code: str
    message: str
    range: List[int]


class Repair(TypedDict):
    """A mistake of the model that could be read all the same."""

    code: str
    range: List[int]


class _Located(TypedDict, total=False):
    range: List[int]
    issues: List[Issue]
    repairs: List[Repair]


class ParseEvent(_Located, total=False):
    """`type` is text-delta, reasoning-delta, call-start, call-delta, call-end, call-error or markup.

    text-delta and reasoning-delta have `text`; call-start `id` and `name`; call-delta `id` and `text`, a piece of the
    arguments as JSON; call-end `id`, `name`, `input` and `raw`. Only after its call-end may a call be run.
    """

    type: str
    text: str
    aside: bool
    id: str
    name: str
    input: Dict[str, Any]
    raw: str


@dataclass(frozen=True)
class Call:
    id: str
    name: str
    input: Dict[str, Any]
    """The arguments. Integers are exact, however long."""
    raw: str
    """The arguments as JSON text, in the model's own digits and order."""


@dataclass(frozen=True)
class Answer:
    text: str
    reasoning: str
    calls: List[Call]
    issues: List[Issue] = field(default_factory=list)
    repairs: List[Repair] = field(default_factory=list)
    events: Union[List[ParseEvent], None] = None
    """Only where they were asked for."""


Tools = Sequence[Any]
"""Tools in the shape of OpenAI, Anthropic, the AI SDK or MCP."""

Policies = Mapping[str, Union[str, bool]]
"""textAfterCalls, callsInReasoning, coerceStrings, schemaBeatsAttribute, calls: with the values they have in the library."""

Message = Dict[str, Any]
