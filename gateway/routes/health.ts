import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { messageNamed } from '#shared/wire/descriptors.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { defineRoute } from '../routing/define-route.ts';
import Type from 'typebox';
import type { RunPart } from '#shared/run-protocol.ts';
import { answerSchema } from '#shared/wire/message-schema.ts';
import { SERVICE_NAMES } from '../services.ts';
import { nullable, oneOf } from '../schemas/common.ts';
import { named } from '#shared/schema.ts';

const DatasetSchema = answerSchema(messageNamed('saring.market_data.v1.Dataset'));

const state = oneOf(['up', 'down']);

const RUN_PART_DESCRIPTIONS: Record<RunPart, string> = {
  storage: 'Whether the database can write the record of a run.',
  queue: 'Whether runs can be put before the workers.',
  workers: 'Whether a worker shows that it is alive, and takes what is waiting.',
};
const runParts = Object.entries(RUN_PART_DESCRIPTIONS).map(([part, description]) => [
  part,
  oneOf(['up', 'down'], { description }),
]);

const Health = named(
  'Health',
  Type.Object({
    status: oneOf(['ok', 'degraded'], {
      description:
        '`ok` when every service is up, the dataset that is to be served is in memory and a run can complete.',
    }),
    data_loaded: Type.Boolean({
      description:
        'Whether the dataset is in memory. While it is not, the first data request pays a load cost.',
    }),
    synthetic: nullable(
      Type.Boolean(),
      'Whether the market is a generated one. Show it to your users when it is. Null while no dataset is known.',
    ),
    synthetic_brokers: nullable(
      Type.Boolean(),
      'Whether the broker rows are generated ones. Show it to your users wherever you show brokers. Null while no ' +
        'dataset is known.',
    ),
    dataset: nullable(
      DatasetSchema,
      'The dataset in use; null while none is published or it cannot be asked.',
    ),
    lost_dataset: nullable(
      Type.String(),
      'Version that is to be served and is missing from the store; null when none is. The operator chooses what takes its place.',
    ),
    services: Type.Object(
      {
        ...Object.fromEntries(SERVICE_NAMES.map((name) => [name, state])),
        scheduler: Type.Optional(
          oneOf(['up', 'down'], {
            description: 'Runs what is scheduled; absent where the gateway does not know it.',
          }),
        ),
        model_workers: oneOf(['up', 'down'], {
          description: 'Whether any worker is alive; the same as `runs.workers`.',
        }),
      },
      { description: 'Each service behind the gateway, and those behind them.' },
    ),
    runs: Type.Object(
      {
        can_complete: Type.Boolean({
          description:
            'Whether a run that is submitted now would complete. While it would not, submissions answer 503 ' +
            '`model_unavailable`, or are accepted and complete once it can be.',
        }),
        ...Object.fromEntries(runParts),
      },
      { description: 'What a run needs beyond services that are up, as found within the last five seconds.' },
    ),
  }),
);

const datasetJson = jsonOf(messageNamed('saring.market_data.v1.Dataset')) as (dataset: Dataset) => object;

export const healthRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/health',
    operationId: 'getHealth',
    tag: 'System',
    summary: 'Whether the service is up and which dataset it answers from',
    description:
      'Needs no key. Answers 200 also when parts are away; read `status` and `services`. At most half a second ' +
      'old. **Show your users when `synthetic` is true:** the market is then a generated one, for trying things ' +
      'out, and no price in it is real. Do the same wherever brokers are shown when `synthetic_brokers` is true: who ' +
      'bought and sold is then made up, also where the prices are real.',
    access: 'anybody',
    responses: { 200: { description: 'How the service is.', schema: Health } },
    errors: [],
    handler: async (_input, call, { health }) => {
      const { dataLoaded, dataset, lostVersion, services, scheduler, runs } = await health.state(call);
      const parts = { ...services, ...(scheduler && { scheduler }), model_workers: runs.workers };
      const areUp = (states: object) => Object.values(states).every((state) => state === 'up');
      const canComplete = services.models === 'up' && areUp(runs);
      const isServed = dataLoaded && lostVersion === '';
      return {
        status: areUp(parts) && isServed && canComplete ? 'ok' : 'degraded',
        data_loaded: dataLoaded,
        synthetic: dataset ? dataset.kind === 'synthetic' : null,
        synthetic_brokers: dataset ? dataset.broker_data === 'synthetic' : null,
        dataset: dataset ? datasetJson(dataset) : null,
        lost_dataset: lostVersion || null,
        services: parts,
        runs: { can_complete: canComplete, ...runs },
      };
    },
  }),
];
