import Type, { type Static } from 'typebox';
import { BASE_RATE } from '../results/results.ts';
import { DatasetVersion, Day, named, nullable, oneOf } from '#foundation/schema.ts';

/** Where the model of a run comes from. */
const ORIGINS = ['learnt', 'reused'] as const;
export type Origin = (typeof ORIGINS)[number];

const hex = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });
export const percent = (description: string) => Type.Number({ description: `${description}, percent.` });

/** Fields of every trained model, whatever it forecasts. */
export const trainedModel = {
  fingerprint: hex(
    'SHA-256 over the dataset version, the parameters, the view, and every number that the model was ' +
      'trained on and scored. On one release of the service, the same fingerprint means the same result, byte for ' +
      'byte.',
  ),
  onnx_sha256: hex('SHA-256 of the file at /api/v1/jobs/{job_id}/model, in hex.'),
  onnx_bytes: Type.Integer({ description: 'Length of that file, in bytes.' }),
  seed: Type.Integer({ description: 'Seed of all random draws in the training.' }),
  dataset_version: DatasetVersion,
  origin: Type.Optional(
    oneOf(ORIGINS, {
      description:
        'Whether this run learnt the model, or reused the model that an earlier run learnt from exactly ' +
        'the same numbers. The result is the same, byte for byte.',
    }),
  ),
};

export const trainingWindow = {
  from: Day('First day of the training data.'),
  to: Day('Last day of the training data. Its outcomes were known on the analysed day.'),
  days: Type.Integer({ description: 'Number of trading days from the first to the last.' }),
  rows: Type.Integer({ description: 'Number of stock-days in the training data.' }),
};

export const features = {
  features: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Name of the feature.' }),
      importance_pct: percent('Share of the feature in the gain of all splits'),
    }),
    { description: 'Most important features, most important first.' },
  ),
  feature_names: Type.Array(Type.String(), {
    description: 'All features, in the order of the graph’s input.',
  }),
};

export const caution = Type.Optional(
  Type.String({
    description:
      'Present only if the model was no better than chance, or than the average frequencies, on days that ' +
      'it had not seen, or if the history is too short to measure that. `notice` begins with it: show it to your users. In the language of the reasons.',
  }),
);

export const rounds = Type.Integer({ description: 'Number of boosting rounds.' });
export const calibration = Type.String({
  description: 'Method by which scores were turned into probabilities.',
});

const measure = (description: string) => nullable(Type.Number(), `${description}. Null without forecasts.`);

const outOfFold = Type.Object(
  {
    rows: Type.Integer({ description: 'Number of forecasts.' }),
    covers: Type.Object(
      {
        min_price: Type.Number({ description: 'Minimum close, IDR.' }),
        min_daily_val: Type.Number({ description: 'Minimum average daily value, IDR.' }),
      },
      { description: 'Minimums of the stocks that were learnt from and forecast.' },
    ),
    auc: nullable(
      Type.Number(),
      'Area under the ROC curve. 0.5 means no skill. Null if all outcomes were the same.',
    ),
    log_loss: measure('Average log-loss, nats'),
    brier: measure('Mean squared error of the probabilities'),
    calibration_error: measure(
      'Expected calibration error: average distance between forecast and frequency, a fraction',
    ),
    win_rate_pct: measure('Share of forecasts whose target was reached before the stop, percent'),
    top_decile_win_rate_pct: measure('Same share among the tenth with the highest probabilities, percent'),
    reliability: Type.Array(
      Type.Object({
        forecast_pct: percent('Average forecast chance'),
        won_pct: percent('Share of these forecasts that won'),
        rows: Type.Integer({ description: 'Number of forecasts.' }),
      }),
      {
        description:
          'Forecasts compared with outcomes, by tenths of the chance from 0 to 100 percent, lowest first, ' +
          'without empty tenths. A calibrated model wins as often as it forecasts.',
      },
    ),
  },
  { description: 'Forecasts for past days that their models had not seen, compared with the outcomes.' },
);
/** Results of forecasts on days that the models had not seen. */
export type OutOfFold = Static<typeof outOfFold>;

/** A model that forecasts whether the target comes before the stop. */
export const TrainedModel = named(
  'LearntModel',
  Type.Object(
    {
      ...trainedModel,
      training: Type.Object({
        ...trainingWindow,
        base_rate_pct: Type.Number({ description: `${BASE_RATE}.` }),
      }),
      rounds,
      calibration,
      out_of_fold: outOfFold,
      caution,
      ...features,
    },
    { description: 'The model of this run and its measured quality.' },
  ),
);

export const TrainedModelOrNone = nullable(
  TrainedModel,
  'The model of this run. Null if the run learnt nothing.',
);
