import Type, { type Static, type TObject } from 'typebox';
import { named, nullable, oneOf } from '#shared/schema.ts';
import { LearntModel } from '../learnt/result.ts';
import {
  asOf,
  each,
  emptyBlock,
  final,
  fullView,
  Levels,
  ModelQuality,
  number,
  pickColumns,
  pickCount,
  picksMembers,
  probabilityNumber,
  regime,
  SIGNAL_DETAIL,
  SIGNALS,
  step,
  winChance,
} from '../results.ts';
import { combined, COMPARE_ALL, type Strategy } from './model.ts';

/** As the document lists them. */
const RANKINGS = ['Hybrid Score', 'Gated', 'Intersection', 'Inverse Signal'] as const satisfies Strategy[];

const funnel = {
  total_liquid: step('Stocks that can be dealt in, above the floors of price and value.'),
  after_probability: step('Those that are likely enough.'),
  after_signals: step(
    'Those with enough signals; with Inverse Signal, which has no floor of signals, all of them.',
  ),
  final,
};

const strategy = oneOf([...RANKINGS, COMPARE_ALL], { description: 'Strategy of the run.' });
const rank = nullable(
  Type.Integer(),
  'Place in the list of this strategy, null where it does not pick the name.',
);

const row = Type.Object({
  ...pickColumns,
  Signals: SIGNALS,
  'Signal Detail': SIGNAL_DETAIL,
  'Hybrid Score': number('Probability and signals in the mean that `prob_weight` gives, 0 to 100.'),
  Strategy: strategy,
  'Strategy Votes': Type.Optional(step('How many strategies pick the name; only with Compare All.')),
  ...each(
    RANKINGS.map((name) => `Rank ${name}` as const),
    () => Type.Optional(rank),
  ),
});
export type CombinedRow = Static<typeof row>;
export type CombinedFunnel = Static<TObject<typeof funnel>>;

const CombinedResult = fullView('CombinedResult', {
  modelId: combined.id,
  members: picksMembers(funnel),
  row,
  diag: { ...funnel, strategy, regime, model: LearntModel },
});

const price = (description: string) => Type.Number({ description: `${description}, IDR.` });

const Pick = named(
  'CombinedPick',
  Type.Object({
    ticker: Type.String({ description: 'In upper case.', examples: ['BBCA'] }),
    close: price('Close of the day'),
    probability: probabilityNumber,
    ...winChance,
    signals: Type.Integer({ minimum: 0, maximum: 4, description: 'How many of the four signals fired.' }),
    entry_low: price('Low end of the entry range'),
    entry_high: price('High end of the entry range'),
    stop: price('close × (1 − stop_loss), not rounded'),
    target: price('close × (1 + target_gain), not rounded'),
  }),
);

export type CombinedPick = Static<typeof Pick>;

const CombinedCompactResult = named(
  'CombinedCompactResult',
  Type.Object(
    {
      model_id: Type.Literal(combined.id),
      view: Type.Literal('compact'),
      as_of: asOf,
      pick_count: pickCount,
      levels: Levels,
      picks: Type.Array(Pick, { description: 'Best first.' }),
      model_quality: ModelQuality,
      funnel: Type.Object(funnel, { description: 'How the universe was narrowed.' }),
      ...emptyBlock(funnel),
    },
    { description: `Result of ${combined.id}, compact view: numbers are numbers.` },
  ),
);

export type CombinedResult = Static<typeof CombinedResult>;
export type CombinedCompactResult = Static<typeof CombinedCompactResult>;

export const results = { full: CombinedResult, compact: CombinedCompactResult };
