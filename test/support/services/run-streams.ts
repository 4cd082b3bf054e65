import { expect, vi } from 'vitest';
import {
  type RecordedPicks,
  RunFinished,
  RunRequested,
  RunResult,
  RunStarted,
} from '#proto/saring/events/v1/runs.ts';
import { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import type { Nats } from '#shared/nats/connection.ts';
import { subjects } from '#shared/nats/subjects.ts';
import type { RunRow } from '#services/models/store/tables.ts';

/** For what comes by itself: a machine that is busy with other tests takes longer. */
export const IN_TIME = { timeout: 15_000, interval: 50 };

interface HeldMessage {
  msgId: string;
  /** Empty where it belongs to no trace. */
  traceparent: string;
  data: Uint8Array;
}

/** What the streams hold of runs, and a worker that says of them what it is told to. */
export class RunStreams {
  /** As a worker sees it. */
  worker!: Nats;

  async reportStart({ job_id }: Pick<RunRow, 'job_id'>): Promise<void> {
    const event = { job_id, worker_id: 'worker_test', started_at: new Date() };
    await this.worker.js.publish(subjects.runStarted(job_id), RunStarted.encode(event).finish());
  }

  async reportEnd({ job_id }: RunRow, status: string, record?: RecordedPicks): Promise<void> {
    const event: RunFinished = {
      job_id,
      status,
      started_at: new Date(Date.now() - 500),
      finished_at: new Date(),
      summary:
        status === 'succeeded' ? { pick_count: 1, tickers: ['BBCA'], target_date: '2026-09-30' } : undefined,
      error_message: status === 'failed' ? 'Data belum lengkap.' : undefined,
      record: status === 'succeeded' ? record : undefined,
    };
    await this.worker.js.publish(subjects.runFinished(job_id), RunFinished.encode(event).finish());
  }

  /** Puts into memory what a worker has to say of a run, with this result or none. */
  async hold({ job_id }: RunRow, text?: string): Promise<void> {
    const result_json = text === undefined ? undefined : Buffer.from(text);
    await this.worker.js.publish(
      subjects.result(job_id),
      RunResult.encode({ job_id, result_json, english: [] }).finish(),
    );
  }

  /** Until all that workers reported has changed the table, or not. */
  untilReportsAreApplied(): Promise<void> {
    const check = async () => {
      const { num_pending, num_ack_pending } = await this.worker.jsm.consumers.info('RUN_EVENTS', 'models');
      expect([num_pending, num_ack_pending]).toEqual([0, 0]);
    };
    return vi.waitFor(check, IN_TIME);
  }

  /** What was put before the workers of a run. */
  async requestsOf(run: RunRow): Promise<RunRequested[]> {
    const requests = (await this.#held('RUNS')).filter(({ msgId }) => msgId === run.job_id);
    return requests.map(({ data }) => RunRequested.decode(data));
  }

  /** The traces to which these requests belong. */
  async tracesOf(run: RunRow): Promise<string[]> {
    const requests = (await this.#held('RUNS')).filter(({ msgId }) => msgId === run.job_id);
    return requests.map(({ traceparent }) => traceparent);
  }

  /** What the usage stream received of a run. */
  async usageOf(run: RunRow): Promise<UsageRecorded[]> {
    const records = (await this.#held('USAGE')).filter(({ msgId }) => msgId.startsWith(`${run.event_id}.`));
    return records.map(({ data }) => UsageRecorded.decode(data));
  }

  /** The messages a stream holds, oldest first. */
  async #held(stream: string): Promise<HeldMessage[]> {
    const { first_seq, last_seq } = (await this.worker.jsm.streams.info(stream)).state;
    const messages = [];
    for (let seq = first_seq; seq <= last_seq; seq++) {
      const message = await this.worker.jsm.streams.getMessage(stream, { seq });
      if (!message) continue;
      const { header, data } = message;
      messages.push({ msgId: header.get('Nats-Msg-Id'), traceparent: header.get('traceparent'), data });
    }
    return messages;
  }
}
