import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ModelCheck } from '#proto/saring/models/v1/catalogue.ts';
import { messageNamed } from '#platform/wire/descriptors.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import { JsonText } from '../responses/send-json.ts';
import { defineRoute } from '../routing/define-route.ts';
import Type from 'typebox';
import type { RunPart } from '#shared/runs/run-parts.ts';
import { responseSchema } from '#platform/wire/message-schema.ts';
import { MODELS } from '#models/registry.ts';
import type { Language } from '#foundation/text/languages.ts';
import { Localised } from '#foundation/text/localised.ts';
import { SERVICE_NAMES } from '../declarations/called-services.ts';
import { Freshness, nullable, oneOf } from '../schemas/common.ts';
import { renderFreshness } from './render-freshness.ts';
import { named } from '#foundation/schema.ts';

const DatasetSchema = responseSchema(messageNamed('saring.market_data.v1.Dataset'));

const state = oneOf(['up', 'down']);

const RUN_PART_DESCRIPTIONS: Record<RunPart, string> = {
  storage: 'Whether the database can record runs.',
  queue: 'Whether runs can be queued for the workers.',
  workers: 'Whether a worker is alive and takes waiting runs.',
};
const runParts = Object.entries(RUN_PART_DESCRIPTIONS).map(([part, description]) => [
  part,
  oneOf(['up', 'down'], { description }),
]);

const ModelHealth = named(
  'ModelHealth',
  Type.Object({
    id: Type.String({ description: 'Model id.' }),
    can_complete: Type.Boolean({
      description: 'Whether `runs.can_complete` is true and the dataset has what the model needs.',
    }),
    reason: nullable(
      Type.String(),
      'Why not, in Bahasa Indonesia or the language selected by Accept-Language. Null if a run can complete.',
    ),
  }),
);

const Health = named(
  'Health',
  Type.Object({
    status: oneOf(['ok', 'degraded'], {
      description:
        '`ok` if all services are up, the dataset that should be served is in memory and a run can ' +
        'complete. Otherwise `degraded`.',
    }),
    data_loaded: Type.Boolean({
      description: 'Whether the dataset is in memory. If not, the first data request has to load it.',
    }),
    synthetic: nullable(
      Type.Boolean(),
      'Whether the market is generated. If true, tell your users. Null while no dataset is known.',
    ),
    synthetic_brokers: nullable(
      Type.Boolean(),
      'Whether the broker rows are generated. If true, tell your users wherever you show brokers. Null ' +
        'while no dataset is known.',
    ),
    dataset: nullable(
      DatasetSchema,
      'The dataset in use. Null if none is published or the dataset cannot be determined.',
    ),
    freshness: nullable(
      Freshness,
      'Whether the dataset lacks trading days, since when and why. Null while no dataset is known. Days that are missing do not ' +
        'make the status `degraded`.',
    ),
    lost_dataset: nullable(
      Type.String(),
      'Version that should be served but is missing from the store. Null if none is missing. The operator ' +
        'chooses its replacement.',
    ),
    services: Type.Object(
      {
        ...Object.fromEntries(SERVICE_NAMES.map((name) => [name, state])),
        scheduler: Type.Optional(
          oneOf(['up', 'down'], {
            description:
              'State of the scheduler, which runs schedules. Absent if the gateway does not know it.',
          }),
        ),
        feed: Type.Optional(
          oneOf(['up', 'down'], {
            description:
              'State of the feed, which brings new trading days. Absent if the gateway does not know it. Whether its ' +
              'sources can be read is in `freshness`.',
          }),
        ),
        model_workers: oneOf(['up', 'down'], {
          description: 'Whether any worker is alive. Equal to `runs.workers`.',
        }),
      },
      { description: 'State of the services behind the gateway, and of the services behind those.' },
    ),
    runs: Type.Object(
      {
        can_complete: Type.Boolean({
          description:
            'Whether the service can complete runs. If not, submissions are refused with 503 ' +
            '`model_unavailable`, or are accepted and complete once that is possible. `models` says for ' +
            'which models the dataset is large enough.',
        }),
        defaults_learnt: Type.Boolean({
          description:
            'Whether a worker has trained what runs with default parameters need on the dataset. If so, such a run takes less ' +
            'than a second; if not, the first of each model waits until its model is trained.',
        }),
        ...Object.fromEntries(runParts),
      },
      {
        description:
          'Requirements of a run in addition to running services, as determined within the last five seconds.',
      },
    ),
    models: Type.Array(ModelHealth, {
      description:
        'Whether a run of each model would complete, with default parameters and on the newest day.',
    }),
    schedules: nullable(
      responseSchema(messageNamed('saring.scheduler.v1.CountSchedulesResponse')),
      'Number of schedules. The operator lists them at `/api/v1/operator/schedules`, where `held_up_by` says why ' +
        'one cannot fire. Null if the scheduler does not answer or the gateway does not know it.',
    ),
  }),
);

const datasetJson = jsonOf(messageNamed('saring.market_data.v1.Dataset')) as (dataset: Dataset) => object;

const NO_RUNS = new Localised(
  'Saat ini tidak ada perhitungan yang dapat selesai: lihat runs.',
  'No run can complete at the moment: see runs.',
);

/** @param checks what the dataset lacks for each model; undefined if that is not known */
function modelsHealth(checks: ModelCheck[] | undefined, canComplete: boolean, language: Language) {
  const known = checks ?? MODELS.map(({ id }): Partial<ModelCheck> & { id: string } => ({ id }));
  return known.map(({ id, shortfall, shortfall_english }) => {
    const lacks = language === 'en' ? shortfall_english : shortfall;
    const reason = lacks ?? (canComplete ? null : NO_RUNS.in[language]);
    return { id, can_complete: reason === null, reason };
  });
}

export const healthRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/health',
    operationId: 'getHealth',
    client: 'health',
    tag: 'System',
    summary: 'Get the health of the service',
    description:
      'Returns whether the service is up and which dataset it answers from. Needs no key. The status is ' +
      '200 even if parts are unavailable: read `status` and `services`. The response is at most half a ' +
      'second old. **Tell your users if `synthetic` is true:** the market is then generated for testing, ' +
      'and no price in it is real. Likewise, wherever you show brokers, tell them if `synthetic_brokers` ' +
      'is true: broker trades are then generated, even if the prices are real.',
    access: 'anybody',
    hasSentences: true,
    responses: { 200: { description: 'Health of the service.', schema: Health } },
    errors: [],
    handler: async (_input, call, { health }) => {
      const state = await health.state(call);
      const { dataLoaded, dataset, freshness, lostVersion, services, schedules, runs } = state;
      const parts = { ...services, model_workers: runs.workers };
      const areUp = (states: object) => Object.values(states).every((state) => state === 'up');
      const canComplete = services.models === 'up' && areUp(runs);
      const isServed = dataLoaded && lostVersion === '';
      const response = {
        status: areUp(parts) && isServed && canComplete ? 'ok' : 'degraded',
        data_loaded: dataLoaded,
        synthetic: dataset ? dataset.kind === 'synthetic' : null,
        synthetic_brokers: dataset ? dataset.broker_data === 'synthetic' : null,
        dataset: dataset ? datasetJson(dataset) : null,
        freshness: freshness ? renderFreshness(freshness, call.language) : null,
        lost_dataset: lostVersion || null,
        services: parts,
        runs: { can_complete: canComplete, defaults_learnt: state.defaultsTrained, ...runs },
        models: modelsHealth(state.models, canComplete, call.language),
        schedules: schedules ?? null,
      };
      return new JsonText(JSON.stringify(response), undefined, call.language);
    },
  }),
];
