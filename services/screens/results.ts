import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { ContributionsOrNone, Notice, Reasons, words } from './reasons/schema.ts';
import { BrokerData, DatasetVersion, Day, named, nullable, oneOf } from '#shared/schema.ts';

/** Parts of results that several models share. */

export const asOf = Day('Trading day analysed. Show it to your users.');

export const pickCount = Type.Integer({
  description: 'Number of picks. Branch on this to see whether there are any.',
});

export const Levels = named(
  'Levels',
  Type.Object(
    {
      target_gain_pct: Type.Number({ description: 'Where the target lies above the close, percent.' }),
      stop_loss_pct: Type.Number({ description: 'Where the stop lies below the close, percent.' }),
      entry_spread_pct: Type.Number({
        description: 'How far an entry may lie from the close on either side, percent.',
      }),
    },
    { description: 'The levels of every pick, after `target_gain` and `stop_loss` of the run.' },
  ),
);

const quality = {
  description:
    'What came of the names that this run would have picked on past days that their models had not seen: of each day those that pass its filters, in its own order, as many as it may pick. Only names with a close of 100 IDR and an average value of 1 billion IDR a day or more are forecast for past days; what lower floors add to the picks is not judged.',
};

export const ModelQuality = named(
  'ModelQuality',
  Type.Object(
    {
      win_rate: nullable(
        Type.Number(),
        'Share of these picks whose target was reached before their stop and in time, percent; null without candidates.',
      ),
      payoff: nullable(
        Type.Number(),
        'Mean gain of those that gained over the mean loss of the others, after costs; null when there is none of either.',
      ),
      candidates: Type.Integer({ description: 'How many picks that is.' }),
      unfilled: Type.Integer({
        description:
          'Picks beside these that could not be bought: the next day never came down to `entry_high`, or the stock did not trade.',
      }),
    },
    quality,
  ),
);

const ResultDataset = named(
  'ResultDataset',
  Type.Object(
    {
      version: Type.String({ description: 'Dataset version analysed.', examples: ['synthetic-20240628-1'] }),
      kind: oneOf(['real', 'synthetic'], { description: 'Whether the market is real or generated.' }),
      broker_data: oneOf(['none', 'real', 'synthetic'], { description: 'Where its broker rows come from.' }),
      synthetic: Type.Boolean({ description: 'Whether the market is generated: then say so to your users.' }),
    },
    { description: 'What was analysed.' },
  ),
);

const Suggestion = named(
  'Suggestion',
  Type.Object({
    param: Type.String({ description: 'The parameter to change.', examples: ['min_probability'] }),
    value: Type.Union([Type.Number(), Type.String(), Type.Boolean()], {
      description: 'What to set it to: send it as it is.',
      examples: [58],
    }),
    label: words('The filter.', 'Probabilitas minimum'),
    current: words('Its present setting.', '65'),
    suggested: words('What to set it to.', '58'),
    why: words('What that would let through.', '4 saham akan lolos.'),
  }),
);

/** The block of a run without picks. `funnel` shows how far the candidates got. */
export function emptyBlock<Funnel extends TProperties>(funnel: Funnel) {
  const block = Type.Object(
    {
      reason: Type.Literal('no_results'),
      message: words('What was looked for, and how far it came.'),
      funnel: Type.Object(funnel),
      suggestions: Type.Array(Suggestion, {
        description:
          'Which filters to loosen and to what, tried on the same day. Each is enough alone, ' +
          'unless its `why` says that all go together.',
      }),
      changes: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Boolean()]), {
        description:
          'The fewest changes that give picks, by parameter: lay them over the `params` of the run and submit that. ' +
          'Empty when no filter would help.',
        examples: [{ min_probability: 58 }],
      }),
    },
    { description: 'Only when `pick_count` is 0, which is a success.' },
  );
  return { empty: Type.Optional(block) };
}

/** Members of the full view of a learning screen in addition to its picks. */
export function picksMembers<Funnel extends TProperties>(funnel: Funnel) {
  return { levels: Levels, model_quality: ModelQuality, ...emptyBlock(funnel) };
}

export const step = (description: string) => Type.Integer({ description });
/** Steps of the funnel that all market screens share, widest first. */
export const scanned = step('Stocks that can be dealt in, of any price and value.');
export const liquid = step('Those above the floors of price and value.');
export const final = step('Picks.');

/** An object with a schema for each of these words. */
export function each<Word extends string, S>(words: readonly Word[], schemaOf: (word: Word) => S) {
  return Object.fromEntries(words.map((word) => [word, schemaOf(word)])) as Record<Word, S>;
}

const stage = (description: string) => Type.Optional(Type.Integer({ description }));
/** The keys of `diag.timings_ms`. */
const STAGES = ['dataset', 'broker_rows', 'training_rows', 'learning', 'scoring', 'selection'] as const;
export type Stage = (typeof STAGES)[number];

