import { setTimeout as sleep } from 'node:timers/promises';
import { TENANT_SCOPES, KeyIssuer } from '#support/fleets/issued-keys.ts';
import { pollUntilFinal, submitRun } from '#support/rest/jobs.ts';
import { Rest } from '#support/rest/rest.ts';
import { spread, type Figure } from '#support/measuring/report.ts';
import type { Stage } from '#support/measuring/stage.ts';
import { hangs, Receiver } from '#support/services/test-webhooks.ts';
import { measureBacklog } from './backlog.ts';
import { createWebhook, startQuickApplication, type QuickApplication } from './quick-application.ts';

const RUNS = 40;
/** As many keys as own them by default. */
const HANGING = { keys: 50, ofEach: 20 };
/** Deliveries that wait for a dead endpoint. A minute with few of them comes first, for comparison. */
const BACKLOG = { few: 1_000, many: 100_000 };
/** Longer than an attempt takes. */
const SETTLE_MS = 11_000;
const QUANTILES = [0.5, 0.99];

/** How soon an endpoint has an event: alone, beside a thousand others that hang, and beside one that is dead and for which many wait. */
export async function webhookFigures(stage: Stage): Promise<Figure[]> {
  const { fleet, file, rest } = stage;
  const app = await startQuickApplication(rest);
  const hanging = await Receiver.start(hangs);
  try {
    const afterRuns = await afterEndOfRuns(rest, app);
    const alone = await app.timesOfTests();
    const few = await measureBacklog(stage, app, BACKLOG.few);
    const many = await measureBacklog(stage, app, BACKLOG.many);
    const others = await hangingWebhooks(fleet.stateDir, file.base_url, hanging.url);
    await others.test();
    const whileOthersBegin = await app.timesOfTests();
    await sleep(SETTLE_MS);
    await others.test();
    const whileOthersHang = await app.timesOfTests();
    const count = HANGING.keys * HANGING.ofEach;
    return [
      figure('from the end of a run to the receiver of its event', afterRuns, '≤ 100 / 300 ms'),
      figure('from asking for a test event to its receiver', alone),
      figure(`... while ${count} endpoints begin to hang`, whileOthersBegin, '≤ 100 ms more'),
      figure(`... while ${count} endpoints go on hanging`, whileOthersHang, '≤ 100 ms more'),
      ...backlogFigures(few, many),
    ];
  } finally {
    app.stop();
    hanging.stop();
  }
}

type Backlog = Awaited<ReturnType<typeof measureBacklog>>;

function backlogFigures(few: Backlog, many: Backlog): Figure[] {
  const [fewCount, manyCount] = [BACKLOG.few, BACKLOG.many].map((count) => count.toLocaleString('en'));
  const { before, filled, after } = many.memoryMiB;
  const sizes = [before, filled, after].map((size) => size.toFixed(0)).join('; ');
  const deleted = many.deletedAfterMs.map((ms) => (ms / 1_000).toFixed(2)).join('; ');
  return [
    figure(`... while ${fewCount} deliveries wait for a dead endpoint that is attempted`, few.timesBeside),
    figure(`... while ${manyCount} wait for it`, many.timesBeside, '≤ 100 ms more'),
    {
      what:
        `memory of the process of webhooks: after a minute with ${fewCount} of them and ${few.attempts} attempts; ` +
        `when ${manyCount} wait; after a minute with ${many.attempts} attempts`,
      measured: `${sizes} MiB`,
      bar: '≤ 32 MiB more',
    },
    {
      what: `deleting a webhook for which ${manyCount} wait: until the answer; until nothing of them is left`,
      measured: `${deleted} s`,
    },
  ];
}

async function afterEndOfRuns(rest: Rest, app: QuickApplication): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    const { job_id } = await submitRun(rest);
    const arrivedAtMs = await app.arrival(job_id);
    const { finished_at } = await pollUntilFinal(rest, job_id);
    times.push(arrivedAtMs - Date.parse(finished_at as string));
  }
  return times;
}

/** Webhooks of other keys, to which `test` sends an event each. */
async function hangingWebhooks(stateDir: string, baseUrl: string, url: string) {
  const issuer = await KeyIssuer.of(stateDir);
  const keys = await Promise.all(
    Array.from({ length: HANGING.keys }, () => issuer.issue(TENANT_SCOPES.split(','))),
  );
  issuer.close();
  const owned = keys.map(async ({ key }) => {
    const rest = new Rest(baseUrl, key);
    const ids: string[] = [];
    for (let n = 0; n < HANGING.ofEach; n++) ids.push(await createWebhook(rest, url));
    return { rest, ids };
  });
  const owners = await Promise.all(owned);
  return {
    test: async () => {
      for (const { rest, ids } of owners)
        await Promise.all(ids.map((id) => rest.post(`/api/v1/webhooks/${id}/test`, undefined)));
    },
  };
}

function figure(what: string, times: number[], bar?: string): Figure {
  const measured = `${spread(times, QUANTILES, 0)} ms`;
  return { what: `${what} (p50 / p99)`, measured, ...(bar !== undefined && { bar }) };
}
