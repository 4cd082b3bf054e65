"""The fleet as its operator sees it. Needs the operator's token instead of a key."""

from typing import Unpack

from saring.asynchronous.resources.resource import AsyncResource
from saring.gen import types
from saring.request import given


class AsyncOperator(AsyncResource):
    async def processes(self) -> list[types.Process]:
        return (await self._rest.get("/api/v1/operator/processes"))["processes"]

    async def queue(self, **query: Unpack[types.GetQueueInput]) -> types.Queue:
        """Waiting and running runs, now and over the last `minutes`."""
        return await self._rest.get("/api/v1/operator/queue", query=query)

    async def datasets(self) -> types.DatasetList:
        """Every dataset version, and which one is served."""
        return await self._rest.get("/api/v1/operator/datasets")

    async def served_datasets(self, *, limit: int | None = None) -> list[types.ServedDataset]:
        """Which versions were served, and since when."""
        answer = await self._rest.get(
            "/api/v1/operator/datasets/history", query=given(limit=limit)
        )
        return answer["served"]

    async def rejected_rows(
        self, version: str, *, limit: int | None = None
    ) -> list[types.RejectedRow]:
        """The rows that the import of a version refused."""
        answer = await self._rest.get(
            "/api/v1/operator/datasets/{version}/rejected-rows",
            query=given(limit=limit),
            version=version,
        )
        return answer["rows"]

    async def keys(self) -> list[types.AdminKey]:
        return (await self._rest.get("/api/v1/operator/keys"))["api_keys"]

    async def key_actions(
        self, **query: Unpack[types.ListKeyActionsInput]
    ) -> list[types.KeyAction]:
        """The audit log of keys."""
        return (await self._rest.get("/api/v1/operator/keys/actions", query=query))["actions"]

    async def schedules(self) -> list[types.Schedule]:
        return (await self._rest.get("/api/v1/operator/schedules"))["schedules"]

    async def firings(self, **query: Unpack[types.ListFiringsInput]) -> list[types.Firing]:
        """The outcomes of schedules."""
        return (await self._rest.get("/api/v1/operator/schedules/firings", query=query))["firings"]

    async def feed_sources(self) -> list[types.FeedSource]:
        """The sources of market data: what each brought, what it waits for and why."""
        return (await self._rest.get("/api/v1/operator/feed/sources"))["sources"]

    async def fetches(self, **query: Unpack[types.ListFetchesInput]) -> list[types.Fetch]:
        """Everything that was fetched from the sources."""
        return (await self._rest.get("/api/v1/operator/feed/fetches", query=query))["fetches"]

    async def usage_summary(
        self, **query: Unpack[types.SummarizeUsageAsOperatorInput]
    ) -> types.AdminUsageSummary:
        """Runs of every key, counted."""
        return await self._rest.get("/api/v1/operator/usage/summary", query=query)

    async def usage_by_key(
        self, **query: Unpack[types.ListKeyUsageAsOperatorInput]
    ) -> list[types.KeyUsage]:
        return (await self._rest.get("/api/v1/operator/usage/keys", query=query))["keys"]
