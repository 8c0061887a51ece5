"""The filter that is kept running, and batches through it. They need no Ray: it only calls the classes."""

import contextlib
import importlib.util
import json
import os
import pickle
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import dragoman  # noqa: E402
from dragoman import batches  # noqa: E402
from dragoman.batches import FilterBatches, FilterFiles, line_ranges, read_range  # noqa: E402

CONVERT = ["convert", "--from", "openai", "--to", "anthropic"]
PER_TURN = ["convert", "--from", "openai", "--to", "prompt:hermes", "--per-turn"]


def talk(number, turns):
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}] * turns
    return json.dumps({"id": number, "messages": messages})


def row(number, text="Hello."):
    return json.dumps({"id": number, "messages": [{"role": "user", "content": text}]}, ensure_ascii=False)


def ids(rows):
    return [None if one is None else json.loads(one)["id"] for one in rows]


@contextlib.contextmanager
def killed_when(child, is_due):
    """Kills the process as soon as `is_due`, if that is before the batch within ends."""
    is_over = threading.Event()

    def kill():
        while not is_over.wait(0.001):
            if is_due():
                child.process.kill()
                return

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield
    finally:
        is_over.set()
        killer.join()


class FilterTest(unittest.TestCase):
    def test_rows_come_in_order_from_one_process(self):
        with dragoman.Filter(CONVERT) as convert:
            for first in (0, 100, 200):
                done = convert.run([row(first + number) for number in range(100)])
                self.assertEqual(ids(done.rows), list(range(first, first + 100)))
                self.assertEqual(done.bad, {})
            self.assertEqual(convert.starts, 1)

    def test_bad_rows_are_at_their_places(self):
        with dragoman.Filter(CONVERT) as convert:
            for _ in range(2):
                done = convert.run([row(0), '{"messages": 7}', " \u00a0\ufeff\u3000", row(3), "no JSON"])
                self.assertEqual(ids(done.rows), [0, None, None, 3, None])
                self.assertEqual(sorted(done.bad), [1, 2, 4])
                self.assertIn("list of messages", done.bad[1]["reason"])
            self.assertEqual(ids(convert.run(["{}"]).rows), [None])
            self.assertEqual(convert.run([]).rows, [])

    def test_any_text_comes_back(self):
        text = "K\u00f6ln \U0001f30d a\u2028b\u0085c\x1c"
        with dragoman.Filter(CONVERT) as convert:
            [done] = convert.run([row(1, text).encode("utf8")]).rows
        self.assertEqual(json.loads(done)["messages"][0]["content"], text)

    def test_a_batch_larger_than_all_pipes(self):
        lines = [row(number, "x" * 20_000) for number in range(1000)]
        with dragoman.Filter(CONVERT) as convert:
            self.assertEqual(ids(convert.run(lines).rows), list(range(1000)))

    def test_a_line_is_one_line(self):
        with self.assertRaises(ValueError):
            dragoman.Filter(CONVERT).run(['{"a":\n1}'])

    def test_killed_between_batches(self):
        with dragoman.Filter(CONVERT) as convert:
            convert.run([row(1)])
            convert._child.process.kill()
            self.assertEqual(ids(convert.run([row(2), row(3)]).rows), [2, 3])
            self.assertEqual(convert.starts, 2)

    def test_killed_in_the_middle_of_a_batch_no_row_is_lost_or_doubled(self):
        lines = [row(number, "x" * 2000) for number in range(20_000)]
        with dragoman.Filter(CONVERT) as convert:
            convert.run(lines[:1])
            first = convert._child
            with killed_when(first, lambda: first._lines >= 100):
                done = convert.run(lines)
            self.assertEqual(ids(done.rows), list(range(20_000)))
            self.assertEqual(convert.starts, 2)

    def test_a_filter_that_hangs_is_ended(self):
        hangs = [sys.executable, "-c", "import time; time.sleep(60)"]
        start = time.monotonic()
        convert = dragoman.Filter(CONVERT, command=hangs, timeout=0.3, restarts=1)
        with self.assertRaises(dragoman.FilterTimeout):
            convert.run([row(1)] * 50_000)
        self.assertEqual(convert.starts, 2)
        self.assertLess(time.monotonic() - start, 20)

    def test_a_filter_that_always_dies_is_given_up(self):
        dies = [sys.executable, "-c", "import sys; print('{}'); sys.exit('out of memory')"]
        convert = dragoman.Filter(CONVERT, command=dies, restarts=2)
        with self.assertRaisesRegex(dragoman.ProcessEnded, "out of memory"):
            convert.run([row(1), row(2)])
        self.assertEqual(convert.starts, 3)

    def test_wrong_options_are_not_tried_again(self):
        convert = dragoman.Filter(["convert", "--from", "openai", "--to", "nobody"])
        with self.assertRaisesRegex(dragoman.ProcessEnded, "no form named 'nobody'"):
            convert.run([row(1)])
        self.assertEqual(convert.starts, 1)

    def test_a_missing_command(self):
        with self.assertRaises(dragoman.CommandNotFound):
            dragoman.Filter(CONVERT, command=["/nowhere/dragoman"]).run([row(1)])

    def test_it_ends_when_it_is_forgotten(self):
        convert = dragoman.Filter(CONVERT)
        convert.run([row(1)])
        child = convert._child
        del convert
        self.assertIsNotNone(child.process.wait(timeout=10))
        child.kill()

    def test_scores(self):
        output = {"text": '<tool_call>{"name": "f", "arguments": {}}</tool_call>', "expect": [{"name": "f"}]}
        with dragoman.Filter(["score", "--dialect", "hermes"]) as score:
            [done] = score.run([json.dumps(output)]).rows
        self.assertEqual(json.loads(done)["verdict"], "right")


