import Type, { type Static } from 'typebox';
import { DatasetVersion, Day, named, nullable, oneOf } from '#shared/schema.ts';

/** Where the model of a run comes from. */
const ORIGINS = ['learnt', 'reused'] as const;
export type Origin = (typeof ORIGINS)[number];

const hex = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });
const percent = (description: string) => Type.Number({ description: `${description}, percent.` });

/** Fields of every learnt model, whatever it forecasts. */
export const learntModel = {
  fingerprint: hex(
    'SHA-256 over the dataset version, the parameters, the view, and every number that the model learnt from and ' +
      'scored: on one release of the service the same fingerprint is the same result, byte for byte.',
  ),
  onnx_sha256: hex('SHA-256 of the file at /api/v1/jobs/{job_id}/model, in hex.'),
  onnx_bytes: Type.Integer({ description: 'Length of that file.' }),
  seed: Type.Integer({ description: 'Of everything drawn in the training.' }),
  dataset_version: DatasetVersion,
  origin: Type.Optional(
    oneOf(ORIGINS, {
      description:
        'Whether this run learnt it, or an earlier one from the very same numbers. The result is the same, byte for byte.',
    }),
  ),
};

export const trainingWindow = {
  from: Day('First day learnt from.'),
  to: Day('Last day learnt from: what came of it was known on the day analysed.'),
  days: Type.Integer({ description: 'Trading days from the first to the last.' }),
  rows: Type.Integer({ description: 'Stock-days learnt from.' }),
};

export const features = {
  features: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Name of the feature.' }),
      importance_pct: percent('Its share of what all splits gained'),
    }),
    { description: 'The most important ones, most important first.' },
  ),
  feature_names: Type.Array(Type.String(), {
    description: 'All of them, in the order of the graph’s input.',
  }),
};

export const caution = Type.Optional(
  Type.String({
    description:
      'Only of a model that was no better than chance, or than the average frequencies, on days that it had not ' +
      'seen: show it to your users. In the language of the reasons.',
  }),
);

export const rounds = Type.Integer({ description: 'Rounds of boosting.' });
export const calibration = Type.String({ description: 'How scores were turned into probabilities.' });

const measure = (description: string) => nullable(Type.Number(), `${description}; null of no forecast.`);

const outOfFold = Type.Object(
  {
    rows: Type.Integer({ description: 'How many.' }),
    covers: Type.Object(
      {
        min_price: Type.Number({ description: 'Lowest close, IDR.' }),
        min_daily_val: Type.Number({ description: 'Lowest mean daily value, IDR.' }),
      },
      { description: 'Floors of the stocks that were learnt from and forecast.' },
    ),
    auc: nullable(
      Type.Number(),
      'Area under the ROC curve; 0.5 knows nothing, null when all came out alike.',
    ),
    log_loss: measure('Mean log-loss, nats'),
    brier: measure('Mean squared error of the probabilities'),
    calibration_error: measure(
      'Expected calibration error: mean distance of forecast from frequency, a fraction',
    ),
    win_rate_pct: measure('Share whose target came before their stop, percent'),
    top_decile_win_rate_pct: measure('The same of the tenth with the highest probabilities, percent'),
    reliability: Type.Array(
      Type.Object({
        forecast_pct: percent('Mean chance that was forecast'),
        won_pct: percent('How many of them won'),
        rows: Type.Integer({ description: 'How many forecasts.' }),
      }),
      {
        description:
          'Forecasts against what came, by tenths of the chance from 0 to 100 percent, lowest first, without empty tenths. ' +
          'A calibrated model wins as often as it forecasts.',
      },
    ),
  },
  { description: 'Forecasts of past days that their models had not seen, against what came.' },
);
/** Results of forecasts on days that the models had not seen. */
export type OutOfFold = Static<typeof outOfFold>;

/** A model that forecasts whether the target comes before the stop. */
export const LearntModel = named(
  'LearntModel',
  Type.Object(
    {
      ...learntModel,
      training: Type.Object({
        ...trainingWindow,
        base_rate_pct: percent(
          'What probabilities are relative to: share of targets that came before their stop on the past days that probabilities were calibrated on',
        ),
      }),
      rounds,
      calibration,
      out_of_fold: outOfFold,
      caution,
      ...features,
    },
    { description: 'The model of this run, and how it was measured.' },
  ),
);

export const LearntModelOrNone = nullable(LearntModel, 'The model of this run; null when it learnt nothing.');
