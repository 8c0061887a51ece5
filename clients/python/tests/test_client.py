"""Run: DRAGOMAN_COMMAND="node …/packages/cli/bin/dragoman.js" python3 -m unittest discover -s clients/python/tests"""

import os
import sys
import threading
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import dragoman  # noqa: E402
from dragoman import _api, _process  # noqa: E402

CALL = '<tool_call>\n{"name": "add", "arguments": {"a": 12345678901234567890, "b": 2.50,}}\n</tool_call>'
TOOLS = [{"name": "wait", "parameters": {"properties": {"days": {"type": "integer"}}}}]
GLM = "<tool_call>wait\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>"


def kill(process):
    process._child.kill()
    process._child.wait()


class ParseTest(unittest.TestCase):
    def test_text_and_exact_calls(self):
        answer = dragoman.parse("hermes", "I'll add them.\n" + CALL)
        self.assertEqual(answer.text, "I'll add them.")
        self.assertEqual(answer.calls[0].name, "add")
        self.assertEqual(answer.calls[0].input, {"a": 12345678901234567890, "b": 2.5})
        self.assertEqual(answer.calls[0].raw, '{"a":12345678901234567890,"b":2.50}')
        self.assertEqual([repair["code"] for repair in answer.repairs], ["trailing-comma"])
        self.assertIsNone(answer.events)

    def test_tools_type_values(self):
        text = [{"name": "wait", "parameters": {"properties": {"days": {"type": "string"}}}}]
        self.assertEqual(dragoman.parse("glm-4.5", GLM, text).calls[0].input, {"days": "3"})
        self.assertEqual(dragoman.parse("glm-4.5", GLM, TOOLS).calls[0].input, {"days": 3})

    def test_any_text_comes_back(self):
        for text in ["", "K\u00f6ln \U0001f30d", "\ud800", "a\u2028b\n\r\x00"]:
            self.assertEqual(dragoman.parse("hermes", text).text, text)

    def test_numbers_and_depths_beyond_pythons_limits(self):
        long = dragoman.parse("hermes", CALL.replace("2.50", "9" * 5000))
        self.assertEqual([issue["code"] for issue in long.issues], ["too-long"])
        deep = dragoman.parse("hermes", CALL.replace("2.50", "[" * 3000 + "]" * 3000))
        self.assertEqual([issue["code"] for issue in deep.issues], ["too-deep"])
        [call] = dragoman.parse("hermes", CALL.replace("2.50", "9" * 2000)).calls
        self.assertEqual(call.input["b"], int("9" * 2000))

    def test_events_of_a_whole_text(self):
        answer = dragoman.parse("hermes", CALL, events=True)
        ends = [event for event in answer.events if event["type"] == "call-end"]
        self.assertEqual([end["input"]["a"] for end in ends], [12345678901234567890])

    def test_a_batch_is_the_single_answers_in_order(self):
        texts = [CALL if number % 3 else f"text {number}" for number in range(1100)]
        with mock.patch.object(_api, "_BATCH_CHARACTERS", 20_000):
            answers = list(dragoman.parse_batch("hermes", iter(texts)))
        self.assertEqual(len(answers), 1100)
        self.assertEqual(answers[3].text, "text 3")
        self.assertEqual(answers[4], dragoman.parse("hermes", CALL))

    def test_a_wrong_dialect_is_named_with_the_nearest(self):
        with self.assertRaisesRegex(dragoman.DragomanError, 'no dialect is called "herms"; did you mean hermes'):
            dragoman.parse("herms", "x")
        with self.assertRaisesRegex(dragoman.DragomanError, "no dialect"):
            dragoman.Parser("herms")
        self.assertIn("hermes", dragoman.dialects())

    def test_wrong_tools_are_refused(self):
        with self.assertRaisesRegex(dragoman.DragomanError, "tools"):
            dragoman.parse("hermes", "x", tools=[5])


