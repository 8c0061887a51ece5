"""Columns of a pyarrow table as members of rows: as the command reads the same table in a Parquet file."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from dragoman._process import find_command  # noqa: E402
from dragoman.batches import FilterBatches  # noqa: E402


def row_with_call(number, arguments):
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": arguments}}
    return {"id": number, "messages": [{"role": "user", "content": "a"}, {"role": "assistant", "tool_calls": [call]}]}


@unittest.skipUnless(importlib.util.find_spec("pyarrow"), "pyarrow is not installed")
class ArrowTablesTest(unittest.TestCase):
    def lines(self, table, **options):
        made = FilterBatches(["convert"], **options)
        return [json.loads(line) for line in made._lines(table)]

    def test_null_members_of_structs_are_left_out(self):
        import pyarrow

        rows = [row_with_call(0, {"a": 1}), row_with_call(1, {"b": {"c": 2}}), row_with_call(2, {"b": {"d": 3}})]
        self.assertEqual(self.lines(pyarrow.Table.from_pylist(rows)), rows)

    def test_null_elements_of_lists_and_values_of_maps_stay(self):
        import pyarrow

        table = pyarrow.table({
            "list": [[1, None], []],
            "map": pyarrow.array([[("a", None), ("b", {"c": None})], []],
                                 pyarrow.map_(pyarrow.string(), pyarrow.struct([("c", pyarrow.int64())]))),
            "structs": [[{"a": None}, None], [{"a": 1}]],
        })
        self.assertEqual(self.lines(table), [
            {"list": [1, None], "map": {"a": None, "b": {}}, "structs": [{}, None]},
            {"list": [], "map": {}, "structs": [{"a": 1}]},
        ])

    def test_null_columns_are_left_out(self):
        import pyarrow

        table = pyarrow.table({"a": [1, None], "b": ["null", None], "c": ['{"d": null}', None]})
        self.assertEqual(self.lines(table, json_columns=["b", "c"]), [{"a": 1, "b": None, "c": {"d": None}}, {}])

    def test_rows_are_those_of_the_command(self):
        import pyarrow
        import pyarrow.parquet

        rows = [row_with_call(0, {"a": 1}), row_with_call(1, {"b": [None, {"c": 2}]}), {**row_with_call(2, {}), "n": 1}]
        table = pyarrow.Table.from_pylist(rows, pyarrow.Table.from_pylist(rows[:2]).schema.append(
            pyarrow.field("n", pyarrow.int64())))
        marks = pyarrow.array([[(1, None), (2, "x")], None, []], pyarrow.map_(pyarrow.int64(), pyarrow.string()))
        table = table.append_column("marks", marks)
        arguments = ["convert", "--from", "openai", "--to", "anthropic"]
        made = FilterBatches(arguments)
        self.addCleanup(made.close)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.parquet")
            pyarrow.parquet.write_table(table, path)
            done = subprocess.run([*find_command(), *arguments, path, "--quiet"], capture_output=True, check=True)
        self.assertEqual(made(table).column("text").to_pylist(), done.stdout.decode("utf8").splitlines())


if __name__ == "__main__":
    unittest.main()
