import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SaringClient } from '#client/index.ts';
import { loadSecrets } from '#local/state/secrets.ts';
import { eventFor } from '#platform/postgres/outbox-event.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { connectNats } from '#platform/nats/connection.ts';
import { pollUntilFinal, submitRun } from '#support/rest/jobs.ts';
import { spread, type Figure } from '#support/measuring/report.ts';
import type { Stage } from '#support/measuring/stage.ts';

const RUNS = 100;
const EVENTS_PER_SECOND = 50;
/** Whose events these are; nobody reads them. */
const OTHER_KEYS = 20;
const TICK_MS = 100;
const POLL_PAUSE_MS = 4;
const QUANTILES = [0.5, 0.99];

/** How soon the end of a run is in the table of events and in an open stream, while other keys are told 50 events a second. */
export async function eventFigures(stage: Stage): Promise<Figure[]> {
  const { rest, key, file } = stage;
  const database = new pg.Client({ connectionString: file.stores.postgres });
  await database.connect();
  const others = await tellOthers(stage);
  const leaving = new AbortController();
  const streamed = new Map<string, number>();
  const client = new SaringClient({ baseUrl: file.base_url, apiKey: key });
  const reading = (async () => {
    for await (const event of client.events.stream({ after: 0, signal: leaving.signal }))
      if ('job_id' in event.data) streamed.set(event.data.job_id, Date.now());
  })().catch(() => {});
  const [stored, seen]: [number[], number[]] = [[], []];
  try {
    for (let n = 0; n < RUNS; n++) {
      const { job_id } = await submitRun(rest);
      const storedAtMs = await untilStored(database, job_id);
      while (!streamed.has(job_id)) await sleep(1);
      const { finished_at } = await pollUntilFinal(rest, job_id);
      const endedAtMs = Date.parse(finished_at as string);
      stored.push(storedAtMs - endedAtMs);
      seen.push(streamed.get(job_id)! - endedAtMs);
    }
  } finally {
    leaving.abort();
    await Promise.all([reading, others.stop(), database.end()]);
  }
  const meanwhile = `, at ${EVENTS_PER_SECOND} events a second (p50 / p99)`;
  return [
    {
      what: `from the end of a run to its event in the table${meanwhile}`,
      measured: `${spread(stored, QUANTILES, 0)} ms`,
    },
    {
      what: `... to an open stream${meanwhile}`,
      measured: `${spread(seen, QUANTILES, 0)} ms`,
      bar: '≤ 100 / 300 ms',
    },
  ];
}

async function untilStored(database: pg.Client, jobId: string): Promise<number> {
  for (;;) {
    const { rowCount } = await database.query(`select from webhooks.event where data ->> 'job_id' = $1`, [
      jobId,
    ]);
    if (rowCount === 1) return Date.now();
    await sleep(POLL_PAUSE_MS);
  }
}

/** Publishes events of other keys as the services do, until stopped. */
async function tellOthers({ fleet, file }: Stage): Promise<{ stop: () => Promise<void> }> {
  const url = new URL(file.nats_url);
  const { nats_passwords } = loadSecrets(path.join(fleet.stateDir, 'secrets.json'));
  [url.username, url.password] = ['screens', nats_passwords.screens];
  const { js, connection } = await connectNats(url.href, 'screens', createLogger('bench', 'silent'));
  const keys = Array.from({ length: OTHER_KEYS }, () => randomId('key'));
  let isOver = false;
  const telling = (async () => {
    const began = performance.now();
    for (let told = 0; !isOver; await sleep(TICK_MS)) {
      const due = Math.floor(((performance.now() - began) / 1_000) * EVENTS_PER_SECOND);
      const events = [];
      for (; told < due; told++) {
        const data = {
          budget: 'processor_ms_per_minute',
          limit: 60_000,
          window_began_at: '2026-11-20T16:00:00.000+07:00',
        } as const;
        const at = new Date();
        events.push(eventFor('screens', keys[told % OTHER_KEYS]!, { type: 'budget.spent', data, at }));
      }
      await Promise.all(
        events.map(({ subject, message, message_id: msgID }) => js.publish(subject, message, { msgID })),
      );
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await telling;
      await connection.close();
    },
  };
}
