import type { Panel } from '../panel/panel.ts';

/** Negotiated trading of one ticker over one or more consecutive days. If no source says it of one of them, nothing of it is known. */
interface NegoTotal {
  /** IDR paid. It and the other numbers are NaN if unknown. */
  value: number;
  /** Shares, adjusted for splits to the as-of day. */
  volume: number;
  /** Number of deals. */
  frequency: number;
  /**
   * IDR per share: value / shares, adjusted to the as-of day as prices are, also for rights and bonus issues. Null without
   * negotiated trades.
   */
  avgPrice: number | null;
  /** Regular closes of the same days, weighted by the shares negotiated on each; IDR, adjusted to the same day. */
  avgClose: number | null;
  /** (avgPrice - avgClose) / avgClose, a fraction. Positive when the blocks traded above the regular close. */
  premium: number | null;
  /** Whether the premium is too large for a price that two parties agreed on; see {@link isOutlier}. */
  outlier: boolean;
  /** IDR traded in the regular market over all the days. */
  regularValue: number;
  /** Days with negotiated trades. */
  daysActive: number;
  /** IDR of the day with the largest negotiated value. */
  maxDayValue: number;
  /** Calendar index of the last day with negotiated trades, -1 when there was none. */
  lastDay: number;
}

/**
 * Totals of `ticker` (index) over the days `firstDay` to `lastDay` (calendar indices, both included), adjusted to `asOfDay`.
 *
 * Every block is compared with the close of its own day, so that a price move within the days is not taken for a premium:
 * premium = sum of value / sum of (close × shares) - 1. For a single day this equals the contract's (nego average price -
 * close) / close. The close and the shares of a day are on the same basis, so a split does not disturb it.
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
    if (paid === 0) continue;
    total.value += paid;
    total.volume += nego_volume[row]! * panel.shareScale(row, asOfRow);
    total.frequency += paid > 0 ? nego_frequency[row]! : NaN;
    total.daysActive += paid > 0 ? 1 : NaN;
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

/** A price is an outlier when it is above the close by more than this factor, or below it by more. */
const OUTLIER_FACTOR = 2;

/**
 * Whether a premium (a fraction) means a price under half or over twice the close. Such a price is more likely an error, or a
 * leg of a rights issue or a conversion, than a discount on a block. On the real market of 2019 to 2024 this applies to some
 * 7 % of the days with negotiated trades, most of them with little value.
 */
export function isOutlier(premium: number): boolean {
  return 1 + premium > OUTLIER_FACTOR || 1 + premium < 1 / OUTLIER_FACTOR;
}

interface NegoScan {
  /** Calendar indices, both included; equal for a single day. */
  firstDay: number;
  lastDay: number;
  /** Calendar index of the day to which prices and shares are adjusted. */
  asOfDay: number;
  /** Minimum negotiated value of a ticker, IDR. */
  minValue: number;
  /** Maximum number of tickers to return. */
  limit: number;
  /** The tickers (indices) to scan; all if undefined. */
  isScanned?: (ticker: number) => boolean;
}

/** A ticker (index) and its negotiated trading. */
export interface NegoFound {
  ticker: number;
  total: NegoTotal;
}

/**
 * Tickers whose negotiated value over the days is known, positive and at least `minValue`, largest first; ties in ticker order. For
 * most tickers this only sums rows; totals are computed for the tickers returned. A thousand tickers over 120 days take about
 * a millisecond, and a few the first time, so the scan may run on the request path.
 */
export function largestNego(
  panel: Panel,
  { firstDay, lastDay, asOfDay, minValue, limit, isScanned = () => true }: NegoScan,
): NegoFound[] {
  const found: { ticker: number; value: number }[] = [];
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    if (!isScanned(ticker)) continue;
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
