"""Resources whose methods do more than one call each."""

import math
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Any, Literal

from saring.asynchronous.follow_events import follow_events, types_query
from saring.asynchronous.follow_job import finished_job, follow_job
from saring.asynchronous.resource import AsyncResource
from saring.call_limit import AsyncCallLimit
from saring.errors import UnexpectedAnswerError
from saring.gen import types as api
from saring.gen.asynchronous import calls
from saring.pace import RUN_TIMEOUT_SECONDS
from saring.request import given


class AsyncRuns(AsyncResource):
    """Runs of models."""

    async def submit(
        self,
        model: str,
        *,
        params: dict[str, Any] | None = None,
        view: Literal["full", "compact"] | None = None,
        wait: int | None = None,
        idempotency_key: str | None = None,
    ) -> api.Job:
        """Submits a run: it is accepted only once, however often the request must be repeated.

        `params` are those of `models.params`; omitted ones take their defaults. `wait` is how long
        to hold the connection open for the result, 0 to 60 seconds: the job carries its result if
        it ended within that time.
        """
        return await self._rest.post(
            "/api/v1/models/{model_id}/runs",
            query=given(view=view, wait=wait),
            body=None if params is None else {"params": params},
            idempotency_key=idempotency_key,
            model_id=model,
        )


class AsyncJobs(calls.AsyncJobs):
    def follow(
        self, job_id: str, *, timeout_seconds: float = RUN_TIMEOUT_SECONDS
    ) -> AsyncGenerator[api.Job, None]:
        """Yields the job as it is now and at every change of its status, until it ends. The job
        comes without its result; `wait` and `get` return that.
        """
        return follow_job(self._rest, job_id, AsyncCallLimit(timeout_seconds))

    async def wait(
        self, job_id: str, *, timeout_seconds: float = RUN_TIMEOUT_SECONDS
    ) -> api.Job:
        """The job once it has ended, whatever its outcome."""
        return await finished_job(self._rest, job_id, AsyncCallLimit(timeout_seconds))


class AsyncBackfills(calls.AsyncBackfills):
    async def pages(self, backfill_id: str) -> AsyncGenerator[api.BackfillPage, None]:
        """Results of the days done so far, in order, fetched when the caller reaches them."""
        after: str | None = None
        while True:
            answer = await self._rest.get(
                "/api/v1/backfills/{backfill_id}/pages",
                query=given(after=after),
                backfill_id=backfill_id,
            )
            for page in answer["pages"]:
                yield page
            if answer["next_url"] is None:
                return
            after = answer["pages"][-1]["as_of"]


class AsyncScreens(calls.AsyncScreens):
    async def run(
        self,
        screen_id: str,
        *,
        as_of: str | None = None,
        columns: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> api.ScreenRun:
        """The stocks that are in a screen by rules on a day. CSV comes by `rest.post_for_bytes`."""
        shown = None if columns is None else ",".join(columns)
        answer = await self._rest.post(
            "/api/v1/screens/{screen_id}/run",
            query=given(as_of=as_of, columns=shown),
            idempotency_key=idempotency_key,
            screen_id=screen_id,
        )
        if "job_id" in answer:
            raise UnexpectedAnswerError(
                "unexpected_answer",
                f"The screen runs a model. It has started {answer['job_id']}: use submit.",
            )
        return answer

    async def submit(self, screen_id: str, *, idempotency_key: str | None = None) -> api.Job:
        """Starts the run of a screen by model, and returns its job. `jobs.wait` waits for it."""
        answer = await self._rest.post(
            "/api/v1/screens/{screen_id}/run",
            idempotency_key=idempotency_key,
            screen_id=screen_id,
        )
        if "job_id" not in answer:
            raise UnexpectedAnswerError(
                "unexpected_answer", "The screen has rules and starts no job: use run."
            )
        return answer


class AsyncEvents(AsyncResource):
    """What has happened to this client's key. Events differ by `type`, and more types can come."""

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


class AsyncConsent(calls.AsyncConsent):
    async def accept(
        self,
        document_version: str,
        *,
        document_id: str | None = None,
        locale: str | None = None,
        client_version: str | None = None,
        idempotency_key: str | None = None,
    ) -> api.ConsentRecord:
        """Records that the end user has accepted this version: once, however often the request
        must be repeated.
        """
        fields = given(document_id=document_id, locale=locale, client_version=client_version)
        return await self._rest.post(
            "/api/v1/consent",
            body={**fields, "document_version": document_version, "accepted": True},
            idempotency_key=idempotency_key,
        )
