import { tickSize } from '../exchange/exchange.ts';

/**
 * Bonus shares, and splits whose shares are listed late. Prices are restated on the ex-day and listed shares some days later. Until
 * then the exchange does not say whether they are that or rights, which it shows in the same way.
 *
 * Measured on the exchange's files of 2019 to 2024, in which 115 reference prices were restated without listed shares: 19 of them
 * were such issues, whose shares were listed in one step 5 to 18 trading days later, in the ratio of the reference price up to .46
 * ticks. The smallest was 1.059 shares for one. Of all others the first step was off by 1.29 ticks or more, or smaller than
 * 1.03 for one. Conversions of up to .1 % a day came in between.
 */
export const LISTED_WITHIN_DAYS = 20;
/** A step of listed shares from this part says how the shares changed. */
export const LEAST_STEP = 0.005;
/** A change in the number of shares from this part can be an issue of this kind. */
const LEAST_ISSUE = 0.04;
const MAX_TICKS_OFF = 1;

/** Whether prices were restated by as much as such an issue does, if the listed shares did not confirm a split at once. */
export function mayBeListedLate(factors: { price: number; share: number }): boolean {
  return factors.share === 1 && Math.abs(factors.price - 1) >= LEAST_ISSUE;
}

/** @param before listed shares of the row before, 0 if they are not known */
export function isStep(before: number, now: number): boolean {
  return before > 0 && now > 0 && Math.abs(before / now - 1) >= LEAST_STEP;
}

/** A bar on which prices were restated, or listed shares changed; bars of a stock ascend. */
export interface NotedBar {
  ticker: string;
  /** YYYY-MM-DD. */
  day: string;
  /** Number of its trading day. */
  day_number: number;
  close_before: number;
  previous: number;
  factor: number;
  share_factor: number;
  shares_before: number;
  shares: number;
}

/** Shares that were listed late: until the end of the day before `listedOn`, the bar of `date` had `before` as factors. */
export interface LateListing {
  ticker: string;
  date: string;
  listedOn: string;
  /** Shares before for one after. */
  shareRatio: number;
  /** What the reference price said. */
  priceRatio: number;
}

/** The issues whose shares were listed late. The first step of the listed shares from the ex-day on decides. */
export function lateListings(bars: readonly NotedBar[]): LateListing[] {
  return [...Map.groupBy(bars, ({ ticker }) => ticker).values()].flatMap((ofStock) =>
    ofStock.flatMap((bar, i) => {
      if (!mayBeListedLate({ price: bar.factor, share: bar.share_factor })) return [];
      const step = ofStock.slice(i).find(({ shares_before, shares }) => isStep(shares_before, shares));
      if (!step || step.day_number - bar.day_number > LISTED_WITHIN_DAYS) return [];
      const shareRatio = step.shares_before / step.shares;
      const { ticker, day: date, factor: priceRatio } = bar;
      return isInRatio(bar, shareRatio) ? [{ ticker, date, listedOn: step.day, shareRatio, priceRatio }] : [];
    }),
  );
}

function isInRatio({ close_before, previous, day }: NotedBar, shareRatio: number): boolean {
  const off = Math.abs(previous - close_before * shareRatio);
  return Math.abs(shareRatio - 1) >= LEAST_ISSUE && off <= MAX_TICKS_OFF * tickSize(previous, day);
}
