import Type, { type Static } from 'typebox';
import { RETURN_BUCKETS } from '#quant/recovery/trajectory.ts';
import { named, nullable, oneOf } from '#shared/schema.ts';
import { calibration, caution, features, learntModel, rounds, trainingWindow } from '../learnt/result.ts';
import { Notice, Reasons, words } from '../reasons/schema.ts';
import { asOf, each, fullView, LAST_CLOSE, number, step, text, ticker } from '../results.ts';
import { PositionContributions } from './contributions-schema.ts';
import { recovery } from './model.ts';

const percent = (description: string) => Type.Number({ description: `${description}, percent.` });
const price = (description: string) => Type.Number({ description: `${description}, IDR.` });
const outlook = oneOf(['BEARISH', 'NEUTRAL', 'BULLISH'], {
  description: 'The side that leads by 15 percentage points or more.',
});
const bucket = oneOf(['loser', 'neutral', 'winner'], {
  description: 'How the position stands: a loser from -2 % down, a winner from +2 % up.',
});
const horizonDays = Type.Integer({ description: 'Trading days that the forecast looks ahead.' });

const summary = Type.Object(
  {
    total: step('Positions judged.'),
    winners: step('Winners among them.'),
    neutral: step('Neutral ones among them.'),
    losers: step('Losers among them.'),
  },
  { description: 'How the positions stand.' },
);

const skipped = Type.Optional(
  Type.Array(
    Type.Object({
      ticker: Type.String({ description: 'As sent, in upper case.' }),
      reason: words('Why it could not.'),
    }),
    { description: 'Positions that could not be judged; absent when all could.' },
  ),
);

const trajectory = Type.Object(
  each(RETURN_BUCKETS, (name) => percent(`Chance of ${name}`)),
  { description: 'Where the price may stand at the end of the horizon; sums to 100.' },
);

const measure = (description: string) => nullable(Type.Number(), `${description}; null without forecasts.`);

const Quality = Type.Object(
  {
    log_loss: measure('Mean log-loss of the forecasts, nats'),
    climatology_log_loss: measure('The same of one that only knows how often each comes'),
    brier_score: measure('Brier’s score over the five outcomes, 0 to 2; lower is better'),
    climatology_brier_score: measure('The same of one that only knows how often each comes'),
    brier_skill: nullable(
      Type.Number(),
      '1 − the first over the second: above 0 is better than knowing that alone; null without forecasts, and where that was always right.',
    ),
    candidates: Type.Integer({ description: 'How many forecasts that is.' }),
  },
  { description: 'Forecasts of past days that their models had not seen, against what came.' },
);
const ModelQuality = named('RecoveryQuality', Quality);
export type RecoveryQuality = Static<typeof Quality>;

const Model = named(
  'RecoveryModel',
  Type.Object(
    {
      ...learntModel,
      training: Type.Object({ ...trainingWindow, base_rates_pct: trajectory }),
      rounds,
      calibration,
      temperature: Type.Optional(
        Type.Number({ description: 'What scores were divided by before they became chances.' }),
      ),
      out_of_fold: ModelQuality,
      caution,
      ...features,
    },
    { description: 'The model of this run, and how it was measured.' },
  ),
);

const shown = (what: string) => text(`${what}, percent.`, '41.3%');
const level = (what: string) => text(`${what}, IDR, and its distance from the last close.`, '1,310 (+4.80%)');

const row = Type.Object(
  {
    Ticker: ticker,
    Outlook: outlook,
    Bucket: bucket,
    'P/L': text('Profit or loss, signed percent.', '-8.40%'),
    'Last Close': LAST_CLOSE,
    'Avg Price': text('Average buy price, thousands separated, IDR.', '1,365'),
    'Prob Up': shown('Chance of CLIMB or RALLY'),
    'Prob Down': shown('Chance of CRASH or DECLINE'),
    'Prob Neutral': shown('Chance of SIDEWAYS'),
    ...each(RETURN_BUCKETS, (name) => shown(`Chance of ${name}`)),
    'Restore Target': level('What one like path in four goes beyond; for a loser at most its average price'),
    'Support Level': level('What four like paths in five stay above, or the last swing low'),
    'Exit Window': words('Trading days within which like paths get to the target.', '6-14 hari'),
    Reason: words('What its numbers mean.', 'Tren turun belum berhenti.'),
    reasons: Reasons,
    contributions: PositionContributions,
  },
  { additionalProperties: number('A feature that the forecast rests on, by its name.') },
);
export type RecoveryRow = Omit<Static<typeof row>, 'reasons' | 'contributions'>;

const RecoveryResult = fullView('RecoveryResult', {
  modelId: recovery.id,
  members: { horizon_days: horizonDays, summary, skipped, model_quality: ModelQuality },
  row,
  diag: {
    total: step('Positions sent.'),
    known: step('Those whose ticker the dataset has.'),
    evaluated: step('Those that could be judged.'),
    final: step('The same.'),
    model: Model,
  },
});

const Level = named(
  'PriceLevel',
  Type.Object({
    price: price('Price'),
    change_pct: percent('Distance from the current price'),
    tick_price: price('The same as a price that the exchange accepts: a target rounded up, a support down'),
  }),
);

export type PriceLevel = Static<typeof Level>;

const Position = named(
  'RecoveryPosition',
  Type.Object({
    ticker: Type.String({ description: 'In upper case.', examples: ['BBCA'] }),
    pnl_pct: percent('Profit or loss'),
    current_price: price('Last close'),
    avg_price: price('Average buy price'),
    outlook,
    bucket,
    reason: words('What its numbers mean.'),
    restore_target: Level,
    support_level: Level,
    exit_window: Type.Object(
      {
        day_from: Type.Integer({ description: 'First trading day of it, counted from the day analysed.' }),
        day_to: Type.Integer({ description: 'Last trading day of it.' }),
      },
      { description: 'When like paths get to `restore_target`.' },
    ),
    probabilities: Type.Object(
      {
        up: percent('CLIMB and RALLY'),
        down: percent('CRASH and DECLINE'),
        neutral: percent('SIDEWAYS'),
      },
      { description: 'The trajectory in three directions.' },
    ),
    trajectory,
    reasons: Reasons,
  }),
);

/** A position in the contract's fields. */
export type PositionOutlook = Omit<Static<typeof Position>, 'reasons'>;

const RecoveryCompactResult = named(
  'RecoveryCompactResult',
  Type.Object(
    {
      model_id: Type.Literal(recovery.id),
      view: Type.Literal('compact'),
      as_of: asOf,
      horizon_days: horizonDays,
      summary,
      positions: Type.Array(Position, { description: 'In the order in which they were sent.' }),
      skipped,
      notice: Notice,
    },
    { description: `Result of ${recovery.id}, compact view: numbers are numbers.` },
  ),
);

export const results = { full: RecoveryResult, compact: RecoveryCompactResult };
