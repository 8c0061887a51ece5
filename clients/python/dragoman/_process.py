"""The process of `dragoman parse --serve`, and one question at a time to it."""

from __future__ import annotations

import atexit
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import threading
from collections import deque
from typing import Any, Deque, Dict, IO, List, Optional, Sequence

from ._types import CommandNotFound, DragomanError, ProcessEnded

PROTOCOL = 1

#: The command to start instead of `dragoman`, split as in a shell: "node /opt/dragoman/bin/dragoman.js".
VARIABLE = "DRAGOMAN_COMMAND"

_INSTALL = (
    "Install Node 20.19 or later and the command (npm install --global dragoman; in a clone: ./packages/cli), "
    f"or set {VARIABLE} to the command that starts it"
)


def find_command() -> List[str]:
    """The command by the environment, on the PATH, or of the project in this folder."""
    given = os.environ.get(VARIABLE, "").strip()
    if given:
        return split_command(given)
    found = shutil.which("dragoman") or shutil.which("dragoman", path=os.path.join("node_modules", ".bin"))
    if found:
        return [found]
    raise CommandNotFound(f"There is no command dragoman on the PATH. {_INSTALL}.")


def split_command(text: str, windows: bool = os.name == "nt") -> List[str]:
    """The words of a command. On Windows backslashes are parts of paths."""
    if not windows:
        return shlex.split(text)
    return [word.strip('"') for word in shlex.split(text, posix=False)]


class Process:
    """Starts the command on first use, and again after it ended or this process was forked. Safe for threads."""

    def __init__(self, command: Optional[Sequence[str]] = None) -> None:
        self._command = list(command) if command else None
        self._lock = threading.Lock()
        # Only appended to by destructors, which may run at any point, even inside a question of the same thread.
        self._abandoned: Deque[int] = deque()
        self._child: Optional["subprocess.Popen[bytes]"] = None
        self._errors: Optional[IO[bytes]] = None
        self._owner = os.getpid()
        self._sessions = 0
        #: Counts starts: a session belongs to one of them.
        self.generation = 0
        self.hello: Dict[str, Any] = {}
        atexit.register(self.close)

    def ask(self, question: Dict[str, Any]) -> Dict[str, Any]:
        """The answer, without its id. Starts the process again, once, if it has ended."""
        with self._lock:
            try:
                return self._ask(question)
            except ProcessEnded:
                return self._ask(question)

    def ask_once(self, question: Dict[str, Any]) -> Dict[str, Any]:
        """As `ask`, but raises ProcessEnded: for questions about a session, which ended with the process."""
        with self._lock:
            return self._ask(question)

    def new_session(self) -> int:
        with self._lock:
            self._sessions += 1
            return self._sessions

    def abandon(self, session: int) -> None:
        """Closes a session with the next question."""
        self._abandoned.append(session)

    def close(self) -> None:
        with self._lock:
            self._close()

    def _close(self) -> None:
        child, self._child = self._child, None
        if child is None or self._owner != os.getpid():
            return
        _close_all(child, self._errors)
        try:
            child.wait(timeout=2)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def _ask(self, question: Dict[str, Any]) -> Dict[str, Any]:
        child = self._running()
        answer = self._exchange(child, question)
        error = answer.get("error")
        if error is not None:
            raise DragomanError(error)
        return answer

    def _exchange(self, child: "subprocess.Popen[bytes]", question: Dict[str, Any]) -> Dict[str, Any]:
        assert child.stdin and child.stdout
        questions = [*self._closing(), question]
        lines = [json.dumps(one, separators=(",", ":")).encode("ascii") + b"\n" for one in questions]
        try:
            child.stdin.write(b"".join(lines))
            child.stdin.flush()
            for _ in questions:
                line = child.stdout.readline()
        except (BrokenPipeError, ConnectionError, ValueError) as error:
            raise self._ended() from error
        if not line.endswith(b"\n"):
            raise self._ended()
        # Numbers and depths are within Python's limits: the parser refuses longer and deeper ones.
        return json.loads(line)

    def _closing(self) -> List[Dict[str, Any]]:
        # A few at a time: their answers must fit into the pipe while the questions are still being written.
        questions: List[Dict[str, Any]] = []
        while self._abandoned and len(questions) < 100:
            questions.append({"op": "close", "session": self._abandoned.popleft()})
        return questions

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._owner != os.getpid():
            # The child belongs to the process that was forked, which goes on with it.
            child, self._child, self._owner = self._child, None, os.getpid()
            _close_all(child, self._errors)
        if self._child is not None:
            return self._child
        command = self._command or find_command()
        self._errors = tempfile.TemporaryFile()
        try:
            self._child = subprocess.Popen(
                [*command, "parse", "--serve", "--sessions", "100000"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                # Ctrl-C at the terminal is for this process; the child ends with its input.
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            self._errors.close()
            raise CommandNotFound(f"{command[0]} could not be started: {error}. {_INSTALL}.") from error
        self.generation += 1
        self._greet(self._child, command)
        return self._child

    def _greet(self, child: "subprocess.Popen[bytes]", command: Sequence[str]) -> None:
        try:
            self.hello = self._exchange(child, {"op": "hello"})
        except (ProcessEnded, ValueError) as error:
            raise CommandNotFound(f"{shlex.join(command)} did not start: {error} {_INSTALL}.") from error
        found = self.hello.get("protocol")
        if found != PROTOCOL:
            self._close()
            raise DragomanError(
                f"{shlex.join(command)} speaks protocol {found}, and this package {PROTOCOL}: update the older one"
            )

    def _ended(self) -> ProcessEnded:
        child, self._child = self._child, None
        code = None
        if child is not None:
            child.kill()
            code = child.wait()
            _close_all(child)
        return ProcessEnded(f"the process ended with {code}. {self._last_words()}".rstrip())

    def _last_words(self) -> str:
        errors, self._errors = self._errors, None
        if not errors:
            return ""
        with errors:
            errors.seek(0)
            return errors.read()[-2000:].decode("utf8", "replace").strip()


def _close_all(child: Optional["subprocess.Popen[bytes]"], *others: Optional[IO[bytes]]) -> None:
    streams = (child.stdin, child.stdout) if child else ()
    for stream in (*streams, *others):
        try:
            if stream:
                stream.close()
        except OSError:  # The other end is gone.
            pass


_shared: Optional[Process] = None
_shared_lock = threading.Lock()


def shared() -> Process:
    """The process that is used where none is given."""
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = Process()
        return _shared


def _forget_shared() -> None:
    """In a forked process: a lock that another thread held would stay locked."""
    global _shared, _shared_lock
    before, _shared, _shared_lock = _shared, None, threading.Lock()
    if before:
        _close_all(before._child, before._errors)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_shared)
