import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { ContributionsOrNone, Notice, Reasons, words } from '../reasons/schema.ts';
import { CALIBRATION_DAYS } from '../inputs/history.ts';
import { BrokerData, DatasetVersion, Day, named, nullable, oneOf } from '#foundation/schema.ts';

/** Parts of results that several models share. */

export const asOf = Day('Trading day analysed. Show it to your users.');

export const pickCount = Type.Integer({
  description: 'Number of picks. Branch on this field to see whether there are any.',
});

export const Levels = named(
  'Levels',
  Type.Object(
    {
      target_gain_pct: Type.Number({ description: 'Distance of the target above the close, percent.' }),
      stop_loss_pct: Type.Number({ description: 'Distance of the stop below the close, percent.' }),
      entry_spread_pct: Type.Number({
        description: 'Maximum distance of the entry from the close on either side, percent.',
      }),
    },
    { description: 'Levels of all picks, from `target_gain` and `stop_loss` of the run.' },
  ),
);

const quality = {
  description:
    'Outcomes of the stocks that this run would have picked on past days that their models had not seen. ' +
    'For each day, these are the stocks that pass the filters of the run, in its own order, up to its ' +
    'maximum number of picks, also with `tickers` among all stocks. Only stocks with a close of at least 100 IDR and an average value of at ' +
    'least 1 billion IDR a day are forecast for past days; additional picks from lower minimums are not ' +
    'judged.',
};

export const ModelQuality = named(
  'ModelQuality',
  Type.Object(
    {
      win_rate: Type.Optional(
        Type.Number({
          description:
            'Share of these picks whose target was reached before their stop and in time, percent. Absent ' +
            'without candidates.',
        }),
      ),
      payoff: Type.Optional(
        Type.Number({
          description:
            'Average gain of the picks with a gain divided by the average loss of the others, after costs. ' +
            'Absent if there are none of either.',
        }),
      ),
      candidates: Type.Integer({ description: 'Number of these picks; 0 if there were none.' }),
      unfilled: Type.Integer({
        description:
          'Number of further picks that could not be bought, because the next day never came down to ' +
          '`entry_high` or the stock did not trade.',
      }),
    },
    quality,
  ),
);

export const resultDataset = named(
  'ResultDataset',
  Type.Object(
    {
      version: Type.String({ description: 'Dataset version analysed.', examples: ['synthetic-20240628-1'] }),
      kind: oneOf(['real', 'synthetic'], { description: 'Whether the market is real or generated.' }),
      broker_data: oneOf(['none', 'real', 'synthetic'], { description: 'Origin of the broker rows.' }),
      synthetic: Type.Boolean({ description: 'Whether the market is generated. If true, tell your users.' }),
    },
    { description: 'The dataset that was analysed.' },
  ),
);

const Suggestion = named(
  'Suggestion',
  Type.Object({
    param: Type.String({ description: 'Name of the parameter to change.', examples: ['min_probability'] }),
    value: Type.Union([Type.Number(), Type.String(), Type.Boolean()], {
      description: 'Suggested value. Send it unchanged.',
      examples: [58],
    }),
    label: words('Name of the filter.', 'Probabilitas minimum'),
    current: words('Current setting of the filter.', '65'),
    suggested: words('Suggested setting.', '58'),
    why: words('Effect of the change.', '4 saham akan lolos.'),
  }),
);

/** The block of a run without picks. `funnel` shows how far the candidates got. */
export function emptyBlock<Funnel extends TProperties>(funnel: Funnel) {
  const block = Type.Object(
    {
      reason: Type.Literal('no_results'),
      message: words('Filters of the run and how far the candidates got.'),
      funnel: Type.Object(funnel),
      suggestions: Type.Array(Suggestion, {
        description:
          'Filters to loosen and the values to use, tried on the same day. Each suggestion is enough on ' +
          'its own, unless its `why` says that all are needed together.',
      }),
      changes: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Boolean()]), {
        description:
          'Smallest set of changes that gives picks, keyed by parameter. Merge it into the `params` of ' +
          'the run and submit the result. Empty if no filter would help.',
        examples: [{ min_probability: 58 }],
      }),
    },
    { description: 'Present only if `pick_count` is 0, which is a success.' },
  );
  return { empty: Type.Optional(block) };
}

/** Members of the full view of a learning screen in addition to its picks. */
export function picksMembers<Funnel extends TProperties>(funnel: Funnel) {
  return { levels: Levels, model_quality: ModelQuality, ...emptyBlock(funnel) };
}

export const step = (description: string) => Type.Integer({ description });
/** Steps of the funnel that all market screens share, widest first. */
export const scanned = step(
  'Number of stocks that can be traded, at any price and value. Like every count, only of `tickers` if the run names any.',
);
export const liquid = step('Number of these stocks above the minimum price and value.');
export const final = step('Number of picks.');

/** An object with a schema for each of these words. */
export function each<Word extends string, S>(words: readonly Word[], schemaOf: (word: Word) => S) {
  return Object.fromEntries(words.map((word) => [word, schemaOf(word)])) as Record<Word, S>;
}

const stage = (description: string) => Type.Optional(Type.Integer({ description }));
/** The keys of `diag.timings_ms`. */
const STAGES = ['dataset', 'broker_rows', 'training_rows', 'learning', 'scoring', 'selection'] as const;
export type Stage = (typeof STAGES)[number];

