"""A filter of rows that is kept running: `dragoman convert --jsonl`, `dragoman score --jsonl`."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import threading
import weakref
from collections import deque
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Optional, Sequence, TypeVar, Union

from ._process import _INSTALL, find_command
from ._types import CommandNotFound, DragomanError, ProcessEnded

Line = Union[str, bytes]
T = TypeVar("T")

#: What is read from the filter at once.
_PIECE = 1 << 20

#: Exit codes of a command that was called wrongly, or has no input: to start it again would not help.
_FINAL = (2, 3)


class FilterTimeout(ProcessEnded):
    """A batch took longer than its time limit, as often as it may be tried."""


class Filtered:
    """The rows of a batch, in the order of its lines."""

    __slots__ = ("bad", "rows")

    def __init__(self, rows: List[Optional[bytes]], bad: Dict[int, Dict[str, Any]]) -> None:
        #: A row for each line, without its line break; None where the line was set aside.
        self.rows = rows
        #: By the index of the line: {"reason", "path", "row", …}.
        self.bad = bad


class Filter:
    """Keeps one filter running, for one batch after the other. Not for several threads at once.

        with dragoman.Filter(["convert", "--from", "openai", "--to", "anthropic"]) as convert:
            for row in convert.run(lines).rows:
                ...

    A batch is answered whole or not at all: if the process dies, or takes longer than `timeout` seconds for a batch, it
    is started again and gets the whole batch once more, up to `restarts` times. Then an error is raised, and no row of
    the batch was given out. A pipe is never filled further than the filter reads, so memory is that of one batch.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        command: Optional[Sequence[str]] = None,
        timeout: float = 600.0,
        restarts: int = 3,
    ) -> None:
        #: Of the command; read when it is started.
        self.arguments = [*arguments, "--jsonl", "--quiet"]
        self._command = list(command) if command else None
        self._timeout = timeout
        self._restarts = restarts
        self._child: Optional[_Child] = None
        self._owner = os.getpid()
        #: How often the process was started.
        self.starts = 0

    def run(self, lines: Sequence[Line]) -> Filtered:
        """The row of each line. A line is a JSON object without a line break."""
        encoded = [encode_line(line) for line in lines]
        sent = [at for at, line in enumerate(encoded) if not _is_blank(line)]
        rows: List[Optional[bytes]] = [None] * len(encoded)
        bad: Dict[int, Dict[str, Any]] = {
            at: {"reason": "the line is blank", "path": "", "row": ""}
            for at, line in enumerate(encoded)
            if _is_blank(line)
        }
        if not sent:
            return Filtered(rows, bad)
        done, set_aside = self.run_lines(b"\n".join([encoded[at] for at in sent]) + b"\n", len(sent))
        left = iter(done.split(b"\n"))
        for number, at in enumerate(sent):
            if number in set_aside:
                bad[at] = set_aside[number]
            else:
                rows[at] = next(left)
        return Filtered(rows, bad)

    def close(self) -> None:
        """Ends the process. The next batch starts it again."""
        child, self._child = self._child, None
        if child is not None and self._owner == os.getpid():
            child.close()

    def __enter__(self) -> "Filter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run_lines(self, text: bytes, count: int) -> "tuple[bytes, Dict[int, Dict[str, Any]]]":
        """The rows of `count` lines, none of them blank, as text; and those that were set aside, by their index.

        For megabytes of lines: nothing is done for each of them.
        """
        return self._answer(lambda child: child.exchange_lines(text, count, self._timeout))

    def run_parts(self, parts: "Iterable[tuple[str, int, int]]") -> Iterator[bytes]:
        """For each part of a file (path, start, end) the rows of the lines that begin in these bytes, as text.

        For a filter with the option `--parts`: it reads the files itself. A line may give several rows, or none if it was
        set aside. The filter is given the next part before the rows of one are given out, so that it does not wait.
        """
        for pieces in self.run_parts_in_pieces(parts):
            yield b"".join(pieces)

    def run_parts_in_pieces(self, parts: "Iterable[tuple[str, int, int]]") -> Iterator[List[bytes]]:
        """As `run_parts`, with the text in pieces as they were read, cut anywhere: megabytes are not copied once more."""
        asked = [
            json.dumps({"path": path, "start": start, "end": end}).encode("ascii") + b"\n" for path, start, end in parts
        ]
        for at, part in enumerate(asked):
            if self._child is not None and self._child.asked not in (None, part):
                self.close()  # Its answer was not waited for.
            pieces = self._answer(lambda child, part=part: child.exchange_part(part, self._timeout))
            if at + 1 < len(asked):
                self._answer(lambda child, part=asked[at + 1]: child.ask(part))
            yield pieces

    def _answer(self, ask: "Callable[[_Child], T]") -> "T":
        tries = self._restarts + 1
        while True:
            tries -= 1
            child = self._running()
            try:
                return ask(child)
            except BaseException as error:
                # Also after Ctrl-C: rows that were not taken would answer the next batch.
                self._child = None
                child.kill()
                if not isinstance(error, ProcessEnded) or tries <= 0 or child.code in _FINAL:
                    raise

    def _running(self) -> "_Child":
        if self._owner != os.getpid():
            # The child belongs to the process that was forked, which goes on with it.
            self._child, self._owner = None, os.getpid()
        if self._child is None:
            counts = "--parts" not in self.arguments
            self._child = _Child([*(self._command or find_command()), *self.arguments], counts)
            self.starts += 1
            # Its threads keep the child alive, so it is this object that ends it.
            self._ends = weakref.finalize(self, _end, self._child.process, os.getpid())
        return self._child


