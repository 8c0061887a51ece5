"""The plugin for vLLM against a stub of vLLM: its base class with its signature, in the three places its modules had."""

import functools
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from dragoman._process import find_command  # noqa: E402


class Model:
    """A pydantic model, as far as the plugin sees one."""

    fields = {}

    def __init__(self, **given):
        unknown = set(given) - set(self.fields)
        if unknown:
            raise TypeError(f"{type(self).__name__}: unknown {unknown}")
        self.__dict__.update(self.fields, **given)


def model(title, /, **fields):
    return type(title, (Model,), {"fields": fields})


class OldToolParser:
    def __init__(self, tokenizer):
        self.prev_tool_call_arr = []
        self.current_tool_id = -1
        self.current_tool_name_sent = False
        self.streamed_args_for_tool = []
        self.model_tokenizer = tokenizer

    def adjust_request(self, request):
        request.asked_for_json = True
        return request


class ToolParser(OldToolParser):
    supports_required_and_named = True

    def __init__(self, tokenizer, tools=None):
        super().__init__(tokenizer)
        self.tools = tools or []


PROTOCOL = {
    "DeltaFunctionCall": model("DeltaFunctionCall", name=None, arguments=None),
    "DeltaToolCall": model("DeltaToolCall", index=None, id=None, type=None, function=None),
    "DeltaMessage": model("DeltaMessage", role=None, content=None, reasoning=None, tool_calls=[]),
    "FunctionCall": model("FunctionCall", name=None, arguments=None),
    "ToolCall": model("ToolCall", id=None, type=None, function=None),
    "ExtractedToolCallInformation": model(
        "ExtractedToolCallInformation", tools_called=None, tool_calls=None, content=None
    ),
}

LAYOUTS = {
    "newest": ("vllm.tool_parsers", "vllm.entrypoints.generate.base.protocol", ToolParser),
    "middle": ("vllm.tool_parsers", "vllm.entrypoints.openai.engine.protocol", ToolParser),
    "old": ("vllm.entrypoints.openai.tool_parsers", "vllm.entrypoints.openai.protocol", OldToolParser),
}

TOOLS = [{"type": "function", "function": {"name": "wait", "parameters": {"properties": {"days": {"type": "integer"}}}}}]


def put(path, **members):
    names = path.split(".")
    for end in range(1, len(names) + 1):
        name = ".".join(names[:end])
        if name not in sys.modules:
            sys.modules[name] = types.ModuleType(name)
            sys.modules[name].__path__ = []
    sys.modules[path].__dict__.update(members)


@functools.lru_cache(None)
def plugin_text(dialect):
    command = [*find_command(), "dialects", dialect, "--format", "vllm-plugin"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def load(layout, dialect):
    for name in [name for name in sys.modules if name.split(".")[0] == "vllm"]:
        del sys.modules[name]
    registered = {}

    class ToolParserManager:
        @classmethod
        def register_module(cls, name=None, force=True, module=None):
            for one in name:
                registered[one] = module
            return module

    parsers, protocol, base = LAYOUTS[layout]
    put(parsers, ToolParser=base, ToolParserManager=ToolParserManager)
    put(protocol, **PROTOCOL)
    text = plugin_text(dialect)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plugin.py")
        with open(path, "w", encoding="utf8") as file:
            file.write(text)
        spec = importlib.util.spec_from_file_location("plugin", path)
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    return registered[f"dragoman-{dialect}"]


class Tokenizer:
    eos_token_id = 2


class Request:
    def __init__(self, tools=TOOLS, tool_choice="auto"):
        self.tools, self.tool_choice, self.skip_special_tokens = tools, tool_choice, True


def stream(parser, pieces):
    """The deltas, as vLLM asks for them: with the texts and tokens so far."""
    text, deltas = "", []
    for at, piece in enumerate(pieces):
        tokens = [2] if at == len(pieces) - 1 else [at + 10]
        delta = parser.extract_tool_calls_streaming(text, text + piece, piece, [], tokens, tokens, Request())
        text += piece
        if delta is not None:
            deltas.append(delta)
    return deltas


GLM = "I wait.\n<tool_call>wait<arg_key>days</arg_key><arg_value>3</arg_value></tool_call>"
MISTRAL = '[TOOL_CALLS] [{"name": "wait", "arguments": {"days": 3}, "id": "Ab12Cd34E"}]'


class PluginTest(unittest.TestCase):
    def test_every_layout_of_vllm(self):
        for layout in LAYOUTS:
            with self.subTest(layout):
                found = load(layout, "glm-4.7")(Tokenizer()).extract_tool_calls(GLM, Request())
                self.assertTrue(found.tools_called)
                self.assertEqual(found.content, "I wait.")
                [call] = found.tool_calls
                self.assertEqual((call.type, call.function.name), ("function", "wait"))
                self.assertEqual(json.loads(call.function.arguments), {"days": 3})
                self.assertRegex(call.id, r"^call_[0-9a-f]{32}$")

    def test_the_constructor_takes_tools(self):
        load("newest", "hermes")(Tokenizer(), TOOLS)
        load("newest", "hermes")(Tokenizer(), tools=TOOLS)

    def test_text_without_calls_stays_as_it_is(self):
        found = load("newest", "glm-4.7")(Tokenizer()).extract_tool_calls("<think>Hm.</think>Hello.", Request())
        self.assertEqual((found.tools_called, found.tool_calls), (False, []))
        self.assertEqual(found.content, "<think>Hm.</think>Hello.")

    def test_a_stream(self):
        parser = load("newest", "glm-4.7")(Tokenizer(), TOOLS)
        deltas = stream(parser, [GLM[at : at + 3] for at in range(0, len(GLM), 3)] + [""])
        self.assertEqual("".join(delta.content or "" for delta in deltas), "I wait.")
        calls = [call for delta in deltas for call in delta.tool_calls]
        self.assertEqual([call.function.name for call in calls if call.id], ["wait"])
        arguments = "".join(call.function.arguments or "" for call in calls)
        self.assertEqual(json.loads(arguments), {"days": 3})
        self.assertEqual(parser.streamed_args_for_tool, [arguments])
        self.assertEqual(parser.prev_tool_call_arr, [{"name": "wait", "arguments": arguments}])
        self.assertEqual({call.index for call in calls}, {0})

    def test_text_that_was_held_back_comes_with_the_last_token(self):
        parser = load("newest", "hermes")(Tokenizer())
        self.assertEqual("".join(delta.content for delta in stream(parser, ["a <tool", ""])), "a <tool")

    def test_an_id_of_the_model_is_kept(self):
        found = load("newest", "mistral-v3")(Tokenizer()).extract_tool_calls(MISTRAL, Request())
        self.assertEqual(found.tool_calls[0].id, "Ab12Cd34E")

    def test_special_tokens_are_asked_for(self):
        parser = load("newest", "kimi-k2")(Tokenizer())
        self.assertFalse(parser.supports_required_and_named)
        self.assertFalse(parser.adjust_request(Request()).skip_special_tokens)
        self.assertFalse(hasattr(parser.adjust_request(Request()), "asked_for_json"))
        self.assertTrue(parser.adjust_request(Request(tool_choice="none")).skip_special_tokens)
        self.assertTrue(parser.adjust_request(Request(tools=None)).skip_special_tokens)
        old = load("old", "kimi-k2")(Tokenizer())
        self.assertTrue(old.adjust_request(Request()).asked_for_json)


if __name__ == "__main__":
    unittest.main()
