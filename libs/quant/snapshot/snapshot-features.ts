import { confluenceSeries, readConfluence } from '../indicators/confluence.ts';
import { sma, volumeRatio } from '../indicators/moving-averages.ts';
import { macd, rsi, stochastic } from '../indicators/oscillators.ts';
import { relativeMove } from '../price-move.ts';
import { atr, bollinger, simpleReturns, annualVolatility } from '../indicators/volatility.ts';
import { stockReachesAcross } from '../panel/gaps.ts';
import type { Panel } from '../panel/panel.ts';
import { averageDailyValue, foreignNetValue, orNull, sumOverDays } from '../panel/windows.ts';
import { tradedSeries, type TradedSeries } from '../panel/traded-series.ts';
import { isMixed } from '../panel/unknown-shares.ts';
import { yearBegins, yearRange } from './year-range.ts';

/**
 * Computed features of one ticker on one day. Prices and values in IDR, `_pct` in percent; null where undefined (too little
 * history, or no source in the dataset).
 */
export type SnapshotFeatures = PriceFeatures & MoneyFeatures & BrokerFeatures;

/** From traded bars, adjusted to the as-of day. "20" means 20 days on which the ticker traded. */
interface PriceFeatures {
  ma5: number | null;
  ma10: number | null;
  ma20: number | null;
  ma50: number | null;
  ma200: number | null;
  /** Close against its average: 100 × (close / ma - 1). */
  dist_ma20_pct: number | null;
  dist_ma50_pct: number | null;
  rsi14: number | null;
  stoch_k: number | null;
  stoch_d: number | null;
  macd: number | null;
  macd_signal: number | null;
  macd_hist: number | null;
  bb_upper: number | null;
  bb_lower: number | null;
  /** 100 × (upper - lower) / middle. */
  bb_width_pct: number | null;
  atr14: number | null;
  /** ATR in percent of the close. */
  atr14_pct: number | null;
  /** Annualised, from 20 daily log returns. */
  volatility20_pct: number | null;
  ret_1d_pct: number | null;
  ret_5d_pct: number | null;
  ret_20d_pct: number | null;
  /** Highest high and lowest low of the last 364 calendar days, or since the listing. */
  high_52w: number | null;
  low_52w: number | null;
  /** 100 × (close / high_52w - 1): 0 at the high, negative below. */
  dist_52w_high_pct: number | null;
  /** Volume / average of the last 5 (20) bars, including itself. */
  volume_ratio_5: number | null;
  volume_ratio_20: number | null;
  /** How many of the four model D signals fired within 5 bars, 0..4. */
  confluence_signals: number | null;
}

/** Sums and averages over the last exchange days, whether or not the ticker traded. */
interface MoneyFeatures {
  avg_value_20d: number | null;
  foreign_net_value_1d: number | null;
  foreign_net_value_5d: number | null;
  foreign_net_value_20d: number | null;
  nego_value_5d: number | null;
}

/** Features that need per-broker rows; null for a dataset without them. */
export interface BrokerFeatures {
  bandar_net_value_1d: number | null;
  bandar_net_value_5d: number | null;
  bandar_net_value_20d: number | null;
  retail_net_value_1d: number | null;
  retail_net_value_5d: number | null;
  smart_money_divergence: number | null;
  top5_buyer_share_pct: number | null;
  accum_score: number | null;
}

/** Broker features of a dataset without per-broker rows. */
export const NO_BROKER_FEATURES: Readonly<BrokerFeatures> = {
  bandar_net_value_1d: null,
  bandar_net_value_5d: null,
  bandar_net_value_20d: null,
  retail_net_value_1d: null,
  retail_net_value_5d: null,
  smart_money_divergence: null,
  top5_buyer_share_pct: null,
  accum_score: null,
};

/** Money features before the listing. */
const NO_MONEY_FEATURES: Readonly<MoneyFeatures> = {
  avg_value_20d: null,
  foreign_net_value_1d: null,
  foreign_net_value_5d: null,
  foreign_net_value_20d: null,
  nego_value_5d: null,
};

