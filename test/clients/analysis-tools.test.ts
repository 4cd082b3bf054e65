import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { blocksOfChapter } from '#support/documents/code-blocks.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { REPOSITORY } from '#support/repository.ts';
import { needing } from '#support/needing.ts';
import { nodeEnvironment } from '#support/processes/node-environment.ts';
import { pythonWith } from '#support/python-with.ts';
import { IN_TIME } from '#support/hangs.ts';

const run = promisify(execFile);
const PAGE = 'docs/analysis-tools.md';
/** They are installed for these tests alone, so that the compiler does not know them. */
const installed = createRequire(path.join(import.meta.dirname, 'packages/package.json'));

interface DuckDb {
  run: (sql: string) => Promise<unknown>;
  runAndReadAll: (sql: string) => Promise<{ getRowObjectsJson: () => Record<string, unknown>[] }>;
  extractStatements: (sql: string) => Promise<{ count: number }>;
  closeSync: () => void;
}
const { DuckDBInstance } = installed('@duckdb/node-api') as {
  DuckDBInstance: { create: () => Promise<{ connect: () => Promise<DuckDb> }> };
};
const { DefaultSettings, TaskUtils } = installed('@microsoft/powerquery-parser') as {
  DefaultSettings: object;
  TaskUtils: {
    tryLexParse: (settings: object, text: string) => Promise<{ resultKind: string; error?: Error }>;
  };
};

const tenant = ownTenant();
/** Looks like a checkout beside a fleet. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'saring-analyst-'));
  await symlink(inject('stateDir'), path.join(folder, '.saring'));
  await tenant.client.runAndWait('model_f_combined');
  const isRecorded = async () => {
    const { rows } = await tenant.client.usage.summary({ group_by: 'status' });
    expect(rows.map(({ key }) => key)).toEqual(['succeeded']);
  };
  await vi.waitFor(isRecorded, IN_TIME);
});
afterAll(() => rm(folder, { recursive: true }));

describe('DuckDB', () => {
  let duck: DuckDb;
  const rowsOf = async (sql: string) => (await duck.runAndReadAll(sql)).getRowObjectsJson();
  beforeAll(async () => {
    duck = await (await DuckDBInstance.create()).connect();
    await duck.run(`SET file_search_path = '${folder}'`);
    const env = { ...nodeEnvironment(), BASE: inject('baseUrl'), KEY: tenant.key };
    for (const commands of await blocksOfChapter(PAGE, 'Files', 'sh'))
      await run('bash', ['-eo', 'pipefail', '-c', commands], { cwd: folder, env });
  });
  afterAll(() => duck.closeSync());

  test('is the version that the page names', async () => {
    const [{ version }] = (await rowsOf('SELECT version() AS version')) as [{ version: string }];
    const page = await readFile(path.join(REPOSITORY, PAGE), 'utf8');
    expect(page).toContain(`| DuckDB ${version.replace('v', '')} (`);
  });

  test('answers every question of the page from the files that it fetches', async () => {
    const questions = (await blocksOfChapter(PAGE, 'DuckDB', 'sql')).filter((sql) => !sql.includes('httpfs'));
    expect(questions.map((sql) => sql.split('\n')[0])).toHaveLength(5);
    const [closes, sectors, runs, picks, copied] = questions as [string, string, string, string, string];
    expect(await rowsOf(closes)).toHaveLength(5);
    expect((await rowsOf(sectors))[0]).toMatchObject({ change_pct: expect.any(Number) as number });
    expect(await rowsOf(runs)).toMatchObject([{ model_id: 'model_f_combined', runs: '1' }]);
    expect((await rowsOf(picks))[0]).toMatchObject({
      ticker: expect.stringMatching(/^[A-Z]{4}$/) as string,
      dataset_kind: 'synthetic',
    });
    const target = path.join(folder, 'exports/day.parquet');
    await duck.run(copied.replace('exports/day.parquet', target));
    const [{ rows }] = (await rowsOf(`SELECT count(*) AS rows FROM '${target}'`)) as [{ rows: string }];
    const csv = await readFile(path.join(folder, 'exports/day.csv'), 'utf8');
    expect(Number(rows)).toBe(csv.trimEnd().split('\n').length - 1);
  });

  // The extension would have to be downloaded.
  test('understands the statements that read the API without files', async () => {
    const [sql] = (await blocksOfChapter(PAGE, 'DuckDB', 'sql')).filter((one) => one.includes('httpfs'));
    expect((await duck.extractStatements(sql!)).count).toBe(4);
  });
});

describe('Excel', () => {
  test('gets queries that are right by the grammar of Power Query', async () => {
    const queries = await blocksOfChapter(PAGE, 'Excel', 'powerquery');
    expect(queries).toHaveLength(2);
    for (const query of queries) {
      const parsed = await TaskUtils.tryLexParse(DefaultSettings, query);
      expect(parsed.resultKind, parsed.error?.message).toBe('Ok');
    }
  });

  test('gets the columns that its queries name', async () => {
    const [day, events] = (await blocksOfChapter(PAGE, 'Excel', 'powerquery')) as [string, string];
    const quoted = (text: string) => [...text.matchAll(/"(\w+)"/g)].map(([, name]) => name!);
    const typed = [...day.matchAll(/\{"(\w+)", type \w+\}/g)].map(([, name]) => name);
    const csv = await fetch(`${inject('baseUrl')}/api/v1/data/bars?date=today&format=csv`, {
      headers: { 'X-API-Key': tenant.key },
    });
    expect((await csv.text()).split(/\r?\n/)[0]!.split(',')).toEqual(typed);
    const page = await tenant.rest.get<{ events: object[] }>('/api/v1/usage/events?limit=200');
    const columns = quoted(/Columns = \{(.*)\}/.exec(events)![1]!);
    expect(Object.keys(page.body.events[0]!)).toEqual(expect.arrayContaining(columns));
    expect(page.body).toMatchObject({
      has_more: expect.any(Boolean) as boolean,
      next_cursor: null,
    });
  });

  const python = pythonWith('httpx, pandas');
  test(
    'gets a file with semicolons and decimal commas',
    needing("Debian's python3-httpx and python3-pandas", python !== undefined),
    async () => {
      const [code] = await blocksOfChapter(PAGE, 'Excel', 'python');
      await writeFile(path.join(folder, 'bars.py'), code!);
      await run(python!, ['bars.py'], {
        cwd: folder,
        env: {
          PYTHONPATH: path.join(REPOSITORY, 'clients/python/src'),
          PYTHONDONTWRITEBYTECODE: '1',
          SARING_URL: inject('baseUrl'),
          SARING_KEY: tenant.key,
        },
      });
      const [header, ...rows] = (await readFile(path.join(folder, 'bars-for-excel.csv'), 'utf8'))
        .trimEnd()
        .split('\n');
      expect(header).toMatch(/^\uFEFFticker;open;high;/);
      expect(rows.join('\n')).toMatch(/;\d+,\d/);
      expect(rows.filter((row) => row.includes('.'))).toEqual([]);
    },
  );
});
