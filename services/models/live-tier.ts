import type { JetStreamManager } from '@nats-io/jetstream';
import { RunArtefact, RunResult } from '#proto/saring/events/v1/runs.ts';
import type { Logger } from '#shared/logger.ts';
import { RESULT_RETENTION_MS } from '#shared/nats/streams.ts';
import { subjects } from '#shared/nats/subjects.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { NatsPresence } from './nats-presence.ts';
import { isFinal } from './run-states.ts';
import type { RunRow } from './store/tables.ts';
import { unavailable } from './unavailable.ts';

const RESULTS = 'RESULTS';
const ARTEFACTS = 'ARTEFACTS';
const SUBJECT_PREFIX = subjects.result('');

interface LiveTierDependencies {
  jsm: JetStreamManager;
  nats: NatsPresence;
  log: Logger;
}

/**
 * The results of finished runs that are still in memory. Without NATS there are none: at once when the connection is
 * lost, after the time limit of its calls when the server hangs.
 */
export class LiveTier {
  readonly #deps: LiveTierDependencies;

  constructor(deps: LiveTierDependencies) {
    this.#deps = deps;
  }

  /** Undefined once the result is gone, or while it is out of reach. */
  async find(jobId: string): Promise<RunResult | undefined> {
    const query = { last_by_subj: subjects.result(jobId) };
    const message = await this.#ask((jsm) => jsm.direct.getMessage(RESULTS, query));
    return message ? RunResult.decode(message.data) : undefined;
  }

  /** Every job whose result is held. */
  async jobs(): Promise<Set<string>> {
    const filter = { subjects_filter: subjects.result('*') };
    const info = await this.#ask((jsm) => jsm.streams.info(RESULTS, filter));
    const held = Object.keys(info?.state.subjects ?? {});
    return new Set(held.map((subject) => subject.slice(SUBJECT_PREFIX.length)));
  }

  /**
   * What the run has learnt; undefined when it learnt nothing, and once its result is gone.
   * @throws ServiceError model_unavailable while NATS is out of reach: it may well be held
   */
  async artefact(jobId: string): Promise<RunArtefact | undefined> {
    const { jsm, nats } = this.#deps;
    if (!nats.isHere) throw unavailable();
    try {
      const subject = subjects.result(jobId);
      const { state } = await jsm.streams.info(RESULTS, { subjects_filter: subject });
      if (!state.subjects?.[subject]) return undefined;
      const message = await jsm.direct.getMessage(ARTEFACTS, { last_by_subj: subjects.artefact(jobId) });
      return message ? RunArtefact.decode(message.data) : undefined;
    } catch (error) {
      throw unavailable(error);
    }
  }

  async #ask<T>(question: (jsm: JetStreamManager) => Promise<T>): Promise<T | undefined> {
    const { jsm, nats, log } = this.#deps;
    if (!nats.isHere) return undefined;
    try {
      return await question(jsm);
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'results cannot be read; answering without them');
      return undefined;
    }
  }
}

const KEPT =
  `A model is kept as long as its result, ${RESULT_RETENTION_MS / 1_000} seconds at most; ` +
  'a run that learns nothing has none.';

/**
 * What a run has learnt.
 * @throws ServiceError not_found, saying why, when there is nothing; model_unavailable when that cannot be known now.
 */
export async function modelOfRun(run: RunRow, live: Pick<LiveTier, 'artefact'>): Promise<RunArtefact> {
  if (!isFinal(run.status)) throw new ServiceError('not_found', 'This job has not ended yet.');
  if (run.status !== 'succeeded') {
    throw new ServiceError('not_found', `This job is ${run.status}, so there is no model of it.`);
  }
  const artefact = await live.artefact(run.job_id);
  if (!artefact) throw new ServiceError('not_found', `There is no model of this job. ${KEPT}`);
  return artefact;
}
