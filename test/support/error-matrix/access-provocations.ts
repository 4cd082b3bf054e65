import { withInput } from '../declared-api/request-parts.ts';
import type { Provocation } from './provocation.ts';

/** Requests that may not be made. */
export const accessProvocations: Record<string, Provocation> = {
  missing_api_key: ({ valid }) => [
    { how: 'no key', parts: { ...valid, key: undefined } },
    {
      how: 'an empty key',
      parts: { ...valid, key: undefined, headers: { ...valid.headers, 'x-api-key': '' } },
    },
  ],
  // Of the fleet itself they use up what this address may try.
  invalid_api_key: ({ valid, stage: { keys, troubled } }) => [
    { how: 'a revoked key', parts: { ...valid, key: keys.revoked } },
    { how: 'an unknown key', baseUrl: troubled.baseUrl('none'), parts: { ...valid, key: 'sar_unknown' } },
    {
      how: 'another scheme',
      baseUrl: troubled.baseUrl('none'),
      parts: { ...valid, key: undefined, headers: { ...valid.headers, authorization: 'Basic c2FyaW5n' } },
    },
  ],
  operator_token_required: ({ valid, stage: { keys, troubled } }) => [
    { how: 'no token', parts: { ...valid, key: undefined } },
    {
      how: 'an API key that may do everything else',
      baseUrl: troubled.baseUrl('none'),
      parts: { ...valid, key: keys.everyScope },
    },
    {
      how: 'another token',
      baseUrl: troubled.baseUrl('none'),
      parts: { ...valid, key: `${keys.operator}x` },
    },
  ],
  key_disabled: ({ valid, stage }) => [
    { how: 'a disabled key', parts: { ...valid, key: stage.keys.disabled } },
  ],
  insufficient_scope: ({ operation: { scope = '' }, valid, stage }) => [
    { how: 'every scope but its own', parts: { ...valid, key: stage.keys.without[scope] } },
  ],
  rate_limited: ({ operation, valid, stage: { troubled } }) => {
    if (!operation.needsKey) {
      const baseUrl = troubled.baseUrl('one open request');
      return [{ how: 'the second of one of its address', baseUrl, first: valid, parts: valid }];
    }
    const parts = { ...valid, key: troubled.limitedKey(1) };
    return [{ how: 'the second of one', baseUrl: troubled.baseUrl('none'), first: parts, parts }];
  },
  missing_end_user: ({ operation, valid }) => {
    const { 'X-End-User': _user, ...headers } = valid.headers;
    const place = ['header', 'X-End-User'];
    return [
      { how: 'no end user', parts: { ...valid, headers }, place },
      { how: 'an empty one', parts: withInput(operation, valid, 'X-End-User', ''), place },
    ];
  },
  invalid_end_user: ({ operation, valid }) =>
    ['a@b', 'a b', 'x'.repeat(65)].map((endUser) => ({
      how: endUser,
      parts: withInput(operation, valid, 'X-End-User', endUser),
    })),
  idempotency_conflict: ({ operation, valid }) => {
    const parts = withInput(operation, valid, 'Idempotency-Key', `matrix of ${operation.operationId}`);
    const other = withInput(operation, parts, 'X-End-User', 'another-user');
    return [{ how: 'the key of another request', first: parts, parts: other }];
  },
};
