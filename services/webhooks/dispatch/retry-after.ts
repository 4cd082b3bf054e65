import type { Sent } from '../sending/sender.ts';

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
