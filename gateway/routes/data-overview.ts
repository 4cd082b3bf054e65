import { defineRoute } from '../http/define-route.ts';
import { MarketOverview } from '../schemas/market-overview.ts';
import { withNulls } from './with-nulls.ts';

export const overviewRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/data/market-overview',
    operationId: 'getMarketOverview',
    tag: 'Market data',
    summary: 'The whole market on the latest day',
    description:
      'Condition of the market (regime), how many stocks went which way, averages, and the largest movers. Counts ' +
      'of directions are of all stocks that traded; averages and movers are of the liquid ones.',
    access: 'data:read',
    rests: 'on the dataset',
    responses: { 200: { description: 'The overview.', schema: MarketOverview } },
    errors: [],
    handler: async (_input, call, { services }) => {
      const overview = await services.marketData.getMarketOverview({}, call);
      const { breadth, averages } = overview;
      return { ...overview, breadth: withNulls(breadth ?? {}), averages: withNulls(averages ?? {}) };
    },
  }),
];
