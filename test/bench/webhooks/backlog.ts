import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '#local/state/ports.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import type { Rest } from '#support/rest/rest.ts';
import { residentMiB } from '#support/measuring/processes.ts';
import type { Stage } from '#support/measuring/stage.ts';
import { createWebhook, type QuickApplication } from './quick-application.ts';

const INSERTED_AT_ONCE = 10_000;
const ATTEMPTED_FOR_MS = 60_000;
const RESTART_PAUSE_MS = 1_000;
const LEFT_PAUSE_MS = 50;

/**
 * Lets so many deliveries wait for an endpoint that is dead. Left alone, it would get a handful of attempts within the minute, so its owner
 * starts it again every second. Deletes it in the end.
 */
export async function measureBacklog({ fleet, file, rest }: Stage, app: QuickApplication, count: number) {
  const memory = () => residentMiB({ webhooks: file.pids['webhooks']! }).get('webhooks')!;
  const database = new pg.Client({ connectionString: file.stores.postgres });
  await database.connect();
  try {
    const { id, key } = await issueKey(fleet.stateDir);
    const owner = rest.as(key);
    const url = `http://127.0.0.1:${await freePort()}/`;
    const webhookId = await createWebhook(owner, url);
    const path = `/api/v1/webhooks/${webhookId}`;
    const before = memory();
    await letWait(database, count, { apiKeyId: id, webhookId });
    const filled = memory();
    const restarting = repeatedly(() => owner.send(path, { method: 'PUT', body: { url } }));
    /** How soon tests of another endpoint arrived meanwhile. */
    const timesBeside: number[] = [];
    const until = performance.now() + ATTEMPTED_FOR_MS;
    while (performance.now() < until) timesBeside.push(...(await app.timesOfTests()));
    await restarting.stop();
    const memoryMiB = { before, filled, after: memory() };
    const attempts = await attemptsOf(database, webhookId);
    const areLeft = async () => {
      const left = 'select from webhooks.delivery where webhook_id = $1 limit 1';
      return (await database.query(left, [webhookId])).rowCount === 1;
    };
    const deletedAfterMs = await timesOfDeleting(owner, path, areLeft);
    return { memoryMiB, attempts, timesBeside, deletedAfterMs };
  } finally {
    await database.end();
  }
}

/** Times until deleting a webhook is answered, and until no delivery to it is left. */
async function timesOfDeleting(
  owner: Rest,
  path: string,
  areLeft: () => Promise<boolean>,
): Promise<number[]> {
  const began = performance.now();
  const { status, body } = await owner.send(path, { method: 'DELETE' });
  if (status !== 200) throw new Error(`deleting a webhook was answered ${status}: ${JSON.stringify(body)}`);
  const answeredMs = performance.now() - began;
  while (await areLeft()) await sleep(LEFT_PAUSE_MS);
  return [answeredMs, performance.now() - began];
}

async function letWait(
  database: pg.Client,
  count: number,
  { apiKeyId, webhookId }: { apiKeyId: string; webhookId: string },
): Promise<void> {
  const data = JSON.stringify({ job_id: 'job_of_the_bench', end_user: 'alice', pick_count: 5 });
  for (let from = 1; from <= count; from += INSERTED_AT_ONCE) {
    const numbers = [from, Math.min(count, from + INSERTED_AT_ONCE - 1)];
    await database.query(
      `insert into webhooks.event (event_id, api_key_id, sequence, type, occurred_at, data, received_at)
        select 'evt_' || $1 || n, $1, n, 'run.succeeded', now(), $2, now() from generate_series($3::int, $4::int) as n`,
      [apiKeyId, data, ...numbers],
    );
    await database.query(
      `insert into webhooks.delivery (delivery_id, webhook_id, event_id, created_at, due_at)
        select 'del_' || $1 || n, $2, 'evt_' || $1 || n, now(), now() from generate_series($3::int, $4::int) as n`,
      [apiKeyId, webhookId, ...numbers],
    );
  }
  await database.query('insert into webhooks.event_sequence values ($1, $2)', [apiKeyId, count]);
  await database.query('update webhooks.webhook set due_at = now() where webhook_id = $1', [webhookId]);
}

async function attemptsOf(database: pg.Client, webhookId: string): Promise<number> {
  const { rows } = await database.query<{ attempts: number }>(
    `select count(*)::int as attempts from webhooks.attempt join webhooks.delivery using (delivery_id) where webhook_id = $1`,
    [webhookId],
  );
  return rows[0]!.attempts;
}

function repeatedly(work: () => Promise<unknown>): { stop: () => Promise<void> } {
  let isOver = false;
  const working = (async () => {
    for (; !isOver; await sleep(RESTART_PAUSE_MS)) await work();
  })();
  return {
    stop: () => {
      isOver = true;
      return working;
    },
  };
}
