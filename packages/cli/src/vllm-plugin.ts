// Writes a tool parser plugin of vLLM for one dialect: a Python file that reads with the package of clients/python.
//
//   vllm serve … --enable-auto-tool-choice --tool-parser-plugin dragoman_hermes.py --tool-call-parser dragoman-hermes
//
// The base class is that of vLLM's vllm/tool_parsers/abstract_tool_parser.py: `__init__(tokenizer, tools=None)`,
// `adjust_request(request)`, `extract_tool_calls(model_output, request)` and `extract_tool_calls_streaming(previous_text,
// current_text, delta_text, previous_token_ids, current_token_ids, delta_token_ids, request)`. Its modules have moved
// twice (0.11, 0.15), so each is imported from where it is.

import type { Dialect } from '@dragoman/core';

export function vllmPlugin({ name, about }: Dialect, version: string): string {
  return template
    .replaceAll('@NAME@', name)
    .replaceAll('@ABOUT@', about.replaceAll(/["\\]/g, "'"))
    .replaceAll('@CLASS@', className(name))
    .replaceAll('@FILE@', `dragoman_${name.replaceAll(/[^\w]/g, '_')}.py`)
    .replaceAll('@VERSION@', version);
}

/** `glm-4.5` becomes `Glm45`. */
function className(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const template = `"""The tool calls of @NAME@, for vLLM: @ABOUT@

Written by: dragoman dialects @NAME@ --format vllm-plugin > @FILE@ (dragoman @VERSION@)

    pip install dragoman-client && npm install --global dragoman
    vllm serve <model> --enable-auto-tool-choice \\\\
        --tool-parser-plugin @FILE@ --tool-call-parser dragoman-@NAME@
"""

from __future__ import annotations

import importlib
import uuid
from typing import Any, Dict, List, Optional, Sequence

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


class Dragoman@CLASS@ToolParser(_parsers.ToolParser):
    #: Required and named calls are written in the dialect, too, so they are read here and not as JSON.
    supports_required_and_named = False

    def __init__(self, tokenizer: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(tokenizer, *args, **kwargs)
        self._parser: Optional[dragoman.Parser] = None
        self._indexes: Dict[str, int] = {}

    def adjust_request(self, request: Any) -> Any:
        if not hasattr(_parsers.ToolParser, "supports_required_and_named"):
            # Older versions read required and named calls as JSON, which the base class asks the model for.
            request = super().adjust_request(request)
        if getattr(request, "tools", None) and getattr(request, "tool_choice", None) != "none":
            # The markers of a dialect may be special tokens.
            request.skip_special_tokens = False
        return request

    def extract_tool_calls(self, model_output: str, request: Any) -> Any:
        answer = dragoman.parse(DIALECT, model_output, _tools(request))
        calls = [
            _protocol.ToolCall(
                id=_call_id(call.id),
                type="function",
                function=_protocol.FunctionCall(name=call.name, arguments=call.raw),
            )
            for call in answer.calls
        ]
        # Without calls the text stays as it is, reasoning included.
        content = (answer.text or None) if calls else model_output
        return _protocol.ExtractedToolCallInformation(
            tools_called=bool(calls), tool_calls=calls, content=content
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
            self._parser = dragoman.Parser(DIALECT, _tools(request))
        events = self._parser.feed(delta_text)
        # vLLM does not tell the end of a text; the end-of-sequence token does.
        if getattr(self.model_tokenizer, "eos_token_id", None) in delta_token_ids:
            events += self._parser.finish()
            self._parser = None
        return self._delta(events)

    def _delta(self, events: List[Dict[str, Any]]) -> Any:
        text = "".join(event["text"] for event in events if event["type"] in ("text-delta", "reasoning-delta"))
        calls = [call for call in map(self._call, events) if call is not None]
        if not text and not calls:
            return None
        return _protocol.DeltaMessage(content=text or None, tool_calls=calls)

    def _call(self, event: Dict[str, Any]) -> Any:
        if event["type"] == "call-start":
            index = self._indexes[event["id"]] = len(self.prev_tool_call_arr)
            self.prev_tool_call_arr.append({"name": event["name"], "arguments": ""})
            self.streamed_args_for_tool.append("")
            self.current_tool_id = index
            self.current_tool_name_sent = True
            function = _protocol.DeltaFunctionCall(name=event["name"], arguments="")
            return _protocol.DeltaToolCall(
                index=index, id=_call_id(event["id"]), type="function", function=function
            )
        if event["type"] == "call-delta" and event["text"]:
            index = self._indexes[event["id"]]
            self.streamed_args_for_tool[index] += event["text"]
            self.prev_tool_call_arr[index]["arguments"] = self.streamed_args_for_tool[index]
            function = _protocol.DeltaFunctionCall(arguments=event["text"])
            return _protocol.DeltaToolCall(index=index, function=function)
        return None


def _tools(request: Any) -> Optional[List[Any]]:
    tools = getattr(request, "tools", None)
    if not tools:
        return None
    return [tool.model_dump(exclude_none=True) if hasattr(tool, "model_dump") else tool for tool in tools]


def _call_id(given: str) -> str:
    """An id that the model wrote is kept: its next prompt may need it. Others are made unique."""
    counted = given.startswith("call_") and given[5:].isdigit()
    return f"call_{uuid.uuid4().hex}" if counted else given


_parsers.ToolParserManager.register_module(
    ["dragoman-@NAME@"], force=True, module=Dragoman@CLASS@ToolParser
)
`;
