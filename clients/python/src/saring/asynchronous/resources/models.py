"""The published models."""

from typing import Any, List, Unpack

from saring.asynchronous.resources.resource import AsyncResource
from saring.gen import types
from saring.request import fields_of


class AsyncModels(AsyncResource):
    async def list(self) -> List[types.Model]:
        return (await self._rest.get("/api/v1/models"))["models"]

    async def get(self, model: str) -> types.ModelDetail:
        """One model with its parameters and an explanation, in the language of the client."""
        return await self._rest.get("/api/v1/models/{model_id}", model_id=model)

    async def features(self) -> List[dict[str, Any]]:
        """Display names of features, by the names that contributions use."""
        return (await self._rest.get("/api/v1/features"))["features"]

    async def record(
        self, model: str, **query: Unpack[types.GetModelRecordInput]
    ) -> types.ModelRecord:
        """How a model's picks performed: those of the operator's daily runs, and those of this
        key's runs.
        """
        return await self._rest.get(
            "/api/v1/models/{model_id}/record", query=fields_of(query), model_id=model
        )

    async def params(self, model: str) -> dict[str, types.Parameter]:
        """Parameters of a model by name, with defaults and bounds."""
        answer = await self._rest.get("/api/v1/models/{model_id}/params", model_id=model)
        return answer["params"]
