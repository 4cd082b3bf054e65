import { defineRoute } from '../http/define-route.ts';
import { closed, OpaqueId } from '../schemas/common.ts';
import {
  lookback,
  TurningPointAnswer,
  TurningPoints,
  TurningPointsRequest,
} from '../schemas/turning-point.ts';
import { withNulls } from './with-nulls.ts';

const MEANING =
  'Whether the rise or fall of a stock over `lookback` trading days looks exhausted: how far the price went and ' +
  'where it stands in its 60 days, what foreign investors did and, where there are per-broker rows of all these days, ' +
  'local institutions and retail brokers too, heavy volume at an extreme, RSI and the crossing of averages. It ' +
  'describes and does not forecast. Branch on `signal` and `score` only.';

export const turningPointRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/turning-point',
    operationId: 'getTurningPoint',
    tag: 'Market data',
    summary: 'Turning point of one stock',
    description: MEANING,
    access: 'data:read',
    rests: 'on the dataset',
    params: closed({ ticker: OpaqueId('Ticker code in any case.', 'BBCA') }),
    unknownIdCode: 'not_found',
    query: closed({ lookback }),
    responses: { 200: { description: 'The turning point.', schema: TurningPointAnswer } },
    errors: ['not_found'],
    handler: async ({ params: { ticker }, query }, call, { services }) => {
      const { turning_point, ...rest } = await services.marketData.getTurningPoint(
        { ticker, lookback: query.lookback },
        call,
      );
      return { ...withNulls(turning_point ?? {}), ...rest };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/data/turning-points',
    operationId: 'listTurningPoints',
    tag: 'Market data',
    summary: 'Turning points of several stocks',
    description:
      `${MEANING} Unknown tickers come back in \`missing\`; when all are unknown the answer is 404 \`not_found\`. ` +
      'Cheaper than asking for one stock after the other.',
    access: 'data:read',
    rests: 'on the dataset',
    body: TurningPointsRequest,
    responses: { 200: { description: 'The turning points.', schema: TurningPoints } },
    errors: ['too_many_tickers', 'not_found'],
    handler: async ({ body }, call, { services }) => {
      const found = await services.marketData.listTurningPoints(body, call);
      return { ...found, turning_points: found.turning_points.map(withNulls) };
    },
  }),
];
