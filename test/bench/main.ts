import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fleet, REPOSITORY } from '#support/fleet.ts';
import { Rest } from '#support/rest.ts';
import { createKey, saring } from '#support/saring-cli.ts';
import { machineLine } from './machine.ts';
import { memoryFigures } from './memory.ts';
import { quoteFigures } from './quote-throughput.ts';
import { printFigures, type Figure } from './report.ts';
import { runLatencyFigures } from './run-latency.ts';

/** A fleet that has just started still has the processors busy for a moment. */
const SETTLE_MS = 5_000;

/** `make bench [DATASET=…]`: measures what the README promises, on a fleet of its own, and says on what. */
const dataset = process.env['DATASET'] ?? realMarket();
console.log(`Machine: ${machineLine()}`);
console.log(`Dataset: ${dataset ? path.relative(REPOSITORY, dataset) : 'the synthetic sample market'}`);
console.log('Starting a fleet of its own …');

let fleet = await Fleet.start({ DATASET: '' });
const figures: Figure[] = [];
if (dataset) {
  await sleep(SETTLE_MS);
  figures.push(await importFigure(dataset));
}
await fleet.stop({ keepState: true });

const begun = performance.now();
fleet = await Fleet.start({ STATE_DIR: fleet.stateDir, DATASET: '' });
figures.push(...startFigures(fleet.output, performance.now() - begun));

try {
  const { base_url, pids } = await fleet.file();
  const scopes = 'models:read,models:run,data:read,usage:read';
  const { key } = await createKey(fleet.stateDir, scopes, '--rate-limit', '1000000');
  const rest = new Rest(base_url, key);
  console.log('Measuring runs …');
  figures.push(...(await runLatencyFigures(rest)));
  console.log('Measuring memory …');
  figures.push(...(await memoryFigures(pids)));
  console.log('Measuring quotes …');
  const { body } = await rest.get<{ jobs: { summary: { tickers: string[] } }[] }>('/api/v1/jobs?limit=1');
  figures.push(...(await quoteFigures(base_url, key, body.jobs[0]!.summary.tickers[0]!)));
} finally {
  await fleet.stop();
}
printFigures(`make bench${dataset ? ` DATASET=${path.relative(REPOSITORY, dataset)}` : ''}`, figures);

/** The fleet prints, for every process, the seconds after which it was ready. */
function startFigures(output: string, firstRunShownMs: number): Figure[] {
  const ready = [...output.matchAll(/ ready on .* ([\d.]+) s$/gm)].map(([, seconds]) => Number(seconds));
  return [
    {
      what: 'start with data in place, all services ready',
      measured: `${Math.max(...ready).toFixed(1)} s`,
      bar: '< 5 s',
    },
    { what: 'the same, until a first run is shown', measured: `${(firstRunShownMs / 1000).toFixed(1)} s` },
  ];
}

async function importFigure(file: string): Promise<Figure> {
  console.log('Importing …');
  const answer = await saring(fleet.stateDir, 'dataset', 'import', file, '--json');
  if (answer.code !== 0) throw new Error(answer.stderr);
  const outcome = JSON.parse(answer.stdout) as { elapsed_ms: number; dataset: { bars: number } };
  const measured = `${(outcome.elapsed_ms / 1000).toFixed(1)} s for ${outcome.dataset.bars.toLocaleString('en')} bars`;
  return { what: 'dataset import into a fleet at rest, until it is served', measured, bar: '< 5 s' };
}

function realMarket(): string | undefined {
  const file = path.resolve(REPOSITORY, '../shared/data/idx-daily.tar.gz');
  return existsSync(file) ? file : undefined;
}
