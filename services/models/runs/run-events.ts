import { AckPolicy, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { RunFinished, RunStarted } from '#proto/saring/events/v1/runs.ts';
import type { Clock } from '#foundation/clock.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { pull } from '#platform/nats/pull.ts';
import { traceOf } from '#platform/nats/trace-headers.ts';
import { beginSpan } from '#platform/operations/tracing.ts';
import { INTERRUPTED } from './interruptions.ts';
import { isFinalState } from '../store/run-states.ts';
import type { RunTurns } from './run-turns.ts';
import type { ResultCeiling } from './result-ceiling.ts';
import type { RowWatchers } from '#platform/nats/row-watchers.ts';
import type { RunEnd, RunStore } from '../store/run-store.ts';
import type { UsageRecords } from '../usage-records/usage-records.ts';

interface RunEventsDependencies {
  store: RunStore;
  usage: UsageRecords;
  watchers: RowWatchers;
  results: ResultCeiling;
  turns: Pick<RunTurns, 'sendNext'>;
  clock: Clock;
  log: Logger;
}

const STREAM = 'RUN_EVENTS';
/** Events fetched per request. Rows are independent, and the events of one job may be applied in any order. */
const BATCH = 32;
/**
 * Events that a crashed process had received go to another one after this time. Applying an event twice is harmless.
 */
const ACK_WAIT_MS = 5_000;
/** How long a message waits before redelivery if the database did not accept it. */
const RETRY_MS = 1_000;

/** Applies worker reports to the rows. Repetition and order do not matter: see the table of transitions. */
export class RunEvents {
  readonly #deps: RunEventsDependencies;

  constructor(deps: RunEventsDependencies) {
    this.#deps = deps;
  }

  /** Follows the stream until `signal` aborts. All processes of the service share the work. */
  async follow(nats: Nats, signal: AbortSignal): Promise<void> {
    const { log } = this.#deps;
    const consumer = {
      durable_name: 'models',
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: 4 * BATCH,
    };
    for await (const message of pull(nats, { stream: STREAM, consumer, batch: BATCH, log }, signal)) {
      void this.#handle(message);
    }
  }

  /** Acknowledges the message once it is applied, otherwise returns it for redelivery. */
  async #handle(message: JsMsg): Promise<void> {
    const { log } = this.#deps;
    try {
      await this.#apply(message);
      message.ack();
    } catch (error) {
      log.warn({ subject: message.subject, reason: (error as Error).message }, 'run event not applied yet');
      message.nak(RETRY_MS);
    }
  }

  async #apply(message: JsMsg): Promise<void> {
    const { subject, data } = message;
    const { store, usage, watchers, results, turns, clock, log } = this.#deps;
    const event = decodeRunEvent(subject, data);
    if (!event) return log.error({ subject }, 'run event of an unknown form dropped');
    const changed =
      'worker_id' in event
        ? await store.start(event.job_id, event.started_at ?? clock())
        : await store.end(event.job_id, runEnd(event, clock));
    if (!changed) return;
    watchers.announce(changed.job_id);
    if (changed.status === 'running') return;
    void results.keep();
    void turns.sendNext(changed.api_key_id);
    const span = beginSpan({
      service: 'models',
      name: 'end of the run',
      kind: 'consumer',
      parent: traceOf(message),
    });
    await usage.record(changed, span?.traceparent);
    span?.end({ attributes: { 'saring.status': changed.status } });
    const { job_id, request_id, status } = changed;
    log.info({ job_id, request_id, status }, 'run ended');
  }
}

type RunEvent = RunStarted | (RunFinished & { status: RunEnd['status'] });

function decodeRunEvent(subject: string, data: Uint8Array): RunEvent | undefined {
  try {
    if (subject.endsWith('.started')) return RunStarted.decode(data);
    const finished = RunFinished.decode(data);
    return isFinalState(finished.status) ? (finished as RunEvent) : undefined;
  } catch {
    return undefined;
  }
}

function runEnd(event: RunFinished & { status: RunEnd['status'] }, clock: Clock): RunEnd {
  const { status, summary, started_at, finished_at, dataset_version, target_date } = event;
  const { record, scores, error_code, error_message, error_english } = event;
  const isUnexplained = status === 'interrupted' && error_message === undefined;
  return {
    status,
    started_at,
    finished_at: finished_at ?? clock(),
    dataset_version,
    // A worker of an earlier version names the kind only beside the picks for the record.
    dataset_kind: event.dataset_kind ?? record?.dataset_kind,
    target_date,
    record,
    scores,
    ...(status === 'succeeded' ? summary : {}),
    ...(isUnexplained ? INTERRUPTED : { error_code, error_message, error_english }),
  };
}
