/** A source that asks for more is asked again after a day, when its budget begins anew. */
const MAX_MS = 86_400_000;
const WHOLE_SECONDS = /^\d+$/;
/** The forms of RFC 9110. `Date.parse` alone would take `5.5` and `-5` for days long past. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/;

/**
 * What a `Retry-After` header asks for, in milliseconds; undefined if it asks for no time to come. What is none of whole seconds
 * and a date is ignored, as the clients of Saring do: the usual pauses are longer than none.
 */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  const text = (header ?? '').trim();
  const ms = WHOLE_SECONDS.test(text)
    ? Number(text) * 1_000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now.getTime()
      : NaN;
  return ms > 0 ? Math.min(ms, MAX_MS) : undefined;
}
