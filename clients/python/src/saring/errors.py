"""Failures of calls. Branch on the class of an error, or on its `code`."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias
from urllib.parse import urljoin

from saring.gen import types

#: Codes of failures that the API does not report.
ClientErrorCode: TypeAlias = Literal[
    "network_error",
    "timeout",
    "unexpected_answer",
    "run_failed",
    "run_interrupted",
    "result_unavailable",
]
SaringErrorCode: TypeAlias = types.ErrorCode | ClientErrorCode


class SaringError(Exception):
    """Every failure of a call.

    `status` is the HTTP status, and None if no response came. Quote `request_id` when you report
    a problem. `detail` says which fields are wrong. `docs_url` is the page of the code.
    `retry_after_seconds` is how long to wait before the next attempt, as the API says. `job_id`
    names the job that was accepted before following it failed: the job itself goes on.
    """

    def __init__(
        self,
        code: SaringErrorCode,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        detail: Sequence[types.FieldError] = (),
        docs_url: str | None = None,
        retry_after_seconds: int | None = None,
        job_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.detail = list(detail)
        self.docs_url = docs_url
        self.retry_after_seconds = retry_after_seconds
        self.job_id = job_id

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed a little later."""
        return self.status in PASSING_STATUSES


class NetworkError(SaringError):
    """No answer came from the server, or not all of it."""

    @property
    def is_passing(self) -> bool:
        return True


class CallTimeoutError(SaringError, TimeoutError):
    """The call took longer than it may, retries included."""


class UnexpectedAnswerError(SaringError):
    """The answer is not one of the API: a page of a proxy, for example."""


class RunError(SaringError):
    """A run has no result: it failed, was interrupted, or its result is no longer kept."""


class BadRequestError(SaringError):
    """400: the id of the end user is missing or malformed."""


class AuthenticationError(SaringError):
    """401: there is no such key."""


class PermissionDeniedError(SaringError):
    """403: the key may not do this."""


class NotFoundError(SaringError):
    """404: nothing is there, or nothing that this key may see."""


class ConflictError(SaringError):
    """409: the request contradicts an earlier one."""


class InvalidRequestError(SaringError):
    """422: `detail` says which fields are wrong."""


class RateLimitedError(SaringError):
    """429: too many requests. `retry_after_seconds` says when to come back."""


class ServerError(SaringError):
    """5xx: the service could not answer."""


class UnavailableError(ServerError):
    """502, 503 or 504: the service cannot answer now."""


#: 502 and 504 come from proxies in front of the API.
PASSING_STATUSES = (429, 502, 503, 504)

_CLASSES: dict[int, type[SaringError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: InvalidRequestError,
    429: RateLimitedError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


def error_of_response(
    status: int, headers: Mapping[str, str], content: bytes, base_url: str
) -> SaringError:
    """The error that a response describes."""
    request_id = headers.get("x-request-id")
    retry_after_seconds = _seconds_of(headers.get("retry-after"))
    body = _envelope_of(content)
    if body is None:
        return UnexpectedAnswerError(
            "unexpected_answer",
            f"The server answered {status} in a form that the API does not use.",
            status=status,
            request_id=request_id,
            retry_after_seconds=retry_after_seconds,
        )
    error = body["error"]
    # A server of an earlier release has no pages of codes.
    docs_url = error.get("docs_url")
    kind = _CLASSES.get(status, ServerError if status >= 500 else SaringError)
    return kind(
        error["code"],
        error.get("message", ""),
        status=status,
        request_id=error.get("request_id", request_id),
        detail=body.get("detail", ()),
        docs_url=None if docs_url is None else urljoin(base_url, docs_url),
        retry_after_seconds=retry_after_seconds,
    )


def _envelope_of(content: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(content)
        return body if isinstance(body["error"]["code"], str) else None
    except (ValueError, KeyError, TypeError):
        return None


def _seconds_of(retry_after: str | None) -> int | None:
    """Proxies may also send a date there, which is ignored."""
    whole = retry_after is not None and re.fullmatch(r"[0-9]+", retry_after)
    return int(retry_after) if whole and retry_after else None
