import { KeysServiceService, type ApiKey, type Session } from '#proto/saring/keys/v1/keys.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { isTestKey } from '#foundation/test-market.ts';
import { allWithDatabase } from '#platform/postgres/postgres-unavailable.ts';
import { withoutNulls } from '#shared/without-nulls.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Authentication } from './authentication.ts';
import { initiatorOf } from './store/key-action.ts';
import type { Session as OneSession, Sessions } from './sessions.ts';
import type { KeyRow } from './store/key-store.ts';
import type { Labels } from './store/tables.ts';

interface KeysServer {
  keys: ApiKeys;
  authentication: Authentication;
  sessions: Sessions;
}

const UNAVAILABLE = 'API keys cannot be checked or changed at the moment. Try again.';

/** The gRPC handlers of the keys service. While its database is unavailable, every call fails with data_unavailable. */
export function keysHandlers({ keys, authentication, sessions }: KeysServer): Handlers<KeysServiceService> {
  return allWithDatabase<Handlers<KeysServiceService>>('data_unavailable', UNAVAILABLE, {
    createKey: async ({ rate_limit_per_minute, expires_at, ...chosen }, call) => {
      const newKey = { ...chosen, rateLimitPerMinute: rate_limit_per_minute, expiresAt: expires_at };
      const { key, secret } = await keys.create(newKey, initiatorOf(call));
      return { api_key: toApiKey(key), secret };
    },
    listKeys: async () => ({ api_keys: (await keys.list()).map(toApiKey) }),
    getKey: async ({ id }) => ({ api_key: toApiKey(await keys.get(id)) }),
    updateKey: async (request, call) => {
      const { id, name, rate_limit_per_minute, expires_at, never_expires, labels } = request;
      // The wire does not distinguish an empty list from an absent one, and a key without scopes is useless.
      const scopes = request.scopes.length > 0 ? request.scopes : undefined;
      const limits = { rateLimitPerMinute: rate_limit_per_minute, expiresAt: expires_at };
      const update = { name, scopes, ...limits, neverExpires: never_expires, labels };
      return { api_key: toApiKey(await keys.update(id, update, initiatorOf(call))) };
    },
    rotateKey: async ({ id, grace_seconds }, call) => {
      const { key, secret } = await keys.rotate(id, grace_seconds, initiatorOf(call));
      return { api_key: toApiKey(key), secret };
    },
    disableKey: async ({ id }, call) => ({
      api_key: toApiKey(await keys.disable(id, initiatorOf(call))),
    }),
    enableKey: async ({ id }, call) => ({
      api_key: toApiKey(await keys.enable(id, initiatorOf(call))),
    }),
    deleteKey: async ({ id }, call) => {
      await keys.delete(id, initiatorOf(call));
      return {};
    },
    listKeysWithScope: async ({ scope, after, limit }) => ({
      ids: await keys.withScope(scope, after, limit),
    }),
    listKeyActions: async ({ key_id, limit }) => ({
      actions: await keys.actions(key_id, limit),
    }),
    authenticate: async ({ secret }) => {
      const { key, session } = await authentication.authenticate(secret);
      return { api_key: toApiKey(key), session: session && toSession(session) };
    },
    startSession: async ({ api_key_id, browser, secret: keySecret }) => {
      const { session, secret } = await sessions.start(api_key_id, browser, keySecret);
      return { session: toSession(session), secret };
    },
    listSessions: async ({ api_key_id }) => ({
      sessions: (await sessions.list(api_key_id)).map(toSession),
    }),
    endSession: async ({ api_key_id, session_id }) => {
      await sessions.end(api_key_id, session_id);
      return { session_id, ended: true };
    },
  });
}

function toSession({ id: session_id, created_at, last_used_at, ends_at, browser }: OneSession): Session {
  return { session_id, created_at, last_used_at, ends_at, browser };
}

function toApiKey({ disabled_at, revision: _, ...key }: KeyRow): ApiKey {
  return { ...withoutNulls(key), test: isTestKey(key.id), disabled: disabled_at !== null };
}

/** The start of a label called `__proto__` on the wire. A text with these bytes has a line feed, and is refused for it. */
const LOST_LABEL = Buffer.from('\n\t__proto__');

/**
 * The methods of the keys service. Generated decoders assign labels to an object, which ignores the name `__proto__`: the label
 * would be lost without a word. Here the request shows it, so that it is refused like other mistakes.
 */
export const KEYS_SERVICE = {
  ...KeysServiceService,
  createKey: showingAllLabels(KeysServiceService.createKey),
  updateKey: showingAllLabels(KeysServiceService.updateKey),
};

function showingAllLabels<
  R extends { labels: Labels },
  M extends { requestDeserialize: (bytes: Buffer) => R },
>(method: M): M {
  const requestDeserialize = (bytes: Buffer) => {
    const request = method.requestDeserialize(bytes);
    if (bytes.includes(LOST_LABEL))
      Object.defineProperty(request.labels, '__proto__', { value: '', enumerable: true });
    return request;
  };
  return { ...method, requestDeserialize };
}
