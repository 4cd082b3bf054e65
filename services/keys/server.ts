import type { KeysServiceService, ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { operatorOnly } from '#shared/grpc/operator-only.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { withDatabase } from '#shared/postgres-away.ts';
import type { ApiKeys } from './api-keys.ts';
import type { KeyRow } from './store/key-store.ts';

/** The gRPC face of the keys service. While its database is away every call fails with data_unavailable. */
export function keysHandlers(keys: ApiKeys): Handlers<KeysServiceService> {
  return {
    createKey: operatorOnly(async ({ name, scopes, rate_limit_per_minute }) => {
      const wish = { name, scopes, rateLimitPerMinute: rate_limit_per_minute };
      const { key, secret } = await whileThere(() => keys.create(wish));
      return { api_key: toApiKey(key), secret };
    }),
    listKeys: operatorOnly(async () => ({ api_keys: (await whileThere(() => keys.list())).map(toApiKey) })),
    disableKey: operatorOnly(async ({ id }) => ({
      api_key: toApiKey(await whileThere(() => keys.disable(id))),
    })),
    enableKey: operatorOnly(async ({ id }) => ({
      api_key: toApiKey(await whileThere(() => keys.enable(id))),
    })),
    deleteKey: operatorOnly(async ({ id }) => {
      await whileThere(() => keys.delete(id));
      return {};
    }),
    authenticate: async ({ secret }) => ({
      api_key: toApiKey(await whileThere(() => keys.authenticate(secret))),
    }),
  };
}

function whileThere<T>(work: () => Promise<T>): Promise<T> {
  return withDatabase('data_unavailable', 'API keys cannot be checked at the moment. Try again.', work);
}

function toApiKey({ disabled_at, ...key }: KeyRow): ApiKey {
  return { ...key, disabled: disabled_at !== null };
}
