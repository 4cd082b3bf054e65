"""When to try a request again."""

import random

from saring.errors import SaringError

FIRST_SECONDS = 0.25
MAX_SECONDS = 8.0
#: Random extra wait, so that clients which were refused together do not come back together.
SPREAD_SECONDS = 0.25


def retry_delay_seconds(failure: SaringError, repetitions: int) -> float:
    """How long to wait before the next retry, after so many.

    As long as the API says, plus up to SPREAD_SECONDS. Otherwise the wait doubles with each retry
    up to MAX_SECONDS, and is randomised between half and the whole.
    """
    if failure.retry_after_seconds is not None:
        return failure.retry_after_seconds + random.random() * SPREAD_SECONDS
    longest = min(FIRST_SECONDS * 2 ** min(repetitions, 16), MAX_SECONDS)
    return longest * (0.5 + random.random() / 2)
