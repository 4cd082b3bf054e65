/** Seconds from one moment to another, never negative; 0 when either is missing. */
export function secondsBetween(from: Date | null, to: Date | null): number {
  return from && to ? Math.max(0, to.getTime() - from.getTime()) / 1000 : 0;
}
