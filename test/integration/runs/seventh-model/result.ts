import Type, { type Static } from 'typebox';
import { emptyBlock, final, fullView, number, step, ticker } from '#models/results/results.ts';
import { ID } from './params.ts';

const funnel = { total_scanned: step('Stocks that traded on the day.'), final };
const row = Type.Object({ Ticker: ticker, Value: number('Traded value of the day, IDR.') });

export type MostTradedRow = Static<typeof row>;

export const results = {
  full: fullView('MostTradedResult', {
    modelId: ID,
    members: emptyBlock(funnel),
    row,
    diag: funnel,
  }),
};
