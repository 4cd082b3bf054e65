"""Client of Saring, a screening service for the Indonesian equity market (IDX)."""

from saring.asynchronous.client import AsyncSaring
from saring.asynchronous.paged import AsyncPaged
from saring.errors import (
    AuthenticationError,
    BadRequestError,
    CallTimeoutError,
    ClientErrorCode,
    ConflictError,
    InvalidRequestError,
    NetworkError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    RunError,
    SaringError,
    SaringErrorCode,
    ServerError,
    UnavailableError,
    UnexpectedAnswerError,
)
from saring.frame import to_frame
from saring.gen import types
from saring.gen.synchronous.client import Saring
from saring.gen.synchronous.paged import Paged
from saring.results import result_of
from saring.webhook import WebhookVerificationError, verify_webhook

__all__ = [
    "AsyncPaged",
    "AsyncSaring",
    "AuthenticationError",
    "BadRequestError",
    "CallTimeoutError",
    "ClientErrorCode",
    "ConflictError",
    "InvalidRequestError",
    "NetworkError",
    "NotFoundError",
    "Paged",
    "PermissionDeniedError",
    "RateLimitedError",
    "RunError",
    "Saring",
    "SaringError",
    "SaringErrorCode",
    "ServerError",
    "UnavailableError",
    "UnexpectedAnswerError",
    "WebhookVerificationError",
    "result_of",
    "to_frame",
    "types",
    "verify_webhook",
]
