"""Lists that come in pages."""

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from saring.asynchronous.transport import AsyncTransport
from saring.frame import to_frame
from saring.request import Fields

if TYPE_CHECKING:
    import pandas

Page = TypeVar("Page")
Item = TypeVar("Item")


class AsyncPaged(Generic[Page, Item]):
    """All items of a list, in its order. Each page is fetched only when the caller reaches it."""

    def __init__(
        self, rest: AsyncTransport, path: str, items: str, query: Fields, **path_values: str
    ) -> None:
        self._rest = rest
        self._path = path
        self._items = items
        self._query = query
        self._path_values = path_values

    async def first(self) -> Page:
        """Only the first page."""
        return await self._page(self._query)

    async def pages(self) -> AsyncGenerator[Page, None]:
        page = await self.first()
        yield page
        while (cursor := cast(dict[str, Any], page)["next_cursor"]) is not None:
            page = await self._page({**self._query, "cursor": cursor})
            yield page

    async def __aiter__(self) -> AsyncGenerator[Item, None]:
        async for page in self.pages():
            for item in cast(dict[str, Any], page)[self._items]:
                yield item

    async def to_frame(self) -> "pandas.DataFrame":
        """All items as a DataFrame. Raises ImportError without pandas."""
        return to_frame([cast(dict[str, Any], item) async for item in self])

    async def _page(self, query: Fields) -> Page:
        return cast(Page, await self._rest.get(self._path, query=query, **self._path_values))
