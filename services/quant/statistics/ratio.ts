/** Null for a part of nothing. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
