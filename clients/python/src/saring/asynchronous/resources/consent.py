"""The consent gate. Treat every failure here as: the end user has not accepted."""

from saring.asynchronous.resources.resource import AsyncResource
from saring.gen import types
from saring.request import given


class AsyncConsent(AsyncResource):
    async def check(self, *, document_id: str | None = None) -> types.ConsentCheck:
        """Whether the end user has accepted the required version."""
        return await self._rest.get("/api/v1/consent", query=given(document_id=document_id))

    async def document(
        self, document_id: str, *, locale: str | None = None
    ) -> types.ConsentDocument:
        """The text to show, in one language."""
        return await self._rest.get(
            "/api/v1/consent/documents/{document_id}",
            query=given(locale=locale),
            document_id=document_id,
        )

    async def accept(
        self,
        document_version: str,
        *,
        document_id: str | None = None,
        locale: str | None = None,
        client_version: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.ConsentRecord:
        """Records that the end user has accepted this version: once, however often the request
        must be repeated.
        """
        fields = given(document_id=document_id, locale=locale, client_version=client_version)
        return await self._rest.post(
            "/api/v1/consent",
            body={**fields, "document_version": document_version, "accepted": True},
            idempotency_key=idempotency_key,
        )
