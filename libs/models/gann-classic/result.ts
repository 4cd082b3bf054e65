import Type, { type Static, type TObject } from 'typebox';
import { Day, nullable } from '#foundation/schema.ts';
import { TrainedModelOrNone } from '../trained/result.ts';
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
  withFeatures,
} from '../results/results.ts';
import { words } from '../reasons/schema.ts';
import { ID } from './params.ts';

const funnel = {
  total_scanned: scanned,
  total_liquid: liquid,
  after_cycle: step('Number of these stocks with a high enough cycle score.'),
  after_probability: step('Number of these stocks that are likely enough. All of them if `use_ml` is false.'),
  final,
};

const columns = {
  ...pickColumns,
  'Cycle Score': number('Cycle score: how strongly time, price and trend indicate a turn, 0 to 100.'),
  'Cycle Hit': words(
    'The time cycle nearest to its day and, if that is another day, the distance; `-` for none.',
    '90 hari dari swing low, 1 hari lagi',
  ),
  'Sq9 Support': nullable(
    Type.Number(),
    'Square of Nine level below the close, rounded down to a tradable price, IDR. Null if none is ' +
      'tradable.',
  ),
  'Sq9 Resistance': nullable(
    Type.Number(),
    'Square of Nine level above the close, rounded up to a tradable price, IDR. Null if there is none.',
  ),
  'Next Turn Date': nullable(Day(''), 'Calendar day on which the next cycle ends. Null if there is none.'),
};
export type GannRow = Static<TObject<typeof columns>>;
export type GannFunnel = Static<TObject<typeof funnel>>;

const GannClassicResult = fullView('GannClassicResult', {
  modelId: ID,
  members: picksMembers(funnel),
  row: Type.Object({ ...columns, ...pickReasons }, withFeatures),
  diag: {
    ...funnel,
    regime,
    is_learnt: Type.Boolean({ description: 'Whether a model was trained, as set by `use_ml`.' }),
    model: TrainedModelOrNone,
  },
});

export const results = { full: GannClassicResult };
