import { expect, vi } from 'vitest';
import {
  type RecordedPicks,
  RunFinished,
  RunRequested,
  RunResult,
  RunStarted,
} from '#proto/saring/events/v1/runs.ts';
import { EventTold } from '#proto/saring/events/v1/told.ts';
import { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { IN_TIME } from '../hangs.ts';
import type { RunRow } from '#services/models/store/tables.ts';

interface PendingMessage {
  subject: string;
  msgId: string;
  /** Empty for a message without a trace. */
  traceparent: string;
  data: Uint8Array;
}

/** Reads what the streams hold of runs, and reports on runs as a worker does. */
export class RunStreams {
  /** A connection with a worker's login. */
  worker!: Nats;

  async reportStart({ job_id }: Pick<RunRow, 'job_id'>): Promise<void> {
    const event = { job_id, worker_id: 'worker_test', started_at: new Date() };
    await this.worker.js.publish(subjects.runStarted(job_id), RunStarted.encode(event).finish());
  }

  async reportEnd(
    { job_id }: RunRow,
    status: string,
    record?: RecordedPicks,
    change: Partial<RunFinished> = {},
  ): Promise<void> {
    const event: RunFinished = {
      job_id,
      status,
      started_at: new Date(Date.now() - 500),
      finished_at: new Date(),
      summary:
        status === 'succeeded' ? { pick_count: 1, tickers: ['BBCA'], target_date: '2026-09-30' } : undefined,
      error_message: status === 'failed' ? 'Data belum lengkap.' : undefined,
      error_english: status === 'failed' ? 'The data is not complete yet.' : undefined,
      record: status === 'succeeded' ? record : undefined,
      scores: [],
      ...change,
    };
    await this.worker.js.publish(subjects.runFinished(job_id), RunFinished.encode(event).finish());
  }

  /** Publishes a worker's result of a run, or that there is none. The stream keeps it in memory. */
  async hold({ job_id }: RunRow, text?: string): Promise<void> {
    const result_json = text === undefined ? undefined : Buffer.from(text);
    await this.worker.js.publish(
      subjects.result(job_id),
      RunResult.encode({ job_id, result_json, english: [] }).finish(),
    );
  }

  /** Waits until the models service has processed every report of workers. */
  untilReportsAreApplied(): Promise<void> {
    const check = async () => {
      const { num_pending, num_ack_pending } = await this.worker.jsm.consumers.info('RUN_EVENTS', 'models');
      expect([num_pending, num_ack_pending]).toEqual([0, 0]);
    };
    return vi.waitFor(check, IN_TIME);
  }

  /** The requests for a run that were published to workers. */
  async requestsOf(run: RunRow): Promise<RunRequested[]> {
    const requests = (await this.#held('RUNS')).filter(({ msgId }) => msgId === run.job_id);
    return requests.map(({ data }) => RunRequested.decode(data));
  }

  /** The trace contexts of these requests. */
  async tracesOf(run: RunRow): Promise<string[]> {
    const requests = (await this.#held('RUNS')).filter(({ msgId }) => msgId === run.job_id);
    return requests.map(({ traceparent }) => traceparent);
  }

  /** The usage events of a run that the stream received. */
  async usageOf(run: RunRow): Promise<UsageRecorded[]> {
    const records = (await this.#held('USAGE')).filter(({ msgId }) => msgId.startsWith(`${run.event_id}.`));
    return records.map(({ data }) => UsageRecorded.decode(data));
  }

  /** What the stream holds for applications, oldest first. */
  async told(): Promise<EventTold[]> {
    const held = await this.#held('EVENTS');
    return held.map(({ data }) => EventTold.decode(data));
  }

  /** The messages for applications on a subject of a test. */
  async textsOn(subject: string): Promise<string[]> {
    const held = await this.#held('EVENTS');
    return held
      .filter((message) => message.subject === subject)
      .map(({ data }) => Buffer.from(data).toString());
  }

  /** What the key of a run is told of it. */
  async toldOf({ job_id }: Pick<RunRow, 'job_id'>): Promise<EventTold[]> {
    return (await this.told()).filter(({ data }) => data?.['job_id'] === job_id);
  }

  /** The messages of a stream, oldest first. */
  async #held(stream: string): Promise<PendingMessage[]> {
    const { first_seq, last_seq } = (await this.worker.jsm.streams.info(stream)).state;
    const messages = [];
    for (let seq = first_seq; seq <= last_seq; seq++) {
      const message = await this.worker.jsm.streams.getMessage(stream, { seq });
      if (!message) continue;
      const { subject, header, data } = message;
      messages.push({
        subject,
        msgId: header.get('Nats-Msg-Id'),
        traceparent: header.get('traceparent'),
        data,
      });
    }
    return messages;
  }
}
