"""How often to ask while something is followed."""

import random

#: Polling more often has no benefit and costs rate-limit budget.
POLL_EVERY_SECONDS = 2.0
#: About ten seconds. A key's places for streams become free as other jobs end.
POLLS_AFTER_REFUSAL = 5
#: At least, before the first attempt to open a stream again.
RECONNECT_AFTER_SECONDS = 2.0
LONGEST_PAUSE = 16
#: The server sends something at least every 15 s. A stream that is silent for longer is dead, or a
#: proxy holds its events back.
SERVER_SILENCE_SECONDS = 35.0
#: A run that trains from scratch may take a minute, and others may be ahead in the queue.
RUN_TIMEOUT_SECONDS = 300.0
#: Most runs end within this time. It is short enough for proxies, which cut connections that are
#: silent for long.
HOLD_SECONDS = 30


def reconnect_after_seconds(failures: int) -> float:
    """Doubles with each attempt that failed, up to 16 times as long, and is randomised up to half
    as long again, so that readers which a restart has cut off do not all come back at once.
    """
    return RECONNECT_AFTER_SECONDS * min(2**failures, LONGEST_PAUSE) * (1 + random.random() / 2)