class _Child:
    """One process. Two threads read what it writes, so that it never waits for a reader while it is written to."""

    def __init__(self, command: Sequence[str], counts_lines: bool) -> None:
        self._counts_lines = counts_lines
        self._shown = shlex.join(command)
        try:
            self.process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # Ctrl-C at the terminal is for this process; the child ends with its input.
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            raise CommandNotFound(f"{command[0]} could not be started: {error}. {_INSTALL}.") from error
        self._changed = threading.Condition()
        self._pieces: List[bytes] = []
        self._lines = 0
        #: The last two bytes that were read of this answer.
        self._tail = b""
        #: Whether the answer is complete, by what was read.
        self._is_whole: Callable[[], bool] = lambda: False
        self._bad: List[Dict[str, Any]] = []
        self._words: Deque[str] = deque(maxlen=20)
        self._open = 2
        #: How many lines the process was sent before this batch: it counts them from its start.
        self._before = 0
        self.code: Optional[int] = None
        #: The part that it was given, and whose rows were not taken yet.
        self.asked: Optional[bytes] = None
        _widen(self.process.stdin)
        _widen(self.process.stdout)
        for read in (self._read_rows, self._read_errors):
            threading.Thread(target=read, daemon=True).start()

    def exchange_lines(self, text: bytes, count: int, timeout: float) -> "tuple[bytes, Dict[int, Dict[str, Any]]]":
        def take() -> "tuple[bytes, Dict[int, Dict[str, Any]]]":
            rows = b"".join(self._pieces)
            bad = {int(row["line"]) - 1 - self._before: row for row in self._bad}
            if self._lines + len(bad) != count or not rows.endswith(b"\n" if self._lines else b"") or len(bad) != len(self._bad) or any(not 0 <= at < count for at in bad):
                raise DragomanError(f"{self._shown} answered other lines than it was sent")
            self._before += count
            return rows, bad

        return self._exchange(text, lambda: self._lines + len(self._bad) >= count, take, timeout)

    def ask(self, part: bytes) -> None:
        """Gives the filter a part whose rows are taken later."""
        self.asked = part
        self._write(part)

    def exchange_part(self, part: bytes, timeout: float) -> List[bytes]:
        # No row is an empty line: one ends the rows, and is the first where there are none.
        def take() -> List[bytes]:
            self.asked = None
            self._pieces[-1] = self._pieces[-1][:-1]
            return self._pieces

        rest = b"" if self.asked == part else part
        self.asked = part
        return self._exchange(rest, lambda: self._tail in (b"\n\n", b"\n"), take, timeout)

    def _exchange(self, text: bytes, is_whole: Callable[[], bool], take: "Callable[[], T]", timeout: float) -> "T":
        late = threading.Event()

        def stop() -> None:
            late.set()
            self.process.kill()

        with self._changed:
            self._is_whole = is_whole
        timer = threading.Timer(timeout, stop)
        timer.daemon = True
        timer.start()
        try:
            self._write(text)
            with self._changed:
                while not is_whole() and self._open > 0:
                    self._changed.wait()
                if not is_whole() or late.is_set():
                    raise self._ended(timeout if late.is_set() else None)
                taken = take()
                self._pieces, self._lines, self._bad, self._tail = [], 0, [], b""
                return taken
        finally:
            timer.cancel()

    def _write(self, text: bytes) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.write(text)
            self.process.stdin.flush()
        except (OSError, ValueError):
            pass  # It has ended; what it wrote tells why.

    def _ended(self, timeout: Optional[float]) -> ProcessEnded:
        self.process.kill()
        self.code = self.process.wait()
        words = "\n".join(self._words)
        if timeout is not None:
            return FilterTimeout(f"{self._shown} took longer than {timeout} s for a batch. {words}".rstrip())
        return ProcessEnded(f"{self._shown} ended with {self.code}. {words}".rstrip())

    def _read_rows(self) -> None:
        assert self.process.stdout
        descriptor = self.process.stdout.fileno()
        while True:
            try:
                piece = os.read(descriptor, _PIECE)
            except OSError:
                piece = b""
            if not piece:
                return self._closed()
            # The rows of a part are ended by an empty line, and not counted.
            lines = piece.count(b"\n") if self._counts_lines else 0
            with self._changed:
                self._pieces.append(piece)
                self._lines += lines
                self._tail = piece[-2:] if len(piece) > 1 else (self._tail + piece)[-2:]
                # Only the end of a batch is waited for.
                if self._is_whole():
                    self._changed.notify()

    def _read_errors(self) -> None:
        assert self.process.stderr
        try:
            for line in self.process.stderr:
                bad = _bad_row(line)
                with self._changed:
                    if bad is None:
                        self._words.append(line.decode("utf8", "replace").rstrip()[:500])
                    else:
                        self._bad.append(bad)
                        self._changed.notify()
        except (OSError, ValueError):
            pass
        self._closed()

    def _closed(self) -> None:
        with self._changed:
            self._open -= 1
            # A process that closed its rows has ended, and what it says about it may still come.
            self._changed.notify()

    def close(self) -> None:
        _close(self.process.stdin)
        try:
            self.code = self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.kill()
        self._free()

    def kill(self) -> None:
        self.process.kill()
        self.code = self.process.wait()
        _close(self.process.stdin)
        self._free()

    def _free(self) -> None:
        """Closes what the threads read, when they have read it to its end."""
        with self._changed:
            self._changed.wait_for(lambda: self._open == 0, timeout=5)
        _close(self.process.stdout)
        _close(self.process.stderr)


