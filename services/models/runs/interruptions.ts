import type { JetStreamManager } from '@nats-io/jetstream';
import type { Clock } from '#foundation/clock.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { RunListener } from '#shared/life-signs/run-life-signs.ts';
import { runError } from '#models/inputs/run-errors.ts';
import { subjects } from '#platform/nats/subjects.ts';
import type { RowWatchers } from '#platform/nats/row-watchers.ts';
import type { RunStore } from '../store/run-store.ts';
import type { UsageRecords } from '../usage-records/usage-records.ts';

/**
 * Six heartbeats, and twice the silence that an unnoticed outage can cause. Together with one polling round this stays
 * well under the promised 20 s.
 */
export const SILENCE_MS = 12_000;

export const INTERRUPTED = runError('interrupted', {
  id: 'Proses terhenti sebelum selesai; silakan jalankan ulang.',
  en: 'The run stopped before its end; please run it again.',
});

interface InterruptionsDependencies {
  store: RunStore;
  jsm: JetStreamManager;
  listener: RunListener;
  usage: UsageRecords;
  watchers: RowWatchers;
  clock: Clock;
  log: Logger;
}

/** Ends runs whose worker is gone, even if no worker is left to report that. */
export class Interruptions {
  readonly #deps: InterruptionsDependencies;

  constructor(deps: InterruptionsDependencies) {
    this.#deps = deps;
  }

  async poll(): Promise<void> {
    const { store, listener } = this.#deps;
    const running = await store.runningJobs();
    const silent = running.filter((jobId) => listener.silentForMs(jobId) >= SILENCE_MS);
    for (const jobId of silent) await this.#interrupt(jobId);
  }

  async #interrupt(jobId: string): Promise<void> {
    const { store, jsm, usage, watchers, clock, log } = this.#deps;
    // A worker that has finished is silent too. In that case its event is only waiting to be applied.
    const last_by_subj = subjects.runFinished(jobId);
    if (await jsm.streams.getMessage('RUN_EVENTS', { last_by_subj })) return;
    const end = { status: 'interrupted', finished_at: clock(), ...INTERRUPTED } as const;
    const run = await store.end(jobId, end);
    if (!run) return;
    log.warn(
      { job_id: jobId, status: run.status },
      'no worker has reported on this run for too long; it is ended',
    );
    watchers.announce(jobId);
    await usage.record(run);
  }
}
