import type { ApiKey, KeysServiceService, Session } from '#proto/saring/keys/v1/keys.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { isTestKey } from '#shared/market/test-market.ts';
import { withDatabase } from '#shared/postgres/postgres-away.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Authentication } from './authentication.ts';
import { initiatorOf } from './key-action.ts';
import type { Session as OneSession, Sessions } from './sessions.ts';
import type { KeyRow } from './store/key-store.ts';

interface KeysServer {
  keys: ApiKeys;
  authentication: Authentication;
  sessions: Sessions;
}

/** The gRPC handlers of the keys service. While its database is away, every call fails with data_unavailable. */
export function keysHandlers({ keys, authentication, sessions }: KeysServer): Handlers<KeysServiceService> {
  return {
    createKey: async ({ rate_limit_per_minute, expires_at, ...chosen }, call) => {
      const newKey = { ...chosen, rateLimitPerMinute: rate_limit_per_minute, expiresAt: expires_at };
      const { key, secret } = await whileThere(() => keys.create(newKey, initiatorOf(call)));
      return { api_key: toApiKey(key), secret };
    },
    listKeys: async () => ({ api_keys: (await whileThere(() => keys.list())).map(toApiKey) }),
    getKey: async ({ id }) => ({ api_key: toApiKey(await whileThere(() => keys.get(id))) }),
    updateKey: async (request, call) => {
      const { id, name, rate_limit_per_minute, expires_at, never_expires, labels } = request;
      // The wire does not distinguish an empty list from an absent one, and a key without scopes is useless.
      const scopes = request.scopes.length > 0 ? request.scopes : undefined;
      const limits = { rateLimitPerMinute: rate_limit_per_minute, expiresAt: expires_at };
      const update = { name, scopes, ...limits, neverExpires: never_expires, labels };
      return { api_key: toApiKey(await whileThere(() => keys.update(id, update, initiatorOf(call)))) };
    },
    rotateKey: async ({ id, grace_seconds }, call) => {
      const { key, secret } = await whileThere(() => keys.rotate(id, grace_seconds, initiatorOf(call)));
      return { api_key: toApiKey(key), secret };
    },
    disableKey: async ({ id }, call) => ({
      api_key: toApiKey(await whileThere(() => keys.disable(id, initiatorOf(call)))),
    }),
    enableKey: async ({ id }, call) => ({
      api_key: toApiKey(await whileThere(() => keys.enable(id, initiatorOf(call)))),
    }),
    deleteKey: async ({ id }, call) => {
      await whileThere(() => keys.delete(id, initiatorOf(call)));
      return {};
    },
    listKeysWithScope: async ({ scope, after, limit }) => ({
      ids: await whileThere(() => keys.withScope(scope, after, limit)),
    }),
    listKeyActions: async ({ key_id, limit }) => ({
      actions: await whileThere(() => keys.actions(key_id, limit)),
    }),
    authenticate: async ({ secret }) => {
      const { key, session } = await whileThere(() => authentication.authenticate(secret));
      return { api_key: toApiKey(key), session: session && toSession(session) };
    },
    startSession: async ({ api_key_id, browser, secret: keySecret }) => {
      const { session, secret } = await whileThere(() => sessions.start(api_key_id, browser, keySecret));
      return { session: toSession(session), secret };
    },
    listSessions: async ({ api_key_id }) => ({
      sessions: (await whileThere(() => sessions.list(api_key_id))).map(toSession),
    }),
    endSession: async ({ api_key_id, session_id }) => {
      await whileThere(() => sessions.end(api_key_id, session_id));
      return { session_id, ended: true };
    },
  };
}

function toSession({ id: session_id, created_at, last_used_at, ends_at, browser }: OneSession): Session {
  return { session_id, created_at, last_used_at, ends_at, browser };
}

function whileThere<T>(work: () => Promise<T>): Promise<T> {
  return withDatabase(
    'data_unavailable',
    'API keys cannot be checked or changed at the moment. Try again.',
    work,
  );
}

function toApiKey({ disabled_at, revision: _, ...key }: KeyRow): ApiKey {
  const { expires_at, last_used_at, previous_secret_until } = key;
  return {
    ...key,
    test: isTestKey(key.id),
    disabled: disabled_at !== null,
    expires_at: expires_at ?? undefined,
    last_used_at: last_used_at ?? undefined,
    previous_secret_until: previous_secret_until ?? undefined,
  };
}
