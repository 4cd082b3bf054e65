import { defineRoute } from '../routing/define-route.ts';
import { sinceMoment, untilMoment } from '../validation/moment.ts';
import { closed } from '../schemas/common.ts';
import { groupBy, since, until } from '../schemas/usage-query.ts';
import { UsageSummary } from '../schemas/usage-summary.ts';
import { renderGroup } from './render-usage.ts';

export const usageSummaryRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/usage/summary',
    operationId: 'summarizeUsage',
    tag: 'Usage',
    summary: 'Runs of this key, counted',
    description:
      'Each run counts once, in its latest state. Rows with most runs come first, days in their order, newest ' +
      'first. At most 1,000 rows; `total_runs` counts the runs of all.',
    access: 'usage:read',
    query: closed({ group_by: groupBy, since, until }),
    responses: { 200: { description: 'The counts.', schema: UsageSummary } },
    errors: ['usage_unavailable'],
    handler: async ({ query }, call, { services }) => {
      const { group_by } = query;
      const moments = { since: sinceMoment(query.since), until: untilMoment(query.until) };
      const request = { api_key_id: call.apiKeyId, group_by, ...moments };
      const { total_runs, groups } = await services.usage.summarizeUsage(request, call);
      return { group_by, total_runs, rows: groups.map(renderGroup) };
    },
  }),
];
