"""Requests to the webhooks of an application."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import Any

_SECRET_PREFIX = "whsec_"
_VERSION = "v1"


class WebhookVerificationError(Exception):
    """A request that does not come from the service, or not now. Answer it with status 400."""


def verify_webhook(
    body: str | bytes,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance_seconds: float = 300,
) -> dict[str, Any]:
    """Checks a request by the Standard Webhooks specification, and returns its event.

    `body` is as it was received, before any parsing. `secret` is as `webhooks.create` has shown
    it. Requests that are older than `tolerance_seconds`, or as much ahead, are refused, so that
    nobody can send one again. Several deliveries of one event have the same `id`.

    Raises WebhookVerificationError for a request that is to be refused, and ValueError for what is
    no secret of a webhook.
    """
    sent = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (
        _required(sent, f"webhook-{name}") for name in ("id", "timestamp", "signature")
    )
    is_number = re.fullmatch(r"[0-9]{1,15}", timestamp) is not None
    if not is_number or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("webhook-timestamp is too old, or ahead of the clock.")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + content
    right = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
    for signature in signatures.split(" "):
        version, _, encoded = signature.partition(",")
        if version == _VERSION and hmac.compare_digest(_decoded(encoded), right):
            event: dict[str, Any] = json.loads(content)
            return event
    raise WebhookVerificationError("No signature in webhook-signature fits.")


def _required(headers: Mapping[str, str], name: str) -> str:
    if value := headers.get(name):
        return value
    raise WebhookVerificationError(f"The header {name} is missing.")


def _key_of(secret: str) -> bytes:
    encoded = secret.removeprefix(_SECRET_PREFIX)
    key = b"" if encoded == secret else _decoded(encoded)
    if key == b"":
        raise ValueError(f"A secret of a webhook begins with {_SECRET_PREFIX}.")
    return key


def _decoded(text: str) -> bytes:
    """Empty if it is no base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
