"""Runs of models."""

from typing import Any, Literal

from saring.asynchronous.resources.resource import AsyncResource
from saring.gen import types
from saring.request import given


class AsyncRuns(AsyncResource):
    async def submit(
        self,
        model: str,
        *,
        params: dict[str, Any] | None = None,
        view: Literal["full", "compact"] | None = None,
        wait: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.Job:
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
