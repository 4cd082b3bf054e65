/**
 * `make bench [DATASET=…] [BENCH_PARTS=…] [BENCH_BASELINE=…]`: measures the figures of docs/performance.md on new fleets. Parts
 * that need no big market are measured on a small one when they are alone.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { REPOSITORY } from '#support/repository.ts';
import { startSecondGateway } from '#support/fleets/second-gateway.ts';
import { residentFigure } from '#support/measuring/processes.ts';
import { tradedTicker } from '#support/measuring/market-values.ts';
import { REAL_ARCHIVE } from '#support/real-market/real-archive.ts';
import { machineLine, printFigures, type Figure } from '#support/measuring/report.ts';
import { stageOf, type Stage } from '#support/measuring/stage.ts';
import { accountFigures } from './accounts/account-figures.ts';
import { costFigures } from './costs/cost-figures.ts';
import { computationFigures } from './market/computation-figures.ts';
import { dataFigures, RESIDENT_BAR } from './market/data-figures.ts';
import { fairnessFigures } from './fairness/fairness-figures.ts';
import type { Gateways } from './market/data-latency.ts';
import { compareWith } from './compare.ts';
import { eventFigures } from './accounts/event-figures.ts';
import { appendFigures, importFigures } from './market/import-figures.ts';
import { panelOf } from './market/market-panel.ts';
import { observabilityFigures } from './observability/cost-figures.ts';
import { fullDiskFigure, interruptionFigure } from './runs/recovery-figures.ts';
import { runFigures } from './runs/run-latency.ts';
import { screenFigures } from './screens/screen-figures.ts';
import { defaultsTrained } from './start/readiness.ts';
import { startFigures } from './start/start-figures.ts';
import { unauthenticatedFigures } from './unauthenticated/unauthenticated-figures.ts';
import { throughputFigures } from './market/throughput.ts';
import { webhookFigures } from './webhooks/webhook-figures.ts';
import { marketProblem } from './trainer/problem.ts';
import { trainerFigures } from './trainer/trainer-figures.ts';
import { usageFigures } from './usage/usage-figures.ts';

/** A fleet that has just started keeps the processors busy for a moment. */
const SETTLE_MS = 5_000;

interface FleetPart {
  /** Printed before it. */
  what: string;
  measure: (stage: Stage & { gateways: Gateways }) => Promise<Figure[]>;
  /** Whether its figures do not depend on the market. */
  isSmall?: boolean;
}

const dataset = process.env['DATASET'] ?? (existsSync(REAL_ARCHIVE) ? REAL_ARCHIVE : undefined);

/** On one fleet, in this order: figures of a worker that was killed come last. */
const ON_A_FLEET: Record<string, FleetPart> = {
  runs: { what: 'Measuring runs', measure: ({ rest }) => runFigures(rest) },
  data: {
    what: 'Measuring market data',
    measure: ({ fleet, gateways, key }) => dataFigures(fleet, gateways, key),
  },
  throughput: {
    what: 'Measuring requests per second',
    measure: async ({ gateways, key, rest }) => throughputFigures(gateways, key, await tradedTicker(rest)),
    isSmall: true,
  },
  observability: {
    what: 'Measuring metrics and traces',
    measure: async ({ file, key, rest }) => observabilityFigures(file, key, await tradedTicker(rest)),
    isSmall: true,
  },
  unauthenticated: {
    what: 'Measuring unauthenticated clients',
    measure: ({ file, key }) => unauthenticatedFigures(file, key),
    isSmall: true,
  },
  fairness: { what: 'Measuring one key beside the loads of another', measure: fairnessFigures },
  keys: { what: 'Measuring keys', measure: accountFigures, isSmall: true },
  costs: { what: 'Holding estimated costs against measured ones', measure: costFigures },
  screens: { what: 'Measuring screens', measure: (stage) => screenFigures(stage, dataset) },
  events: { what: 'Measuring events', measure: eventFigures, isSmall: true },
  webhooks: { what: 'Measuring webhooks', measure: webhookFigures, isSmall: true },
  'added-day': { what: 'Adding a day', measure: addedDay },
  interruption: {
    what: 'Killing a worker',
    measure: async (stage) => [await interruptionFigure(stage)],
    isSmall: true,
  },
};

