import Type, { type Static } from 'typebox';
import { RETURN_BUCKETS } from '#quant/recovery/trajectory.ts';
import { named, oneOf } from '#foundation/schema.ts';
import {
  calibration,
  caution,
  features,
  trainedModel,
  percent,
  rounds,
  trainingWindow,
} from '../trained/result.ts';
import { Notice, Reasons, words } from '../reasons/schema.ts';
import { asOf, each, fullView, LAST_CLOSE, missing, number, step, text, ticker } from '../results/results.ts';
import { PositionContributions } from '../results/recovery-contributions.ts';
import { ID } from './params.ts';

const price = (description: string) => Type.Number({ description: `${description}, IDR.` });
const outlook = oneOf(['BEARISH', 'NEUTRAL', 'BULLISH'], {
  description: 'Direction that leads by at least 15 percentage points.',
});
const bucket = oneOf(['loser', 'neutral', 'winner'], {
  description: 'State of the position: a loser at -2 % or less, a winner at +2 % or more.',
});
const horizonDays = Type.Integer({ description: 'Horizon of the forecast, in trading days.' });

const summary = Type.Object(
  {
    total: step('Number of positions judged.'),
    winners: step('Number of winners among them.'),
    neutral: step('Number of neutral positions among them.'),
    losers: step('Number of losers among them.'),
  },
  { description: 'Number of positions by state.' },
);

const skipped = Type.Optional(
  Type.Array(
    Type.Object({
      ticker: Type.String({ description: 'Ticker as sent, in upper case.' }),
      reason: words('Reason the position could not be judged.'),
    }),
    { description: 'Positions that could not be judged. Absent if all could be judged.' },
  ),
);

const trajectory = Type.Object(
  each(RETURN_BUCKETS, (name) => percent(`Chance of ${name}`)),
  { description: 'Probabilities of the price ranges at the end of the horizon. They sum to 100.' },
);

const measured = (description: string) =>
  Type.Optional(Type.Number({ description: `${description}. Absent without forecasts.` }));

const Quality = Type.Object(
  {
    log_loss: measured('Average log-loss of the forecasts, nats'),
    climatology_log_loss: measured(
      'Same measure for a forecast that only knows how often each outcome occurs',
    ),
    brier_score: measured('Brier score over the five outcomes, 0 to 2; lower is better'),
    climatology_brier_score: measured(
      'Same measure for a forecast that only knows how often each outcome occurs',
    ),
    brier_skill: Type.Optional(
      Type.Number({
        description:
          '1 − `brier_score` / `climatology_brier_score`. Above 0, the forecast is better than knowing the ' +
          'frequencies alone. Absent without forecasts, and if the frequencies alone were always right.',
      }),
    ),
    candidates: Type.Integer({ description: 'Number of these forecasts; 0 if there were none.' }),
  },
  { description: 'Forecasts for past days that their models had not seen, compared with the outcomes.' },
);
const ModelQuality = named('RecoveryQuality', Quality);
export type RecoveryQuality = Static<typeof Quality>;

const Model = named(
  'RecoveryModel',
  Type.Object(
    {
      ...trainedModel,
      training: Type.Object({ ...trainingWindow, base_rates_pct: trajectory }),
      rounds,
      calibration,
      temperature: Type.Optional(
        Type.Number({ description: 'Number by which scores were divided before they became chances.' }),
      ),
      out_of_fold: ModelQuality,
      caution,
      ...features,
    },
    { description: 'The model of this run and its measured quality.' },
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
    'Avg Price': text('Average purchase price with thousands separators, IDR.', '1,365'),
    'Prob Up': shown('Chance of CLIMB or RALLY'),
    'Prob Down': shown('Chance of CRASH or DECLINE'),
    'Prob Neutral': shown('Chance of SIDEWAYS'),
    ...each(RETURN_BUCKETS, (name) => shown(`Chance of ${name}`)),
    'Restore Target': level(
      'Price that one in four similar paths exceeds; for a loser, at most its average purchase price',
    ),
    'Support Level': level('Price that four in five similar paths stay above, or the last swing low'),
    'Exit Window': words('Trading days within which similar paths reach the target.', '6-14 hari'),
    Reason: words('Meaning of the numbers of the position.', 'Tren turun belum berhenti.'),
    reasons: Reasons,
    contributions: PositionContributions,
  },
  { additionalProperties: number('Value of a feature of the forecast, by its name.') },
);
export type RecoveryRow = Omit<Static<typeof row>, 'reasons' | 'contributions'>;

const RecoveryResult = fullView('RecoveryResult', {
  modelId: ID,
  members: { horizon_days: horizonDays, summary, skipped, model_quality: ModelQuality },
  row,
  diag: {
    total: step('Number of positions sent.'),
    known: step('Number of these positions whose ticker is in the dataset.'),
    evaluated: step('Number of these positions that could be judged.'),
    final: step('Equal to `evaluated`.'),
    model: Model,
  },
});

const Level = named(
  'PriceLevel',
  Type.Object({
    price: price('Price'),
    change_pct: percent('Distance from the current price'),
    tick_price: price('Same price rounded to one that the exchange accepts: a target up, a support down'),
  }),
);

export type PriceLevel = Static<typeof Level>;

const Position = named(
  'RecoveryPosition',
  Type.Object({
    ticker: Type.String({ description: 'Ticker in upper case.', examples: ['BBCA'] }),
    pnl_pct: percent('Profit or loss'),
    current_price: price('Last close'),
    avg_price: price('Average purchase price'),
    outlook,
    bucket,
    reason: words('Meaning of the numbers of the position.'),
    restore_target: Level,
    support_level: Level,
    exit_window: Type.Object(
      {
        day_from: Type.Integer({
          description: 'First trading day of the window, counted from the analysed day.',
        }),
        day_to: Type.Integer({
          description: 'Last trading day of the window, counted from the analysed day.',
        }),
      },
      { description: 'Window in which similar paths reach `restore_target`.' },
    ),
    probabilities: Type.Object(
      {
        up: percent('Chance of CLIMB or RALLY'),
        down: percent('Chance of CRASH or DECLINE'),
        neutral: percent('Chance of SIDEWAYS'),
      },
      { description: 'The trajectory, summed up in three directions.' },
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
      model_id: Type.Literal(ID),
      view: Type.Literal('compact'),
      as_of: asOf,
      horizon_days: horizonDays,
      summary,
      positions: Type.Array(Position, { description: 'Positions, in the order in which they were sent.' }),
      skipped,
      notice: Notice,
      caution,
      missing,
    },
    { description: `Result of ${ID}, compact view. All numbers are JSON numbers.` },
  ),
);

export const results = { full: RecoveryResult, compact: RecoveryCompactResult };
