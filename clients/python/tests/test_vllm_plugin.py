"""The plugin for vLLM against a stub of vLLM: its base class with its signature, in the three places its modules had."""

import functools
import glob
import importlib.util
import inspect
import json
import os
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import dragoman  # noqa: E402
from dragoman._process import find_command  # noqa: E402

WILD = os.path.join(os.path.dirname(__file__), "../../../packages/core/corpus/wild")


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

    def extract_tool_calls(self, model_output, request):
        raise NotImplementedError

    def extract_tool_calls_streaming(
        self,
        previous_text,
        current_text,
        delta_text,
        previous_token_ids,
        current_token_ids,
        delta_token_ids,
        request,
    ):
        raise NotImplementedError


class ToolParser(OldToolParser):
    supports_required_and_named = True
    engine_based_streaming = False

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


@functools.lru_cache(None)
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


OBSERVATION = 7


class Tokenizer:
    eos_token_id = 2

    def get_vocab(self):
        return {"a": 1, "<|endoftext|>": 2, "<|observation|>": OBSERVATION}


class Request:
    def __init__(self, tools=TOOLS, tool_choice="auto"):
        self.tools, self.tool_choice, self.skip_special_tokens = tools, tool_choice, True


def stream(parser, pieces, last=Tokenizer.eos_token_id, request=None):
    """The deltas, as vLLM asks for them: with the texts and tokens so far. `last` is the token of the last piece."""
    text, ids, deltas = "", [], []
    for at, piece in enumerate(pieces):
        tokens = [last] if at == len(pieces) - 1 else [at + 10]
        delta = parser.extract_tool_calls_streaming(
            text, text + piece, piece, ids, ids + tokens, tokens, request or Request()
        )
        text, ids = text + piece, ids + tokens
        if delta is not None:
            deltas.append(delta)
    return deltas


def cut(text, size=3):
    """Pieces, and the empty one of the stop token, whose text vLLM leaves out."""
    return [text[at : at + size] for at in range(0, len(text), size)] + [""]


def is_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


def content(deltas):
    return "".join(delta.content or "" for delta in deltas)


def calls_of(deltas):
    """The name and arguments of each streamed call."""
    found = {}
    for call in (call for delta in deltas for call in delta.tool_calls):
        if call.id:
            found[call.index] = [call.function.name, ""]
        found[call.index][1] += call.function.arguments or ""
    return [tuple(call) for call in found.values()]


