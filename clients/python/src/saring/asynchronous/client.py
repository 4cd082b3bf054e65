"""The client."""

from dataclasses import replace
from typing import Any, Literal

import httpx

from saring import pace
from saring.asynchronous.follow_job import finished_job
from saring.asynchronous.resources import (
    AsyncBackfills,
    AsyncConsent,
    AsyncEvents,
    AsyncJobs,
    AsyncRuns,
    AsyncScreens,
)
from saring.asynchronous.transport import AsyncTransport
from saring.call_limit import AsyncCallLimit
from saring.errors import SaringError
from saring.gen import types
from saring.gen.asynchronous.calls import (
    AsyncAdmin,
    AsyncMarketData,
    AsyncModels,
    AsyncOperator,
    AsyncSessions,
    AsyncSimulations,
    AsyncUsage,
    AsyncWatchlists,
    AsyncWebhooks,
)
from saring.request import given
from saring.settings import MAX_RESPONSE_BYTES, RETRIES, TIMEOUT_SECONDS, Settings


class AsyncSaring:
    """Typed client of the REST API. Failures are raised as a SaringError.

    `base_url` is the root of the server, such as `https://saring.example.com`. Keep `api_key` on a
    server: anyone who has it can act as your application. `end_user` is the id of the
    application's user: 1 to 64 of A-Z, a-z, 0-9, dot, underscore, hyphen. `language` is that of
    sentences in answers; Bahasa Indonesia unless given.

    `timeout_seconds` limits a call, retries included. It does not apply to following a job, for
    which five minutes are usual. A request is retried at most `retries` times. An answer, or an
    event, of more than `max_response_bytes` fails with `unexpected_answer`.

    `http_client` replaces the client of httpx that is made otherwise, for a proxy or an authority
    of your own, and stays yours to close.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        end_user: str | None = None,
        language: Literal["id", "en"] | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        retries: int = RETRIES,
        max_response_bytes: int = MAX_RESPONSE_BYTES,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        settings = Settings(
            base_url, api_key, end_user, language, timeout_seconds, retries, max_response_bytes
        )
        self._closes = http_client is None
        self._use(settings, http_client or httpx.AsyncClient())

    def _use(self, settings: Settings, http: httpx.AsyncClient) -> None:
        self._settings = settings
        self._http = http
        #: Any endpoint by its path. `rest.request` also returns status and headers.
        self.rest = AsyncTransport(settings, http)
        self.models = AsyncModels(self.rest)
        self.runs = AsyncRuns(self.rest)
        self.jobs = AsyncJobs(self.rest)
        self.backfills = AsyncBackfills(self.rest)
        self.data = AsyncMarketData(self.rest)
        self.screens = AsyncScreens(self.rest)
        self.sessions = AsyncSessions(self.rest)
        self.simulations = AsyncSimulations(self.rest)
        self.watchlists = AsyncWatchlists(self.rest)
        self.webhooks = AsyncWebhooks(self.rest)
        self.events = AsyncEvents(self.rest)
        self.usage = AsyncUsage(self.rest)
        self.consent = AsyncConsent(self.rest)
        self.admin = AsyncAdmin(self.rest)
        #: For a client that was made with the operator's token instead of a key.
        self.operator = AsyncOperator(self.rest)

    def with_options(
        self,
        *,
        end_user: str | None = None,
        language: Literal["id", "en"] | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> "AsyncSaring":
        """A client that differs in what is given, and shares the connections of this one."""
        changes = given(
            end_user=end_user,
            language=language,
            timeout_seconds=timeout_seconds,
            retries=retries,
        )
        changed = object.__new__(AsyncSaring)
        changed._closes = False
        changed._use(replace(self._settings, **changes), self._http)
        return changed

    async def close(self) -> None:
        """Closes the connections. A client that `with_options` returned leaves them open."""
        if self._closes:
            await self._http.aclose()

    async def __aenter__(self) -> "AsyncSaring":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def run_and_wait(
        self,
        model: str,
        *,
        params: dict[str, Any] | None = None,
        view: Literal["full", "compact"] | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: float = pace.RUN_TIMEOUT_SECONDS,
    ) -> types.Job:
        """Runs a model and returns the finished job: with its result, or with the reason it failed,
        which is an outcome and not an error. The run itself goes on after `timeout_seconds`.
        """
        limit = AsyncCallLimit(timeout_seconds)
        wait = int(min(pace.HOLD_SECONDS, timeout_seconds))
        job = await AsyncRuns(self.rest.within(limit)).submit(
            model, params=params, view=view, wait=wait, idempotency_key=idempotency_key
        )
        try:
            return await finished_job(self.rest, job["job_id"], limit, job)
        except SaringError as failure:
            failure.job_id = job["job_id"]
            raise

    async def health(self) -> types.Health:
        """Whether the service is up and which dataset it answers from."""
        return await self.rest.get("/api/health")

    async def key(self) -> types.CallingKey:
        """The scopes and limits of this client's key."""
        return await self.rest.get("/api/v1/key")

    async def scopes(self) -> list[dict[str, Any]]:
        """What each scope of a key grants."""
        return (await self.rest.get("/api/v1/scopes"))["scopes"]
