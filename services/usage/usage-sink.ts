import { AckPolicy, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { pull } from '#platform/nats/pull.ts';
import { PoisonMessage } from './store/ledger-row.ts';
import type { LedgerWriter } from './store/ledger-writer.ts';
import { Counter } from 'prom-client';
import { traceOf } from '#platform/nats/trace-headers.ts';
import { DurationHistogram } from '#platform/operations/duration-histogram.ts';
import { metricsOf } from '#platform/operations/metrics.ts';
import { recordSpan } from '#platform/operations/tracing.ts';
import { endedWithin, pause } from '#platform/process/waiting.ts';

/**
 * ClickHouse prefers few, large inserts, especially when each is synced to disk: twice the rows take about 1.5 times as
 * long. A run must be queryable within 2 s.
 */
export const MAX_BATCH = 2_000;
const LINGER_MS = 250;
/** One batch being written and the next one already received. Shared by all processes of the service. */
const MAX_UNACKNOWLEDGED = 2 * MAX_BATCH;
/** NATS redelivers the messages of a crashed sink to another one after this time. */
const ACK_WAIT_MS = 5_000;
const RETRY_PAUSE_MS = 1_000;
/** Failed attempts between two warnings. */
const WARN_EVERY = 60;
/** When the sink stops, a batch in flight gets this long to end. */
const STOP_PATIENCE_MS = 3_000;
/** The start of a terminated message is logged: enough to find out who sent it. */
const SHOWN_PAYLOAD_BYTES = 1_024;

/** What is stored of a message. */
interface SunkRow {
  event_id: string;
  request_id: string;
  status?: string;
}

interface UsageSinkOptions<Row extends SunkRow> {
  nats: Nats;
  stream: 'USAGE' | 'SCREEN_RUNS';
  /** @throws PoisonMessage with the reason */
  read: (bytes: Uint8Array) => Row;
  writer: LedgerWriter;
  log: Logger;
}

/**
 * Moves events from a stream into its table of the ledger: receive, insert, and only then acknowledge. While ClickHouse is
 * unavailable, the sink retries the same batch and the other events wait in the stream, so nothing is lost. A
 * redelivered event is stored once: an identical batch is recognised by its token, any other by the sort key of its
 * rows.
 */
export class UsageSink<Row extends SunkRow> {
  readonly #options: UsageSinkOptions<Row>;
  readonly #held = new PendingMessages();
  readonly #stopping = new AbortController();
  #keepAlive: NodeJS.Timeout | undefined;
  #done: Promise<unknown> | undefined;

  constructor(options: UsageSinkOptions<Row>) {
    this.#options = options;
  }

  start(): void {
    this.#keepAlive = setInterval(() => this.#held.keepAlive(), ACK_WAIT_MS / 3);
    this.#done = Promise.all([this.#receiveForEver(), this.#storeForEver()]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#held.interrupt();
    if (this.#done) await endedWithin(this.#done, STOP_PATIENCE_MS);
    clearInterval(this.#keepAlive);
    this.#held.giveBack();
  }

  async #receiveForEver(): Promise<void> {
    const { nats, stream, log } = this.#options;
    const consumer = {
      // One consumer that all processes of the service share.
      durable_name: 'usage',
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: MAX_UNACKNOWLEDGED,
    };
    const options = { stream, consumer, batch: MAX_UNACKNOWLEDGED, log };
    for await (const message of pull(nats, options, this.#stopping.signal)) this.#receive(message);
  }

  #receive(message: JsMsg): void {
    try {
      this.#held.add({ message, row: this.#options.read(message.data) });
    } catch (error) {
      if (!(error instanceof PoisonMessage)) throw error;
      this.#drop(message, error.message);
    }
  }

  async #storeForEver(): Promise<void> {
    const { writer, log } = this.#options;
    const { signal } = this.#stopping;
    await this.#untilDone(() => writer.prepare());
    while (!signal.aborted) {
      await this.#held.arrival();
      if (this.#held.size < MAX_BATCH) await pause(LINGER_MS, signal);
      if (signal.aborted) return;
      const batch = this.#held.first(MAX_BATCH);
      const stored = await this.#untilDone(() => writer.insert(batch.map(({ row }) => row)));
      if (!stored) continue;
      this.#held.acknowledge(batch);
      countStored(batch);
      log.info({ request_ids: batch.map(({ row }) => row.request_id) }, 'usage recorded');
    }
  }

  /** Retries until the attempt succeeds and returns true. Returns false if the sink stops first. */
  async #untilDone(attempt: () => Promise<void>): Promise<boolean> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await attempt();
        if (failures > 0) log.info({ failures }, 'the usage ledger is back');
        return true;
      } catch (error) {
        if (failures % WARN_EVERY === 0) {
          const reason = (error as Error).message;
          log.warn({ reason, failures }, 'the usage ledger cannot be written; events wait in the stream');
        }
        await pause(RETRY_PAUSE_MS, signal);
      }
    }
    return false;
  }

  #drop(message: JsMsg, reason: string): void {
    const { seq, subject } = message;
    const payload = Buffer.from(message.data.subarray(0, SHOWN_PAYLOAD_BYTES)).toString('base64');
    this.#options.log.error(
      { reason, seq, subject, payload },
      'a usage event can never be recorded and is dropped',
    );
    message.term(reason);
  }
}

