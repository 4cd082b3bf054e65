import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { REPOSITORY } from '#support/repository.ts';
import { markdownTable } from '#support/measuring/report.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 2);

/** A figure as a bench printed it, one text a round. */
interface Row {
  before: string[];
  now: string[];
}

/**
 * Runs each part of the bench of another checkout and of this one in turn, so that other work of the machine affects both alike, and
 * compares what their tables say. So every part can be compared, and any version that prints such a table.
 * @param baseline a folder with its packages, generated files and programs
 */
export async function compareWith(baseline: string, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    const rows = new Map<string, Row>();
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [side, checkout] of [
        ['before', path.resolve(baseline)],
        ['now', REPOSITORY],
      ] as const) {
        console.log(`  ${part}, round ${round} of ${ROUNDS}: ${side} …`);
        for (const [what, measured] of await figuresOf(checkout, part, side)) {
          const row = rows.get(what) ?? { before: [], now: [] };
          row[side].push(measured);
          rows.set(what, row);
        }
      }
    }
    const lines = [...rows].map(([what, { before, now }]) => [
      what,
      before.join('; '),
      now.join('; '),
      ratioOf(now, before),
    ]);
    console.log(`\n## ${part}, a text for each of ${ROUNDS} rounds\n`);
    console.log(markdownTable(['What', 'Before', 'Now', 'Now / before, by the first number'], lines));
  }
}

/** Runs one part in a checkout, with the settings of this process. */
async function figuresOf(
  checkout: string,
  part: string,
  side: string,
): Promise<[what: string, measured: string][]> {
  const { BENCH_BASELINE: _, BENCH_STATES: states, ...env } = process.env;
  const bench = spawn(process.execPath, ['test/bench/main.ts'], {
    cwd: checkout,
    env: {
      ...env,
      BENCH_PARTS: part,
      BENCH_ROUNDS: '1',
      ...(states && { BENCH_STATES: path.resolve(states, side) }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => bench.once('close', resolve));
  const figures: [string, string][] = [];
  for await (const line of createInterface({ input: bench.stdout })) {
    const [, what, measured] = /^\| (.+?) +\| (.+?) +\|/.exec(line) ?? [];
    if (what !== undefined && what !== 'What' && !what.startsWith('---')) figures.push([what, measured!]);
  }
  const code = await ended;
  if (code !== 0) throw new Error(`the bench of ${checkout} ended with ${code} on ${part}`);
  return figures;
}

/** Of the means over all rounds. Empty if only one side has the figure. */
function ratioOf(now: string[], before: string[]): string {
  const mean = (texts: string[]) =>
    texts.reduce((sum, text) => sum + Number(/[\d,.]*\d/.exec(text)?.[0].replaceAll(',', '')), 0) /
    texts.length;
  const ratio = mean(now) / mean(before);
  return Number.isFinite(ratio) ? ratio.toFixed(2) : '';
}
