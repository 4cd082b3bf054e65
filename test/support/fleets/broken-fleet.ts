import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { analystRows, asAnalyst } from './analyst.ts';
import { Fleet, SMALL_MARKET } from './fleet.ts';
import { IN_TIME } from '../hangs.ts';
import { thaw } from '../processes/signals.ts';
import { FINAL, submitRun, type JobBody } from '../rest/jobs.ts';
import { errorCode, Rest } from '../rest/rest.ts';
import { issueKey, TENANT_SCOPES } from './issued-keys.ts';

/** The pause between two submissions of a load. */
const PAUSE_MS = 100;

/** A fleet that a test file may break, with a key that never reaches its rate limit. */
export interface BrokenFleet {
  fleet: Fleet;
  rest: Rest;
  keyId: string;
}

/** Runs of a small market take a twentieth of this. */
const STUCK_AFTER_MS = 1_500;

interface OwnFleet extends BrokenFleet {
  /** Starts the fleet on its state after it has ended. */
  startAgain: () => Promise<void>;
}

/** Gives a test file a fleet of its own. Call at the top level of the file. */
export function ownFleet(env: Record<string, string> = SMALL_MARKET): OwnFleet {
  const own = {} as OwnFleet;
  const start = async (state: Record<string, string>) => {
    own.fleet = await Fleet.start({ ...env, ...state });
    own.rest = new Rest((await own.fleet.file()).base_url);
  };
  beforeAll(async () => {
    await start({});
    const { id, key } = await issueKey(own.fleet.stateDir, `${TENANT_SCOPES},usage:admin`);
    [own.keyId, own.rest] = [id, own.rest.as(key)];
    own.startAgain = async () => {
      await start({ STATE_DIR: own.fleet.stateDir });
      own.rest = own.rest.as(key);
    };
  });
  afterAll(() => own.fleet?.stop());
  return own;
}

/**
 * Submits runs one after another until stopped, and remembers the accepted ones. Repeats each submission under its own
 * idempotency key until it is accepted. While a part is broken, the contract's 503 and broken connections are allowed; anything
 * else is a bug.
 */
export class SteadyLoad {
  readonly accepted: string[] = [];
  readonly unexpected: string[] = [];
  /** The end user of these runs, and of no others. */
  readonly endUser = `load-${randomUUID()}`;
  #running = true;
  readonly #finished: Promise<void>;

  constructor(rest: Rest) {
    this.#finished = this.#submitAll(rest);
  }

  /** Call only while runs are accepted: this waits until the last run has been accepted. */
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
      const response = await rest.post<JobBody>(path, {}, { endUser: this.endUser, headers });
      if (response.status === 202) this.accepted.push(response.body.job_id);
      else if (response.status !== 503) this.unexpected.push(`${response.status} ${errorCode(response)}`);
      return response.status !== 503;
    } catch {
      // The connection broke. Only a repetition shows whether the run was accepted.
      return false;
    }
  }
}

/** Waits until each of these jobs is final and returns their states by job id. */
export async function settle(rest: Rest, jobIds: string[]): Promise<Map<string, string>> {
  const states = new Map<string, string>();
  const giveUpAt = Date.now() + IN_TIME.timeout;
  while (states.size < jobIds.length) {
    for (const id of jobIds.filter((candidate) => !states.has(candidate))) {
      const response = await rest.get<JobBody>(`/api/v1/jobs/${id}`).catch(() => undefined);
      if (response?.status === 404) states.set(id, 'lost');
      else if (response?.status === 200 && FINAL.includes(response.body.status))
        states.set(id, response.body.status);
    }
    if (Date.now() > giveUpAt) {
      throw new Error(`${jobIds.length - states.size} of ${jobIds.length} accepted runs are not final`);
    }
    await sleep(200);
  }
  return states;
}

/**
 * Faults in the ledger of a key: jobs with more than one row, rows still `started`, accepted jobs without a row. It reads the
 * deduplicated view, as every reader does. Tests of the usage service check that a batch is not stored twice underneath.
 */
export async function ledgerFaults({ fleet, keyId }: BrokenFleet, jobIds: string[]) {
  const known = jobIds.map((id) => `'${id}'`).join() || "''";
  const sql = `SELECT count() - uniqExact(job_id) AS doubled, countIf(status = 'started') AS open,
                 ${jobIds.length} - uniqExactIf(job_id, job_id IN (${known})) AS missing
               FROM usage.run_v2 WHERE api_key_id = '${keyId}'`;
  const rows = await analystRows<Record<'doubled' | 'open' | 'missing', number>>(await fleet.file(), sql);
  return rows[0]!;
}

/** Faults in what a key is told of these jobs: jobs that it was told of more than once or never, and gaps in the numbers. */
export async function eventFaults({ rest }: BrokenFleet, jobIds: string[]) {
  const told = new Map<unknown, number>();
  let [after, gaps] = [0, 0];
  for (let hasMore = true; hasMore;) {
    const { body } = await rest.get<EventPage>(`/api/v1/events?after=${after}&limit=200`);
    for (const { sequence, data } of body.events) {
      if (sequence !== ++after) gaps++;
      told.set(data['job_id'], (told.get(data['job_id']) ?? 0) + 1);
    }
    hasMore = body.has_more;
  }
  const times = jobIds.map((id) => told.get(id) ?? 0);
  return {
    untold: times.filter((count) => count === 0).length,
    doubled: times.filter((count) => count > 1).length,
    gaps,
  };
}

interface EventPage {
  events: { sequence: number; data: Record<string, unknown> }[];
  has_more: boolean;
}

/** How many runs of an end user the ledger has. */
export async function recordedRunsOf({ fleet }: BrokenFleet, endUser: string): Promise<number> {
  const sql = `SELECT uniqExact(job_id) FROM usage.run_v2 WHERE end_user = '${endUser}'`;
  return Number(await asAnalyst(await fleet.file(), sql));
}

/** Submits runs until a frozen worker holds one that is `running`. Returns the job and the worker's name. */
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

/** A job among these that stays `running` far longer than a run takes. */
async function stuckRunning(rest: Rest, jobs: JobBody[]): Promise<string | undefined> {
  const now = async ({ job_id }: JobBody) => (await rest.get<JobBody>(`/api/v1/jobs/${job_id}`)).body;
  for (const giveUpAt = Date.now() + 5_000; Date.now() < giveUpAt; await sleep(100)) {
    const open = (await Promise.all(jobs.map(now))).filter((job) => !FINAL.includes(job.status));
    if (open.length === 0) return undefined;
    const running = open.filter(({ status }) => status === 'running');
    await sleep(STUCK_AFTER_MS);
    for (const job of running) if ((await now(job)).status === 'running') return job.job_id;
  }
  return undefined;
}