const STAGE_TEXTS: Record<Stage, string> = {
  dataset: 'Time until the dataset was in memory and a thread of the worker was free.',
  broker_rows: 'Time to read the broker rows that were not in memory.',
  training_rows: 'Time to prepare the features and outcomes to learn from.',
  learning: 'Time to learn the model and judge it on past days.',
  scoring: 'Time to compute the chances of the stocks of the day.',
  selection: 'Time for filters, order, quality and the result itself.',
};

export const timings = Type.Optional(
  Type.Object(
    { ...each(STAGES, (name) => stage(STAGE_TEXTS[name])), total: stage('Total time.') },
    {
      description:
        'Duration of the stages of the run, milliseconds. Stages that the run did not have are absent. ' +
        'Only this object and `origin` of the model describe this particular run; everything else follows ' +
        'from the request.',
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
            'Picks, best first. Numbers and display-formatted strings are mixed: parse defensively.',
        }),
        ...members,
        notice: Notice,
        missing,
        diag: Type.Object(
          { ...diag, dataset_version: DatasetVersion, broker_data: BrokerData, timings_ms: timings },
          { description: 'How the universe was narrowed, and what the run trained.' },
        ),
        dataset: resultDataset,
      },
      { description: `Result of ${modelId}, full view.` },
    ),
  );
}

/** Columns of rows of `df_result` that several models have. */

export const ticker = Type.String({ description: 'Ticker code.', examples: ['BBCA'] });
export const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] });
export const number = (description: string) => Type.Number({ description });

const REGIMES = ['BULL', 'SIDEWAYS', 'BEAR'] as const;
export const regime = oneOf(REGIMES, { description: 'Market regime that the run worked with.' });

export const LAST_CLOSE = text('Close of the day with thousands separators, IDR.', '1,250');
export const DAILY_VAL = text(
  'Average traded value over 20 days, abbreviated IDR with a unit: K, M, B, T.',
  '12.4B',
);
export const RSI = number('Relative strength index over 14 bars, 0 to 100.');

const PROBABILITY =
  'Probability of superiority, percent: how likely twenty trades with the chance of this stock are to ' +
  'contain more winners than twenty trades at the base rate, with ties split. 50 is the average stock';

/** The base rate in words. The unweighted share of a whole training window differs from it by some points. */
export const BASE_RATE =
  'Usual chance that `probability` compares the chance with, percent: share of orders that reached the target before the stop on ' +
  `the days that chances were calibrated on, the newest of the training window, ${CALIBRATION_DAYS} at most. The more an outcome ` +
  'overlaps others, the less it weighs';

/** The two rates that `probability` compares. */
export const winChance = {
  win_chance_pct: nullable(
    Type.Number(),
    'Calibrated chance that the target is reached before the stop, percent. Null without a model.',
  ),
  base_rate_pct: nullable(Type.Number(), `${BASE_RATE}. Null without a model.`),
};

export const probabilityNumber = Type.Number({ description: `${PROBABILITY}. One decimal.` });

/** After its columns a row has every feature of the model. */
export const withFeatures = {
  additionalProperties: number(
    'Value of a feature of the model, by its name in `feature_names` of `diag.model`. Four decimals.',
  ),
};

/** The place of a pick, under the name of each view. */
export const rank = Type.Integer({
  minimum: 1,
  description:
    'Rank: 1 is the best. Counts every stock that the run ranked, also those that `tickers` does not let it pick.',
});

/** A member of the results of runs that name `tickers`. */
export const missing = Type.Optional(
  Type.Array(Type.String(), {
    description: 'Requested `tickers` that the dataset does not have. Absent if the run names none.',
  }),
);

/** What `Score` is made of, for models that rank by more than the probability. */
export function scoreParts<Rest extends string>(rest: Rest, description: string) {
  return {
    'Score From Probability': number('Points of `Score` that come from `Probability`.'),
    ...each([`Score From ${rest}` as const], () =>
      number(`${description} Adds up to \`Score\` with \`Score From Probability\`.`),
    ),
  };
}

/** Columns of every learning screen's rows. */
export const pickColumns = {
  Ticker: ticker,
  Rank: rank,
  Regime: regime,
  Probability: text(`${PROBABILITY}. \`-\` without a model.`, '63.2%'),
  ...winChance,
  Score: number('Score by which the picks are ranked, highest first, 0 to 100.'),
  'Last Close': LAST_CLOSE,
  'Daily Val': DAILY_VAL,
  RSI,
  'Ret 20D': text('Return over 20 bars, signed percent.', '+4.10%'),
  'Foreign Net 5D': text('Net purchases of foreign investors over 5 days, abbreviated IDR.', '-3.2B'),
  Entry: number(
    'Close of the day, IDR, from which the levels are computed. This price is no longer available: an ' +
      'order on the next trading day bids at most `entry_high`.',
  ),
  Stop: number('Close × (1 − stop_loss), IDR, not rounded.'),
  Target: number('Close × (1 + target_gain), IDR, not rounded.'),
  'Stop Tick': nullable(
    Type.Number(),
    'Highest tradable price at or below the stop, IDR. Null if the stop is below the floor of the stock’s ' +
      'board.',
  ),
  'Target Tick': number('Lowest tradable price at or above the target, IDR.'),
};

/** Follow the columns in the rows of every learning screen. */
export const pickReasons = { reasons: Reasons, contributions: ContributionsOrNone };

export type PickRow = Static<TObject<typeof pickColumns>>;

export const SIGNALS = Type.Integer({ description: 'Number of the four signals that fired, 0 to 4.' });
export const SIGNAL_DETAIL = words('Signals that fired; `-` for none.');
