import type { ComparedStock, CompareRanking } from '#proto/saring/market_data/v1/market_data.ts';
import { defineRoute } from '../http/define-route.ts';
import { Comparison, CompareRequest } from '../schemas/compare.ts';
import { withNulls } from './with-nulls.ts';

export const compareRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/v1/data/compare',
    operationId: 'compareStocks',
    tag: 'Market data',
    summary: 'Snapshots of several stocks side by side',
    description:
      'Features of each stock as of its own last day, as at /api/v1/data/stocks/{ticker}, and what happened to each ' +
      'over the same last `days` trading days of the dataset. Unknown tickers come back in `missing`; when all are ' +
      'unknown the answer is 404 `not_found`. Repeated tickers count once.',
    access: 'data:read',
    rests: 'on the dataset',
    body: CompareRequest,
    responses: { 200: { description: 'The comparison.', schema: Comparison } },
    errors: ['too_many_tickers', 'not_found'],
    handler: async ({ body: { tickers, days } }, call, { services }) => {
      const compared = await services.marketData.compare({ tickers, days }, call);
      const { ranking, snapshots } = compared;
      return { ...compared, snapshots: snapshots.map(renderStock), ranking: renderRanking(ranking) };
    },
  }),
];

function renderStock(stock: ComparedStock): object {
  const { features, period } = stock;
  return { ...withNulls(stock), features: withNulls(features ?? {}), period: withNulls(period ?? {}) };
}

function renderRanking(ranking: CompareRanking | undefined): object {
  return {
    return_pct: ranking?.return_pct?.tickers ?? [],
    rsi14: ranking?.rsi14?.tickers ?? [],
    volume_ratio_20: ranking?.volume_ratio_20?.tickers ?? [],
    bandar_net_value_5d: ranking?.bandar_net_value_5d?.tickers ?? null,
  };
}
