import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';
import { fleetFileIn } from '#support/fleets/fleet.ts';
import { REPOSITORY } from '#support/repository.ts';
import { needing } from '#support/needing.ts';
import { pythonWith } from '#support/python-with.ts';

const CLIENT = path.join(REPOSITORY, 'clients/python');
const python = pythonWith('ensurepip, httpx, pandas, matplotlib, nbconvert, ipykernel, setuptools, wheel');
const PACKAGES =
  "Python 3.11 with Debian's python3-venv, python3-setuptools, python3-wheel, python3-httpx, python3-pandas, python3-matplotlib, python3-nbconvert and python3-ipykernel";
const run = promisify(execFile);
/** Waits for a run, a backfill and the past of a screen, beside other tests. */
const LIMIT_MS = 600_000;

interface Output {
  output_type: string;
  /** What is displayed, as text by its type. */
  data?: Record<string, string | string[]>;
}

interface Executed {
  cells: { cell_type: string; id: string; outputs?: Output[] }[];
}

const tenant = ownTenant();
let home: string;
let analyst: string;

/** Follows the steps of the client's page, without a network. */
async function install(): Promise<void> {
  const { stdout: wheel } = await run(python!, [path.join(CLIENT, 'build.py')]);
  await cp(wheel.trim(), path.join(home, path.basename(wheel.trim())));
  const page = await readFile(path.join(CLIENT, 'README.md'), 'utf8');
  const steps = /^```sh\n(python3 -m venv [^]*?)^```$/m.exec(page)![1]!.replace('python3', python!);
  const env = { ...process.env, PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };
  await run('sh', ['-ec', steps], { cwd: home, env });
}

/** Executes a notebook as Jupyter does. Returns what each of its cells shows. */
async function execute(name: string, key = tenant.key): Promise<Map<string, Output[]>> {
  const notebook = path.join(CLIENT, 'notebooks', `${name}.ipynb`);
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    PYTHONDONTWRITEBYTECODE: '1',
    SARING_URL: inject('baseUrl'),
    SARING_KEY: key,
    SARING_ANALYST_URL: analyst,
  };
  const words = ['-m', 'nbconvert', '--execute', '--to', 'notebook', '--stdout', notebook];
  const { stdout } = await run(path.join(home, 'analysis/bin/python'), words, {
    cwd: home,
    env,
    maxBuffer: 64 * 1024 ** 2,
  });
  const { cells } = JSON.parse(stdout) as Executed;
  const code = cells.filter(({ cell_type }) => cell_type === 'code');
  return new Map(code.map(({ id, outputs }) => [id, outputs!]));
}

const shown = (outputs: Output[] | undefined) =>
  (outputs ?? [])
    .map(({ data }) => [data?.['text/markdown'] ?? data?.['text/plain'] ?? []].flat().join(''))
    .join('\n');
const hasChart = (outputs: Output[] | undefined) =>
  outputs!.some(({ data }) => data?.['image/png'] !== undefined);
const silent = (cells: Map<string, Output[]>) =>
  [...cells].filter(([, outputs]) => outputs.length === 0).map(([id]) => id);

