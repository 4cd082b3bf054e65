import { atr } from '../indicators/atr.ts';
import { bollinger } from '../indicators/bollinger.ts';
import { confluenceSeries, readConfluence } from '../indicators/confluence.ts';
import { macd } from '../indicators/macd.ts';
import { simpleReturns } from '../indicators/returns.ts';
import { rsi } from '../indicators/rsi.ts';
import { sma } from '../indicators/sma.ts';
import { stochastic } from '../indicators/stochastic.ts';
import { annualVolatility } from '../indicators/volatility.ts';
import { volumeRatio } from '../indicators/volume-ratio.ts';
import type { Panel } from '../panel/panel.ts';
import { tradedSeries } from '../series/traded-series.ts';
import type { TradedSeries } from '../series/traded-series.ts';
import { averageDailyValue, foreignNetValue, sumOverDays } from './money-windows.ts';
import { NO_BROKER_FEATURES, NO_MONEY_FEATURES } from './snapshot-features.ts';
import type { BrokerFeatures, MoneyFeatures, PriceFeatures, SnapshotFeatures } from './snapshot-features.ts';
import { yearRange } from './year-range.ts';

const CONFLUENCE_LOOKBACK = 5;
/** Window 14, smoothed over 3, its signal over 3 more. */
const STOCHASTIC_BARS = 14 + 3 - 1 + 3 - 1;

/**
 * Features of `ticker` (index) as seen on `asOfDay` (calendar index). When the ticker did not trade on
 * that day, price features are those of its last traded bar. Rows after `asOfDay` have no influence.
 */
export function snapshotFeatures(
  panel: Panel,
  ticker: number,
  asOfDay: number,
  broker: Readonly<BrokerFeatures> = NO_BROKER_FEATURES,
): SnapshotFeatures {
  const series = tradedSeries(panel, ticker, asOfDay);
  return { ...priceFeatures(panel, series, asOfDay), ...moneyFeatures(panel, ticker, asOfDay), ...broker };
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
  const year = yearRange(panel, series, asOfDay);
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
    volume_ratio_5: lastOf(volumeRatio(tail(volume, 5), 5)),
    volume_ratio_20: lastOf(volumeRatio(tail(volume, 20), 20)),
    confluence_signals: signalCount(series),
  };
}

function moneyFeatures(panel: Panel, ticker: number, asOfDay: number): MoneyFeatures {
  if (panel.lastRow(ticker, asOfDay) < 0) return NO_MONEY_FEATURES;
  const foreign = (row: number) => foreignNetValue(panel, row);
  const nego = (row: number) => panel.columns.nego_value[row]!;
  return {
    avg_value_20d: averageDailyValue(panel, ticker, asOfDay, 20),
    foreign_net_value_1d: sumOverDays(panel, ticker, asOfDay, 1, foreign),
    foreign_net_value_5d: sumOverDays(panel, ticker, asOfDay, 5, foreign),
    foreign_net_value_20d: sumOverDays(panel, ticker, asOfDay, 20, foreign),
    nego_value_5d: sumOverDays(panel, ticker, asOfDay, 5, nego),
  };
}

function signalCount(series: TradedSeries): number | null {
  const bars = series.close.length;
  return bars === 0 ? null : readConfluence(confluenceSeries(series), bars - 1, CONFLUENCE_LOOKBACK).count;
}

/** What an indicator with a finite memory needs to give its last value; only the others read every bar. */
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
  return reference === null ? null : 100 * (price / reference - 1);
}
