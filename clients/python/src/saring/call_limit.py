"""How long a call may take, for both kinds of clients."""

import asyncio
import math
import time
from collections.abc import Awaitable
from typing import TypeVar

from saring.errors import CallTimeoutError, SaringError, UnexpectedAnswerError

Value = TypeVar("Value")


class _Deadline:
    def __init__(self, timeout_seconds: float) -> None:
        self.timeout_seconds = timeout_seconds
        self._ends_at = time.monotonic() + timeout_seconds

    @property
    def remaining_seconds(self) -> float:
        return max(0.0, self._ends_at - time.monotonic())

    @property
    def is_over(self) -> bool:
        return self.remaining_seconds == 0

    def reached(self) -> CallTimeoutError:
        return CallTimeoutError(
            "timeout", f"The call took longer than {self.timeout_seconds:g} seconds."
        )

    def missed(self, silence_seconds: float | None) -> SaringError:
        """Why a wait of at most so long, and at most the time left, has ended."""
        if silence_seconds is None or self.is_over:
            return self.reached()
        return UnexpectedAnswerError(
            "unexpected_answer", f"The server sent nothing for {silence_seconds:g} seconds."
        )

    def _longest(self, silence_seconds: float | None) -> float | None:
        longest = min(self.remaining_seconds, silence_seconds or math.inf)
        return None if longest == math.inf else longest

    def check(self) -> None:
        """Raises CallTimeoutError once the time is up."""
        if self.is_over:
            raise self.reached()


class CallLimit(_Deadline):
    """For a client that waits. The timeout of its socket ends a silent connection."""

    def socket_seconds(self, silence_seconds: float | None) -> float | None:
        return self._longest(silence_seconds)

    def within(self, value: Value, silence_seconds: float | None = None) -> Value:
        self.check()
        return value

    def sleep(self, seconds: float) -> None:
        time.sleep(min(seconds, self.remaining_seconds))
        self.check()


def _cancels() -> int:
    """How often the task was asked to end."""
    task = asyncio.current_task()
    return 0 if task is None else task.cancelling()


class AsyncCallLimit(_Deadline):
    """For a client of asyncio."""

    def socket_seconds(self, silence_seconds: float | None) -> float | None:
        """`within` alone ends what takes too long: two timers could cancel a task twice."""
        return None

    async def within(
        self, awaited: Awaitable[Value], silence_seconds: float | None = None
    ) -> Value:
        """Returns what is awaited, or raises once the time is up."""
        cancels = _cancels()
        # `asyncio.timeout` of Python 3.11.2 lets its cancellation out if anyio has cancelled too.
        try:
            value = await asyncio.wait_for(awaited, self._longest(silence_seconds))
        except SaringError:
            raise
        except TimeoutError:
            raise self.missed(silence_seconds) from None
        # `asyncio.wait_for` of Python 3.11 forgets that it was cancelled if the value came too.
        if _cancels() > cancels:
            raise asyncio.CancelledError
        return value

    async def sleep(self, seconds: float) -> None:
        await self.within(asyncio.sleep(seconds))
