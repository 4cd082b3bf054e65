import { expect, test } from 'vitest';
import { checkedDefinition } from './definition.ts';
import { calendarOf } from './market-fixture.ts';
import { VENDOR_CSV, VENDOR_MAPPING } from '../formats/mapping-fixture.ts';
import { failureOf } from '../deliveries/source-failure-fixture.ts';
import { ownFolder } from '../origins/folder-fixture.ts';
import { tried } from './trial.ts';

const NOW = new Date('2024-07-01T20:00:00+07:00');
const own = ownFolder();
const { drop } = own;

async function tryFrom(from: object, rows = 10, day?: string) {
  const checked = await checkedDefinition(
    { name: 'vendor', format: 'mapping', mapping: VENDOR_MAPPING, from },
    own.path,
  );
  if ('mistakes' in checked) throw new Error(JSON.stringify(checked.mistakes));
  const dependencies = { calendar: calendarOf(), clock: () => NOW, env: {} };
  return tried(checked.definition, { day, rows }, dependencies, new AbortController().signal);
}

test('a trial shows the first rows of the newest day that is due, as the importer would get them', async () => {
  await drop('20240701.csv', VENDOR_CSV, 10);
  expect(await tryFrom({ file: '{yyyymmdd}.csv' })).toEqual({
    columns: ['ticker', 'date', 'previous', 'high', 'low', 'close', 'volume', 'value'],
    rows: [
      ['QAAA', '2024-07-01', '1000', '1030', '995', '1020', '1200000', '1214400000'],
      ['QBBB', '2024-07-01', '200', '', '', '200', '', ''],
    ],
    rowsInAll: 2,
    bytes: Buffer.byteLength(VENDOR_CSV),
    findings: ['rows that the mapping skips: 2'],
  });
  expect((await tryFrom({ file: '{yyyymmdd}.csv' }, 1)).rows).toHaveLength(1);
});

test('a trial of another day, or of one that is not there, says what happened', async () => {
  const { message } = await failureOf(tryFrom({ file: '{yyyymmdd}.csv' }, 10, '2024-06-28'), 'not_published');
  expect(message).toContain('20240628.csv');
});

test('a trial of a folder reads the file that was dropped last', async () => {
  await failureOf(tryFrom({ folder: '.' }), 'not_published');
  await drop('z.csv', 'nothing', 10);
  await drop('a.csv', VENDOR_CSV, 20);
  expect((await tryFrom({ folder: '.' })).rowsInAll).toBe(2);
});
