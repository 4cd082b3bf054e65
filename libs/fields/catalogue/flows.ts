import type { Panel } from '#quant/panel/panel.ts';
import { foreignNetValue, sumOverDays } from '#quant/panel/windows.ts';
import { negoTotal } from '#quant/nego/nego-total.ts';
import { field, NULL_MEANS, type Field } from '../values/field.ts';
import { fromFeature } from './from-feature.ts';
import { perDay, perExchangeDay } from '../values/stock.ts';

const FOREIGN_SOURCE =
  'Choe, Kho & Stulz 1999: trades of foreign investors, which the exchange publishes in shares';
const NEGO_SOURCE = 'Keim & Madhavan 1996: blocks dealt off the market';
const usOf = (days: number) => Math.round(20 + days) / 100;

const spanWords = (days: number) =>
  days === 1 ? { id: 'hari itu', en: 'of the day' } : { id: `${days} hari`, en: `of ${days} days` };

const foreignNet = (days: number) =>
  field({
    name: `foreign_net_${days}d_idr`,
    label: { id: `Beli bersih asing ${spanWords(days).id}`, en: `Net foreign buying ${spanWords(days).en}` },
    unit: 'idr',
    formula: `sum over ${days} exchange days of (foreign_buy - foreign_sell) × value / volume`,
    source: FOREIGN_SOURCE,
    nullMeans: NULL_MEANS.unsaid,
    daysNeeded: 0,
    readsDays: days,
    computeUs: usOf(days),
    of: perDay((panel, ticker, day) =>
      sumOverDays(panel, ticker, day, days, (row) => foreignNetValue(panel, row)),
    ),
  });

const foreignDays = (side: 1 | -1, days: number) =>
  field({
    name: side > 0 ? `foreign_buy_days_${days}d` : `foreign_sell_days_${days}d`,
    label:
      side > 0
        ? {
            id: `Jumlah hari beli bersih asing dari ${days} hari`,
            en: `Days of net foreign buying among ${days}`,
          }
        : {
            id: `Jumlah hari jual bersih asing dari ${days} hari`,
            en: `Days of net foreign selling among ${days}`,
          },
    unit: 'days',
    formula: `exchange days among the last ${days} on which foreign investors ${side > 0 ? 'bought' : 'sold'} more than they ${
      side > 0 ? 'sold' : 'bought'
    }, by value`,
    source: FOREIGN_SOURCE,
    nullMeans: NULL_MEANS.unsaid,
    daysNeeded: 0,
    readsDays: days,
    computeUs: usOf(days),
    of: perDay((panel, ticker, day) =>
      sumOverDays(panel, ticker, day, days, (row) => {
        const net = foreignNetValue(panel, row);
        return Number.isNaN(net) ? NaN : Number(side * net > 0);
      }),
    ),
  });

/** What foreign investors bought and sold. */
export const FOREIGN_FIELDS: readonly Field[] = [
  ...[1, 5, 10, 20, 60].map(foreignNet),
  ...[5, 20].map((days) =>
    fromFeature(`foreign_net_${days}`, 'times 100', {
      name: `foreign_net_${days}d_pct`,
      label: {
        id: `Beli bersih asing terhadap nilai transaksi ${days} hari`,
        en: `Net foreign buying in the value traded in ${days} days`,
      },
      unit: 'percent',
      per: perExchangeDay,
      daysNeeded: 1,
      readsDays: days,
      nullMeans: NULL_MEANS.no_trade_in_window,
    }),
  ),
  fromFeature('foreign_share_20', 'times 100', {
    name: 'foreign_share_20d_pct',
    unit: 'percent',
    per: perExchangeDay,
    daysNeeded: 1,
    readsDays: 20,
    nullMeans: NULL_MEANS.no_trade_in_window,
  }),
  foreignDays(1, 20),
  foreignDays(-1, 20),
];

const negotiated = (days: number) =>
  field({
    name: `nego_value_${days}d_idr`,
    label: {
      id: `Nilai pasar negosiasi ${spanWords(days).id}`,
      en: `Value in the negotiated market ${spanWords(days).en}`,
    },
    unit: 'idr',
    formula: `sum of nego_value over ${days} exchange days`,
    source: NEGO_SOURCE,
    nullMeans: NULL_MEANS.unsaid,
    daysNeeded: 0,
    readsDays: days,
    computeUs: usOf(days),
    of: perDay((panel, ticker, day) =>
      sumOverDays(panel, ticker, day, days, (row) => panel.columns.nego_value[row]!),
    ),
  });

const NEGO_DAYS = 20;
const negoOf = (panel: Panel, ticker: number, day: number) =>
  negoTotal(panel, ticker, Math.max(0, day + 1 - NEGO_DAYS), day);

/** Blocks dealt in the negotiated market. */
export const NEGO_FIELDS: readonly Field[] = [
  ...[1, 5, 20].map(negotiated),
  fromFeature('nego_20', 'times 100', {
    name: 'nego_share_20d_pct',
    unit: 'percent',
    per: perExchangeDay,
    daysNeeded: 1,
    readsDays: NEGO_DAYS,
    nullMeans: NULL_MEANS.no_trade_in_window,
  }),
  field({
    name: `nego_premium_${NEGO_DAYS}d_pct`,
    label: {
      id: `Premi pasar negosiasi ${NEGO_DAYS} hari`,
      en: `Premium of the negotiated market of ${NEGO_DAYS} days`,
    },
    unit: 'percent',
    formula: `100 × (negotiated value / negotiated shares at each day's close - 1) over ${NEGO_DAYS} exchange days`,
    source: NEGO_SOURCE,
    nullMeans: NULL_MEANS.no_negotiated_trade,
    daysNeeded: 0,
    readsDays: NEGO_DAYS,
    computeUs: 0.6,
    of: perDay((panel, ticker, day) => {
      const { premium, outlier } = negoOf(panel, ticker, day);
      return premium === null || outlier ? null : 100 * premium;
    }),
  }),
  field({
    name: `nego_days_${NEGO_DAYS}d`,
    label: {
      id: `Jumlah hari dengan transaksi negosiasi dari ${NEGO_DAYS} hari`,
      en: `Days with negotiated trades among ${NEGO_DAYS}`,
    },
    unit: 'days',
    formula: `exchange days with nego_value > 0 among the last ${NEGO_DAYS}`,
    source: NEGO_SOURCE,
    nullMeans: NULL_MEANS.unsaid,
    daysNeeded: 0,
    readsDays: NEGO_DAYS,
    computeUs: 0.6,
    of: perDay((panel, ticker, day) => negoOf(panel, ticker, day).daysActive),
  }),
];
