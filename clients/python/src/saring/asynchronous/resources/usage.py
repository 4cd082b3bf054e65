"""Recorded runs. In lists of events, `limit` is the size of a page."""

from typing import Unpack

from saring.asynchronous.paged import AsyncPaged
from saring.asynchronous.resources.resource import AsyncResource
from saring.gen import types


class AsyncUsage(AsyncResource):
    """The recorded runs of this client's key."""

    def events(
        self, **query: Unpack[types.ListUsageEventsInput]
    ) -> AsyncPaged[types.UsagePage, types.UsageEvent]:
        return AsyncPaged(self._rest, "/api/v1/usage/events", "events", query)

    async def event(self, event_id: str) -> types.UsageEvent:
        return await self._rest.get("/api/v1/usage/events/{event_id}", event_id=event_id)

    async def summary(self, **query: Unpack[types.SummarizeUsageInput]) -> types.UsageSummary:
        """Runs counted by model, end user, status, channel or day."""
        return await self._rest.get("/api/v1/usage/summary", query=query)

    async def end_users(
        self, **query: Unpack[types.ListEndUsersInput]
    ) -> list[types.EndUserUsage]:
        return (await self._rest.get("/api/v1/usage/end-users", query=query))["end_users"]

    def end_user_events(
        self, end_user_id: str, **query: Unpack[types.ListEndUserEventsInput]
    ) -> AsyncPaged[types.UsagePage, types.UsageEvent]:
        return AsyncPaged(
            self._rest,
            "/api/v1/usage/end-users/{end_user_id}/events",
            "events",
            query,
            end_user_id=end_user_id,
        )

    async def requests(
        self, **query: Unpack[types.SummarizeRequestsInput]
    ) -> types.RequestSummary:
        """All requests of the key by operation and outcome, with their latency."""
        return await self._rest.get("/api/v1/usage/requests", query=query)

    def screen_runs(
        self, **query: Unpack[types.ListScreenRunsInput]
    ) -> AsyncPaged[types.ScreenRunPage, types.ScreenRunEvent]:
        """Runs of screens by rules, and previews, newest first."""
        return AsyncPaged(self._rest, "/api/v1/usage/screen-runs", "runs", query)

    async def screen_run_summary(
        self, **query: Unpack[types.SummarizeScreenRunsInput]
    ) -> types.ScreenRunSummary:
        """The same, counted by screen, end user, kind or day."""
        return await self._rest.get("/api/v1/usage/screen-runs/summary", query=query)


class AsyncAdmin(AsyncResource):
    """The recorded runs of every key, for the operator. Needs the scope `usage:admin`."""

    def events(
        self, **query: Unpack[types.ListAllUsageEventsInput]
    ) -> AsyncPaged[types.AdminUsagePage, types.AdminUsageEvent]:
        return AsyncPaged(self._rest, "/api/v1/admin/usage/events", "events", query)

    async def summary(
        self, **query: Unpack[types.SummarizeAllUsageInput]
    ) -> types.AdminUsageSummary:
        """Runs counted as in `usage.summary`, and also by key or actor."""
        return await self._rest.get("/api/v1/admin/usage/summary", query=query)

    async def end_users(
        self, **query: Unpack[types.ListAllEndUsersInput]
    ) -> list[types.AdminEndUserUsage]:
        """End users, each with the key it belongs to."""
        return (await self._rest.get("/api/v1/admin/usage/end-users", query=query))["end_users"]

    async def keys(self, **query: Unpack[types.ListKeyUsageInput]) -> list[types.KeyUsage]:
        """Runs by key."""
        return (await self._rest.get("/api/v1/admin/usage/keys", query=query))["keys"]

    def screen_runs(
        self, **query: Unpack[types.ListAllScreenRunsInput]
    ) -> AsyncPaged[types.AdminScreenRunPage, types.AdminScreenRunEvent]:
        """Runs of screens by rules, and previews, newest first."""
        return AsyncPaged(self._rest, "/api/v1/admin/usage/screen-runs", "runs", query)

    async def screen_run_summary(
        self, **query: Unpack[types.SummarizeAllScreenRunsInput]
    ) -> types.AdminScreenRunSummary:
        """The same, counted by screen, end user, kind or day, and also by key."""
        return await self._rest.get("/api/v1/admin/usage/screen-runs/summary", query=query)
