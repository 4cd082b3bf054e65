"""Lists of tickers that end users keep. Every call is for an end user."""

from typing import Unpack

from saring.asynchronous.paged import AsyncPaged
from saring.asynchronous.resources.resource import AsyncResource
from saring.gen import types


class AsyncWatchlists(AsyncResource):
    async def create(self, **watchlist: Unpack[types.CreateWatchlistInput]) -> types.Watchlist:
        """Saves a watchlist. Never retried: a lost response may mean that the change was made."""
        return await self._rest.post("/api/v1/watchlists", body=watchlist)

    def list(
        self, **query: Unpack[types.ListWatchlistsInput]
    ) -> AsyncPaged[types.WatchlistPage, types.Watchlist]:
        """Those that the end user may read, newest first. `limit` is the size of a page."""
        return AsyncPaged(self._rest, "/api/v1/watchlists", "watchlists", query)

    async def get(self, watchlist_id: str) -> types.Watchlist:
        return await self._rest.get(
            "/api/v1/watchlists/{watchlist_id}", watchlist_id=watchlist_id
        )

    async def replace(
        self, watchlist_id: str, **watchlist: Unpack[types.ReplaceWatchlistInput]
    ) -> types.Watchlist:
        return await self._rest.put(
            "/api/v1/watchlists/{watchlist_id}", body=watchlist, watchlist_id=watchlist_id
        )

    async def delete(self, watchlist_id: str) -> types.DeletedWatchlist:
        return await self._rest.delete(
            "/api/v1/watchlists/{watchlist_id}", watchlist_id=watchlist_id
        )
