import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { REPOSITORY } from '#support/repository.ts';
import { defaultBrokers, parseBrokerTable } from './broker-table.ts';
import { needing, THE_REAL_MARKET } from '#support/needing.ts';

const REFERENCE = path.join(REPOSITORY, '../shared/data/brokers_reference.csv');

test('entries are sorted by upper-case code, regardless of extra columns and line endings', () => {
  const csv =
    '\uFEFFname,code,remark,is_foreign,is_retail\r\n"Zeta, Tbk.",zz,x,TRUE,0\r\n\r\nAlpha,AA,,false,1\r\n';
  expect(parseBrokerTable('t.csv', csv)).toEqual([
    { code: 'AA', name: 'Alpha', is_retail: true, is_foreign: false },
    { code: 'ZZ', name: 'Zeta, Tbk.', is_retail: false, is_foreign: true },
  ]);
});

test.each([
  ['AA,Alpha,1,1', 'AA cannot be both retail and foreign'],
  ['AA,Alpha,yes,0', "is_retail must be 1 or 0, and is 'yes'"],
  ['AA,Alpha,0', '3 fields under 4 columns'],
  ['A-A,Alpha,0,0', "'A-A' is no broker code"],
  ['AA,,0,0', 'the name of AA must have 1 to 100 characters'],
  ['bb,Beta,0,0', 'BB has an entry already'],
])('%s is refused with its line number', (line, message) => {
  const csv = `code,name,is_retail,is_foreign\nBB,Beta,0,0\n${line}\n`;
  expect(() => parseBrokerTable('t.csv', csv)).toThrow(
    expect.objectContaining({ code: 'import_rejected', message: `t.csv:3: ${message}` }),
  );
});

describe('the default table', () => {
  test('has 104 named brokers: 11 retail and 13 foreign', () => {
    const brokers = defaultBrokers();
    expect(brokers).toHaveLength(104);
    expect(brokers.filter(({ is_retail }) => is_retail)).toHaveLength(11);
    expect(brokers.filter(({ is_foreign }) => is_foreign)).toHaveLength(13);
    expect(brokers.every(({ name }) => name.includes('Sekuritas'))).toBe(true);
  });

  test(
    'has every code of the reference, in the same class',
    needing(THE_REAL_MARKET, existsSync(REFERENCE)),
    () => {
      const known = new Map(defaultBrokers().map(({ code, ...broker }) => [code, broker]));
      const [header, ...lines] = readFileSync(REFERENCE, 'utf8').trim().split('\n');
      const at = (column: string) => header!.split(',').indexOf(column);
      for (const fields of lines.map((line) => line.split(','))) {
        expect(known.get(fields[at('code')]!), fields[0]).toMatchObject({
          is_retail: fields[at('is_retail')] === '1',
          is_foreign: fields[at('is_foreign')] === '1',
        });
      }
    },
  );
});
