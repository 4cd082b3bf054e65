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

interface Checkout {
  sources: string;
  /** Holds the dataset, imported once by these sources. */
  stateDir: string;
  visits: Measure[][];
}

/**
 * What a start, a restart and a change of dataset cost, and how much memory a fleet has. With `BENCH_BASELINE`, the folder of
 * another checkout with its packages and generated files, fleets of both take turns, so that other work of the machine affects
 * both alike.
 */
export async function startFigures(dataset: string | undefined): Promise<Figure[]> {
  const baseline = process.env['BENCH_BASELINE'];
  const states = STATES ? path.resolve(STATES) : await mkdtemp(path.join(tmpdir(), 'saring-bench-'));
  try {
    const checkouts: Checkout[] = [];
    if (baseline)
      checkouts.push(await prepared(path.resolve(baseline), path.join(states, 'before'), dataset));
    checkouts.push(await prepared(REPOSITORY, path.join(states, 'now'), dataset));
    for (let round = 1; round <= ROUNDS; round++) {
      for (const checkout of checkouts) {
        console.log(`  round ${round} of ${ROUNDS}: ${checkout.sources} …`);
        const measures = await visited(checkout, dataset);
        checkout.visits.push(measures);
        // Immediately, because later visits take minutes and may fail.
        for (const { what, value, unit } of measures) console.log(`    ${what}: ${shown(value, unit)}`);
      }
    }
    const [now, before] = checkouts.toReversed().map(mediansOf);
    return figuresOf(now!, before);
  } finally {
    if (!STATES) await rm(states, { recursive: true, force: true });
  }
}

async function prepared(sources: string, stateDir: string, dataset: string | undefined): Promise<Checkout> {
  if (!existsSync(stateDir)) {
    console.log(`  preparing the data of ${sources} …`);
    const fleet = await Fleet.start({ STATE_DIR: stateDir, DATASET: '' }, sources);
    if (dataset) await importFigures(fleet, dataset);
    await fleet.stop({ keepState: true });
  }
  return { sources, stateDir, visits: [] };
}

async function visited({ sources, stateDir }: Checkout, dataset: string | undefined): Promise<Measure[]> {
  const fleet = await Fleet.launch({ STATE_DIR: stateDir, DATASET: '' }, sources);
  try {
    return await visit(fleet, dataset);
  } finally {
    await fleet.stop({ keepState: true });
  }
}

/** The median of every measure, by its words. */
function mediansOf({ visits }: Checkout): Map<string, Measure> {
  const byWords = Object.groupBy(visits.flat(), ({ what }) => what);
  return new Map(
    Object.entries(byWords).map(([what, measures]) => {
      const values = measures!.map(({ value }) => value);
      return [what, { ...measures![0]!, value: quantile(values, 0.5) }];
    }),
  );
}

function figuresOf(now: Map<string, Measure>, before = new Map<string, Measure>()): Figure[] {
  return [...new Map([...now, ...before]).values()].map(({ what, unit, bar }) => ({
    what,
    measured: comparison(now.get(what)?.value, before.get(what)?.value, unit),
    ...(bar && { bar }),
  }));
}

/** As in `before 27.1 s, now 11.9 s = 0.44`. */
function comparison(now: number | undefined, before: number | undefined, unit: string): string {
  const named = Object.entries({ before, now }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${shown(value, unit)}`],
  );
  const ratio = now !== undefined && before !== undefined ? ` = ${(now / before).toFixed(2)}` : '';
  return named.join(', ') + ratio;
}

function shown(value: number, unit: string): string {
  return `${unit === 's' ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ${unit}`.trimEnd();
}