interface PendingMessage {
  message: JsMsg;
  row: SunkRow;
}

/**
 * Messages received but not yet acknowledged, in order of first arrival. A redelivered message replaces its earlier
 * delivery, so the consumer's limit of unacknowledged messages bounds the size.
 */
class PendingMessages {
  readonly #bySequence = new Map<number, PendingMessage>();
  #arrival = Promise.withResolvers<void>();

  get size(): number {
    return this.#bySequence.size;
  }

  add(held: PendingMessage): void {
    this.#bySequence.set(held.message.seq, held);
    this.#arrival.resolve();
  }

  /** Resolves as soon as there is a message, or at `interrupt`. */
  arrival(): Promise<void> {
    return this.#arrival.promise;
  }

  interrupt(): void {
    this.#arrival.resolve();
  }

  first(count: number): PendingMessage[] {
    return [...this.#bySequence.values()].slice(0, count);
  }

  /** Tells NATS that every message is still being processed, so that it redelivers none. */
  keepAlive(): void {
    for (const { message } of this.#bySequence.values()) message.working();
  }

  /** Acknowledges messages whose rows are stored. NATS may delete them. */
  acknowledge(batch: PendingMessage[]): void {
    this.#letGo(batch, (message) => message.ack());
  }

  /** Gives everything back, so that another process can take it immediately. */
  giveBack(): void {
    this.#letGo([...this.#bySequence.values()], (message) => message.nak());
  }

  #letGo(batch: PendingMessage[], response: (message: JsMsg) => void): void {
    for (const { message } of batch) {
      response(this.#bySequence.get(message.seq)?.message ?? message);
      this.#bySequence.delete(message.seq);
    }
    if (this.#bySequence.size === 0) this.#arrival = Promise.withResolvers();
  }
}

const rows = new Counter({
  name: 'saring_usage_rows_total',
  help: 'Changes of runs that were written into the usage ledger, by the state they report, and runs of screens as screen_run.',
  labelNames: ['status'],
  registers: [metricsOf('usage')],
});
const delay = new DurationHistogram({
  name: 'saring_usage_delay_seconds',
  help: 'From when the stream took a change of a run to when it was in the usage ledger.',
  labelNames: [],
  registry: metricsOf('usage'),
}).of();

/** Counts the rows just stored, and ends the traces of their runs. */
function countStored(batch: PendingMessage[]): void {
  const nowMs = Date.now();
  for (const { message, row } of batch) {
    rows.inc({ status: row.status ?? 'screen_run' });
    const sentMs = message.time.getTime();
    delay.observe(Math.max(0, (nowMs - sentMs) / 1_000));
    const parent = traceOf(message);
    if (parent)
      recordSpan(
        { service: 'usage', name: 'ledger row', kind: 'consumer', parent, startMs: sentMs },
        { endMs: nowMs },
      );
  }
}
