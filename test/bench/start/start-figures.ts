import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Fleet } from '#support/fleets/fleet.ts';
import { REPOSITORY } from '#support/repository.ts';
import { quantile, type Figure } from '#support/measuring/report.ts';
import { importFigures } from '../market/import-figures.ts';
import { visit, type Measure } from './visit.ts';

/** Set `BENCH_ROUNDS` for more certain medians. */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 2);

/** Set `BENCH_STATES` to keep the prepared data in this folder for later runs. */
const STATES = process.env['BENCH_STATES'];

/** What a start, a restart and a change of dataset cost, and how much memory a fleet has: medians of all rounds. */
export async function startFigures(dataset: string | undefined): Promise<Figure[]> {
  const states = STATES ? path.resolve(STATES) : await mkdtemp(path.join(tmpdir(), 'saring-bench-'));
  try {
    const stateDir = path.join(states, 'now');
    await prepare(stateDir, dataset);
    const visits: Measure[][] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      console.log(`  round ${round} of ${ROUNDS} …`);
      const measures = await visited(stateDir, dataset);
      visits.push(measures);
      // Immediately, because later visits take minutes and may fail.
      for (const { what, value, unit } of measures) console.log(`    ${what}: ${shown(value, unit)}`);
    }
    return mediansOf(visits);
  } finally {
    if (!STATES) await rm(states, { recursive: true, force: true });
  }
}

/** Imports the dataset once. */
async function prepare(stateDir: string, dataset: string | undefined): Promise<void> {
  if (existsSync(stateDir)) return;
  console.log('  preparing the data …');
  const fleet = await Fleet.start({ STATE_DIR: stateDir, DATASET: '' });
  if (dataset) await importFigures(fleet, dataset);
  await fleet.stop({ keepState: true });
}

async function visited(stateDir: string, dataset: string | undefined): Promise<Measure[]> {
  const fleet = await Fleet.launch({ STATE_DIR: stateDir, DATASET: '' }, REPOSITORY);
  try {
    return await visit(fleet, dataset);
  } finally {
    await fleet.stop({ keepState: true });
  }
}

function mediansOf(visits: Measure[][]): Figure[] {
  const byWords = Object.groupBy(visits.flat(), ({ what }) => what);
  return Object.entries(byWords).map(([what, measures]) => {
    const { unit, bar } = measures![0]!;
    const values = measures!.map(({ value }) => value);
    return { what, measured: shown(quantile(values, 0.5), unit), ...(bar && { bar }) };
  });
}

function shown(value: number, unit: string): string {
  return `${unit === 's' ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ${unit}`.trimEnd();
}
