import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportOutcome, ListBrokersResponse } from '#proto/saring/market_data/v1/datasets.ts';
import { brokerFile, tradeBetween } from '#support/markets/broker-rows.ts';
import { makeFolder } from '#support/fleets/cli-surroundings.ts';
import { operator, outcomeOf } from '#support/services/dataset-client.ts';
import { idxFile } from '#support/markets/idx-archive.ts';
import { datasetCommand } from '#support/services/dataset-command.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();
const { cli } = datasetCommand(own);
const BARS = { 'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close: 100 }]) };
const HEADER = 'code,name,is_retail,is_foreign';

const tableOf = (version: string) => own.datasets.listBrokers({ version }, operator);
const codesOf = async (version: string) => (await tableOf(version)).brokers.map(({ code }) => code);

test('there is no broker table before the first publication, nor for an unknown version', async () => {
  for (const version of ['', 'real-20240304-9'])
    await expect(tableOf(version)).rejects.toMatchObject({ code: 'not_found' });
});

describe('the broker table', () => {
  test('is the default until one is uploaded, which then applies to later versions too', async () => {
    const first = (await own.importFiles(BARS)).dataset!.version;
    expect(await codesOf('')).toHaveLength(104);
    const table = `remark,${HEADER}\nx,zz,"Zeta, Tbk.",0,true\ny,AA,Alpha,1,0\n`;
    const second = await own.importBytes(Buffer.from(table), { source: 'brokers.csv' });
    expect(second.dataset).toMatchObject({ bars: 1, broker_data: 'none' });
    expect(second.broker_table).toEqual({ brokers: 2, brokers_before: 104 });
    expect(await tableOf('')).toEqual({
      version: second.dataset!.version,
      brokers: [
        { code: 'AA', name: 'Alpha', is_retail: true, is_foreign: false },
        { code: 'ZZ', name: 'Zeta, Tbk.', is_retail: false, is_foreign: true },
      ],
    });
    const rows = brokerFile(tradeBetween(['AA', 'AK'], 1_000, 100));
    const third = await own.importBytes(Buffer.from(rows), { source: 'rows.csv' });
    expect(await codesOf('')).toEqual(['AA', 'ZZ']);
    expect(third.findings).toEqual([
      { finding: 'broker that the broker table does not have', count: 1, first_at: 'AK' },
    ]);
    expect(await codesOf(first)).toHaveLength(104);
  });

  test('can come with rows and bars; a full import without one restores the default', async () => {
    const rows = brokerFile(tradeBetween(['QQ', 'AK'], 1_000, 100));
    const table = `${HEADER}\nQQ,Quartz,0,0\nAK,Alabaster,0,1\n`;
    const files = { ...BARS, 'rows.csv': rows, 'z/table.csv': table };
    const { findings, broker_table } = await own.importFiles(files);
    expect(findings).toEqual([]);
    expect(broker_table).toEqual({ brokers: 2, brokers_before: 104 });
    expect(await codesOf('')).toEqual(['AK', 'QQ']);
    expect((await own.importFiles(BARS)).broker_table).toBeUndefined();
    expect(await codesOf('')).toHaveLength(104);
  });

  test('with mistakes is refused with file and line, and changes nothing', async () => {
    const before = await own.state();
    const both = `${HEADER}\nAA,Alpha,1,1\n`;
    await expect(own.importBytes(Buffer.from(both), { source: 'mine.csv' })).rejects.toMatchObject({
      code: 'import_rejected',
      message: 'mine.csv:2: AA cannot be both retail and foreign',
    });
    const table = `${HEADER}\nAA,Alpha,1,0\n`;
    await expect(own.importFiles({ 'a.csv': table, 'b.csv': table })).rejects.toMatchObject({
      code: 'import_rejected',
      message: 'b.csv: the upload has another broker table already.',
    });
    expect(await own.state()).toEqual(before);
  });
});

test('synthesis with a table that lacks a broker class names the class and publishes nothing', async () => {
  const table = `${HEADER}\nAA,Alpha,1,0\nBB,Beta,1,0\n`;
  await own.importFiles({ ...BARS, 'table.csv': table });
  const before = await own.state();
  await expect(outcomeOf(own.datasets.synthesizeBrokers({ seed: 1 }, operator))).rejects.toMatchObject({
    code: 'import_rejected',
    message:
      'The broker table (2 brokers) has no foreign and no local broker, ' +
      'and made-up broker rows need brokers of every class: retail, foreign and local.',
  });
  expect(await own.state()).toEqual(before);
});

test('the import command reports that a smaller table replaces a larger one', async () => {
  await own.importFiles(BARS);
  const file = path.join(await makeFolder(), 'few.csv');
  await writeFile(file, `${HEADER}\nAA,Alpha,1,0\nBB,Beta,0,1\nCC,Gamma,0,0\n`);
  const { stdout } = await cli('import', file);
  expect(stdout).toContain('broker table: 3 brokers, 104 before');
});

test('the exported broker table can be edited and imported back', async () => {
  await own.importFiles(BARS);
  const { code, stdout, stderr } = await cli('brokers', '--csv');
  expect(code, stderr).toBe(0);
  const file = path.join(await makeFolder(), 'brokers.csv');
  await writeFile(file, stdout.replace(/^XL,.*$/m, 'XL,"Excel, the house",0,0'));
  const imported = await cli('import', file, '--json');
  expect((JSON.parse(imported.stdout) as ImportOutcome).dataset).toMatchObject({
    bars: 1,
    source: expect.stringMatching(/^brokers\.csv, added to real-/) as string,
  });
  const shown = await cli('brokers', '--json');
  const { brokers } = JSON.parse(shown.stdout) as ListBrokersResponse;
  expect(brokers).toHaveLength(104);
  expect(brokers.find((broker) => broker.code === 'XL')).toEqual({
    code: 'XL',
    name: 'Excel, the house',
    is_retail: false,
    is_foreign: false,
  });
  expect((await cli('brokers', '--csv')).stdout).toBe(
    stdout.replace(/^XL,.*$/m, 'XL,"Excel, the house",0,0'),
  );
  expect((await cli('brokers')).stdout).toMatch(/^XL {4}local institution {2}Excel, the house$/m);
});
