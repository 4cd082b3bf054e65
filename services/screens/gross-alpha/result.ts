import Type, { type Static, type TObject } from 'typebox';
import { nullable, oneOf } from '#shared/schema.ts';
import { LearntModel } from '../learnt/result.ts';
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
  step,
  text,
  withFeatures,
} from '../results.ts';
import { grossAlpha } from './model.ts';

const funnel = {
  total_scanned: scanned,
  total_liquid: liquid,
  after_probability: step('Those that are likely enough.'),
  after_retail_filter: step('Those whose rise is not led by retail, if that is asked for.'),
  final,
};

const columns = {
  ...pickColumns,
  'CR5 Buy': nullable(
    Type.Number(),
    'Share of all buying by the five largest buyers over the window, 0 to 1; null without broker rows.',
  ),
  'HHI Gap': nullable(
    Type.Number(),
    'How much more concentrated buying was than selling, by Herfindahl’s index; null without broker rows.',
  ),
  'Bandar Net 5D': text('What local institutions bought, net, over 5 days, abbreviated IDR.', '1.4B'),
  'Retail Share': text('Share of all buying by retail brokers over the window, percent.', '23.5%'),
  'Avg Cost Gap': text('Close against what the net buyers of the group paid, signed percent.', '+2.10%'),
  'Top Buyer': text('Broker that bought most, net, over the window; `-` for none.', 'AK'),
};
export type GrossRow = Static<TObject<typeof columns>>;
export type GrossFunnel = Static<TObject<typeof funnel>>;

const GrossAlphaResult = fullView('GrossAlphaResult', {
  modelId: grossAlpha.id,
  members: picksMembers(funnel),
  row: Type.Object({ ...columns, ...pickReasons }, withFeatures),
  diag: {
    ...funnel,
    regime,
    broker_group: oneOf(['all', 'foreign', 'bandar', 'ex_retail'], { description: 'Whose trades count.' }),
    broker_coverage: Type.Object(
      {
        window_pct: number('In the window of the run, percent.'),
        training_pct: number('In the days learnt from, percent.'),
      },
      { description: 'Share of the days of liquid stocks whose broker rows are whole.' },
    ),
    model: LearntModel,
  },
});

export const results = { full: GrossAlphaResult };
