"""Screens of end users: rules on fields, or runs of a model. Every call is for an end user."""

from collections.abc import Sequence
from typing import List, Unpack

from saring.asynchronous.paged import AsyncPaged
from saring.asynchronous.resources.resource import AsyncResource
from saring.errors import UnexpectedAnswerError
from saring.gen import types
from saring.request import fields_of, given


class AsyncScreens(AsyncResource):
    async def fields(self) -> List[types.Field]:
        """The fields that rules can name."""
        return (await self._rest.get("/api/v1/fields"))["fields"]

    async def field_values(
        self, *, as_of: str | None = None, fields: Sequence[str] | None = None
    ) -> types.FieldValues:
        """What fields say of every stock on a day, in columns. All fields if none are named."""
        named = None if fields is None else ",".join(fields)
        return await self._rest.get(
            "/api/v1/fields/values", query=given(as_of=as_of, fields=named)
        )

    async def create(self, **screen: Unpack[types.CreateScreenInput]) -> types.Screen:
        """Saves a screen. Never retried: a lost response may mean that the change was made."""
        return await self._rest.post("/api/v1/screens", body=screen)

    def list(
        self, **query: Unpack[types.ListScreensInput]
    ) -> AsyncPaged[types.ScreenPage, types.Screen]:
        """The screens that the end user may read, newest first. `limit` is the size of a page."""
        return AsyncPaged(self._rest, "/api/v1/screens", "screens", query)

    async def preview(self, **requested: Unpack[types.PreviewScreenInput]) -> types.ScreenPreview:
        """The stocks that pass rules which are not saved."""
        return await self._rest.post("/api/v1/screens/preview", body=requested)

    async def get(self, screen_id: str, *, version: int | None = None) -> types.Screen:
        """A screen as it is, or as `version` says it was."""
        return await self._rest.get(
            "/api/v1/screens/{screen_id}", query=given(version=version), screen_id=screen_id
        )

    async def replace(
        self, screen_id: str, **screen: Unpack[types.ReplaceScreenInput]
    ) -> types.Screen:
        """Makes the next version. With `version`, only if the screen still has that one."""
        return await self._rest.put(
            "/api/v1/screens/{screen_id}", body=screen, screen_id=screen_id
        )

    async def delete(self, screen_id: str) -> types.DeletedScreen:
        """Deletes a screen with everything that is known of it."""
        return await self._rest.delete("/api/v1/screens/{screen_id}", screen_id=screen_id)

    async def run(
        self,
        screen_id: str,
        *,
        as_of: str | None = None,
        columns: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> types.ScreenRun:
        """The stocks that are in a screen by rules on a day. CSV comes by `rest.post_for_bytes`."""
        shown = None if columns is None else ",".join(columns)
        answer = await self._rest.post(
            "/api/v1/screens/{screen_id}/run",
            query=given(as_of=as_of, columns=shown),
            idempotency_key=idempotency_key,
            screen_id=screen_id,
        )
        if "job_id" in answer:
            raise UnexpectedAnswerError(
                "unexpected_answer",
                f"The screen runs a model. It has started {answer['job_id']}: use submit.",
            )
        return answer

    async def submit(self, screen_id: str, *, idempotency_key: str | None = None) -> types.Job:
        """Starts the run of a screen by model, and returns its job. `jobs.wait` waits for it."""
        answer = await self._rest.post(
            "/api/v1/screens/{screen_id}/run",
            idempotency_key=idempotency_key,
            screen_id=screen_id,
        )
        if "job_id" not in answer:
            raise UnexpectedAnswerError(
                "unexpected_answer", "The screen has rules and starts no job: use run."
            )
        return answer

    async def explain(
        self, screen_id: str, ticker: str, *, as_of: str | None = None
    ) -> types.ScreenExplanation:
        """Which conditions a stock passes and fails."""
        return await self._rest.get(
            "/api/v1/screens/{screen_id}/explain",
            query=given(ticker=ticker, as_of=as_of),
            screen_id=screen_id,
        )

    async def past(
        self, screen_id: str, **query: Unpack[types.GetScreenPastInput]
    ) -> types.ScreenPast:
        """What came of the picks on past days."""
        return await self._rest.get(
            "/api/v1/screens/{screen_id}/past", query=fields_of(query), screen_id=screen_id
        )

    def changes(
        self, screen_id: str, **query: Unpack[types.ListScreenChangesInput]
    ) -> AsyncPaged[types.ScreenChangePage, types.ScreenChange]:
        """Days on which stocks entered or left, newest first. `limit` is the size of a page."""
        return AsyncPaged(
            self._rest,
            "/api/v1/screens/{screen_id}/changes",
            "changes",
            query,
            screen_id=screen_id,
        )

    async def of_stock(self, ticker: str) -> List[types.ScreenOfStock]:
        """The screens that hold a stock on the newest day."""
        return (await self._rest.get("/api/v1/data/stocks/{ticker}/screens", ticker=ticker))[
            "screens"
        ]
