import Type, { type Static, type TObject } from 'typebox';
import { Day, nullable } from '#shared/schema.ts';
import { LearntModelOrNone } from '../learnt/result.ts';
import { final, fullView, number, pickColumns, picksMembers, regime, step, text } from '../results.ts';
import { gannClassic } from './model.ts';

const funnel = {
  total_scanned: step('Stocks that can be dealt in.'),
  total_liquid: step('Those above the floors of price and value.'),
  after_cycle: step('Those with a high enough cycle score.'),
  after_probability: step('Those that are likely enough; all when `use_ml` is false.'),
  final,
};

const row = Type.Object({
  ...pickColumns,
  'Cycle Score': number('How much time, price and trend speak for a turn, 0 to 100.'),
  'Cycle Hit': text(
    'The nearest time cycle, for display, in Bahasa Indonesia; `-` for none.',
    '90 hari dari swing low',
  ),
  'Sq9 Support': nullable(Type.Number(), 'Level of the Square of Nine below the close, IDR.'),
  'Sq9 Resistance': nullable(Type.Number(), 'Level of the Square of Nine above the close, IDR.'),
  'Next Turn Date': nullable(Day(''), 'Calendar day on which the next cycle ends; null for none.'),
});
export type GannRow = Static<typeof row>;
export type GannFunnel = Static<TObject<typeof funnel>>;

const GannClassicResult = fullView('GannClassicResult', {
  modelId: gannClassic.id,
  members: picksMembers(funnel),
  row,
  diag: {
    ...funnel,
    regime,
    is_learnt: Type.Boolean({ description: 'Whether a model was learnt: `use_ml`.' }),
    model: LearntModelOrNone,
  },
});

export type GannClassicResult = Static<typeof GannClassicResult>;

export const results = { full: GannClassicResult };
