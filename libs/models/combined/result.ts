import Type, { type Static, type TObject } from 'typebox';
import { named, nullable, oneOf } from '#foundation/schema.ts';
import { caution, TrainedModel } from '../trained/result.ts';
import {
  asOf,
  each,
  emptyBlock,
  final,
  fullView,
  Levels,
  liquid,
  missing,
  ModelQuality,
  number,
  pickColumns,
  pickCount,
  picksMembers,
  pickReasons,
  probabilityNumber,
  rank,
  regime,
  scanned,
  scoreParts,
  SIGNAL_DETAIL,
  SIGNALS,
  step,
  winChance,
  withFeatures,
} from '../results/results.ts';
import { Notice, Reasons } from '../reasons/schema.ts';
import { COMPARE_ALL, type Strategy, ID } from './params.ts';

/** In the order of the result document. */
const RANKINGS = ['Hybrid Score', 'Gated', 'Intersection', 'Inverse Signal'] as const satisfies Strategy[];

const funnel = {
  total_scanned: scanned,
  total_liquid: liquid,
  after_probability: step('Number of these stocks that are likely enough.'),
  after_signals: step(
    'Number of these stocks with enough signals. With Inverse Signal, which has no minimum number of ' +
      'signals, all of them.',
  ),
  final,
};

const strategy = oneOf([...RANKINGS, COMPARE_ALL], { description: 'Strategy of the run.' });
const rankInList = nullable(
  Type.Integer(),
  'Rank in the list of this strategy. Null if the strategy does not pick the stock.',
);

const VOTES = step('Number of strategies that pick the stock. Only with Compare All.');

const columns = {
  ...pickColumns,
  ...scoreParts(
    'Signals',
    'Points of `Score` that signals add; negative where signals lower it, as in Inverse Signal.',
  ),
  Signals: SIGNALS,
  'Signal Detail': SIGNAL_DETAIL,
  'Hybrid Score': number(
    'Weighted average of probability and signals, with the weight `prob_weight`, 0 to 100.',
  ),
  Strategy: strategy,
  'Strategy Votes': Type.Optional(VOTES),
  ...each(
    RANKINGS.map((name) => `Rank ${name}` as const),
    () => Type.Optional(rankInList),
  ),
};
export type CombinedRow = Static<TObject<typeof columns>>;
export type CombinedFunnel = Static<TObject<typeof funnel>>;

const CombinedResult = fullView('CombinedResult', {
  modelId: ID,
  members: picksMembers(funnel),
  row: Type.Object({ ...columns, ...pickReasons }, withFeatures),
  diag: { ...funnel, strategy, regime, model: TrainedModel },
});

const price = (description: string) => Type.Number({ description: `${description}, IDR.` });

const Pick = named(
  'CombinedPick',
  Type.Object({
    ticker: Type.String({ description: 'Ticker in upper case.', examples: ['BBCA'] }),
    rank,
    close: price('Close of the day'),
    probability: probabilityNumber,
    ...winChance,
    score: number(
      'Score by which the strategy ranks picks, highest first, 0 to 100. Compare All ranks by `strategy_votes` ' +
        'first.',
    ),
    score_from_probability: number(
      'Points of `score` that come from `probability`; with Intersection, from the rank by it.',
    ),
    score_from_signals: number(
      'Points of `score` that signals add; negative where signals lower it, as in Inverse Signal. Adds up to ' +
        '`score` with `score_from_probability`.',
    ),
    strategy_votes: Type.Optional(VOTES),
    signals: Type.Integer({ minimum: 0, maximum: 4, description: 'Number of the four signals that fired.' }),
    entry_low: price('Lower end of the entry range'),
    entry_high: price('Upper end of the entry range'),
    stop: price('close × (1 − stop_loss), not rounded'),
    target: price('close × (1 + target_gain), not rounded'),
    tick_prices: Type.Object(
      {
        entry_low: price('Lowest tradable price of the entry range'),
        entry_high: price('Highest tradable price of the entry range'),
        stop: nullable(
          price('Highest tradable price at or below `stop`'),
          'Highest tradable price at or below `stop`, IDR. Null if that is below the floor of the ' +
            'stock’s board.',
        ),
        target: price('Lowest tradable price at or above `target`'),
      },
      {
        description:
          'The same levels as prices that the exchange accepts: on the tick, and not below its minimum price.',
      },
    ),
    reasons: Reasons,
  }),
);

export type CombinedPick = Static<typeof Pick>;

const CombinedCompactResult = named(
  'CombinedCompactResult',
  Type.Object(
    {
      model_id: Type.Literal(ID),
      view: Type.Literal('compact'),
      as_of: asOf,
      pick_count: pickCount,
      levels: Levels,
      picks: Type.Array(Pick, { description: 'Picks, best first.' }),
      model_quality: ModelQuality,
      notice: Notice,
      caution,
      missing,
      funnel: Type.Object(funnel, { description: 'How the universe was narrowed.' }),
      ...emptyBlock(funnel),
    },
    { description: `Result of ${ID}, compact view. All numbers are JSON numbers.` },
  ),
);

export const results = { full: CombinedResult, compact: CombinedCompactResult };
