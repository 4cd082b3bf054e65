import Type from 'typebox';
import { SCOPES } from '#shared/scopes.ts';
import { defineRoute } from '../routing/define-route.ts';
import { oneOf } from '../schemas/common.ts';

const ScopeTable = Type.Object({
  scopes: Type.Array(
    Type.Object({
      scope: oneOf(Object.keys(SCOPES)),
      grants: Type.String({ description: 'What a key with this scope may do.' }),
    }),
  ),
});

export const scopeRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/scopes',
    operationId: 'listScopes',
    tag: 'System',
    summary: 'What each scope grants',
    description: 'Needs any enabled key, whatever its scopes.',
    access: 'any key',
    responses: { 200: { description: 'The scope table.', schema: ScopeTable } },
    errors: [],
    handler: () => ({ scopes: Object.entries(SCOPES).map(([scope, grants]) => ({ scope, grants })) }),
  }),
];
