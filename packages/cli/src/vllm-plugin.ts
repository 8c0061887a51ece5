// Writes a tool parser plugin of vLLM for one dialect: a Python file that reads with the package of clients/python.
//
//   vllm serve … --enable-auto-tool-choice --tool-parser-plugin dragoman_hermes.py --tool-call-parser dragoman-hermes
//
// The base class is that of vLLM's vllm/tool_parsers/abstract_tool_parser.py: `__init__(tokenizer, tools=None)`,
// `adjust_request(request)`, `extract_tool_calls(model_output, request)` and `extract_tool_calls_streaming(previous_text,
// current_text, delta_text, previous_token_ids, current_token_ids, delta_token_ids, request)`. Its modules have moved
// twice (0.11, 0.15), so each is imported from where it is.
//
// Newer versions tell the end of a stream to parsers with `engine_based_streaming`, by `finish_streaming()`. Older ones do
// not: there the end is a stop token, and an answer that the token limit cuts has none.

import type { Dialect } from '@dragoman/core';

export function vllmPlugin(dialect: Dialect, version: string): string {
  const { name, about, traits } = dialect;
  const values: Record<string, string> = {
    NAME: name,
    ABOUT: about.replaceAll(/["\\]/g, "'"),
    CLASS: className(name),
    FILE: `dragoman_${name.replaceAll(/[^\w]/g, '_')}.py`,
    VERSION: version,
    // Lists of texts are the same in JSON and in Python.
    STOPS: JSON.stringify(stopsOf(dialect)),
    REASONING: JSON.stringify([traits.reasoning?.open ?? '', traits.reasoning?.close ?? '']),
  };
  return template.replaceAll(/@([A-Z]+)@/g, (whole, key: string) => values[key] ?? whole);
}

/** The stop texts of the dialect and of the variants of its prompt. */
function stopsOf({ render }: Dialect): string[] {
  return [...new Set([render.stop, ...(render.variants ?? []).map(({ stop = [] }) => stop)].flat())];
}

/** `glm-4.5` becomes `Glm45`. */
function className(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const template = `"""The tool calls of @NAME@, for vLLM: @ABOUT@

Written by: dragoman dialects @NAME@ --format vllm-plugin > @FILE@ (dragoman @VERSION@)

There is no release yet: until then both packages are installed from a clone (npm install && npm run build first).

    npm install --global ./packages/cli && pip install ./clients/python
    vllm serve <model> --enable-auto-tool-choice \\\\
        --tool-parser-plugin @FILE@ --tool-call-parser dragoman-@NAME@

From the first release on: npm install --global dragoman && pip install dragoman-client
"""

from __future__ import annotations

import importlib
import logging
import uuid
from typing import Any, Dict, List, Optional, Sequence, Set

import dragoman


def _first(*modules: str) -> Any:
    """The first of these modules that this version of vLLM has."""
    for module in modules[:-1]:
        try:
            return importlib.import_module(module)
        except ImportError:
            continue
    return importlib.import_module(modules[-1])


_parsers = _first("vllm.tool_parsers", "vllm.entrypoints.openai.tool_parsers")
_protocol = _first(
    "vllm.entrypoints.generate.base.protocol",
    "vllm.entrypoints.openai.engine.protocol",
    "vllm.entrypoints.openai.protocol",
)

DIALECT = "@NAME@"

#: The texts at which a model of this dialect stops. Those that are a single token tell the end of a stream.
STOPS = @STOPS@

REASONING_OPEN, REASONING_CLOSE = @REASONING@

_log = logging.getLogger("dragoman")


class _Content:
    """The content of an answer, the same for a whole text and for a stream: all of its text but asides.

    Reasoning is left to vLLM's reasoning parser. What that one has not taken stays in the content, between its marks.
    """

    def __init__(self) -> None:
        self._reasons = False

    def read(self, events: List[Dict[str, Any]]) -> str:
        return "".join(map(self._piece, events))

    def _piece(self, event: Dict[str, Any]) -> str:
        if event["type"] == "reasoning-delta":
            mark = "" if self._reasons else REASONING_OPEN
            self._reasons = True
            return mark + event["text"]
        if event["type"] == "text-delta" and not event.get("aside"):
            return self.end() + event["text"]
        return self.end() if event["type"] == "call-start" else ""

    def end(self) -> str:
        mark = REASONING_CLOSE if self._reasons else ""
        self._reasons = False
        return mark


class Dragoman@CLASS@ToolParser(_parsers.ToolParser):
    #: Required and named calls are written in the dialect, too, so they are read here and not as JSON.
    supports_required_and_named = False

    #: Newer versions then call finish_streaming when a stream ends, whatever ended it.
    engine_based_streaming = True

    def __init__(self, tokenizer: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(tokenizer, *args, **kwargs)
        self._parser: Optional[dragoman.Parser] = None
        self._content = _Content()
        self._stop_ids: Optional[Set[int]] = None
        self._indexes: Dict[str, int] = {}
        self._held: Dict[str, str] = {}

    def adjust_request(self, request: Any) -> Any:
        if not hasattr(_parsers.ToolParser, "supports_required_and_named"):
            # Older versions read required and named calls as JSON, which the base class asks the model for.
            request = super().adjust_request(request)
        if getattr(request, "tools", None) and getattr(request, "tool_choice", None) != "none":
            # The markers of a dialect may be special tokens.
            request.skip_special_tokens = False
        return request

    def extract_tool_calls(self, model_output: str, request: Any) -> Any:
        answer = dragoman.parse(DIALECT, model_output, _tools(request), events=True, policies=_policies(request))
        events = answer.events or []
        _warn(events)
        calls = [
            _protocol.ToolCall(
                id=_call_id(call.id),
                type="function",
                function=_protocol.FunctionCall(name=call.name, arguments=call.raw),
            )
            for call in answer.calls
        ]
        content = _Content()
        text = content.read(events) + content.end()
        return _protocol.ExtractedToolCallInformation(
            tools_called=bool(calls), tool_calls=calls, content=text or None
        )

    def extract_tool_calls_streaming(
        self,
        previous_text: str,
        current_text: str,
        delta_text: str,
        previous_token_ids: Sequence[int],
        current_token_ids: Sequence[int],
        delta_token_ids: Sequence[int],
        request: Any,
    ) -> Any:
        if self._parser is None:
            self._parser = dragoman.Parser(DIALECT, _tools(request), policies=_policies(request))
        events = self._parser.feed(delta_text)
        if self._stop_ids is None:
            self._stop_ids = _stop_ids(self.model_tokenizer)
        if self._stop_ids.isdisjoint(delta_token_ids):
            return self._delta(events, self._content.read(events))
        return self._end(events)

    def finish_streaming(self) -> Any:
        """The rest of a stream that no stop token has ended: the token limit did, or a stop text of several tokens."""
        return None if self._parser is None else self._end([])

    def _end(self, events: List[Dict[str, Any]]) -> Any:
        events = events + self._parser.finish()
        self._parser = None
        return self._delta(events, self._content.read(events) + self._content.end())

    def _delta(self, events: List[Dict[str, Any]], text: str) -> Any:
        _warn(events)
        calls = [call for call in map(self._call, events) if call is not None]
        if not text and not calls:
            return None
        return _protocol.DeltaMessage(content=text or None, tool_calls=calls)

    def _call(self, event: Dict[str, Any]) -> Any:
        if event["type"] == "call-start":
            self._held.pop(event["id"], None)
            index = self._indexes[event["id"]] = len(self.prev_tool_call_arr)
            self.prev_tool_call_arr.append({"name": event["name"], "arguments": ""})
            self.streamed_args_for_tool.append("")
            self.current_tool_id = index
            self.current_tool_name_sent = True
            function = _protocol.DeltaFunctionCall(name=event["name"], arguments="")
            return _protocol.DeltaToolCall(
                index=index, id=_call_id(event["id"]), type="function", function=function
            )
        if event["type"] == "call-delta":
            # The last character waits for the end of the call: arguments that were cut off are never valid JSON.
            text = self._held.get(event["id"], "") + event["text"]
            self._held[event["id"]] = text[-1:]
            return self._arguments(event["id"], text[:-1])
        if event["type"] == "call-end":
            return self._arguments(event["id"], self._held.pop(event["id"], ""))
        return None

    def _arguments(self, call: str, text: str) -> Any:
        if not text:
            return None
        index = self._indexes[call]
        self.streamed_args_for_tool[index] += text
        self.prev_tool_call_arr[index]["arguments"] = self.streamed_args_for_tool[index]
        return _protocol.DeltaToolCall(index=index, function=_protocol.DeltaFunctionCall(arguments=text))


def _tools(request: Any) -> Optional[List[Any]]:
    tools = getattr(request, "tools", None)
    if not tools:
        return None
    return [tool.model_dump(exclude_none=True) if hasattr(tool, "model_dump") else tool for tool in tools]


def _policies(request: Any) -> Optional[Dict[str, str]]:
    """With "none" vLLM drops calls, so what looks like one stays text."""
    return {"calls": "text"} if getattr(request, "tool_choice", None) == "none" else None


def _stop_ids(tokenizer: Any) -> Set[int]:
    vocabulary = tokenizer.get_vocab()
    ids = {vocabulary[text] for text in STOPS if text in vocabulary}
    end = getattr(tokenizer, "eos_token_id", None)
    return ids if end is None else ids | {end}


def _warn(events: List[Dict[str, Any]]) -> None:
    """A call that cannot be read is in neither the calls nor the content. Its text stays out of the log."""
    for event in events:
        if event["type"] == "call-error":
            codes = ", ".join(issue["code"] for issue in event.get("issues", []))
            _log.warning("a tool call in %s was not delivered: %s", DIALECT, codes)


def _call_id(given: str) -> str:
    """An id that the model wrote is kept: its next prompt may need it. Others are made unique."""
    counted = given.startswith("call_") and given[5:].isdigit()
    return f"call_{uuid.uuid4().hex}" if counted else given


_parsers.ToolParserManager.register_module(
    ["dragoman-@NAME@"], force=True, module=Dragoman@CLASS@ToolParser
)
`;
