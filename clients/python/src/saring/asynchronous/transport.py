"""Sends requests, and retries those that may succeed a little later."""

import builtins
import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx

from saring.call_limit import AsyncCallLimit
from saring.errors import NetworkError, SaringError, UnexpectedAnswerError, error_of_response
from saring.event_parser import EventParser, Position, ServerEvent
from saring.request import Fields, Method, Request, request_of
from saring.retries import seconds_before_retry
from saring.settings import Settings


@dataclass(frozen=True)
class AsyncAnswer:
    """The answer to a call. Quote `request_id` when you report a problem."""

    data: Any
    status: int
    headers: httpx.Headers
    request_id: str | None


class AsyncTransport:
    """Any endpoint by its path. What stands in braces there is given by name:

    `rest.get("/api/v1/jobs/{job_id}", job_id="job_1")`.
    """

    def __init__(
        self, settings: Settings, http: httpx.AsyncClient, limit: AsyncCallLimit | None = None
    ) -> None:
        self._settings = settings
        self._http = http
        self._limit = limit

    def within(self, limit: AsyncCallLimit) -> "AsyncTransport":
        """The same for calls that are parts of a longer one, and may take all the time it has."""
        return AsyncTransport(self._settings, self._http, limit)

    async def get(self, path: str, *, query: Fields | None = None, **path_values: str) -> Any:
        """Sends a GET and returns the body of the response."""
        return (await self._json("GET", path, path_values, query=query)).data

    async def post(
        self,
        path: str,
        *,
        query: Fields | None = None,
        body: Fields | None = None,
        idempotency_key: str | None = None,
        **path_values: str,
    ) -> Any:
        """Sends a POST and returns the body of the response."""
        answer = await self._json(
            "POST", path, path_values, query=query, body=body, idempotency_key=idempotency_key
        )
        return answer.data

    async def put(self, path: str, *, body: Fields, **path_values: str) -> Any:
        """Sends a PUT and returns the body of the response. It is not retried."""
        return (await self._json("PUT", path, path_values, body=body)).data

    async def delete(self, path: str, **path_values: str) -> Any:
        """Sends a DELETE and returns the body of the response. It is not retried."""
        return (await self._json("DELETE", path, path_values)).data

    async def request(
        self,
        method: Method,
        path: str,
        *,
        query: Fields | None = None,
        body: Fields | None = None,
        idempotency_key: str | None = None,
        **path_values: str,
    ) -> AsyncAnswer:
        """Sends a request and returns the answer with its status and headers."""
        return await self._json(
            method, path, path_values, query=query, body=body, idempotency_key=idempotency_key
        )

    async def bytes(
        self, path: str, *, query: Fields | None = None, **path_values: str
    ) -> builtins.bytes:
        """Returns the bytes of a file."""
        return await self._bytes("GET", path, path_values, query=query)

    async def post_for_bytes(
        self,
        path: str,
        *,
        query: Fields | None = None,
        body: Fields | None = None,
        idempotency_key: str | None = None,
        **path_values: str,
    ) -> builtins.bytes:
        """Sends a POST and returns the bytes of the file that answers it."""
        return await self._bytes(
            "POST", path, path_values, query=query, body=body, idempotency_key=idempotency_key
        )

    async def events(
        self,
        path: str,
        limit: AsyncCallLimit,
        silence_seconds: float,
        *,
        query: Fields | None = None,
        **path_values: str,
    ) -> AsyncGenerator[Position | ServerEvent, None]:
        """Yields the events of a stream as they come, until the server ends it.

        Raises if there is no event stream, if it falls silent, or if an event is too large. Does
        not retry: the caller decides how to go on.
        """
        prepared = request_of(
            self._settings, "GET", path, path_values, query=query, accept="text/event-stream"
        )
        parser = EventParser(self._settings.max_response_bytes)
        with _failures(limit, silence_seconds):
            response = await self._open(prepared, limit, silence_seconds)
            try:
                content_type = response.headers.get("content-type", "")
                if not content_type.startswith("text/event-stream"):
                    raise UnexpectedAnswerError(
                        "unexpected_answer",
                        f"The server sent {content_type} instead of an event stream.",
                    )
                pieces = response.aiter_bytes()
                while piece := await limit.within(anext(pieces, b""), silence_seconds):
                    for told in parser.feed(piece):
                        yield told
            finally:
                await response.aclose()

    async def _json(
        self, method: Method, path: str, path_values: Mapping[str, str], **content: Any
    ) -> AsyncAnswer:
        answer = await self._call(
            request_of(self._settings, method, path, path_values, **content)
        )
        try:
            return replace(answer, data=json.loads(answer.data))
        except ValueError as failure:
            raise UnexpectedAnswerError(
                "unexpected_answer", "The answer of the server is not JSON."
            ) from failure

    async def _bytes(
        self, method: Method, path: str, path_values: Mapping[str, str], **content: Any
    ) -> builtins.bytes:
        answer = await self._call(
            request_of(self._settings, method, path, path_values, accept="*/*", **content)
        )
        file: builtins.bytes = answer.data
        return file

    async def _call(self, request: Request) -> AsyncAnswer:
        """Raises the failure instead of starting a wait that would not fit into the time left."""
        limit = self._limit or AsyncCallLimit(self._settings.timeout_seconds)
        retries = self._settings.retries if request.is_repeatable else 0
        repetitions = 0
        while True:
            try:
                return await self._attempt(request, limit)
            except SaringError as failure:
                wait_seconds = seconds_before_retry(
                    failure, repetitions, retries, limit.remaining_seconds
                )
                if wait_seconds is None:
                    raise
            await limit.sleep(wait_seconds)
            repetitions += 1

    async def _attempt(self, request: Request, limit: AsyncCallLimit) -> AsyncAnswer:
        with _failures(limit):
            response = await self._open(request, limit)
            try:
                content = await limit.within(self._content(response, limit))
            finally:
                await response.aclose()
        request_id = response.headers.get("x-request-id")
        return AsyncAnswer(content, response.status_code, response.headers, request_id)

    async def _open(
        self, request: Request, limit: AsyncCallLimit, silence_seconds: float | None = None
    ) -> httpx.Response:
        """A response whose body is still to be read. Raises what any other than 2xx describes."""
        limit.check()
        sent = self._http.build_request(
            request.method,
            request.url,
            params=request.params or None,
            headers=request.headers,
            content=request.content,
            timeout=httpx.Timeout(limit.socket_seconds(silence_seconds)),
        )
        sending = self._http.send(sent, stream=True, follow_redirects=True)
        response = await limit.within(sending, silence_seconds)
        if response.is_success:
            return response
        try:
            content = await limit.within(self._content(response, limit))
        finally:
            await response.aclose()
        raise error_of_response(
            response.status_code, response.headers, content, self._settings.base_url
        )

    async def _content(self, response: httpx.Response, limit: AsyncCallLimit) -> builtins.bytes:
        """A server could send a body without an end."""
        largest = self._settings.max_response_bytes
        content = bytearray()
        async for piece in response.aiter_bytes():
            limit.check()
            content += piece
            if len(content) > largest:
                raise UnexpectedAnswerError(
                    "unexpected_answer",
                    f"The answer of the server is larger than {largest} bytes.",
                )
        return builtins.bytes(content)


@contextmanager
def _failures(limit: AsyncCallLimit, silence_seconds: float | None = None) -> Iterator[None]:
    """Raises failures of the connection as the errors of this package."""
    try:
        yield
    except httpx.TimeoutException as failure:
        raise limit.missed(silence_seconds) from failure
    except httpx.RequestError as failure:
        raise NetworkError("network_error", "No answer came from the server.") from failure