const STAGE_TEXTS: Record<Stage, string> = {
  dataset: 'Until the dataset was in memory.',
  broker_rows: 'Reading the broker rows that were not in memory.',
  training_rows: 'Features and outcomes to learn from.',
  learning: 'Learning the model and judging it on past days.',
  scoring: 'The chances of the names of the day.',
  selection: 'Filters, order, quality and the result itself.',
};

const timings = Type.Optional(
  Type.Object(
    { ...each(STAGES, (name) => stage(STAGE_TEXTS[name])), total: stage('All of it.') },
    {
      description:
        'Where the time of the run went, milliseconds; stages that it did not have are absent. This and `origin` of ' +
        'the model say how this one run went; all else follows from what was asked for.',
    },
  ),
);

interface FullView<Members extends TProperties, Row extends TObject, Diag extends TProperties> {
  modelId: string;
  /** Members of this model in addition to the common ones. */
  members: Members;
  /** A row of `df_result`. */
  row: Row;
  /** How the universe was narrowed, and other members of `diag`. */
  diag: Diag;
}

/** The full view of a model. All models have the same envelope. */
export function fullView<Members extends TProperties, Row extends TObject, Diag extends TProperties>(
  name: string,
  { modelId, members, row, diag }: FullView<Members, Row, Diag>,
) {
  return named(
    name,
    Type.Object(
      {
        model_id: Type.Literal(modelId),
        view: Type.Literal('full'),
        as_of: asOf,
        target_date: asOf,
        pick_count: pickCount,
        df_result: Type.Array(named(`${name}Row`, row), {
          description:
            'The picks, best first. Numbers and display-formatted strings mixed: parse defensively.',
        }),
        ...members,
        notice: Notice,
        diag: Type.Object(
          { ...diag, dataset_version: DatasetVersion, broker_data: BrokerData, timings_ms: timings },
          { description: 'How the universe was narrowed, and what the run learnt.' },
        ),
        dataset: ResultDataset,
      },
      { description: `Result of ${modelId}, full view.` },
    ),
  );
}

/** Columns of rows of `df_result` that several models have. */

export const ticker = Type.String({ description: 'Ticker.', examples: ['BBCA'] });
export const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] });
export const number = (description: string) => Type.Number({ description });

const REGIMES = ['BULL', 'SIDEWAYS', 'BEAR'] as const;
export const regime = oneOf(REGIMES, { description: 'Condition of the market that the run worked with.' });

export const LAST_CLOSE = text('Close of the day, thousands separated, IDR.', '1,250');
export const DAILY_VAL = text(
  'Mean traded value of 20 days, abbreviated IDR with a unit: K, M, B, T.',
  '12.4B',
);
export const RSI = number('Relative strength index of 14 bars, 0 to 100.');

const PROBABILITY =
  'Probability of superiority, percent: how likely twenty trades with the chance of this name are to hold more winners ' +
  'than twenty at the base rate, ties split. 50 is the average name';

/** The two rates that `probability` compares. */
export const winChance = {
  win_chance_pct: nullable(
    Type.Number(),
    'Calibrated chance that the target is reached before the stop, percent; null without a model.',
  ),
  base_rate_pct: nullable(
    Type.Number(),
    'Share of targets that came before their stop in the training window, percent; null without a model.',
  ),
};

export const probabilityNumber = Type.Number({ description: `${PROBABILITY}. One decimal.` });

/** After its columns a row has every feature of the model. */
export const withFeatures = {
  additionalProperties: number(
    'A feature that the model rests on, by its name in `feature_names` of `diag.model`. Four decimals.',
  ),
};

/** Columns of every learning screen's rows. */
export const pickColumns = {
  Ticker: ticker,
  Regime: regime,
  Probability: text(`${PROBABILITY}; \`-\` without a model.`, '63.2%'),
  ...winChance,
  Score: number('What the picks are ranked by, 0 to 100.'),
  'Last Close': LAST_CLOSE,
  'Daily Val': DAILY_VAL,
  RSI,
  'Ret 20D': text('Return over 20 bars, signed percent.', '+4.10%'),
  'Foreign Net 5D': text('What foreign investors bought, net, over 5 days, abbreviated IDR.', '-3.2B'),
  Entry: number(
    'Close of the day, IDR, which the levels are products of. It cannot be bought any more: an order of the next trading day bids `entry_high` at most.',
  ),
  Stop: number('Close × (1 − stop_loss), IDR, not rounded.'),
  Target: number('Close × (1 + target_gain), IDR, not rounded.'),
  'Stop Tick': nullable(
    Type.Number(),
    'Highest tradable price at or under the stop, IDR; null where the stop lies under the lowest price of the exchange.',
  ),
  'Target Tick': number('Lowest tradable price at or above the target, IDR.'),
};

/** Follow the columns in the rows of every learning screen. */
export const pickReasons = { reasons: Reasons, contributions: ContributionsOrNone };

export type PickRow = Static<TObject<typeof pickColumns>>;

export const SIGNALS = Type.Integer({ description: 'How many of the four signals fired, 0 to 4.' });
export const SIGNAL_DETAIL = words('Which ones; `-` for none.');
