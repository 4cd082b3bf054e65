import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { jakartaDateTime } from '#foundation/jakarta-time.ts';
import { messageNamed } from '#platform/wire/descriptors.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import { responseSchema } from '#platform/wire/message-schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import Type from 'typebox';
import { named } from '#foundation/schema.ts';
import { SCOPES } from '#shared/scopes.ts';
import { oneOf } from '../schemas/common.ts';

const key = messageNamed('saring.keys.v1.ApiKey');
const keyJson = jsonOf(key) as (key: ApiKey) => object;

const Budget = named(
  'KeyBudget',
  Type.Object(
    {
      limit_ms: Type.Integer({
        description: 'What the work of the key may cost in a minute.',
        examples: [60_000],
      }),
      remaining_ms: Type.Integer({ description: 'What is left of it.', minimum: 0, examples: [59_995] }),
      resets_at: Type.String({
        description: 'When it is whole again.',
        format: 'date-time',
        examples: ['2024-06-28T16:05:00.000+07:00'],
      }),
    },
    { description: 'Budget of a key, in milliseconds of processor time of one thread.' },
  ),
);

const CallingKey = named(
  'CallingKey',
  Type.Object(
    { ...responseSchema(key).properties, budget: Budget },
    { description: 'The calling key, and its budget at the moment.' },
  ),
);

export const keyRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/key',
    operationId: 'getKey',
    client: 'key',
    tag: 'System',
    summary: 'Get the calling key',
    description:
      'Returns the calling key, its scopes and its budget. Needs any enabled key, regardless of its scopes. Changes ' +
      'to a key are visible within about a second.',
    access: 'any key',
    responses: {
      200: { description: 'The key that the request was sent with.', schema: CallingKey },
    },
    errors: [],
    handler: async (_input, { apiKey }, { budget }) => {
      const { limitMs: limit_ms, remainingMs: remaining_ms, resetsAt } = await budget.stateOf(apiKey!);
      return {
        ...keyJson(apiKey!),
        budget: { limit_ms, remaining_ms, resets_at: jakartaDateTime(resetsAt) },
      };
    },
  }),
];

const ScopeTable = Type.Object({
  scopes: Type.Array(
    Type.Object({
      scope: oneOf(Object.keys(SCOPES)),
      grants: Type.String({ description: 'Permissions of a key with this scope.' }),
    }),
  ),
});

export const scopeRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/scopes',
    operationId: 'listScopes',
    client: 'scopes',
    tag: 'System',
    summary: 'List scopes',
    description: 'Lists all scopes and what each grants. Needs any enabled key, regardless of its scopes.',
    access: 'any key',
    responses: { 200: { description: 'The scope table.', schema: ScopeTable } },
    errors: [],
    handler: () => ({ scopes: Object.entries(SCOPES).map(([scope, grants]) => ({ scope, grants })) }),
  }),
];