const CONFLUENCE_LOOKBACK = 5;
/** Bars that the slow stochastic needs: window 14, smoothed over 3, signal over 3 more. */
const STOCHASTIC_BARS = 14 + 3 - 1 + 3 - 1;

/**
 * What describes the days on which a stock traded, and how many of them; of a recursive average, those of its first value. The fields of
 * the same names follow the same rules; see `ofTradedDays` and `valuesOf`.
 */
const OF_TRADED_DAYS: Partial<Record<keyof SnapshotFeatures, number>> = {
  ma5: 5,
  ma10: 10,
  ma20: 20,
  ma50: 50,
  ma200: 200,
  dist_ma20_pct: 20,
  dist_ma50_pct: 50,
  rsi14: 15,
  stoch_k: 16,
  stoch_d: 18,
  macd: 26,
  macd_signal: 34,
  macd_hist: 34,
  bb_upper: 20,
  bb_lower: 20,
  bb_width_pct: 20,
  atr14: 15,
  atr14_pct: 15,
  volatility20_pct: 21,
  ret_1d_pct: 2,
  ret_5d_pct: 6,
  ret_20d_pct: 21,
  volume_ratio_5: 5,
  volume_ratio_20: 20,
  confluence_signals: 39,
  smart_money_divergence: 65,
};
/** Of money, in exchange days. */
const DAYS_IN_NAME = /_(\d+)d$/;

/**
 * The features of a stock that did not trade on the day: those of the days on which it traded are null, because they would be mistaken
 * for that day's. A stock that was suspended after a fivefold rise would rank first as long as it is suspended. Sums of money over
 * exchange days, and the range of a year, end on the day.
 */
export function withoutTrade(features: SnapshotFeatures): SnapshotFeatures {
  return without(features, Object.keys(OF_TRADED_DAYS));
}

function without(features: SnapshotFeatures, names: readonly string[]): SnapshotFeatures {
  return { ...features, ...Object.fromEntries(names.map((name) => [name, null])) };
}

/** Names of the features whose windows reach across missing days. */
function acrossMissingDays(
  features: SnapshotFeatures,
  panel: Panel,
  ticker: number,
  { day }: TradedSeries,
  asOfDay: number,
): string[] {
  if (!panel.columns.gaps) return [];
  const firstDayOf = (name: keyof SnapshotFeatures) => {
    const bars = OF_TRADED_DAYS[name];
    if (bars !== undefined) return day[Math.max(0, day.length - bars)] ?? asOfDay;
    return name.includes('52w')
      ? yearBegins(panel, asOfDay)
      : asOfDay + 1 - Number(DAYS_IN_NAME.exec(name)?.[1] ?? 1);
  };
  return (Object.keys(features) as (keyof SnapshotFeatures)[]).filter((name) =>
    stockReachesAcross(panel, ticker, { firstDay: firstDayOf(name), lastDay: asOfDay }),
  );
}

/**
 * Features of `ticker` (index) as seen on `asOfDay` (calendar index). Rows after `asOfDay` have no influence.
 */
export function snapshotFeatures(
  panel: Panel,
  ticker: number,
  asOfDay: number,
  broker: Readonly<BrokerFeatures> = NO_BROKER_FEATURES,
): SnapshotFeatures {
  const series = tradedSeries(panel, ticker, asOfDay);
  const computed = {
    ...priceFeatures(panel, series, asOfDay),
    ...moneyFeatures(panel, ticker, asOfDay),
    ...broker,
  };
  const features = without(computed, acrossMissingDays(computed, panel, ticker, series, asOfDay));
  return series.day.at(-1) === asOfDay ? features : withoutTrade(features);
}

