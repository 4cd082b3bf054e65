import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freezeFamily, thaw } from '#support/processes/signals.ts';
import { submitRunOf, type JobBody } from '#support/rest/jobs.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { servedDataset } from '#support/rest/served-dataset.ts';
import { idxDayFile } from '#support/markets/idx-archive.ts';
import { FAILING_SOURCE, type AlertStage } from './stage.ts';

export interface Provocation {
  alerts: string[];
  /** What is done to the fleet. */
  how: string;
  /** Causes the fault until `fired` is aborted, then mends it. */
  provoke: (stage: AlertStage, fired: AbortSignal) => Promise<void>;
  /** Reads what the runbook says to look at while the alert fires. */
  evidence: (stage: AlertStage) => Promise<string>;
  /** The pattern that the evidence must match. */
  shows: RegExp;
}

const LEARNING = 'model_f_combined';
const QUICK = 'confluence_filter';
const OLD_DAY = '2024-03-04';

const untilFired = (fired: AbortSignal) => sleep(2 ** 30, undefined, { signal: fired }).catch(() => {});
const pidOf = async ({ fleet }: AlertStage, name: string) => (await fleet.file()).pids[name]!;
const commandLine = async ({ fleet }: AlertStage, ...words: string[]) =>
  (await saring(fleet.stateDir, ...words)).stdout;
const readyz = async ({ fleet }: AlertStage, name: string) =>
  (await fetch(`${(await fleet.file()).ops[name]}/readyz`)).text();
const errorsByCode = async ({ fleet }: AlertStage) =>
  (await (await fetch(`${(await fleet.file()).ops['gateway']}/metrics`)).text())
    .split('\n')
    .filter((line) => line.startsWith('saring_http_errors_total'))
    .join('\n');

/** Freezes the supervisor during the work, so that nothing restarts, as if restarts failed. */
async function withoutSupervisor({ fleet }: AlertStage, work: () => Promise<void>): Promise<void> {
  process.kill(fleet.pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(fleet.pid, 'SIGCONT');
  }
}

/** Freezes processes during the work. They do not answer and are not replaced. */
async function whileFrozen(stage: AlertStage, names: string[], work: () => Promise<void>): Promise<void> {
  const pids = await Promise.all(names.map((name) => pidOf(stage, name)));
  await withoutSupervisor(stage, async () => {
    const wake = await Promise.all(pids.map(freezeFamily));
    try {
      await work();
    } finally {
      for (const go of wake) go();
    }
  });
}

/** Repeats a request until the alert fires, whatever the response. */
async function again(fired: AbortSignal, pauseMs: number, ask: () => Promise<unknown>): Promise<void> {
  while (!fired.aborted) {
    await ask().catch(() => {});
    await sleep(pauseMs);
  }
}

const submit = ({ rest }: AlertStage, model: string) => submitRunOf(rest, model);

async function untilRunning({ rest }: AlertStage, jobs: JobBody[]): Promise<void> {
  for (;;) {
    const states = jobs.map(async ({ job_id }) => (await rest.get<JobBody>(`/api/v1/jobs/${job_id}`)).body);
    if ((await Promise.all(states)).some(({ status }) => status === 'running')) return;
  }
}

const WORKER = 'model-worker-1';

/** Waits until the worker has a new process, or the alert fires. */
async function untilBack({ fleet }: AlertStage, fired: AbortSignal): Promise<void> {
  const before = Object.values((await fleet.file()).pids);
  while (!fired.aborted) {
    await sleep(1_000);
    const { pids } = await fleet.file();
    const worker = pids[WORKER];
    if (worker !== undefined && !before.includes(worker)) return;
  }
}

