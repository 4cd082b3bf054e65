import Type, { type Static, type TObject } from 'typebox';
import { nullable, oneOf } from '#foundation/schema.ts';
import { TrainedModel } from '../trained/result.ts';
import {
  final,
  fullView,
  liquid,
  number,
  pickColumns,
  picksMembers,
  pickReasons,
  regime,
  scanned,
  scoreParts,
  step,
  text,
  withFeatures,
} from '../results/results.ts';
import { ID } from './params.ts';

const funnel = {
  total_scanned: scanned,
  total_liquid: liquid,
  after_probability: step('Number of these stocks that are likely enough.'),
  after_retail_filter: step(
    'Number of these stocks whose rise is not led by retail brokers, if the run requires that.',
  ),
  final,
};

const columns = {
  ...pickColumns,
  ...scoreParts('Group', 'Points of `Score` for what the group of brokers bought, against other stocks.'),
  'CR5 Buy': nullable(
    Type.Number(),
    'Share of each day’s five largest buyers in all purchases over the window, 0 to 1. Null without broker rows.',
  ),
  'HHI Gap': nullable(
    Type.Number(),
    'How much more concentrated purchases were than sales, by the Herfindahl index. Null without broker ' +
      'rows.',
  ),
  'Bandar Net 5D': text('Net purchases of local institutions over 5 days, abbreviated IDR.', '1.4B'),
  'Retail Share': text('Share of retail brokers in all purchases over the window, percent.', '23.5%'),
  'Avg Cost Gap': text(
    'Close relative to the price paid by the net buyers of the group, signed percent.',
    '+2.10%',
  ),
  'Top Buyer': text('Broker with the largest net purchases over the window; `-` for none.', 'AK'),
};
export type GrossRow = Static<TObject<typeof columns>>;
export type GrossFunnel = Static<TObject<typeof funnel>>;

const GrossAlphaResult = fullView('GrossAlphaResult', {
  modelId: ID,
  members: picksMembers(funnel),
  row: Type.Object({ ...columns, ...pickReasons }, withFeatures),
  diag: {
    ...funnel,
    regime,
    broker_group: oneOf(['all', 'foreign', 'bandar', 'ex_retail'], {
      description: 'Group of brokers whose trades count.',
    }),
    broker_coverage: Type.Object(
      {
        window_pct: number('Share in the window of the run, percent.'),
        training_pct: number('Share in the training days, percent.'),
      },
      { description: 'Share of the stock-days of liquid stocks whose broker rows are complete.' },
    ),
    model: TrainedModel,
  },
});

export const results = { full: GrossAlphaResult };
