import { rollingMax, rollingMin } from '#quant/indicators/rolling.ts';
import { relativeMove } from '#quant/price-move.ts';
import { annualVolatility, atr, bollinger } from '#quant/indicators/volatility.ts';
import { cumFactorAt } from '#quant/panel/adjustment-factors.ts';
import { yearBegins, yearRange } from '#quant/snapshot/year-range.ts';
import { field, NULL_MEANS, type Field, type Words } from '../values/field.ts';
import { fromFeature } from './from-feature.ts';
import { perBar, pricePerBar, scaled, type Stock } from '../values/stock.ts';

/** Fourteen ranges, and the close before the first. */
const ATR_READS = 15;
const BOLLINGER_SOURCE = 'Bollinger 2001';

const FIRST_RANGE_NOTE: Words = {
  id: 'Rentang pertama sebuah saham adalah high - low, karena belum ada penutupan sebelumnya.',
  en: 'The first range of a stock is high - low, since there is no close before it.',
};
const YEAR_NOTE: Words = {
  id: 'Setahun dihitung 252 hari, sebagaimana lazimnya; simulasi menghitung 242 hari bursa.',
  en: 'A year counts as 252 days, as is usual; simulations count the 242 of the exchange.',
};

/** How far the price usually moves. */
export const VOLATILITY_FIELDS: readonly Field[] = [
  field({
    name: 'atr_14',
    label: { id: 'Rentang rata-rata 14 hari (ATR)', en: 'Average true range of 14 days' },
    unit: 'idr_per_share',
    formula: 'atr(14), adjusted for corporate actions up to the day',
    note: FIRST_RANGE_NOTE,
    source: 'Wilder 1978',
    daysNeeded: 14,
    readsDays: ATR_READS,
    of: pricePerBar(({ high, low, close }) => atr(high, low, close)),
  }),
  fromFeature('atr_14', 'times 100', {
    name: 'atr_14_pct',
    note: FIRST_RANGE_NOTE,
    unit: 'percent',
    daysNeeded: 14,
    readsDays: ATR_READS,
  }),
  field({
    name: 'bb_upper',
    label: { id: 'Pita Bollinger atas', en: 'Upper Bollinger band' },
    unit: 'idr_per_share',
    formula: 'mean(close, 20) + 2 × std(close, 20)',
    source: BOLLINGER_SOURCE,
    daysNeeded: 20,
    of: pricePerBar(({ close }) => bollinger(close).upper),
  }),
  field({
    name: 'bb_lower',
    label: { id: 'Pita Bollinger bawah', en: 'Lower Bollinger band' },
    unit: 'idr_per_share',
    formula: 'mean(close, 20) - 2 × std(close, 20)',
    source: BOLLINGER_SOURCE,
    daysNeeded: 20,
    of: pricePerBar(({ close }) => bollinger(close).lower),
  }),
  field({
    name: 'bb_width_pct',
    label: { id: 'Lebar pita Bollinger', en: 'Width of the Bollinger bands' },
    unit: 'percent',
    formula: '100 × (bb_upper - bb_lower) / mean(close, 20)',
    source: BOLLINGER_SOURCE,
    daysNeeded: 20,
    of: perBar(({ close }) => bollinger(close).widthPct),
  }),
  fromFeature('bollinger_place', 'as it is', { name: 'bb_place', unit: 'times', daysNeeded: 20 }),
  ...[20, 60].map((bars) =>
    field({
      name: `volatility_${bars}d_pct`,
      label: { id: `Volatilitas tahunan ${bars} hari`, en: `Annual volatility of ${bars} days` },
      unit: 'percent',
      formula: `100 × std(log return, ${bars}) × √252`,
      note: YEAR_NOTE,
      source: 'Hull, Options, Futures, and Other Derivatives, ch. 15',
      daysNeeded: bars + 1,
      of: perBar(({ close }) => scaled(annualVolatility(close, bars), 100)),
    }),
  ),
];

