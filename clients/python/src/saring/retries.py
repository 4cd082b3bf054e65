"""When to try a request again."""

import random

from saring.errors import SaringError

FIRST_SECONDS = 0.25
MAX_SECONDS = 8.0
#: Random extra wait, so that clients which were refused together do not come back together.
SPREAD_SECONDS = 0.25


def seconds_before_retry(
    failure: SaringError, repetitions: int, allowed: int, remaining_seconds: float
) -> float | None:
    """How long to wait before a request is tried again, after so many retries of those allowed.

    None if it is not: the failure would not pass, or the wait would not fit into the time left.
    """
    delay_seconds = retry_delay_seconds(failure, repetitions)
    is_last = repetitions >= allowed or delay_seconds > remaining_seconds
    return None if is_last or not failure.is_passing else delay_seconds


def retry_delay_seconds(failure: SaringError, repetitions: int) -> float:
    """As long as the API says, plus up to SPREAD_SECONDS.

    Otherwise the wait doubles with each retry up to MAX_SECONDS, and is randomised between half
    and the whole.
    """
    if failure.retry_after_seconds is not None:
        return failure.retry_after_seconds + random.random() * SPREAD_SECONDS
    longest = min(FIRST_SECONDS * 2 ** min(repetitions, 16), MAX_SECONDS)
    return longest * (0.5 + random.random() / 2)
