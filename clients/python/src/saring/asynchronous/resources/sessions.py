"""Browsers that are signed in with the key, which pages of the gateway's own origin can be.

An application sends its key, so there is no method that starts a session.
"""

from saring.asynchronous.resources.resource import AsyncResource
from saring.gen import types


class AsyncSessions(AsyncResource):
    async def list(self) -> types.SessionList:
        """The browsers that are signed in with the key."""
        return await self._rest.get("/api/v1/sessions")

    async def end(self, session_id: str) -> types.EndedSession:
        """Signs a browser out."""
        return await self._rest.delete("/api/v1/sessions/{session_id}", session_id=session_id)
