import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '#local/state/ports.ts';
import { Random } from '#quant/random.ts';
import { connectClickHouse } from '#shared/clickhouse/clickhouse.ts';
import { Fleet, SMALL_MARKET } from '../support/fleets/fleet.ts';
import { PoweredDisk } from '../support/servers/power.ts';
import { FINAL, submitRun, type JobBody } from '../support/fleets/jobs.ts';
import { Rest } from '../support/fleets/rest.ts';
import { issueKey } from '../support/fleets/issued-keys.ts';
import { readMarket } from '../load/known-market.ts';
import { crash, strike } from './blows.ts';
import { ChaosClients } from './clients.ts';

export interface ChaosPlan {
  /** Random kills and freezes of single processes. */
  kills: number;
  /** Kills of the whole fleet at once. */
  crashes: number;
  /** Copies of the disk as it is at one moment, from which the fleet starts again. Needs root. */
  powerCuts: number;
  clients: number;
  seed: number;
  progress: (line: string) => void;
}

export interface ChaosOutcome {
  clients: ChaosClients;
  /** Blows by kind, as in `kill models`, with how often each was struck. */
  blows: Map<string, number>;
  /** For each phase, how long after its last blow a run completed again. */
  readyAfterMs: Map<string, number[]>;
  /** States of accepted runs, counted. */
  states: Map<string, number>;
  /** Why runs failed, with an id each. */
  failures: Map<string, string>;
  ledger: { missing: number; doubled: number; open: number; otherState: number };
  lostConsents: number;
}

const READY_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 120_000;

/** Breaks a fleet of its own under load, one phase after the other, and compares what it holds with what clients were told. */
export async function chaos(plan: ChaosPlan): Promise<ChaosOutcome> {
  const random = new Random(plan.seed);
  const disk = plan.powerCuts > 0 ? new PoweredDisk() : undefined;
  const env = {
    ...SMALL_MARKET,
    PORT: String(await freePort()),
    STATE_DIR: disk ? path.join(disk.root, 'state') : await mkdtemp(path.join(tmpdir(), 'saring-chaos-')),
  };
  let fleet: Fleet | undefined = await Fleet.start(env);
  const scopes = 'models:read,models:run,data:read,usage:read';
  const { id: keyId, key } = await issueKey(fleet.stateDir, scopes);
  const { base_url } = await fleet.file();
  const rest = new Rest(base_url, key);
  const market = await readMarket(base_url, key);
  const clients = new ChaosClients(rest, {
    clients: plan.clients,
    documentVersion: market.requiredConsent,
    tickers: market.tickers.slice(0, 10),
  });
  const blows = new Map<string, number>();
  const readyAfterMs = new Map<string, number[]>();
  const ready = async (phase: string) => {
    const ms = await untilRunsComplete(rest);
    readyAfterMs.set(phase, [...(readyAfterMs.get(phase) ?? []), ms]);
    plan.progress(
      `${phase}: runs complete again after ${(ms / 1_000).toFixed(1)} s; ${clients.runs.size} accepted so far`,
    );
  };
  try {
    for (let struck = 0; struck < plan.kills; struck++) {
      const blow = await strike(fleet, random);
      blows.set(blow, (blows.get(blow) ?? 0) + 1);
      if ((struck + 1) % 20 === 0) plan.progress(`${struck + 1} of ${plan.kills} kills and freezes`);
      await sleep(random.between(0, 2_000));
    }
    await ready('kills and freezes');
    for (let crashes = 0; crashes < plan.crashes; crashes++) {
      await sleep(random.between(1_000, 5_000));
      await crash(fleet);
      fleet = undefined;
      fleet = await Fleet.start(env);
      await ready('crash of everything');
    }
    for (let cuts = 0; cuts < plan.powerCuts; cuts++) {
      await sleep(random.between(1_000, 5_000));
      await disk!.cut(fleet.pid);
      fleet = undefined;
      fleet = await Fleet.start(env);
      await ready('power cut');
    }
    await clients.stop();
    return { clients, blows, readyAfterMs, ...(await compare(rest, fleet, keyId, clients)) };
  } finally {
    await fleet?.stop({ keepState: disk !== undefined });
    await disk?.remove();
  }
}

/** From now until a run that is submitted now, or as soon as that is possible, has succeeded. */
async function untilRunsComplete(rest: Rest): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < READY_WITHIN_MS) {
    const job = await submitRun(rest, {}, '?wait=10').catch(() => undefined);
    if (job?.status === 'succeeded') return performance.now() - begun;
    await sleep(100);
  }
  throw new Error(`no run has completed for ${READY_WITHIN_MS / 1_000} s`);
}

async function compare(rest: Rest, fleet: Fleet, keyId: string, { runs, consents }: ChaosClients) {
  const states = new Map<string, string>();
  const failures = new Map<string, string>();
  const giveUpAt = performance.now() + SETTLED_WITHIN_MS;
  for (const jobId of runs) {
    for (;;) {
      const { status, body } = await rest.get<JobBody>(`/api/v1/jobs/${jobId}`);
      const state = status === 404 ? 'lost' : body.status;
      states.set(jobId, state);
      if (body.error?.message && state === 'failed') failures.set(body.error.message, jobId);
      if (status === 404 || FINAL.includes(state) || performance.now() > giveUpAt) break;
      await sleep(200);
    }
  }
  let ledger = await ledgerOf(fleet, keyId, states);
  while (Object.values(ledger).some((count) => count > 0) && performance.now() < giveUpAt) {
    await sleep(500);
    ledger = await ledgerOf(fleet, keyId, states);
  }
  const known = await consentsOf(fleet, keyId);
  const counted = Object.groupBy(states.values(), (state) => state);
  return {
    states: new Map(Object.entries(counted).map(([state, jobs]) => [state, jobs!.length])),
    failures,
    ledger,
    lostConsents: [...consents].filter((id) => !known.has(id)).length,
  };
}

/** How the ledger, as every reader sees it, differs from the runs. */
async function ledgerOf(
  fleet: Fleet,
  keyId: string,
  states: Map<string, string>,
): Promise<ChaosOutcome['ledger']> {
  const { clickhouse } = await fleet.file();
  const { analyst_user: user, analyst_password: password } = clickhouse;
  const client = connectClickHouse(Object.assign(new URL(clickhouse.url), { username: user, password }).href);
  try {
    const answer = await client.query({
      query: 'SELECT job_id, status FROM usage.run_v2 WHERE api_key_id = {keyId: String}',
      query_params: { keyId },
      format: 'JSONEachRow',
    });
    const rows = await answer.json<{ job_id: string; status: string }>();
    const recorded = new Map(rows.map(({ job_id, status }) => [job_id, status]));
    return {
      missing: [...states.keys()].filter((jobId) => !recorded.has(jobId)).length,
      doubled: rows.length - recorded.size,
      open: rows.filter(({ status }) => status === 'started').length,
      otherState: [...states].filter(([jobId, state]) => recorded.get(jobId) !== state).length,
    };
  } finally {
    await client.close();
  }
}

async function consentsOf(fleet: Fleet, keyId: string): Promise<Set<string>> {
  const client = new pg.Client(await fleet.databaseUrl('consent'));
  await client.connect();
  try {
    const { rows } = await client.query<{ consent_id: string }>(
      'select consent_id from consent.consent_record where api_key_id = $1',
      [keyId],
    );
    return new Set(rows.map(({ consent_id }) => consent_id));
  } finally {
    await client.end();
  }
}