async function withDatabase(stage: AlertStage, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(await stage.fleet.superuserUrl());
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Run one after another; each fault is mended before the next. */
export const PROVOCATIONS: Provocation[] = [
  {
    alerts: ['SaringProcessDown'],
    how: 'consent is killed and not started again',
    provoke: (stage, fired) =>
      withoutSupervisor(stage, async () => {
        process.kill(await pidOf(stage, 'consent'), 'SIGKILL');
        await untilFired(fired);
      }),
    evidence: (stage) => commandLine(stage, 'status'),
    shows: /consent +(silent|down)/,
  },
  {
    alerts: ['SaringCanaryLost', 'SaringRunsWait'],
    how: 'the worker is frozen',
    provoke: (stage, fired) =>
      whileFrozen(stage, [WORKER], async () => {
        await submit(stage, QUICK);
        await untilFired(fired);
      }),
    evidence: (stage) => readyz(stage, 'models'),
    shows: /canary: did not come back: .+still queued/,
  },
  {
    alerts: ['SaringRunsFail'],
    how: 'the worker is killed in the middle of runs, again and again',
    provoke: async (stage, fired) => {
      while (!fired.aborted) {
        const jobs = await Promise.all(Array.from({ length: 4 }, () => submit(stage, LEARNING)));
        await untilRunning(stage, jobs);
        process.kill(await pidOf(stage, WORKER), 'SIGKILL');
        await untilBack(stage, fired);
      }
    },
    evidence: (stage) => commandLine(stage, 'runs', 'list', '--status', 'interrupted'),
    shows: new RegExp(LEARNING),
  },
  {
    alerts: ['SaringServerErrors'],
    how: 'the disk is full; without a small disk: PostgreSQL is frozen',
    provoke: async (stage, fired) => {
      const load = () => again(fired, 50, () => submit(stage, QUICK));
      if (!stage.disk) return whileFrozen(stage, ['postgres'], load);
      stage.disk.fill();
      await load().finally(() => stage.disk!.free());
    },
    evidence: errorsByCode,
    shows: /code="(model|data)_unavailable"/,
  },
  {
    alerts: ['SaringSlowApi', 'SaringEventLoopBlocked'],
    how: 'market-data is kept from its work, 0.8 s of every second',
    provoke: async (stage, fired) => {
      const pid = await pidOf(stage, 'market-data');
      const read = (minValue: number) =>
        stage.rest.get(`/api/v1/data/nego/window?days=60&top_n=5&min_val=${minValue}`);
      const reading = again(fired, 20, () => read(Math.floor(Math.random() * 1e9)));
      while (!fired.aborted) {
        process.kill(pid, 'SIGSTOP');
        await sleep(800);
        thaw([pid]);
        await sleep(200);
      }
      await reading;
    },
    evidence: async ({ prometheus }) =>
      `event loop lag ${Math.max(...(await prometheus.values('nodejs_eventloop_lag_p99_seconds'))).toFixed(1)} s`,
    shows: /lag (0\.[5-9]|[1-9])/,
  },
  {
    alerts: ['SaringNoDataset'],
    how: 'ClickHouse is frozen, and market-data is started again meanwhile',
    provoke: async (stage, fired) => {
      const wake = await freezeFamily(await pidOf(stage, 'clickhouse'));
      process.kill(await pidOf(stage, 'market-data'), 'SIGKILL');
      await untilFired(fired);
      wake();
    },
    evidence: (stage) => readyz(stage, 'market-data'),
    shows: /ClickHouse: /,
  },
  {
    alerts: ['SaringDatasetOld'],
    how: 'a real market is served that ended long ago',
    provoke: async (stage, fired) => {
      const { version } = await servedDataset(stage.rest);
      const file = path.join(stage.folder, 'old.csv');
      await writeFile(file, idxDayFile([{ ticker: 'BBCA', close: 100, date: OLD_DAY }]));
      await commandLine(stage, 'dataset', 'import', file, '--replace');
      await untilFired(fired);
      await commandLine(stage, 'dataset', 'use', version);
    },
    evidence: (stage) => commandLine(stage, 'doctor'),
    shows: new RegExp(`ends on ${OLD_DAY}`),
  },
  {
    alerts: ['SaringFeedSourceFails'],
    how: 'a source of real days is asked while the served market is synthetic',
    provoke: async (stage, fired) => {
      await commandLine(stage, 'feed', 'resume', FAILING_SOURCE);
      await untilFired(fired);
      await commandLine(stage, 'feed', 'pause', FAILING_SOURCE);
    },
    evidence: (stage) => commandLine(stage, 'feed', 'status'),
    shows: /failing.+The served market is synthetic/,
  },
  {
    alerts: ['SaringUsageLag'],
    how: 'ClickHouse is frozen while runs are submitted',
    provoke: (stage, fired) =>
      whileFrozen(stage, ['clickhouse'], async () => {
        await submit(stage, QUICK);
        await untilFired(fired);
      }),
    evidence: (stage) => readyz(stage, 'usage'),
    shows: /ClickHouse: /,
  },
  {
    alerts: ['SaringWebhooksLate'],
    how: 'a lock on the table of webhooks is held while a delivery is due',
    provoke: (stage, fired) =>
      withDatabase(stage, async (client) => {
        await client.query(`insert into webhooks.webhook (webhook_id, api_key_id, url, secret, created_at, updated_at, due_at)
          values ('wh_000000000000000000000000', 'key_of_the_alert', 'http://127.0.0.1:1/', '', now(), now(), now())`);
        await client.query('begin; lock table webhooks.webhook in share mode');
        await untilFired(fired);
        await client.query('rollback');
        await client.query(`delete from webhooks.webhook where api_key_id = 'key_of_the_alert'`);
      }),
    evidence: (stage) => commandLine(stage, 'webhooks', 'list', '--key', 'key_of_the_alert'),
    shows: /127\.0\.0\.1:1.+working/,
  },
  {
    alerts: ['SaringOutboxWaits'],
    how: 'a message that no stream takes is put into the outbox of keys',
    provoke: (stage, fired) =>
      withDatabase(stage, async (client) => {
        await client.query(`insert into keys.outbox (message_id, subject, message)
          values ('message_of_the_alert', 'taken.by.no.stream', '')`);
        await untilFired(fired);
        await client.query(`delete from keys.outbox where message_id = 'message_of_the_alert'`);
      }),
    evidence: (stage) => commandLine(stage, 'logs', 'keys', '--level', 'warn'),
    shows: /publishing what the outbox holds fails/,
  },
  {
    alerts: ['SaringPoolExhausted'],
    how: 'a lock on the table of consents is held while 40 clients consent',
    provoke: (stage, fired) =>
      withDatabase(stage, async (client) => {
        const path = '/api/v1/consent';
        const { required_version: document_version } = (
          await stage.rest.get<{ required_version: string }>(path, { endUser: 'locked' })
        ).body;
        await client.query('begin; lock table consent.consent_record in access exclusive mode');
        const consent = () => stage.rest.post(path, { document_version }, { endUser: randomUUID() });
        await Promise.all(Array.from({ length: 40 }, () => again(fired, 10, consent)));
        await client.query('rollback');
      }),
    evidence: async (stage) => {
      let waiting = '';
      await withDatabase(stage, async (client) => {
        const query = `select query from pg_stat_activity where wait_event_type = 'Lock'`;
        waiting = (await client.query<{ query: string }>(query)).rows.map(({ query }) => query).join('\n');
      });
      return waiting;
    },
    shows: /consent_record/,
  },
];
