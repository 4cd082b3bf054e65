import { rollingMax, rollingMin } from '#quant/indicators/rolling.ts';
import { priceMove, relativeMove } from '#quant/price-move.ts';
import { referencePrice } from '#quant/panel/windows.ts';
import type { RowColumns } from '#quant/panel/panel-columns.ts';
import { field, NULL_MEANS, type Field, type Words } from '../values/field.ts';
import { fromFeature } from './from-feature.ts';
import { ofTradedDays, perBar, perRow, type Stock } from '../values/stock.ts';

const printed = (
  name: string,
  column: 'open' | 'high' | 'low' | 'close' | 'previous',
  label: Words,
  more: Partial<Field>,
) =>
  field({
    name,
    label,
    unit: 'idr_per_share',
    formula: column,
    source: 'Daily summary of the exchange',
    nullMeans: NULL_MEANS.never,
    daysNeeded: 0,
    readsDays: 1,
    of: perRow(({ columns }, row) => positive(columns, column, row)),
    ...more,
  });

/** A price of 0 is one that the exchange does not give. */
function positive(
  columns: RowColumns,
  column: 'open' | 'high' | 'low' | 'close' | 'previous',
  row: number,
): number {
  return columns[column][row]! > 0 ? columns[column][row]! : NaN;
}

/** Null on a day without a trade, whose rows repeat the last close. */
const ofTrade = (column: 'open' | 'high' | 'low'): Partial<Field> => ({
  nullMeans: NULL_MEANS.no_trade_on_day,
  of: ofTradedDays(perRow(({ columns }, row) => positive(columns, column, row))),
});

function closedAtLimit(stock: Stock): Float64Array {
  const { close, volume } = stock.panel.columns;
  return stock.rows((row) => {
    if (volume[row] === 0) return 0;
    const { upper } = stock.bars.limitsOf(stock.barAt(row));
    return Number.isNaN(upper) ? NaN : Number(close[row]! >= upper);
  });
}

/** Prices of the day, as printed on it, and the ways in which the day's price moved. */
export const PRICE_FIELDS: readonly Field[] = [
  printed('close', 'close', { id: 'Harga penutupan', en: 'Close' }, {}),
  printed(
    'open',
    'open',
    { id: 'Harga pembukaan', en: 'Open' },
    { formula: 'open; where the exchange gives none, the reference price of the day', ...ofTrade('open') },
  ),
  printed('high', 'high', { id: 'Harga tertinggi', en: 'High' }, ofTrade('high')),
  printed('low', 'low', { id: 'Harga terendah', en: 'Low' }, ofTrade('low')),
  printed(
    'reference_price',
    'previous',
    { id: 'Harga acuan hari itu', en: 'Reference price of the day' },
    {
      formula: 'previous: the close of the day before, restated for corporate actions',
      nullMeans: NULL_MEANS.unsaid,
    },
  ),
  field({
    name: 'average_price',
    label: { id: 'Harga rata-rata hari itu', en: 'Average price of the day' },
    unit: 'idr_per_share',
    formula: 'value / volume',
    source: 'Volume-weighted average price; Berkowitz, Logue & Noser 1988',
    nullMeans: NULL_MEANS.no_trade_on_day,
    of: ofTradedDays(perRow(({ columns: { value, volume } }, row) => value[row]! / volume[row]!)),
  }),
  field({
    name: 'day_change_pct',
    label: { id: 'Perubahan harga terhadap harga acuan', en: 'Change from the reference price' },
    unit: 'percent',
    formula:
      '100 × (close / reference_price - 1); without one, the adjusted close of the trading day before takes its place',
    source: 'Daily summary of the exchange',
    nullMeans: NULL_MEANS.no_reference,
    daysNeeded: 0,
    readsDays: 1,
    of: ofTradedDays(
      perRow((panel, row) => 100 * relativeMove(referencePrice(panel, row), panel.columns.close[row]!)),
    ),
  }),
  field({
    name: 'gap_pct',
    label: { id: 'Celah harga dari hari sebelumnya', en: 'Gap from the day before' },
    unit: 'percent',
    formula:
      '100 × (low / high of the bar before - 1) where that is above 0, 100 × (high / low of the bar before - 1) where that ' +
      'is below 0, else 0',
    source: 'Edwards & Magee 1948: a price range that nobody traded in. Opens are mostly not known',
    daysNeeded: 2,
    of: perBar(({ high, low }) =>
      high.map((_, bar) => {
        const [up, down] = [relativeMove(high[bar - 1]!, low[bar]!), relativeMove(low[bar - 1]!, high[bar]!)];
        if (Number.isNaN(up)) return NaN;
        return 100 * (Math.max(0, up) + Math.min(0, down));
      }),
    ),
  }),
  fromFeature('range_1', 'times 100', { name: 'range_1d_pct', unit: 'percent', daysNeeded: 1 }),
  fromFeature('close_place', 'times 100', { name: 'close_place_pct', unit: 'percent', daysNeeded: 1 }),
  field({
    name: 'range_20d_pct',
    label: { id: 'Rentang harga 20 hari', en: 'Price range of 20 days' },
    unit: 'percent',
    formula: '100 × (max(high, 20) - min(low, 20)) / close',
    source: 'Donchian channel: the highest high and the lowest low',
    daysNeeded: 20,
    of: perBar(({ high, low, close }) => {
      const [highest, lowest] = [rollingMax(high, 20), rollingMin(low, 20)];
      return close.map((price, bar) => (100 * priceMove(lowest[bar]!, highest[bar]!)) / price);
    }),
  }),
  fromFeature('upper_limit_gap', 'change from 1', {
    name: 'to_upper_limit_pct',
    unit: 'percent',
    daysNeeded: 1,
    nullMeans: NULL_MEANS.no_reference,
  }),
  fromFeature('lower_limit_gap', 'change from 1', {
    name: 'to_lower_limit_pct',
    unit: 'percent',
    daysNeeded: 1,
    nullMeans: NULL_MEANS.no_reference,
  }),
  field({
    name: 'closed_at_upper_limit',
    label: { id: 'Ditutup pada batas atas harian', en: 'Closed at the upper limit of the day' },
    type: 'boolean',
    unit: 'none',
    formula:
      'volume > 0 and close >= upper auto-rejection limit of the day, on the board that the last 20 days show',
    source: 'IDX decrees on auto rejection',
    nullMeans: NULL_MEANS.no_reference,
    daysNeeded: 0,
    readsDays: 1,
    of: closedAtLimit,
  }),
];