class ParserTest(unittest.TestCase):
    def test_pieces_give_what_the_whole_gives(self):
        parser = dragoman.Parser("hermes")
        events = [event for letter in "Hi. " + CALL for event in parser.feed(letter)] + parser.finish()
        calls = [event for event in events if event["type"] == "call-end"]
        self.assertEqual([call["raw"] for call in calls], ['{"a":12345678901234567890,"b":2.50}'])
        self.assertEqual("".join(e["text"] for e in events if e["type"] == "text-delta"), "Hi. ")

    def test_a_call_that_is_cut_off_is_never_delivered(self):
        parser = dragoman.Parser("hermes")
        events = parser.feed(CALL[:40]) + parser.finish()
        self.assertEqual(events[-1]["issues"][0]["code"], "incomplete-call")
        self.assertNotIn("call-end", [event["type"] for event in events])

    def test_after_its_end_it_says_so(self):
        with dragoman.Parser("hermes") as parser:
            parser.finish()
            with self.assertRaisesRegex(dragoman.DragomanError, "make a new one"):
                parser.feed("x")

    def test_two_parsers_share_nothing(self):
        one, two = dragoman.Parser("hermes"), dragoman.Parser("glm-4.5", TOOLS)
        one.feed("<tool_")
        two.feed(GLM[:30])
        self.assertEqual(one.feed("chat>")[0]["text"], "<tool_chat>")
        events = two.feed(GLM[30:]) + two.finish()
        self.assertEqual([e["input"] for e in events if e["type"] == "call-end"], [{"days": 3}])

    def test_sessions_end_with_their_parsers(self):
        process = dragoman.Process()
        process._running()
        for _ in range(50):
            dragoman.Parser("hermes", process=process).feed("x")
        with self.assertRaisesRegex(dragoman.DragomanError, "is not open"):
            process.ask({"op": "feed", "session": 7, "text": "x"})
        process.close()

    def test_threads_do_not_mix(self):
        found = {}

        def read(number):
            parser = dragoman.Parser("hermes")
            pieces = [f"text {number} "] * 40
            events = [event for piece in pieces for event in parser.feed(piece)] + parser.finish()
            found[number] = "".join(event.get("text", "") for event in events)

        threads = [threading.Thread(target=read, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {number: f"text {number} " * 40 for number in range(8)})


class RenderTest(unittest.TestCase):
    request = {"messages": [{"role": "user", "content": "Hi"}], "tools": TOOLS}

    def test_a_prompt(self):
        prompt = dragoman.render("hermes", self.request)
        self.assertIn("<|im_start|>user\nHi", prompt)
        self.assertIn('"wait"', prompt)

    def test_messages_where_a_dialect_is_taught(self):
        messages = dragoman.render("alkaid", self.request)
        self.assertEqual(messages[-1], {"role": "user", "content": "Hi"})

    def test_a_request_that_is_none(self):
        with self.assertRaises(dragoman.DragomanError):
            dragoman.render("hermes", {"messages": [{"role": "nobody"}]})


class ProcessTest(unittest.TestCase):
    def test_a_process_that_died_is_started_again(self):
        process = dragoman.Process()
        parser = dragoman.Parser("hermes", process=process)
        before = parser.feed("Hi. " + CALL[:30])
        kill(process)
        after = parser.feed(CALL[30:]) + parser.finish()
        alone = dragoman.Parser("hermes")
        self.assertEqual(before + after, alone.feed("Hi. " + CALL[:30]) + alone.feed(CALL[30:]) + alone.finish())
        kill(process)
        self.assertEqual(dragoman.parse("hermes", "x", process=process).text, "x")
        self.assertEqual(process.generation, 3)
        process.close()

    def test_a_parser_of_a_process_that_was_replaced(self):
        process = dragoman.Process()
        parser = dragoman.Parser("hermes", process=process)
        parser.feed("a <tool")
        kill(process)
        self.assertEqual(dragoman.parse("hermes", "x", process=process).text, "x")
        self.assertEqual(parser.feed(" b")[0]["text"], "<tool b")
        process.close()

    def test_a_command_keeps_the_backslashes_of_windows(self) -> None:
        text = '"C:\\Program Files\\node.exe" C:\\new\\dragoman.js'
        words = ["C:\\Program Files\\node.exe", "C:\\new\\dragoman.js"]
        self.assertEqual(_process.split_command(text, windows=True), words)
        self.assertEqual(_process.split_command("node '/opt/a b.js'", windows=False), ["node", "/opt/a b.js"])

    def test_no_command(self):
        with mock.patch.dict(os.environ, {"PATH": "", _process.VARIABLE: ""}):
            with self.assertRaisesRegex(dragoman.CommandNotFound, "npm install --global dragoman"):
                dragoman.parse("hermes", "x", process=dragoman.Process())

    def test_a_command_that_cannot_be_started(self):
        with self.assertRaisesRegex(dragoman.CommandNotFound, "could not be started.*Node 20.19"):
            dragoman.parse("hermes", "x", process=dragoman.Process(["/nowhere/dragoman"]))

    def test_a_command_that_ends_at_once_says_why(self):
        broken = dragoman.Process([sys.executable, "-c", "import sys; sys.exit('env: node: No such file')"])
        with self.assertRaisesRegex(dragoman.CommandNotFound, "ended with 1. env: node: No such file"):
            dragoman.parse("hermes", "x", process=broken)

    def test_another_protocol(self):
        script = "import json; input(); print(json.dumps({'protocol': 9}), flush=True); input()"
        with self.assertRaisesRegex(dragoman.DragomanError, "speaks protocol 9, and this package 1"):
            dragoman.parse("hermes", "x", process=dragoman.Process([sys.executable, "-c", script]))

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_forked_process_starts_its_own(self):
        dragoman.parse("hermes", "x")
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(write, dragoman.parse("hermes", "forked").text.encode())
            os._exit(0)
        os.waitpid(child, 0)
        self.assertEqual(os.read(read, 100), b"forked")
        self.assertEqual(dragoman.parse("hermes", "still here").text, "still here")


if __name__ == "__main__":
    unittest.main()
