import { timingSafeEqual } from 'node:crypto';

/** Compares in a time that does not depend on where two secrets differ. A missing one is the same as none. */
export function sameSecret(given: string | undefined, wanted: string | undefined): boolean {
  if (!given || !wanted) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
