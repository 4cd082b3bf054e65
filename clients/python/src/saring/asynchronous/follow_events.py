"""Follows the events of a key."""

import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from saring import pace
from saring.asynchronous.transport import AsyncTransport
from saring.call_limit import AsyncCallLimit
from saring.errors import SaringError
from saring.event_parser import Position
from saring.gen import types
from saring.request import given


async def follow_events(
    rest: AsyncTransport,
    limit: AsyncCallLimit,
    *,
    after: int | None,
    event_types: Sequence[str] | None,
    on_missed: Callable[[types.MissedEvents], None] | None,
) -> AsyncGenerator[types.Event, None]:
    """Yields events as they come, each once, and goes on after the last one whenever the stream
    breaks off. Only the limit, or an answer that a retry will not change, ends it.
    """
    position = after
    failures = 0
    while True:
        is_open = False
        query = {**types_query(event_types), **given(after=position)}
        stream = rest.events("/api/v1/events", limit, pace.SERVER_SILENCE_SECONDS, query=query)
        try:
            async with aclosing(stream):
                async for told in stream:
                    if isinstance(told, Position):
                        is_open = True
                        position = int(told.id)
                    elif told.name != "missed":
                        yield json.loads(told.data)
                    elif on_missed is not None:
                        on_missed(json.loads(told.data))
        except SaringError as failure:
            limit.check()
            if failure.status is not None and not failure.is_passing:
                raise
        failures = 0 if is_open else failures + 1
        await limit.sleep(pace.reconnect_after_seconds(failures))


def types_query(event_types: Sequence[str] | None) -> dict[str, str]:
    return {} if event_types is None else {"types": ",".join(event_types)}