const highOf = (bars: number) =>
  field({
    name: `high_${bars}d`,
    label: { id: `Harga tertinggi ${bars} hari`, en: `High of ${bars} days` },
    unit: 'idr_per_share',
    formula: `max(high, ${bars}), adjusted for corporate actions up to the day`,
    source: 'Donchian channel: the highest high and the lowest low',
    daysNeeded: bars,
    of: pricePerBar(({ high }) => rollingMax(high, bars)),
  });

const lowOf = (bars: number) =>
  field({
    name: `low_${bars}d`,
    label: { id: `Harga terendah ${bars} hari`, en: `Low of ${bars} days` },
    unit: 'idr_per_share',
    formula: `min(low, ${bars}), adjusted for corporate actions up to the day`,
    source: 'Donchian channel: the highest high and the lowest low',
    daysNeeded: bars,
    of: pricePerBar(({ low }) => rollingMin(low, bars)),
  });

/** A figure of the year that ends on each day, and of the last close, both in the terms of the stock's first row. */
function perYear(of: (year: ReturnType<typeof yearRange>, close: number) => number | null) {
  return (stock: Stock): Float64Array => {
    const { bars, panel } = stock;
    return stock.rows((row) => {
      const bar = stock.barAt(row);
      const year = yearRange(panel, bars, bar, panel.columns.day[row]!);
      return of(year, bars.close[bar]!) ?? NaN;
    });
  };
}

const YEAR_SOURCE = 'George & Hwang 2004';
const firstDayOfYear: Field['firstDayRead'] = ({ panel }, row) => yearBegins(panel, panel.columns.day[row]!);
const YEAR_US = 1;

const yearPrice = (name: 'high' | 'low', label: Field['label']) =>
  field({
    name: `${name}_52w`,
    label,
    unit: 'idr_per_share',
    formula: `${name === 'high' ? 'highest high' : 'lowest low'} of the last 364 calendar days, adjusted for corporate actions`,
    source: YEAR_SOURCE,
    nullMeans: NULL_MEANS.no_trade_in_window,
    daysNeeded: 1,
    firstDayRead: firstDayOfYear,
    computeUs: YEAR_US,
    of: (stock) => {
      const { terms } = stock.panel.columns;
      const prices = perYear((year) => year[name])(stock);
      return prices.map((price, i) => price * cumFactorAt(terms, stock.from + i));
    },
  });

const yearDistance = (name: 'high' | 'low', label: Field['label']) =>
  field({
    name: `dist_${name}_52w_pct`,
    label,
    unit: 'percent',
    formula: `100 × (close / ${name}_52w - 1)`,
    source: YEAR_SOURCE,
    nullMeans: NULL_MEANS.no_trade_in_window,
    daysNeeded: 1,
    firstDayRead: firstDayOfYear,
    computeUs: YEAR_US,
    of: perYear((year, close) => (year[name] === null ? null : 100 * relativeMove(year[name], close))),
  });

/** Highs and lows, and how far the price is from them. */
export const RANGE_FIELDS: readonly Field[] = [
  ...[20, 60].flatMap((bars) => [highOf(bars), lowOf(bars)]),
  yearPrice('high', { id: 'Harga tertinggi 52 minggu', en: 'High of 52 weeks' }),
  yearPrice('low', { id: 'Harga terendah 52 minggu', en: 'Low of 52 weeks' }),
  yearDistance('high', {
    id: 'Jarak dari harga tertinggi 52 minggu',
    en: 'Distance from the high of 52 weeks',
  }),
  yearDistance('low', { id: 'Jarak dari harga terendah 52 minggu', en: 'Distance from the low of 52 weeks' }),
  fromFeature('max_60', 'change from 1', { name: 'dist_high_60d_pct', unit: 'percent', daysNeeded: 60 }),
  fromFeature('min_60', 'change from 1', { name: 'dist_low_60d_pct', unit: 'percent', daysNeeded: 60 }),
];
