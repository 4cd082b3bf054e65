import type { JetStreamManager } from '@nats-io/jetstream';
import { RunArtefact, RunResult } from '#proto/saring/events/v1/runs.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { codeOf } from '#foundation/text/codes.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { type ComparedRun, diffOf, type RunDiff } from '#models/explain/diff.ts';
import { explainName, whyOutside } from '#models/explain/explain-name.ts';
import { unpackExplanation } from '#models/picks/run-explanation.ts';
import type { Explanation } from '#models/explain/schema.ts';
import type { Language } from '#foundation/text/languages.ts';
import { modelOf } from '../catalogue/catalogue.ts';
import type { NatsPresence } from '#platform/nats/nats-presence.ts';
import { isFinal } from '../store/run-states.ts';
import type { RunRow } from '../store/tables.ts';
import { unavailable } from '../store/unavailable.ts';

const RESULTS = 'RESULTS';
const ARTEFACTS = 'ARTEFACTS';
const SUBJECT_PREFIX = subjects.result('');

interface LiveTierDependencies {
  jsm: JetStreamManager;
  nats: NatsPresence;
  log: Logger;
}

/**
 * The results of finished runs that are still in memory. Without NATS there are none. A lost connection is noticed
 * immediately; if the server hangs, calls end at their time limit.
 */
export class LiveTier {
  readonly #deps: LiveTierDependencies;

  constructor(deps: LiveTierDependencies) {
    this.#deps = deps;
  }

  /** Undefined if the result is gone or cannot be reached. */
  async find(jobId: string): Promise<RunResult | undefined> {
    const query = { last_by_subj: subjects.result(jobId) };
    const message = await this.#ask((jsm) => jsm.direct.getMessage(RESULTS, query));
    return message ? RunResult.decode(message.data) : undefined;
  }

  /** Every job whose result is still held. */
  async jobs(): Promise<Set<string>> {
    const filter = { subjects_filter: subjects.result('*') };
    const info = await this.#ask((jsm) => jsm.streams.info(RESULTS, filter));
    const held = Object.keys(info?.state.subjects ?? {});
    return new Set(held.map((subject) => subject.slice(SUBJECT_PREFIX.length)));
  }

  /**
   * The artefacts of a run, kept beside its result; undefined once they are gone.
   * @throws ServiceError model_unavailable while NATS cannot be reached, because the artefact may still exist
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

  /** Removes result and artefacts of a run, so that they do not displace those of another run. */
  async forget(jobId: string): Promise<void> {
    await this.#ask((jsm) => jsm.streams.purge(RESULTS, { filter: subjects.result(jobId) }));
    await this.#ask((jsm) => jsm.streams.purge(ARTEFACTS, { filter: subjects.artefact(jobId) }));
  }

  /**
   * Removes result and artefacts of a run for good.
   * @throws ServiceError model_unavailable while that cannot be said
   */
  async erase(jobId: string): Promise<void> {
    const { jsm, nats } = this.#deps;
    if (!nats.isHere) throw unavailable();
    try {
      await jsm.streams.purge(RESULTS, { filter: subjects.result(jobId) });
      await jsm.streams.purge(ARTEFACTS, { filter: subjects.artefact(jobId) });
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

/**
 * The model that a run has trained.
 * @throws ServiceError not_found with the reason if there is none; model_unavailable if this cannot be determined now
 */
export async function modelOfRun(run: RunRow, live: Pick<LiveTier, 'artefact'>): Promise<RunArtefact> {
  const artefact = await artefactOf(run, live, 'model');
  if (artefact && artefact.onnx.length > 0) return artefact;
  const kept = 'A model is kept as long as its result; a run that learns nothing has none.';
  throw new ServiceError('not_found', `There is no model of this job. ${kept}`);
}

/**
 * How a run judged a ticker, in the caller's language.
 * @throws ServiceError not_found with the reason if the ticker is outside the run's universe or nothing is kept of the
 *   run; model_unavailable if this cannot be determined now
 */
export async function explanationOfRun(
  run: RunRow,
  requested: { ticker: string; language: Language },
  live: Pick<LiveTier, 'artefact'>,
): Promise<Explanation> {
  const { explanation: explanations, dataset_version: datasetVersion } = await keptExplanation(run, live);
  const ticker = codeOf(requested.ticker);
  const { params } = modelOf(run.model_id);
  const { language } = requested;
  const explanation = explainName(explanations, ticker, { language, params, datasetVersion });
  if (!explanation) throw new ServiceError('not_found', whyOutside(explanations, ticker));
  return explanation;
}

/**
 * Compares two runs.
 * @throws ServiceError as `explanationOfRun`
 */
export async function diffOfRuns(
  [before, now]: readonly [RunRow, RunRow],
  language: Language,
  live: Pick<LiveTier, 'artefact'>,
): Promise<RunDiff> {
  const compared = async (run: RunRow): Promise<ComparedRun> => {
    const { explanation, dataset_version } = await keptExplanation(run, live);
    return { jobId: run.job_id, params: run.params, datasetVersion: dataset_version, explanation };
  };
  return diffOf(await compared(before), await compared(now), language);
}

async function keptExplanation(run: RunRow, live: Pick<LiveTier, 'artefact'>) {
  const artefact = await artefactOf(run, live, 'explanation');
  if (artefact && artefact.explanation.length > 0)
    return { ...artefact, explanation: unpackExplanation(artefact.explanation) };
  const kept = 'What explains a run is kept as long as its result.';
  throw new ServiceError('not_found', `There is no explanation of job ${run.job_id}. ${kept}`);
}

async function artefactOf(
  { job_id, status }: RunRow,
  live: Pick<LiveTier, 'artefact'>,
  what: string,
): Promise<RunArtefact | undefined> {
  if (!isFinal(status)) throw new ServiceError('not_found', 'This job has not ended yet.');
  if (status !== 'succeeded')
    throw new ServiceError('not_found', `This job is ${status}, so there is no ${what} of it.`);
  return live.artefact(job_id);
}
