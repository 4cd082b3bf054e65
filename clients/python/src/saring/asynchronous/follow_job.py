"""Follows a job to its end."""

import json
import math
from collections.abc import AsyncGenerator
from contextlib import aclosing

from saring import pace
from saring.asynchronous.transport import AsyncTransport
from saring.call_limit import AsyncCallLimit
from saring.errors import NetworkError, SaringError
from saring.event_parser import ServerEvent
from saring.gen import types
from saring.results import is_finished


async def follow_job(
    rest: AsyncTransport, job_id: str, limit: AsyncCallLimit
) -> AsyncGenerator[types.Job, None]:
    """Yields a job as it is now and at every change of its status, until it ends.

    Uses the server's events, and polls while they break off or are not available. Only the limit,
    or an error that a retry will not solve, ends it sooner.
    """
    yielded: str | None = None
    async with aclosing(_sightings(rest, job_id, limit)) as jobs:
        async for job in jobs:
            if job["status"] != yielded:
                yield job
            if is_finished(job):
                return
            yielded = job["status"]


async def finished_job(
    rest: AsyncTransport, job_id: str, limit: AsyncCallLimit, seen: types.Job | None = None
) -> types.Job:
    """The job once it has ended. Fetched again if it announces a result without carrying it."""
    last = seen
    if last is None or not is_finished(last):
        async for job in follow_job(rest, job_id, limit):
            last = job
    if last is None or (last["result_available"] and "result" not in last):
        return await rest.within(limit).get("/api/v1/jobs/{job_id}", job_id=job_id)
    return last


async def _sightings(
    rest: AsyncTransport, job_id: str, limit: AsyncCallLimit
) -> AsyncGenerator[types.Job, None]:
    """Yields every observation of a job, with repetitions."""
    polls_before_events: float = 0
    while True:
        if polls_before_events <= 0:
            try:
                async with aclosing(_job_events(rest, job_id, limit)) as jobs:
                    async for job in jobs:
                        yield job
            except SaringError as failure:
                limit.check()
                polls_before_events = _polls_after(failure)
        try:
            yield await rest.within(limit).get("/api/v1/jobs/{job_id}", job_id=job_id)
        except SaringError as failure:
            if not failure.is_passing:
                raise
        polls_before_events -= 1
        await limit.sleep(pace.POLL_EVERY_SECONDS)


def _polls_after(failure: SaringError) -> float:
    """How many polls to make before the next request for events."""
    if isinstance(failure, NetworkError):
        return 1
    return pace.POLLS_AFTER_REFUSAL if failure.is_passing else math.inf


async def _job_events(
    rest: AsyncTransport, job_id: str, limit: AsyncCallLimit
) -> AsyncGenerator[types.Job, None]:
    events = rest.events(
        "/api/v1/jobs/{job_id}/events", limit, pace.SERVER_SILENCE_SECONDS, job_id=job_id
    )
    async with aclosing(events):
        async for told in events:
            if isinstance(told, ServerEvent):
                yield json.loads(told.data)
