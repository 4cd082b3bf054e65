import {
  deviation,
  exponential,
  logReturns,
  mean,
  named,
  ofLast,
  orNull,
  percent,
  ROUNDING,
  type Figure,
} from './arithmetic.ts';
import { keepsNarrowLimits } from './figures-of-trading.ts';
import { regularLimits, specialLimits } from './price-limits.ts';
import { highest, lowest, type Bar, type StockView } from './stock-view.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

type Figures = Record<string, (view: StockView) => Figure>;

/** A figure of the last traded day. */
const ofBar =
  (figure: (bar: Bar, view: StockView) => Figure) =>
  (view: StockView): Figure =>
    view.lastBar ? figure(view.lastBar, view) : null;

/** A formula of the last traded days; null while there are fewer. */
const ofBars =
  (count: number, formula: (bars: Bar[]) => Figure) =>
  ({ bars }: StockView): Figure =>
    ofLast(count, bars, formula);

const ofCloses = (count: number, formula: (closes: number[]) => Figure) =>
  ofBars(count, (bars) => formula(bars.map(({ close }) => close)));

/** The limits of the board that the last 20 days show. */
function limitsOn({ previous, date }: Bar['raw'], view: StockView) {
  const { days, exchangeDays } = view;
  if (keepsNarrowLimits(view.window(20, date).filter(({ volume }) => volume > 0)))
    return specialLimits(previous, date);
  return regularLimits(previous, date, date === days[0]!.date && date !== exchangeDays[0]);
}

const PRINTED: Figures = {
  close: ({ today }) => today.close,
  open: ({ today }) => Math.max(today.low, Math.min(today.high, today.open || today.previous || today.close)),
  high: ({ today }) => today.high,
  low: ({ today }) => today.low,
  reference_price: ({ today }) => today.previous || null,
  average_price: ({ today }) => orNull(today.value / today.volume),
  day_change_pct: ({ today }) => percent(today.close / today.previous - 1),
  closed_at_upper_limit: (view) =>
    view.today.volume > 0 && view.today.close >= limitsOn(view.today, view).upper,
};

const MOVES: Figures = {
  gap_pct: ofBars(2, ([before, now]) => {
    if (now!.low > before!.high) return percent(now!.low / before!.high - 1);
    return now!.high < before!.low ? percent(now!.high / before!.low - 1) : 0;
  }),
  range_1d_pct: ofBar(({ high, low, close }) => percent((high - low) / close)),
  close_place_pct: ofBar(({ high, low, close }) =>
    high === low ? 50 : percent((close - low) / (high - low)),
  ),
  range_20d_pct: ofBars(20, (bars) => percent((highest(bars) - lowest(bars)) / bars.at(-1)!.close)),
  to_upper_limit_pct: ofBar((bar, view) => percent(limitsOn(bar.raw, view).upper / bar.raw.close - 1)),
  to_lower_limit_pct: ofBar((bar, view) => percent(limitsOn(bar.raw, view).lower / bar.raw.close - 1)),
};

const drawdown = (closes: number[]) =>
  Math.min(...closes.map((close, i) => 100 * (close / Math.max(...closes.slice(0, i + 1)) - 1)));

/** Slope and fit of the line of least squares, and any other correlation; 0 where one of the two never changes. */
function correlation(x: number[], y: number[]): number {
  const [meanX, meanY] = [mean(x), mean(y)];
  const of = (a: number[], meanA: number, b: number[], meanB: number) =>
    a.reduce((total, value, i) => total + (value - meanA) * (b[i]! - meanB), 0);
  if (new Set(x).size === 1 || new Set(y).size === 1) return 0;
  return of(x, meanX, y, meanY) / Math.sqrt(of(x, meanX, x, meanX) * of(y, meanY, y, meanY));
}