describe('the notebooks', needing(PACKAGES, python !== undefined), () => {
  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'saring-notebooks-'));
    const { url, analyst_user, analyst_password } = (await fleetFileIn(inject('stateDir'))).clickhouse;
    analyst = url.replace('://', `://${analyst_user}:${analyst_password}@`);
    await install();
  }, LIMIT_MS);
  afterAll(() => rm(home, { recursive: true }));

  test(
    'usage-of-an-application shows what was run, for whom, how long it took and why it failed',
    async () => {
      const { client } = tenant;
      await client.runAndWait('model_f_combined');
      await client.runAndWait('confluence_filter', { params: { analysis_date: '1990-01-02' } });
      await client.screens.preview({ rules: 'rsi_14 < 50' });
      const statuses = async () =>
        (await client.usage.summary({ group_by: 'status' })).rows.map(({ key }) => key);
      await expect.poll(async () => (await statuses()).toSorted()).toEqual(['failed', 'succeeded']);
      await expect.poll(async () => (await client.usage.screenRunSummary()).total_runs).toBe(1);
      const cells = await execute('usage-of-an-application');
      expect(silent(cells)).toEqual(['setup']);
      expect(shown(cells.get('market'))).toMatch(/^\*\*SYNTHETIC market\*\*, as of \d{4}-\d{2}-\d{2}: /);
      expect(hasChart(cells.get('per-day'))).toBe(true);
      expect(shown(cells.get('per-model'))).toMatch(/confluence_filter +1 +0 +1 +100\.0/);
      expect(shown(cells.get('end-users'))).toMatch(/^End users: 1\.[^]*^tester +2 /m);
      expect(shown(cells.get('durations'))).toMatch(/^model_f_combined +1\.0 /m);
      expect(shown(cells.get('failures'))).toMatch(
        /confluence_filter +tester +failed [^]*The day of analysis, 2 January 1990, is too early\./,
      );
      expect(shown(cells.get('screens'))).toMatch(/^Runs of screens: 1\.[^]*^preview +1 /m);
      expect(shown(cells.get('all-keys'))).toMatch(new RegExp(`${tenant.keyId} +synthetic +2 +1 `));
    },
    LIMIT_MS,
  );

  test(
    'usage-of-an-application says that a key has no runs',
    async () => {
      const { key } = await newTenant();
      await expect(execute('usage-of-an-application', key)).rejects.toThrow(
        /SystemExit[^]*This key has no run of a model since/,
      );
    },
    LIMIT_MS,
  );

  test(
    'what-picks-became shows the record, the calibration and the past, with their caveats',
    async () => {
      const cells = await execute('what-picks-became');
      expect(silent(cells)).toEqual([]);
      expect(shown(cells.get('setup'))).toBe(
        '**SYNTHETIC market**: it is generated, and no real stock is meant.',
      );
      expect(shown(cells.get('record'))).toMatch(/daily +own[^]*\d+ picks are judged, \d+ are still open/);
      expect(shown(cells.get('evidence'))).toMatch(/^market +real$/m);
      expect(hasChart(cells.get('calibration'))).toBe(true);
      expect(shown(cells.get('calibration'))).toMatch(
        /^As of \*\*\d{4}-[^]*`synthetic-[^]*no recommendation to buy or sell[^]*Forecasts: /,
      );
      expect(shown(cells.get('backfill'))).toMatch(/^(\d+) of \1 days done, 0 failed\./);
      expect(shown(cells.get('outcomes'))).toMatch(
        /^\*\*(Not shown|Shown).* SYNTHETIC market, .+ Trials so far: 1\./,
      );
    },
    LIMIT_MS,
  );

  test(
    'screen-in-the-past shows verdict, random picks and every trial, and leaves no screen',
    async () => {
      const cells = await execute('screen-in-the-past');
      expect(silent(cells)).toEqual(['setup']);
      expect(shown(cells.get('now'))).toMatch(
        /^\*\*SYNTHETIC market\*\*, as of \*\*\d{4}-.+ no recommendation to buy or sell\./,
      );
      expect(shown(cells.get('then'))).toMatch(/^ +as_of +matched +screened/);
      expect(shown(cells.get('past'))).toMatch(/^\*\*(Not shown|Shown).* SYNTHETIC market, /);
      expect(hasChart(cells.get('random'))).toBe(true);
      expect(shown(cells.get('random'))).toMatch(/better than a random choice: [\d.]+ %/);
      expect(shown(cells.get('trials'))).toMatch(/trials[^]*^5 /m);
      const left = await tenant.client.screens.list({ endUser: 'notebook' }).first();
      expect(left.screens).toEqual([]);
    },
    LIMIT_MS,
  );
});
