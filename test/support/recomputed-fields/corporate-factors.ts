import { tick } from './price-limits.ts';
import type { RawStock } from './raw-archive.ts';

/** By what a corporate action on a day multiplied prices and divided numbers of shares; 1 on other days. */
export interface CorporateFactor {
  price: number;
  shares: number;
  /** Of restated prices without listed shares: the day that told what they were, and what applies from it on. */
  doubt?: { until: string; then: { price: number; shares: number } };
}

/**
 * The corporate actions of a stock as docs/data-format.md says: the exchange's reference price against the close of the day before.
 * It is a split if the listed shares changed by as much; their ratio counts, if the price is only rounded. A reference price that repeats the price of a system test says nothing, and
 * one after missing days, or a fiftieth or fifty times the close, only if the listed shares confirm it.
 */
export function corporateFactors(
  { days, refused }: RawStock,
  exchangeDays: readonly string[],
): CorporateFactor[] {
  const numberOf = new Map(exchangeDays.map((date, number) => [date, number]));
  const seen = days.map((day, i) => {
    const before = days[i - 1];
    if (!before || day.previous === 0 || day.previous === before.close) return { price: 1, shares: 1 };
    const echoed = refused.some(
      ({ date, close }) => date > before.date && date < day.date && close === day.previous,
    );
    const price = day.previous / before.close;
    const shares = before.listedShares / day.listedShares;
    const isSplit = Math.max(shares, 1 / shares) >= 1.25 && Math.abs(shares / price - 1) <= 0.1;
    const isRounded = Math.abs(day.previous - before.close * shares) <= Math.max(1, day.previous / 100);
    const isNextDay = numberOf.get(day.date)! - numberOf.get(before.date)! === 1;
    const isPlausible = isNextDay && price <= 50 && price >= 1 / 50;
    if (isSplit) return { price: echoed ? 1 : isRounded || !isNextDay ? shares : price, shares };
    return { price: !echoed && isPlausible ? price : 1, shares: 1 };
  });
  return seen.map((factor, i) => {
    if (factor.shares !== 1 || Math.abs(factor.price - 1) < 0.04) return factor;
    const { date, previous } = days[i]!;
    const overdue = exchangeDays[numberOf.get(date)! + 21] ?? '9999';
    const ratioAt = (j: number) => days[j - 1]!.listedShares / days[j]!.listedShares;
    const listed = days.findIndex((_, j) => j >= i && Math.abs(ratioAt(j) - 1) >= 0.005);
    if (listed < 0 || days[listed]!.date >= overdue)
      return { ...factor, doubt: { until: overdue, then: factor } };
    const ratio = ratioAt(listed);
    const isIssue =
      Math.abs(ratio - 1) >= 0.04 && Math.abs(previous - days[i - 1]!.close * ratio) <= tick(previous);
    return {
      ...factor,
      doubt: { until: days[listed]!.date, then: isIssue ? { price: ratio, shares: ratio } : factor },
    };
  });
}