const RETURNS: Figures = {
  ...named([1, 2, 3, 5, 10, 20, 60, 120, 250], (bars) => ({
    [`ret_${bars}d`]: ofCloses(bars + 1, (closes) => percent(closes.at(-1)! / closes[0]! - 1)),
  })),
  max_drawdown_20d_pct: ofCloses(20, drawdown),
  max_drawdown_60d_pct: ofCloses(60, drawdown),
  rising_days_20d_pct: ofCloses(21, (closes) =>
    percent(closes.filter((close, i) => i > 0 && close > closes[i - 1]! * (1 + ROUNDING)).length / 20),
  ),
  trend_fit_20: ofCloses(20, (closes) => correlation(closes, [...closes.keys()]) ** 2),
  price_volume_corr_20: ofBars(20, (bars) =>
    orNull(
      correlation(
        bars.map(({ close }) => close),
        bars.map(({ volume }) => Math.log(volume)),
      ),
    ),
  ),
};

const AVERAGES: Figures = {
  ...named([5, 10, 20, 50, 100, 200], (bars) => ({ [`sma_${bars}`]: ofCloses(bars, mean) })),
  ...named([12, 26, 50], (bars) => ({
    [`ema_${bars}`]: (view) => ofLast(bars, view.closes(), () => exponential(view.closes(), bars).at(-1)!),
  })),
  ...named([20, 50, 200], (bars) => ({
    [`dist_sma_${bars}_pct`]: ofCloses(bars, (closes) => percent(closes.at(-1)! / mean(closes) - 1)),
  })),
};

function trueRanges(bars: readonly Bar[]): number[] {
  return bars.map(({ high, low }, i) => {
    const before = bars[i - 1]?.close;
    return before === undefined
      ? high - low
      : Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
  });
}

/** Wilder: the mean of the first 14 true ranges, then 1/14 of each later one. */
function averageRange({ bars }: StockView): number | null {
  if (bars.length < 14) return null;
  const ranges = trueRanges(bars);
  return ranges.slice(14).reduce((average, range) => (13 * average + range) / 14, mean(ranges.slice(0, 14)));
}

const VOLATILITY: Figures = {
  atr_14: averageRange,
  atr_14_pct: (view) => {
    const range = averageRange(view);
    return range === null ? null : percent(range / view.lastBar!.close);
  },
  bb_upper: ofCloses(20, (closes) => mean(closes) + 2 * deviation(closes, 0)),
  bb_lower: ofCloses(20, (closes) => mean(closes) - 2 * deviation(closes, 0)),
  bb_width_pct: ofCloses(20, (closes) => percent((4 * deviation(closes, 0)) / mean(closes))),
  bb_place: ofCloses(20, (closes) => {
    const spread = deviation(closes, 0);
    return spread <= ROUNDING * closes.at(-1)! ? 0 : (closes.at(-1)! - mean(closes)) / spread;
  }),
  ...named([20, 60], (bars) => ({
    [`volatility_${bars}d_pct`]: ofCloses(bars + 1, (closes) =>
      percent(deviation(logReturns(closes), 1) * Math.sqrt(252)),
    ),
  })),
};

/** The bars of the 364 calendar days that end on the day. */
function ofYear(figure: (bars: Bar[], close: number) => Figure) {
  return ({ bars, date }: StockView): Figure => {
    const year = bars.filter((bar) => Date.parse(date) - Date.parse(bar.date) < 364 * DAY_MS);
    return year.length === 0 ? null : figure(year, year.at(-1)!.close);
  };
}

const RANGES: Figures = {
  ...named([20, 60], (bars) => ({
    [`high_${bars}d`]: ofBars(bars, highest),
    [`low_${bars}d`]: ofBars(bars, lowest),
  })),
  high_52w: ofYear(highest),
  low_52w: ofYear(lowest),
  dist_high_52w_pct: ofYear((bars, close) => percent(close / highest(bars) - 1)),
  dist_low_52w_pct: ofYear((bars, close) => percent(close / lowest(bars) - 1)),
  dist_high_60d_pct: ofBars(60, (bars) => percent(bars.at(-1)!.close / highest(bars) - 1)),
  dist_low_60d_pct: ofBars(60, (bars) => percent(bars.at(-1)!.close / lowest(bars) - 1)),
};

/** Fields of the groups prices, returns, averages, volatility and ranges. */
export const FIGURES_OF_PRICES: Figures = {
  ...PRINTED,
  ...MOVES,
  ...RETURNS,
  ...AVERAGES,
  ...VOLATILITY,
  ...RANGES,
};
