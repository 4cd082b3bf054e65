"""What the picks of a screen or a model would have meant for somebody's money."""

from typing import Unpack

from saring.asynchronous.resources.resource import AsyncResource
from saring.gen import types
from saring.request import fields_of


class AsyncSimulations(AsyncResource):
    async def submit(
        self,
        *,
        idempotency_key: str | None = None,
        **wanted: Unpack[types.SubmitSimulationInput],
    ) -> types.Job:
        """Submits a simulation: it is accepted only once, however often the request must be
        repeated. Follow its job with `jobs.follow`.
        """
        return await self._rest.post(
            "/api/v1/simulations", body=fields_of(wanted), idempotency_key=idempotency_key
        )
