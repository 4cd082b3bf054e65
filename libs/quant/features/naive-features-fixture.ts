import { priceLimits, type LimitRule } from '../exchange/exchange.ts';
import {
  deviation,
  macdLines,
  mean,
  ofClose,
  relativeStrength,
  trueRangeAverage,
  type Bar,
  type Stream,
} from '../indicators/textbook-fixture.ts';
import type { Panel } from '../panel/panel.ts';
import { tradedSeries } from '../panel/traded-series.ts';

/** A stock as known at the end of a day, adjusted to that day. */
interface Past {
  /** The traded bars, the day's own last. */
  bars: Bar[];
  /** Sum of a panel column over the last `days` exchange days. */
  sum: (days: number, amountOf: (row: number) => number) => number;
  /** Panel row of the day. */
  row: number;
  panel: Panel;
}

export function pastOf(panel: Panel, ticker: number, day: number): Past {
  const { high, low, close, volume, row } = tradedSeries(panel, ticker, day);
  const bars = Array.from(close, (price, i) => ({
    close: price,
    high: high[i]!,
    low: low[i]!,
    volume: volume[i]!,
  }));
  const sum: Past['sum'] = (days, amountOf) => {
    let total = 0;
    for (let back = 0; back < days; back++) {
      const rowOfDay = panel.rowAt(ticker, day - back);
      if (rowOfDay >= 0) total += amountOf(rowOfDay);
    }
    return total;
  };
  return { bars, sum, row: row.at(-1)!, panel };
}

/** The last value of a textbook form after it has read all bars. */
function last(stream: Stream<Bar>, bars: Bar[]): number {
  return bars.reduce((_, bar) => stream(bar), NaN);
}

const now = ({ bars }: Past) => bars.at(-1)!;
const closes = (past: Past, count: number) => newest(past, count).map(({ close }) => close);
const volumes = (past: Past, count: number) => newest(past, count).map(({ volume }) => volume);
const newest = ({ bars }: Past, count: number) => (bars.length < count ? [] : bars.slice(-count));
const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const spreadOf = (values: number[], ddof: 0 | 1) => {
  if (values.length === 0) return NaN;
  const center = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - ddof));
};
/** Log returns between the last `count + 1` bars; empty when there are fewer. */
const steps = (past: Past, count: number) =>
  closes(past, count + 1)
    .slice(1)
    .map((close, i) => Math.log(close / closes(past, count + 1)[i]!));

function correlation(x: number[], y: number[]): number {
  const [centerX, centerY] = [meanOf(x), meanOf(y)];
  const products = meanOf(x.map((value, i) => (value - centerX) * (y[i]! - centerY)));
  const spread = spreadOf(x, 0) * spreadOf(y, 0);
  return spread < 1e-12 * Math.abs(centerX) ? 0 * spread : products / spread;
}

const change = (bars: number) => (past: Past) => now(past).close / (closes(past, bars + 1)[0] ?? NaN);
const aboveMean = (bars: number) => (past: Past) => now(past).close / last(ofClose(mean(bars)), past.bars);
const column = (name: 'value' | 'frequency' | 'nego_value', days: number) => (past: Past) =>
  past.sum(days, (row) => past.panel.columns[name][row]!);
const value = (days: number) => column('value', days);
const capitalisation = ({ row, panel: { columns } }: Past) =>
  columns.listed_shares[row]! * columns.close[row]!;
const meanPrice = ({ columns: { value, volume } }: Panel, row: number) =>
  volume[row] === 0 ? 0 : value[row]! / volume[row]!;
const foreignNet = (days: number) => (past: Past) => {
  const { foreign_buy, foreign_sell } = past.panel.columns;
  const net = past.sum(days, (row) => (foreign_buy[row]! - foreign_sell[row]!) * meanPrice(past.panel, row));
  return net / value(days)(past);
};
const limitsOf = ({ columns }: Panel, row: number, rule: LimitRule) =>
  priceLimits(columns.previous[row]!, columns.dates[columns.day[row]!]!, rule);
