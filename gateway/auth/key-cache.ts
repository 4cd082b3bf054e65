import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import type { CallContext } from '#platform/grpc/call-context.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '#platform/operations/logger.ts';
import { natsOptions } from '#platform/nats/connection.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { pause } from '#platform/process/waiting.ts';

/** Entries below this age are served without a refresh. */
export const SOFT_LIFETIME_MS = 400;
/**
 * Entries below this age are served while they are refreshed; older ones are never served. Revocation must take
 * effect within a second.
 */
export const HARD_LIFETIME_MS = 900;
const MAX_ENTRIES = 10_000;

interface KeyCacheDependencies {
  /** Asks the keys service. `request` is the request that waits for the response; undefined when a watched stream asks. */
  lookUp: (secret: string, request: Asking | undefined) => Promise<ApiKey>;
  /** A monotonic clock. */
  nowMs: () => number;
}

/** The request whose id a look-up is logged under, and whose trace it belongs to. */
type Asking = Pick<CallContext, 'requestId' | 'traceparent'>;

interface Entry {
  key: ApiKey;
  /** When the look-up began: an entry's age includes the time that its look-up took. -Infinity once it is outdated. */
  requestedAtMs: number;
}

interface LookUp {
  answer: Promise<ApiKey>;
  requestedAtMs: number;
}

/**
 * Finds the key of a secret without a look-up for each request. Only found keys are cached, under a hash of their
 * secret: a new key works immediately, and a refused secret costs a look-up each time.
 */
export class KeyCache {
  readonly #deps: KeyCacheDependencies;
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  readonly #inFlight = new Map<string, LookUp>();
  /** Raised by every announced change. Answers to look-ups that began before the change are not cached. */
  #generation = 0;

  constructor(deps: KeyCacheDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError invalid_api_key, or data_unavailable when the keys service does not answer. */
  find(secret: string, request?: Asking): ApiKey | Promise<ApiKey> {
    return this.findKnown(secret, request) ?? this.#lookUp(hashOf(secret), secret, request);
  }

  /** The same for a secret that was valid at its last look-up, however long ago. Undefined for any other. */
  findKnown(secret: string, request?: Asking): ApiKey | Promise<ApiKey> | undefined {
    const secretHash = hashOf(secret);
    const entry = this.#entries.get(secretHash);
    if (!entry) return undefined;
    const ageMs = this.#deps.nowMs() - entry.requestedAtMs;
    if (ageMs >= HARD_LIFETIME_MS) return this.#lookUp(secretHash, secret, request);
    // If the refresh fails, the entry is served until its hard lifetime ends. Callers after that get the error of a new lookup.
    if (ageMs >= SOFT_LIFETIME_MS) this.#lookUp(secretHash, secret, request).catch(() => {});
    return entry.key;
  }

  /** Whether this secret was valid at its last look-up, however long ago. `find` may have to ask again. */
  knows(secret: string): boolean {
    return this.#entries.has(hashOf(secret));
  }

  /** Marks a key's entries as outdated: the next caller waits for a new look-up. */
  outdate(keyId: string): void {
    this.#generation++;
    this.#inFlight.clear();
    for (const entry of this.#entries.values()) {
      if (entry.key.id === keyId) entry.requestedAtMs = -Infinity;
    }
  }

  /** Starts a look-up, or joins the one under way unless that is older than an entry may become. */
  #lookUp(secretHash: string, secret: string, request: Asking | undefined): Promise<ApiKey> {
    const requestedAtMs = this.#deps.nowMs();
    const shared = this.#inFlight.get(secretHash);
    if (shared && requestedAtMs - shared.requestedAtMs < HARD_LIFETIME_MS) return shared.answer;
    const response = this.#deps.lookUp(secret, request);
    const own = { requestedAtMs, answer: this.#kept(secretHash, response, requestedAtMs) };
    this.#inFlight.set(secretHash, own);
    const settled = () => {
      if (this.#inFlight.get(secretHash) === own) this.#inFlight.delete(secretHash);
    };
    own.answer.then(settled, settled);
    return own.answer;
  }

  async #kept(secretHash: string, response: Promise<ApiKey>, requestedAtMs: number): Promise<ApiKey> {
    const generation = this.#generation;
    try {
      const key = await response;
      if (generation === this.#generation) this.#entries.set(secretHash, { key, requestedAtMs });
      return key;
    } catch (error) {
      const isUnknown = error instanceof ServiceError && error.code === 'invalid_api_key';
      if (isUnknown && generation === this.#generation) this.#entries.delete(secretHash);
      throw error;
    }
  }
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64');
}

const RETRY_PAUSE_MS = 1_000;

/**
 * Reports every key that changed, from the moment NATS can be reached. No request waits for it: without NATS, the
 * cache's hard lifetime alone bounds how long a change takes.
 */
export function followKeyChanges(url: string, log: Logger, onChange: (keyId: string) => void) {
  const stopping = new AbortController();
  let connection: NatsConnection | undefined;
  const follow = async () => {
    connection = await connectForEver(url, log, stopping.signal);
    if (stopping.signal.aborted) return connection?.close();
    if (!connection) return;
    log.info('following key changes');
    for await (const message of connection.subscribe(subjects.keyChanged)) onChange(message.string());
  };
  follow().catch((error: unknown) => log.error({ err: error }, 'key changes are not followed'));
  return {
    stop: async () => {
      stopping.abort();
      await connection?.close();
    },
  };
}

async function connectForEver(
  url: string,
  log: Logger,
  stop: AbortSignal,
): Promise<NatsConnection | undefined> {
  for (let attempt = 1; !stop.aborted; attempt++) {
    try {
      return await connect(natsOptions(url, 'gateway'));
    } catch (error) {
      if (attempt === 1)
        log.warn(
          { reason: (error as Error).message },
          'NATS is unavailable; key changes take up to a second',
        );
      await pause(RETRY_PAUSE_MS, stop);
    }
  }
  return undefined;
}
