"""A request as both kinds of clients send it."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from urllib.parse import quote

from saring.gen.repeatable_posts import REPEATABLE_POSTS
from saring.settings import Settings

Method: TypeAlias = Literal["GET", "POST", "PUT", "DELETE"]
Fields: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Request:
    """Every retry sends the same one."""

    method: Method
    url: str
    params: dict[str, Any]
    headers: dict[str, str]
    content: bytes | None
    is_repeatable: bool


def request_of(
    settings: Settings,
    method: Method,
    path: str,
    path_values: Mapping[str, str],
    *,
    query: Fields | None = None,
    body: Fields | None = None,
    idempotency_key: str | None = None,
    accept: str = "application/json",
) -> Request:
    """The request for a path of the reference, such as `/api/v1/jobs/{job_id}`."""
    headers = {"authorization": f"Bearer {settings.api_key}", "accept": accept}
    if settings.language is not None:
        headers["accept-language"] = settings.language
    if settings.end_user is not None:
        headers["x-end-user"] = settings.end_user
    repeatable_by = REPEATABLE_POSTS.get(path) if method == "POST" else None
    if repeatable_by == "by its key":
        headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
    if body is not None:
        headers["content-type"] = "application/json"
    return Request(
        method=method,
        url=settings.base_url.rstrip("/") + _filled(path, path_values),
        params={name: value for name, value in (query or {}).items() if value is not None},
        headers=headers,
        content=None if body is None else json.dumps(body, separators=(",", ":")).encode(),
        is_repeatable=method == "GET" or repeatable_by is not None,
    )


def fields_of(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of a call under the API's own names: `from_` is `from`."""
    return {name.rstrip("_"): value for name, value in keywords.items()}


def given(**fields: Any) -> dict[str, Any]:
    """The fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}


def _filled(path: str, values: Mapping[str, str]) -> str:
    """A URL drops `.` and `..`, so the request would go to another endpoint."""
    for name, value in values.items():
        if value in (".", ".."):
            raise ValueError(f"{name} must be other than . and ..")
    return path.format(**{name: quote(value, safe="") for name, value in values.items()})
