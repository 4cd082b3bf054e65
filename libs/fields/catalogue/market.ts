import type { Regime, RegimeHistory } from '#quant/regime/regime.ts';
import { field, NULL_MEANS, type Field } from '../values/field.ts';
import type { Stock } from '../values/stock.ts';

const REGIMES = ['BULL', 'SIDEWAYS', 'BEAR'] as const satisfies readonly Regime[];
const SOURCE = "The project's own composition of breadth and trend, see regimeScores";

/** A figure of the market, the same for every stock of a day. */
function ofMarket(of: (history: RegimeHistory, day: number) => number): Field['of'] {
  return (stock: Stock) => stock.rows((row) => of(stock.inputs.history, stock.panel.columns.day[row]!));
}

const breadth = (bars: 20 | 50) =>
  field({
    name: `market_above_sma_${bars}_pct`,
    label: {
      id: `Porsi saham likuid di atas rata-rata ${bars} hari`,
      en: `Share of liquid stocks above their ${bars}-day average`,
    },
    unit: 'percent',
    formula: `100 × liquid stocks with close > sma_${bars} / liquid stocks with an sma_${bars}`,
    source: 'Breadth of the market, see marketDays',
    nullMeans: {
      id: 'Tidak ada saham likuid dengan riwayat itu.',
      en: 'No liquid stock has that much history.',
    },
    daysNeeded: 0,
    readsDays: bars,
    needs: ['market'],
    of: ofMarket(({ days }, day) => (100 * days[`aboveMa${bars}`][day]!) / days[`withMa${bars}`][day]!),
  });

/** The market on the day. */
export const MARKET_FIELDS: readonly Field[] = [
  field({
    name: 'regime',
    label: { id: 'Kondisi pasar', en: 'Market regime' },
    type: 'text',
    unit: 'none',
    values: REGIMES,
    formula: 'regime that the scores of three days in a row agree on',
    source: SOURCE,
    nullMeans: NULL_MEANS.never,
    daysNeeded: 0,
    readsDays: null,
    needs: ['market'],
    of: ofMarket(({ regime }, day) => REGIMES.indexOf(regime[day]!)),
  }),
  field({
    name: 'regime_score',
    label: { id: 'Skor kondisi pasar', en: 'Market regime score' },
    unit: 'points',
    formula: 'breadth, index return of 20 days and index trend, -100 to 100',
    source: SOURCE,
    nullMeans: NULL_MEANS.never,
    daysNeeded: 0,
    readsDays: null,
    needs: ['market'],
    of: ofMarket(({ score }, day) => score[day]!),
  }),
  breadth(20),
  breadth(50),
  field({
    name: 'market_return_1d',
    label: { id: 'Imbal hasil pasar hari itu', en: 'Return of the market on the day' },
    unit: 'percent',
    formula:
      'mean return of the liquid stocks that traded, weighted by listed shares × close of the row before',
    source: "Stand-in for the exchange's composite, see marketDays",
    nullMeans: NULL_MEANS.never,
    daysNeeded: 0,
    readsDays: 21,
    needs: ['market'],
    of: ofMarket(({ days }, day) => 100 * days.indexReturn[day]!),
  }),
];
