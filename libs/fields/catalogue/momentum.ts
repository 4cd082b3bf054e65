import { CONFLUENCE_SIGNALS, confluenceSeries, readConfluence } from '#quant/indicators/confluence.ts';
import { macd, rsi, stochastic } from '#quant/indicators/oscillators.ts';
import type { StockBars } from '#quant/features/stock-bars.ts';
import { signalOfScore, TURNING_SIGNALS, turningPoint } from '#quant/turning-point/turning-point.ts';
import { field, NULL_MEANS, type Field, type Words } from '../values/field.ts';
import { fromFeature } from './from-feature.ts';
import { ofTradedDays, perBar, pricePerBar } from '../values/stock.ts';

const STOCHASTIC_SOURCE = 'Lane 1984, slow stochastic';
const MACD_SOURCE = 'Appel 2005';

/** Without gains and losses, or without a range, the textbook divides 0 by 0. */
const FLAT_NOTE: Words = { id: '50 bila harga tidak bergerak.', en: '50 for a price that did not move.' };

const stochasticOf = ({ high, low, close }: StockBars) => stochastic(high, low, close);

/** Five bars, the one before the first, and those that its MACD histogram needs. */
const CONFLUENCE_READS = 5 + 34;
const TURNING_BARS = 10;
/** The bars that it looks at, the 60 before them, and those that an RSI of the first of these needs. */
const TURNING_READS = TURNING_BARS + 60 + 14;
const TURNING_US = 50;

const perTurn = (of: (score: number) => number) =>
  ofTradedDays((stock) => {
    const { panel, ticker } = stock;
    const { day, volume } = panel.columns;
    return stock.rows((row) => {
      if (volume[row] === 0) return NaN;
      const { score, parts } = turningPoint(panel, ticker, { asOfDay: day[row]!, lookback: TURNING_BARS });
      return parts.some(({ kind }) => kind === 'foreign_unknown') ? NaN : of(score);
    });
  });

/** Momentum, and signs of a turn. */
export const MOMENTUM_FIELDS: readonly Field[] = [
  fromFeature('rsi_14', 'as it is', {
    name: 'rsi_14',
    unit: 'points',
    note: FLAT_NOTE,
    daysNeeded: 15,
  }),
  field({
    name: 'rsi_5',
    label: { id: 'RSI 5 hari', en: 'The 5-day RSI' },
    unit: 'points',
    formula: 'rsi(close, 5)',
    note: FLAT_NOTE,
    source: 'Wilder 1978',
    daysNeeded: 6,
    of: perBar(({ close }) => rsi(close, 5)),
  }),
  field({
    name: 'stoch_k',
    label: { id: 'Stochastic %K', en: 'Stochastic %K' },
    unit: 'points',
    formula: 'mean over 3 bars of 100 × (close - min(low, 14)) / (max(high, 14) - min(low, 14))',
    note: FLAT_NOTE,
    source: STOCHASTIC_SOURCE,
    daysNeeded: 16,
    of: perBar((bars) => stochasticOf(bars).k),
  }),
  field({
    name: 'stoch_d',
    label: { id: 'Stochastic %D', en: 'Stochastic %D' },
    unit: 'points',
    formula: 'mean(stoch_k, 3)',
    note: FLAT_NOTE,
    source: STOCHASTIC_SOURCE,
    daysNeeded: 18,
    of: perBar((bars) => stochasticOf(bars).d),
  }),
  field({
    name: 'macd',
    label: { id: 'MACD', en: 'MACD' },
    unit: 'idr_per_share',
    formula: 'ema(close, 12) - ema(close, 26)',
    source: MACD_SOURCE,
    daysNeeded: 26,
    of: pricePerBar(({ close }) => macd(close).macd),
  }),
  field({
    name: 'macd_signal',
    label: { id: 'Garis sinyal MACD', en: 'MACD signal line' },
    unit: 'idr_per_share',
    formula: 'ema(macd, 9)',
    source: MACD_SOURCE,
    daysNeeded: 34,
    of: pricePerBar(({ close }) => macd(close).signal),
  }),
  field({
    name: 'macd_hist',
    label: { id: 'Histogram MACD', en: 'MACD histogram' },
    unit: 'idr_per_share',
    formula: 'macd - macd_signal',
    source: MACD_SOURCE,
    daysNeeded: 34,
    of: pricePerBar(({ close }) => macd(close).histogram),
  }),
  fromFeature('macd_histogram', 'times 100', {
    name: 'macd_hist_pct',
    label: { id: 'Histogram MACD terhadap harga', en: 'MACD histogram against the price' },
    unit: 'percent',
    daysNeeded: 34,
  }),
  field({
    name: 'confluence_signals',
    label: { id: 'Jumlah sinyal confluence 5 hari', en: 'Confluence signals of 5 days' },
    unit: 'count',
    formula: `how many of ${CONFLUENCE_SIGNALS.join(', ')} fired within 5 bars, 0 to 4`,
    source: 'Signals of the model confluence_filter, see confluenceSeries',
    nullMeans: NULL_MEANS.untraded,
    daysNeeded: 1,
    readsDays: CONFLUENCE_READS,
    computeUs: 0.5,
    of: perBar((bars) => {
      const series = confluenceSeries(bars);
      return bars.close.map((_, bar) => readConfluence(series, bar, 5).count);
    }),
  }),
  field({
    name: 'turning_score',
    label: { id: 'Skor titik balik 10 hari', en: 'Turning-point score of 10 days' },
    unit: 'points',
    formula:
      'sum of the points of the signs of a turn that apply over 10 bars, without broker rows; see PART_POINTS',
    source: "The project's own description of exhausted moves, see turningPoint",
    nullMeans: NULL_MEANS.unsaid,
    daysNeeded: 1,
    readsDays: TURNING_READS,
    computeUs: TURNING_US,
    of: perTurn((score) => score),
  }),
  field({
    name: 'turning_signal',
    label: { id: 'Sinyal titik balik 10 hari', en: 'Turning-point signal of 10 days' },
    type: 'text',
    unit: 'none',
    values: TURNING_SIGNALS,
    formula: 'class of turning_score',
    source: "The project's own description of exhausted moves, see turningPoint",
    nullMeans: NULL_MEANS.unsaid,
    daysNeeded: 1,
    readsDays: TURNING_READS,
    computeUs: TURNING_US,
    of: perTurn((score) => TURNING_SIGNALS.indexOf(signalOfScore(score))),
  }),
];
