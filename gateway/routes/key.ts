import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { messageNamed } from '#platform/wire/descriptors.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import { responseSchema } from '#platform/wire/message-schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import Type from 'typebox';
import { SCOPES } from '#shared/scopes.ts';
import { oneOf } from '../schemas/common.ts';

const key = messageNamed('saring.keys.v1.ApiKey');
const keyJson = jsonOf(key) as (key: ApiKey) => object;

export const keyRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/key',
    operationId: 'getKey',
    client: 'key',
    tag: 'System',
    summary: 'Get the calling key',
    description:
      'Returns the calling key and its scopes. Needs any enabled key, regardless of its scopes. Changes ' +
      'to a key are visible within about a second.',
    access: 'any key',
    responses: {
      200: { description: 'The key that the request was sent with.', schema: responseSchema(key) },
    },
    errors: [],
    handler: (_input, { apiKey }) => keyJson(apiKey!),
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
