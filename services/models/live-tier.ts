import type { JetStreamManager } from '@nats-io/jetstream';
import { RunResult } from '#proto/saring/events/v1/runs.ts';
import { subjects } from '#shared/nats/subjects.ts';
import { ServiceError } from '#shared/service-error.ts';

const RESULTS = 'RESULTS';
const SUBJECT_PREFIX = subjects.result('');

/** The results of finished runs that are still in memory. Every method fails with model_unavailable without NATS. */
export class LiveTier {
  readonly #jsm: JetStreamManager;

  constructor(jsm: JetStreamManager) {
    this.#jsm = jsm;
  }

  /** Undefined once the result is gone. */
  async find(jobId: string): Promise<RunResult | undefined> {
    const message = await this.#ask(() =>
      this.#jsm.direct.getMessage(RESULTS, { last_by_subj: subjects.result(jobId) }),
    );
    return message ? RunResult.decode(message.data) : undefined;
  }

  /** Every job whose result is held. */
  async jobs(): Promise<Set<string>> {
    const { state } = await this.#ask(() =>
      this.#jsm.streams.info(RESULTS, { subjects_filter: subjects.result('*') }),
    );
    const held = Object.keys(state.subjects ?? {});
    return new Set(held.map((subject) => subject.slice(SUBJECT_PREFIX.length)));
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw new ServiceError('model_unavailable', 'Results cannot be read at the moment. Try again.', {
        cause: error,
      });
    }
  }
}
