import type { PrepareSimulationRequest } from '#proto/saring/screens/v1/screens.ts';
import { stepOf } from '#shared/market/last-of-each.ts';
import { requireScope } from '../auth/authenticate.ts';
import { defineRoute } from '../routing/define-route.ts';
import { acceptedJob } from '../schemas/job.ts';
import { withPastPicks } from './past-picks.ts';
import { bodyOf, methodOf, requestOf } from '../declarations/call-schemas.ts';
import { factsOf } from '../declarations/route-facts.ts';
import { accepted } from './submit-run.ts';

const { input } = methodOf(['screens', 'prepareSimulation']);
/** What the gateway knows of the caller, and asks the models service. */
const FILLED_IN = ['api_key_id', 'end_user', 'past_picks'];

export const simulationRoutes = [
  defineRoute({
    ...factsOf(['screens', 'prepareSimulation']),
    takesIdempotencyKey: true,
    repeatable: 'by its key',
    body: bodyOf(
      input,
      input.fields.filter(({ name }) => !FILLED_IN.includes(name)),
    ),
    sample: {
      body: {
        screen_id: 'scr_5f0c6f1e9a3b4d2c8e7f6a5b',
        from: '2023-06-28',
        to: '2024-06-28',
        capital_idr: 100_000_000,
      },
    },
    responses: { 202: acceptedJob('The job. Poll `poll_url`.') },
    handler: async ({ body }, call, backend) => {
      requireScope('screens:read', call.apiKey);
      const { apiKeyId: api_key_id, endUser: end_user, idempotencyKey: idempotency_key } = call;
      const caller = { api_key_id, end_user };
      const wanted = requestOf(input.fields, body) as unknown as PrepareSimulationRequest;
      const { services } = backend;
      const { from, to, rebalance, max_positions: limit } = wanted;
      const { params, picks, trading_day } = await withPastPicks(
        (past_picks) => services.screens.prepareSimulation({ ...wanted, ...caller, past_picks }, call),
        { from, to, step: stepOf(rebalance), limit },
        call,
        backend,
      );
      const submission = { params, picks, trading_day, ...caller, channel: 'api', idempotency_key };
      const { job, replayed: isReplay } = await services.runs.submitSimulation(submission, call);
      if (!job) throw new Error('the models service accepted a simulation without saying which');
      return accepted({ job, isReplay }, call, backend);
    },
  }),
];
