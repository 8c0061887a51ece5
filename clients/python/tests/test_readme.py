"""The Python examples of the documents: those of the README are run, those that need other packages are compiled."""

import contextlib
import glob
import io
import json
import os
import re
import sys
import unittest

HERE = os.path.dirname(__file__)
sys.path.insert(0, os.path.join(HERE, ".."))

README = os.path.join(HERE, "../README.md")
DOCS = os.path.join(HERE, "../../../docs")
TOOLS = [{"name": "wait", "parameters": {"properties": {"days": {"type": "integer"}}}}]
HERMES = 'I wait.\n<tool_call>\n{"name": "wait", "arguments": {"days": 3,}}\n</tool_call>'
GLM = "I wait.\n<tool_call>wait\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>"


def blocks(path):
    with open(path, encoding="utf8") as file:
        return re.findall(r"^```python\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)


def run_example(code, **names):
    """What the example prints, and its names after it."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("import dragoman\n" + code, README, "exec"), names)
    return printed.getvalue(), names


class ReadmeTest(unittest.TestCase):
    def test_every_example_has_a_test(self):
        self.assertEqual(len(blocks(README)), 3)

    def test_a_whole_text(self):
        printed, names = run_example(blocks(README)[0], text=HERMES, tools=TOOLS)
        self.assertIn("I wait.", printed)
        self.assertIn("wait {'days': 3} {\"days\":3}", printed)
        self.assertIn("trailing-comma", printed)
        self.assertEqual(len(names["answer"].calls), 1)

    def test_a_stream(self):
        called = []
        stream = [GLM[at : at + 5] for at in range(0, len(GLM), 5)]
        printed, _ = run_example(
            blocks(README)[1], tools=TOOLS, stream=stream, run=lambda name, given: called.append((name, given))
        )
        self.assertEqual(printed, "I wait.")
        self.assertEqual(called, [("wait", {"days": 3})])

    def test_batches_of_rows(self):
        lines = [json.dumps({"messages": [{"role": "user", "content": "Hi"}]}), "no JSON"]
        _, names = run_example(blocks(README)[2], lines=lines)
        done = names["done"]
        self.assertEqual(json.loads(done.rows[0])["messages"][0]["role"], "user")
        self.assertIsNone(done.rows[1])
        self.assertEqual(list(done.bad), [1])


class DocsTest(unittest.TestCase):
    def test_examples_are_python(self):
        paths = glob.glob(os.path.join(glob.escape(DOCS), "**", "*.md"), recursive=True)
        found = [(path, code) for path in paths for code in blocks(path)]
        self.assertGreater(len(found), 0)
        for path, code in found:
            with self.subTest(path):
                compile(code, path, "exec")


if __name__ == "__main__":
    unittest.main()
