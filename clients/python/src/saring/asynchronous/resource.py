"""What all parts of a client have in common."""

from saring.asynchronous.transport import AsyncTransport


class AsyncResource:
    def __init__(self, rest: AsyncTransport) -> None:
        self._rest = rest
