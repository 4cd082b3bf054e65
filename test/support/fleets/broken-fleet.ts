import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { analystRows, asAnalyst } from '../usage/analyst.ts';
import { Fleet, SMALL_MARKET } from './fleet.ts';
import { thaw } from '../processes/signals.ts';
import { FINAL, submitRun, type JobBody } from './jobs.ts';
import { errorCode, Rest } from './rest.ts';
import { issueKey } from './issued-keys.ts';

/** Between two submissions of a load. */
const PAUSE_MS = 40;

/** A fleet that a test file may break, with a key that never meets its limit. */
export interface BrokenFleet {
  fleet: Fleet;
  rest: Rest;
  keyId: string;
}

/** Gives a test file a fleet of its own. Call at the top level of the file. */
export function ownFleet(env: Record<string, string> = SMALL_MARKET): BrokenFleet {
  const own = {} as BrokenFleet;
  beforeAll(async () => {
    const fleet = await Fleet.start(env);
    const scopes = 'models:read,models:run,data:read,usage:read,usage:admin';
    const { id, key } = await issueKey(fleet.stateDir, scopes);
    Object.assign(own, { fleet, rest: new Rest((await fleet.file()).base_url, key), keyId: id });
  });
  afterAll(() => own.fleet?.stop());
  return own;
}

/**
 * Submits runs one after another until told to stop, each again and again under its own idempotency key until it is
 * accepted, and remembers which. While a part is broken a submission may be refused with the contract's 503 or the
 * connection may break; anything else is a bug.
 */
export class SteadyLoad {
  readonly accepted: string[] = [];
  readonly unexpected: string[] = [];
  /** Under which its runs alone are recorded. */
  readonly endUser = `load-${randomUUID()}`;
  #running = true;
  readonly #finished: Promise<void>;

  constructor(rest: Rest) {
    this.#finished = this.#submitAll(rest);
  }

  /** Call while runs are accepted: the last one is submitted until it is. */
  async stop(): Promise<string[]> {
    this.#running = false;
    await this.#finished;
    return this.accepted;
  }

  async #submitAll(rest: Rest): Promise<void> {
    while (this.#running) {
      const headers = { 'idempotency-key': randomUUID() };
      while (!(await this.#isAnswered(rest, headers))) await sleep(PAUSE_MS);
      await sleep(PAUSE_MS);
    }
  }

  async #isAnswered(rest: Rest, headers: Record<string, string>): Promise<boolean> {
    try {
      const path = '/api/v1/models/confluence_filter/runs';
      const answer = await rest.post<JobBody>(path, {}, { endUser: this.endUser, headers });
      if (answer.status === 202) this.accepted.push(answer.body.job_id);
      else if (answer.status !== 503) this.unexpected.push(`${answer.status} ${errorCode(answer)}`);
      return answer.status !== 503;
    } catch {
      // The connection broke: whether the run was accepted, only a repetition shows.
      return false;
    }
  }
}

/** Waits until each of these jobs is final and returns their states by job id. */
export async function settle(rest: Rest, jobIds: string[], timeoutMs = 60_000): Promise<Map<string, string>> {
  const states = new Map<string, string>();
  const giveUpAt = Date.now() + timeoutMs;
  while (states.size < jobIds.length) {
    for (const id of jobIds.filter((candidate) => !states.has(candidate))) {
      const answer = await rest.get<JobBody>(`/api/v1/jobs/${id}`).catch(() => undefined);
      if (answer?.status === 404) states.set(id, 'lost');
      else if (answer?.status === 200 && FINAL.includes(answer.body.status))
        states.set(id, answer.body.status);
    }
    if (Date.now() > giveUpAt) {
      throw new Error(`${jobIds.length - states.size} of ${jobIds.length} accepted runs are not final`);
    }
    await sleep(200);
  }
  return states;
}

/**
 * What is wrong with the ledger of a key: jobs with more than one row, rows still `started`, accepted jobs without
 * a row. It sees what every reader sees, the replaced ledger; that a batch is not stored twice underneath is held
 * by the tests of the usage service.
 */
export async function ledgerFaults({ fleet, keyId }: BrokenFleet, jobIds: string[]) {
  const known = jobIds.map((id) => `'${id}'`).join() || "''";
  const sql = `SELECT count() - uniqExact(job_id) AS doubled, countIf(status = 'started') AS open,
                 ${jobIds.length} - uniqExactIf(job_id, job_id IN (${known})) AS missing
               FROM usage.run_v2 WHERE api_key_id = '${keyId}'`;
  const rows = await analystRows<Record<'doubled' | 'open' | 'missing', number>>(await fleet.file(), sql);
  return rows[0]!;
}

/** How many runs the ledger knows of an end user. */
export async function recordedRunsOf({ fleet }: BrokenFleet, endUser: string): Promise<number> {
  const sql = `SELECT uniqExact(job_id) FROM usage.run_v2 WHERE end_user = '${endUser}'`;
  return Number(await asAnalyst(await fleet.file(), sql));
}

/** Runs until one is seen running on a worker that has been frozen; returns the job and the worker's name. */
export async function freezeWorkerMidRun({ fleet, rest }: BrokenFleet) {
  const { pids } = await fleet.file();
  const worker = 'model-worker-1';
  for (let attempt = 0; attempt < 40; attempt++) {
    const jobs = await Promise.all(Array.from({ length: 12 }, () => submitRun(rest)));
    process.kill(pids[worker]!, 'SIGSTOP');
    const jobId = await stuckRunning(rest, jobs);
    if (jobId) return { jobId, worker };
    thaw([pids[worker]!]);
  }
  throw new Error('no worker could be frozen in the middle of a run');
}

/** The job among these that stays `running` once all that can move has moved. */
async function stuckRunning(rest: Rest, jobs: JobBody[]): Promise<string | undefined> {
  const now = async ({ job_id }: JobBody) => (await rest.get<JobBody>(`/api/v1/jobs/${job_id}`)).body;
  for (const giveUpAt = Date.now() + 5_000; Date.now() < giveUpAt; await sleep(100)) {
    const open = (await Promise.all(jobs.map(now))).filter((job) => !FINAL.includes(job.status));
    const [last] = open;
    if (!last) return undefined;
    if (open.length > 1 || last.status !== 'running') continue;
    await sleep(500);
    if ((await now(last)).status === 'running') return last.job_id;
  }
  return undefined;
}
