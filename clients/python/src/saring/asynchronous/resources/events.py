"""What has happened to this client's key. Events differ by `type`, and more types can come."""

import math
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from saring.asynchronous.follow_events import follow_events, types_query
from saring.asynchronous.resources.resource import AsyncResource
from saring.call_limit import AsyncCallLimit
from saring.gen import types as api
from saring.request import given


class AsyncEvents(AsyncResource):
    async def page(
        self,
        *,
        after: int | None = None,
        types: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> api.EventPage:
        """One page, with `next_after` for the next one and with what was `missed`."""
        query = {**types_query(types), **given(after=after, limit=limit)}
        return await self._rest.get("/api/v1/events", query=query)

    async def list(
        self,
        *,
        after: int | None = None,
        types: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> AsyncGenerator[api.Event, None]:
        """The events up to now, oldest first: those with a `sequence` larger than `after`, or all
        that are kept. `limit` is the size of a page; each is fetched when the caller reaches it.
        """
        has_more = True
        while has_more:
            page = await self.page(after=after, types=types, limit=limit)
            for event in page["events"]:
                yield event
            after, has_more = page["next_after"], page["has_more"]

    async def stream(
        self,
        *,
        after: int | None = None,
        types: Sequence[str] | None = None,
        on_missed: Callable[[api.MissedEvents], None] | None = None,
        timeout_seconds: float = math.inf,
    ) -> AsyncGenerator[api.Event, None]:
        """Yields events as they come, each once: those after `after`, or from now on.

        Goes on after the last one when the connection breaks, until the caller leaves or the key
        is refused. `on_missed` is called when events were removed by age before this stream could
        tell them. Remember `sequence`: it is the next `after`.
        """
        events = follow_events(
            self._rest,
            AsyncCallLimit(timeout_seconds),
            after=after,
            event_types=types,
            on_missed=on_missed,
        )
        async with aclosing(events):
            async for event in events:
                yield event
