import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { ClientRateLimitInfo, Options } from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import type { Logger } from '#platform/operations/logger.ts';
import { MemoryCounts, WINDOW_MS, type Count, type Counts, type Spent } from './rate-limit-counts.ts';
import { inTime } from '#platform/process/waiting.ts';

const PREFIX = 'saring:rate:';
/** Incremented only to check that Redis counts. */
const BEAT = 'beat';
const BEAT_MS = 1_000;
/** How long the start waits for Redis, so that the first requests are already counted together. */
const START_WAIT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** A connection without traffic for this long is dropped. Answered beats count as traffic. */
const SILENCE_MS = 5_000;
const MAX_RECONNECT_PAUSE_MS = 1_000;
/** Far more than are ever under way at the same time. If there are more, Redis does not keep up. */
const MAX_COMMANDS = 10_000;

/** `Counts.spend` in one step. A minute begins with the first amount, as the store does it. */
const SPEND = `
  local hits = tonumber(redis.call('GET', KEYS[1]) or '0')
  local sum = hits + tonumber(ARGV[1])
  local fits = sum <= tonumber(ARGV[2])
  if fits then
    hits = math.max(0, sum)
    redis.call('SET', KEYS[1], hits, 'KEEPTTL')
  end
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[3])
    redis.call('PEXPIRE', KEYS[1], left)
  end
  return { fits and 1 or 0, hits, left }`;

interface SharedCountsOptions {
  url: string;
  /** How long a request waits for Redis. */
  patienceMs: number;
  log: Logger;
}

/**
 * Counts shared by all gateways, kept in Redis. When Redis does not answer in time, this gateway immediately counts
 * alone, and returns to Redis when a beat finds that it counts again. Only the requests under way at the moment of
 * the failure wait for it.
 */
export class SharedCounts implements Counts {
  readonly #options: SharedCountsOptions;
  readonly #own = new MemoryCounts();
  readonly #client;
  readonly #stopped = new AbortController();
  /** Set while Redis keeps up. */
  #store: RedisStore | undefined;
  #isUnavailable = false;
  #connectionError: Error | undefined;

  private constructor(options: SharedCountsOptions) {
    this.#options = options;
    this.#client = createClient({
      url: options.url,
      RESP: 2,
      disableOfflineQueue: true,
      commandsQueueMaxLength: MAX_COMMANDS,
      // Off, because `inTime` costs less and also covers commands that have already been sent.
      commandOptions: { timeout: 0 },
      socket: {
        connectTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: SILENCE_MS,
        reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, MAX_RECONNECT_PAUSE_MS),
      },
    });
    this.#client.on('error', (error: Error) => (this.#connectionError = error));
    this.#client.on('ready', () => (this.#connectionError = undefined));
  }

  /** Resolves when Redis counts, or after START_WAIT_MS. */
  static async open(options: SharedCountsOptions): Promise<SharedCounts> {
    const counts = new SharedCounts(options);
    const connected = counts.#client.connect().catch(() => {});
    const waited = sleep(START_WAIT_MS, undefined, { ref: false });
    await Promise.race([connected, waited]);
    const beaten = counts.#beat();
    void beaten.then(() => counts.#keepBeating());
    await Promise.race([beaten, waited]);
    return counts;
  }

  /** Also counts locally, so that the count of a key is not lost when Redis fails. */
  async increment(id: string): Promise<Count> {
    const own = this.#own.increment(id);
    const shared = await this.#asked((store) => store.increment(id));
    return shared ? toCount(shared) : own;
  }

  /** What fits nowhere else is not counted locally either, so that both counts have been told the same. */
  async spend(id: string, amount: number, limit: number): Promise<Spent> {
    const shared = await this.#asked(() => this.#spendShared(id, amount, limit));
    if (shared && !shared.fits) return shared;
    const own = this.#own.spend(id, amount, limit);
    return shared ?? own;
  }

  async #spendShared(id: string, amount: number, limit: number): Promise<Spent> {
    const [fits, hits, resetInMs] = (await this.#client.eval(SPEND, {
      keys: [PREFIX + id],
      arguments: [amount, limit, WINDOW_MS].map(String),
    })) as [number, number, number];
    return { fits: fits === 1, hits, resetInMs };
  }

  async get(id: string): Promise<Count | undefined> {
    const shared = await this.#asked((store) => store.get(id));
    return shared && shared.totalHits > 0 ? toCount(shared) : this.#own.get(id);
  }

  stop(): void {
    this.#stopped.abort();
    this.#store = undefined;
    this.#client.destroy();
    this.#own.stop();
  }

  /** Resolves to undefined when Redis has no response. */
  async #asked<T>(question: (store: RedisStore) => Promise<T>): Promise<T | undefined> {
    const store = this.#store;
    if (!store) return undefined;
    try {
      return await inTime(question(store), this.#options.patienceMs);
    } catch (error) {
      if (store === this.#store) this.#leave(error);
      return undefined;
    }
  }

  async #keepBeating(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await sleep(BEAT_MS, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) await this.#beat();
    }
  }

  async #beat(): Promise<void> {
    try {
      if (this.#store) await this.#store.increment(BEAT);
      else await this.#join();
    } catch (error) {
      this.#leave(error);
    }
  }

  /** No timeout, so that a hanging Redis is asked only once. Switches back only if it answered within `patienceMs`. */
  async #join(): Promise<void> {
    const { patienceMs, log } = this.#options;
    const store = new RedisStore({
      prefix: PREFIX,
      sendCommand: (...command) => this.#client.sendCommand<RedisReply>(command),
    });
    const requestedAtMs = performance.now();
    await store.init({ windowMs: WINDOW_MS } as Options);
    await store.increment(BEAT);
    const tookMs = performance.now() - requestedAtMs;
    if (tookMs > patienceMs) throw new Error(`it took ${Math.round(tookMs)} ms to answer`);
    this.#store = store;
    if (this.#isUnavailable) log.info('Redis is back: rate limits are shared with the other gateways');
    this.#isUnavailable = false;
  }

  /** Drops the store too: one whose scripts could not be loaded never recovers. */
  #leave(error: unknown): void {
    this.#store = undefined;
    if (this.#isUnavailable || this.#stopped.signal.aborted) return;
    this.#isUnavailable = true;
    const { message, code } = (this.#connectionError ?? error) as NodeJS.ErrnoException;
    this.#options.log.warn(
      { reason: message || code },
      'Redis is unavailable: this gateway counts requests by itself until it is back',
    );
  }
}

/** The store has just computed `resetTime` from the same clock. */
function toCount({ totalHits, resetTime }: ClientRateLimitInfo): Count {
  return { hits: totalHits, resetInMs: resetTime!.getTime() - Date.now() };
}
