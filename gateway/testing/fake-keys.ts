import { KeysServiceService, type ApiKey } from '#proto/saring/keys/v1/keys.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { answeringByExample, exampleNamed } from '#support/message-examples.ts';

/** Secrets that the keys fake knows, each named after what is special about its key. */
export const KEYS: Record<string, ApiKey> = {
  'all-scopes': apiKey({ id: 'key_all' }),
  'data-only': apiKey({ id: 'key_data', scopes: ['data:read'] }),
  'models-only': apiKey({ id: 'key_models', scopes: ['models:read'] }),
  'known-elsewhere': apiKey({ id: 'key_elsewhere' }),
  'under-load': apiKey({ id: 'key_load', rate_limit_per_minute: 1_000_000 }),
  'two-a-minute': apiKey({ id: 'key_two', rate_limit_per_minute: 2 }),
  disabled: apiKey({ id: 'key_disabled', disabled: true }),
  'disabled-two-a-minute': apiKey({ id: 'key_two_off', disabled: true, rate_limit_per_minute: 2 }),
};

function apiKey(special: Partial<ApiKey>): ApiKey {
  const scopes = [
    'models:read',
    'models:run',
    'data:read',
    'usage:read',
    'usage:admin',
    'screens:read',
    'screens:write',
    'events:read',
    'webhooks:write',
  ];
  const usual = { scopes, rate_limit_per_minute: 1_000, disabled: false, labels: {} };
  return { ...exampleNamed<ApiKey>('keys.v1.ApiKey'), ...usual, ...special };
}

/** @param lookedUp receives every secret that is looked up */
export function fakeKeys({ lookedUp }: { lookedUp: string[] }): Handlers<KeysServiceService> {
  return {
    ...answeringByExample(KeysServiceService),
    listKeys: async () => ({ api_keys: Object.values(KEYS) }),
    authenticate: async ({ secret }) => {
      lookedUp.push(secret);
      if (!KEYS[secret]) throw new ServiceError('invalid_api_key', 'The API key is unknown.');
      return { api_key: KEYS[secret], session: undefined };
    },
  };
}
