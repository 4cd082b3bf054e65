"""Results of a model for many past days: history, which is not part of the model's record."""

from collections.abc import AsyncGenerator
from typing import List, Unpack

from saring.asynchronous.resources.resource import AsyncResource
from saring.gen import types
from saring.request import fields_of, given


class AsyncBackfills(AsyncResource):
    async def start(
        self,
        model: str,
        *,
        idempotency_key: str | None = None,
        **wanted: Unpack[types.StartBackfillInput],
    ) -> types.Backfill:
        """Starts a backfill: only once, however often the request must be repeated."""
        return await self._rest.post(
            "/api/v1/models/{model_id}/backfills",
            body=fields_of(wanted),
            idempotency_key=idempotency_key,
            model_id=model,
        )

    async def list(self, *, limit: int | None = None) -> List[types.Backfill]:
        """Recent backfills of the key, newest first."""
        answer = await self._rest.get("/api/v1/backfills", query=given(limit=limit))
        return answer["backfills"]

    async def get(self, backfill_id: str) -> types.Backfill:
        """The current state of a backfill: `days_done` of `days_total`."""
        return await self._rest.get("/api/v1/backfills/{backfill_id}", backfill_id=backfill_id)

    async def pages(self, backfill_id: str) -> AsyncGenerator[types.BackfillPage, None]:
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

    async def cancel(self, backfill_id: str) -> types.Backfill:
        """Cancels a backfill, which keeps the pages it has. One that has ended does not change."""
        return await self._rest.post(
            "/api/v1/backfills/{backfill_id}/cancel", backfill_id=backfill_id
        )
