import Type from 'typebox';
import { nullable, oneOf } from '../common.ts';
import { named } from '../named.ts';
import {
  asOf,
  emptyBlock,
  final,
  Levels,
  ModelQualityNumbers,
  pickCount,
  picksMembers,
  step,
} from './common.ts';
import { fullView } from './full-view.ts';
import { LearntModel } from './learnt-model.ts';
import { number, pickColumns, regime, SIGNAL_DETAIL, SIGNALS } from './rows.ts';

const MODEL_ID = 'model_f_combined';
const RANKING = ['Hybrid Score', 'Gated', 'Intersection', 'Inverse Signal'];

const funnel = {
  total_liquid: step('Stocks that can be dealt in, above the floors of price and value.'),
  after_probability: step('Those that are likely enough.'),
  after_signals: step('Those with enough signals.'),
  final,
};

const strategy = oneOf([...RANKING, 'Compare All'], { description: 'Strategy of the run.' });
const rank = nullable(
  Type.Integer(),
  'Place in the list of this strategy, null where it does not pick the name.',
);

export const CombinedResult = fullView('CombinedResult', {
  modelId: MODEL_ID,
  members: picksMembers(funnel),
  row: Type.Object({
    ...pickColumns,
    Signals: SIGNALS,
    'Signal Detail': SIGNAL_DETAIL,
    'Hybrid Score': number('Probability and signals in the mean that `prob_weight` gives, 0 to 100.'),
    Strategy: strategy,
    'Strategy Votes': Type.Optional(step('How many strategies pick the name; only with Compare All.')),
    ...Object.fromEntries(RANKING.map((name) => [`Rank ${name}`, Type.Optional(rank)])),
  }),
  diag: { ...funnel, strategy, regime, model: LearntModel },
});

const price = (description: string) => Type.Number({ description: `${description}, IDR.` });

const Pick = named(
  'CombinedPick',
  Type.Object({
    ticker: Type.String({ description: 'In upper case.', examples: ['BBCA'] }),
    close: price('Close of the day'),
    probability: Type.Number({
      description: 'Percent, one decimal. Relative: 50 is as likely as the average name to reach its target.',
    }),
    signals: Type.Integer({ minimum: 0, maximum: 4, description: 'How many of the four signals fired.' }),
    entry_low: price('Low end of the entry range'),
    entry_high: price('High end of the entry range'),
    stop: price('close × (1 − stop_loss), not rounded'),
    target: price('close × (1 + target_gain), not rounded'),
  }),
);

export const CombinedCompactResult = named(
  'CombinedCompactResult',
  Type.Object(
    {
      model_id: Type.Literal(MODEL_ID),
      view: Type.Literal('compact'),
      as_of: asOf,
      pick_count: pickCount,
      levels: Levels,
      picks: Type.Array(Pick, { description: 'Best first.' }),
      model_quality: ModelQualityNumbers,
      funnel: Type.Object(funnel, { description: 'How the universe was narrowed.' }),
      ...emptyBlock(funnel),
    },
    { description: `Result of ${MODEL_ID}, compact view: numbers are numbers.` },
  ),
);
