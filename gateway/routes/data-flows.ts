import { defineRoute } from '../http/define-route.ts';
import { Flows, FlowsQuery } from '../schemas/flows.ts';
import { withNulls } from './with-nulls.ts';

export const flowRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/data/flows',
    operationId: 'listFlows',
    tag: 'Market data',
    summary: 'Stocks with the largest net flows',
    description:
      'What foreign investors, retail brokers or local institutions bought and sold, net, in the regular market over ' +
      'the last `days` trading days of the dataset. Foreign flows are the exchange’s own figures, valued at the ' +
      'average price of each day. Retail and bandar flows are added up from per-broker rows: while the rows of the ' +
      'dataset do not cover the window the answer is 404 `not_found`, and a stock that lacks those of a day on which ' +
      'it traded is left out.',
    access: 'data:read',
    rests: 'on the dataset',
    query: FlowsQuery,
    responses: { 200: { description: 'The stocks.', schema: Flows } },
    errors: ['not_found'],
    handler: async ({ query }, call, { services }) => {
      const { inflow, outflow, ...flows } = await services.marketData.listFlows(query, call);
      return {
        ...flows,
        count: inflow.length + outflow.length,
        inflow: inflow.map(withNulls),
        outflow: outflow.map(withNulls),
      };
    },
  }),
];
