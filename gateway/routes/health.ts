import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { messageNamed } from '#shared/wire/descriptors.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { defineRoute } from '../routing/define-route.ts';
import { Health } from '../schemas/health.ts';

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
