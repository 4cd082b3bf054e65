import type { Panel } from '../panel/panel.ts';

/** Negotiated trading of one ticker over a stretch of days, one day included. */
interface NegoTotal {
  /** IDR paid. */
  value: number;
  /** Shares, restated for splits to the terms of the as-of day. */
  volume: number;
  /** Number of deals. */
  frequency: number;
  /**
   * IDR a share: value / shares, restated as prices are, also for rights and bonus issues, to the terms of the as-of day;
   * null without negotiated trades.
   */
  avgPrice: number | null;
  /** Regular closes of the same days weighted by the shares negotiated on each, IDR in the same terms. */
  avgClose: number | null;
  /** (avgPrice - avgClose) / avgClose, a fraction: positive when the blocks went above the regular close. */
  premium: number | null;
  /** Whether the premium is too large to be a price that two parties agreed on; see {@link isOutlier}. */
  outlier: boolean;
  /** IDR traded in the regular market over the whole stretch. */
  regularValue: number;
  /** Days with negotiated trades. */
  daysActive: number;
  /** IDR of the busiest day. */
  maxDayValue: number;
  /** Calendar index of the last day with negotiated trades, -1 when there was none. */
  lastDay: number;
}

/**
 * Totals of `ticker` (index) over the days `firstDay` to `lastDay` (calendar indices, both included), in the terms of
 * `asOfDay`.
 *
 * Every block is measured against the close of its own day, so that a price that moves within the stretch is not
 * taken for a premium: premium = sum of value / sum of (close × shares) - 1. Of one day that is the contract's
 * (nego average price - close) / close. Closes and shares of a day are in the same terms, so a split does not disturb it.
 */
export function negoTotal(
  panel: Panel,
  ticker: number,
  firstDay: number,
  lastDay: number,
  asOfDay = lastDay,
): NegoTotal {
  const { day, value, close, nego_value, nego_volume, nego_frequency } = panel.columns;
  const asOfRow = panel.lastRow(ticker, asOfDay);
  const start = panel.firstRow(ticker);
  const total = {
    value: 0,
    volume: 0,
    frequency: 0,
    regularValue: 0,
    daysActive: 0,
    maxDayValue: 0,
    lastDay: -1,
  };
  let [valueAtClose, units] = [0, 0];
  for (let row = panel.lastRow(ticker, lastDay); row >= start && day[row]! >= firstDay; row--) {
    total.regularValue += value[row]!;
    const paid = nego_value[row]!;
    if (!(paid > 0)) continue;
    total.value += paid;
    total.volume += nego_volume[row]! * panel.shareScale(row, asOfRow);
    total.frequency += nego_frequency[row]!;
    total.daysActive += 1;
    total.maxDayValue = Math.max(total.maxDayValue, paid);
    total.lastDay = Math.max(total.lastDay, day[row]!);
    valueAtClose += close[row]! * nego_volume[row]!;
    units += nego_volume[row]! / panel.priceScale(row, asOfRow);
  }
  const isPriced = total.volume > 0 && valueAtClose > 0;
  const premium = isPriced ? total.value / valueAtClose - 1 : null;
  return {
    ...total,
    avgPrice: isPriced ? total.value / units : null,
    avgClose: isPriced ? valueAtClose / units : null,
    premium,
    outlier: premium !== null && isOutlier(premium),
  };
}

/** Further from the close than by this factor, up or down. */
const OUTLIER_FACTOR = 2;

/**
 * Whether a premium (a fraction) means under half or over twice the close: rather a wrong price, or a leg of a rights
 * issue or a conversion, than a discount on a block. On the real market of 2019 to 2024 some 7 % of the days with
 * negotiated trades are such, most of them worth little.
 */
export function isOutlier(premium: number): boolean {
  return 1 + premium > OUTLIER_FACTOR || 1 + premium < 1 / OUTLIER_FACTOR;
}

interface NegoScan {
  /** Calendar indices, both included; equal for a single day. */
  firstDay: number;
  lastDay: number;
  /** Calendar index of the day in whose terms prices and shares are. */
  asOfDay: number;
  /** IDR that a ticker must have traded at least. */
  minValue: number;
  /** Most tickers to give. */
  limit: number;
}

/** A ticker (index) and what it traded. */
export interface NegoFound {
  ticker: number;
  total: NegoTotal;
}

/**
 * Tickers whose negotiated value over the days reaches `minValue` (and is positive), largest first; equal ones in
 * ticker order. Every ticker's rows are only summed, and the totals made of those that are given: a thousand tickers
 * over 120 days take about a millisecond, and a few the first time, so that the scan may run where requests are served.
 */
export function largestNego(
  panel: Panel,
  { firstDay, lastDay, asOfDay, minValue, limit }: NegoScan,
): NegoFound[] {
  const found: { ticker: number; value: number }[] = [];
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    const value = negoValue(panel, ticker, firstDay, lastDay);
    if (value > 0 && value >= minValue) found.push({ ticker, value });
  }
  found.sort((a, b) => b.value - a.value || a.ticker - b.ticker);
  return found
    .slice(0, limit)
    .map(({ ticker }) => ({ ticker, total: negoTotal(panel, ticker, firstDay, lastDay, asOfDay) }));
}

function negoValue(panel: Panel, ticker: number, firstDay: number, lastDay: number): number {
  const { nego_value } = panel.columns;
  const end = panel.endRow(ticker, lastDay);
  let sum = 0;
  for (let row = panel.endRow(ticker, firstDay - 1); row < end; row++) sum += nego_value[row]!;
  return sum;
}
