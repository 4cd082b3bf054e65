/** A source that asks for more is asked again after a day, when its budget begins anew. */
const MAX_MS = 86_400_000;

/** What a `Retry-After` header asks for, in milliseconds; undefined without a header that can be understood. */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_MS);
}