def encode_line(line: Line) -> bytes:
    encoded = line.encode("utf8", "surrogatepass") if isinstance(line, str) else bytes(line)
    if b"\n" in encoded:
        raise ValueError("a line holds a line break: each must be one JSON object, on one line")
    return encoded


def _is_blank(line: bytes) -> bool:
    """Whether the filter passes over the line without an answer."""
    return b"{" not in line and not line.decode("utf8", "replace").replace("\ufeff", " ").strip()


def _bad_row(line: bytes) -> Optional[Dict[str, Any]]:
    if not line.startswith(b"{"):
        return None
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) and isinstance(row.get("line"), int) else None


def _widen(pipe: Any) -> None:
    """Lets Linux keep a megabyte in the pipe, where it is allowed: fewer and larger pieces."""
    try:
        import fcntl

        fcntl.fcntl(pipe.fileno(), getattr(fcntl, "F_SETPIPE_SZ", 1031), _PIECE)
    except (ImportError, OSError, ValueError):
        pass


def _close(stream: Any) -> None:
    try:
        if stream:
            stream.close()
    except OSError:  # The other end is gone.
        pass


def _end(process: "subprocess.Popen[bytes]", owner: int) -> None:
    """Ends the process of a filter that is forgotten, or of a program that ends. A forked process owns none."""
    if owner == os.getpid() and process.poll() is None:
        process.kill()
        process.wait()