function priceFeatures(panel: Panel, series: TradedSeries, asOfDay: number): PriceFeatures {
  const { high, low, close, volume } = series;
  const last = close.at(-1) ?? NaN;
  const [ma20, ma50] = [movingAverage(close, 20), movingAverage(close, 50)];
  const { k, d } = stochastic(
    tail(high, STOCHASTIC_BARS),
    tail(low, STOCHASTIC_BARS),
    tail(close, STOCHASTIC_BARS),
  );
  const lines = macd(close);
  const bands = bollinger(tail(close, 20));
  const atr14 = lastOf(atr(high, low, close));
  const heavy = (period: number) =>
    isMixed(series.unknown, close.length - 1, period)
      ? null
      : lastOf(volumeRatio(tail(volume, period), period));
  const year = yearRange(panel, { rows: series.row, high, low }, close.length - 1, asOfDay);
  return {
    ma5: movingAverage(close, 5),
    ma10: movingAverage(close, 10),
    ma20,
    ma50,
    ma200: movingAverage(close, 200),
    dist_ma20_pct: distancePct(last, ma20),
    dist_ma50_pct: distancePct(last, ma50),
    rsi14: lastOf(rsi(close)),
    stoch_k: lastOf(k),
    stoch_d: lastOf(d),
    macd: lastOf(lines.macd),
    macd_signal: lastOf(lines.signal),
    macd_hist: lastOf(lines.histogram),
    bb_upper: lastOf(bands.upper),
    bb_lower: lastOf(bands.lower),
    bb_width_pct: lastOf(bands.widthPct),
    atr14,
    atr14_pct: atr14 === null ? null : (100 * atr14) / last,
    volatility20_pct: percent(lastOf(annualVolatility(tail(close, 21)))),
    ret_1d_pct: percent(lastOf(simpleReturns(tail(close, 2), 1))),
    ret_5d_pct: percent(lastOf(simpleReturns(tail(close, 6), 5))),
    ret_20d_pct: percent(lastOf(simpleReturns(tail(close, 21), 20))),
    high_52w: year.high,
    low_52w: year.low,
    dist_52w_high_pct: distancePct(last, year.high),
    volume_ratio_5: heavy(5),
    volume_ratio_20: heavy(20),
    confluence_signals: signalCount(series),
  };
}

function moneyFeatures(panel: Panel, ticker: number, asOfDay: number): MoneyFeatures {
  if (panel.lastRow(ticker, asOfDay) < 0) return NO_MONEY_FEATURES;
  const sumOf = (days: number, amountOf: (row: number) => number) =>
    orNull(sumOverDays(panel, ticker, asOfDay, days, amountOf));
  const foreign = (row: number) => foreignNetValue(panel, row);
  const nego = (row: number) => panel.columns.nego_value[row]!;
  return {
    avg_value_20d: averageDailyValue(panel, ticker, asOfDay, 20),
    foreign_net_value_1d: sumOf(1, foreign),
    foreign_net_value_5d: sumOf(5, foreign),
    foreign_net_value_20d: sumOf(20, foreign),
    nego_value_5d: sumOf(5, nego),
  };
}

function signalCount(series: TradedSeries): number | null {
  const bars = series.close.length;
  return bars === 0 ? null : readConfluence(confluenceSeries(series), bars - 1, CONFLUENCE_LOOKBACK).count;
}

/**
 * The last bars, enough for the last value of an indicator with a finite window. Only indicators without one read every bar.
 */
function tail(values: Float64Array, bars: number): Float64Array {
  return values.subarray(Math.max(0, values.length - bars));
}

function movingAverage(close: Float64Array, period: number): number | null {
  return lastOf(sma(tail(close, period), period));
}

function lastOf(values: Float64Array): number | null {
  const value = values.at(-1);
  return value === undefined || !Number.isFinite(value) ? null : value;
}

function percent(fraction: number | null): number | null {
  return fraction === null ? null : 100 * fraction;
}

function distancePct(price: number, reference: number | null): number | null {
  return reference === null ? null : 100 * relativeMove(reference, price);
}
