"""What a client is made with."""

from dataclasses import dataclass
from typing import Literal

import httpx

#: Longer than the API may hold a submission, and longer than the minute of the rate limit.
TIMEOUT_SECONDS = 90.0
#: The retries span some seconds in all, enough for a gateway to restart.
RETRIES = 5
#: Twice the largest message that the services exchange.
MAX_RESPONSE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str
    end_user: str | None
    language: Literal["id", "en"] | None
    timeout_seconds: float
    retries: int
    max_response_bytes: int

    def __post_init__(self) -> None:
        url = httpx.URL(self.base_url)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError(
                "base_url must be the URL of a server, such as https://saring.example.com."
            )
