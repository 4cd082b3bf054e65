/** A name is liquid when it trades this much, IDR, on an average day. */
export const LIQUID_VALUE_IDR = 1_000_000_000;
/** Exchange days of that average, days without a trade included. */
export const LIQUID_OVER_DAYS = 20;
