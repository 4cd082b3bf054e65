import type { KeysServiceService, ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { operatorOnly, type Handlers } from '#shared/grpc/server.ts';
import type { ApiKeys } from './api-keys.ts';
import type { KeyRow } from './store/key-store.ts';

/** The gRPC face of the keys service. */
export function keysHandlers(keys: ApiKeys): Handlers<KeysServiceService> {
  return {
    createKey: operatorOnly(async ({ name, scopes, rate_limit_per_minute }) => {
      const { key, secret } = await keys.create({ name, scopes, rateLimitPerMinute: rate_limit_per_minute });
      return { api_key: toApiKey(key), secret };
    }),
    listKeys: operatorOnly(async () => ({ api_keys: (await keys.list()).map(toApiKey) })),
    disableKey: operatorOnly(async ({ id }) => ({ api_key: toApiKey(await keys.disable(id)) })),
    enableKey: operatorOnly(async ({ id }) => ({ api_key: toApiKey(await keys.enable(id)) })),
    deleteKey: operatorOnly(async ({ id }) => {
      await keys.delete(id);
      return {};
    }),
    authenticate: async ({ secret }) => ({ api_key: toApiKey(await keys.authenticate(secret)) }),
  };
}

function toApiKey({ disabled_at, ...key }: KeyRow): ApiKey {
  return { ...key, disabled: disabled_at !== null };
}
