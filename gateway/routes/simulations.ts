import type { PrepareSimulationRequest } from '#proto/saring/screens/v1/screens.ts';
import { stepOf } from '#shared/market/last-of-each.ts';
import { requireScope } from '../auth/authenticate.ts';
import { defineRoute } from '../routing/define-route.ts';
import { acceptedJob } from '../schemas/job.ts';
import { withPastPicks } from './past-picks.ts';
import { bodySchema, methodOf, requestOf } from './service-route.ts';
import { accepted } from './submit-run.ts';

const { input } = methodOf(['screens', 'prepareSimulation']);

const DESCRIPTION = `
Follows the past picks of a screen, or of a model, with somebody’s money, by the rules of the market on each day: lots of 100, ticks, limits,
fees, tax, stamp duty, and settlement. The response is 202 with a job, as for a run of a model: it is polled, followed and cancelled at
/api/v1/jobs, counts as a run of the key, and its \`result\` (\`SimulationResult\`) has the equity day by day, every trade with its reason,
and three comparisons under the same costs: all liquid stocks in equal parts, 500 draws of random picks, and cash. The key needs the
scope \`screens:read\` too.

At the end of each day of \`rebalance\`, limit orders for the next day are given for the first picks that are not held, one for each free
position, as models expect it of their readers. Positions end at the target, the stop or the horizon, and only on days on which somebody
bids; never because a stock is no longer in the screen. Nothing is bought with money of a sale that is not settled. What could not be
bought is in \`missed\`, and \`if_counted\` says what it would have come to.

Each simulation with an outcome that is known is a trial of the end user, as GET /api/v1/screens/{screen_id}/past describes, and \`verdict\` is never better than its
worst test. Each trading day of the span counts as two evaluated days, of which a key has 3,000 within a minute unless the operator has
set another limit.

The picks of a model are those of a backfill: \`model_id\` and \`params\`, or a screen by model, name a finished one of the key, by POST
/api/v1/models/{model_id}/backfills, that has every day of \`rebalance\` in the span. Otherwise the response is 422, and \`ctx\` in its
\`detail\` is the body of one that would. A screen by model that picks among a universe such as \`universe:LQ45\`, whose members change, is
400 \`unsupported_for_model_screen\`.
`.trim();

export const simulationRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/v1/simulations',
    operationId: 'submitSimulation',
    tag: 'Screens',
    summary: 'Simulate somebody’s money',
    description: DESCRIPTION,
    access: 'models:run',
    needsEndUser: true,
    takesIdempotencyKey: true,
    body: bodySchema(
      ['screens', 'prepareSimulation'],
      [
        'screen_id',
        'from',
        'to',
        'capital_idr',
        'max_positions',
        'position_pct',
        'rebalance',
        'max_volume_pct',
        'target_gain',
        'stop_loss',
        'horizon_days',
        'model_id',
        'params',
      ],
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
    errors: [
      'screen_not_found',
      'watchlist_not_found',
      'not_found',
      'unsupported_for_model_screen',
      'model_not_found',
      'model_unavailable',
      'data_unavailable',
    ],
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
