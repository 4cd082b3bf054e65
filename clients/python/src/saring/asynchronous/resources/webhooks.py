"""Endpoints of the application, to which events of the key are delivered.

`verify_webhook` checks what arrives there.
"""

from typing import Unpack

from saring.asynchronous.paged import AsyncPaged
from saring.asynchronous.resources.resource import AsyncResource
from saring.gen import types


class AsyncWebhooks(AsyncResource):
    async def create(self, **webhook: Unpack[types.CreateWebhookInput]) -> types.WebhookWithSecret:
        """The answer alone shows the `secret`."""
        return await self._rest.post("/api/v1/webhooks", body=webhook)

    def list(
        self, **query: Unpack[types.ListWebhooksInput]
    ) -> AsyncPaged[types.WebhookPage, types.Webhook]:
        """The webhooks of the key, newest first. `limit` is the size of a page."""
        return AsyncPaged(self._rest, "/api/v1/webhooks", "webhooks", query)

    async def get(self, webhook_id: str) -> types.Webhook:
        return await self._rest.get("/api/v1/webhooks/{webhook_id}", webhook_id=webhook_id)

    async def replace(
        self, webhook_id: str, **webhook: Unpack[types.ReplaceWebhookInput]
    ) -> types.Webhook:
        """What is left out gets its default. The secret stays."""
        return await self._rest.put(
            "/api/v1/webhooks/{webhook_id}", body=webhook, webhook_id=webhook_id
        )

    async def delete(self, webhook_id: str) -> types.DeletedWebhook:
        return await self._rest.delete("/api/v1/webhooks/{webhook_id}", webhook_id=webhook_id)

    async def enable(self, webhook_id: str) -> types.Webhook:
        return await self._rest.post("/api/v1/webhooks/{webhook_id}/enable", webhook_id=webhook_id)

    async def disable(self, webhook_id: str) -> types.Webhook:
        return await self._rest.post("/api/v1/webhooks/{webhook_id}/disable", webhook_id=webhook_id)

    async def rotate(self, webhook_id: str) -> types.WebhookWithNewSecret:
        """The answer alone shows the new `secret`. The one before also signs for 24 hours."""
        return await self._rest.post("/api/v1/webhooks/{webhook_id}/rotate", webhook_id=webhook_id)

    async def test(self, webhook_id: str) -> types.Delivery:
        """Sends a test event to this webhook alone."""
        return await self._rest.post("/api/v1/webhooks/{webhook_id}/test", webhook_id=webhook_id)

    def deliveries(
        self, webhook_id: str, **query: Unpack[types.ListDeliveriesInput]
    ) -> AsyncPaged[types.DeliveryPage, types.Delivery]:
        """What was delivered, with every attempt, newest first. `limit` is the size of a page."""
        return AsyncPaged(
            self._rest,
            "/api/v1/webhooks/{webhook_id}/deliveries",
            "deliveries",
            query,
            webhook_id=webhook_id,
        )

    async def redeliver(self, webhook_id: str, delivery_id: str) -> types.Delivery:
        """Delivers the event of an earlier delivery again."""
        return await self._rest.post(
            "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
            webhook_id=webhook_id,
            delivery_id=delivery_id,
        )

    async def redeliver_missed(
        self, webhook_id: str, **requested: Unpack[types.RedeliverMissedInput]
    ) -> types.MissedRedelivery:
        """Delivers the events since a time that were not delivered."""
        return await self._rest.post(
            "/api/v1/webhooks/{webhook_id}/redeliver", body=requested, webhook_id=webhook_id
        )
