"""What programs call: parse, parse_batch, render, and a parser for text that still arrives."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Union

from ._process import Process, shared
from ._types import Answer, Call, DragomanError, Message, ParseEvent, Policies, ProcessEnded, Tools

#: Texts that are sent together, in number and in characters: a line may have 64 MiB.
_BATCH = 512
_BATCH_CHARACTERS = 4_000_000


def parse(
    dialect: str,
    text: str,
    tools: Optional[Tools] = None,
    *,
    thinking: bool = False,
    strict: bool = False,
    policies: Optional[Policies] = None,
    events: bool = False,
    process: Optional[Process] = None,
) -> Answer:
    """Reads a whole text.

    `tools` type the values and check the inputs. `thinking`: the prompt ended inside the reasoning. `strict`: list
    repairs as issues. `policies`: those of the library's parser, such as {"calls": "text"}. `events`: give the events of
    the parser, too.
    """
    question = _question("parse", dialect, tools, thinking, strict, policies)
    question["text"] = text
    if events:
        question["events"] = True
    return _answer((process or shared()).ask(question))


def parse_batch(
    dialect: str,
    texts: Iterable[str],
    tools: Optional[Tools] = None,
    *,
    thinking: bool = False,
    strict: bool = False,
    policies: Optional[Policies] = None,
    process: Optional[Process] = None,
) -> Iterator[Answer]:
    """Reads many texts, in order: several hundred go to the process at once, and their answers come back together."""
    for some in _batches(texts):
        question = _question("parse", dialect, tools, thinking, strict, policies)
        question["texts"] = some
        for answer in (process or shared()).ask(question)["answers"]:
            if "error" in answer:
                raise DragomanError(answer["error"])
            yield _answer(answer)


def render(
    dialect: str,
    request: Dict[str, Any],
    *,
    thinking: Optional[bool] = None,
    generate: Optional[bool] = None,
    options: Optional[Dict[str, Any]] = None,
    process: Optional[Process] = None,
) -> Union[str, List[Message]]:
    """Writes a chat request as the prompt of the dialect; as messages, where the dialect is taught by messages."""
    given = {"thinking": thinking, "generate": generate, "options": options}
    question: Dict[str, Any] = {"op": "render", "dialect": dialect, "request": request}
    question.update({key: value for key, value in given.items() if value is not None})
    answer = (process or shared()).ask(question)
    return answer["prompt"] if "prompt" in answer else answer["messages"]


def dialects(process: Optional[Process] = None) -> List[str]:
    """The names of all dialects."""
    return list((process or shared()).ask({"op": "hello"})["dialects"])


class Parser:
    """Reads a text while it arrives. `feed` gives the events that are certain, `finish` the rest.

    If the process ends, it is started again, and the text so far is fed to it once more.
    """

    def __init__(
        self,
        dialect: str,
        tools: Optional[Tools] = None,
        *,
        thinking: bool = False,
        strict: bool = False,
        policies: Optional[Policies] = None,
        process: Optional[Process] = None,
    ) -> None:
        self._session: Optional[int] = None
        self._process = process or shared()
        self._pieces: List[str] = []
        self._opening = _question("open", dialect, tools, thinking, strict, policies)
        self._open()

    def feed(self, text: str) -> List[ParseEvent]:
        """The events of this piece. Pieces may be cut anywhere."""
        question = {"op": "feed", "session": self._number(), "text": text}
        events = self._ask(question)
        self._pieces.append(text)
        return events

    def finish(self) -> List[ParseEvent]:
        """The events at the end of the text. The parser cannot be used after it."""
        events = self._ask({"op": "finish", "session": self._number()})
        self._session = None
        self._pieces = []
        return events

    def close(self) -> None:
        """Ends the session without its last events. Not needed after `finish`."""
        session, self._session = self._session, None
        if session is not None and self._generation == self._process.generation:
            self._process.abandon(session)

    def __enter__(self) -> "Parser":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def _open(self) -> None:
        session = self._process.new_session()
        self._process.ask({**self._opening, "session": session})
        self._session = session
        self._generation = self._process.generation

    def _number(self) -> int:
        if self._session is None:
            raise DragomanError("the parser is finished: make a new one for another text")
        return self._session

    def _ask(self, question: Dict[str, Any]) -> List[ParseEvent]:
        if self._generation == self._process.generation:
            try:
                return self._process.ask_once(question)["events"]
            except ProcessEnded:
                pass
        self._open()
        for piece in self._pieces:
            self._process.ask_once({"op": "feed", "session": self._session, "text": piece})
        return self._process.ask_once({**question, "session": self._session})["events"]


def _question(
    op: str, dialect: str, tools: Optional[Tools], thinking: bool, strict: bool, policies: Optional[Policies]
) -> Dict[str, Any]:
    question: Dict[str, Any] = {"op": op, "dialect": dialect}
    if tools is not None:
        question["tools"] = list(tools)
    if thinking:
        question["thinking"] = True
    if strict:
        question["strict"] = True
    if policies is not None:
        question["policies"] = dict(policies)
    return question


def _batches(texts: Iterable[str]) -> Iterator[Sequence[str]]:
    some: List[str] = []
    size = 0
    for text in texts:
        some.append(text)
        size += len(text)
        if len(some) >= _BATCH or size >= _BATCH_CHARACTERS:
            yield some
            some, size = [], 0
    if some:
        yield some


def _answer(answer: Dict[str, Any]) -> Answer:
    calls = [Call(call["id"], call["name"], call["input"], call["raw"]) for call in answer["calls"]]
    return Answer(
        answer["text"], answer["reasoning"], calls, answer["issues"], answer["repairs"], answer.get("events")
    )
