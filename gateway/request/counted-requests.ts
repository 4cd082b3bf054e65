import { randomUUID } from 'node:crypto';
import type { RequestCount, UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { randomId } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { endedWithin } from '#platform/process/waiting.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';

/** A request of a key that has its response. */
interface AnsweredRequest {
  api_key_id: string;
  /** Empty if none took it. */
  operation_id: string;
  status: number;
  code: string | undefined;
  durationMs: number;
  requestId: string;
}

interface CountedRequestsOptions {
  /** Stores batches. One that is sent again is stored once. */
  usage: Pick<ServiceClient<UsageServiceService>, 'recordRequests'>;
  /** Milliseconds since 1970. */
  nowMs: () => number;
  log: Logger;
}

const HAND_OVER_MS = 5_000;
/** Of a call. A gateway that stops waits no longer for all of them. */
const TIMEOUT_MS = 2_000;
const MINUTE_MS = 60_000;
/** Kinds of requests that one batch holds: more than a thousand keys make in five seconds. Further ones are not counted. */
const MAX_KINDS = 5_000;
/** Batches that wait while the usage service is unavailable: two minutes of requests. */
const MAX_WAITING = 24;

/** Counts the requests of keys by minute, operation and outcome, and hands the counts over every few seconds. */
export class CountedRequests {
  readonly #options: CountedRequestsOptions;
  #counts = new Map<string, RequestCount>();
  #uncounted = 0;
  #waiting: { batch_id: string; counts: RequestCount[] }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: CountedRequestsOptions) {
    this.#options = options;
  }

  count({ api_key_id, operation_id, status, code, durationMs, requestId }: AnsweredRequest): void {
    const now = this.#options.nowMs();
    const minuteMs = now - (now % MINUTE_MS);
    const kind = `${minuteMs} ${api_key_id} ${operation_id} ${status} ${code}`;
    const known = this.#counts.get(kind);
    if (!known && this.#counts.size >= MAX_KINDS) return void this.#uncounted++;
    const count = known ?? {
      api_key_id,
      operation_id,
      status,
      code,
      minute: new Date(minuteMs),
      requests: 0,
      total_ms: 0,
      slowest_ms: 0,
      last_at: undefined,
      last_request_id: '',
    };
    count.requests++;
    count.total_ms += durationMs;
    count.slowest_ms = Math.max(count.slowest_ms, durationMs);
    count.last_at = new Date(now);
    count.last_request_id = requestId;
    if (!known) this.#counts.set(kind, count);
    this.#handOverLater();
  }

  /** Hands over what can be handed over in a moment. */
  async stop(): Promise<void> {
    await endedWithin(this.handOver(), TIMEOUT_MS);
  }

  /** Hands over what was counted, and what waits from before. Never throws: what cannot be handed over waits. */
  async handOver(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#sending;
    this.#closeBatch();
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined));
    await this.#sending;
    if (this.#waiting.length > 0) this.#handOverLater();
  }

  #handOverLater(): void {
    this.#timer ??= setTimeout(() => void this.handOver(), HAND_OVER_MS).unref();
  }

  #closeBatch(): void {
    const { log } = this.#options;
    if (this.#uncounted > 0) log.warn({ count: this.#uncounted }, 'requests of too many kinds to be counted');
    this.#uncounted = 0;
    if (this.#counts.size === 0) return;
    this.#waiting.push({ batch_id: randomUUID(), counts: [...this.#counts.values()] });
    this.#counts = new Map();
    const lost = this.#waiting.splice(0, Math.max(0, this.#waiting.length - MAX_WAITING));
    if (lost.length > 0)
      log.warn({ batches: lost.length }, 'counts of requests dropped: the usage service is unavailable');
  }

  /** In order, until one fails. */
  async #send(): Promise<void> {
    for (let batch = this.#waiting[0]; batch; batch = this.#waiting[0]) {
      try {
        const call = { requestId: randomId('req'), timeoutMs: TIMEOUT_MS };
        await this.#options.usage.recordRequests(batch, call);
      } catch (error) {
        this.#options.log.debug(
          { reason: (error as Error).message },
          'counts of requests not handed over yet',
        );
        return;
      }
      // It may have been dropped meanwhile.
      if (this.#waiting[0] === batch) this.#waiting.shift();
    }
  }
}
