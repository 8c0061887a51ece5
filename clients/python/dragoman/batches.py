"""Batches of rows through a filter that is kept running, for Ray Data's `map_batches` and the like.

    import ray
    from dragoman.batches import FilterFiles, line_ranges

    parts = ray.data.from_items(line_ranges(["rows.jsonl"]))
    convert = FilterFiles(["convert", "--from", "openai", "--to", "anthropic"])
    done = parts.map_batches(convert, batch_format="pyarrow", batch_size=1)
    done.write_parquet("converted", use_dictionary=False)

An object runs in Ray's tasks, which read, convert and write in one process. The class itself
(`map_batches(FilterFiles, fn_constructor_args=…, concurrency=2)`) runs in actors, whose rows other processes write.

`FilterBatches` takes the rows themselves, from `read_json`, `read_parquet` or any other source. Neither Ray nor pyarrow
is imported before a batch needs it.
"""

from __future__ import annotations

import contextlib
import decimal
import json
import math
import os
import tempfile
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Union

from ._arrow import ABSENT, read_cells
from ._filter import Filter, encode_line
from ._types import DragomanError

__all__ = ["FilterBatches", "FilterFiles", "line_ranges"]

_BAD = ("drop", "keep", "raise")
_OUTPUT = ("text", "columns")

#: The option with which a line gives several rows.
_SEVERAL = "--per-turn"

#: Filters of this process that no pickled copy uses at the moment, by their settings. They end with the process.
_idle: Dict[str, List[Filter]] = {}


