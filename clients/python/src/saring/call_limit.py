"""How long a call may take, for both kinds of clients."""

import asyncio
import math
import time
from collections.abc import Awaitable
from typing import TypeVar

from saring.errors import CallTimeoutError

Value = TypeVar("Value")


class _Deadline:
    def __init__(self, timeout_seconds: float) -> None:
        self.timeout_seconds = timeout_seconds
        self._ends_at = time.monotonic() + timeout_seconds

    @property
    def remaining_seconds(self) -> float:
        return max(0.0, self._ends_at - time.monotonic())

    @property
    def socket_seconds(self) -> float | None:
        """How long a connection may be silent: None is for ever."""
        return None if self.remaining_seconds == math.inf else self.remaining_seconds

    @property
    def is_over(self) -> bool:
        return self.remaining_seconds == 0

    def reached(self) -> CallTimeoutError:
        return CallTimeoutError(
            "timeout", f"The call took longer than {self.timeout_seconds:g} seconds."
        )

    def check(self) -> None:
        """Raises CallTimeoutError once the time is up."""
        if self.is_over:
            raise self.reached()


class CallLimit(_Deadline):
    """For a client that waits. A silent connection ends by the timeout of its socket."""

    def within(self, value: Value) -> Value:
        self.check()
        return value

    def sleep(self, seconds: float) -> None:
        time.sleep(min(seconds, self.remaining_seconds))
        self.check()


class AsyncCallLimit(_Deadline):
    """For a client of asyncio."""

    async def within(self, awaited: Awaitable[Value]) -> Value:
        """Returns what is awaited, or raises CallTimeoutError once the time is up."""
        limit = asyncio.timeout(self.socket_seconds)
        try:
            async with limit:
                return await awaited
        except TimeoutError:
            if limit.expired():
                raise self.reached() from None
            raise

    async def sleep(self, seconds: float) -> None:
        await self.within(asyncio.sleep(seconds))
