import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fleet, REPOSITORY } from '../support/fleets/fleet.ts';
import { Rest } from '../support/fleets/rest.ts';
import { issueKey } from '../support/fleets/issued-keys.ts';
import { startSecondGateway } from '../support/fleets/second-gateway.ts';
import { upgradeUnderLoad, type Upgrade } from '../support/fleets/upgrade.ts';
import { accountFigures } from './account-figures.ts';
import { computationFigures } from './computation-figures.ts';
import { dataFigures, RESIDENT_BAR } from './data-figures.ts';
import { fullDiskFigure } from './full-disk-figure.ts';
import { appendFigures, importFigures } from './import-figures.ts';
import { interruptionFigure } from './interruption-figure.ts';
import { panelOf } from './market-panel.ts';
import { machineLine, printFigures, type Figure } from './report.ts';
import { memoryFigures, residentFigure } from './processes.ts';
import { observabilityFigures } from './observability/cost-figures.ts';
import { runFigures } from './run-latency.ts';
import { strangerFigures } from './strangers/stranger-figures.ts';
import { throughputFigures } from './throughput.ts';
import { marketProblem, generatedProblem } from './trainer/problem.ts';
import { trainerFigures } from './trainer/trainer-figures.ts';
import { usageFigures } from './usage/usage-figures.ts';

/** A fleet that has just started keeps the processors busy for a moment. */
const SETTLE_MS = 5_000;

/** `make bench [DATASET=…]`: measures the figures of docs/performance.md on a new fleet. */
const dataset = process.env['DATASET'] ?? realMarket();
console.log(`Machine: ${machineLine()}`);
console.log(`Dataset: ${dataset ? path.relative(REPOSITORY, dataset) : 'the synthetic sample market'}`);
console.log('Starting a fleet of its own …');

let fleet = await Fleet.start({ DATASET: '' });
const figures: Figure[] = [];
/** Prints the figures immediately, because later ones take minutes and may fail. */
function report(measured: Figure[]): void {
  figures.push(...measured);
  for (const figure of measured) console.log(`  ${figure.what}: ${figure.measured}`);
}
if (dataset) {
  await sleep(SETTLE_MS);
  console.log('Importing …');
  report(await importFigures(fleet, dataset));
}
await fleet.stop({ keepState: true });

const begun = performance.now();
fleet = await Fleet.start({ STATE_DIR: fleet.stateDir, DATASET: '' });
report(startFigures(fleet.output, performance.now() - begun));

try {
  const file = await fleet.file();
  const scopes = 'models:read,models:run,data:read,usage:read';
  const { id: keyId, key } = await issueKey(fleet.stateDir, scopes);
  const rest = new Rest(file.base_url, key);
  console.log('Measuring runs …');
  report(await runFigures(fleet, rest));
  console.log('Measuring memory …');
  report(await memoryFigures((await fleet.file()).pids));
  const second = await startSecondGateway(file, { ANSWER_CACHE_BYTES: '0' });
  try {
    const gateways = { keeping: file.base_url, asking: second.baseUrl };
    report(await dataFigures(fleet, gateways, key));
    console.log('Measuring requests per second …');
    const { body } = await rest.get<{ jobs: { summary: { tickers: string[] } }[] }>('/api/v1/jobs?limit=1');
    const ticker = body.jobs[0]!.summary.tickers[0]!;
    report(await throughputFigures(gateways, key, ticker));
    console.log('Measuring metrics and traces …');
    report(await observabilityFigures(file, key, ticker));
  } finally {
    await second.stop();
  }
  console.log('Measuring strangers …');
  report(await strangerFigures(file, key));
  console.log('Measuring keys …');
  report(await accountFigures(file, rest));
  if (dataset) {
    console.log('Adding a day …');
    const { body } = await rest.get<{ date: string }>('/api/v1/data/market-overview');
    report(await appendFigures(fleet, dataset, body.date, key));
    const what = 'resident memory of market-data after it was added';
    report([residentFigure(what, file.pids['market-data']!, RESIDENT_BAR)]);
  }
  console.log('Killing a worker …');
  report([await interruptionFigure({ fleet, rest, keyId })]);
} finally {
  await fleet.stop();
}
console.log('Replacing every process of a fleet under load …');
report(upgradeFigures(await upgradeUnderLoad()));
console.log('Filling the disk of a fleet …');
report([await fullDiskFigure()]);
console.log('Measuring usage on a ledger of its own …');
report(await usageFigures());
console.log('Measuring single computations …');
report(await computationFigures(await panelOf(dataset)));
report(await trainerFigures(dataset ? await marketProblem(dataset) : generatedProblem()));
printFigures(`make bench${dataset ? ` DATASET=${path.relative(REPOSITORY, dataset)}` : ''}`, figures);

/** The fleet prints for every process how many seconds passed until it was ready. */
function startFigures(output: string, firstRunShownMs: number): Figure[] {
  const ready = [...output.matchAll(/ ready on .* ([\d.]+) s$/gm)].map(([, seconds]) => Number(seconds));
  const measured = `${Math.max(...ready).toFixed(1)} s`;
  return [
    { what: 'start with data in place, all services ready', measured, bar: '< 5 s' },
    { what: 'the same, until a first run is shown', measured: `${(firstRunShownMs / 1000).toFixed(1)} s` },
  ];
}

function upgradeFigures({ longestOutageMs, longestAwayMs }: Upgrade): Figure[] {
  const outages = Object.entries(longestOutageMs).map(([kind, ms]) => `${kind} ${(ms / 1000).toFixed(1)} s`);
  return [
    { what: 'an upgrade, process by process: longest time with 503', measured: outages.join(', ') },
    { what: 'the same, longest absence of a process', measured: `${(longestAwayMs / 1000).toFixed(1)} s` },
  ];
}

function realMarket(): string | undefined {
  const file = path.resolve(REPOSITORY, '../shared/data/idx-daily.tar.gz');
  return existsSync(file) ? file : undefined;
}
