"""Reads and writes the tool calls of language models, in every dialect.

    import dragoman

    answer = dragoman.parse("hermes", text, tools=tools)
    for call in answer.calls:
        run(call.name, call.input)

    parser = dragoman.Parser("glm-4.5", tools=tools)
    for piece in stream:
        for event in parser.feed(piece):
            ...
    parser.finish()

The work is done by the command `dragoman`, in a process that is started on first use and shared. See README.md.
"""

from ._api import Parser, dialects, parse, parse_batch, render
from ._filter import Filter, Filtered, FilterTimeout
from ._process import Process
from ._types import (
    Answer,
    Call,
    CommandNotFound,
    DragomanError,
    Issue,
    ParseEvent,
    Policies,
    ProcessEnded,
    Repair,
    Tools,
)

__all__ = [
    "Answer",
    "Call",
    "CommandNotFound",
    "DragomanError",
    "Filter",
    "FilterTimeout",
    "Filtered",
    "Issue",
    "ParseEvent",
    "Parser",
    "Policies",
    "Process",
    "ProcessEnded",
    "Repair",
    "Tools",
    "dialects",
    "parse",
    "parse_batch",
    "render",
]