class BatchesTest(unittest.TestCase):
    def batches(self, kind=FilterBatches, **options):
        made = kind(CONVERT, **options)
        self.addCleanup(made.close)
        return made

    def test_a_column_of_text(self):
        done = self.batches()({"text": [row(1), "{}", row(2)]})
        self.assertEqual(list(done), ["text"])
        self.assertEqual(ids(done["text"]), [1, 2])

    def test_columns_are_members(self):
        messages = [{"role": "user", "content": "Hello."}]
        done = self.batches(output="columns")({"id": [1, 2], "messages": [messages, messages]})
        self.assertEqual(done["id"], [1, 2])
        self.assertEqual(json.loads(done["messages"][1]), messages)
        back = FilterBatches(["convert", "--from", "anthropic", "--to", "openai"], json_columns=["messages"])
        self.addCleanup(back.close)
        self.assertEqual(json.loads(back(done)["text"][0]), {"id": 1, "messages": messages})

    def test_bad_rows_are_kept_or_raised(self):
        done = self.batches(bad="keep")({"text": [row(1), "{}"]})
        self.assertEqual(done["text"][1], None)
        self.assertEqual(done["error"][0], None)
        self.assertIn("messages", done["error"][1])
        with self.assertRaisesRegex(dragoman.DragomanError, "row 1 of the batch"):
            self.batches(bad="raise")({"text": [row(1), "{}"]})

    def test_a_line_may_give_several_rows(self):
        made = FilterBatches(PER_TURN)
        self.addCleanup(made.close)
        turns = [number % 4 for number in range(30)]
        for _ in range(2):
            done = made({"text": [*(talk(number, count) for number, count in enumerate(turns)), None, "{}"]})
            found = [(row["id"], row["turn"]) for row in map(json.loads, done["text"])]
            self.assertEqual(found, [(at, turn + 1) for at, count in enumerate(turns) for turn in range(count)])
        self.assertEqual(made._filter.starts, 1)
        self.assertEqual(made({"text": []}), {"text": []})
        columns = FilterBatches(PER_TURN, output="columns")
        self.addCleanup(columns.close)
        messages = json.loads(talk(0, 3))["messages"]
        self.assertEqual(columns({"id": [5, 6], "messages": [messages] * 2})["turn"], [1, 2, 3] * 2)

    def test_killed_where_a_line_gives_several_rows_none_is_lost_or_doubled(self):
        made = FilterBatches(PER_TURN)
        self.addCleanup(made.close)
        made({"text": [talk(0, 1)]})
        first = made._filter._child
        with killed_when(first, lambda: b"".join(first._pieces).count(b"\n") >= 100):
            done = made({"text": [talk(number, 3) for number in range(6_000)]})
        self.assertEqual(ids(done["text"]), [number for number in range(6_000) for _ in range(3)])
        self.assertEqual(made._filter.starts, 2)

    def test_bad_rows_where_a_line_gives_several_rows(self):
        for kind in (FilterBatches, FilterFiles):
            with self.assertRaisesRegex(ValueError, "--per-turn"):
                kind(PER_TURN, bad="keep")
        made = FilterBatches(PER_TURN, bad="raise")
        self.addCleanup(made.close)
        self.assertEqual(len(made({"text": [talk(0, 2)]})["text"]), 2)
        with self.assertRaisesRegex(dragoman.DragomanError, "messages"):
            made({"text": [talk(0, 2), "{}"]})

    def test_pickled_copies_use_one_filter_after_the_other(self):
        made = pickle.dumps(FilterBatches(CONVERT, timeout=599.0))
        for number in range(3):
            self.assertEqual(ids(pickle.loads(made)({"text": [row(number)]})["text"]), [number])
        idle = [one for filters in batches._idle.values() for one in filters if one._timeout == 599.0]
        self.assertEqual([one.starts for one in idle], [1])
        idle[0].close()

    def test_copies_that_work_at_once_have_filters_of_their_own(self):
        made = pickle.dumps(FilterBatches(CONVERT, timeout=598.0))
        found = {}

        def convert(number):
            lines = [row(number * 1000 + at) for at in range(500)]
            found[number] = ids(pickle.loads(made)({"text": lines})["text"])

        threads = [threading.Thread(target=convert, args=[number]) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {number: [number * 1000 + at for at in range(500)] for number in range(3)})
        for filters in batches._idle.values():
            for one in filters:
                one.close()

    def test_wrong_options(self):
        for options in ({"bad": "lose"}, {"output": "none"}):
            with self.assertRaises(ValueError):
                FilterBatches(CONVERT, **options)

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "pyarrow is not installed")
    def test_tables_of_pyarrow(self):
        import pyarrow

        done = self.batches()(pyarrow.table({"text": [row(1), row(2)]}))
        self.assertEqual(ids(done.column("text").to_pylist()), [1, 2])

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_frames_of_pandas(self):
        import pandas

        done = self.batches()(pandas.DataFrame({"text": [row(1), row(2)]}))
        self.assertEqual(ids(done["text"]), [1, 2])


class FilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "rows.jsonl")
        self.lines = [row(number, "a\u2028b" * (number % 7)) for number in range(40)]
        with open(self.path, "wb") as file:
            file.write("\r\n\n".join(self.lines).encode("utf8"))

    def test_every_line_is_in_one_part(self):
        size = os.path.getsize(self.path)
        for part in (1, 7, 64, 100, 1000, size, size + 1):
            ranges = line_ranges([self.path], part)
            found = [
                line.rstrip("\r")
                for one in ranges
                for text in read_range(one["path"], one["start"], one["end"], step=50)
                for line in text.decode("utf8").split("\n")
                if line.strip()
            ]
            self.assertEqual(found, self.lines, part)

    def test_parts_get_smaller_to_the_end_of_all_files(self):
        size = os.path.getsize(self.path)
        parts = line_ranges([self.path] * 3, size // 4)
        sizes = [part["end"] - part["start"] for part in parts]
        self.assertEqual(sum(sizes), 3 * size)
        self.assertEqual(sizes[0], size // 4)
        self.assertLess(max(sizes[-4:]), size // 4 // 2)
        self.assertGreater(len(parts), 12)

    def test_files_are_read_by_the_filter(self):
        parts = line_ranges([self.path], 300)
        batch = {name: [part[name] for part in parts] for name in ("path", "start", "end")}
        made = FilterFiles(CONVERT)
        self.addCleanup(made.close)
        rows = [text for table in made(batch) for text in table["text"]]
        self.assertEqual(ids(rows), list(range(40)))

    def test_a_pickled_copy_that_was_left_in_the_middle_gives_its_filter_back(self):
        made = pickle.dumps(FilterFiles(CONVERT, timeout=597.0))
        parts = self.parts(300)
        next(iter(pickle.loads(made)(parts)))
        for _ in range(2):
            rows = [text for table in pickle.loads(made)(parts) for text in table["text"]]
            self.assertEqual(ids(rows), list(range(40)))
        [idle] = [one for filters in batches._idle.values() for one in filters if one._timeout == 597.0]
        self.assertEqual(idle.starts, 2)
        idle.close()

    def parts(self, size):
        parts = line_ranges([self.path], size)
        return {name: [part[name] for part in parts] for name in ("path", "start", "end")}

    def test_bad_rows_are_kept_where_they_are_asked_for(self):
        with open(self.path, "ab") as file:
            file.write(b"\n{}\n")
        made = FilterFiles(CONVERT, bad="keep")
        self.addCleanup(made.close)
        tables = list(made(self.parts(300)))
        self.assertEqual(ids([text for table in tables for text in table["text"]]), [*range(40), None])
        self.assertIn("messages", tables[-1]["error"][-1])

    def test_a_line_may_give_several_rows(self):
        with open(self.path, "w") as file:
            file.write((talk(0, 3) + "\n") * 50)
        for bad in ("drop", "raise"):
            made = FilterFiles(PER_TURN, bad=bad)
            self.addCleanup(made.close)
            rows = [json.loads(text) for table in made(self.parts(1000)) for text in table["text"]]
            self.assertEqual([row["turn"] for row in rows], [1, 2, 3] * 50)

    def test_killed_while_it_works_ahead_no_row_is_lost_or_doubled(self):
        made = FilterFiles(CONVERT)
        self.addCleanup(made.close)
        found = []
        for at, rows in enumerate(made._filter.run_parts([(p["path"], p["start"], p["end"]) for p in line_ranges([self.path], 300)])):
            found += ids([row for row in rows.split(b"\n") if row])
            if at % 3 == 0:
                made._filter._child.process.kill()
        self.assertEqual(found, list(range(40)))
        self.assertGreater(made._filter.starts, 2)

    def test_parts_that_were_not_taken_are_no_answer_to_others(self):
        made = FilterFiles(CONVERT)
        self.addCleanup(made.close)
        size = os.path.getsize(self.path)
        parts = [(self.path, 0, 500), (self.path, 500, size)]
        next(iter(made._filter.run_parts(parts)))
        [rows] = made._filter.run_parts([(self.path, 0, size)])
        self.assertEqual(ids(rows.splitlines()), list(range(40)))

    def test_a_file_that_is_not_there(self):
        made = FilterFiles(CONVERT)
        self.addCleanup(made.close)
        with self.assertRaisesRegex(dragoman.ProcessEnded, "there is no file"):
            list(made({"path": [self.path + "x"], "start": [0], "end": [10]}))
        self.assertEqual(made._filter.starts, 1)

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "pyarrow is not installed")
    def test_lines_are_found_in_pieces_cut_anywhere(self):
        text = "ab\n\nc\u00e9\n\U0001f30d\n".encode("utf8")
        lines = ["ab", "", "c\u00e9", "\U0001f30d"]
        for first in range(len(text) + 1):
            for second in range(first, len(text) + 1):
                pieces = [text[:first], text[first:second], text[second:]]
                array = batches._string_array(pieces)
                array.validate(full=True)
                self.assertEqual(array.to_pylist(), lines, pieces)
        self.assertEqual(batches._string_array([b"ab", b"c\nd\xc3", b"\xa9\n"]).to_pylist(), ["abc", "d\u00e9"])
        self.assertEqual(batches._string_array([b"a\n", b""]).to_pylist(), ["a"])
        for pieces in ([], [b""]):
            self.assertEqual(batches._string_array(pieces).to_pylist(), [])

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "pyarrow is not installed")
    def test_tables_are_the_same_rows(self):
        import pyarrow

        for text in ("\n".join(self.lines), "\n".join([*self.lines, "{}", ""]), "\n\n \n".join(self.lines), "", "\n"):
            with open(self.path, "wb") as file:
                file.write(text.encode("utf8"))
            made = FilterFiles(CONVERT)
            self.addCleanup(made.close)
            parts = line_ranges([self.path], 300)
            tables = list(made(pyarrow.Table.from_pylist(parts))) if parts else []
            rows = [row for table in tables for row in table.column("text").to_pylist()]
            self.assertEqual(ids(rows), list(range(40)) if text.strip() else [])
            self.assertEqual([json.loads(row)["messages"][0]["content"] for row in rows][:3],
                             [json.loads(line)["messages"][0]["content"] for line in self.lines][: 3 if rows else 0])


if __name__ == "__main__":
    unittest.main()