GLM = "I wait.\n<tool_call>wait<arg_key>days</arg_key><arg_value>3</arg_value></tool_call>"
HERMES = '<tool_call>\n{"name": "wait", "arguments": {"days": 3}}\n</tool_call>'
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

    def test_the_methods_have_the_signatures_of_vllm(self):
        def parameters(method):
            return [(one.name, one.kind, one.default) for one in inspect.signature(method).parameters.values()]

        plugin = load("newest", "glm-4.7")
        for name in ("extract_tool_calls", "extract_tool_calls_streaming", "adjust_request"):
            self.assertEqual(parameters(getattr(plugin, name)), parameters(getattr(ToolParser, name)), name)

    def test_text_without_calls_stays_as_it_is(self):
        found = load("newest", "glm-4.7")(Tokenizer()).extract_tool_calls("<think>Hm.</think>Hello.", Request())
        self.assertEqual((found.tools_called, found.tool_calls), (False, []))
        self.assertEqual(found.content, "<think>Hm.</think>Hello.")

    def both(self, dialect, text):
        """The content, which is the same for the whole text and for the stream."""
        plugin = load("newest", dialect)
        whole = plugin(Tokenizer()).extract_tool_calls(text, Request())
        streamed = stream(plugin(Tokenizer()), cut(text))
        self.assertEqual(content(streamed), whole.content or "")
        calls = [(call.function.name, call.function.arguments) for call in whole.tool_calls]
        self.assertEqual(calls_of(streamed), calls)
        self.assertEqual(calls, [("wait", '{"days":3}')])
        return whole.content

    def test_an_aside_is_no_content(self):
        self.assertEqual(self.both("hermes", "I wait.\n" + HERMES + "\nIt is done."), "I wait.")
        self.assertIsNone(self.both("hermes", HERMES + "\nIt is done."))

    def test_reasoning_stays_between_its_marks(self):
        self.assertEqual(self.both("glm-4.7", "<think>Hm.</think>" + GLM), "<think>Hm.</think>I wait.")
        self.assertEqual(self.both("hermes", "<think>\nHm.\n</think>\n\n" + HERMES), "<think>Hm.</think>")

    def test_whole_texts_and_streams_are_alike_in_wild_cases(self):
        seen = self.broken = 0
        for dialect in ("glm-4.5", "hermes", "deepseek-v3.1", "gemma4", "harmony"):
            plugin = load("newest", dialect)
            for path in sorted(glob.glob(os.path.join(glob.escape(WILD), dialect, "*.json"))):
                with open(path, encoding="utf8") as file:
                    text = json.load(file)["text"]
                with self.subTest(path):
                    seen += 1
                    self.alike(plugin, dialect, text)
        self.assertGreater(seen, 100)
        self.assertGreater(self.broken, 10)

    def alike(self, plugin, dialect, text):
        # A call that cannot be read is logged.
        with mock.patch("logging.Logger.warning"):
            whole = plugin(Tokenizer()).extract_tool_calls(text, Request())
            streamed = stream(plugin(Tokenizer()), cut(text, 12))
        self.assertEqual(content(streamed), whole.content or "")
        calls = [(call.function.name, call.function.arguments) for call in whole.tool_calls]
        events = dragoman.parse(dialect, text, TOOLS, events=True).events
        broken = [event["id"] for event in events if event["type"] == "call-error" and "id" in event]
        started = [event["id"] for event in events if event["type"] == "call-start"]
        # Of a call that turned out to be broken, the stream has shown the beginning.
        shown = list(zip(calls_of(streamed), started))
        self.assertEqual([call for call, name in shown if name not in broken], calls)
        for (_, arguments), name in shown:
            if name in broken:
                self.broken += 1
                self.assertFalse(is_json(arguments), arguments)

    def test_a_stream(self):
        parser = load("newest", "glm-4.7")(Tokenizer(), TOOLS)
        deltas = stream(parser, cut(GLM))
        self.assertEqual(content(deltas), "I wait.")
        calls = [call for delta in deltas for call in delta.tool_calls]
        self.assertEqual([call.function.name for call in calls if call.id], ["wait"])
        arguments = "".join(call.function.arguments or "" for call in calls)
        self.assertEqual(json.loads(arguments), {"days": 3})
        self.assertEqual(parser.streamed_args_for_tool, [arguments])
        self.assertEqual(parser.prev_tool_call_arr, [{"name": "wait", "arguments": arguments}])
        self.assertEqual({call.index for call in calls}, {0})

    def test_text_that_was_held_back_comes_with_the_last_token(self):
        parser = load("newest", "hermes")(Tokenizer())
        self.assertEqual(content(stream(parser, ["a <tool", ""])), "a <tool")

    def test_any_stop_token_of_the_dialect_ends_a_stream(self):
        parser = load("newest", "glm-4.7")(Tokenizer())
        self.assertEqual(content(stream(parser, ["a <tool", ""], last=OBSERVATION)), "a <tool")
        other = load("newest", "glm-4.7")(Tokenizer())
        self.assertEqual(content(stream(other, ["a <tool", ""], last=8)), "a ")
        self.assertEqual(other.finish_streaming().content, "<tool")
        self.assertIsNone(other.finish_streaming())
        self.assertIsNone(parser.finish_streaming())

    def test_a_tokenizer_may_have_no_end_of_sequence(self):
        tokenizer = Tokenizer()
        tokenizer.eos_token_id = None
        parser = load("newest", "glm-4.7")(tokenizer)
        self.assertEqual(content(stream(parser, ["a <tool", ""], last=OBSERVATION)), "a <tool")

    def test_a_call_that_is_cut_off(self):
        text = GLM[: GLM.index("</arg_value>")]
        plugin = load("newest", "glm-4.7")
        with self.assertLogs("dragoman", "WARNING") as logs:
            found = plugin(Tokenizer()).extract_tool_calls(text, Request())
        self.assertEqual((found.tools_called, found.tool_calls, found.content), (False, [], "I wait."))
        self.assertIn("a tool call in glm-4.7 was not delivered: incomplete-call", logs.output[0])
        # A stream has shown its beginning. It is no JSON, so that no client runs it.
        parser = plugin(Tokenizer())
        deltas = stream(parser, cut(text), last=8)
        with self.assertLogs("dragoman", "WARNING"):
            self.assertIsNone(parser.finish_streaming())
        self.assertEqual(content(deltas), "I wait.")
        self.assertEqual(calls_of(deltas), [("wait", '{"days"')])

    def test_arguments_that_are_complete_in_a_call_that_is_not(self):
        parser = load("newest", "hermes")(Tokenizer())
        with self.assertLogs("dragoman", "WARNING"):
            deltas = stream(parser, cut(HERMES[: HERMES.index("}}") + 1]))
        self.assertEqual(calls_of(deltas), [("wait", '{"days":3')])

    def test_an_id_of_the_model_is_kept(self):
        found = load("newest", "mistral-v3")(Tokenizer()).extract_tool_calls(MISTRAL, Request())
        self.assertEqual(found.tool_calls[0].id, "Ab12Cd34E")

    def test_a_call_stays_text_where_none_is_asked_for(self):
        none = Request(tool_choice="none")
        whole = load("newest", "mistral-v3")(Tokenizer()).extract_tool_calls(MISTRAL, none)
        self.assertFalse(whole.tools_called)
        self.assertEqual(whole.content, MISTRAL)
        deltas = stream(load("newest", "mistral-v3")(Tokenizer()), cut(MISTRAL), request=none)
        self.assertEqual((content(deltas), calls_of(deltas)), (MISTRAL, []))

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
