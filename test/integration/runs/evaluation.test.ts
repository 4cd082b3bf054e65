import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REPOSITORY } from '#support/repository.ts';
import { idxFile, tarGzOf, weekdays } from '#support/markets/idx-archive.ts';
import type { Evaluation, PickEvaluation, RecoveryEvaluation } from '#evaluation/evaluation.ts';

/** The promise is one minute, but the machine may be busy. */
const DEADLINE_MS = 180_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'saring-evaluation-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the program of `make evaluate`. */
async function evaluate(env: Record<string, string>) {
  const OUT = path.join(folder, 'out');
  const child = spawn(process.execPath, ['evaluation/main.ts'], {
    cwd: REPOSITORY,
    env: { ...process.env, DATASET: '', ...env, OUT },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await exited) as [number];
  return { code, stdout, stderr, OUT };
}

describe('an evaluation of a small synthetic market over a few weeks', () => {
  /** The data ends on 2026-09-30. The last weeks of August have outcomes after 10 and 20 days, but not after 40. */
  const SPAN = { FROM: '2026-07-24', TO: '2026-08-21' };
  let run: Awaited<ReturnType<typeof evaluate>>;
  let evaluation: Evaluation;
  let page: string;

  beforeAll(async () => {
    run = await evaluate({ SAMPLE_TICKERS: '60', SAMPLE_DAYS: '420', ...SPAN });
    expect(run.code, run.stderr).toBe(0);
    evaluation = JSON.parse(await readFile(path.join(run.OUT, 'evaluation.json'), 'utf8')) as Evaluation;
    page = await readFile(path.join(run.OUT, 'evaluation.html'), 'utf8');
  }, DEADLINE_MS);

  const picking = () => evaluation.models.filter((model): model is PickEvaluation => model.kind === 'picks');
  const recovery = () =>
    evaluation.models.find((model): model is RecoveryEvaluation => model.kind === 'recovery')!;

  test('runs every model as of the last trading day of every week, without failures', () => {
    expect(evaluation.models.map(({ kind }) => kind).toSorted()).toEqual([
      ...Array<string>(5).fill('picks'),
      'recovery',
    ]);
    const weeks = ['2026-07-24', '2026-07-31', '2026-08-07', '2026-08-14', '2026-08-21'];
    for (const { name, weeks: reported, runs } of picking()) {
      expect([name, runs.failed]).toEqual([name, []]);
      expect([name, reported.map(({ date }) => date)]).toEqual([name, weeks]);
    }
  });

  test('judges only weeks whose horizon ends within the data', () => {
    const weeks = recovery().horizons.map(({ horizon_days, figures }) => [horizon_days, figures.weeks]);
    expect(weeks).toEqual([
      [10, 5],
      [20, 5],
      [30, 4],
      [40, 2],
    ]);
  });

  test('computes its figures from the picks shown with them', () => {
    const withPicks = picking().filter(({ figures }) => figures.picks > 0);
    expect(withPicks.length).toBeGreaterThan(0);
    for (const { weeks, figures } of withPicks) {
      const picks = weeks.flatMap((week) => week.picks);
      const won = picks.filter((pick) => pick.won).length;
      const blind = weeks.reduce((sum, week) => sum + week.picks.length * week.universe.win_rate, 0);
      const returns = picks.flatMap(({ net_return }) => net_return ?? []);
      const returned = returns.reduce((sum, netReturn) => sum + netReturn, 0);
      expect(figures.picks).toBe(picks.length);
      expect(figures.unsold).toBe(picks.length - returns.length);
      expect(figures.win_rate).toBeCloseTo(won / picks.length, 12);
      expect(figures.base_rate).toBeCloseTo(blind / picks.length, 12);
      expect(figures.lift.value).toBeCloseTo(won / blind, 12);
      expect(figures.net_return.value).toBeCloseTo(returned / returns.length, 12);
    }
  });

  test('judges every scored ticker of the learning models, not only picks', () => {
    for (const { model_id, chances, chances_above_floors, figures } of picking()) {
      if (model_id === 'confluence_filter') {
        expect(chances).toBeNull();
        continue;
      }
      expect(chances!.forecasts).toBeGreaterThan(figures.picks);
      expect(chances!.forecasts).toBeGreaterThanOrEqual(chances_above_floors!.forecasts);
      expect(chances!.reliability.reduce((sum, { weight }) => sum + weight, 0)).toBe(chances!.forecasts);
    }
  });

  test('labels synthetic data in the JSON, on the page and on the terminal', () => {
    expect(evaluation.labels).toEqual([
      expect.stringContaining('SYNTHETIC market'),
      expect.stringContaining('SYNTHETIC broker rows'),
    ]);
    for (const label of evaluation.labels) {
      expect(page).toContain(label);
      expect(run.stdout).toContain(label);
    }
  });

  test('reports progress by week, with each model’s picks and the time', () => {
    const weeks = run.stderr.match(
      /^2026-\d\d-\d\d {2}.*confluence_filter \d+.* {2}\[\d+\/41; \d+:\d\d, about \d+:\d\d left\]$/gm,
    );
    expect(weeks).toHaveLength(5);
  });
});

describe('an evaluation of a user’s own dataset', () => {
  let dataset: string;
  beforeAll(async () => {
    dataset = path.join(folder, 'bars.tar.gz');
    const days = weekdays('2024-01-01', 60).map((date) => ({ date, close: 100 }));
    await writeFile(dataset, await tarGzOf({ 'bars/AAAA.csv': idxFile(days) }));
  });

  test('reports a model that needs broker rows as not runnable, and labels nothing synthetic', async () => {
    const { code, stdout, stderr, OUT } = await evaluate({ DATASET: dataset, MODELS: 'gross_alpha_v10' });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Model C: General Purpose: Not runnable');
    const file = await readFile(path.join(OUT, 'evaluation.json'), 'utf8');
    const { labels, models } = JSON.parse(file) as Evaluation;
    expect(labels).toEqual([]);
    expect(models).toMatchObject([
      { kind: 'not_evaluated', reason: expect.stringContaining('broker rows') as string },
    ]);
  });

  test('refuses a period without a known outcome in one sentence', async () => {
    const { code, stderr } = await evaluate({
      DATASET: dataset,
      MODELS: 'confluence_filter',
      FROM: '2024-03-18',
      TO: '2024-03-22',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/No week from 2024-03-18 to 2024-03-22 has an outcome in the data\.\n$/);
  });
});
