import { defineRoute } from '../routing/define-route.ts';
import { sinceMoment, untilMoment } from '../validation/moment.ts';
import { closed } from '../schemas/common.ts';
import { AdminEndUserList } from '../schemas/usage-end-users.ts';
import { AdminUsagePage } from '../schemas/usage-event.ts';
import { KeyUsageList } from '../schemas/usage-keys.ts';
import * as parameter from '../schemas/usage-query.ts';
import { AdminUsageSummary } from '../schemas/usage-summary.ts';
import {
  renderAdminEndUser,
  renderAdminEvent,
  renderAdminGroup,
  renderKeyUsage,
  renderPage,
} from './render-usage.ts';

const { apiKeyId, channel, since, until } = parameter;

const ofEveryKey = { method: 'get', tag: 'Admin usage', access: 'usage:admin' } as const;

export const adminUsageRoutes = [
  defineRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/events',
    operationId: 'listAllUsageEvents',
    summary: 'Model runs of every key',
    description:
      'Newest first, ties by event id, with the key and the actor of each. Pages as `/api/v1/usage/events`; cursors ' +
      'of the one list are not good for the other.',
    query: closed({
      api_key_id: apiKeyId,
      channel,
      end_user: parameter.endUser,
      model_id: parameter.modelId,
      status: parameter.status,
      since,
      until,
      limit: parameter.eventLimit,
      cursor: parameter.cursor,
    }),
    responses: { 200: { description: 'A page of events.', schema: AdminUsagePage } },
    errors: ['invalid_cursor', 'usage_unavailable'],
    handler: async ({ query }, call, { services }) => {
      const moments = { since: sinceMoment(query.since), until: untilMoment(query.until) };
      return renderPage(await services.usage.listAllEvents({ ...query, ...moments }, call), renderAdminEvent);
    },
  }),
  defineRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/summary',
    operationId: 'summarizeAllUsage',
    summary: 'Runs of every key, counted',
    description:
      'As `/api/v1/usage/summary`. An end user belongs to a key: with `group_by=end_user` the same id under two keys ' +
      'has two rows, which `api_key_id` distinguishes.',
    query: closed({
      group_by: parameter.groupAllBy,
      channel,
      api_key_id: apiKeyId,
      since,
      until,
    }),
    responses: { 200: { description: 'The counts.', schema: AdminUsageSummary } },
    errors: ['usage_unavailable'],
    handler: async ({ query }, call, { services }) => {
      const moments = { since: sinceMoment(query.since), until: untilMoment(query.until) };
      const { total_runs, groups } = await services.usage.summarizeAllUsage({ ...query, ...moments }, call);
      return { group_by: query.group_by, total_runs, rows: groups.map(renderAdminGroup) };
    },
  }),
  defineRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/end-users',
    operationId: 'listAllEndUsers',
    summary: 'End users of every key',
    description:
      'Each with the key it belongs to, last seen first, ties by id. With `since`, counts, moments and models are of ' +
      'the runs from then on.',
    query: closed({ api_key_id: apiKeyId, since, limit: parameter.endUserLimit }),
    responses: { 200: { description: 'The end users.', schema: AdminEndUserList } },
    errors: ['usage_unavailable'],
    handler: async ({ query }, call, { services }) => {
      const request = { ...query, since: sinceMoment(query.since) };
      const { end_users } = await services.usage.listAllEndUsers(request, call);
      return { end_users: end_users.map(renderAdminEndUser), count: end_users.length };
    },
  }),
  defineRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/keys',
    operationId: 'listKeyUsage',
    summary: 'Runs by key',
    description: 'Keys that runs were submitted with, deleted ones too, most runs first, ties by id.',
    query: closed({ since }),
    responses: { 200: { description: 'The keys.', schema: KeyUsageList } },
    errors: ['usage_unavailable'],
    handler: async ({ query }, call, { services }) => {
      const { keys } = await services.usage.listKeyUsage({ since: sinceMoment(query.since) }, call);
      return { keys: keys.map(renderKeyUsage), count: keys.length };
    },
  }),
];