class FilterBatches:
    """For `map_batches`, as an object or as a class: one filter for each worker, started with the first batch.

    A pickled copy, as each task of Ray gets one, uses a filter that an earlier copy in the same process has started.

    A batch is a table of pyarrow, a data frame of pandas, or a dictionary of columns; the answer is of the same kind.

    arguments   the verb and its options: ["convert", "--from", "openai", "--to", "anthropic"], ["score", …]
    column      the column that holds rows as JSON text. Where a batch has no such column, its columns are the members of
                the row; of a table of pyarrow, null columns and null members of structs are left out, as the command
                does it for Parquet.
    json_columns    columns whose text is JSON, such as those that `output="columns"` wrote: the row gets their values.
    output      "text": one column of JSON text, named as `column`. "columns": a column for each member; lists and
                objects are JSON text, so that all batches have the same types.
    bad         rows that the filter sets aside: "drop" leaves them out, "keep" adds a column `error` and leaves the
                others empty, "raise" fails the batch.
    timeout, restarts, command   those of `dragoman.Filter`.

    With `--per-turn` a line gives several rows, so a batch has more rows than it had lines; `bad="keep"` is refused.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        column: str = "text",
        json_columns: Sequence[str] = (),
        output: str = "text",
        bad: str = "drop",
        timeout: float = 600.0,
        restarts: int = 3,
        command: Optional[Sequence[str]] = None,
    ) -> None:
        if output not in _OUTPUT:
            raise ValueError(f"output: expected one of {', '.join(_OUTPUT)}, found {output!r}")
        if bad not in _BAD:
            raise ValueError(f"bad: expected one of {', '.join(_BAD)}, found {bad!r}")
        self._column = column
        self._json_columns = frozenset(json_columns)
        self._output = output
        self._bad = bad
        # Rows are not counted where a line gives several: the filter reads a file, and tells where its rows end.
        self._by_part = _SEVERAL in arguments
        if self._by_part and bad == "keep":
            raise ValueError(f'bad="keep" is for one row a line, and {_SEVERAL} writes several: use "drop" or "raise"')
        given = [*arguments, "--parts"] if self._reads_parts() else list(arguments)
        if self._by_part and bad == "raise":
            given.append("--strict")
        self._settings: Dict[str, Any] = {"command": command, "timeout": timeout, "restarts": restarts}
        self._arguments = given
        self._filter: Optional[Filter] = Filter(given, **self._settings)

    def __call__(self, batch: Any) -> Any:
        with self._running() as running:
            return self._answer(running, batch, self._lines(batch))

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_filter": None}

    def close(self) -> None:
        if self._filter:
            self._filter.close()

    def _reads_parts(self) -> bool:
        return self._by_part

    @contextlib.contextmanager
    def _running(self) -> Iterator[Filter]:
        """The filter of this object; of a pickled copy, one that no other copy uses now."""
        if self._filter:
            yield self._filter
            return
        idle = _idle.setdefault(json.dumps([self._arguments, self._settings]), [])
        try:
            taken = idle.pop()
        except IndexError:
            taken = Filter(self._arguments, **self._settings)
        try:
            yield taken
        finally:
            idle.append(taken)

    def _answer(self, running: Filter, batch: Any, lines: Sequence[Union[str, bytes]]) -> Any:
        if self._by_part:
            return self._table(batch, self._run_as_part(running, lines))
        filtered = running.run(lines)
        if self._bad == "raise" and filtered.bad:
            at, first = min(filtered.bad.items())
            raise DragomanError(f"row {at} of the batch: {first.get('reason')}")
        columns = self._columns(filtered.rows, {at: str(row.get("reason")) for at, row in filtered.bad.items()})
        return _like(batch, columns)

    def _run_as_part(self, running: Filter, lines: Sequence[Union[str, bytes]]) -> List[bytes]:
        text = b"\n".join([encode_line(line) for line in lines]) + b"\n"
        handle, path = tempfile.mkstemp(suffix=".jsonl", prefix="dragoman-")
        try:
            with open(handle, "wb") as file:
                file.write(text)
            return [piece for pieces in running.run_parts_in_pieces([(path, 0, len(text))]) for piece in pieces]
        finally:
            os.unlink(path)

    def _table(self, batch: Any, pieces: Sequence[bytes]) -> Any:
        if _is_arrow(batch) and self._output == "text":
            import pyarrow

            return pyarrow.table({self._column: _string_array(pieces)})
        return _like(batch, self._columns([row for row in b"".join(pieces).split(b"\n") if row], {}))

    def _lines(self, batch: Any) -> List[Any]:
        names = _names(batch)
        if self._column in names:
            # numpy's strings and pyarrow's scalars are not str.
            return ["" if _is_missing(line) else line if isinstance(line, (str, bytes)) else str(line)
                    for line in _values(batch, self._column)]
        columns = [self._cells(batch, name) for name in names]
        rows = (zip(names, row) for row in zip(*columns))
        if _is_arrow(batch):
            return _row_lines({name: value for name, value in row if value is not ABSENT} for row in rows)
        return _row_lines(dict(row) for row in rows)

    def _cells(self, batch: Any, name: str) -> List[Any]:
        # The usual case of a missing value is found here, because a row that _dumps has to clean takes four times as long.
        values = (
            read_cells(batch.column(name))
            if _is_arrow(batch)
            else [None if _is_missing(one) else one for one in _values(batch, name)]
        )
        if name not in self._json_columns:
            return values
        return [json.loads(one) if isinstance(one, (str, bytes)) else one for one in values]

    def _columns(self, rows: Sequence[Optional[bytes]], errors: Dict[int, str]) -> Dict[str, List[Any]]:
        keeps = self._bad == "keep"
        chosen = [(at, row) for at, row in enumerate(rows) if row is not None or keeps]
        if self._output == "text":
            columns: Dict[str, List[Any]] = {
                self._column: [None if row is None else row.decode("utf8") for _, row in chosen]
            }
        else:
            columns = _members([{} if row is None else json.loads(row) for _, row in chosen])
        if keeps:
            columns["error"] = [errors.get(at) for at, _ in chosen]
        return columns


class FilterFiles(FilterBatches):
    """As FilterBatches, but a batch names parts of files of JSON lines (`line_ranges`), which the filter reads itself.

    Ray's own `read_text` cuts lines at characters that JSON allows inside of a text (U+2028, U+0085), and copies every
    row once more. A batch gives several tables, one for each step of 8 MB of input. `timeout` is for a step, and after a
    restart only the step is read again. A task of Ray holds all tables of its part: cut smaller ones, with
    `line_ranges(paths, size)`, where rows get much larger than the input (`--tokenizer`, `--per-turn`).
    """

    def _reads_parts(self) -> bool:
        # Where a bad row is looked at, it must be known which line it is: then the lines go through the pipe.
        return self._by_part or self._bad == "drop"

    def __call__(self, batch: Any) -> Iterator[Any]:
        columns = [list(_values(batch, name)) for name in ("path", "start", "end")]
        steps = [
            (str(path), start, min(start + _STEP, int(last)))
            for path, first, last in zip(*columns)
            for start in range(int(first), int(last), _STEP)
        ]
        with self._running() as running:
            if self._reads_parts():
                for pieces in running.run_parts_in_pieces(steps):
                    yield self._table(batch, pieces)
            else:
                for step in steps:
                    yield self._answer(running, batch, list(_lines_in(*step)))


def _lines_in(path: str, start: int, end: int) -> Iterator[bytes]:
    for text in read_range(path, start, end):
        for line in text.split(b"\n"):
            if line.strip():
                yield line.rstrip(b"\r")


def _string_array(pieces: Sequence[bytes]) -> Any:
    """The lines of a text in pieces, without an object for each: their bytes one after the other, and where each ends."""
    import numpy
    import pyarrow

    ends = [numpy.zeros(1, dtype=numpy.int32)]
    lines: List[bytes] = []
    count = length = 0
    for piece in pieces:
        breaks = numpy.flatnonzero(numpy.frombuffer(piece, dtype=numpy.uint8) == 10)
        ends.append((breaks - numpy.arange(len(breaks)) + length).astype(numpy.int32))
        lines.append(piece.replace(b"\n", b""))
        count += len(breaks)
        length += len(lines[-1])
    buffers = [pyarrow.py_buffer(numpy.concatenate(ends)), pyarrow.py_buffer(b"".join(lines))]
    return pyarrow.StringArray.from_buffers(count, *buffers)


#: Bytes of the lines that go through the filter at a time: while their rows are made a table, the filter works on the
#: next ones.
_STEP = 8 * 1024 * 1024

#: Bytes of the largest part of a file. A part is a task of Ray and a file that it writes: between two tasks, a filter
#: waits for Ray.
PART = 128 * 1024 * 1024


def line_ranges(paths: Iterable[Union[str, "os.PathLike[str]"]], size: int = PART) -> List[Dict[str, Any]]:
    """Parts of files, by bytes: {"path", "start", "end"}. A line belongs to the part in which it begins.

    No part is larger than `size`. The last ones get smaller, down to a quarter: all workers end at about the same time.
    """
    sizes = [(os.path.abspath(path), os.path.getsize(path)) for path in paths]
    left = sum(whole for _, whole in sizes)
    parts: List[Dict[str, Any]] = []
    for path, whole in sizes:
        start = 0
        while start < whole:
            end = min(start + max(1, size // 4, min(size, left // 4)), whole)
            parts.append({"path": path, "start": start, "end": end})
            left -= end - start
            start = end
    return parts


def read_range(path: str, start: int, end: int, step: int = _STEP) -> Iterator[bytes]:
    """The lines that begin in [start, end), as text of whole lines, some megabytes at a time."""
    with open(path, "rb") as file:
        if start > 0:
            # The line that reaches into this part, if any, belongs to the one before.
            file.seek(start - 1)
            file.readline()
        while file.tell() < end:
            text = file.read(min(step, end - file.tell()))
            if not text:
                return
            yield text if text.endswith(b"\n") else text + file.readline()


def _members(rows: Sequence[Dict[str, Any]]) -> Dict[str, List[Any]]:
    names: Dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return {name: [_cell(row.get(name)) for row in rows] for name in names}


def _cell(value: Any) -> Any:
    return _dumps(value) if isinstance(value, (list, dict)) else value


def _row_lines(rows: Iterable[Dict[str, Any]]) -> List[str]:
    lines: List[str] = []
    try:
        for row in rows:
            lines.append(_dumps(row))
    except RecursionError:
        raise DragomanError(f"row {len(lines)} of the batch: a value is nested too deeply, or is in itself") from None
    return lines


def _dumps(value: Any) -> str:
    try:
        return _encoded(value)
    except (TypeError, ValueError):
        return _encoded(_cleaned(value))


def _encoded(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain, allow_nan=False)


def _cleaned(value: Any) -> Any:
    """The value with null for NaN and infinities, and with keys of numpy as those of Python."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {_key(key): _cleaned(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cleaned(one) for one in value]
    return _cleaned(_plain(value))