/** With what they need of their own. */
const ALONE: Record<string, { what: string; measure: () => Promise<Figure[]> }> = {
  start: { what: 'Measuring starts, restarts and memory', measure: () => startFigures(dataset) },
  'full-disk': { what: 'Filling the disk of a fleet', measure: async () => [await fullDiskFigure()] },
  usage: { what: 'Measuring usage on a ledger of its own', measure: usageFigures },
  computations: {
    what: 'Measuring single computations',
    measure: async () => computationFigures(await panelOf(dataset)),
  },
  trainer: {
    what: 'Measuring the trainer',
    measure: async () => trainerFigures(await marketProblem(dataset)),
  },
};

const chosen = process.env['BENCH_PARTS']?.split(',') ?? Object.keys({ ...ON_A_FLEET, ...ALONE });
const unknown = chosen.filter((name) => !(name in ON_A_FLEET) && !(name in ALONE));
if (unknown.length > 0)
  throw new Error(
    `no part of the bench is called ${unknown.join()}: ${Object.keys({ ...ON_A_FLEET, ...ALONE }).join()}`,
  );
const baseline = process.env['BENCH_BASELINE'];
if (baseline) {
  console.log(`Machine: ${machineLine()}`);
  await compareWith(baseline, chosen);
  process.exit();
}
const isChosen = ([name]: [string, unknown]) => chosen.includes(name);
const onFleet = Object.entries(ON_A_FLEET).filter(isChosen);
const isSmall = onFleet.length > 0 && onFleet.every(([, part]) => part.isSmall);

console.log(`Machine: ${machineLine()}`);
const market = dataset ? path.relative(REPOSITORY, dataset) : 'the synthetic sample market';
console.log(`Dataset: ${isSmall ? 'a small one' : market}`);
const figures: Figure[] = [];
/** Prints the figures immediately, because later ones take minutes and may fail. */
function report(measured: Figure[]): void {
  figures.push(...measured);
  for (const figure of measured) console.log(`  ${figure.what}: ${figure.measured}`);
}
if (onFleet.length > 0) {
  console.log('Starting a fleet of its own …');
  const fleet = await (isSmall ? Fleet.start(SMALL_MARKET) : restartedWithData());
  try {
    await measureOn(fleet, onFleet);
  } finally {
    await fleet.stop();
  }
}
for (const [, { what, measure }] of Object.entries(ALONE).filter(isChosen)) {
  console.log(`${what} …`);
  report(await measure());
}
const parts = process.env['BENCH_PARTS'] ? ` BENCH_PARTS=${chosen.join()}` : '';
const named = dataset && !isSmall ? ` DATASET=${path.relative(REPOSITORY, dataset)}` : '';
printFigures(`make bench${parts}${named}`, figures);

async function measureOn(fleet: Fleet, parts: [string, FleetPart][]): Promise<void> {
  const stage = await stageOf(fleet);
  // On a slow machine a fleet is ready before it has loaded the real market.
  await defaultsTrained(stage.rest);
  const second = await startSecondGateway(stage.file, { ANSWER_CACHE_BYTES: '0' });
  try {
    const gateways = { keeping: stage.file.base_url, asking: second.baseUrl };
    for (const [, { what, measure }] of parts) {
      console.log(`${what} …`);
      report(await measure({ ...stage, gateways }));
    }
  } finally {
    await second.stop();
  }
}

/** Imports the market, then starts the fleet again, as on its second day. */
async function restartedWithData(): Promise<Fleet> {
  const first = await Fleet.start({ DATASET: '' });
  try {
    if (dataset) {
      await sleep(SETTLE_MS);
      console.log('Importing …');
      report(await importFigures(first, dataset));
    }
  } catch (failure) {
    await first.stop();
    throw failure;
  }
  await first.stop({ keepState: true });
  return Fleet.start({ STATE_DIR: first.stateDir, DATASET: '' });
}

async function addedDay(stage: Stage): Promise<Figure[]> {
  if (!dataset) return [];
  const what = 'resident memory of market-data after it was added';
  const added = await appendFigures(stage, dataset);
  return [...added, residentFigure(what, stage.file.pids['market-data']!, RESIDENT_BAR)];
}
