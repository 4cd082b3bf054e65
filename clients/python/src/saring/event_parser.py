"""The text of a stream of server-sent events, as the HTML standard describes it."""

import codecs
from dataclasses import dataclass

from saring.errors import UnexpectedAnswerError


@dataclass(frozen=True)
class Position:
    """The id up to which a stream has come."""

    id: str


@dataclass(frozen=True)
class ServerEvent:
    name: str
    data: str


class EventParser:
    """Takes a stream in pieces of any size."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._rest = ""
        self._id: str | None = None
        self._name = ""
        self._data: list[str] = []
        self._data_size = 0

    def feed(self, piece: bytes) -> list[Position | ServerEvent]:
        """What is complete after this piece. Raises if an event is too large."""
        text = self._rest + self._decoder.decode(piece)
        # It may be the first half of a line end.
        held = "\r" if text.endswith("\r") else ""
        text = text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
        *lines, rest = text.split("\n")
        self._rest = rest + held
        told = [told for line in lines for told in self._line(line)]
        if self._data_size + len(self._rest) > self._max_bytes:
            raise UnexpectedAnswerError(
                "unexpected_answer",
                f"An event of the server is larger than {self._max_bytes} bytes.",
            )
        return told

    def _line(self, line: str) -> list[Position | ServerEvent]:
        if line == "":
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
            self._data_size += len(value)
        elif name == "event":
            self._name = value
        elif name == "id" and "\0" not in value:
            # Told with the event: a stream that breaks between the two has not come so far.
            self._id = value
        return []

    def _dispatch(self) -> list[Position | ServerEvent]:
        told: list[Position | ServerEvent] = [] if self._id is None else [Position(self._id)]
        if self._data:
            told.append(ServerEvent(self._name, "\n".join(self._data)))
        self._id, self._name, self._data, self._data_size = None, "", [], 0
        return told