const limits = (past: Past) => {
  const { low, high, volume } = past.panel.columns;
  const count = (holds: (row: number) => boolean) =>
    past.sum(20, (row) => Number(volume[row]! > 0 && holds(row)));
  const special = (row: number) => limitsOf(past.panel, row, 'special');
  const isBeyond = (row: number) => high[row]! > special(row).upper || low[row]! < special(row).lower;
  const isAt = (row: number) =>
    high[row] === special(row).upper ||
    (low[row] === special(row).lower && low[row] !== limitsOf(past.panel, row, 'regular').lower);
  const isNarrow = count((row) => low[row]! < 50) > 0 || (count(isBeyond) === 0 && count(isAt) >= 2);
  return limitsOf(past.panel, past.row, isNarrow ? 'special' : 'regular');
};
const printed = ({ row, panel: { columns } }: Past) => columns.close[row]!;

/** Each feature by its definition, computed from the past of one day. Nothing is carried over from the day before. */
export const NAIVE_FEATURES: Record<string, (past: Past) => number> = {
  roc_1: change(1),
  roc_5: change(5),
  roc_20: change(20),
  roc_60: change(60),
  roc_120: change(120),
  ma_5: aboveMean(5),
  ma_20: aboveMean(20),
  ma_50: aboveMean(50),
  max_60: (past) =>
    past.bars.length < 60 ? NaN : now(past).close / Math.max(...newest(past, 60).map(({ high }) => high)),
  min_60: (past) =>
    past.bars.length < 60 ? NaN : now(past).close / Math.min(...newest(past, 60).map(({ low }) => low)),
  close_place: (past) => {
    const { high, low, close } = now(past);
    return high === low ? 0.5 : (close - low) / (high - low);
  },
  bollinger_place: (past) => {
    const window = closes(past, 20);
    const spread = spreadOf(window, 0);
    return spread < 1e-9 * window[0]! ? 0 : (now(past).close - meanOf(window)) / spread;
  },
  rsi_14: ({ bars }) => last(ofClose(relativeStrength(14)), bars),
  macd_histogram: (past) => last(ofClose(macdLines()[2]), past.bars) / now(past).close,
  rsqr_20: (past) => {
    const window = closes(past, 20);
    return (
      correlation(
        window,
        window.map((_, time) => time),
      ) ** 2
    );
  },
  rises_20: (past) => meanOf(steps(past, 20).map((step) => (step > 1e-9 ? 1 : 0))),
  range_1: (past) => (now(past).high - now(past).low) / now(past).close,
  atr_14: (past) => last(trueRangeAverage(14), past.bars) / now(past).close,
  std_20: (past) => last(ofClose(deviation(20, 20)), past.bars) / now(past).close,
  volatility_60: (past) => spreadOf(steps(past, 60), 1),
  upper_limit_gap: (past) => limits(past).upper / printed(past),
  lower_limit_gap: (past) => limits(past).lower / printed(past),
  volume_20: (past) => now(past).volume / meanOf(volumes(past, 20)),
  volume_std_20: (past) => spreadOf(volumes(past, 20), 1) / meanOf(volumes(past, 20)),
  weighted_volatility_20: (past) => {
    const weighted = steps(past, 20).map((step, i) => Math.abs(step) * volumes(past, 20)[i]!);
    return spreadOf(weighted, 1) / meanOf(weighted);
  },
  price_volume_corr_20: (past) => correlation(closes(past, 20), volumes(past, 20).map(Math.log)),
  average_value_20: value(20),
  turnover_20: (past) => value(20)(past) / capitalisation(past),
  capitalisation,
  trade_size_20: (past) => value(20)(past) / column('frequency', 20)(past),
  foreign_share_20: (past) => {
    const { foreign_buy, foreign_sell } = past.panel.columns;
    const dealt = past.sum(
      20,
      (row) => (foreign_buy[row]! + foreign_sell[row]!) * meanPrice(past.panel, row),
    );
    return dealt / (2 * value(20)(past));
  },
  foreign_net_5: foreignNet(5),
  foreign_net_20: foreignNet(20),
  nego_20: (past) => column('nego_value', 20)(past) / value(20)(past),
  age: ({ bars }) => bars.length,
};
