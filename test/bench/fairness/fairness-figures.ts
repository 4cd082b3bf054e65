import { setTimeout as sleep } from 'node:timers/promises';
import { KeyIssuer } from '#support/fleets/issued-keys.ts';
import { tradedTicker, tradingDays } from '#support/measuring/market-values.ts';
import { quantile, type Figure } from '#support/measuring/report.ts';
import type { Stage } from '#support/measuring/stage.ts';
import { beside, TENANT_LOADS } from '#support/measuring/tenant-loads.ts';
import { timesOf } from '#support/measuring/times.ts';
import { submitRunOf } from '#support/rest/jobs.ts';
import type { Rest } from '#support/rest/rest.ts';

const CALLS = 40;
const RUNS = 15;
/** The load has filled its queues by then. */
const SETTLE_MS = 3_000;
/** What was computed or queued for the load before must not count for the next. */
const REST_MS = 8_000;
const BAR = '≤ 3 × idle + 50 ms, none refused';

/** How long another key waits while one key has each kind of load running, and how many of its calls fail. */
export async function fairnessFigures(stage: Stage): Promise<Figure[]> {
  const { file, rest, fleet } = stage;
  const days = await tradingDays(rest, 250);
  const calls = await callsOf(rest);
  await p95sOf(calls);
  const idle = await p95sOf(calls);
  const issuer = await KeyIssuer.of(fleet.stateDir);
  const figures = [figureOf('another key alone', idle)];
  try {
    for (const load of Object.keys(TENANT_LOADS)) {
      const loaded = await beside(load, { issuer, baseUrl: file.base_url, days }, async () => {
        await sleep(SETTLE_MS);
        return p95sOf(calls);
      });
      figures.push({ ...figureOf(`... beside ${load} of one key`, loaded), bar: BAR });
      await sleep(REST_MS);
    }
  } finally {
    issuer.close();
  }
  return figures;
}

interface Measured {
  p95Ms: number;
  failed: number;
}

type Calls = Record<string, { count: number; send: () => Promise<boolean> }>;

async function callsOf(rest: Rest): Promise<Calls> {
  const ticker = await tradedTicker(rest);
  const isOk = async (answer: Promise<{ status: number }>) => (await answer).status === 200;
  const rules = 'close > 100 and is_liquid';
  return {
    health: { count: CALLS, send: () => isOk(rest.get('/api/health')) },
    quote: { count: CALLS, send: () => isOk(rest.get(`/api/v1/data/quotes?tickers=${ticker}`)) },
    stock: { count: CALLS, send: () => isOk(rest.get(`/api/v1/data/stocks/${ticker}`)) },
    preview: {
      count: CALLS,
      send: () => isOk(rest.post('/api/v1/screens/preview', { rules }, { endUser: 'light' })),
    },
    'run of D': {
      count: RUNS,
      send: async () =>
        (await submitRunOf(rest, 'confluence_filter', null, '?wait=60')).status === 'succeeded',
    },
  };
}

async function p95sOf(calls: Calls): Promise<Record<string, Measured>> {
  const measured: Record<string, Measured> = {};
  for (const [name, { count, send }] of Object.entries(calls)) {
    let failed = 0;
    const times = await timesOf(
      async () => {
        if (!(await send().catch(() => false))) failed++;
      },
      { count },
    );
    measured[name] = { p95Ms: quantile(times, 0.95), failed };
  }
  return measured;
}

function figureOf(what: string, measured: Record<string, Measured>): Figure {
  const each = Object.values(measured);
  const failed = each.reduce((sum, one) => sum + one.failed, 0);
  return {
    what: `${what}: p95 of ${Object.keys(measured).join('; ')}; refused`,
    measured: `${each.map(({ p95Ms }) => p95Ms.toFixed(0)).join('; ')} ms; ${failed}`,
  };
}
