import { jakartaDateTime } from '#shared/jakarta-time.ts';
import { defineRoute } from '../routing/define-route.ts';
import { Health } from '../schemas/health.ts';

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
        dataset: dataset
          ? {
              version: dataset.version,
              kind: dataset.kind,
              first_date: dataset.first_date,
              last_date: dataset.last_date,
              trading_days: dataset.trading_days,
              tickers: dataset.tickers,
              bars: dataset.bars,
              broker_data: dataset.broker_data,
              broker_rows: dataset.broker_rows,
              published_at: jakartaDateTime(dataset.published_at ?? new Date(0)),
            }
          : null,
        lost_dataset: lostVersion || null,
        services: parts,
        runs: { can_complete: canComplete, ...runs },
      };
    },
  }),
];
