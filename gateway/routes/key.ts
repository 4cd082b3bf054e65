import Type from 'typebox';
import { jakartaDateTime } from '#shared/jakarta-time.ts';
import { SCOPES } from '#shared/scopes.ts';
import { defineRoute } from '../routing/define-route.ts';
import { DateTime, nullable, oneOf } from '../schemas/common.ts';
import { named } from '../schemas/named.ts';

const Key = named(
  'Key',
  Type.Object({
    id: Type.String({ description: '`key_` followed by a hex string.' }),
    name: Type.String({ description: 'Label that the operator chose.' }),
    hint: Type.String({ description: 'Beginning of the secret, to recognise it by.' }),
    scopes: Type.Array(oneOf(Object.keys(SCOPES)), { description: 'What the key may do.' }),
    rate_limit_per_minute: Type.Integer({ description: 'Requests that it has in a minute.' }),
    created_at: DateTime('When it was issued.'),
    expires_at: nullable(
      DateTime('When it ends.'),
      'From when on it is refused as unknown; null when never.',
    ),
  }),
);

export const keyRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/key',
    operationId: 'getKey',
    tag: 'System',
    summary: 'What the calling key may do',
    description:
      'Needs any enabled key, whatever its scopes. A change of the key shows within about a second.',
    access: 'any key',
    responses: { 200: { description: 'The key that the request was sent with.', schema: Key } },
    errors: [],
    handler: (_input, { apiKey }) => {
      const { id, name, hint, scopes, rate_limit_per_minute, created_at, expires_at } = apiKey!;
      return {
        id,
        name,
        hint,
        scopes,
        rate_limit_per_minute,
        created_at: jakartaDateTime(created_at!),
        expires_at: expires_at ? jakartaDateTime(expires_at) : null,
      };
    },
  }),
];
