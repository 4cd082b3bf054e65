import type { Clock } from '#foundation/clock.ts';
import type { Sent } from '../sending/sender.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The pauses after each failed attempt of a delivery, nearly three days together. After the last attempt it has failed. */
export const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  20 * HOUR_MS,
] as const;
/** No receiver lengthens a pause beyond the longest one, nor beyond this age of the delivery. */
const LONGEST_PAUSE_MS = Math.max(...PAUSES_MS);
const LENGTHENED_UNTIL_AGE_MS = 3 * DAY_MS;
/** A delivery that has waited for this long without its last attempt has failed, because its endpoint never rested less. */
const GIVEN_UP_AFTER_MS = 3.5 * DAY_MS;

/** Failures in a row from which an endpoint rests: the other deliveries wait until one of them has tried again. */
const RESTS_FROM_FAILURES = 3;
const FIRST_REST_MS = 5 * SECOND_MS;
/** How long an endpoint that works again waits for its next event at most. */
const LONGEST_REST_MS = 5 * MINUTE_MS;
/** An endpoint that has done nothing but fail for this long is disabled. */
export const DISABLED_AFTER_MS = 5 * DAY_MS;
/** An attempt that took longer makes its endpoint one of those that share a part of the slots. */
export const SLOW_FROM_MS = SECOND_MS;

/** Pauses differ by up to a tenth, so that what failed together is not tried together. */
const JITTER = 0.1;

/** A random number from 0 to 1. */
export type RandomSource = () => number;

/**
 * How long a delivery of this age pauses after so many failed attempts, if its receiver asked for a pause of `askedMs`; undefined
 * when there was no attempt left.
 */
export function pauseAfter(
  { attempts, askedMs, ageMs }: { attempts: number; askedMs: number; ageMs: number },
  random: RandomSource,
): number | undefined {
  const pauseMs = PAUSES_MS[attempts - 1];
  if (pauseMs === undefined) return undefined;
  return Math.max(
    jittered(pauseMs, random),
    Math.min(askedMs, LONGEST_PAUSE_MS, LENGTHENED_UNTIL_AGE_MS - ageMs),
  );
}

/** How long an endpoint rests after so many failures in a row, if it asked for a pause of `askedMs`; 0 if it does not. */
export function restAfter(
  { failures, askedMs }: { failures: number; askedMs: number },
  random: RandomSource,
): number {
  const over = failures - RESTS_FROM_FAILURES;
  const restMs = over < 0 ? 0 : Math.min(FIRST_REST_MS * 2 ** over, LONGEST_REST_MS);
  return Math.max(jittered(restMs, random), Math.min(askedMs, LONGEST_REST_MS));
}

function jittered(ms: number, random: RandomSource): number {
  return ms * (1 - JITTER + 2 * JITTER * random());
}

/** Too many requests, and unavailable for the moment: the answers with which `Retry-After` says when to come again. */
const NOT_NOW = [429, 503];

/** The pause that an answer asks for by `Retry-After`, as seconds or as a date (RFC 9110); 0 if it asks for none. */
export function askedPauseMs({ status, retryAfter }: Pick<Sent, 'status' | 'retryAfter'>, now: Date): number {
  if (retryAfter === undefined || !NOT_NOW.includes(status!)) return 0;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  // The parser also takes many texts that are no date of HTTP.
  const atMs = retryAfter.endsWith(' GMT') ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - now.getTime());
}

/** Rows that one statement changes. */
const BATCH = 500;

/** Ends deliveries that have waited for too long. Stops between two batches when `signal` aborts. */
export async function giveUpOld(
  store: { giveUp(before: Date, now: Date, limit: number): Promise<number> },
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const now = clock();
  const before = new Date(now.getTime() - GIVEN_UP_AFTER_MS);
  while (!signal.aborted && (await store.giveUp(before, now, BATCH)) === BATCH);
}
