"""Missing values and numbers of numpy and pandas in the lines that batches become: JSON has no NaN."""

import datetime
import decimal
import importlib.util
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from dragoman import DragomanError  # noqa: E402
from dragoman.batches import FilterBatches  # noqa: E402


def refused(constant):
    raise AssertionError(f"{constant} is no JSON")


def lines_of(batch, **options):
    return [json.loads(line, parse_constant=refused) for line in FilterBatches(["convert"], **options)._lines(batch)]


NAN = float("nan")


class MissingValuesTest(unittest.TestCase):
    def test_numbers_that_json_does_not_have_are_null(self):
        batch = {"a": [1.5, NAN], "b": [float("inf"), {"c": [NAN, (1, float("-inf"))], "d": 10**30}]}
        self.assertEqual(
            lines_of(batch), [{"a": 1.5, "b": None}, {"a": None, "b": {"c": [None, [1, None]], "d": 10**30}}]
        )

    def test_values_beside_them_stay(self):
        day = datetime.date(2026, 1, 1)
        self.assertEqual(
            lines_of({"a": [[NAN, day, "ä", True, {1: None, 2.5: "x"}]]}),
            [{"a": [None, "2026-01-01", "ä", True, {"1": None, "2.5": "x"}]}],
        )


    def test_decimal_numbers_that_are_none_are_null(self):
        values = [decimal.Decimal(one) for one in ("1.5", "NaN", "sNaN", "Infinity")]
        self.assertEqual(lines_of({"a": values, "in": [[one, NAN] for one in values]}), [
            {"a": "1.5", "in": ["1.5", None]}, *[{"a": None, "in": [None, None]}] * 3
        ])

    def test_keys_that_json_does_not_have_are_an_error(self):
        for key in ((1, 2), datetime.date(2026, 1, 1)):
            for value in (1, NAN):
                with self.assertRaisesRegex(TypeError, "keys must be str"):
                    lines_of({"a": [{key: value}]})

    def test_what_is_too_deep_is_an_error_that_names_the_row(self):
        deep = NAN
        for _ in range(900):
            deep = [deep]
        circle = {}
        circle["self"] = [circle]
        for value in (deep, circle, [NAN, circle]):
            with self.assertRaisesRegex(DragomanError, "^row 1 of the batch: .* nested too deeply"):
                lines_of({"a": [1, value]})


@unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
class NumpyTest(unittest.TestCase):
    def test_arrays_and_scalars(self):
        import numpy

        batch = {
            "number": numpy.array([1.5, numpy.nan]),
            "whole": numpy.array([1, 2], dtype="int32"),
            "inner": [{"x": numpy.float32("nan"), "y": numpy.int64(3)}, [numpy.bool_(True), numpy.str_("a")]],
            "list": [numpy.array([[1.0], [numpy.inf]]), numpy.array(["x", None, numpy.nan], dtype=object)],
            "keys": [{numpy.int64(3): numpy.nan}, {}],
        }
        self.assertEqual(lines_of(batch), [
            {"number": 1.5, "whole": 1, "inner": {"x": None, "y": 3}, "list": [[1.0], [None]], "keys": {"3": None}},
            {"number": None, "whole": 2, "inner": [True, "a"], "list": ["x", None, None], "keys": {}},
        ])

    def test_times_are_text_in_every_unit(self):
        import numpy

        for unit in ("s", "us", "ns"):
            times = numpy.array(["2026-01-01T10:00:00", "NaT"], dtype=f"datetime64[{unit}]")
            whole = [{"t": "2026-01-01T10:00:00", "in": ["2026-01-01T10:00:00", None]}, {"t": None, "in": [None]}]
            self.assertEqual(lines_of({"t": times, "in": [times, times[1:]]}), whole)

    def test_dates_have_no_time(self):
        import numpy

        for unit in ("Y", "M", "D"):
            days = numpy.array(["2026-01-01", "NaT"], dtype=f"datetime64[{unit}]")
            whole = [{"t": "2026-01-01", "in": "2026-01-01"}, {"t": None, "in": None}]
            self.assertEqual(lines_of({"t": days, "in": list(days)}), whole)

    def test_spans_of_time_are_text_in_every_unit(self):
        import numpy

        for unit in ("s", "us", "ns", "ps"):
            spans = numpy.array([90, "NaT"], dtype="timedelta64[s]").astype(f"timedelta64[{unit}]")
            whole = [{"t": "0:01:30", "in": "0:01:30"}, {"t": None, "in": None}]
            self.assertEqual(lines_of({"t": spans, "in": list(spans)}), whole)


@unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
class PandasTest(unittest.TestCase):
    def test_missing_values_are_null(self):
        import pandas

        frame = pandas.DataFrame({
            "number": [1.5, None],
            "whole": pandas.array([1, None], dtype="Int64"),
            "flag": pandas.array([True, None], dtype="boolean"),
            "text": pandas.array(["a", None], dtype="string"),
            "time": [pandas.Timestamp("2026-01-01", tz="UTC"), pandas.NaT],
            "any": [{"a": pandas.NA, "b": [pandas.NaT]}, pandas.NA],
        })
        self.assertEqual(lines_of(frame, column="row"), [
            {"number": 1.5, "whole": 1, "flag": True, "text": "a", "time": "2026-01-01T00:00:00+00:00",
             "any": {"a": None, "b": [None]}},
            {"number": None, "whole": None, "flag": None, "text": None, "time": None, "any": None},
        ])

    def test_a_missing_line_is_empty(self):
        import pandas

        for missing in (None, NAN, pandas.NA):
            frame = pandas.DataFrame({"text": ["{}", missing]})
            self.assertEqual(FilterBatches(["convert"])._lines(frame), ["{}", ""])

    def test_a_missing_json_column_is_null(self):
        import pandas

        frame = pandas.DataFrame({"tools": ["[1]", None]})
        self.assertEqual(lines_of(frame, json_columns=["tools"]), [{"tools": [1]}, {"tools": None}])


@unittest.skipUnless(importlib.util.find_spec("pyarrow"), "pyarrow is not installed")
class ArrowTest(unittest.TestCase):
    def test_nan_is_null_and_not_absent(self):
        import pyarrow

        self.assertEqual(lines_of(pyarrow.table({"a": [NAN, None], "b": [1, 2]})), [{"a": None, "b": 1}, {"b": 2}])


if __name__ == "__main__":
    unittest.main()
