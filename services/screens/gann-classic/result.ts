import Type, { type Static, type TObject } from 'typebox';
import { Day, nullable } from '#shared/schema.ts';
import { LearntModelOrNone } from '../learnt/result.ts';
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
} from '../results.ts';
import { words } from '../reasons/schema.ts';
import { gannClassic } from './model.ts';

const funnel = {
  total_scanned: scanned,
  total_liquid: liquid,
  after_cycle: step('Those with a high enough cycle score.'),
  after_probability: step('Those that are likely enough; all when `use_ml` is false.'),
  final,
};

const columns = {
  ...pickColumns,
  'Cycle Score': number('How much time, price and trend speak for a turn, 0 to 100.'),
  'Cycle Hit': words(
    'The time cycle nearest to its day and, where that is another day, by how much; `-` for none.',
    '90 hari dari swing low, 1 hari lagi',
  ),
  'Sq9 Support': nullable(
    Type.Number(),
    'Level of the Square of Nine below the close, rounded down to a tradable price, IDR; null where none is tradable.',
  ),
  'Sq9 Resistance': nullable(
    Type.Number(),
    'Level of the Square of Nine above the close, rounded up to a tradable price, IDR; null for none.',
  ),
  'Next Turn Date': nullable(Day(''), 'Calendar day on which the next cycle ends; null for none.'),
};
export type GannRow = Static<TObject<typeof columns>>;
export type GannFunnel = Static<TObject<typeof funnel>>;

const GannClassicResult = fullView('GannClassicResult', {
  modelId: gannClassic.id,
  members: picksMembers(funnel),
  row: Type.Object({ ...columns, ...pickReasons }, withFeatures),
  diag: {
    ...funnel,
    regime,
    is_learnt: Type.Boolean({ description: 'Whether a model was learnt: `use_ml`.' }),
    model: LearntModelOrNone,
  },
});

export const results = { full: GannClassicResult };
