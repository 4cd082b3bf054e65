import type { Kysely } from 'kysely';
import type { Clock } from '#foundation/clock.ts';
import { pepperId, type IdSource } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { Outbox } from '#platform/postgres/outbox.ts';
import { repeat } from '#platform/process/repeat.ts';
import { ApiKeys } from './api-keys.ts';
import { Authentication } from './authentication.ts';
import { CheckedKeys } from './checked-keys.ts';
import { ExpiryNotices } from './expiry-notices.ts';
import { LastUses } from './last-uses.ts';
import { KeyChanges } from './store/key-changes.ts';
import { Sessions } from './sessions.ts';
import { KeyStore } from './store/key-store.ts';
import { SessionStore } from './store/session-store.ts';
import type { KeysTables } from './store/tables.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const NOTICE_PAUSE_MS = 60_000;
const FORGET_PAUSE_MS = 3_600_000;
/** An operator who rotates the pepper learns this often whether the earlier pepper can be removed. */
const COUNT_PAUSE_MS = 60_000;

interface KeysDependencies {
  database: Kysely<KeysTables>;
  /** As in `Authentication`. */
  peppers: readonly [string, ...string[]];
  defaultRateLimit: number;
  /** 0 keeps the audit of keys for ever. */
  auditRetentionDays: number;
  /** For how long a check of a key counts while the database is unavailable. */
  checksLastMs: number;
  /** Tells every gateway that a key has changed. */
  announceChange: (keyId: string) => void;
  clock: Clock;
  newId: IdSource;
  log: Logger;
}

/** The keys service without its gRPC side. */
export function createKeys({ database, auditRetentionDays, log, checksLastMs, ...given }: KeysDependencies) {
  const { clock, peppers } = given;
  const checked = new CheckedKeys({ lastMs: checksLastMs, clock });
  const announceChange = (keyId: string) => {
    checked.forget(keyId);
    given.announceChange(keyId);
  };
  const deps = { ...given, announceChange };
  const store = new KeyStore(database);
  const changes = new KeyChanges(database);
  const outbox = new Outbox({ database, log });
  const notices = new ExpiryNotices({ outbox, clock });
  const lastUses = new LastUses({ write: (keyId, usedAt) => changes.touch(keyId, usedAt), clock, log });
  const sessionStore = new SessionStore(database);
  const sessions = new Sessions({ ...deps, store: sessionStore, keys: store });
  const lastUsesOfSessions = new LastUses({ write: (id, at) => sessionStore.touch(id, at), clock, log });
  const renew: ConstructorParameters<typeof Authentication>[0]['renew'] = (from, to) =>
    void changes
      .rehash(from, to)
      .catch((error: unknown) => log.warn({ err: error }, 'a secret could not be moved to the first pepper'));
  const forget = () => changes.forgetActions(new Date(clock().getTime() - auditRetentionDays * DAY_MS));
  const countSecrets = async () => {
    const secrets = await store.countUnderOthers(pepperId(peppers[0]), clock());
    log.info({ secrets }, 'secrets that have not been used under the first pepper yet');
  };
  return {
    store,
    changes,
    lastUses,
    lastUsesOfSessions,
    outbox,
    notices,
    checked,
    keys: new ApiKeys({ ...deps, store, changes }),
    sessions,
    authentication: new Authentication({
      store,
      sessions,
      checked,
      lastUses,
      lastUsesOfSessions,
      clock,
      peppers,
      renew,
    }),
    /** Starts the background work. Returns a function that stops it and waits for work in progress. */
    startBackground: () => {
      const stops = [
        outbox.start(),
        repeat('removing sessions that have ended', FORGET_PAUSE_MS, () => sessions.removeEnded(), log),
        repeat('telling keys that they expire', NOTICE_PAUSE_MS, () => notices.tellDue(), log),
        ...(auditRetentionDays > 0
          ? [repeat('removing old actions on keys', FORGET_PAUSE_MS, forget, log)]
          : []),
        ...(peppers.length > 1
          ? [repeat('counting secrets under earlier peppers', COUNT_PAUSE_MS, countSecrets, log)]
          : []),
      ];
      return () =>
        Promise.all([lastUses.settled(), lastUsesOfSessions.settled(), ...stops.map((stop) => stop())]);
    },
  };
}
