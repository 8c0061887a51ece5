"""A batch that was interrupted: its rows must not answer the next one."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import dragoman  # noqa: E402
from dragoman.batches import FilterBatches  # noqa: E402

#: Gives every line back after a moment; with `--parts`, an empty line behind each.
SLOW = """
import sys, time
for line in sys.stdin:
    time.sleep(0.1)
    print(line, end="\\n" if "--parts" in sys.argv else "", flush=True)
"""

TWICE = """
import sys
for line in sys.stdin:
    print(line + line, end="", flush=True)
"""


def python(code):
    return [sys.executable, "-c", code]


def interrupt_wait(child):
    """The next wait for rows of the child is interrupted, as by Ctrl-C."""
    wait = child._changed.wait

    def interrupted(timeout=None):
        child._changed.wait = wait
        raise KeyboardInterrupt

    child._changed.wait = interrupted


class InterruptedFilterTest(unittest.TestCase):
    def test_the_next_batch_gets_its_own_rows(self):
        with dragoman.Filter(["convert"], command=python(SLOW)) as slow:
            self.assertEqual(slow.run(["{0}"]).rows, [b"{0}"])
            first = slow._child
            interrupt_wait(first)
            with self.assertRaises(KeyboardInterrupt):
                slow.run(["{1}"])
            self.assertIsNotNone(first.process.poll())
            self.assertEqual(slow.run(["{2}"]).rows, [b"{2}"])
            self.assertEqual(slow.starts, 2)

    def test_the_next_part_gets_its_own_rows(self):
        def path_of(text):
            [line] = text.splitlines()
            return json.loads(line)["path"]

        with dragoman.Filter(["convert", "--parts"], command=python(SLOW)) as slow:
            self.assertEqual(list(map(path_of, slow.run_parts([("a", 0, 1)]))), ["a"])
            interrupt_wait(slow._child)
            with self.assertRaises(KeyboardInterrupt):
                list(slow.run_parts([("b", 0, 1)]))
            self.assertEqual(list(map(path_of, slow.run_parts([("c", 0, 1), ("d", 0, 1)]))), ["c", "d"])
            self.assertEqual(slow.starts, 2)

    def test_a_part_that_was_written_in_half_is_given_to_a_new_process(self):
        with dragoman.Filter(["convert", "--parts"], command=python(SLOW), timeout=20, restarts=0) as slow:
            list(slow.run_parts([("a", 0, 1)]))
            child, write = slow._child, slow._child._write

            def write_half(text):
                write(text[: len(text) // 2] if b'"c"' in text else text)
                if b'"c"' in text:
                    raise KeyboardInterrupt

            child._write = write_half
            with self.assertRaises(KeyboardInterrupt):
                list(slow.run_parts([("b", 0, 1), ("c", 0, 1)]))
            self.assertEqual(len(list(slow.run_parts([("c", 0, 1)]))), 1)
            self.assertEqual(slow.starts, 2)

    def test_a_process_that_answered_other_lines_is_not_used_again(self):
        with dragoman.Filter(["convert"], command=python(TWICE)) as twice:
            for starts in (1, 2):
                with self.assertRaisesRegex(dragoman.DragomanError, "other lines"):
                    twice.run(["{1}"])
                self.assertEqual(twice.starts, starts)

    def test_a_batch_of_several_rows_a_line_gets_its_own_rows(self):
        made = FilterBatches(["convert", "--per-turn"], command=python(SLOW))
        self.addCleanup(made.close)
        made({"text": ["{0}"]})
        interrupt_wait(made._filter._child)
        with self.assertRaises(KeyboardInterrupt):
            made({"text": ["{1}"]})
        [text] = made({"text": ["{22}"]})["text"]
        self.assertEqual(json.loads(text)["end"], len("{22}\n"))


if __name__ == "__main__":
    unittest.main()