def _key(key: Any) -> Any:
    """Others than numbers of numpy and missing values stay as they are: json.dumps refuses them."""
    if isinstance(key, float) or _is_missing(key):
        return _cleaned(key)
    return _listed(key) if hasattr(key, "tolist") else key


def _plain(value: Any) -> Any:
    """numpy's numbers and lists, dates and the like. The missing values of pandas are None."""
    if _is_missing(value) or (isinstance(value, decimal.Decimal) and value.is_infinite()):
        return None
    if hasattr(value, "tolist"):
        return _listed(value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _is_missing(value: Any) -> bool:
    if isinstance(value, float):
        return math.isnan(value)
    if isinstance(value, decimal.Decimal):
        return value.is_nan()
    return value is None or type(value).__name__ in ("NAType", "NaTType")


#: The units of numpy that are finer than Python's times.
_FINE = ("ns]", "ps]", "fs]", "as]")


def _listed(values: Any) -> Any:
    """The values of numpy or pandas. Of times and spans of time in nanoseconds, numpy would give numbers."""
    if type(values).__module__ == "numpy" and values.dtype.kind in "mM" and values.dtype.str.endswith(_FINE):
        return values.astype(f"{values.dtype.kind}8[us]").tolist()
    return values.tolist()


# Tables of pyarrow and data frames of pandas are told by what they can do, so that neither is imported.


def _is_arrow(batch: Any) -> bool:
    return hasattr(batch, "column_names") and hasattr(batch, "to_pylist")


def _is_frame(batch: Any) -> bool:
    return hasattr(batch, "iloc") and hasattr(batch, "columns")


def _names(batch: Any) -> List[str]:
    names: Iterable[Any] = batch.column_names if _is_arrow(batch) else batch.columns if _is_frame(batch) else batch
    return [str(name) for name in names]


def _values(batch: Any, name: str) -> Iterable[Any]:
    if _is_arrow(batch):
        return batch.column(name).to_pylist()
    return _listed(batch[name]) if hasattr(batch[name], "tolist") else batch[name]


def _arrow_array(values: List[Any]) -> Any:
    """A column without any value is one of text, so that all batches have the same types."""
    import pyarrow

    return pyarrow.array(values, **({} if any(one is not None for one in values) else {"type": pyarrow.string()}))


def _like(batch: Any, columns: Dict[str, List[Any]]) -> Any:
    if _is_arrow(batch):
        import pyarrow

        return pyarrow.table({name: _arrow_array(values) for name, values in columns.items()})
    if _is_frame(batch):
        import pandas

        return pandas.DataFrame(columns)
    return columns
