import { volumeRatio } from '#quant/indicators/moving-averages.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { averageDailyValue, sumOverDays, tradesOf } from '#quant/panel/windows.ts';
import { tradableRows } from '#quant/universe/candidates.ts';
import { LIQUID_OVER_DAYS, LIQUID_VALUE_IDR } from '#quant/universe/liquidity.ts';
import { field, NULL_MEANS, orUnknownShares, type Field } from '../values/field.ts';
import { fromFeature } from './from-feature.ts';
import { ofKnownShares, perBar, perDay, perExchangeDay, perRow, type Stock } from '../values/stock.ts';

const SUMMARY = 'Daily summary of the exchange';
const OF_DAY = { nullMeans: NULL_MEANS.never, daysNeeded: 0, readsDays: 1, source: SUMMARY } as const;
/** Windows of money sum their days anew for each day. */
const usOf = (days: number) => Math.round(20 + days) / 100;

const averageValue = (days: number) =>
  field({
    name: `value_${days}d`,
    label: { id: `Nilai transaksi harian rata-rata ${days} hari`, en: `Average daily value of ${days} days` },
    unit: 'idr',
    formula: `sum of value over ${days} exchange days / ${days}, days without trades included`,
    source: 'Brennan, Chordia & Subrahmanyam 1998: traded value',
    nullMeans: NULL_MEANS.young_listing,
    daysNeeded: days,
    computeUs: usOf(days),
    of: perDay((panel, ticker, day) => averageDailyValue(panel, ticker, day, days)),
  });

const heavyVolume = (bars: number) =>
  field({
    name: `volume_ratio_${bars}`,
    label: { id: `Volume terhadap rata-rata ${bars} hari`, en: `Volume against its ${bars}-day average` },
    unit: 'times',
    formula: `volume / mean(volume, ${bars})`,
    source: 'qlib Alpha158 VMA, inverted',
    daysNeeded: bars,
    nullMeans: orUnknownShares(NULL_MEANS.short_history),
    of: perBar((stock) => stock.ofVolume(volumeRatio(stock.volume, bars), bars)),
  });

const tradedDays = (days: number) =>
  field({
    name: `traded_days_${days}d`,
    label: { id: `Jumlah hari dengan transaksi dari ${days} hari`, en: `Days with trades among ${days}` },
    unit: 'days',
    formula: `exchange days with volume > 0 among the last ${days}`,
    source: 'Lesmond, Ogden & Trzcinka 1999: days without a trade show what trading costs',
    nullMeans: NULL_MEANS.never,
    daysNeeded: 0,
    readsDays: days,
    computeUs: usOf(days),
    of: perDay((panel, ticker, day) =>
      sumOverDays(panel, ticker, day, days, (row) => Number(panel.columns.volume[row]! > 0)),
    ),
  });

/** Whether a stock counts in ranks and percentiles of a day. */
function isLiquid(panel: Panel, ticker: number, day: number): boolean {
  const isTraded = panel.columns.volume[panel.lastRow(ticker, day)]! > 0;
  return isTraded && (averageDailyValue(panel, ticker, day, LIQUID_OVER_DAYS) ?? 0) >= LIQUID_VALUE_IDR;
}

function tradability(stock: Stock): Float64Array {
  const { panel, ticker, bars } = stock;
  const isTradable = new Float32Array(bars.rows.length);
  const found = tradableRows(panel, ticker, bars.rows);
  for (const [i, bar] of found.bar.entries()) isTradable[bar] = found.isUncertain[i] === 1 ? NaN : 1;
  return stock.rows((row) => {
    const bar = stock.barAt(row);
    return bar >= 0 && bars.rows[bar] === row ? isTradable[bar]! : 0;
  });
}

