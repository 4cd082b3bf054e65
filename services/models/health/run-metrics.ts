import type { JetStreamManager } from '@nats-io/jetstream';
import { Gauge } from 'prom-client';
import { metricsOf } from '#platform/operations/metrics.ts';
import type { Operations } from '#platform/process/operations.ts';
import type { RunStore } from '../store/run-store.ts';

const unfinished = new Gauge({
  name: 'saring_runs_unfinished',
  help: 'Runs that wait or run now.',
  labelNames: ['model', 'state'],
  registers: [metricsOf('models')],
});
const oldestQueued = new Gauge({
  name: 'saring_runs_oldest_queued_seconds',
  help: 'For how long the oldest run that waits has been waiting; 0 when none waits.',
  registers: [metricsOf('models')],
});
const queueMessages = new Gauge({
  name: 'saring_queue_messages',
  help: 'Messages of a work queue that are not dealt with yet, those that a worker has included.',
  labelNames: ['stream'],
  registers: [metricsOf('models')],
});
const queueOldest = new Gauge({
  name: 'saring_queue_oldest_seconds',
  help: 'Age of the oldest of these messages; 0 when there is none.',
  labelNames: ['stream'],
  registers: [metricsOf('models')],
});
const usageLag = new Gauge({
  name: 'saring_usage_lag_seconds',
  help: 'For how long the oldest change of a run has been waiting for its place in the usage ledger; 0 when none waits.',
  registers: [metricsOf('models')],
});

/** Work queues, which remove messages once they are processed. */
const QUEUES = ['RUNS', 'BACKFILLS', 'USAGE'] as const;

interface MeasuredRuns {
  store: Pick<RunStore, 'unfinishedByModel' | 'oldestUnrecorded'>;
  jsm: JetStreamManager;
}

/** Regularly measures what waits in PostgreSQL and in the queues. Returns a function that stops it. */
export function measureRuns(operations: Operations, { store, jsm }: MeasuredRuns): () => Promise<unknown> {
  const stopRuns = operations.measure('runs', [unfinished, oldestQueued], async () => {
    const counts = await store.unfinishedByModel();
    unfinished.reset();
    for (const { model_id, status, runs } of counts) unfinished.set({ model: model_id, state: status }, runs);
    const queued = counts.filter(({ status }) => status === 'queued');
    oldestQueued.set(ageOf(earliest(queued.map(({ oldest }) => oldest))));
  });
  const stopQueues = operations.measure('queues', [queueMessages, queueOldest, usageLag], async () => {
    const unrecorded = await store.oldestUnrecorded();
    for (const stream of QUEUES) {
      const { messages, first_ts } = (await jsm.streams.info(stream)).state;
      const oldest = messages === 0 ? undefined : new Date(first_ts);
      queueMessages.set({ stream }, messages);
      queueOldest.set({ stream }, ageOf(oldest));
      if (stream === 'USAGE') usageLag.set(ageOf(earliest([oldest, unrecorded])));
    }
  });
  return () => Promise.all([stopRuns(), stopQueues()]);
}

function earliest(moments: (Date | undefined)[]): Date | undefined {
  const times = moments.flatMap((moment) => (moment ? [moment.getTime()] : []));
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

function ageOf(moment: Date | undefined): number {
  return moment ? Math.max(0, (Date.now() - moment.getTime()) / 1_000) : 0;
}