/** How much is traded, and how readily. */
export const TRADING_FIELDS: readonly Field[] = [
  field({
    ...OF_DAY,
    name: 'volume',
    label: { id: 'Volume hari itu', en: 'Volume of the day' },
    unit: 'shares',
    restatedAs: 'shares',
    formula: 'volume in the regular market',
    of: perRow(({ columns }, row) => columns.volume[row]!),
  }),
  field({
    ...OF_DAY,
    name: 'value_idr',
    label: { id: 'Nilai transaksi hari itu', en: 'Value traded on the day' },
    unit: 'idr',
    formula: 'value in the regular market',
    of: perRow(({ columns }, row) => columns.value[row]!),
  }),
  field({
    ...OF_DAY,
    name: 'trades',
    label: { id: 'Frekuensi transaksi hari itu', en: 'Number of trades of the day' },
    unit: 'count',
    formula: 'frequency in the regular market',
    nullMeans: NULL_MEANS.unsaid,
    of: perRow(tradesOf),
  }),
  ...[5, 20, 60].map(averageValue),
  ...[5, 20, 60].map(heavyVolume),
  fromFeature('volume_std_20', 'as it is', {
    name: 'volume_variation_20',
    unit: 'times',
    daysNeeded: 20,
    nullMeans: orUnknownShares(NULL_MEANS.short_history),
  }),
  fromFeature('weighted_volatility_20', 'as it is', {
    name: 'weighted_volatility_20',
    unit: 'times',
    daysNeeded: 21,
    nullMeans: orUnknownShares(NULL_MEANS.short_history_or_flat),
  }),
  fromFeature('turnover_20', 'times 100', {
    name: 'turnover_20d_pct',
    unit: 'percent',
    per: perExchangeDay,
    daysNeeded: 1,
    readsDays: 20,
    nullMeans: orUnknownShares(NULL_MEANS.unknown_shares),
  }),
  fromFeature('trade_size_20', 'as it is', {
    name: 'trade_size_20d_idr',
    unit: 'idr',
    per: perExchangeDay,
    daysNeeded: 1,
    readsDays: 20,
    nullMeans: NULL_MEANS.no_trade_in_window,
  }),
  tradedDays(20),
  tradedDays(60),
  field({
    name: 'is_liquid',
    label: { id: 'Likuid', en: 'Liquid' },
    type: 'boolean',
    unit: 'none',
    formula: `volume > 0 and value_${LIQUID_OVER_DAYS}d >= ${LIQUID_VALUE_IDR / 1e9} billion IDR`,
    source: 'Threshold of the market overview and of the index, see LIQUID_VALUE_IDR',
    nullMeans: NULL_MEANS.never,
    daysNeeded: 0,
    readsDays: null,
    computeUs: usOf(LIQUID_OVER_DAYS),
    of: perDay((panel, ticker, day) => Number(isLiquid(panel, ticker, day))),
  }),
  field({
    name: 'is_tradable',
    label: { id: 'Layak dipilih model', en: 'A stock that models may pick' },
    type: 'boolean',
    unit: 'none',
    formula:
      'traded on the day and on 18 of the last 20, has 120 traded bars, and does not look like a stock of a special board',
    source: 'Universe of the models, see candidates',
    nullMeans: NULL_MEANS.unsaid,
    daysNeeded: 0,
    readsDays: null,
    of: tradability,
  }),
  field({
    name: 'market_cap_idr',
    label: { id: 'Kapitalisasi pasar', en: 'Market capitalisation' },
    unit: 'idr',
    formula: 'listed_shares × close',
    source: 'Banz 1981',
    nullMeans: orUnknownShares(NULL_MEANS.unknown_shares),
    daysNeeded: 0,
    readsDays: 1,
    of: ofKnownShares(
      perRow(({ columns: { listed_shares, close } }, row) => aboveZero(listed_shares[row]! * close[row]!)),
    ),
  }),
  field({
    name: 'listed_shares',
    label: { id: 'Jumlah saham tercatat', en: 'Listed shares' },
    unit: 'shares',
    restatedAs: 'shares',
    formula: 'listed_shares',
    source: SUMMARY,
    nullMeans: NULL_MEANS.unknown_shares,
    daysNeeded: 0,
    readsDays: 1,
    of: perRow(({ columns }, row) => aboveZero(columns.listed_shares[row]!)),
  }),
];

function aboveZero(value: number): number {
  return value > 0 ? value : NaN;
}
